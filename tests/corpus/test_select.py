"""Which files are memories, which are read for links alone, which are left out, and why."""

from __future__ import annotations

import pytest

from memsleep.corpus.select import only_lists_links, role_of, unwanted
from memsleep.settings import CorpusSettings

# What a name alone says

UNWANTED = [
    ("a.txt", {}, "other kind of file"),
    ("a.md.bak", {}, "other kind of file"),
    ("md", {}, "other kind of file"),
    ("sitemap.xml", {}, "other kind of file"),
    ("drafts/a.md", {"exclude": ("drafts/",)}, "excluded by the config"),
    ("a.md", {"include": ("notes/**",)}, "not included by the config"),
    ("notes/a.md", {"include": ("notes/**",), "exclude": ("a.md",)}, "excluded by the config"),
]
WANTED = [
    ("a.md", {}),
    ("a.MD", {}),
    ("a.Markdown", {}),
    ("a.html", {}),
    ("notes/a.md", {"include": ("notes/**",)}),
    ("a.md", {"exclude": ("b.md",)}),
]


@pytest.mark.parametrize(("path", "settings", "cause"), UNWANTED)
def test_unwanted(path: str, settings: dict[str, tuple[str, ...]], cause: str) -> None:
    """These are not even read, and the cause is said."""
    assert unwanted(path, CorpusSettings(**settings)) == cause


@pytest.mark.parametrize(("path", "settings"), WANTED)
def test_wanted(path: str, settings: dict[str, tuple[str, ...]]) -> None:
    """These are read."""
    assert unwanted(path, CorpusSettings(**settings)) == ""


# Roles

TEXT = b"# T\n\nA claim in words.\n"
LISTING = b"# Index\n\n- [A](a.md)\n- [[b]]\n"

ROLES = [
    ("a.md", TEXT, "markdown", "memory"),
    ("notes/README.md", TEXT, "markdown", "memory"),
    ("index.md", TEXT, "markdown", "memory"),
    ("notes/memory.md", TEXT, "markdown", "memory"),
    ("notes/readme-first.md", TEXT, "markdown", "memory"),
    ("templates.md", TEXT, "markdown", "memory"),
    ("list.md", LISTING, "markdown", "memory"),
    ("index.md", LISTING, "markdown", "reference"),
    ("de/INDEX.md", LISTING, "markdown", "reference"),
    ("MEMORY.md", TEXT, "markdown", "reference"),
    ("agents/a/MEMORY.md", TEXT, "markdown", "reference"),
    ("TOC.md", TEXT, "markdown", "reference"),
    ("README.md", TEXT, "markdown", "reference"),
    ("readme.markdown", TEXT, "markdown", "reference"),
    ("templates/a.md", TEXT, "markdown", "reference"),
    ("notes/Templates/a.md", TEXT, "markdown", "reference"),
    ("archetypes/a.md", TEXT, "markdown", "reference"),
    ("_templates/a.md", TEXT, "markdown", "reference"),
    ("Evernote_index.html", b"", "markdown", "reference"),
    ("a.html", b"", "markdown", "left-out"),
    ("areas/a.html", b"", "markdown", "left-out"),
    # html-format.md 5.2
    ("areas/a.html", b"", "memhtml", "memory"),
    ("areas/index.html/a.html", b"", "memhtml", "memory"),
    ("resources/people/.html", b"", "memhtml", "memory"),
    ("resources/templates/a.html", b"", "memhtml", "memory"),
    ("archive/2026/areas/a.html", b"", "memhtml", "memory"),
    ("Areas/a.html", b"", "memhtml", "left-out"),
    ("areas/a.HTML", b"", "memhtml", "left-out"),
    ("notes/a.html", b"", "memhtml", "left-out"),
    ("a.html", b"", "memhtml", "left-out"),
    ("areas/index.html", b"", "memhtml", "reference"),
    ("README.html", b"", "memhtml", "reference"),
    # a store may hold Markdown too
    ("areas/a.md", TEXT, "memhtml", "memory"),
]


@pytest.mark.parametrize(("path", "source", "store", "part"), ROLES)
def test_role(path: str, source: bytes, store: str, part: str) -> None:
    """Every file has one role."""
    assert role_of(path, source, store, False).part == part  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "store", "part"),
    [
        ("areas/a.md", "memhtml", "left-out"),
        ("areas/a.html", "memhtml", "memory"),
        ("areas/a.html", "markdown", "left-out"),
        ("a.md", "markdown", "memory"),
    ],
)
def test_role_when_the_dialect_is_forced(path: str, store: str, part: str) -> None:
    """A dialect that the config names has the corpus to itself."""
    role = role_of(path, TEXT, store, True)  # type: ignore[arg-type]
    assert role.part == part
    assert bool(role.cause) is (part == "left-out")


# Index pages

LISTS = [
    LISTING,
    b"\xef\xbb\xbf---\ntitle: Index of words\n---\n# I\n* [A](a.md) - a hook\n",
    b"[[a]]\n[[b]], ![[c]]\n",
    b"1. [A](a.md)\r\n2. [B](b.md)\r\n",
    b"- Projects\n  - [[a]]\n- The other things\n  - [[b]]\n",
    b"| page | about |\n|---|---|\n| [A](a.md) | words |\n\n- [[b]]\n",
    b"- [A][a]\n\n[a]: a.md\n<!-- generated -->\n---\n",
    b"## No space needed at the end\n- <https://example.org>\n",
]
SAYS = [
    b"",
    b"# Only a heading\n",
    b"A sentence without any link.\n",
    LISTING + b"We decided to keep the old port.\n",
    b"[[a]] is what we decided to use for the port.\n",
    b"- [[a]]\n- The old port stays open until the next release is out.\n",
    b"- one\n- two\n",
    b"\xff\xfe- [[a]]\n",
    b"---\n- [[a]]\nwords that are no front matter since nothing closes it\n",
]


@pytest.mark.parametrize("source", LISTS)
def test_lists_links(source: bytes) -> None:
    """A page of headings, labels and links is an index."""
    assert only_lists_links(source)


@pytest.mark.parametrize("source", SAYS)
def test_says_something(source: bytes) -> None:
    """A page that says something in words is a memory, even when it is called index."""
    assert not only_lists_links(source)
