"""Ask the corpus before and after a night the same questions, and compare what is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from memsleep.beside import beside
from memsleep.gate.index import Ahead, Before
from memsleep.gate.pairs import Parted
from memsleep.gate.probes import Fact, by_hash, claim_of, details_of
from memsleep.gate.ranker import Among, Answer, Ranker, Rows, words_asked
from memsleep.gate.sides import Side, Target, Targets, touched_paths
from memsleep.gate.twins import nearer_to_twin, twins_of
from memsleep.gate.values import DEPTH, GateResult, Inversion, Lost, quality
from memsleep.gate.words import content_words
from memsleep.model import Memory

SAMPLE = 200
SAMPLE_SHARE = 10
"""One in so many of the memories that the night left alone is asked for, and `SAMPLE` at most."""
LEAST_HELD = 0.5
"""A hit answers a question when it holds this share of its words: among fewer than ten memories
all are among the first ten, whatever they say."""
EDGE = 5
"""A fact that falls over the edge of the first ten by so few places, with its words where they
belong, is not lost: among texts that score alike, one document less moves them all."""
BATCH = 128
"""Questions whose products are computed at once."""

Embed = Callable[[Sequence[str]], Rows]
"""One unit row per text."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """What the gate measures with."""

    embed: Embed | None
    """None where questions can have no vector: words alone are asked then."""
    guards: tuple[str, ...]
    """The guards of the settings; those that speak of a contradiction part twins."""
    near: float
    """Cosine of two claims from which on they may be twins."""
    degraded: str = ""


@dataclass(slots=True)
class _Question:
    """One fact and where it is to be found on either side."""

    fact: Fact
    target: Target
    kind: str
    """`claim`, `detail` or `sample`."""
    changed: bool
    """True where what the target says is not what the memory said."""
    before: int
    """Place of the memory's document."""
    after: tuple[int, ...]
    """Places of the documents that may answer afterwards, the target's first."""
    twins: tuple[int, int] | None = None
    """Places of a made-up twin for before and after."""
    flipped: str = ""
    ranks: tuple[int | None, int | None] = (None, None)


def measure(before: Side, after: Side, gauge: Gauge, ahead: Ahead | None = None) -> GateResult:
    """Return how well both sides answer questions made from the first one.

    A function of its arguments; the order of nothing has a say. What is `ahead` saves time.
    """
    return _Gate(before, after, gauge, ahead).result()


