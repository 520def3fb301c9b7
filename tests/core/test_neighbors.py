"""Neighbour pairing equals a naive double loop, whatever the tiles."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import oracles
from core.strategies import KEYS, keyed_rows
from memsleep.core import (
    NeighborOptions,
    NeighborPair,
    cosine,
    float32_view,
    neighbors,
    rank_candidate_pairs,
    slabs,
    tiles,
    top_neighbor_pairs,
)
from memsleep.core.work import Work

OPTIONS = st.builds(
    NeighborOptions,
    st.one_of(st.sampled_from([-1.0, 0.0, 0.5, 1.0, -math.inf]), st.floats(-1, 1)),
    st.sampled_from([1, 2, 3, 50, math.inf]),
    st.sampled_from([0, 1, 5, -2, 1000, math.inf]),
)


# Tile height, columns at a time, and the number of pairs up to which nothing is pruned further.
TILINGS = st.tuples(
    st.sampled_from([1, 2, 3, 4096]), st.sampled_from([1, 2, 512]), st.sampled_from([0, 4096])
)


def agree(
    table: tuple[list[str], list[np.ndarray]],
    options: NeighborOptions,
    tiling: tuple[int, int, int],
) -> None:
    """Compare with the double loop for one tiling."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbors, "BLOCK_ROWS", tiling[0])
        patch.setattr(tiles, "OWN_COLUMNS", tiling[1])
        patch.setattr(tiles, "SLAB_COLUMNS", tiling[1])
        patch.setattr(slabs, "BATCH_ROWS", tiling[1])
        patch.setattr(slabs, "CHEAP_PAIRS", tiling[2])
        found = top_neighbor_pairs(*table, options)
    assert found == oracles.top_neighbor_pairs(*table, options)


@given(keyed_rows(), OPTIONS, TILINGS)
def test_equals_the_double_loop(
    table: tuple[list[str], list[np.ndarray]],
    options: NeighborOptions,
    tiling: tuple[int, int, int],
) -> None:
    """Ties, copies, zero rows and extreme magnitudes included."""
    agree(table, options, tiling)


@given(keyed_rows(odd=True), OPTIONS, TILINGS)
def test_equals_the_double_loop_with_odd_components(
    table: tuple[list[str], list[np.ndarray]],
    options: NeighborOptions,
    tiling: tuple[int, int, int],
) -> None:
    """NaN and infinite components included."""
    agree(table, options, tiling)


@given(keyed_rows(mixed_lengths=True, odd=True), OPTIONS, TILINGS)
def test_equals_the_double_loop_with_mixed_lengths(
    table: tuple[list[str], list[np.ndarray]],
    options: NeighborOptions,
    tiling: tuple[int, int, int],
) -> None:
    agree(table, options, tiling)


@given(
    keyed_rows(mixed_lengths=True, odd=True),
    st.lists(st.tuples(KEYS, KEYS), max_size=20),
    OPTIONS,
)
def test_candidates_equal_the_loop(
    table: tuple[list[str], list[np.ndarray]],
    pairs: list[tuple[str, str]],
    options: NeighborOptions,
) -> None:
    keys, rows = table
    expected = oracles.rank_candidate_pairs(pairs, keys, rows, options)
    assert rank_candidate_pairs(pairs, keys, rows, options) == expected


@given(keyed_rows(), OPTIONS, st.data())
def test_row_order_does_not_matter(
    table: tuple[list[str], list[np.ndarray]], options: NeighborOptions, data: st.DataObject
) -> None:
    keys, rows = table
    order = data.draw(st.permutations(range(len(keys))))
    shuffled = top_neighbor_pairs([keys[i] for i in order], [rows[i] for i in order], options)
    assert shuffled == top_neighbor_pairs(keys, rows, options)


