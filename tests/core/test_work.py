"""Counts add up, and reach whoever counts."""

from __future__ import annotations

import numpy as np
import pytest

from memsleep.core import NeighborOptions, top_neighbor_pairs
from memsleep.core.work import Work, counted, counting


def test_counts_add_up() -> None:
    """All but the widths, of which the largest is kept."""
    total = Work(pairs=1, width=384, sketch_width=64)
    total.add(
        Work(pairs=2, multiplied=3, sketched=4, width=10, sketch_width=96, rescored=5, direct=6)
    )
    assert total == Work(3, 3, 4, 384, 96, 5, 6)


def test_results_add_up_by_name() -> None:
    """What one search tells stays its own."""
    total, first = Work(), Work(results={"claims": {"made": 1, "known": 2}})
    total.add(first)
    total.add(Work(results={"claims": {"made": 3}, "lists": {"known": 4}}))
    assert total.to_json()["results"] == {
        "claims": {"made": 4, "known": 2},
        "lists": {"known": 4},
    }
    assert first.results == {"claims": {"made": 1, "known": 2}}


def search(count: int, work: Work | None = None) -> None:
    rows = np.random.default_rng(0).standard_normal((count, 4)).astype(np.float32)
    keys = [str(number) for number in range(count)]
    top_neighbor_pairs(keys, rows, NeighborOptions(0.0, 2), work=work)


def test_searches_within_are_counted() -> None:
    """Several add up, an inner count takes its own, and after it nobody is told."""
    own = Work()
    with counting() as outer:
        search(10, own)
        search(10, own)
        with counting() as inner:
            search(5)
    search(20)
    assert own.pairs == outer.pairs == 90
    assert inner.pairs == 10


def test_nobody_counts() -> None:
    counted(Work(pairs=1))
    with counting() as work:
        pass
    assert work == Work()


def test_a_count_ends_with_an_error() -> None:
    """The next search is not counted into what failed."""
    with pytest.raises(ZeroDivisionError), counting() as work:
        search(1 // 0)
    search(5)
    assert work == Work()
