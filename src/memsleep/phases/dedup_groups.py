"""Duplicates of the careful profile, solved as groups before anything is proposed.

A phase cannot see its own effects, so chains (A near B near C) are solved here: every dropped
memory is held directly against the keeper it goes into, as that keeper will then be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memsleep.core import connected_components
from memsleep.guards import CONTRADICTING, POLICY, fired
from memsleep.model import Memory, Pair, Snapshot
from memsleep.phases.carry import holds_code, missing_details, same_words
from memsleep.proposals import Merge, Proposal, Refuse, Review
from memsleep.settings import Settings
from memsleep.text import content_key, word_total

UNKNOWN_AGE = "9999"  # sorts after every instant: a memory of unknown age never counts as older


def age_key(memory: Memory) -> tuple[str, str]:
    """Return the key by which memories are ordered from old to young."""
    return memory.created or UNKNOWN_AGE, memory.path


@dataclass(frozen=True, slots=True)
class Verdict:
    """What would happen to a keeper and a memory that might be dropped for it."""

    outcome: str
    """`merge`, `review` or `refuse`."""
    cause: str = ""
    reason: str = ""
    carry: tuple[str, ...] = ()


def resolve(snapshot: Snapshot, settings: Settings, limit: int) -> Iterator[Proposal]:
    """Yield one proposal per candidate pair of the snapshot, in the order of the candidates."""
    judge = Judge(snapshot, settings)
    verdicts = {pair: judge.verdict(*judge.oriented(pair)) for pair in snapshot.candidates}
    merges = _groups(judge, verdicts, limit)
    for pair, verdict in verdicts.items():
        keeper, dropped = judge.oriented(pair)
        yield _proposal(pair, keeper, dropped, verdict, merges)


def _groups(
    judge: Judge, verdicts: Mapping[Pair, Verdict], limit: int
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return dropped path -> (keeper path, sentences to carry over), at most `limit` of them.

    Each connected group of mergeable pairs is folded into its oldest member; what does not stand
    up to that keeper directly is left for the next oldest. The nearest pairs claim first.
    """
    mergeable = [pair for pair, verdict in verdicts.items() if verdict.outcome == "merge"]
    rank = {path: i for i, pair in reversed(list(enumerate(mergeable))) for path in _ends(pair)}
    components = connected_components([(pair.source, pair.target) for pair in mergeable])
    near = {frozenset(_ends(pair)) for pair in verdicts}
    merges: dict[str, tuple[str, tuple[str, ...]]] = {}
    for paths in sorted(components, key=lambda paths: min(rank[path] for path in paths)):
        members = sorted((judge.memories[path] for path in paths), key=age_key)
        while members and len(merges) < limit:
            keeper, rest, members = members[0], members[1:], []
            for other in rest:
                direct = frozenset((keeper.path, other.path)) in near
                verdict = judge.verdict(keeper, other) if direct else None
                if verdict is None or verdict.outcome != "merge" or len(merges) >= limit:
                    members.append(other)
                    continue
                merges[other.path] = (keeper.path, verdict.carry)
                keeper = _with_details(keeper, verdict.carry)
    return merges


def _ends(pair: Pair) -> tuple[str, str]:
    return pair.source, pair.target


def _with_details(keeper: Memory, carry: Sequence[str]) -> Memory:
    """Return the keeper as it reads after the merge, so that the next one is held against that."""
    return replace(keeper, body=" ".join((keeper.body, *carry))) if carry else keeper


