"""A result in the form that somebody asks for: bytes, and the name of each form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memsleep.check.formats import github, json, junit, markdown, sarif, text
from memsleep.check.request import CheckResult, FormatName

RENDERERS: Mapping[FormatName, Callable[[CheckResult], bytes]] = {
    "text": text.render,
    "github": github.render,
    "junit": junit.render,
    "sarif": sarif.render,
    "json": json.render,
    "markdown": markdown.render,
}
