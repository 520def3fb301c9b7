"""Tell memories from the rest, and say why each other file is left out.

HTML is a memory by the rules of a memhtml store: `.html` in small letters, below `projects`,
`areas`, `resources` or `archive`, not `index.html` or `sitemap.xml`; or in a folder that is a
store of pages. Markdown is one wherever it lies. Index files, the root's README and templates are
never memories but are read for their links, which follow what moves. The rules of a store come
before these: the index of one is the memory of another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memsleep.corpus.detect import Detections, in_bucket
from memsleep.corpus.globs import first_match
from memsleep.model import in_archive
from memsleep.settings import CorpusSettings

MAX_BYTES = 16 * 1024 * 1024
"""A larger file is named and left alone; files of 10 MB must work."""
LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"

Part = Literal["memory", "entries", "reference", "left-out"]
_INDEX_HTML = frozenset({"Evernote_index.html", "index.html"})
_ENTRY_FOLDERS = ("MEMORY.md.d", "USER.md.d")
"""Folders of the archive in which each file was an entry of one."""
_TEMPLATE_FOLDERS = frozenset({"_templates", "archetypes", "templates"})
_LINK = re.compile(r"!?(\[\[[^\]]+\]\]|\[[^\]]*\](\([^)]*\)|\[[^\]]*\])|<https?://[^>]+>)")
_DEFINITION = re.compile(r"\[[^\]]+\]:\s*\S")
_HEADING = re.compile(r"#{1,6}(\s|\Z)")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s+(.*)")
_QUIET = re.compile(r"(<!--.*-->|---+|\*\*\*+|___+|=+|\|.*)\Z")
_WORD = re.compile(r"\w+")
_LABEL_WORDS = 4
"""A list item without a link that is no longer than this is the label of a group of links."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a file is in the night."""

    part: Part
    """`entries` for a file that holds several memories."""
    dialect: str = "plain"
    """Which dialect reads it."""
    cause: str = ""
    """Why it is left out, or why it is no memory of its own."""


def unwanted(path: str, settings: CorpusSettings) -> str:
    """Say why a file is not read by its name alone; empty when it is."""
    lowered = path.lower()
    if not lowered.endswith((".md", ".markdown", ".html")):
        return "other kind of file"
    if first_match(path, settings.exclude):
        return "excluded by the config"
    if settings.include and not first_match(path, settings.include):
        return "not included by the config"
    return ""


def role_of(path: str, source: bytes, stores: Detections) -> Role:
    """Return what a file is, by the store that its folder belongs to.

    A dialect that the config names has the corpus to itself: files of the other kind are left out.
    """
    if path.lower().endswith((".html", ".htm")):
        return _html_role(path, stores)
    store = stores.of(path)
    if stores.forced and store.traits.html:
        return Role("left-out", cause="not of the dialect that the config names")
    dialect = "plain" if store.traits.html else store.dialect
    if in_archive(path) and path.rpartition("/")[0].endswith(_ENTRY_FOLDERS):
        return Role("memory", "hermes")
    if path.rpartition("/")[2] in store.traits.entries and not in_archive(path):
        return Role("entries", dialect)
    if store.traits.is_pinned(store.inside(path)):
        return Role("memory", dialect)
    cause = _index_cause(path, source)
    return Role("reference", dialect, cause) if cause else Role("memory", dialect)


def _html_role(path: str, stores: Detections) -> Role:
    name = path.rpartition("/")[2]
    store = stores.of(path)
    pages = store.dialect if store.traits.html else "memhtml"
    if name in _INDEX_HTML or path == "README.html":
        return Role("reference", pages, "index page")
    if store.traits.html and store.dialect != "memhtml":
        return Role("memory", store.dialect)
    if stores.root.dialect != "memhtml":
        return Role("left-out", "memhtml", "HTML outside a memhtml store")
    if not in_bucket(path) or not path.endswith(".html"):
        return Role("left-out", "memhtml", "HTML outside the folders of the memhtml store")
    return Role("memory", "memhtml")


def _index_cause(path: str, source: bytes) -> str:
    """Say why a Markdown file is no memory of its own; empty when it is one."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0].lower()
    if name == "MEMORY.md" or stem == "toc":
        return "index page"
    if stem == "readme" and not folders:
        return "README of the corpus"
    if any(folder.lower() in _TEMPLATE_FOLDERS for folder in folders):
        return "template"
    return "index page" if stem == "index" and only_lists_links(source) else ""


def only_lists_links(source: bytes) -> bool:
    """Return True for a page of headings, tables and links on which nothing is said in words.

    A line of words without a link makes it a memory; so does a text that is not UTF-8, which
    reading will then name.
    """
    try:
        text = source.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return False
    lines = [line.strip() for line in _below_front_matter(text).split("\n")]
    said = [line for line in lines if line and not _HEADING.match(line)]
    return any(map(_LINK.search, said)) and all(map(_lists, said))


def _lists(line: str) -> bool:
    """Return True for a line that lists: links alone, an item with a link, a group's label."""
    if _QUIET.match(line) or _DEFINITION.match(line):
        return True
    item = _ITEM.match(line)
    if item is None:
        return not _WORD.search(_LINK.sub("", line))
    return bool(_LINK.search(line)) or len(_WORD.findall(item[1])) <= _LABEL_WORDS


def _below_front_matter(text: str) -> str:
    if not text.startswith("---"):
        return text
    lines = text.split("\n")
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in {"---", "..."}:
            return "\n".join(lines[number + 1 :])
    return text
