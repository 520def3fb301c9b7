from __future__ import annotations

import math
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from memsleep.core import NeighborOptions
from memsleep.core.list_pairs import list_pairs
from memsleep.embedders import near as module
from memsleep.embedders.cache import VectorCache, open_cache, open_cache_copy
from memsleep.embedders.near import NearVectors, with_near
from memsleep.model import Vectors
from near_kit import History, in_full

HISTORIES = 200
STEPS = 6
BLOBS = ("digests", "sizes", "partners", "similarities", "bounds", "sum")


def vectors_of(history: History) -> Vectors:
    keys, rows = history.matrix()
    return Vectors(history.identity, tuple(keys), rows)


def check(history: History, found: NearVectors) -> None:
    """Compare lists with all pairs: the night's own question, and others that lists must bear."""
    keys, rows = history.matrix()
    near = found.vectors.near
    assert near is not None
    floor, k = history.floor, history.k
    limit = history.rng.choice((math.inf, 2 * len(keys), 3))
    for asked in (
        NeighborOptions(floor, k, limit),
        NeighborOptions(min(1.0, 1.5 * floor), k, limit),
        NeighborOptions(0.8 * floor, k + 2, limit),
    ):
        chosen = history.some(len(keys))
        names = [keys[row] for row in chosen]
        told = list_pairs(near.lists, near.contents, chosen, names, asked)
        assert told == in_full(keys, rows, chosen, asked)


@pytest.mark.parametrize("part", range(8))
def test_edit_histories_give_what_a_full_comparison_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    """After every step of a history, lists that were mended say what all pairs say, bit for bit."""
    monkeypatch.setattr(module, "SPARE", part % 4)  # short lists run out often
    taken = mended = exhausted = 0
    with open_cache(tmp_path / "cache.db") as cache:
        for seed in range(part, HISTORIES, 8):
            history = History(seed)
            for _ in range(STEPS):
                vectors = vectors_of(history)
                if len(vectors.paths) > 1:
                    found = with_near(vectors, history.floor, history.k, cache)
                    check(history, found)
                    work = found.work
                    assert work is not None
                    taken += not work.anew and work.known > 0
                    mended += not work.anew and work.come + work.gone > 0
                    exhausted += not work.anew and work.exhausted > 0
                history.step()
    assert min(taken, mended) > 50  # else the histories would show nothing
    assert exhausted > 3


def test_a_change_costs_a_change(tmp_path: Path) -> None:
    """What did not change is not searched again."""
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(200, 6)).astype(np.float32)
    paths = tuple(f"{n:03}.md" for n in range(200))
    with open_cache(tmp_path / "cache.db") as cache:
        first = with_near(Vectors("e", paths, rows), 0.5, 3, cache)
        again = with_near(Vectors("e", paths, rows), 0.5, 3, cache)
        rows = rows.copy()
        rows[7] = -rows[7]
        third = with_near(Vectors("e", paths[:-1], rows[:-1]), 0.5, 3, cache)
    assert first.work is not None
    assert again.work is not None
    assert third.work is not None
    assert (first.work.anew, first.work.known) == (True, 0)
    assert (again.work.anew, again.work.known, again.work.exhausted) == (False, 200, 0)
    assert (third.work.known, third.work.come, third.work.gone) == (198, 1, 2)
    assert (third.work.anew, third.work.exhausted) == (False, 0)


def kept(path: Path) -> tuple[Vectors, VectorCache]:
    history = History(3)
    cache = open_cache(path)
    with_near(vectors_of(history), history.floor, history.k, cache)
    return vectors_of(history), cache


@pytest.mark.parametrize("blob", BLOBS)
@pytest.mark.parametrize("harm", ["bit", "cut", "longer"])
def test_damaged_lists_are_noticed(tmp_path: Path, blob: str, harm: str) -> None:
    """One wrong bit anywhere: the lists are not believed, it is said, and the result is right."""
    vectors, cache = kept(tmp_path / "cache.db")
    with sqlite3.connect(tmp_path / "cache.db") as direct:
        (value,) = direct.execute(f"SELECT {blob} FROM near_lists").fetchone()
        middle = len(value) // 2
        wrong = {
            "bit": value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :],
            "cut": value[:-8],
            "longer": value + bytes(8),
        }[harm]
        direct.execute(f"UPDATE near_lists SET {blob} = ?", (wrong,))
    direct.close()
    history = History(3)
    with cache:
        found = with_near(vectors, history.floor, history.k, cache)
        assert found.damaged
        assert found.work is not None
        assert found.work.anew
        check(history, found)
        assert not with_near(vectors, history.floor, history.k, cache).damaged


