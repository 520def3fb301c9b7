"""Neighbour lists that outlive a night: kept with a certificate, mended where rows changed.

A list belongs to a content, the bytes of a row, and holds every other content whose
similarity is greater than the list's bound. That sentence stays true when contents
go, and can be kept true when contents come, without a look at the other pairs. From
lists of which it is true, each row's nearest partners follow exactly, for any floor,
list size, keys and choice of rows: a row whose list is too short is searched anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from memsleep.core.cross import RowTable, cross_search
from memsleep.core.shelf import Ranked, Shelf, best_per_source
from memsleep.core.sums import Doubles, Indices
from memsleep.core.tiles import BLOCK_ROWS, Block, Float32Array, fill_shelves

DIGEST_BYTES: Final = 16
ANEW_SHARE: Final = 0.3
"""Of the contents: where more must be searched, all pairs cost less."""


@dataclass(frozen=True, slots=True, eq=False)
class NearLists:
    """For each content, all others whose similarity exceeds its bound."""

    digests: tuple[bytes, ...]  # of the contents, each once
    start: Indices  # shape (n + 1,): where each list begins in the next two
    partner: Indices  # numbers of contents, best first
    sim: Doubles
    bound: Doubles  # shape (n,): every partner above it is listed

    @classmethod
    def empty(cls) -> NearLists:
        """Return the lists of no content."""
        none = np.zeros(0, np.int64)
        return cls((), np.zeros(1, np.int64), none, np.zeros(0), np.zeros(0))

    @property
    def sizes(self) -> Indices:
        """Return the length of each list."""
        return np.diff(self.start)

    @property
    def owners(self) -> Indices:
        """Return the content that each entry belongs to."""
        return np.repeat(np.arange(len(self.digests)), self.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """The distinct rows of a matrix."""

    source: Float32Array  # shape (m, d)
    digests: tuple[bytes, ...]  # one per content, in order of their first rows
    first: Indices  # shape (n,): the first row of each content
    of_row: Indices  # shape (m,): the content of each row

    @classmethod
    def of(cls, source: Float32Array) -> Contents:
        """Tell the contents of a matrix apart by a digest of 128 bits."""
        number: dict[bytes, int] = {}
        first: list[int] = []
        of_row = np.empty(len(source), np.int64)
        for row, values in enumerate(np.ascontiguousarray(source, "<f4")):
            digest = hashlib.blake2b(values, digest_size=DIGEST_BYTES).digest()
            place = number.setdefault(digest, len(number))
            if place == len(first):
                first.append(row)
            of_row[row] = place
        return cls(source, tuple(number), np.array(first, dtype=np.int64), of_row)


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """The contents of a matrix with their lists."""

    contents: Contents
    lists: NearLists


@dataclass(frozen=True, slots=True)
class ListWork:
    """What it took to bring lists up to date, in contents."""

    known: int = 0
    """Taken over."""
    come: int = 0
    gone: int = 0
    exhausted: int = 0
    """Searched anew, since too few of a list were left."""
    anew: bool = True
    """True where all pairs were compared."""

    @property
    def made(self) -> int:
        """Return how many were compared with all others."""
        return self.known + self.come if self.anew else self.come + self.exhausted

    @property
    def kept(self) -> int:
        """Return how many were not."""
        return self.known + self.come - self.made


def below(floor: float) -> float:
    """Return the greatest number under a floor: a list with that bound is whole."""
    return float(np.nextafter(floor, -np.inf))


def lists_of(contents: Contents, floor: float, size: int) -> NearLists:
    """Compare all pairs of contents.

    Parameters
    ----------
    contents : Contents
    floor : float
        Greater than 0; pairs below it are never looked for.
    size : int
        Most entries of a list, at least 1.
    """
    n = len(contents.digests)
    blocks = []
    for at in range(0, n, BLOCK_ROWS):
        place = np.arange(at, min(at + BLOCK_ROWS, n))
        shelf = Shelf(len(place), size + 1)
        blocks.append(Block(contents.source, contents.first[place], place, place, shelf))
    fill_shelves(blocks, floor, size + 1)
    found = Ranked.joined(block.found() for block in blocks)
    return _assembled(contents.digests, found, np.full(n, below(floor)), size)


def updated_lists(
    old: NearLists, contents: Contents, floor: float, size: int, needed: int
) -> tuple[NearLists, ListWork]:
    """Bring lists to other contents; the same entries as compared anew, above each bound.

    Parameters
    ----------
    old : NearLists
        Lists that hold what their class says, of whatever contents.
    contents : Contents
    floor : float
        Greater than 0.
    size : int
        Most entries of a list.
    needed : int
        A list that lost so many that fewer are left is searched anew, unless it is whole.

    Returns
    -------
    (NearLists, ListWork)
    """
    n = len(contents.digests)
    number = {digest: place for place, digest in enumerate(contents.digests)}
    to_new = np.array([number.get(digest, -1) for digest in old.digests], dtype=np.int64)
    stayed = np.flatnonzero(to_new >= 0)
    pairs = _carried(old, to_new)
    bound = np.full(n, np.inf)
    bound[to_new[stayed]] = np.maximum(old.bound[stayed], below(floor))
    pairs = pairs.picked(np.flatnonzero(pairs.sim > bound[pairs.src]))
    come = np.ones(n, bool)
    come[to_new[stayed]] = False
    left = np.bincount(pairs.src, minlength=n)
    exhausted = ~come & (left < needed) & (bound >= floor)
    query = np.flatnonzero(come | exhausted)
    work = ListWork(
        known=len(stayed),
        come=int(come.sum()),
        gone=len(old.digests) - len(stayed),
        exhausted=int(exhausted.sum()),
        anew=len(query) > ANEW_SHARE * n,
    )
    if work.anew:
        return lists_of(contents, floor, size), work
    pairs = pairs.picked(np.flatnonzero(~(come | exhausted)[pairs.src]))
    if len(query):
        bound[query] = below(floor)
        table = RowTable(contents.source, contents.first)
        best, offers = cross_search(table, query, np.arange(n), floor, size + 1, bound)
        # The other contents list an exhausted one already: only what has come is news to them.
        news = offers.picked(np.flatnonzero(come[offers.dst]))
        pairs = Ranked.joined([pairs, best, news])
    return _assembled(contents.digests, pairs, bound, size), work


def _carried(old: NearLists, to_new: Indices) -> Ranked:
    """Return the entries whose two contents are still there, in the new numbering."""
    src, dst = to_new[old.owners], to_new[old.partner]
    both = np.flatnonzero((src >= 0) & (dst >= 0))
    return Ranked(src[both], dst[both], dst[both], old.sim[both])


def _assembled(digests: Sequence[bytes], pairs: Ranked, bound: Doubles, size: int) -> NearLists:
    """Cut lists to a size; the bound of one that is cut rises to what was cut off."""
    pairs = best_per_source(pairs, size + 1)
    n = len(digests)
    count = np.bincount(pairs.src, minlength=n)
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(count)])
    full = np.flatnonzero(count > size)
    bound = bound.copy()
    bound[full] = np.maximum(bound[full], pairs.sim[start[full] + size])
    pairs = pairs.picked(np.flatnonzero(pairs.sim > bound[pairs.src]))
    sizes = np.bincount(pairs.src, minlength=n)
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    return NearLists(tuple(digests), start, pairs.dst, pairs.sim, bound)
