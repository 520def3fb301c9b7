"""The two forms of what a file says."""

from __future__ import annotations

import random

from fuzz_kit import HTML, made, seeds
from memsleep.audit.content import holds, holds_texts, pieces, texts
from memsleep.dialects.base import Options
from memsleep.dialects.entries import EntriesDialect
from memsleep.dialects.registry import dialects_with
from memsleep.model import Memory


def test_texts_are_those_of_the_pieces() -> None:
    """For the files of all stores and files that nobody writes, with links taken out or not."""
    rng, dialects, read = random.Random(3), dialects_with(Options()), 0
    for one in (*seeds(), *(made(number) for number in range(400))):
        path = "a/b.html" if one.dialect in HTML else "a/b.md"
        dialect = dialects[one.dialect]
        if isinstance(dialect, EntriesDialect):
            continue
        memory = dialect.read(path, one.source)
        found = memory if isinstance(memory, Memory) else None
        read += found is not None
        targets = sorted({link.target for link in found.links}) if found else []
        for removed in (frozenset[str](), frozenset(rng.sample(targets, len(targets) // 2))):
            wanted = [piece.text for piece in pieces(one.source, found, removed)]
            assert texts(one.source, found, removed) == wanted
    assert read > 300


def test_holding_is_the_same_for_both() -> None:
    """A sequence is found in another in its order, whichever form both have."""
    rng = random.Random(5)
    for _ in range(300):
        after = "".join(rng.choices("ab .", k=9)).encode()
        before = "".join(rng.choices("ab .", k=rng.randrange(6))).encode()
        slow = holds(pieces(after, None), pieces(before, None))
        assert holds_texts(texts(after, None), texts(before, None)) == slow