@pytest.mark.parametrize(
    ("blob", "values"),
    [
        ("sizes", np.array([-1, 1], "<i4")),
        ("sizes", np.array([1, 2], "<i4")),
        ("partners", np.array([2, 0], "<i4")),
        ("partners", np.array([-1, 0], "<i4")),
        ("similarities", np.array([np.nan, 0.9], "<f8")),
        ("similarities", np.array([0.2, 0.9], "<f8")),
        ("bounds", np.array([np.nan, 0.5], "<f8")),
        ("bounds", np.array([0.5], "<f8")),
        ("digests", np.array([7] * 32, "u1")),
        ("digests", np.array([7] * 31, "u1")),
    ],
)
def test_lists_that_contradict_themselves_are_none(
    tmp_path: Path, blob: str, values: np.ndarray
) -> None:
    """A sum alone is no proof that somebody wrote sense."""
    from memsleep.embedders import kept_lists

    blobs = {
        "digests": bytes(range(32)),
        "sizes": np.array([1, 1], "<i4").tobytes(),
        "partners": np.array([1, 0], "<i4").tobytes(),
        "similarities": np.array([0.9, 0.9], "<f8").tobytes(),
        "bounds": np.array([0.5, 0.5], "<f8").tobytes(),
    }
    assert kept_lists._lists(list(blobs.values())) is not None
    blobs[blob] = values.tobytes()
    assert kept_lists._lists(list(blobs.values())) is None


def test_lists_of_another_embedder_are_no_help(tmp_path: Path) -> None:
    """A list that was kept under a name is read under that name only, and never on trust."""
    vectors, cache = kept(tmp_path / "cache.db")
    with cache:
        assert cache.lists("two").lists.digests == ()
        with sqlite3.connect(tmp_path / "cache.db") as direct:
            direct.execute("UPDATE near_lists SET identity = 'two'")
        direct.close()
        assert cache.lists("two").damaged
        assert cache.lists(vectors.identity).lists.digests == ()


def test_lists_of_two_embedders_stay_and_older_ones_go(tmp_path: Path) -> None:
    """Whoever tries an embedder and goes back finds the lists; the cache does not grow for ever."""
    history = History(3)
    with open_cache(tmp_path / "cache.db") as cache:
        for identity in ("one", "two", "three", "two"):
            history.identity = identity
            with_near(vectors_of(history), history.floor, history.k, cache)
        there = [bool(cache.lists(name).lists.digests) for name in ("one", "two", "three")]
    assert there == [False, True, True]


def test_a_dry_run_profits_and_keeps_nothing(tmp_path: Path) -> None:
    """What a copy of the cache is told does not reach the cache."""
    vectors, cache = kept(tmp_path / "cache.db")
    cache.close()
    before = (tmp_path / "cache.db").read_bytes()
    history = History(3)
    with open_cache_copy(tmp_path / "cache.db", tmp_path / "scratch") as copy:
        found = with_near(vectors, history.floor, history.k, copy)
    assert found.work is not None
    assert not found.work.anew
    assert (tmp_path / "cache.db").read_bytes() == before


@pytest.mark.parametrize(
    ("floor", "neighbors", "count"),
    [
        (0.0, 3, 9),
        (-1.0, 3, 9),
        (1.1, 3, 9),
        (2.0, 3, 9),
        (0.5, 65, 9),
        (0.5, 3, 1),
    ],
)
def test_where_lists_are_no_use_there_are_none(floor: float, neighbors: int, count: int) -> None:
    """A floor that everything reaches or nothing, very long lists, a lonely row."""
    rows = np.eye(9, dtype=np.float32)[:count]
    vectors = Vectors("e", tuple(str(n) for n in range(count)), rows)
    assert with_near(vectors, floor, neighbors, None) == NearVectors(vectors)


def test_forgetting_a_text_forgets_the_lists(tmp_path: Path) -> None:
    """A digest of a vector is a trace of a text."""
    vectors, cache = kept(tmp_path / "cache.db")
    with cache:
        cache.forget(["never seen"])
        assert cache.lists(vectors.identity).lists.digests == ()
