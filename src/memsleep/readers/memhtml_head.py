"""The head of a memhtml file: its title, its metas and its links, as they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memsleep.readers.memhtml_tree import Item, Tree
from memsleep.readers.memhtml_values import collapse, js_trim
from memsleep.readers.memhtml_vocabulary import PREFIX


@dataclass(frozen=True, slots=True)
class Entry:
    """One `memhtml-` meta or link of the head."""

    item: Item
    name: str
    """`name` of a meta, `rel` of a link, whole and exact."""
    value: str | None
    """Decoded `content` or `href`, None when the attribute is missing."""

    @property
    def attribute(self) -> str:
        """Name of the attribute that holds the value."""
        return "content" if self.item.tag == "meta" else "href"


@dataclass(frozen=True, slots=True)
class Head:
    """What a file states about itself, in document order, duplicates included."""

    item: Item | None
    metas: tuple[Entry, ...]
    links: tuple[Entry, ...]
    firsts: Mapping[str, Entry]
    """The first meta of each name."""

    def first(self, name: str) -> Entry | None:
        """Return the first meta of a name."""
        return self.firsts.get(name)

    def value(self, name: str) -> str | None:
        """Return the content of the first meta of a name; a missing content reads as empty."""
        entry = self.firsts.get(name)
        return None if entry is None else entry.value or ""

    def values(self, name: str) -> list[str]:
        """Return the contents of a repeatable meta that are not empty."""
        return [entry.value for entry in self.metas if entry.name == name and entry.value]


def head_of(tree: Tree) -> Head:
    """Collect the head of a document."""
    heads = tree.named("head")
    if not heads:
        return Head(None, (), (), {})
    metas, links = [], []
    for item in tree.below(heads[0]):
        if item.tag == "meta":
            name = item.attr("name")
            if name is not None and name.startswith(PREFIX):
                metas.append(Entry(item, name, item.attr("content")))
        elif item.tag == "link":
            rel = item.attr("rel")
            if rel is not None and rel.startswith(PREFIX):
                links.append(Entry(item, rel, item.attr("href")))
    firsts = {entry.name: entry for entry in reversed(metas)}
    return Head(heads[0], tuple(metas), tuple(links), firsts)


def title_text(tree: Tree, title: Item) -> str:
    """Return the direct text of a title element on one line, trimmed."""
    inner = {index for child in tree.children(title) for index in range(child.first, child.last)}
    # The two edge spaces of the title element itself fall to the trim.
    kept = (tree.pieces[i] for i in range(title.first, title.last) if i not in inner)
    return js_trim(collapse("".join(kept)))
