"""Heads of memhtml files for tests of the editors: the worked one, and random line by line ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from memhtml_kit import CLAIM, meta, page
from memsleep.readers.memhtml_vocabulary import META_ORDER

TITLE = "<title>T</title>"
LINES = (
    meta("type", "semantic"),
    meta("status", "active"),
    meta("created", "2026-08-02T00:00:00Z"),
    meta("updated", "2026-08-02T00:00:00Z"),
    meta("tag", "a"),
    meta("tag", "b"),
    '<link rel="memhtml-part-of" href="/areas/arcs/x.html">',
)
"""The head from which the worked edits of the format start."""

FILE = page(head=(TITLE, *LINES))


def changed_line(index: int, line: str) -> bytes:
    """Return the worked file with one line replaced."""
    return page(head=(TITLE, *LINES[:index], line, *LINES[index + 1 :]))


def new_line(index: int, line: str) -> bytes:
    """Return the worked file with one more line before the line of that index."""
    return page(head=(TITLE, *LINES[:index], line, *LINES[index:]))


@dataclass(frozen=True)
class Written:
    """One head entry: its name (empty for what is not of the format) and its line."""

    name: str
    written: str
    link: tuple[str, str] | None = None


@dataclass(frozen=True)
class Style:
    """A file whose head has one entry a line."""

    entries: tuple[Written, ...]
    crlf: bool
    indents: tuple[str, ...]
    article: str


def file_of(style: Style, entries: Sequence[Written] | None = None) -> bytes:
    """Return the bytes of a file, or of the same file with some entries left out."""
    indent = dict(zip(map(id, style.entries), style.indents, strict=True))
    kept = style.entries if entries is None else entries
    rows = [indent[id(entry)] + entry.written for entry in kept]
    source = page(head=(TITLE, *rows), article=style.article)
    return source.replace(b"\n", b"\r\n") if style.crlf else source


def spelled(name: str, value: str, spelling: int) -> str:
    """Return one of the spellings of a meta that HTML admits on one line."""
    return [
        f'<meta name="{name}" content="{value}">',
        f"<meta name='{name}' content='{value}'>",
        f"<META content='{value}' name={name} />",
        f'<meta  name="{name}"  content="{value}"/>',
        f'<meta name="{name}" content="{value}" id=i>',
    ][spelling]


VALUES = st.sampled_from(["", "a", "b", "&amp;", "caf\u00e9", "&#97;", "<b>", "\u65e5\u672c"])
NAMES = st.sampled_from(META_ORDER)
TARGETS = st.sampled_from(["/areas/a.html", "/areas/b.html", "/areas/a.html?x=1&amp;y#z"])
TOKENS = st.sampled_from(["memhtml-part-of", "memhtml-part_of", "memhtml-supports"])
OTHERS = st.sampled_from(
    ['<meta charset="utf-8">', '<link rel="icon" href="x">', "<!-- c -->", "", "<base href=/>"]
)


@st.composite
def metas(draw: st.DrawFn, *, plain: bool = False) -> Written:
    """Draw a meta line."""
    name = draw(NAMES)
    value = draw(st.sampled_from("abc") if plain else VALUES)
    return Written(name, spelled(name, value, 0 if plain else draw(st.integers(0, 4))))


@st.composite
def links(draw: st.DrawFn) -> Written:
    """Draw a line with a typed link."""
    token, href = draw(TOKENS), draw(TARGETS)
    return Written("", f'<link rel="{token}" href="{href}">', (token, href))


@st.composite
def heads(draw: st.DrawFn, *, plain: bool = False) -> Style:
    """Draw a head: unsorted, with duplicates, and unless plain indented and oddly spelled."""
    others = OTHERS.map(lambda line: Written("", line))
    entries = tuple(draw(st.lists(metas(plain=plain) | links() | others, max_size=8)))
    if plain:
        return Style(entries, False, ("",) * len(entries), CLAIM)
    indents = draw(
        st.lists(st.sampled_from(["", "  ", "\t"]), min_size=len(entries), max_size=len(entries))
    )
    article = draw(st.sampled_from([CLAIM, CLAIM + "\n<p>caf\u00e9 \U0001f680</p>"]))
    return Style(entries, draw(st.booleans()), tuple(indents), article)
