"""A small ranker: whole words and vectors, fused by rank. Use, recency and titles have no say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from memsleep.core import rrf_score, tokenize_query
from memsleep.core.keywords import BODY_WEIGHT, HEAD_WEIGHT
from memsleep.core.similarity import cosine_ratio, cosine_rows
from memsleep.core.sums import Doubles, row_sums
from memsleep.gate.values import DEPTH
from memsleep.gate.words import STOP_WORDS

Rows = NDArray[np.float32]
Places = NDArray[np.int64]
Points = NDArray[np.int32]
Flags = NDArray[np.bool_]
Posting = tuple[Places, Places]
"""Places of documents in ascending order, and the points that a token has in each."""
Postings = Mapping[str, Posting]
POOL = 50
"""Hits taken from each arm."""
BLOCK = 64
"""Products of which only the largest is looked at first."""
NOMINATED = 2
"""Times as many rows as are wanted are nominated by fast products; exact cosines decide."""
SPARE = 100
"""Documents beyond those, which one side may lack: both sides are asked from one selection."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text of the index: its name orders what scores alike."""

    name: str
    claim: str
    body: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question found among some documents."""

    score: Mapping[int, float]
    """Place of a document -> fused score, for those that any arm found."""
    order: tuple[int, ...]
    """Places of the documents, best first."""

    def rank(self, place: int) -> int | None:
        """Return the rank of a document from 1, None when it was not found."""
        return self.order.index(place) + 1 if place in self.score else None

    def above(self, place: int, other: int) -> bool:
        """Return True when a document scores more than another."""
        return self.score.get(place, 0.0) > self.score.get(other, 0.0)

    def first(self) -> tuple[int, ...]:
        """Return the places of the first ten."""
        return self.order[:DEPTH]


@dataclass(frozen=True, slots=True)
class Among:
    """Some of the documents: those that a question is put to."""

    held: Flags
    """One flag a document."""
    handicap: Rows
    """0 for a document that is held, minus infinity for others: added to products."""

    @classmethod
    def of(cls, places: Iterable[int], count: int) -> Among:
        """Return the documents at some places of `count`."""
        held = np.zeros(count, np.bool_)
        held[list(places)] = True
        return cls(held, np.where(held, np.float32(0), np.float32(-np.inf)))

    def of_them(self, places: Places, also: int | None) -> Places:
        """Return those of some places that are held, and one more if it is among them."""
        flags = self.held[places]
        return places[flags if also is None else flags | (places == also)]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as both sides are asked it."""

    points: Points
    """Of every document: 2 for a word of the claim, 1 for one of the body."""
    hits: Places
    """Places of the documents with points."""
    best: Places
    """The best of them, in their order."""
    row: Rows | None = None
    """The question's row, None where it has none."""
    rough: Rows | None = None
    """Its fast product with every document's row."""
    near: Places | None = None
    """Places of the largest products."""


