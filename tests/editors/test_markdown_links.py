"""Tests of memsleep.editors.markdown_links: when a memory states a link already."""

from __future__ import annotations

from typing import get_args

import pytest

from memsleep.editors.markdown_links import states_link
from memsleep.model import Link, LinkForm
from phases_kit import memory as made


@pytest.mark.parametrize(
    ("path", "form", "target", "leads_to", "stated"),
    [
        ("a/x.md", "inline", "y.md", "a/y.md", True),
        ("a/x.md", "wikilink", "y", "a/y.md", True),
        ("a/x.md", "front-matter", "a/y.md", None, True),
        ("a/x.md", "front-matter", "/a/y", None, True),
        ("a/x.md", "wikilink", "a/y", None, True),
        ("x.md", "inline", "a/y.md", None, True),
        ("a/x.md", "inline", "a/y.md", None, False),
        ("a/x.md", "anchor", "a/y.md", None, False),
        ("a/x.md", "reference", "a/y.md", None, False),
        ("a/x.md", "wikilink", "y", None, False),
        ("a/x.md", "wikilink", "a/y", "b/a/y.md", False),
        ("a/x.md", "front-matter", "b/y.md", None, False),
    ],
)
def test_states_link(
    path: str, form: LinkForm, target: str, leads_to: str | None, stated: bool
) -> None:
    """A link that leads there counts, and one that spells the path from the root."""
    assert form in get_args(LinkForm)
    link = Link("relates_to", target, 1, form, path=leads_to)
    memory = made(path, links=(link,))
    assert states_link(memory, "relates_to", "a/y.md") is stated
    assert not states_link(memory, "supports", "a/y.md")
