"""The documents that questions are put to, and an index of them that somebody made beforehand."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from memsleep.core.keywords import BODY_WEIGHT, HEAD_WEIGHT, tokenize_query
from memsleep.gate.probes import claim_of
from memsleep.gate.ranker import Document, Posting, Postings, Rows
from memsleep.gate.sides import Side
from memsleep.model import Memory


@dataclass(slots=True)
class Documents:
    """The documents of both sides; equal ones are one."""

    documents: list[Document] = field(default_factory=list)
    _place: dict[Document, int] = field(default_factory=dict)

    def add(self, name: str, claim: str, body: str) -> int:
        """Return the place of a document."""
        document = Document(name, claim, body)
        place = self._place.setdefault(document, len(self.documents))
        if place == len(self.documents):
            self.documents.append(document)
        return place

    def add_memory(self, memory: Memory, name: str) -> int:
        """Return the place of a memory's document."""
        claim = claim_of(memory)
        return self.add(name, claim.text if claim else "", memory.body)


@dataclass(frozen=True, slots=True)
class Before:
    """The documents of the memories that were active before; they come first."""

    side: Side
    documents: Documents
    places: Mapping[str, int]
    """Path -> place."""

    @classmethod
    def of(cls, side: Side) -> Before:
        """Return the documents of a side."""
        documents = Documents()
        places = {path: documents.add_memory(m, path) for path, m in side.active.items()}
        return cls(side, documents, places)


@dataclass(frozen=True, slots=True)
class Indexed:
    """What `Ranker` would make of the first documents."""

    count: int
    rows: Rows
    """Of shape (count, n_features)."""
    postings: Postings
    """Of all tokens that were asked for."""


class Ahead(Protocol):
    """An index of the documents of before, made while the night went on."""

    @property
    def before(self) -> Before:
        """The documents; they are given away: who takes them adds others to them."""
        ...

    def take(self, tokens: Collection[str]) -> Indexed | None:
        """Return the index for some tokens, None where it could not be made."""
        ...


class Tokens:
    """All tokens of documents: their postings are known before anybody asks for a token.

    Examples
    --------
    >>> tokens = Tokens([Document("a", "red kiln", "the kiln is red"), Document("b", "", "kiln")])
    >>> [places.tolist() for places in tokens.of(["kiln", "ash"])["kiln"]]
    [[0, 1], [3, 1]]
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._number: dict[str, int] = {}
        token, place, points = array("i"), array("i"), array("i")
        for at, document in enumerate(documents):
            for text, weight in ((document.body, BODY_WEIGHT), (document.claim, HEAD_WEIGHT)):
                found = tokenize_query(text)
                token.extend([self._number.setdefault(t, len(self._number)) for t in found])
                place.extend([at] * len(found))
                points.extend([weight] * len(found))
        numbers = np.frombuffer(token, np.intc)
        order = np.argsort(numbers, kind="stable")
        self._place, self._points = (np.frombuffer(a, np.intc)[order] for a in (place, points))
        each = np.bincount(numbers, minlength=len(self._number))
        self._start = np.concatenate((np.zeros(1, np.int64), np.cumsum(each)))

    def of(self, tokens: Iterable[str]) -> Postings:
        """Return the postings of those tokens that stand somewhere."""
        return {t: self._posting(self._number[t]) for t in tokens if t in self._number}

    def _posting(self, number: int) -> Posting:
        part = slice(self._start[number], self._start[number + 1])
        places, inverse = np.unique(self._place[part], return_inverse=True)
        points = np.bincount(inverse, self._points[part], len(places))
        return places.astype(np.int64), points.astype(np.int64)