class _Gate:
    def __init__(self, before: Side, after: Side, gauge: Gauge, ahead: Ahead | None = None) -> None:
        if ahead is not None and ahead.before.side.memories is not before.memories:
            ahead = None
        self._before, self._after, self._gauge, self._ahead = before, after, gauge, ahead
        self._old, self._new = before.active, after.active
        self._targets = Targets(before, after)
        self._lost: list[Lost] = []
        self._inversions: set[Inversion] = set()
        self._twins = 0
        started = ahead.before if ahead is not None else Before.of(before)
        self._index, self._at_old = started.documents, started.places
        self._held: dict[int, frozenset[str]] = {}
        self._touched = touched_paths(before, after)
        became = {path: self._targets.of(path) for path in self._touched}
        origin = {t.path: path for path, t in became.items() if t.how in ("moved", "archived")}
        self._at_new = {
            p: self._at_old[p]
            if self._old.get(p) is m and p not in origin
            else self._index.add_memory(m, origin.get(p, p))
            for p, m in self._new.items()
        }
        self._became = became
        self._at_shelf: dict[str, int] = {}
        self._old_shelf: list[int] = []
        if any(target.how == "archived" for target in became.values()):
            shelf = {p: m for p, m in after.memories.items() if m.archived}
            self._at_shelf = {
                p: self._index.add_memory(m, origin.get(p, p)) for p, m in shelf.items()
            }
            known = [m for m in before.memories.values() if m.archived]
            self._old_shelf = [self._index.add_memory(m, m.path) for m in known]

    def result(self) -> GateResult:
        questions = [*self._touched_questions(), *self._sample()]
        self._ask(questions)
        claims = [q for q in questions if q.kind == "claim"]
        sample = [q for q in questions if q.kind == "sample"]
        return GateResult(
            memories=len(self._old),
            touched=len(claims) + sum(t.how == "gone" for t in self._became.values()),
            details=sum(q.kind == "detail" for q in questions),
            exempt=sum(q.target.how == "archived" for q in claims),
            twins=self._twins,
            touched_before=quality([q.ranks[0] for q in claims]),
            touched_after=quality([q.ranks[1] for q in claims]),
            sample_before=quality([q.ranks[0] for q in sample]),
            sample_after=quality([q.ranks[1] for q in sample]),
            lost=tuple(sorted(self._lost)),
            inversions=tuple(sorted(self._inversions)),
            degraded=self._gauge.degraded,
        )

    # Questions ------------------------------------------------------------------------------

    def _touched_questions(self) -> Iterator[_Question]:
        fresh = [p for p, m in self._new.items() if self._old.get(p) != m]
        for path in self._touched:
            memory, target = self._old[path], self._became[path]
            claim = claim_of(memory)
            if target.how == "gone":
                self._lost.append(Lost(path, target.reason, target.path))
                continue
            now = self._after.memories[target.path]
            changed = (memory.gist, memory.body) != (now.gist, now.body)
            if claim is not None:
                question = self._question(claim, target, "claim", changed=changed)
                if changed and target.how != "archived":
                    self._give_twin(question, memory, now)
                yield question
            if changed and target.how in ("itself", "merged"):
                others = [self._at_new[p] for p in fresh if p != target.path]
                for fact in details_of(memory):
                    yield self._question(fact, target, "detail", changed=True, others=others)

    def _question(
        self, fact: Fact, target: Target, kind: str, *, changed: bool, others: Iterable[int] = ()
    ) -> _Question:
        place = (self._at_shelf if target.how == "archived" else self._at_new)[target.path]
        old = self._at_old[fact.path]
        return _Question(fact, target, kind, changed, old, (place, *others))

    def _give_twin(self, question: _Question, memory: Memory, now: Memory) -> None:
        """Make twins of the claim; the first is in both indexes where the claim still stands.

        Whoever says it in other words, as a keeper does or a line whose link was rewritten, would
        hold less of the question than the twin, however right it is: there the words are judged.
        """
        text = question.fact.text
        twins = twins_of(text)
        for twin in twins:
            self._twins += 1
            if nearer_to_twin(text, twin.text, (now.gist, now.body)):
                self._inversions.add(Inversion(memory.path, "", twin.flipped))
        if not twins or text not in f"{now.gist}\n{now.body}":
            return
        twin = twins[0]
        question.flipped = twin.flipped
        claim, name = claim_of(now), f"\0twin of {memory.path}"
        told = claim.text.replace(text, twin.text) if claim else ""
        question.twins = (
            self._index.add(name, twin.text, memory.body.replace(text, twin.text)),
            self._index.add(name, told, now.body.replace(text, twin.text)),
        )

    def _sample(self) -> Iterator[_Question]:
        left_alone = sorted(set(self._old) - set(self._touched))
        count = min(SAMPLE, math.ceil(len(left_alone) / SAMPLE_SHARE))
        for path in by_hash(left_alone, count):
            claim = claim_of(self._old[path])
            if claim is not None:
                yield self._question(claim, Target(path, "itself"), "sample", changed=False)

    # Answers --------------------------------------------------------------------------------

    def _ask(self, questions: Sequence[_Question]) -> None:
        ranker, rows = self._ranker([q.fact.query for q in questions])
        parted = Parted(self._old, ranker, self._gauge.guards, self._gauge.near)
        count = len(self._index.documents)
        sides = _Sides(
            before=Among.of(self._at_old.values(), count),
            after=Among.of(self._at_new.values(), count),
            before_all=Among.of([*self._at_old.values(), *self._old_shelf], count),
            after_all=Among.of([*self._at_new.values(), *self._at_shelf.values()], count),
        )
        batches = [questions[at : at + BATCH] for at in range(0, len(questions), BATCH)]
        with ThreadPoolExecutor(1) as threads:  # products are computed while answers are judged
            coming = beside(threads, self._products, batches[0] if batches else (), rows)
            for batch, later in zip_longest(batches, batches[1:], fillvalue=()):
                asked, rough = coming.result()
                coming = beside(threads, self._products, later, rows)
                for place, question in enumerate(batch):
                    one = None if asked is None else asked[place]
                    near = None if rough is None else rough[place]
                    self._judge(question, ranker, parted, sides, one, near)

    def _products(
        self, questions: Sequence[_Question], rows: Rows | None
    ) -> tuple[Rows | None, Rows | None]:
        """Return the rows of questions, and their fast products with those of the documents."""
        if self._gauge.embed is None or rows is None or not questions:
            return None, None
        asked = self._gauge.embed([question.fact.query for question in questions])
        return asked, asked @ rows.T

    def _ranker(self, queries: Sequence[str]) -> tuple[Ranker, Rows | None]:
        """Return the ranker of all documents, and their rows."""
        documents, embed = self._index.documents, self._gauge.embed
        if embed is None or not queries:
            return Ranker(documents, None, queries), None
        wanted = {token for query in queries for token in words_asked(query)}
        indexed = self._ahead.take(wanted) if self._ahead is not None else None
        if indexed is None:
            rows = embed([document.claim for document in documents])
            return Ranker(documents, rows, queries), rows
        fresh = embed([document.claim for document in documents[indexed.count :]])
        rows = np.concatenate((indexed.rows, fresh))
        return Ranker(documents, rows, queries, (indexed.count, indexed.postings)), rows

    def _judge(
        self,
        question: _Question,
        ranker: Ranker,
        parted: Parted,
        sides: _Sides,
        row: Rows | None,
        rough: Rows | None,
    ) -> None:
        asked = ranker.asked(question.fact.query, row, rough)
        whole = question.target.how == "archived"
        among = (sides.before_all, sides.after_all) if whole else (sides.before, sides.after)
        was, now = (
            ranker.answer(asked, side, twin)
            for side, twin in zip(among, question.twins or (None, None), strict=True)
        )
        place_after, holds = self._found(question, now)
        question.ranks = (was.rank(question.before), place_after)
        if question.kind == "sample":
            return
        self._note_loss(question, holds=holds)
        if question.kind == "claim" and not whole and question.changed:
            self._note_twins(question, was, now, parted)

    def _found(self, question: _Question, now: Answer) -> tuple[int | None, bool]:
        """Return at which place the target answers, or another that may, and whether any does."""
        target, *others = question.after
        holds = self._holds(question.fact, target)
        rank = now.rank(target) if holds else None
        if (rank is None or rank > DEPTH) and others:
            for place in now.first():
                if place in others and self._holds(question.fact, place):
                    return now.rank(place), True
        return rank, holds

    def _holds(self, fact: Fact, place: int) -> bool:
        wanted = content_words(fact.text)
        return len(wanted & self._words(place)) >= LEAST_HELD * len(wanted)

    def _words(self, place: int) -> frozenset[str]:
        if place not in self._held:
            document = self._index.documents[place]
            words = content_words(document.claim) | content_words(document.body)
            self._held[place] = words
        return self._held[place]

    def _note_loss(self, question: _Question, *, holds: bool) -> None:
        was, now = question.ranks
        if not holds:
            reason = "what was asked for is not in it"
        elif is_lost(was, now):
            reason = f"found at place {was} before, at {now or 'none'} after"
        else:
            return
        fact, target = question.fact, question.target
        self._lost.append(Lost(fact.path, reason, target.path, fact.number))

    def _note_twins(self, question: _Question, was: Answer, now: Answer, parted: Parted) -> None:
        path, mine = question.fact.path, question.after[0]
        if question.twins is not None:
            old, new = question.twins
            if was.above(question.before, old) and not now.above(mine, new):
                self._inversions.add(Inversion(path, "", question.flipped))
        hits = {self._index.documents[place].name for place in (*was.first(), *now.first())}
        for other in sorted(hits & self._at_old.keys() - {path}):
            goal = self._targets.of(other)
            if goal.path == question.target.path or goal.path not in self._at_new:
                continue
            if not parted.are_twins(path, other, question.before, self._at_old[other]):
                continue
            self._twins += 1
            stood = was.above(question.before, self._at_old[other])
            if stood and now.above(self._at_new[goal.path], mine):
                self._inversions.add(Inversion(path, other))


def is_lost(was: int | None, now: int | None) -> bool:
    """Return True for a place among the first ten that was lost, by more than a step at the edge.

    Examples
    --------
    >>> is_lost(1, 11), is_lost(10, 11), is_lost(10, None), is_lost(11, 90)
    (True, False, True, False)
    """
    if was is None or was > DEPTH:
        return False
    return now is None or now > max(DEPTH, was + EDGE)


@dataclass(frozen=True, slots=True)
class _Sides:
    """Places of the live documents of either side, and of those with the archive."""

    before: Among
    after: Among
    before_all: Among
    after_all: Among
