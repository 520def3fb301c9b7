"""Contradictions that more than one night has found, over a corpus that changed in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memsleep.fold.archive import run_id
from memsleep.model import Snapshot, digest_bytes
from memsleep.night.pipeline import NightResult
from memsleep.night.prepare import Prepared
from memsleep.phases.contradictions import KIND, is_linked, key_of
from memsleep.proposals import Review
from memsleep.state.store import State


def _key(review: Review, start: Snapshot) -> str:
    """Return what a contradiction is remembered by: which memories, and what they say.

    Another value is another contradiction, which nobody has seen before tonight.
    """
    pair = key_of(review.paths, start.standing)
    hashes = {
        key_of([path], start.standing): start.memories[path].content_hash for path in review.paths
    }
    texts = "\0".join(hashes[one] for one in sorted(hashes))
    return f"{pair}\0{digest_bytes(texts.encode())}"


def contradictions_of(result: NightResult) -> Iterator[Review]:
    """Yield the contradictions that a night found."""
    for review in result.found(Review):
        if isinstance(review, Review) and review.question == KIND:
            yield review


def nights_of(prepared: Prepared, result: NightResult) -> Mapping[str, int]:
    """Return id of a contradiction -> how many nights have found it, tonight among them.

    Nothing where no state counts: a suspicion that nobody remembers stays one.
    """
    if prepared.suspicions is None:
        return {}
    night, digest = run_id(result.start.now), prepared.corpus.digest
    counts = {}
    for review in contradictions_of(result):
        known = prepared.suspicions.get(_key(review, result.start))
        again = known is not None and known.counts_again(night, digest)
        counts[review.id] = 1 if known is None else known.detections + again
    return counts


def remember(state: State, prepared: Prepared, result: NightResult) -> None:
    """Write down what the night asks and suspects, and which suspicion the files carry by now.

    A night in which dedup failed asks nothing, and takes no question its place.
    """
    if any((phase.name, phase.status) == ("dedup", "ok") for phase in result.phases):
        keys = [key_of(r.paths, result.start.standing) for r in result.found(Review)]
        state.ask(keys, result.start.now)
    night, digest = run_id(result.start.now), prepared.corpus.digest
    memories = result.start.memories
    for review in contradictions_of(result):
        key, pair = _key(review, result.start), key_of(review.paths, result.start.standing)
        state.detect(KIND, key, night, digest)
        state.forget_suspicions(KIND, f"{pair}\0", but=key)
        if is_linked(*(memories[path] for path in review.paths)):
            state.promote(KIND, key)
