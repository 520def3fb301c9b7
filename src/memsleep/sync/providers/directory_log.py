"""What happened in a folder that serves as a service: one line for each write and each change.

The line of a write is its acknowledgement, appended and flushed after its file is in place. Killed
between the two, the write comes again and finds its file as it wanted it. A cursor is the number of
a line with a mark that depends on all lines before it, so that a log that was begun anew is told.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from memsleep.landing.place import sync_folder
from memsleep.sync.protocol import Note, PushResult, PushStatus, Scope, TransientError, Value

FOLDER = ".memsleep-sync"
_HEAD_BYTES = 512
_LOG, _LOCK = "log.jsonl", "lock"
_OPEN = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Line(Value):
    """One line of the log."""

    seq: int
    mark: str
    """Depends on this line and on the mark of the line before."""
    scope: Scope
    slug: str
    changed: bool
    """False for a write that left everything as it was, and for a proposal."""
    digest: str | None = None
    """Of the file's bytes; None when there is no file now."""
    client_id: str | None = None
    """None for what somebody else did in the folder."""
    status: PushStatus | None = None
    reason: str = ""
    note: Note | None = None
    """What the write said of the note beside its text, which lies in the file."""

    @property
    def cursor(self) -> str:
        """Where a pull goes on after this line."""
        return f"{self.seq}.{self.mark}"


class Log:
    """The lines of one folder. Everything is done under its lock, which dies with its process."""

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER
        self._clear()

    def _clear(self) -> None:
        self._read_bytes = 0
        self._identity = (0, b"")
        self._lines: list[Line] = []
        self.newest: dict[tuple[Scope, str], Line] = {}
        self.results: dict[str, PushResult] = {}

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder against other processes, and know its newest line."""
        self._prepare()
        lock = os.open(self._folder / _LOCK, _OPEN, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._handle = os.open(self._folder / _LOG, _OPEN, 0o666)
            try:
                self._refresh()
                if self.is_new:
                    sync_folder(self._folder)
                yield
            finally:
                os.close(self._handle)
        finally:
            os.close(lock)

    def _prepare(self) -> None:
        try:
            self._folder.mkdir()
            sync_folder(self._folder.parent)
        except FileExistsError:
            if not stat.S_ISDIR(self._folder.lstat().st_mode):
                raise TransientError(f"{self._folder}: it is no folder, or a symlink") from None

    def _refresh(self) -> None:
        """Read the lines that came since; all of them when the file is another one now."""
        status = os.fstat(self._handle)
        known = min(_HEAD_BYTES, self._read_bytes)
        identity = (status.st_ino, os.pread(self._handle, known, 0))  # a number is used again
        if identity != self._identity or status.st_size < self._read_bytes:
            self._clear()
        data = os.pread(self._handle, status.st_size - self._read_bytes, self._read_bytes)
        whole = data[: data.rfind(b"\n") + 1]
        for raw in whole.split(b"\n"):
            self._take(raw)
        self._read_bytes += len(whole)
        head = os.pread(self._handle, min(_HEAD_BYTES, self._read_bytes), 0)
        self._identity = (status.st_ino, head)

    def _take(self, raw: bytes) -> None:
        try:
            line = Line.model_validate_json(raw)
        except ValidationError:
            return  # torn by a crash, or not ours: it acknowledges nothing
        self._lines.append(line)
        if line.changed:
            self.newest[line.scope, line.slug] = line
        if line.client_id is not None and line.status is not None:
            result = PushResult(id=line.client_id, status=line.status)
            self.results.setdefault(line.client_id, result)

    @property
    def is_new(self) -> bool:
        """True when nothing was ever written to it."""
        return not self._lines

    @property
    def cursor(self) -> str | None:
        """Where a pull goes on that has seen all lines."""
        return self._lines[-1].cursor if self._lines else None

    def after(self, scope: Scope, cursor: str | None) -> list[Line]:
        """Return the newest line of each slug of a scope that changed after a cursor, in order.

        A cursor of another log starts at the beginning.
        """
        start = 0 if cursor is None else self._seq_of(cursor)
        found = (line for line in self.newest.values() if line.scope == scope and line.seq > start)
        return sorted(found, key=lambda line: line.seq)

    def _seq_of(self, cursor: str) -> int:
        return next((line.seq for line in reversed(self._lines) if line.cursor == cursor), 0)

    def append(self, *lines: Line) -> None:
        """Give lines their numbers and have them on disk when this returns."""
        if os.fstat(self._handle).st_size > self._read_bytes:
            self._write(b"\n")  # ends a line that a crash tore
            self._refresh()
        last = self._lines[-1] if self._lines else None
        seq, mark = (0, "") if last is None else (last.seq, last.mark)
        data = bytearray()
        for line in lines:
            seq += 1
            bare = line.model_copy(update={"seq": seq, "mark": ""}).model_dump_json()
            mark = hashlib.sha256(f"{mark}{bare}".encode()).hexdigest()[:16]
            numbered = line.model_copy(update={"seq": seq, "mark": mark})
            data += numbered.model_dump_json().encode() + b"\n"
        self._write(bytes(data))
        self._refresh()

    def _write(self, data: bytes) -> None:
        os.lseek(self._handle, 0, os.SEEK_END)
        while data:
            data = data[os.write(self._handle, data) :]
        os.fsync(self._handle)
