from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import threading
from pathlib import Path

import pytest

from memsleep.errors import StateError
from memsleep.model import Usage
from memsleep.state import database
from memsleep.state.database import Schema, copy_database, open_database
from memsleep.state.migrations import STATE
from memsleep.state.store import open_copy, open_state
from state_kit import NIGHT, filled, folder_bytes, run_script

SHIPPED = [
    "b218a0c2321d",
    "7bb810aebfcb",
    "9a7fd8045bb9",
    "681c61bd298b",
    "6b36b96b6e61",
    "35aab94d7ef6",
    "aae4827ea8ad",
    "bac748c2b4ce",
    "1a265d5ef125",
]
"""Digests of the migrations in their order. A line is added, never changed."""
ONE = Schema(7, (("CREATE TABLE t (x INTEGER) STRICT", "INSERT INTO t VALUES (1)"),))
TWO = Schema(
    7,
    (
        *ONE.migrations,
        (
            "CREATE TABLE u (y INTEGER) STRICT",
            "INSERT INTO u SELECT x FROM t",
            "UPDATE t SET x = 2",
        ),
    ),
)
KILLED_MIGRATION = """
import functools, os, signal, sqlite3, sys
from pathlib import Path
from memsleep.state import database

class Killed(sqlite3.Connection):
    left = int(sys.argv[2])

    def execute(self, *arguments):
        if Killed.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        Killed.left -= 1
        return super().execute(*arguments)

database.sqlite3.connect = functools.partial(sqlite3.connect, factory=Killed)
statements = (
    ("CREATE TABLE t (x INTEGER) STRICT", "INSERT INTO t VALUES (1)"),
    ("CREATE TABLE u (y INTEGER) STRICT", "INSERT INTO u SELECT x FROM t", "UPDATE t SET x = 2"),
)
database.open_database(Path(sys.argv[1]), database.Schema(7, statements))
"""
KILLED_WRITE = """
import sys
from pathlib import Path
from memsleep.model import Usage
from memsleep.state.store import open_state
state = open_state(Path(sys.argv[1]))
state.import_usage({"a.md": Usage(5), "b.md": Usage(5)})
state.close()
"""


def contents(path: Path) -> tuple[int, list[int], list[int]]:
    """Return version, rows of t and rows of u."""
    connection = sqlite3.connect(path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    rows = [
        [value for (value,) in connection.execute(f"SELECT * FROM {name}")]
        if name in tables
        else []
        for name in ("t", "u")
    ]
    connection.close()
    return version, rows[0], rows[1]


def test_numbers_never_repeat() -> None:
    """Each migration is what it was when it was shipped; later ones are added behind it."""
    found = [
        hashlib.sha256("\0".join(" ".join(text.split()) for text in each).encode()).hexdigest()[:12]
        for each in STATE.migrations
    ]
    assert found[: len(SHIPPED)] == SHIPPED
    assert len(found) == len(SHIPPED), "add the digest of the new migration to SHIPPED"


def test_opening_prepares(tmp_path: Path) -> None:
    """WAL, foreign keys and a busy time-out are on, and every table is strict."""
    connection = open_database(tmp_path / "state.db", STATE)
    pragmas = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "foreign_keys", "busy_timeout", "user_version")
    }
    tables = connection.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'")
    foreign = ("sqlite_", "fts")  # what SQLite makes for itself
    loose = [name for name, strict in tables if not strict and not name.startswith(foreign)]
    connection.close()
    assert pragmas == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "busy_timeout": 10_000,
        "user_version": STATE.version,
    }
    assert loose == []


def test_old_database_is_migrated(tmp_path: Path) -> None:
    """Only the missing migrations run, in order."""
    open_database(tmp_path / "t.db", ONE).close()
    open_database(tmp_path / "t.db", TWO).close()
    open_database(tmp_path / "t.db", TWO).close()
    assert contents(tmp_path / "t.db") == (2, [2], [1])


def test_a_failing_migration_leaves_the_old_version(tmp_path: Path) -> None:
    """An error in the middle takes back what came before it."""
    open_database(tmp_path / "t.db", ONE).close()
    broken = Schema(7, (*ONE.migrations, ("UPDATE t SET x = 2", "no sql")))
    with pytest.raises(StateError, match="syntax error"):
        open_database(tmp_path / "t.db", broken)
    assert contents(tmp_path / "t.db") == (1, [1], [])


@pytest.mark.parametrize("left", [0, 6, 10, 11, 13, 14, 15, 16, 17])
def test_killed_migration(tmp_path: Path, left: int) -> None:
    """A kill before any statement leaves the old version whole, and the next start migrates it."""
    path = tmp_path / "t.db"
    open_database(path, ONE).close()
    assert run_script(KILLED_MIGRATION, str(path), str(left)) == -9
    assert contents(path) == (1, [1], [])
    open_database(path, TWO).close()
    assert contents(path) == (2, [2], [1])