class Ranker:
    """All documents of both sides; a question is put to some of them."""

    def __init__(
        self,
        documents: Sequence[Document],
        rows: Rows | None,
        questions: Iterable[str],
        indexed: tuple[int, Postings] = (0, MappingProxyType({})),
    ) -> None:
        """Index documents for questions that are known beforehand.

        Parameters
        ----------
        rows : ndarray of shape (n_documents, n_features) or None
            Unit rows in the documents' order; None where questions have no vector.
        indexed : tuple of int and mapping
            How many of the first documents are indexed already, and how they are.
        """
        self._rows = rows
        self._norms = np.full(len(documents), -1.0)  # squared; computed when needed
        self._asked: Rows | None = None
        self._known: dict[int, float] = {}
        self._names = [document.name for document in documents]
        count, postings = indexed
        wanted = {token for question in questions for token in words_asked(question)}
        fresh = postings_of(documents[count:], wanted, first=count)
        self._postings = {
            token: _joined(postings.get(token), fresh.get(token))
            for token in postings.keys() | fresh.keys()
        }
        order = sorted(range(len(documents)), key=lambda place: (self._names[place], place))
        self._turn = np.empty(len(documents), np.int64)
        self._turn[order] = np.arange(len(documents))

    def asked(self, question: str, row: Rows | None = None, rough: Rows | None = None) -> Asked:
        """Return a question with its points; the rows are those of :class:`Asked`."""
        points = np.zeros(len(self._names), np.int32)
        for token in words_asked(question):
            if token in self._postings:
                places, weights = self._postings[token]
                points[places] += weights
        hits = np.flatnonzero(points)
        best = self._best_by_words(points, hits, POOL + SPARE)
        near = None if rough is None else _nearest(rough, POOL * NOMINATED + SPARE)
        return Asked(points, hits, best, row, rough, near)

    def answer(self, asked: Asked, among: Among, also: int | None = None) -> Answer:
        """Return what a question finds among some documents; what scores alike shares its rank.

        Parameters
        ----------
        also : int or None
            Place of one more document that is asked, such as a twin.
        """
        arms = [self._by_words(asked, among, also)]
        if asked.row is not None:
            arms.append(self._by_vectors(asked, among, also))
        score: dict[int, float] = {}
        for arm in arms:
            for place, rank in _shared_ranks(arm):
                score[place] = score.get(place, 0.0) + rrf_score(rank, 1.0)
        order = sorted(score, key=lambda place: (-score[place], int(self._turn[place])))
        return Answer(score, tuple(order))

    def similarity(self, one: int, other: int) -> float:
        """Return the cosine of two claims, 0 where there are no vectors."""
        if self._rows is None:
            return 0.0
        pair = self._rows[[one, other]].astype(np.float64)
        return float(cosine_rows(pair[:1], pair[1:])[0])

    def _by_words(self, asked: Asked, among: Among, also: int | None) -> list[tuple[int, float]]:
        best = among.of_them(asked.best, also)[:POOL]
        if len(best) < POOL and len(asked.best) < len(asked.hits):
            hits = among.of_them(asked.hits, also)
            best = self._best_by_words(asked.points, hits, POOL)
        return list(zip(best.tolist(), asked.points[best].tolist(), strict=True))

    def _best_by_words(self, points: Points, hits: Places, wanted: int) -> Places:
        """Return the documents with the most points, best first; by their names where equal."""
        if len(hits) > wanted:
            hits = hits[points[hits] >= _least_of_best(points[hits], wanted)]
        keys = points[hits].astype(np.int64) * (len(self._names) + 1) - self._turn[hits]
        if len(hits) > wanted:
            best = np.argpartition(-keys, wanted)[:wanted]
            hits, keys = hits[best], keys[best]
        return hits[np.argsort(-keys)]

    def _by_vectors(self, asked: Asked, among: Among, also: int | None) -> list[tuple[int, float]]:
        assert asked.row is not None
        assert asked.rough is not None
        assert asked.near is not None
        wanted = POOL * NOMINATED
        places = among.of_them(asked.near, also)
        if len(places) < wanted and len(asked.near) < len(asked.rough):
            rough = asked.rough + among.handicap
            if also is not None:
                rough[also] = asked.rough[also]
            places = _nearest(rough, wanted)
            places = places[rough[places] > -np.inf]
        elif len(places) > wanted:
            places = places[np.argpartition(-asked.rough[places], wanted)[:wanted]]
        exact = self._cosines(asked.row, places)
        order = np.lexsort((self._turn[places], -exact))
        pairs = zip(places[order].tolist(), exact[order].tolist(), strict=True)
        return [(place, cosine) for place, cosine in pairs if cosine > 0][:POOL]

    def _cosines(self, row: Rows, among: Places) -> Doubles:
        """Return exact cosines; what one question was compared with before is not computed again.

        A question is put to both sides, whose documents are mostly the same.
        """
        assert self._rows is not None
        if row is not self._asked:
            self._asked, self._known = row, {}
        lacking = [place for place in among.tolist() if place not in self._known]
        if lacking:
            rows = self._rows[lacking].astype(np.float64)
            new = self._norms[lacking] < 0
            if new.any():
                fresh = np.array(lacking)[new]
                self._norms[fresh] = row_sums(rows[new] ** 2)
            question = row.astype(np.float64)[np.newaxis, :]
            ratio = cosine_ratio(
                row_sums(question * rows), row_sums(question**2), self._norms[lacking]
            )
            found = np.where(np.isnan(ratio), 0.0, ratio).tolist()
            self._known.update(zip(lacking, found, strict=True))
        return np.array([self._known[place] for place in among.tolist()])


def postings_of(documents: Sequence[Document], wanted: set[str], first: int = 0) -> Postings:
    """Return where wanted tokens stand, and for how many points; places count from `first`."""
    places: dict[str, list[int]] = {}
    weights: dict[str, list[int]] = {}
    for place, document in enumerate(documents, first):
        for token, weight in _weights(document, wanted).items():
            places.setdefault(token, []).append(place)
            weights.setdefault(token, []).append(weight)
    return {
        token: (np.array(found, np.int64), np.array(weights[token], np.int64))
        for token, found in places.items()
    }


def _joined(one: Posting | None, other: Posting | None) -> Posting:
    if one is None or other is None:
        found = one or other
        assert found is not None
        return found
    return np.concatenate((one[0], other[0])), np.concatenate((one[1], other[1]))


def _least_of_best(points: Points, wanted: int) -> int:
    """Return the points from which on there are `wanted` documents or more."""
    above = np.cumsum(np.bincount(points)[::-1])  # with the most points, or one less, ...
    return int(len(above) - 1 - np.searchsorted(above, wanted))


def _nearest(near: Rows, wanted: int) -> Places:
    """Return the places of the largest values, `wanted` of them.

    In a long row nearly all are sorted out by one look at the largest of each block: as many
    blocks as are wanted hold a value that is at least the least of those largest.
    """
    places = np.arange(len(near))
    blocks = len(near) // BLOCK
    if blocks > 4 * wanted:
        tops = near[: blocks * BLOCK].reshape(blocks, BLOCK).max(axis=1)
        least = np.partition(tops, blocks - wanted)[blocks - wanted]
        places = np.flatnonzero(near >= least)
        near = near[places]
    if len(places) > wanted:
        places = places[np.argpartition(-near, wanted)[:wanted]]
    return places


def _shared_ranks(arm: Sequence[tuple[int, float]]) -> Iterator[tuple[int, int]]:
    rank, last = 0, None
    for number, (place, value) in enumerate(arm, start=1):
        rank = rank if value == last else number
        last = value
        yield place, rank


def words_asked(question: str) -> list[str]:
    """Return the tokens that the keyword arm looks for; articles and the like only if alone."""
    tokens = tokenize_query(question)
    telling = [token for token in tokens if token not in STOP_WORDS]
    return telling or tokens


def _weights(document: Document, wanted: set[str]) -> dict[str, int]:
    held = dict.fromkeys(wanted.intersection(tokenize_query(document.body)), BODY_WEIGHT)
    for token in wanted.intersection(tokenize_query(document.claim)):
        held[token] = held.get(token, 0) + HEAD_WEIGHT
    return held
