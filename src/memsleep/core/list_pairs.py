"""Nearest partners from kept lists: the result of `top_neighbor_pairs`, without its search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memsleep.core.cross import RowTable, cross_search
from memsleep.core.ieee import cut
from memsleep.core.near_lists import Contents, NearLists
from memsleep.core.neighbors import NeighborOptions
from memsleep.core.ordering import utf16_key
from memsleep.core.shelf import Ranked, best_per_source
from memsleep.core.sums import Doubles, Indices


def list_pairs(
    lists: NearLists,
    contents: Contents,
    rows: Sequence[int],
    keys: Sequence[str],
    options: NeighborOptions,
) -> list[tuple[str, str, float]]:
    """Return each key's nearest partners among some rows of a matrix.

    Parameters
    ----------
    lists : NearLists
        Of these contents; their floor and size change the time, never the result.
    contents : Contents
        Of the matrix.
    rows : sequence of int
        The rows that take part.
    keys : sequence of str
        One per row that takes part, all distinct.
    options : NeighborOptions
        With a floor greater than 0 and a whole number of partners, at least 1.

    Returns
    -------
    list of (src, dst, sim)
        What :func:`~memsleep.core.top_neighbor_pairs` gives for these keys and rows.
    """
    chosen = list_rows(lists, contents, rows, keys, options)
    return [
        (keys[src], keys[dst], sim)
        for src, dst, sim in zip(
            chosen.src.tolist(), chosen.dst.tolist(), chosen.sim.tolist(), strict=True
        )
    ]


def list_rows(
    lists: NearLists,
    contents: Contents,
    rows: Sequence[int],
    keys: Sequence[str],
    options: NeighborOptions,
) -> Ranked:
    """Return the same as places among the keys: the arguments are those of `list_pairs`."""
    k = int(min(options.per_source_k, max(len(rows), 1)))
    of_row = contents.of_row[np.array(rows, dtype=np.int64)]
    members = _Members.of(of_row, keys, len(contents.digests))
    entries = _entries(lists, contents, members, options.floor, k)
    best = best_per_source(members.spread(entries, k + 1), k + 1)
    found = _by_row(best, of_row, members.rank, k)
    order = np.lexsort((found.rank, members.rank[found.src], -found.sim))
    return found.picked(np.array(cut(order.tolist(), options.limit), dtype=np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class _Members:
    """Which of the rows have each content."""

    rank: Indices  # shape (m,): place of each row's key in key order
    rows: Indices  # shape (m,): by content, in key order within each
    count: Indices  # shape (n,): rows of each content
    start: Indices  # shape (n,): where they begin in `rows`

    @classmethod
    def of(cls, of_row: Indices, keys: Sequence[str], n: int) -> _Members:
        by_key = sorted(range(len(keys)), key=lambda row: utf16_key(keys[row]))
        rank = np.empty(len(keys), np.int64)
        rank[by_key] = np.arange(len(keys))
        count = np.bincount(of_row, minlength=n)
        return cls(rank, np.lexsort((rank, of_row)), count, np.cumsum(count) - count)

    def spread(self, entries: Ranked, most: int) -> Ranked:
        """Return the first rows of each entry's content in place of the content."""
        copies = np.minimum(self.count[entries.dst], most)
        entry = np.repeat(np.arange(len(copies)), copies)
        place = np.arange(len(entry)) - np.repeat(np.cumsum(copies) - copies, copies)
        row = self.rows[self.start[entries.dst[entry]] + place]
        return Ranked(entries.src[entry], row, self.rank[row], entries.sim[entry])


def _entries(
    lists: NearLists, contents: Contents, members: _Members, floor: float, k: int
) -> Ranked:
    """Return enough partners of each content that has rows; a content may be its own."""
    there = members.count > 0
    owners = lists.owners
    taken = np.flatnonzero(there[owners] & there[lists.partner] & (lists.sim >= floor))
    dst = lists.partner[taken]
    listed = Ranked(owners[taken], dst, dst, lists.sim[taken])
    own = _own(contents, members, floor)
    # All that is listed lies above the bound, and so do all that are not listed lie at or below.
    known = np.zeros(len(there), np.int64)
    np.add.at(known, listed.src, members.count[listed.dst])
    above = own.src[own.sim > lists.bound[own.src]]
    known[above] += members.count[above] - 1
    short = there & (known < k) & (lists.bound >= floor)
    if short.any():
        kept = listed.picked(np.flatnonzero(~short[listed.src]))
        listed = Ranked.joined([kept, _searched(contents, members, short, floor, k)])
    return Ranked.joined([listed, own])


def _own(contents: Contents, members: _Members, floor: float) -> Ranked:
    """Return the contents with several rows as partners of themselves."""
    repeated = np.flatnonzero(members.count > 1)
    table = RowTable(contents.source, contents.first)
    sim: Doubles = table.similarities(repeated, repeated)
    near = np.flatnonzero(sim >= floor)
    return Ranked(repeated[near], repeated[near], repeated[near], sim[near])


def _searched(
    contents: Contents, members: _Members, short: np.ndarray, floor: float, k: int
) -> Ranked:
    """Search the contents whose lists are too short among those that have rows.

    The k best rows come from the k best contents when equals are told apart by their first row.
    """
    there = np.flatnonzero(members.count > 0)
    first = members.rank[members.rows[members.start[there]]]
    query = np.flatnonzero(short[there])
    table = RowTable(contents.source, contents.first[there])
    nobody = np.full(len(there), np.inf)
    best, _ = cross_search(table, query, first, floor, k, nobody)
    return best._replace(src=there[best.src], dst=there[best.dst])


def _by_row(best: Ranked, of_row: Indices, rank: Indices, k: int) -> Ranked:
    """Return the list of each row's content as its own: without the row, cut to k."""
    start = np.searchsorted(best.src, of_row)
    size = np.searchsorted(best.src, of_row, side="right") - start
    src = np.repeat(np.arange(len(of_row)), size)
    place = np.arange(len(src)) - np.repeat(np.cumsum(size) - size, size)
    entry = start[src] + place
    dst = best.dst[entry]
    other = np.flatnonzero(dst != src)
    src, dst, sim = src[other], dst[other], best.sim[entry[other]]
    first_kept = np.searchsorted(src, src)
    kept = np.flatnonzero(np.arange(len(src)) - first_kept < k)
    return Ranked(src[kept], dst[kept], rank[dst[kept]], sim[kept])
