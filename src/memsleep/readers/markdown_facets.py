"""Observations of basic-memory, `- [category] text #tag (context)`, as facets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memsleep.model import Facet
from memsleep.readers.markdown_text import Block

_OBSERVATION = re.compile(r"\[([^\W\d_][^\[\]()]{0,39})\]\s+(\S.*)\Z", re.DOTALL)
_CONTEXT = re.compile(r"\s*\([^()]*\)\s*\Z")
_TAG = re.compile(r"(?:\A|\s)#[^\s#]+(?=\s|\Z)")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?\Z", re.ASCII)
_TASK_MARKS = frozenset({"x", "X"})


_INLINE_TAG = re.compile(r"(?:\A|(?<=[\s(]))#([^\W\d_][\w/-]*|\d[\w/-]*[^\W\d_][\w/-]*)(?![\w#])")


def inline_tags(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Return the `#tags` of a text, each once; a heading, a number and code hold none.

    Examples
    --------
    >>> inline_tags([Block("text", "about #water/rain and #2026, (#Beds) a#b")])
    ('water/rain', 'Beds')
    """
    found = {
        match[1].rstrip("/-"): None
        for block in blocks
        if block.name in ("text", "item")
        for match in _INLINE_TAG.finditer(block.text)
    }
    return tuple(found)


def facets_of(blocks: Iterable[Block]) -> tuple[Facet, ...]:
    """Return one facet per observation: its category and its text, each pair once.

    Tags and a closing context in parentheses are not part of the value. A facet has a number
    when its value is nothing else.
    """
    found: dict[tuple[str, str], Facet] = {}
    for block in blocks:
        match = _OBSERVATION.match(block.text) if block.name == "item" else None
        if match is None or match[1] in _TASK_MARKS:
            continue
        value = " ".join(_TAG.sub(" ", _CONTEXT.sub("", match[2])).split())
        if value:
            number = float(value) if _NUMBER.match(value) else None
            found.setdefault((match[1].strip(), value), Facet(match[1].strip(), value, number))
    return tuple(found.values())
