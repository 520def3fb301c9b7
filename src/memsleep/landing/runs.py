"""The runs that are kept: one folder each with plan, reports, status and the bytes before.

A run's folder is named like the run, `/` written as `-`. Its status is the one file that is
rewritten, whole or not at all. So is a run: its folder has its name only while it has a status,
for whoever looks beside a night must not take one that begins or goes for a damaged one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memsleep.errors import UsageError
from memsleep.landing.place import Place, put_whole, sync_folder, write_whole
from memsleep.model import digest_bytes
from memsleep.plan import Plan, from_json

SCHEMA_VERSION: Final = 1
PLAN, STATUS, BEFORE, LATE = "plan.json", "status.json", "before", "late"
MAX_SUFFIX = 1000
_FOLDER = re.compile(r"sleep-[0-9]{4}-[0-9]{2}-[0-9]{2}(-[0-9]+)?\Z")
_PART = re.compile(r"\.sleep-[0-9-]+\.part\Z")

RunState = Literal[
    "running",
    "killed",
    "failed",
    "nothing",
    "refused",
    "landed",
    "branch",
    "merged",
    "discarded",
    "undone",
]


class FileResult(BaseModel):
    """What a run made of one file, by digest."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    before: str | None
    after: str | None


class Status(BaseModel):
    """What is known of one run."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    schema_version: Literal[1] = SCHEMA_VERSION
    run: str
    state: RunState
    now: str
    """The night's instant."""
    started_at: str
    ended_at: str | None = None
    mode: Literal["directory", "branch", ""] = ""
    base_commit: str = ""
    ref: str = ""
    tip: str = ""
    plan_digest: str = ""
    config_digest: str = ""
    landed: tuple[str, ...] = ()
    """Ids of the decisions and findings that are in the corpus or on the branch, in plan order."""
    rejected: Mapping[str, str] = Field(default_factory=dict)
    """Id -> reason of the decisions that did not land."""
    undone: tuple[str, ...] = ()
    files: Mapping[str, FileResult] = Field(default_factory=dict)
    """Path -> what all landed decisions together made of it; kept in directory mode."""
    counts: Mapping[str, int] = Field(default_factory=dict)
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The folder of one run."""

    folder: Path
    run_id: str

    def read(self, name: str) -> bytes | None:
        """Return one of its files, None when it is not there."""
        try:
            return (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Write one of its files, whole or not at all."""
        write_whole(self.folder / name, content)

    def status(self) -> Status:
        """Return what is known of the run.

        Raises
        ------
        UsageError
            `run-unreadable`.
        """
        source = self.read(STATUS)
        try:
            return Status.model_validate_json(source or b"")
        except ValidationError as error:
            raise UsageError(
                "run-unreadable",
                f"the record of {self.run_id} in {self.folder} is not whole",
                context=["nothing was changed"],
            ) from error

    def update(self, **values: object) -> Status:
        """Change some values of the status and return it."""
        status = Status.model_validate({**self.status().model_dump(), **values})
        self.put(status)
        return status

    def put(self, status: Status) -> None:
        """Write the status."""
        self.write(STATUS, status.model_dump_json(indent=1).encode("utf-8") + b"\n")

    def plan(self) -> Plan:
        """Return the plan of the run.

        Raises
        ------
        UsageError
            `run-without-plan`, when it ended before it had one, or `plan-unreadable`.
        """
        source = self.read(PLAN)
        if source is None:
            raise UsageError(
                "run-without-plan",
                f"{self.run_id} ended before it had a plan",
                context=["it changed nothing"],
                hint="run the night again: memsleep run",
            )
        return from_json(source, str(self.folder / PLAN))

    def keep_before(self, contents: Iterable[bytes]) -> None:
        """Keep the bytes that files had before the run, by digest."""
        folder = self.folder / BEFORE
        folder.mkdir(exist_ok=True)
        for content in contents:
            path = folder / digest_bytes(content)
            if not path.exists():
                put_whole(path, content)
        sync_folder(folder)

    def before(self, digest: str) -> bytes | None:
        """Return kept bytes by their digest, None when they are gone or damaged."""
        content = self.read(f"{BEFORE}/{digest}")
        return content if content is not None and digest_bytes(content) == digest else None


