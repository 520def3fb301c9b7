"""Which files are memories, which are read for links alone, which are left out, and why."""

from __future__ import annotations

import pytest

from memsleep.corpus.detect import Detection, Detections
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
    ("a.md", TEXT, "plain", "memory"),
    ("notes/README.md", TEXT, "plain", "memory"),
    ("index.md", TEXT, "plain", "memory"),
    ("notes/memory.md", TEXT, "plain", "memory"),
    ("notes/readme-first.md", TEXT, "plain", "memory"),
    ("templates.md", TEXT, "plain", "memory"),
    ("list.md", LISTING, "plain", "memory"),
    ("index.md", LISTING, "plain", "reference"),
    ("de/INDEX.md", LISTING, "plain", "reference"),
    ("MEMORY.md", TEXT, "plain", "reference"),
    ("agents/a/MEMORY.md", TEXT, "plain", "reference"),
    ("TOC.md", TEXT, "plain", "reference"),
    ("README.md", TEXT, "plain", "reference"),
    ("readme.markdown", TEXT, "plain", "reference"),
    ("templates/a.md", TEXT, "plain", "reference"),
    ("notes/Templates/a.md", TEXT, "plain", "reference"),
    ("archetypes/a.md", TEXT, "plain", "reference"),
    ("_templates/a.md", TEXT, "plain", "reference"),
    ("Evernote_index.html", b"", "plain", "reference"),
    ("a.html", b"", "plain", "left-out"),
    ("areas/a.html", b"", "plain", "left-out"),
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
    # pages that are memories of their own store
    ("a.html", b"", "html", "memory"),
    ("a.HTML", b"", "evernote", "memory"),
    ("Evernote_index.html", b"", "evernote", "reference"),
    ("sub/index.html", b"", "html", "reference"),
    # the rules of a store come before the general ones
    ("MEMORY.md", TEXT, "hermes", "entries"),
    ("USER.md", TEXT, "hermes", "entries"),
    ("notes/a.md", TEXT, "hermes", "memory"),
    ("archive/2026/MEMORY.md.d/0a1b2c3d.md", TEXT, "hermes", "memory"),
    ("MEMORY.md", TEXT, "openclaw", "memory"),
    ("SOUL.md", TEXT, "openclaw", "memory"),
    ("MEMORY.md", TEXT, "claude", "reference"),
    ("system/persona.md", LISTING, "letta", "memory"),
]


@pytest.mark.parametrize(("path", "source", "store", "part"), ROLES)
def test_role(path: str, source: bytes, store: str, part: str) -> None:
    """Every file has one role."""
    assert role_of(path, source, Detections((Detection(store, ""),))).part == part


@pytest.mark.parametrize(
    ("path", "store", "part"),
    [
        ("areas/a.md", "memhtml", "left-out"),
        ("areas/a.html", "memhtml", "memory"),
        ("areas/a.html", "plain", "left-out"),
        ("a.md", "plain", "memory"),
    ],
)
def test_role_when_the_dialect_is_forced(path: str, store: str, part: str) -> None:
    """A dialect that the config names has the corpus to itself."""
    role = role_of(path, TEXT, Detections((Detection(store, ""),), forced=True))
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
