"""What a night would make of two texts, if pairing found them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from memsleep.calibrate.pairs import LabelledPair
from memsleep.core import MergeSide, cosine, decide_merge
from memsleep.dialects.registry import DIALECTS
from memsleep.embedders.base import TextEmbedder
from memsleep.model import Memory, Pair, Snapshot, Unreadable, Vectors
from memsleep.phases.dedup_judge import Judge
from memsleep.settings import Settings

BATCH = 512
_NOW = "2000-01-03T00:00:00Z"  # nothing here depends on it
_HEAD = "---\ntype: semantic\ncreated: 2000-01-0{}\n---\n"
_NO_VECTORS = Vectors("none", (), np.zeros((0, 1), np.float32))


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """One pair with all that was found out about it."""

    line: int
    label: str
    kind: str
    similarity: float | None
    """Cosine of the configured embedder; None where it embeds no texts."""
    lexical: str
    """Branch of the lexical judge: `exact`, `polarity`, `fuzzy` or `none`."""
    guards: tuple[str, ...]
    """Every guard that fired, in the order of the settings."""
    outcome: str
    """`merge`, `review` or `refuse`, whatever the similarity."""
    cause: str
    reason: str


def judged(
    pairs: Iterable[LabelledPair], settings: Settings, embedder: TextEmbedder | None
) -> Iterator[JudgedPair]:
    """Yield what becomes of each pair, `text_a` being the older memory."""
    rest = iter(pairs)
    while batch := list(islice(rest, BATCH)):
        memories = [_memories(pair) for pair in batch]
        near = _similarities(memories, embedder)
        for pair, (a, b), similarity in zip(batch, memories, near, strict=True):
            yield _judged(pair, a, b, similarity, settings)


def memory_of(path: str, text: str) -> tuple[Memory, bytes]:
    """Return a text as the memory that a Markdown file of it would be, and the file."""
    head = _HEAD.format(1 if path == "a.md" else 2)
    source = f"{head}{text}\n".encode("utf-8", "surrogatepass")
    found = DIALECTS["plain"].read(path, source)
    assert not isinstance(found, Unreadable)
    return found, source


def _memories(pair: LabelledPair) -> tuple[tuple[Memory, bytes], tuple[Memory, bytes]]:
    return memory_of("a.md", pair.text_a), memory_of("b.md", pair.text_b)


def _similarities(
    memories: Sequence[tuple[tuple[Memory, bytes], tuple[Memory, bytes]]],
    embedder: TextEmbedder | None,
) -> list[float | None]:
    if embedder is None:
        return [None] * len(memories)
    texts = [embedder.text_of(memory) for pair in memories for memory, _ in pair]
    rows = embedder.embed(texts)
    return [cosine(rows[2 * i], rows[2 * i + 1]) for i in range(len(memories))]


def _judged(
    pair: LabelledPair,
    a: tuple[Memory, bytes],
    b: tuple[Memory, bytes],
    similarity: float | None,
    settings: Settings,
) -> JudgedPair:
    near = 1.0 if similarity is None else similarity
    snapshot = Snapshot(
        now=_NOW,
        memories={memory.path: memory for memory, _ in (a, b)},
        files={memory.path: source for memory, source in (a, b)},
        vectors=_NO_VECTORS,
        candidates=(Pair("a.md", "b.md", near, "vector"),),
    )
    verdict = Judge(snapshot, settings).verdict(a[0], b[0])
    lexical = decide_merge(MergeSide(a[0].gist, 1.0), MergeSide(b[0].gist, 1.0))
    return JudgedPair(
        line=pair.line,
        label=pair.label,
        kind=pair.kind,
        similarity=None if similarity is None else round(similarity, 6),
        lexical=str(lexical.branch),
        guards=tuple(name for name, _ in verdict.vetoes),
        outcome=verdict.outcome,
        cause=verdict.cause,
        reason=verdict.reason,
    )
