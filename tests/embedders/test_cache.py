from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from memsleep.embedders import cache as cache_module
from memsleep.embedders.cache import open_cache, open_cache_copy, text_digest
from memsleep.errors import StateError

ROW = np.array([0.1, -2.5, np.float32(1e-30)], np.float32)
KEY = text_digest("text")


def test_key_is_a_digest() -> None:
    """No text of a memory is kept, and half a surrogate pair has a digest too."""
    assert text_digest("é") == hashlib.sha256("é".encode()).digest()
    assert text_digest("\ud800") != text_digest("\ud801")


def test_rows_survive(tmp_path: Path) -> None:
    """What was written is read by the next night, bit for bit."""
    with open_cache(tmp_path / "deep" / "cache.db") as cache:
        cache.write("e1", {KEY: ROW})
    with open_cache(tmp_path / "deep" / "cache.db") as cache:
        assert cache.read("e1", 3, [KEY])[KEY].tobytes() == ROW.tobytes()


@pytest.mark.parametrize(("identity", "dimension"), [("e2", 3), ("e1", 2), ("e1", 4)])
def test_what_does_not_fit_is_absent(tmp_path: Path, identity: str, dimension: int) -> None:
    """A row of another identity or length is none."""
    with open_cache(tmp_path / "cache.db") as cache:
        cache.write("e1", {KEY: ROW})
        assert cache.read(identity, dimension, [KEY]) == {}


def test_more_rows_than_one_query_takes(tmp_path: Path) -> None:
    """Any number of rows is found."""
    rows = {text_digest(str(n)): np.array([n], np.float32) for n in range(1201)}
    with open_cache(tmp_path / "cache.db") as cache:
        cache.write("e1", rows)
        found = cache.read("e1", 1, [*rows, text_digest("absent")])
    assert {key: row[0] for key, row in found.items()} == {k: row[0] for k, row in rows.items()}


def test_a_copy_is_thrown_away(tmp_path: Path) -> None:
    """A dry run reads the cache and leaves neither bytes nor files beside it."""
    path = tmp_path / "corpus" / "cache.db"
    with open_cache(path) as cache:
        cache.write("e1", {KEY: ROW})
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with open_cache_copy(path, tmp_path / "scratch") as copy:
        assert KEY in copy.read("e1", 3, [KEY])
        copy.write("e1", {text_digest("new"): ROW})
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_no_cache_yet(tmp_path: Path) -> None:
    """A dry run of a corpus without a cache makes one elsewhere."""
    with open_cache_copy(tmp_path / "corpus" / "cache.db", tmp_path / "scratch") as copy:
        assert copy.read("e1", 3, [KEY]) == {}
    assert not (tmp_path / "corpus").exists()


def test_row_without_numbers_is_absent(tmp_path: Path) -> None:
    """What a broken program left there must not reach a similarity."""
    with open_cache(tmp_path / "cache.db") as cache:
        cache.write("e1", {KEY: np.array([1, np.nan, 2], np.float32)})
        assert cache.read("e1", 3, [KEY]) == {}


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop"])
def test_copy_of_what_is_no_file_is_an_empty_cache(tmp_path: Path, kind: str) -> None:
    """A cache never stops a night."""
    path = tmp_path / "cache.db"
    make = {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path)}
    make.get(kind, lambda: path.symlink_to(path))()
    with open_cache_copy(path, tmp_path / "scratch") as copy:
        assert copy.begun_anew
        assert copy.read("e1", 3, [KEY]) == {}


@pytest.mark.parametrize("content", [b"no database at all" * 9, b"x"])
def test_a_damaged_cache_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    """A lost cache costs time, not the night."""
    path = tmp_path / "cache.db"
    path.write_bytes(content)
    with open_cache(path) as cache:
        cache.write("e1", {KEY: ROW})
    with open_cache(path) as cache:
        assert KEY in cache.read("e1", 3, [KEY])


