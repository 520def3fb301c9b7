"""Steps of the sync in a process of their own, to be killed: `sync_driver.py STEP FOLDER`.

The service is a file that every write is appended to in one call. It honours client ids.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsleep.sync.drain import Drain
from memsleep.sync.outbox import Outbox, Queued
from memsleep.sync.protocol import Note, Page, PushRejected, PushResult, Scope, WriteRequest
from memsleep.sync.records import Records
from memsleep.sync.refusal import finish
from memsleep.sync.retry import Retry

if TYPE_CHECKING:
    from memsleep.request import RunRequest

NOW = "2026-11-30T03:00:00Z"
ENTRIES = 5
REFUSED_ENTRY = "m2.md"
REFUSED_MEMORY = "plant/boiler-a.md"


def requests() -> Iterator[WriteRequest]:
    """Give what the outbox is filled with: saves and forgets, one of them refused."""
    for number in range(ENTRIES):
        slug, forget = f"m{number}.md", number == 3
        note = None if forget else Note(scope="project", slug=slug, text=f"text {number}\r\n")
        yield WriteRequest(
            kind="forget" if forget else "save", client_id=f"c{number}", scope="project",
            slug=slug, write_mode="direct", note=note, reason=f"reason {number}",
        )  # fmt: skip


class FileService:
    """A service whose every write is one line of a file, and there when it is acknowledged."""

    id = "file"

    def __init__(self, folder: Path, refused: str) -> None:
        self._folder, self._refused = folder, refused
        folder.mkdir(exist_ok=True)

    def lines(self, name: str = "taken") -> list[dict[str, Any]]:
        """Return the writes that were taken, or all that were `asked`."""
        file = self._folder / f"{name}.jsonl"
        source = file.read_bytes() if file.exists() else b""
        return [json.loads(line) for line in source.split(b"\n") if line]

    def push(self, request: WriteRequest) -> PushResult:
        self._append("asked", request)
        if request.slug == self._refused:
            raise PushRejected("never this one")
        if request.client_id not in {line["client_id"] for line in self.lines()}:
            self._append("taken", request)
        return PushResult(id=request.client_id, status="applied")

    def _append(self, name: str, request: WriteRequest) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        handle = os.open(self._folder / f"{name}.jsonl", flags, 0o600)
        os.write(handle, request.model_dump_json().encode() + b"\n")
        os.fsync(handle)
        os.close(handle)

    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        if scope == "user" or cursor == "2":
            return Page(next_cursor=cursor, done=True)
        number = int(cursor or 0) + 1
        text = f"---\ntitle: new {number}\ntype: fact\n---\nThe new part {number} is green.\n"
        note = Note(scope=scope, slug=f"new/{number}.md", text=text)
        return Page(notes=(note,), next_cursor=str(number), done=number == 2)

    def reachable(self) -> bool:
        return True


def restored(_found: Queued, _reason: str) -> str:
    return "put back"


def request(root: Path) -> RunRequest:
    from night_kit import request_for  # the small steps need no night

    return request_for(root, options={"sync.provider": "directory"}, out=None)


def enqueue(folder: Path) -> None:
    """Take every request, and say so when it is taken."""
    box = Outbox(folder / "outbox")
    for wanted in requests():
        box.enqueue(wanted, now=NOW)
        os.write(1, wanted.client_id.encode() + b"\n")


def drain(folder: Path) -> None:
    """Deliver what waits."""
    service = FileService(folder / "service", REFUSED_ENTRY)
    box, records = Outbox(folder / "outbox"), Records(folder, lambda _line: None)
    finish(box, restored)
    Drain(box, records, service, restored, Retry(lambda _s: None)).run()


def night(root: Path) -> None:
    """Land a night, and queue it."""
    from memsleep.night.real import real_run

    real_run(request(root))


def queue(root: Path) -> None:
    """Queue what has landed."""
    from memsleep.landing.place import place_of
    from memsleep.night.queueing import queue_landed

    queue_landed(request(root), place_of(root))


def sync(root: Path) -> None:
    """Pull and drain, with a refusal that takes back what landed."""
    from memsleep.night.delivering import synchronise

    service = FileService(root.parent / "service", REFUSED_MEMORY)
    synchronise(request(root), service, Retry(lambda _s: None))


STEPS = {"enqueue": enqueue, "drain": drain, "night": night, "queue": queue, "sync": sync}

if __name__ == "__main__":
    STEPS[sys.argv[1]](Path(sys.argv[2]))