def clustered(n: int, width: int, seed: int = 0) -> np.ndarray:
    """Return rows in tight groups, some of them copies, with full mantissas."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((max(n // 10, 1), width))
    noise = rng.choice([0.0, 1e-7, 1e-4, 0.3], (n, 1)) * rng.standard_normal((n, width))
    return (centres[rng.integers(0, len(centres), n)] + noise).astype(np.float32)


def numbered(n: int) -> list[str]:
    return [f"m/{index:04d}" for index in range(n)]


@pytest.mark.parametrize("height", [7, 64, 1024])
@pytest.mark.parametrize("floor", [-1.0, 0.5, 0.9999999])
def test_near_ties_at_full_width(
    floor: float, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Similarities closer than the error of the product are still told apart."""
    monkeypatch.setattr(neighbors, "BLOCK_ROWS", height)
    monkeypatch.setattr(slabs, "CHEAP_PAIRS", 100)
    rows = clustered(150, 64)
    options = NeighborOptions(floor, 4)
    assert top_neighbor_pairs(numbered(150), rows, options) == oracles.top_neighbor_pairs(
        numbered(150), rows, options
    )


@pytest.mark.parametrize("power", [-140, -110, 0, 110, 126])
def test_extreme_norms(power: int) -> None:
    """Rows too small or too large to be scaled in float32 are paired all the same."""
    with np.errstate(over="ignore"):
        rows = (clustered(40, 8, seed=3) * np.float64(2.0) ** power).astype(np.float32)
    options = NeighborOptions(0.2, 3)
    assert top_neighbor_pairs(numbered(40), rows, options) == oracles.top_neighbor_pairs(
        numbered(40), rows, options
    )


def test_floor_is_inclusive_to_the_bit() -> None:
    """The attained value passes; one unit above it does not."""
    rows = clustered(12, 33, seed=1)
    sims = sorted(cosine(one, other) for one, other in itertools.combinations(list(rows), 2))
    for sim in sims[::7]:
        found = top_neighbor_pairs(numbered(12), rows, NeighborOptions(sim, 12))
        assert {pair.sim for pair in found} == {value for value in sims if value >= sim}
        above = math.nextafter(sim, 2)
        found = top_neighbor_pairs(numbered(12), rows, NeighborOptions(above, 12))
        assert {pair.sim for pair in found} == {value for value in sims if value > sim}


def test_reported_similarity_is_cosine() -> None:
    rows = clustered(60, 48, seed=2)
    row = dict(zip(numbered(60), rows, strict=True))
    for pair in top_neighbor_pairs(numbered(60), rows, NeighborOptions(-1.0, 3)):
        assert pair.sim == cosine(row[pair.src], row[pair.dst])


NOTHING = [
    pytest.param(NeighborOptions(math.nan, 3), id="floor nan"),
    pytest.param(NeighborOptions(math.inf, 3), id="floor inf"),
    pytest.param(NeighborOptions(1.1, 3), id="floor above one"),
    pytest.param(NeighborOptions(-1.0, 0), id="no list"),
    pytest.param(NeighborOptions(-1.0, -1), id="negative list"),
    pytest.param(NeighborOptions(-1.0, math.nan), id="list nan"),
    pytest.param(NeighborOptions(-1.0, 3, 0), id="limit zero"),
    pytest.param(NeighborOptions(-1.0, 3, -99), id="limit below all"),
    pytest.param(NeighborOptions(-1.0, 3, math.nan), id="limit nan"),
]


@pytest.mark.parametrize("options", NOTHING)
def test_nothing(options: NeighborOptions) -> None:
    rows = clustered(6, 4)
    assert top_neighbor_pairs(numbered(6), rows, options) == []
    pairs = list(itertools.permutations(numbered(6), 2))
    assert rank_candidate_pairs(pairs, numbered(6), rows, options) == []


def test_no_rows() -> None:
    options = NeighborOptions(-1.0, 3)
    for rows in ([], np.zeros((0, 4), np.float32), np.zeros(0, np.float32)):
        assert top_neighbor_pairs([], rows, options) == []
        assert rank_candidate_pairs([("a", "b")], [], rows, options) == []


def test_work_is_counted() -> None:
    """Each unordered pair once, and what was rescored; copies are searched once."""
    rows, work = clustered(50, 8), Work()
    distinct = len({row.tobytes() for row in rows})
    found = top_neighbor_pairs(numbered(50), rows, NeighborOptions(0.9, 3), work=work)
    assert found == top_neighbor_pairs(numbered(50), rows, NeighborOptions(0.9, 3))
    assert work.pairs == distinct * (distinct - 1) // 2 < work.multiplied
    assert 0 < work.rescored <= work.pairs
    assert distinct < 50


def test_a_row_is_not_its_own_neighbour() -> None:
    rows = np.ones((1, 3), np.float32)
    assert top_neighbor_pairs(["a"], rows, NeighborOptions(-1.0, 3)) == []


