"""Globs match whole paths, and nothing in them is magic but what is said to be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.corpus.globs import first_match, matches

YES = [
    ("a.md", "a.md"),
    ("a.md", "*.md"),
    ("notes/a.md", "*.md"),
    ("notes/a.md", "notes/*.md"),
    ("notes/a.md", "notes/*"),
    ("notes/a.md", "/notes/*.md"),
    ("a.md", "/*.md"),
    ("notes/b/a.md", "notes/**"),
    ("notes/a.md", "notes/**/a.md"),
    ("notes/b/c/a.md", "notes/**/a.md"),
    ("notes/b/c/a.md", "**/c/*.md"),
    ("c/a.md", "**/c/*.md"),
    ("a.md", "**"),
    ("a.md", "**/a.md"),
    ("notes/drafts/b/a.md", "drafts/"),
    ("drafts/a.md", "drafts/"),
    ("drafts/a.md", "/drafts/"),
    ("a/drafts/b.md", "a/drafts/"),
    ("ab.md", "?b.md"),
    ("\u8a18.md", "?.md"),
    ("[a].md", "[a].md"),
    ("a+b (1).md", "a+b (1).md"),
    ("line\nbreak.md", "line*.md"),
    (".hidden.md", "*.md"),
]
NO = [
    ("a.md", "b.md"),
    ("a.md.bak", "*.md"),
    ("A.md", "a.md"),
    ("notes/b/a.md", "notes/*.md"),
    ("notes/b/a.md", "notes/*"),
    ("notes/a.md", "/*.md"),
    ("x/notes/a.md", "notes/*.md"),
    ("notes", "notes/**"),
    ("notes2/a.md", "notes/**"),
    ("drafts", "drafts/"),
    ("a/drafts/b.md", "/drafts/"),
    ("x/a/drafts/b.md", "a/drafts/"),
    ("drafts2/a.md", "drafts/"),
    ("a/b.md", "?b.md"),
    ("a/b.md", "a?b.md"),
    ("a.md", "[a].md"),
    ("xa.md", "**/a.md"),
    ("a.md", ""),
    ("aXmd", "a.md"),
]


@pytest.mark.parametrize(("path", "pattern"), YES)
def test_matches(path: str, pattern: str) -> None:
    """These paths are meant."""
    assert matches(path, pattern)


@pytest.mark.parametrize(("path", "pattern"), NO)
def test_does_not_match(path: str, pattern: str) -> None:
    """These paths are not."""
    assert not matches(path, pattern)


def test_first_match_in_the_order_given() -> None:
    """The pattern that is named first is the reason."""
    assert first_match("n/a.md", ("x.md", "*.md", "n/**")) == "*.md"
    assert first_match("n/a.txt", ("x.md", "*.md")) is None


PART = st.text("ab.[]^$+(){}|\\ \u00e9", min_size=1, max_size=5).filter(lambda p: p.strip())


@given(st.lists(PART, min_size=2, max_size=4))
def test_a_path_without_wildcards_matches_itself_alone(parts: list[str]) -> None:
    """A path is a pattern of itself, whatever characters it holds."""
    path = "/".join(parts)
    assert matches(path, path)
    assert matches(path, f"/{path}")
    assert not matches(f"{path}x", path)
    assert not matches(f"x/{path}", path)
