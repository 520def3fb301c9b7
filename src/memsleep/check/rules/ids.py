"""MS107: ids that two memories claim."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memsleep.check.age import age_key
from memsleep.check.model import Found
from memsleep.check.places import quoted
from memsleep.model import Memory

if TYPE_CHECKING:
    from memsleep.check.corpus import CheckedCorpus

KEYS = ("id", "permalink")


def find_in_corpus(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
    """Yield each active memory whose id an older one of its scope states too."""
    for key in KEYS:
        groups: dict[tuple[str, str], list[Memory]] = defaultdict(list)
        for memory in corpus.active:
            stated = memory.raw.get(key, "")
            if stated:
                groups[stated, memory.scope].append(memory)
        for (stated, _), group in groups.items():
            first, *others = sorted(group, key=age_key)
            for memory in others:
                span = corpus.field_span(memory.path, key)
                message = f"{quoted(first.path)} states the same {key}"
                yield memory.path, Found("MS107", *span, message, f"{key} {stated}", first.path)
