"""Rows that are byte for byte the same, searched once and reported each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memsleep.core.blocks import Float32Array, chunks
from memsleep.core.keyed_vectors import KeyedVectors
from memsleep.core.shelf import Ranked, best_per_source
from memsleep.core.sums import Indices

FEW_COLUMNS: Final = 6  # every so many of them tell most rows apart
# SplitMix64 (Steele, Lea and Flood, 2014): numbers without a pattern, from a count.
SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
MIXING: Final = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)


def first_copies(table: KeyedVectors) -> Indices:
    """Return, for each row, the first row in key order that has the same bytes.

    Copies have equal similarities to every row, which no bound can tell apart:
    without this step a corpus of templates would be rescored pair by pair.
    """
    first = np.arange(len(table.rank))
    for matrix, number in table.groups:
        seen: dict[bytes, int] = {}
        in_order = np.argsort(table.rank[number], kind="stable")
        for local in in_order[_perhaps_repeated(matrix)[in_order]].tolist():
            content = matrix[local].tobytes()
            other = seen.setdefault(hashlib.blake2b(content, digest_size=16).digest(), local)
            if other != local and matrix[other].tobytes() == content:
                first[number[local]] = number[other]
    return first


def _perhaps_repeated(matrix: Float32Array) -> NDArray[np.bool_]:
    """Return which rows may have a copy: by some of their columns, and where those repeat, by all.

    Most rows differ in any few columns, and reading a part of them takes a part of the time.
    """
    perhaps = _repeated(_checksums(matrix[:, ::FEW_COLUMNS], np.arange(len(matrix))))
    rows = np.flatnonzero(perhaps)
    perhaps[rows] = _repeated(_checksums(matrix, rows))
    return perhaps


def _checksums(matrix: Float32Array, rows: Indices) -> NDArray[np.uint64]:
    """Return a number per row that is the same for the same bytes, and else hardly ever."""
    weights = np.arange(1, matrix.shape[1] + 1, dtype=np.uint64) * SPREAD  # all arithmetic wraps
    for shift, factor in MIXING:
        weights = (weights ^ (weights >> shift)) * factor
    weights |= np.uint64(1)
    sums = np.zeros(len(rows), np.uint64)
    for chunk in chunks(len(rows)):
        words = np.ascontiguousarray(matrix[rows[chunk]]).view(np.uint32)
        sums[chunk] = (words * weights).sum(axis=1, dtype=np.uint64)
    return sums


def _repeated(sums: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which of the numbers occur more than once."""
    _, group, size = np.unique(sums, return_inverse=True, return_counts=True)
    repeated: NDArray[np.bool_] = size[group] > 1
    return repeated


def with_copies(
    table: KeyedVectors, first: Indices, unique: Ranked, floor: float, k: int
) -> Ranked:
    """Return each row's k best partners from those of the first copies.

    Parameters
    ----------
    table : KeyedVectors
    first : ndarray of shape (n,), int64
        The result of :func:`first_copies`.
    unique : Ranked
        The k + 1 best partners of each first copy among the first copies.
    floor : float
        Smallest similarity, inclusive: it applies to a row and its own copies.
    k : int

    Notes
    -----
    The k + 1 best rows come from at most k + 1 contents, and those are the best
    contents when equals are told apart by their first row. One row more than k,
    since a row is not its own partner.
    """
    copies = _copies(table, first)
    has_copies = np.zeros(len(table.rank), bool)
    has_copies[list(copies)] = True
    meets = has_copies.copy()
    meets[unique.src[has_copies[unique.dst]]] = True
    concerned = meets[unique.src]
    plain = best_per_source(unique.picked(np.flatnonzero(~concerned)), k)
    spread = _spread(table, copies, unique.picked(np.flatnonzero(concerned)), floor, k)
    return Ranked.joined([plain, spread])


def _spread(
    table: KeyedVectors, copies: dict[int, list[int]], unique: Ranked, floor: float, k: int
) -> Ranked:
    """Return the best partners of rows that have copies, or partners with copies."""
    partners: dict[int, list[tuple[float, int]]] = {}
    for src, dst, sim in _with_own(table, copies, unique, floor):
        rows = copies.get(dst, [dst])[: k + 1]
        partners.setdefault(src, []).extend((-sim, row) for row in rows)
    found: list[tuple[int, int, float]] = []
    for src in sorted(partners, key=table.rank.tolist().__getitem__):
        best = sorted(partners[src], key=lambda item: (item[0], table.rank[item[1]]))[: k + 1]
        for row in copies.get(src, [src]):
            others = [(row, other, -loss) for loss, other in best if other != row]
            found += others[:k]
    src_rows, dst_rows, sims = zip(*found, strict=True) if found else ((), (), ())
    dst_index = np.array(dst_rows, dtype=np.int64)
    return Ranked(
        np.array(src_rows, dtype=np.int64), dst_index, table.rank[dst_index], np.array(sims, float)
    )


def _copies(table: KeyedVectors, first: Indices) -> dict[int, list[int]]:
    """Return first copy -> all of its rows in key order, for contents that several rows have."""
    in_order = np.argsort(table.rank, kind="stable")
    several = np.bincount(first, minlength=len(first))[first] > 1
    copies: dict[int, list[int]] = {}
    for row in in_order[several[in_order]].tolist():
        copies.setdefault(int(first[row]), []).append(row)
    return copies


def _with_own(
    table: KeyedVectors, copies: dict[int, list[int]], unique: Ranked, floor: float
) -> Iterator[tuple[int, int, float]]:
    """Yield the partners of the first copies, those with copies being their own."""
    yield from zip(unique.src.tolist(), unique.dst.tolist(), unique.sim.tolist(), strict=True)
    repeated = np.array(list(copies), dtype=np.int64)
    for row, sim in zip(
        repeated.tolist(), table.similarities(repeated, repeated).tolist(), strict=True
    ):
        if sim >= floor:
            yield row, row, sim