@pytest.mark.parametrize("pragma", ["user_version = 99", "application_id = 7"])
def test_a_cache_of_another_program_is_left_alone(tmp_path: Path, pragma: str) -> None:
    """What is newer or not ours stays as it is; the night goes on without it."""
    path = tmp_path / "cache.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.execute(f"PRAGMA {pragma}")
    connection.close()
    before = path.read_bytes()
    with open_cache(path) as cache:
        cache.write("e1", {KEY: ROW})
        assert KEY in cache.read("e1", 3, [KEY])
    assert path.read_bytes() == before


def test_a_folder_in_its_place_is_an_error(tmp_path: Path) -> None:
    """What cannot be read is told."""
    (tmp_path / "cache.db").mkdir()
    with pytest.raises(StateError) as error:
        open_cache(tmp_path / "cache.db")
    assert error.value.reference == "state-unusable"


@pytest.mark.parametrize("count", [3, cache_module._MANY + 1])
def test_few_and_many_rows_are_found_alike(tmp_path: Path, count: int) -> None:
    """Asking for all is quicker, and gives no row that nobody asked for."""
    rows = {text_digest(str(n)): np.array([n], np.float32) for n in range(count)}
    with open_cache(tmp_path / "cache.db") as cache:
        cache.write("e1", rows)
        cache.write("e1", {text_digest("more"): ROW[:1], text_digest("wrong"): ROW})
        cache.write("e1", {text_digest("nan"): np.array([np.nan], np.float32)})
        cache.write("e2", {text_digest("0"): ROW[:1]})
        found = cache.read("e1", 1, [*rows, text_digest("nan"), text_digest("wrong")])
    assert {key: float(row[0]) for key, row in found.items()} == {
        key: float(row[0]) for key, row in rows.items()
    }


def test_vectors_of_texts_that_are_gone_go(tmp_path: Path) -> None:
    """The cache holds what is in use, and not much more; of other embedders as much."""

    def rows(count: int, name: str) -> dict[bytes, np.ndarray]:
        return {text_digest(f"{name} {n}"): np.array([n], np.float32) for n in range(count)}

    with open_cache(tmp_path / "cache.db") as cache:

        def counts() -> dict[str, int]:
            return dict(cache._connection.execute(cache_module._COUNT).fetchall())

        cache.write("e1", rows(1200, "old"))
        cache.write("e2", rows(1200, "old"))
        cache.prune("e1", set(rows(100, "old")))
        assert counts() == {"e1": 1200, "e2": 1200}
        cache.write("e1", rows(1, "new"))
        cache.prune("e1", set(rows(100, "old")))
        assert counts() == {"e1": 100, "e2": 1200}
        cache.write("e3", rows(1, "new"))
        cache.prune("e1", set(rows(100, "old")))
        assert counts() == {"e1": 100}
        assert len(cache.read("e1", 1, list(rows(100, "old")))) == 100


@pytest.mark.parametrize(
    "change",
    ["vector = zeroblob(12)", "sum = x'00'", "digest = zeroblob(32)", "vector = x'00'"],
)
def test_a_damaged_vector_is_absent_and_counted(tmp_path: Path, change: str) -> None:
    """One wrong bit would be a wrong similarity: what is not what was written is made anew."""
    other = text_digest("other")
    with open_cache(tmp_path / "cache.db") as cache:
        cache.write("e1", {KEY: ROW, other: ROW})
        cache._connection.execute(f"UPDATE vectors SET {change} WHERE digest = ?", (KEY,))
        assert cache.read("e1", 3, [KEY, other, bytes(32)]).keys() == {other}
        assert cache.damaged == 1
        cache.write("e1", {KEY: ROW, bytes(32): ROW})
        assert cache.read("e1", 3, [KEY]).keys() == {KEY}


def test_vectors_of_before_the_sums_are_made_once_more(tmp_path: Path) -> None:
    """They are absent, and nobody is alarmed."""
    with open_cache(tmp_path / "cache.db") as cache:
        cache.write("e1", {KEY: ROW})
        cache._connection.execute("UPDATE vectors SET sum = NULL")
        assert cache.read("e1", 3, [KEY]) == {}
        assert cache.damaged == 0