def test_kill_points_reach_the_commit(tmp_path: Path) -> None:
    """Those were the statements of the migration: behind the commit it has gone through."""
    path = tmp_path / "t.db"
    open_database(path, ONE).close()
    assert run_script(KILLED_MIGRATION, str(path), "18") == 0
    assert contents(path) == (2, [2], [1])


def test_killed_first_migration(tmp_path: Path) -> None:
    """A kill while the database is made leaves nothing that stands in the way."""
    for left in (3, 8, 10, 12):
        path = tmp_path / f"{left}.db"
        assert run_script(KILLED_MIGRATION, str(path), str(left)) == -9
        open_database(path, TWO).close()
        assert contents(path) == (2, [2], [1])


def can_trace() -> bool:
    strace = shutil.which("strace")
    return bool(strace) and subprocess.run([strace, "true"], capture_output=True).returncode == 0


@pytest.mark.skipif(not can_trace(), reason="needs strace and the right to trace")
@pytest.mark.parametrize("call", ["pwrite64:when=1", "pwrite64:when=3", "fdatasync:when=1"])
def test_killed_inside_sqlite(tmp_path: Path, call: str) -> None:
    """A kill between SQLite's own system calls: both rows are written or none is."""
    path = tmp_path / "state.db"
    filled(path, {"a.md": Usage(1), "b.md": Usage(1)}).close()
    name, when = call.split(":")
    wrapper = ("strace", "-f", "-qq", "-e", f"inject={name}:signal=KILL:{when}", "-o", os.devnull)
    assert run_script(KILLED_WRITE, str(path), wrapper=wrapper) == -9
    with open_state(path) as state:
        assert {usage.access_count for usage in state.usage().values()} in ({1}, {5})


def newer(path: Path) -> Path:
    """Leave what a newer program leaves when it is killed: a database and a log beside it."""
    source = path.with_name("source.db")
    connection = sqlite3.connect(source, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA user_version = 99")
    connection.execute("PRAGMA wal_checkpoint")
    connection.execute("CREATE TABLE future (x)")
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{source}{suffix}", f"{path}{suffix}")
    connection.close()
    source.unlink()
    return path


def test_newer_is_left_alone(tmp_path: Path) -> None:
    """A database of a newer program is refused, and neither it nor its folder changes."""
    path = newer(tmp_path / "state.db")
    before = folder_bytes(tmp_path)
    with pytest.raises(
        StateError, match=f"version 99, this program knows versions up to {STATE.version}"
    ) as error:
        open_state(path)
    assert error.value.reference == "state-newer"
    assert folder_bytes(tmp_path) == before


def test_newer_in_the_log_only(tmp_path: Path) -> None:
    """A version that only the write-ahead log holds is seen too."""
    path = tmp_path / "state.db"
    open_state(path).close()
    holder = sqlite3.connect(path)
    holder.execute("PRAGMA user_version = 99")
    assert int.from_bytes(path.read_bytes()[60:64]) == STATE.version
    with pytest.raises(StateError) as error:
        open_state(path)
    holder.close()
    assert error.value.reference == "state-newer"


def test_foreign_is_left_alone(tmp_path: Path) -> None:
    """A database of another program is not taken over."""
    connection = sqlite3.connect(tmp_path / "state.db")
    connection.execute("CREATE TABLE access (path TEXT PRIMARY KEY)")
    connection.close()
    before = folder_bytes(tmp_path)
    with pytest.raises(StateError) as error:
        open_state(tmp_path / "state.db")
    assert error.value.reference == "state-foreign"
    assert folder_bytes(tmp_path) == before


def damaged_file(path: Path, *, offset: int, content: bytes) -> Path:
    filled(path).close()
    source = bytearray(path.read_bytes())
    source[offset : offset + len(content)] = content
    path.write_bytes(source)
    return path


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"offset": 0, "content": b"not a database"}, id="header"),
        pytest.param({"offset": 100, "content": bytes(3000)}, id="first page"),
        pytest.param({"offset": 8192, "content": b"\xff" * 8192}, id="pages behind"),
    ],
)
def test_damaged(tmp_path: Path, damage: dict[str, bytes]) -> None:
    """A damaged database is told, with the path and a line to paste."""
    path = damaged_file(tmp_path / "state.db", **damage)  # type: ignore[arg-type]
    with pytest.raises(StateError) as error:
        open_state(path)
    assert error.value.reference == "state-damaged"
    assert f"mv {path} {path}.damaged" in str(error.value.hint)


def test_a_damaged_original_is_named(tmp_path: Path) -> None:
    """A dry run that meets it in a copy names the file that the user has."""
    path = damaged_file(tmp_path / "state.db", offset=8192, content=b"\xff" * 8192)
    with pytest.raises(StateError) as error:
        open_copy(path, tmp_path / "scratch")
    assert str(path) in error.value.message
    assert "scratch" not in "".join(error.value.lines())