class Judge:
    """Verdicts on pairs under one snapshot and its settings."""

    def __init__(self, snapshot: Snapshot, settings: Settings) -> None:
        self.memories = snapshot.memories
        self._files = snapshot.files
        self._section = settings.dedup
        self._threshold = settings.dedup.threshold
        self._similarity = {frozenset(_ends(p)): p.similarity for p in snapshot.candidates}
        self._copies = Counter(content_key(memory) for memory in snapshot.active())

    def oriented(self, pair: Pair) -> tuple[Memory, Memory]:
        """Return (keeper, dropped): the older by creation, the smaller path on a tie."""
        a, b = self.memories[pair.source], self.memories[pair.target]
        return (a, b) if age_key(a) <= age_key(b) else (b, a)

    def verdict(self, keeper: Memory, dropped: Memory) -> Verdict:
        """Hold one memory against its keeper: files, guards, copies, details, in this order."""
        for memory in (keeper, dropped):
            if memory.read_only:
                return Verdict(
                    "refuse", "read-only", f"one file cannot be edited: {memory.read_only}"
                )
        vetoes = fired(self._section.guards, keeper, dropped)
        if vetoes:
            return self._vetoed(vetoes)
        if self._similarity.get(frozenset((keeper.path, dropped.path)), 1.0) <= self._threshold:
            return Verdict("refuse", "threshold", "the similarity does not exceed the threshold")
        key = content_key(keeper)
        if key and key == content_key(dropped):
            exact = same_words(keeper.body, dropped.body)
            if exact or not holds_code(self._source(keeper) + self._source(dropped)):
                return self._equal(key, exact=exact)
        return self._with_missing_details(keeper, dropped)

    def _source(self, memory: Memory) -> bytes:
        return self._files.get(memory.path, b"")

    def _vetoed(self, vetoes: Sequence[tuple[str, str]]) -> Verdict:
        names = [name for name, _ in vetoes]
        reason = "; ".join(reason for _, reason in vetoes)
        outcome = "refuse" if POLICY.intersection(names) else "review"
        return Verdict(outcome, names[0], reason)

    def _equal(self, key: str, *, exact: bool) -> Verdict:
        """Judge equal contents; few words are in doubt only where they are the same to a letter.

        Who writes a thing again writes it differently; who records a thing that happened again
        writes the same.
        """
        if exact and word_total(key) < self._section.min_words:
            return Verdict("review", "short", "the same few words may be meant twice")
        if self._copies[key] > self._section.max_copies:
            copies = self._copies[key]
            return Verdict("review", "copies", f"{copies} equal copies look like a template")
        return Verdict("merge", reason="they say the same, word for word")

    def _with_missing_details(self, keeper: Memory, dropped: Memory) -> Verdict:
        details = missing_details(keeper, dropped, self._source(keeper), self._source(dropped))
        if details.doubt:
            return Verdict("review", "details", details.doubt)
        if not details.sentences:
            return Verdict("merge", reason="the keeper says all that the other says")
        count = len(details.sentences)
        told = "1 sentence is" if count == 1 else f"{count} sentences are"
        return Verdict(
            "merge", reason=f"the claims agree; {told} carried over", carry=details.sentences
        )


def _proposal(
    pair: Pair,
    keeper: Memory,
    dropped: Memory,
    verdict: Verdict,
    merges: Mapping[str, tuple[str, tuple[str, ...]]],
) -> Proposal:
    evidence: dict[str, float | int | str] = {
        "similarity": round(pair.similarity, 6),
        "found by": pair.origin,
    }
    if verdict.outcome == "review":
        question = "contradiction" if verdict.cause in CONTRADICTING else "duplicate"
        return Review(
            phase="dedup",
            reason=verdict.reason,
            evidence=evidence | {"cause": verdict.cause},
            keeper=keeper.path,
            dropped=dropped.path,
            question=question,
        )
    if verdict.outcome == "merge" and merges.get(dropped.path, ("",))[0] == keeper.path:
        return Merge(
            phase="dedup",
            reason=verdict.reason,
            evidence=evidence,
            keeper=keeper.path,
            dropped=dropped.path,
            similarity=pair.similarity,
            carry=merges[dropped.path][1],
        )
    cause, reason = verdict.cause, verdict.reason
    if verdict.outcome == "merge":
        cause, reason = "group", "one of them goes into another memory tonight"
        if keeper.path not in merges and dropped.path not in merges:
            cause, reason = "cap", "the night's limit of merges is reached"
    return Refuse(
        phase="dedup",
        reason=reason,
        evidence=evidence,
        keeper=keeper.path,
        dropped=dropped.path,
        cause=cause,
    )
