"""Neighbour pairing: each key's best partners by cosine, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from memsleep.core.copies import first_copies, with_copies
from memsleep.core.ieee import cut
from memsleep.core.keyed_vectors import KeyedVectors, Vectors
from memsleep.core.shelf import Ranked, best_per_source
from memsleep.core.sums import Indices
from memsleep.core.tiles import BLOCK_ROWS, Float32Array, fill_shelves
from memsleep.core.work import Work


@dataclass(frozen=True, slots=True)
class NeighborPair:
    """A key with one of its nearest partners."""

    src: str
    dst: str
    sim: float  # cosine, in [-1, 1]


@dataclass(frozen=True, slots=True)
class NeighborOptions:
    """Which pairs are reported."""

    floor: float  # smallest similarity, inclusive
    per_source_k: float  # partners per source, at least 1 for any result
    limit: float = math.inf  # rows in all; a negative one cuts from the end


def float32_view(blob: bytes) -> Float32Array | None:
    r"""Return a stored vector as little-endian float32 values.

    Parameters
    ----------
    blob : bytes-like
        4 bytes a component.

    Returns
    -------
    ndarray of shape (d,), float32, or None
        A view without a copy; read-only if the blob is. None for an empty blob or
        one whose length is not a multiple of 4. Never raises on bytes.

    Examples
    --------
    >>> float32_view(b"\x00\x00\x80\x3f").tolist(), float32_view(b"\x00\x00\x80")
    ([1.0], None)
    """
    if len(blob) == 0 or len(blob) % 4 != 0:
        return None
    return np.frombuffer(blob, dtype="<f4")


def top_neighbor_pairs(
    keys: Sequence[str],
    vectors: Vectors,
    options: NeighborOptions,
    *,
    work: Work | None = None,
) -> list[NeighborPair]:
    """Return each key's nearest partners among all keys.

    Parameters
    ----------
    keys : sequence of str
        One per vector. A repeated key is accepted; its rows share one list.
    vectors : ndarray of shape (n, d), float32, or sequence of 1-D arrays
        A sequence may mix lengths; then the common prefix counts. Wider input is
        rounded to float32 first.
    options : NeighborOptions
    work : Work, optional
        What was done is added to it.

    Returns
    -------
    list of NeighborPair
        Every unordered pair counts once and is offered to both ends, so (a, b)
        and (b, a) can both appear. Each source keeps its best `per_source_k`: sim
        descending, dst ascending. Ordered by sim descending, src ascending, dst
        ascending, then cut at `limit`. Keys order by UTF-16 code unit.

    Raises
    ------
    ValueError
        If there are not as many keys as vectors, or a vector is not 1-D.

    Notes
    -----
    Each sim equals :func:`~memsleep.core.cosine` of the two rows bit for bit, but
    for a NaN between rows of equal length, which enters no list. A zero row has
    sim 0 to every row. Time O(n^2 d), memory O(n k) beside the input: see
    :mod:`memsleep.core.tiles`. Source: spec "Neighbour pairing".

    Examples
    --------
    >>> rows = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> options = NeighborOptions(floor=0.5, per_source_k=1, limit=2)
    >>> [(pair.src, pair.dst) for pair in top_neighbor_pairs(["a", "b", "c"], rows, options)]
    [('a', 'b'), ('b', 'a')]
    """
    table = KeyedVectors.of(keys, vectors)
    k = _list_size(options, len(keys))
    if k == 0:
        return []
    first = first_copies(table)
    row_k = min(k, len(keys))
    if bool((first == np.arange(len(first))).all()):
        pairs = _nearest(table, first, options.floor, row_k, work)
    else:
        # One partner more: no copy may fill its own list with itself.
        unique = _nearest(table, np.unique(first), options.floor, row_k + 1, work)
        pairs = with_copies(table, first, unique, options.floor, row_k)
    return _reported(table, pairs, k, options.limit)


def rank_candidate_pairs(
    pairs: Iterable[tuple[str, str]],
    keys: Sequence[str],
    vectors: Vectors,
    options: NeighborOptions,
) -> list[NeighborPair]:
    """Return the best of some given pairs, per source.

    Parameters
    ----------
    pairs : iterable of (src, dst)
        Oriented: only the list of src gets the pair. A repeated pair counts again;
        one that names a key without a vector contributes nothing.
    keys, vectors, options
        As for :func:`top_neighbor_pairs`, but for a repeated key the last vector
        stands.

    Returns
    -------
    list of NeighborPair
        Floor, list size, order and limit as in :func:`top_neighbor_pairs`.

    Examples
    --------
    >>> rows = np.array([[1, 0], [1, 1]], dtype=np.float32)
    >>> rank_candidate_pairs([("a", "b")], ["a", "b"], rows, NeighborOptions(0.5, 1))
    [NeighborPair(src='a', dst='b', sim=0.7071067811865475)]
    """
    table = KeyedVectors.of(keys, vectors)
    last = {key: row for row, key in enumerate(keys)}
    known = [(last[src], last[dst]) for src, dst in pairs if src in last and dst in last]
    k = _list_size(options, len(known))
    if k == 0:
        return []
    src, dst = np.array(known, dtype=np.int64).T
    sim = table.similarities(src, dst)
    enters = np.flatnonzero(sim >= options.floor)
    ranked = Ranked(src, dst, table.rank[dst], sim).picked(enters)
    return _reported(table, ranked, k, options.limit)


def _list_size(options: NeighborOptions, n_entries: int) -> int:
    """Return how many pairs a source may have; 0 if nothing can be reported."""
    if n_entries == 0 or math.isnan(options.floor) or not options.per_source_k >= 1:
        return 0
    return int(min(options.per_source_k, n_entries * n_entries))


def _nearest(
    table: KeyedVectors, wanted: Indices, floor: float, k: int, work: Work | None
) -> Ranked:
    """Return the k best partners of each wanted row among the wanted rows."""
    blocks = table.blocks(wanted, k, BLOCK_ROWS)
    fill_shelves(blocks, floor, k, work=work)
    return Ranked.joined(block.found() for block in blocks)


def _reported(table: KeyedVectors, pairs: Ranked, k: int, limit: float) -> list[NeighborPair]:
    """Return the rows of the result."""
    # Rows of one key share a list, so the lists are cut once more, by key.
    pairs = best_per_source(pairs._replace(src=table.rank[pairs.src]), k)
    order = np.lexsort((pairs.rank, pairs.src, -pairs.sim))
    chosen = pairs.picked(np.array(cut(order.tolist(), limit), dtype=np.int64))
    names = table.names
    return [
        NeighborPair(names[src], names[rank], sim)
        for src, rank, sim in zip(
            chosen.src.tolist(), chosen.rank.tolist(), chosen.sim.tolist(), strict=True
        )
    ]