def test_repeated_key_shares_one_list() -> None:
    """Two rows of one key have one list of k, in which the key may stand itself."""
    rows = np.array([[1, 0], [1, 0.1], [1, 0.2]], np.float32)
    found = top_neighbor_pairs(["a", "b", "a"], rows, NeighborOptions(-1.0, 1))
    assert sorted((pair.src, pair.dst) for pair in found) == [("a", "b"), ("b", "a")]


def test_last_vector_of_a_repeated_key_is_ranked() -> None:
    rows = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    found = rank_candidate_pairs([("a", "b")], ["a", "b", "a"], rows, NeighborOptions(0.5, 1))
    assert found == []
    rows[2] = rows[1]
    found = rank_candidate_pairs([("a", "b")], ["a", "b", "a"], rows, NeighborOptions(0.5, 1))
    assert found == [NeighborPair("a", "b", 1.0)]


def test_candidates_are_oriented_and_counted() -> None:
    """Only src's list gets a pair; a repeated pair takes two places in it."""
    rows = np.array([[1, 0], [1, 0], [1, 1]], np.float32)
    pairs = [("a", "b"), ("a", "b"), ("a", "c"), ("a", "nowhere")]
    found = rank_candidate_pairs(pairs, ["a", "b", "c"], rows, NeighborOptions(-1.0, 2))
    assert found == [NeighborPair("a", "b", 1.0)] * 2


def test_ties_go_to_the_smaller_dst() -> None:
    """Equal similarities order by UTF-16 code unit, not by code point."""
    rows = np.ones((3, 2), np.float32)
    found = top_neighbor_pairs(["a", "\ufb01", "\U0001f600"], rows, NeighborOptions(0.0, 1))
    assert [(pair.src, pair.dst) for pair in found] == [
        ("a", "\U0001f600"),
        ("\U0001f600", "a"),
        ("\ufb01", "a"),
    ]


def test_undefined_pairs_do_not_crowd_out_others() -> None:
    """A NaN row has no list and takes no place, but reads 0 against a zero row."""
    rows = np.array([[1, 0], [np.nan, 1], [0, 0], [-1, 0], [np.inf, 1]], np.float32)
    found = top_neighbor_pairs(list("abcde"), rows, NeighborOptions(-1.0, 9))
    assert {(pair.src, pair.dst) for pair in found if "b" in (pair.src, pair.dst)} == {
        ("b", "c"),
        ("c", "b"),
    }
    assert ("a", "d", -1.0) in {(pair.src, pair.dst, pair.sim) for pair in found}


