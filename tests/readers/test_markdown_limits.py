"""Files that are made to be costly cost themselves, not the night."""

from __future__ import annotations

import pytest

from memsleep.model import Memory, Unreadable
from memsleep.readers import markdown_text
from memsleep.readers.markdown import read, read_links


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown_text, "MAX_EVENTS", 1_000)


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("piece", ["[[a]] ", "[", "*a _b ", "> ", "a\n", "`x` ", "<b>", "- a\n"])
def test_too_much_markup_is_unreadable(piece: str) -> None:
    """Links, brackets, emphasis, quotes, lines, code, tags and items are all counted."""
    found = read("a.md", (piece * 2_000).encode())
    assert isinstance(found, Unreadable)
    assert [problem.code for problem in found.problems] == ["too-much-markup"]
    assert read_links("a.md", (piece * 2_000).encode()) == ()


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("body", ["word " * 100_000, "x" * 500_000, "a\n" * 400, "[[a]] " * 200])
def test_long_plain_text_is_read(body: str) -> None:
    """Length alone is no cost."""
    assert isinstance(read("a.md", body.encode()), Memory)


@pytest.mark.usefixtures("_few")
def test_broken_front_matter_over_too_much_markup() -> None:
    """The second reading of such a file is counted as well."""
    found = read("a.md", b"---\na: b: c\n---\n" + b"[[a]] " * 2_000)
    assert isinstance(found, Unreadable)


def test_limit_leaves_room_for_large_files() -> None:
    """A file of 10 MB in lines of 40 characters is far from it."""
    assert markdown_text.MAX_EVENTS >= 2 * 10_000_000 // 40
