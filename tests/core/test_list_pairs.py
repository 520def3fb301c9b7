from __future__ import annotations

import numpy as np
import pytest

from memsleep.core import NeighborOptions
from memsleep.core.list_pairs import list_pairs
from memsleep.core.near_lists import Contents, NearLists, below, lists_of, updated_lists
from near_kit import in_full

FIFTHS = np.array(
    [[1, 0, 0], [3, 4, 0], [3, 0, 4], [3, -4, 0], [3, 0, -4]], np.float32
)  # the first has a cosine of exactly 0.6 with all others


def check(rows: np.ndarray, keys: list[str], size: int, options: NeighborOptions) -> None:
    contents = Contents.of(rows)
    lists = lists_of(contents, 0.1, size)
    chosen = range(len(rows))
    told = list_pairs(lists, contents, chosen, keys, options)
    assert told == in_full(keys, rows, list(chosen), options)


@pytest.mark.parametrize("size", [1, 2, 3, 9])
@pytest.mark.parametrize("k", [1, 3, 4])
@pytest.mark.parametrize("floor", [0.6, 0.5, np.nextafter(0.6, 1)])
def test_ties_at_the_floor(size: int, k: int, floor: float) -> None:
    """Partners that all lie on the bound of a list are searched, since none of them is listed."""
    check(FIFTHS, list("edcba"), size, NeighborOptions(floor, k))


@pytest.mark.parametrize("size", [1, 2, 9])
@pytest.mark.parametrize("k", [1, 2, 5, 40])
@pytest.mark.parametrize("keys", ["abcdefgh", "hgfedcba", "aebfcgdh"])
def test_copies_among_parallel_rows(size: int, k: int, keys: str) -> None:
    """A copy is as near as a parallel row: the key decides, whatever a list holds."""
    rows = np.array([[s, 2 * s] for s in (1, 1, 2, 2, 4, 4, 8, 8)], np.float32)
    check(rows, list(keys), size, NeighborOptions(0.5, k))


def test_a_floor_beneath_that_of_the_lists() -> None:
    """Lists that were made for a higher floor are searched where they end."""
    rows = np.random.default_rng(1).normal(size=(30, 4)).astype(np.float32)
    contents = Contents.of(rows)
    lists = lists_of(contents, 0.9, 12)
    keys = [f"{n:02}" for n in range(30)]
    options = NeighborOptions(0.2, 3, 50)
    found = list_pairs(lists, contents, range(30), keys, options)
    assert found == in_full(keys, rows, list(range(30)), options)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_rows(count: int) -> None:
    """Nothing has no neighbour, and neither has one row."""
    rows = np.ones((count, 2), np.float32)
    contents = Contents.of(rows)
    lists, work = updated_lists(NearLists.empty(), contents, 0.5, 3, 2)
    assert work.come == min(count, 1)
    found = list_pairs(lists, contents, range(count), list("ab")[:count], NeighborOptions(0.5, 1))
    assert len(found) == (2 if count == 2 else 0)


def test_a_list_says_what_it_promises() -> None:
    """Every partner above the bound of a list is in it, and no other."""
    rows = np.random.default_rng(2).normal(size=(60, 3)).astype(np.float32)
    lists = lists_of(Contents.of(rows), 0.1, 5)
    whole = lists_of(Contents.of(rows), 0.1, 60)
    assert (whole.bound == below(0.1)).all()
    for row in range(60):
        mine = slice(lists.start[row], lists.start[row + 1])
        all_of_it = slice(whole.start[row], whole.start[row + 1])
        above = whole.sim[all_of_it] > lists.bound[row]
        assert lists.partner[mine].tolist() == whole.partner[all_of_it][above].tolist()
        assert len(lists.partner[mine]) <= 5
