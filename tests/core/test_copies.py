"""Copies of a row are searched once and reported each."""

from __future__ import annotations

import numpy as np
import pytest

from core import oracles
from memsleep.core import NeighborOptions, copies, top_neighbor_pairs
from memsleep.core.copies import first_copies
from memsleep.core.keyed_vectors import KeyedVectors
from memsleep.core.work import Work


def test_first_in_key_order() -> None:
    """The representative is the smallest key, not the first row."""
    rows = np.array([[1, 2], [3, 4], [1, 2]], np.float32)
    assert first_copies(KeyedVectors.of(["c", "b", "a"], rows)).tolist() == [2, 1, 2]


def test_bytes_decide() -> None:
    """0.0 and -0.0, equal as numbers, are simply searched twice."""
    rows = np.array([[1, 0.0], [1, -0.0]], np.float32)
    assert first_copies(KeyedVectors.of(["a", "b"], rows)).tolist() == [0, 1]


@pytest.mark.parametrize("column", range(14))
def test_one_column_decides(column: int) -> None:
    """Whichever it is: rows that agree in the columns that are looked at first are no copies."""
    rows = np.random.default_rng(2).standard_normal((1, 14)).astype(np.float32).repeat(40, axis=0)
    rows[::2, column] += 1
    first = first_copies(KeyedVectors.of([f"{row:02}" for row in range(40)], rows))
    assert first.tolist() == [0, 1] * 20


def test_length_decides() -> None:
    rows = [np.zeros(2, np.float32), np.zeros(3, np.float32)]
    assert first_copies(KeyedVectors.of(["a", "b"], rows)).tolist() == [0, 1]


def test_colliding_digests_are_no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest only finds candidates: the bytes are compared."""

    class Constant:
        def digest(self) -> bytes:
            return b""

    monkeypatch.setattr(copies.hashlib, "blake2b", lambda *_args, **_options: Constant())
    rows = np.array([[1, 2], [3, 4], [1, 2]], np.float32)
    assert first_copies(KeyedVectors.of(["a", "b", "c"], rows)).tolist() == [0, 1, 0]


def test_copies_are_not_compared_pair_by_pair() -> None:
    """A thousand copies make one row of work, whose lists are full nonetheless."""
    work = Work()
    rows = np.array([[1, 1]] * 1000 + [[1, 0.9]], np.float32)
    keys = [f"{index:04d}" for index in range(1001)]
    found = top_neighbor_pairs(keys, rows, NeighborOptions(0.5, 2), work=work)
    assert work.pairs == 1
    assert [pair.dst for pair in found if pair.src == "0000"] == ["0001", "0002"]
    assert [pair.dst for pair in found if pair.src == "0500"] == ["0000", "0001"]


@pytest.mark.parametrize("floor", [-1.0, 0.3, 0.9])
@pytest.mark.parametrize("k", [1, 2, 5, 40])
def test_copies_beside_rows_without(k: int, floor: float) -> None:
    """Rows with copies, their partners, and rows that never meet one: all as a loop finds them."""
    rng = np.random.default_rng(k)
    rows = rng.standard_normal((40, 3)).astype(np.float32)
    rows[rng.integers(0, 40, 9)] = rows[rng.integers(0, 40, 9)]
    keys = [f"{row:02}" for row in rng.permutation(40)]
    options = NeighborOptions(floor, k)
    assert top_neighbor_pairs(keys, rows, options) == oracles.top_neighbor_pairs(
        keys, rows, options
    )


def test_copies_below_the_floor_are_left_out() -> None:
    """Zero rows are copies too, with similarity 0."""
    rows = np.zeros((3, 2), np.float32)
    assert top_neighbor_pairs(list("abc"), rows, NeighborOptions(0.1, 2)) == []
    assert len(top_neighbor_pairs(list("abc"), rows, NeighborOptions(0.0, 2))) == 6


def test_colliding_checksums_are_no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do the checksums that find the candidates for the digest."""
    monkeypatch.setattr(copies, "_checksums", lambda _, rows: np.zeros(len(rows), np.uint64))
    rows = np.array([[1, 2], [2, 1], [1, 2], [7, 7]], np.float32)
    assert first_copies(KeyedVectors.of(list("abcd"), rows)).tolist() == [0, 1, 0, 3]


def test_checksums_tell_rows_apart() -> None:
    """Shuffles, shifts and single bits included; the same bytes have the same."""
    rng = np.random.default_rng(0)
    row = rng.standard_normal(50).astype(np.float32)
    shuffled = [rng.permutation(row) for _ in range(500)]
    shifted = [np.roll(row, step) for step in range(50)]
    flipped = (np.tile(row.view(np.uint32), (50 * 32, 1))).reshape(50, 32, 50)
    for place in range(50):
        flipped[place, :, place] ^= np.uint32(1) << np.arange(32, dtype=np.uint32)
    rows = np.concatenate([shuffled, shifted, flipped.reshape(-1, 50).view(np.float32)])
    every = np.arange(len(rows))
    sums = copies._checksums(rows, every)
    assert len(set(sums.tolist())) == len({line.tobytes() for line in rows}) == len(rows)
    assert (copies._checksums(rows.copy(), every) == sums).all()