def test_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that waits too long says so and changes nothing."""
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.05)
    path = tmp_path / "state.db"
    with filled(path) as state:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StateError) as error:
            state.observe({}, NIGHT)
        holder.close()
        assert error.value.reference == "state-busy"
        assert list(state.standing()) == ["a.md", "b.md"]


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop"])
def test_copy_of_what_is_no_file(tmp_path: Path, kind: str) -> None:
    """It is named and left alone, not taken for a state that is not there yet."""
    path = tmp_path / "state.db"
    make = {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path)}
    make.get(kind, lambda: path.symlink_to(path))()
    with pytest.raises(StateError) as error:
        copy_database(path, tmp_path / "scratch")
    assert error.value.reference == "state-damaged"


def test_copy_of_nothing(tmp_path: Path) -> None:
    """No database: no copy, and nothing is made."""
    assert copy_database(tmp_path / "state.db", tmp_path / "scratch") is None
    assert list(tmp_path.iterdir()) == []


def test_copy_leaves_the_original(tmp_path: Path) -> None:
    """The copy holds what is only in the write-ahead log; the original's folder keeps its bytes."""
    corpus = tmp_path / "corpus"
    with filled(corpus / "state.db", {"a.md": Usage(3)}):
        before = folder_bytes(corpus)
        assert "state.db-wal" in before
        with open_copy(corpus / "state.db", tmp_path / "scratch") as copy:
            assert copy.usage() == {"a.md": Usage(3)}
            copy.observe({}, NIGHT)
        assert folder_bytes(corpus) == before


def test_copy_of_a_rollback_journal(tmp_path: Path) -> None:
    """A transaction that was cut off is rolled back in the copy, as it would be in place."""
    path = tmp_path / "plain.db"
    script = (
        "import sqlite3, sys, os, signal; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "c.execute('PRAGMA cache_size = 1'); c.execute('CREATE TABLE t (x, y)');"
        "c.execute('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)"
        " INSERT INTO t SELECT 1, randomblob(200) FROM n');"
        "c.execute('BEGIN IMMEDIATE'); c.execute('UPDATE t SET x = 2');"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert run_script(script, str(path)) == -9
    assert path.with_name("plain.db-journal").exists()
    copy = copy_database(path, tmp_path / "scratch")
    assert copy is not None
    connection = sqlite3.connect(copy)
    assert connection.execute("SELECT DISTINCT x FROM t").fetchall() == [(1,)]
    connection.close()


def test_copy_notices_a_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that changes while it is copied is copied again, not kept half."""
    path = tmp_path / "state.db"
    path.write_bytes(b"old")
    real, changes = database._copy_file, iter([b"newer", b"newest"])

    def copy(source: Path, target: Path) -> None:
        real(source, target)
        path.write_bytes(next(changes, path.read_bytes()))

    monkeypatch.setattr(database, "_copy_file", copy)
    copied = copy_database(path, tmp_path / "scratch")
    assert copied is not None
    assert copied.read_bytes() == path.read_bytes() == b"newest"


def test_copy_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that never stands still is an error."""
    path, real = tmp_path / "state.db", database._copy_file
    path.write_bytes(b"x")

    def copy(source: Path, target: Path) -> None:
        real(source, target)
        path.write_bytes(path.read_bytes() + b"x")

    monkeypatch.setattr(database, "_copy_file", copy)
    with pytest.raises(StateError) as error:
        copy_database(path, tmp_path / "scratch")
    assert error.value.reference == "state-busy"


def test_copy_forgets_a_log_that_is_gone(tmp_path: Path) -> None:
    """A log of an earlier copy does not stay beside the new one."""
    filled(tmp_path / "state.db").close()
    (tmp_path / "scratch").mkdir()
    (tmp_path / "scratch" / "state.db-wal").write_bytes(b"old log")
    copy_database(tmp_path / "state.db", tmp_path / "scratch")
    assert [file.name for file in (tmp_path / "scratch").iterdir()] == ["state.db"]


def test_many_open_a_new_state_at_once(tmp_path: Path) -> None:
    """Programs that start together migrate it once, and none of them fails."""
    failures: list[BaseException] = []

    def start() -> None:
        try:
            open_state(tmp_path / "state.db").close()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_readers_beside_a_writer(tmp_path: Path) -> None:
    """A reader sees each transaction whole: the two counts always agree."""
    path = tmp_path / "state.db"
    filled(path, {"a.md": Usage(0), "b.md": Usage(0)}).close()
    torn: list[object] = []
    ready, ended = threading.Barrier(4), threading.Event()

    def read() -> None:
        with open_state(path) as state:
            ready.wait()
            while not ended.is_set():
                counts = {usage.access_count for usage in state.usage().values()}
                if len(counts) != 1:
                    torn.append(counts)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    with open_state(path) as state:
        ready.wait()
        for count in range(1, 40):
            state.import_usage({"a.md": Usage(count), "b.md": Usage(count)})
        ended.set()
        for reader in readers:
            reader.join()
        assert {usage.access_count for usage in state.usage().values()} == {39}
    assert torn == []