def test_undefined_pairs_raise_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their product is 0, which is more than the only similarity there is."""
    monkeypatch.setattr(slabs, "CHEAP_PAIRS", 0)
    rows = np.array([[1, 0], [np.nan, 1], [np.inf, 1], [-1, 0]], np.float32)
    found = top_neighbor_pairs(list("abcd"), rows, NeighborOptions(-1.0, 1))
    assert found == [NeighborPair("a", "d", -1.0), NeighborPair("d", "a", -1.0)]


def test_mixed_lengths_read_nan_as_zero() -> None:
    rows = [np.array([1, 0], np.float32), np.array([np.nan, 0, 1], np.float32)]
    assert {pair.sim for pair in top_neighbor_pairs(["a", "b"], rows, NeighborOptions(0.0, 1))} == {
        0.0
    }


@pytest.mark.parametrize(
    ("keys", "rows", "message"),
    [
        (["a"], np.zeros((2, 2), np.float32), "1 keys for 2 vectors"),
        (["a"], [np.zeros((2, 2), np.float32)], "vector 0 has 2 dimensions"),
        (["a"], [1.0], "vector 0 has 0 dimensions"),
    ],
)
def test_refused(keys: list[str], rows: list[np.ndarray], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        top_neighbor_pairs(keys, rows, NeighborOptions(0.0, 1))


def test_input_is_not_changed() -> None:
    rows = clustered(20, 5)
    before = rows.copy()
    top_neighbor_pairs(numbered(20), rows, NeighborOptions(-1.0, 3))
    assert np.array_equal(rows, before)


def test_double_input_is_rounded_first() -> None:
    rows = np.random.default_rng(4).standard_normal((20, 7))
    options = NeighborOptions(-1.0, 3)
    assert top_neighbor_pairs(numbered(20), rows, options) == top_neighbor_pairs(
        numbered(20), rows.astype(np.float32), options
    )


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(np.ones((3000, 4), np.float32), id="all copies"),
        pytest.param(
            np.float32(1) + np.arange(12_000, dtype=np.float32).reshape(3000, 4) * 1e-9,
            id="nearly all alike",
        ),
    ],
)
def test_memory_stays_bounded_when_everything_passes(rows: np.ndarray) -> None:
    """4.5 million pairs pass the floor; lists and one tile are all that is held."""
    tracemalloc.start()
    found = top_neighbor_pairs(numbered(3000), rows, NeighborOptions(-1.0, 4))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found) == 12_000
    assert peak < 160e6


def traced(n: int, floor: float) -> int:
    """Return the largest memory that a search with small tiles asks for, in bytes."""
    rows = np.random.default_rng(n).standard_normal((n, 8)).astype(np.float32)
    keys = numbered(n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbors, "BLOCK_ROWS", 128)
        patch.setattr(tiles, "SLAB_COLUMNS", 64)
        patch.setattr(tiles, "OWN_COLUMNS", 64)
        patch.setattr(tiles, "HELD_NUMBERS", 128 * 8)
        tracemalloc.start()
        top_neighbor_pairs(keys, rows, NeighborOptions(floor, 2, 0))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak


@pytest.mark.parametrize("floor", [-1.0, 0.9])
def test_memory_grows_with_the_rows_and_not_with_the_pairs(floor: float) -> None:
    """Sixteen times the rows are 256 times the pairs; a row never takes more than its lists."""
    traced(100, floor)  # what is allocated once
    for n in (500, 2000, 8000):
        assert traced(n, floor) < 700_000 + 800 * n


def digest_in_a_process(threads: str, kernel: str | None = None) -> str:
    """Return a digest of results computed with so many BLAS threads, by a kernel of OpenBLAS."""
    program = """
import hashlib, numpy as np
from memsleep.core import NeighborOptions, sketches, top_neighbor_pairs
sketches.LEAST_WORK = 0
rng = np.random.default_rng(0)
rows = rng.standard_normal((700, 96)).astype(np.float32)
rows[600:] = rows[:100] + 0.1 * rng.standard_normal((100, 96)).astype(np.float32)
rows[400:450] = rows[0] + 1e-6 * rng.standard_normal((50, 96)).astype(np.float32)
names = [str(number) for number in range(700)]
found = [top_neighbor_pairs(names, rows, NeighborOptions(floor, 5)) for floor in (-1.0, 0.95)]
print(hashlib.sha256(repr(found).encode()).hexdigest(), [len(pairs) for pairs in found])
"""
    source = Path(neighbors.__file__).parents[2]
    limits = dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], threads)
    environment = {**os.environ, **limits, "PYTHONPATH": str(source), "PYTHONHASHSEED": threads}
    if kernel:
        environment["OPENBLAS_CORETYPE"] = kernel
    return subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)


def test_threads_hash_seed_and_kernel_do_not_matter() -> None:
    """OpenBLAS has a kernel per processor, and each adds in an order of its own.

    Nehalem's needs nothing that a processor of today lacks; another library ignores the name.
    """
    expected = digest_in_a_process("1")
    assert digest_in_a_process("4") == expected
    assert digest_in_a_process("2", "Nehalem") == expected


@pytest.mark.parametrize(
    ("blob", "expected"),
    [
        (b"\x00\x00\x80\x3f\x00\x00\x00\xc0", [1.0, -2.0]),
        (b"\x01\x00\x00\x00", [1.401298464324817e-45]),
        (b"", None),
        (b"\x00", None),
        (b"\x00" * 5, None),
        (b"\x00" * 7, None),
    ],
)
def test_float32_view(blob: bytes, expected: list[float] | None) -> None:
    view = float32_view(blob)
    assert (None if view is None else view.tolist()) == expected


def test_float32_view_does_not_copy() -> None:
    blob = bytearray(b"\x00\x00\x80\x3f")
    view = float32_view(blob)  # type: ignore[arg-type]
    assert view is not None
    blob[2:4] = b"\x00\x40"
    assert view.tolist() == [2.0]
