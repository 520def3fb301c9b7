"""Warnings: what a memhtml file should not hold, though it is read all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsleep.readers.memhtml_findings import Finding, shown
from memsleep.readers.memhtml_tree import Tree
from memsleep.readers.memhtml_vocabulary import KNOWN_ELEMENTS

_LANGUAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#.-]*")


def warning_findings(tree: Tree) -> Iterator[Finding]:
    """Yield one warning per unknown element name, loose div or span, and odd language."""
    # Names are in the order of their first elements.
    for item in (items[0] for tag, items in tree.by_tag.items() if tag not in KNOWN_ELEMENTS):
        message = f"expected elements of the format, found {shown(item.tag)}"
        yield Finding("element-unknown", message, tree.line(item))
    yield from _loose_boxes(tree)
    yield from _odd_languages(tree)


def _loose_boxes(tree: Tree) -> Iterator[Finding]:
    """Yield one warning for div and one for span used outside a figure."""
    loose = (
        item
        for tag in ("div", "span")
        for item in tree.named(tag)
        if not any(around.tag == "figure" for around in item.ancestors())
    )
    first = {item.tag: item for item in reversed(tuple(loose))}
    for item in sorted(first.values(), key=lambda item: item.index):
        message = f"expected {item.tag} inside a figure only"
        yield Finding("box-outside-figure", message, tree.line(item))


def _odd_languages(tree: Tree) -> Iterator[Finding]:
    """Yield one warning per distinct data-lang that is no language token."""
    seen: set[str] = set()
    for item in tree.items:
        value = item.attr("data-lang")
        if value is None or value in seen or _LANGUAGE.fullmatch(value):
            continue
        seen.add(value)
        message = f"expected data-lang to be a token such as python, found {shown(value)}"
        yield Finding("language-malformed", message, tree.line(item, "data-lang"))
