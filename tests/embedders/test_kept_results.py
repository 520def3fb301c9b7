"""Results in the cache: whole or absent, under their code only, gone when a text is purged."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memsleep.embedders import cache as cache_module
from memsleep.embedders.cache import VectorCache, open_cache, open_cache_copy
from memsleep.embedders.kept_results import SHARDS
from memsleep.known import Known, Row, digest_of

KEYS = [digest_of(str(n)) for n in range(300)]


def anything(row: Row) -> bool:
    return True


def known_of(cache: VectorCache, made: str = "made", keys: list[str] = KEYS) -> Known:
    """Ask for results as a phase does, and keep them."""
    known = cache.known()
    table = known.table("letters", anything)
    for key in keys:
        table.of(key, lambda: [made])
    cache.keep_known(known)
    return known


def test_the_next_night_knows(tmp_path: Path) -> None:
    """All that was asked for is known, in shards; what is asked for no more goes."""
    with open_cache(tmp_path / "cache.db") as cache:
        assert known_of(cache).counts() == {"letters": {"made": 300, "known": 0}}
        assert known_of(cache, "again").counts() == {"letters": {"made": 0, "known": 300}}
        assert known_of(cache, "again", KEYS[:10]).counts() == {"letters": {"made": 0, "known": 10}}
        assert known_of(cache, "third").counts() == {"letters": {"made": 290, "known": 10}}
        assert cache.known().table("letters", anything).kept[KEYS[3]] == ["made"]
        assert cache.known().table("letters", anything).kept[KEYS[30]] == ["third"]
    with sqlite3.connect(tmp_path / "cache.db") as direct:
        (count,) = direct.execute("SELECT count(*) FROM results").fetchone()
    direct.close()
    assert 1 < count <= SHARDS


def test_a_table_that_nobody_asked_for_stays(tmp_path: Path) -> None:
    """A night of other phases takes nothing away."""
    with open_cache(tmp_path / "cache.db") as cache:
        known_of(cache)
        known = cache.known()
        known.table("digits", anything).of(KEYS[0], lambda: [1])
        cache.keep_known(known)
        assert known_of(cache).counts() == {"letters": {"made": 0, "known": 300}}
        assert cache.known().table("digits", anything).kept == {KEYS[0]: [1]}


@pytest.mark.parametrize("column", ["value", "sum", "name", "shard"])
def test_a_damaged_shard_is_noticed(tmp_path: Path, column: str) -> None:
    """Its results count as absent, it is counted, and the others still help."""
    harm = {
        "value": "value = CAST(replace(CAST(value AS TEXT), 'made', 'fade') AS BLOB)",
        "sum": "sum = zeroblob(16)",
        "name": "name = 'litters'",
        "shard": "shard = 99",
    }[column]
    with open_cache(tmp_path / "cache.db") as cache:
        known_of(cache)
    with sqlite3.connect(tmp_path / "cache.db") as direct:
        direct.execute(f"UPDATE results SET {harm} WHERE shard = 7")
    direct.close()
    with open_cache(tmp_path / "cache.db") as cache:
        table = known_of(cache, "anew").tables["letters"]
        assert cache.damaged == 1
        assert 0 < table.made < 20
        assert set(map(tuple, table.used.values())) == {("made",), ("anew",)}


def test_other_code_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another version found out is neither believed nor kept."""
    with open_cache(tmp_path / "cache.db") as cache:
        known_of(cache)
        monkeypatch.setattr(cache_module, "code_version", lambda: "other")
        assert known_of(cache).counts() == {"letters": {"made": 300, "known": 0}}
        monkeypatch.undo()
        assert known_of(cache).counts() == {"letters": {"made": 300, "known": 0}}
        assert cache.damaged == 0


def test_a_purge_takes_all_results(tmp_path: Path) -> None:
    """They may quote the memory that is to be forgotten."""
    with open_cache(tmp_path / "cache.db") as cache:
        known_of(cache, "a secret of the memory")
        assert b"secret of" in b"".join(cache.known()._kept["letters"])
        cache.forget(["some text"])
        assert cache.known().table("letters", anything).kept == {}
    assert b"secret of" not in (tmp_path / "cache.db").read_bytes()


def test_a_copy_keeps_nothing(tmp_path: Path) -> None:
    """A dry run reads what live nights know, and leaves it as it is."""
    with open_cache(tmp_path / "cache.db") as cache:
        known_of(cache, keys=KEYS[:5])
    before = (tmp_path / "cache.db").read_bytes()
    with open_cache_copy(tmp_path / "cache.db", tmp_path / "scratch") as copy:
        assert known_of(copy).counts() == {"letters": {"made": 295, "known": 5}}
        assert known_of(copy).counts() == {"letters": {"made": 295, "known": 5}}
    assert (tmp_path / "cache.db").read_bytes() == before
