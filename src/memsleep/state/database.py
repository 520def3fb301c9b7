"""Opening SQLite files: connections, transactions, migrations, copies, foreseen errors."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memsleep.errors import StateError

BUSY_TIMEOUT_SECONDS = 10.0
COPY_ATTEMPTS = 5

_SUFFIXES = ("", "-wal", "-journal")
_MAGIC = b"SQLite format 3\0"
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@dataclass(frozen=True, slots=True)
class Schema:
    """What a database file of ours must hold.

    Migration number n is `migrations[n - 1]`, a list of statements. The list only ever grows:
    numbers never repeat and never change their meaning.
    """

    application_id: int
    migrations: Sequence[Sequence[str]]

    @property
    def version(self) -> int:
        """Number of the newest migration."""
        return len(self.migrations)


@contextlib.contextmanager
def foreseen(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into errors for a person; the database is left as it is."""
    try:
        yield
    except sqlite3.Error as error:
        raise _state_error(path, error) from error


def _state_error(path: Path, error: sqlite3.Error) -> StateError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else None
    if primary in _DAMAGED:
        return damaged(path, str(error))
    if primary in _BUSY:
        return StateError(
            "state-busy",
            f"another process holds {path} for longer than {BUSY_TIMEOUT_SECONDS:.0f} s",
            context=("nothing was changed",),
            hint="run the command again when the other one has ended",
        )
    if primary == sqlite3.SQLITE_FULL:
        return StateError(
            "disk-full",
            f"there is no space left for {path}",
            context=("nothing is half changed",),
            hint="free some space and run it again",
        )
    return StateError(
        "state-unusable",
        f"cannot use the database {path}: {error}",
        context=("nothing was changed",),
        hint="check the free space and the permissions of its folder, or use --state-dir",
    )


def damaged(path: Path, detail: str) -> StateError:
    """Return the error for a file that is no whole database."""
    quoted = shlex.quote(str(path))
    return StateError(
        "state-damaged",
        f"{path} is not a whole SQLite database: {detail}",
        context=("it was left alone",),
        hint=f"put a copy back, or start afresh: mv {quoted} {quoted}.damaged",
    )


def open_database(path: Path, schema: Schema, *, shown: Path | None = None) -> sqlite3.Connection:
    """Open or create a database, check that it is ours and whole, and migrate it.

    `shown` is the path that errors name, where `path` is a copy of it.

    Raises
    ------
    StateError
        `state-newer`, `state-foreign`, `state-damaged`, `state-busy` or `state-unusable`.
    """
    shown = shown or path
    _refuse_newer_header(path, shown, schema)
    with foreseen(shown):
        # Whoever opens it may hand it to another thread; two never use it at once.
        connection = sqlite3.connect(
            path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(connection, shown, schema)
        except BaseException:
            connection.close()
            raise
    return connection


def _refuse_newer_header(path: Path, shown: Path, schema: Schema) -> None:
    """Refuse by the bytes of the file where they suffice: opening it would already touch it."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StateError(
            "state-unusable",
            f"cannot read {shown}: {error.strerror}",
            hint="check its permissions, or use --state-dir",
        ) from error
    if len(header) == 100 and header.startswith(_MAGIC):
        _refuse_newer(shown, struct.unpack(">I", header[60:64])[0], schema)
    elif header:
        raise damaged(shown, "expected the header of a database, found other bytes")


def _refuse_newer(path: Path, found: int, schema: Schema) -> None:
    if found > schema.version:
        raise StateError(
            "state-newer",
            f"{path} has version {found}, this program knows versions up to {schema.version}",
            context=("it was left alone",),
            hint="update memsleep: pip install --upgrade memsleep",
        )


def _prepare(connection: sqlite3.Connection, path: Path, schema: Schema) -> None:
    connection.execute("BEGIN")  # one view for both questions
    _refuse_newer(path, _pragma(connection, "user_version"), schema)
    _refuse_foreign(connection, path, schema)
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise damaged(path, "its pages contradict each other")
    migrate(connection, schema)


def _refuse_foreign(connection: sqlite3.Connection, path: Path, schema: Schema) -> None:
    identity = _pragma(connection, "application_id")
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if identity == schema.application_id or (identity == 0 and empty):
        return
    raise StateError(
        "state-foreign",
        f"{path} is a database of another program",
        context=("it was left alone",),
        hint="name another folder with --state-dir",
    )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def migrate(connection: sqlite3.Connection, schema: Schema) -> None:
    """Bring a database to the newest version, one transaction per migration.

    The version is read again inside each transaction: two programs that open an old database
    at once migrate it once.
    """
    for number, statements in enumerate(schema.migrations, start=1):
        if _pragma(connection, "user_version") >= number:
            continue
        with transaction(connection):
            if _pragma(connection, "user_version") >= number:
                continue
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {schema.application_id:d}")
            connection.execute(f"PRAGMA user_version = {number:d}")


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do all of it or nothing; takes the write lock at once, so that it cannot fail half-way."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def copy_database(source: Path, into: Path) -> Path | None:
    """Copy a database and its write-ahead log or journal without opening it; None if absent.

    The files are read again after they were copied, until both readings agree: a writer in
    between is noticed. The shared memory file is not copied, since the first to open a database
    builds it anew from the log.

    Raises
    ------
    StateError
        `state-busy` when the files keep changing.
    """
    if os.path.lexists(source) and not source.is_file():
        raise StateError(
            "state-damaged",
            f"expected a database at {source}, found no regular file",
            context=["it was left alone"],
            hint=f"move it away: {shlex.join(['mv', str(source), f'{source}.damaged'])}",
        )
    for _ in range(COPY_ATTEMPTS):
        if not source.is_file() or source.stat().st_size == 0:
            return None
        into.mkdir(parents=True, exist_ok=True)
        for suffix in _SUFFIXES:
            _copy_file(Path(f"{source}{suffix}"), into / (source.name + suffix))
        if _digests(into / source.name) == _digests(source):
            return into / source.name
    raise StateError(
        "state-busy",
        f"{source} keeps changing while it is read",
        hint="run the command again when the other one has ended",
    )


def _copy_file(source: Path, target: Path) -> None:
    try:
        shutil.copyfile(source, target)
    except FileNotFoundError:
        target.unlink(missing_ok=True)


def _digests(database: Path) -> list[bytes | None]:
    found: list[bytes | None] = []
    for suffix in _SUFFIXES:
        try:
            with Path(f"{database}{suffix}").open("rb") as file:
                found.append(hashlib.file_digest(file, "sha256").digest())
        except FileNotFoundError:
            found.append(None)
    return found
