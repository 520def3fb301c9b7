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
    unknown = {item.tag: item for item in reversed(tree.items) if item.tag not in KNOWN_ELEMENTS}
    for item in sorted(unknown.values(), key=lambda item: item.index):
        message = f"expected elements of the format, found {shown(item.tag)}"
        yield Finding("element-unknown", message, tree.line(item))
    yield from _loose_boxes(tree)
    yield from _odd_languages(tree)


def _loose_boxes(tree: Tree) -> Iterator[Finding]:
    """Yield one warning for div and one for span used outside a figure."""
    seen: set[str] = set()
    for item in tree.items:
        if item.tag not in {"div", "span"} or item.tag in seen:
            continue
        if not any(around.tag == "figure" for around in item.ancestors()):
            seen.add(item.tag)
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