@dataclass(frozen=True, slots=True)
class RunStore:
    """All runs of a place."""

    place: Place

    def records(self) -> tuple[RunRecord, ...]:
        """Return the runs, the oldest first. What is a link is no run of ours: it leads out."""
        try:
            names = [
                f.name
                for f in self.place.runs.iterdir()
                if _FOLDER.match(f.name) and not f.is_symlink()
            ]
        except FileNotFoundError:
            return ()
        found = [RunRecord(self.place.runs / name, _run_id(name)) for name in names]
        return tuple(sorted(found, key=lambda record: _order(record.run_id)))

    def find(self, name: str | None = None) -> RunRecord:
        """Return a run by its id, its folder's name or its date; None means the newest.

        Raises
        ------
        UsageError
            `run-unknown`.
        """
        records = self.records()
        wanted = None if name is None else name.removeprefix("refs/heads/")
        for record in reversed(records):
            names = (record.run_id, record.folder.name, record.run_id.removeprefix("sleep/"))
            if wanted is None or wanted in names:
                return record
        known = [record.run_id for record in records[-5:]]
        raise UsageError(
            "run-unknown",
            f"there is no run {name!r} in {self.place.runs}" if name else "there is no run yet",
            context=[f"known: {', '.join(known)}"] if known else [],
            hint=None if known else "memsleep run",
        )

    def known(self, run_id: str) -> bool:
        """Return True when a run of that id is kept."""
        return self._folder(run_id).exists()

    def _folder(self, run_id: str) -> Path:
        return self.place.runs / run_id.replace("/", "-")

    def begin(self, status: Status) -> RunRecord:
        """Make the folder of a run with its first status; only who holds the corpus may.

        Raises
        ------
        FileExistsError
            The run is known.
        """
        folder = self._folder(status.run)
        if folder.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(folder))
        self.place.prepare()
        self.place.runs.mkdir(exist_ok=True)
        self._sweep()
        part = _part(folder)
        part.mkdir()
        RunRecord(part, status.run).put(status)
        part.rename(folder)
        sync_folder(folder.parent)
        return RunRecord(folder, status.run)

    def _sweep(self) -> None:
        """Take away what a killed process had begun to make, or to take away."""
        for path in sorted(self.place.runs.iterdir()):
            if _PART.match(path.name) and path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)

    def renamed(self, record: RunRecord, run_id: str) -> RunRecord:
        """Give a run the id that its sink had to take, and return it."""
        if run_id in ("", record.run_id):
            return record
        folder = self._folder(run_id)
        record.folder.rename(folder)
        renamed = RunRecord(folder, run_id)
        renamed.update(run=run_id)
        return renamed

    def rotate(self, keep: int, needed: Collection[str] = ()) -> tuple[str, ...]:
        """Take away all but the newest runs; return the ids of those that went.

        One whose branch may still be merged, that is under way, or that is needed stays.
        """
        gone = []
        for record in self.records()[:-keep] if keep else ():
            try:
                open_ended = record.status().state in ("running", "branch")
            except UsageError:
                open_ended = False
            if not open_ended and record.run_id not in needed:
                _take_away(record.folder)
                gone.append(record.run_id)
        return tuple(gone)

    def forget(self, record: RunRecord) -> None:
        """Take away the folder of a run that is about to begin anew."""
        _take_away(record.folder)

    def drop_before(self, instant: str) -> None:
        """Take away the bytes before of runs older than an instant."""
        for record in self.records():
            with contextlib.suppress(UsageError, FileNotFoundError):
                if record.status().now < instant:
                    shutil.rmtree(record.folder / BEFORE)


def _part(folder: Path) -> Path:
    """Return what a run's folder is called as long as it is not whole."""
    return folder.with_name(f".{folder.name}.part")


def _take_away(folder: Path) -> None:
    part = _part(folder)
    folder.rename(part)
    shutil.rmtree(part)


def free_name(night: str, *taken: object) -> str:
    """Return the first name of a night that none of the questions says yes to."""
    for number in range(1, MAX_SUFFIX):
        name = night if number == 1 else f"{night}-{number}"
        if not any(is_taken(name) for is_taken in taken if callable(is_taken)):
            return name
    raise UsageError(
        "run-names-spent",
        f"all of {MAX_SUFFIX} names of {night} are taken",
        hint="delete branches or runs of that night",
    )


def _run_id(folder: str) -> str:
    return folder.replace("-", "/", 1)


def _order(run_id: str) -> tuple[str, int]:
    night, suffix = run_id[:16], run_id[17:]
    return night, int(suffix) if suffix else 1
