"""A store is known by its folder or its files, never by a guess that a name allows."""

from __future__ import annotations

import pytest

from memsleep.corpus.detect import detect, in_bucket

META = b'<META name="memhtml-type" content="semantic">'

MEMHTML = [
    ({"areas/a.html": META}, {"areas/a.html"}),
    ({"archive/2026/areas/a.html": META.upper()}, set()),
    ({}, {".memhtml", ".memhtml/state"}),
    ({}, {".memhtml/state/access.jsonl"}),
]
MARKDOWN = [
    ({"a.md": b"x"}, {"a.md"}),
    ({"a.md": META}, {"a.md"}),
    ({"areas/a.html": b"<p>x"}, {"areas/a.html"}),
    ({"notes/a.html": META}, {"notes/a.html"}),
    ({"areas/a.HTML": META}, {"areas/a.HTML"}),
    ({}, {"notes/.memhtml/x", ".memhtml2"}),
    ({}, set()),
]


@pytest.mark.parametrize(("contents", "taken"), MEMHTML)
def test_memhtml(contents: dict[str, bytes], taken: set[str]) -> None:
    """The folder of a store, or a file in a bucket that states a type."""
    assert detect(contents, taken).dialect == "memhtml"


@pytest.mark.parametrize(("contents", "taken"), MARKDOWN)
def test_markdown(contents: dict[str, bytes], taken: set[str]) -> None:
    """Anything else."""
    assert detect(contents, taken).dialect == "markdown"


def test_forced() -> None:
    """The config has the last word."""
    assert detect({"areas/a.html": META}, {".memhtml"}, "markdown").dialect == "markdown"
    assert detect({"a.md": b"x"}, set(), "memhtml").dialect == "memhtml"


def test_evidence_names_the_same_file_in_any_order() -> None:
    """The evidence does not depend on the order of the files."""
    files = {"areas/b.html": META, "areas/a.html": META}
    backwards = dict(reversed(files.items()))
    expected = "2 files state memhtml-type, areas/a.html first"
    assert detect(files, set()).evidence == detect(backwards, set()).evidence == expected


@pytest.mark.parametrize(
    ("path", "inside"),
    [("areas/a", True), ("Areas/a", False), ("areas", False), ("x/areas/a", False)],
)
def test_bucket(path: str, inside: bool) -> None:
    """A bucket is a first folder, in small letters, with something below it."""
    assert in_bucket(path) is inside
