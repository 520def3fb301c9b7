"""Checks over small corpora on disk, for tests."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus_kit import write
from memsleep.check.model import Finding
from memsleep.check.request import CheckRequest, CheckResult
from memsleep.check.run import Checked, check
from memsleep.config import Option, load_settings

FIXTURES = Path(__file__).parent.parent / "fixtures"
NOW = "2026-11-30T03:00:00Z"
Files = Mapping[str, str | bytes]


def request_for(root: Path, /, **wanted: Any) -> CheckRequest:
    """Return a request; settings of the section `check` and fields of the request by name."""
    options = [
        Option(key.replace("__", "."), value, "test")
        for key, value in wanted.items()
        if "__" in key
    ]
    fields = {key: value for key, value in wanted.items() if "__" not in key}
    settings = load_settings(root, environ={}, options=options).settings
    fields.setdefault("baseline", root / settings.check.baseline)
    fields.setdefault("allow_empty", True)
    return CheckRequest(corpus=root, settings=settings, now=fields.pop("now", NOW), **fields)


def run_check(root: Path, /, **wanted: Any) -> Checked:
    """Check a folder."""
    return check(request_for(root, **wanted))


def result_of(root: Path, files: Files | None = None, /, **wanted: Any) -> CheckResult:
    """Write files below a folder, check it, return the result."""
    root.mkdir(parents=True, exist_ok=True)
    return run_check(write(root, files or {}), **wanted).result


def told(result: CheckResult) -> list[str]:
    """Return `path:line:column code` of each finding; a finding about a whole file has no line."""
    return [_told(finding) for finding in result.findings]


def _told(finding: Finding) -> str:
    place = finding.place
    where = f":{place.line}:{place.column}" if place else ""
    return f"{finding.path}{where} {finding.code}"


def fingerprints(result: CheckResult) -> set[str]:
    """Return the fingerprints of the findings."""
    return {finding.fingerprint for finding in result.findings}


def copy_fixture(name: str, into: Path) -> Path:
    """Copy a fixture's corpus to a folder outside any repository."""
    root = into / "corpus"
    shutil.copytree(FIXTURES / name / "corpus", root, symlinks=True)
    return root


def page(
    *,
    claim: str = "The kettle in the shed holds two litres.",
    title: str = "Kettle",
    type: str = "semantic",  # noqa: A002 (the name of the field)
    status: str = "active",
    head: str = "",
    after: str = "",
    created: str = "2026-03-04T05:06:07Z",
    updated: str = "2026-03-04T05:06:07Z",
) -> str:
    """Return a memhtml file; `head` is inserted on line 10, `after` below the claim."""
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="memhtml-type" content="{type}">
<meta name="memhtml-status" content="{status}">
<meta name="memhtml-created" content="{created}">
<meta name="memhtml-updated" content="{updated}">
{head}
</head>
<body>
<article>
<p><mark>{claim}</mark></p>{after}
</article>
</body>
</html>
"""


def note(text: str = "The kettle in the shed holds two litres.\n", **fields: str) -> str:
    """Return a Markdown memory; underscores of the names of fields stay."""
    head = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{head}---\n{text}" if head else text
