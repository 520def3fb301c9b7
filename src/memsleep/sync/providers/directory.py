"""Another folder as the service: it needs no network, and people may edit its files.

ROOT/project/SLUG, ROOT/user/SLUG      the notes, as plain files
ROOT/.memsleep-sync/log.jsonl          what was written and what changed, one line each
ROOT/.memsleep-sync/proposals/ID.json  what was proposed, until a person decides
ROOT/.memsleep-sync/kept/ID            the bytes that a write replaced or took away
ROOT/decisions.jsonl                   decided facts that the service holds, if any
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memsleep.corpus.folder import FolderSource
from memsleep.landing.place import write_whole
from memsleep.landing.writer import BlockedError, ChangedError, Writer
from memsleep.model import digest_bytes
from memsleep.sync.protocol import (
    SCOPES,
    Note,
    Page,
    PushRejected,
    PushResult,
    PushStatus,
    Scope,
    TransientError,
    WriteRequest,
)
from memsleep.sync.providers.directory_files import (
    MAX_NOTE_BYTES,
    UNREAD,
    decisions_of,
    encoded,
    found_line,
    note_of,
    read,
    said_of,
    temp_of,
    text_of,
)
from memsleep.sync.providers.directory_log import FOLDER, Line, Log
from memsleep.sync.providers.slugs import refuse_unfit, unfit


class DirectoryProvider:
    """A folder that memories are delivered to. It must exist."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._log = Log(root)
        self._is_other = False

    def __repr__(self) -> str:
        return f"DirectoryProvider({str(self._root)!r})"

    @property
    def id(self) -> str:
        """The folder."""
        return f"directory:{self._root}"

    def reachable(self) -> bool:
        """Say whether the folder is there."""
        return os.path.isdir(self._root)  # noqa: PTH112 (a Path raises where rights are missing)

    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        """Return one page of what changed after a cursor, by whatever hand."""
        if scope not in SCOPES or take < 1:
            raise ValueError("expected a scope, and at least one note to take")
        with self._opened() as files:
            if cursor is not None and self._log.is_new:
                self._is_other = True  # and nothing is delivered to it either
                raise self._gone_log()
            changed = self._log.after(scope, cursor)
            if len(changed) <= take:  # the last page tells what others did until now
                self._notice(scope, files)
                changed = self._log.after(scope, cursor)
            page, rest = changed[:take], changed[take:]
            notes = tuple(self._told(page, files))
            end = page[-1].cursor if rest else self._log.cursor
            decisions = () if rest else decisions_of(files)
            return Page(notes=notes, decisions=decisions, next_cursor=end, done=not rest)

    def push(self, request: WriteRequest) -> PushResult:
        """Take one write, once for each client id."""
        refuse_unfit(request)
        data = encoded(request.note)
        with self._opened() as files:
            if self._is_other and self._log.is_new:
                raise self._gone_log()
            earlier = self._log.results.get(request.client_id)
            if earlier is not None:
                return earlier
            path = f"{request.scope}/{request.slug}"
            if request.kind == "save":
                _refuse_blocked(files.obstacle(path))
            if request.write_mode == "proposal":
                content = request.model_dump_json(indent=2).encode() + b"\n"
                self._keep("proposals", f"{request.client_id}.json", content)
                self._acknowledge(request, "proposed", changed=False)
            elif request.kind == "save":
                self._save(request, path, data, files)
            else:
                self._forget(request, path, files)
            return self._log.results[request.client_id]

    def _gone_log(self) -> TransientError:
        return TransientError(f"{self.id}: its log is gone; is the right disk in place?")

    @contextmanager
    def _opened(self) -> Iterator[Writer]:
        """Hold the folder; what goes wrong with it may pass."""
        if not self.reachable():
            raise TransientError(f"{self.id}: the folder is not there")
        for scope in SCOPES:
            if os.path.islink(self._root / scope):  # noqa: PTH114 (for the same reason)
                raise TransientError(f"{self.id}: {scope} is a symlink; links are not followed")
        try:
            with self._log.locked(), Writer(self._root) as files:
                yield files
        except ChangedError as error:
            raise TransientError(f"{self.id}: {error.path} was written meanwhile") from error
        except BlockedError as error:
            raise TransientError(f"{self.id}: {error.path}: {error.reason}") from error
        except OSError as error:
            raise TransientError(f"{self.id}: {error.strerror or 'it failed'}") from error

    # Changing -------------------------------------------------------------------------------------

    def _save(self, request: WriteRequest, path: str, data: bytes, files: Writer) -> None:
        temp = _cleared(path, files)
        before = files.read(path)
        if before == data:
            known = self._log.newest.get((request.scope, request.slug))
            same = known is not None and known.digest == digest_bytes(data)
            same = same and known is not None and known.note == said_of(request.note)
            self._acknowledge(request, "applied", changed=not same, data=data)
            return
        files.make_folders(path)
        files.stage(path, temp, data, None if before is None else path)
        if before is None:
            files.create(path, temp)
        else:
            self._keep("kept", request.client_id, before)
            files.replace(path, temp, digest_bytes(before))
        files.sync(path)
        files.discard(path, temp)
        self._acknowledge(request, "applied", changed=True, data=data)

    def _forget(self, request: WriteRequest, path: str, files: Writer) -> None:
        temp = _cleared(path, files)
        try:
            before = files.read(path)
        except (BlockedError, IsADirectoryError):
            raise PushRejected("the slug is no file here") from None
        known = self._log.newest.get((request.scope, request.slug))
        if before is not None:
            self._keep("kept", request.client_id, before)
            files.remove(path, temp, digest_bytes(before))
            files.sync(path)
            files.discard(path, temp)
        was_there = before is not None or (known is not None and known.digest is not None)
        self._acknowledge(request, "applied", changed=was_there)

    def _acknowledge(
        self,
        request: WriteRequest,
        status: PushStatus,
        *,
        changed: bool,
        data: bytes | None = None,
    ) -> None:
        line = Line(
            seq=0,
            mark="",
            scope=request.scope,
            slug=request.slug,
            changed=changed,
            digest=None if data is None else digest_bytes(data),
            client_id=request.client_id,
            status=status,
            reason=request.reason,
            note=said_of(request.note),
        )
        self._log.append(line)

    def _keep(self, folder: str, name: str, content: bytes) -> None:
        place = self._root / FOLDER / folder
        place.mkdir(exist_ok=True)
        if not stat.S_ISDIR(place.lstat().st_mode):
            raise TransientError(f"{place}: it is a symlink; links are not followed")
        write_whole(place / name, content)

    # Looking --------------------------------------------------------------------------------------

    def _told(self, page: list[Line], files: Writer) -> list[Note]:
        """Return the notes of lines. What cannot be read now comes again once it can be."""
        found, unread = [], []
        for line in page:
            note = note_of(line, files)
            if note is not None:
                found.append(note)
            elif line.digest != UNREAD:
                unread.append(found_line(line.scope, line.slug, UNREAD))
        if unread:
            self._log.append(*unread)
        return found

    def _notice(self, scope: Scope, files: Writer) -> None:
        """Write a line for each file that somebody else made, changed or took away."""
        listing = FolderSource(self._root / scope).listing()
        lines = []
        for entry in listing.files:
            slug = entry.path
            if unfit(slug) or entry.size > MAX_NOTE_BYTES:
                continue
            data = read(files, f"{scope}/{slug}")
            if data is None or text_of(data) is None:
                continue
            known = self._log.newest.get((scope, slug))
            if known is None or known.digest != digest_bytes(data):
                lines.append(found_line(scope, slug, digest_bytes(data)))
        unsure = [problem.path for problem in listing.problems]
        lines += [
            found_line(scope, slug, None) for slug in self._gone(scope, listing.taken, unsure)
        ]
        if lines:
            self._log.append(*lines)

    def _gone(self, scope: Scope, taken: frozenset[str], unsure: list[str]) -> list[str]:
        """Return what is no longer there. What lies in a folder that cannot be listed may be."""
        live = sorted(
            slug
            for (of, slug), line in self._log.newest.items()
            if of == scope and line.digest is not None and slug not in taken
        )
        if live and "." in unsure:
            raise TransientError(
                f"{self.id}: the folder {scope} cannot be listed, and notes were in it; "
                "make it anew if they are gone for good"
            )
        return [slug for slug in live if not any(slug.startswith(f"{path}/") for path in unsure)]


def _cleared(path: str, files: Writer) -> str:
    """Return the name to write a file under, after what a killed write may have left there."""
    temp = temp_of(path)
    files.staged(path, temp)
    files.discard(path, temp)
    return temp


def _refuse_blocked(obstacle: str) -> None:
    """Raise what is in the way of a save: for good, unless it is a matter of rights."""
    if "read-only" in obstacle:
        raise TransientError(f"the folder does not let us write: {obstacle}")
    if obstacle:
        raise PushRejected(f"the slug cannot be a file here: {obstacle}")
