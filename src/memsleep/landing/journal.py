"""The journal of a landing under way: what is to happen, and how far it is.

Three states, each on disk before the next step: `staging` (nothing of the corpus has changed),
`committed` (names are being exchanged), `done` (all files are new, the state follows).
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from memsleep.errors import CorpusError
from memsleep.landing.place import sync_folder, write_whole
from memsleep.landing.runs import FileResult
from memsleep.landing.writer import BlockedError, steps_of
from memsleep.plan import PlannedEffect

SCHEMA_VERSION: Final = 1


def temp_name(number: int) -> str:
    """Return the name under which bytes lie beside a file of a landing."""
    return f".memsleep-{number}.part"


def _inside(path: str) -> str:
    """Return a path that stays in the corpus: a journal may have been written by anybody."""
    try:
        steps_of(path)
    except BlockedError as error:
        raise ValueError(error.reason) from error
    return path


_Path = Annotated[str, AfterValidator(_inside)]
_Temp = Annotated[str, Field(pattern=r"\A\.memsleep-[0-9]+\.part\z")]
_Digest = Annotated[str, Field(pattern=r"\A[0-9a-f]{64}\z")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entry(_Part):
    """One file of the corpus."""

    path: _Path
    temp: _Temp
    """Name beside the file: the new bytes lie there before, the old ones after."""
    before: _Digest | None
    """SHA-256 before; None for a new file."""
    after: _Digest | None
    """SHA-256 after; None for a file that goes."""


class Settlement(_Part):
    """What the state and the record of the run learn when the files have landed."""

    run_id: str
    now: str
    action: Literal["apply", "undo", "merge"]
    decisions: tuple[str, ...] = ()
    """Ids that land, or that are taken back."""
    effects: tuple[PlannedEffect, ...] = ()
    files: Mapping[str, FileResult] = Field(default_factory=dict)
    """Path -> what the run then has made of it."""
    rejected: Mapping[str, str] = Field(default_factory=dict)
    """Id -> reason of the decisions that are answered with no by this."""
    night: bool = True
    """False for what a service deleted: the instant of the last night stays."""


class Journal(_Part):
    """One landing."""

    schema_version: Literal[1] = SCHEMA_VERSION
    state: Literal["staging", "committed", "done"]
    entries: tuple[Entry, ...]
    folders: tuple[_Path, ...]
    """Folders that the landing makes, outer ones first."""
    settlement: Settlement

    def at(self, state: Literal["staging", "committed", "done"]) -> Journal:
        """Return the journal one step further."""
        return self.model_copy(update={"state": state})


def write_journal(path: Path, journal: Journal) -> None:
    """Have a journal on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, journal.model_dump_json(indent=1).encode("utf-8") + b"\n")


def read_journal(path: Path) -> Journal | None:
    """Return the journal of a landing that did not end, None when there is none.

    Raises
    ------
    CorpusError
        `journal-unreadable`: nobody can say what is half done, so nothing is done.
    """
    try:
        source = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return Journal.model_validate_json(source)
    except ValidationError as error:
        raise CorpusError(
            "journal-unreadable",
            f"expected a journal of version {SCHEMA_VERSION} in {path}, found something else",
            context=["a landing may be half done; nothing was changed"],
            hint="finish it with the version of memsleep that began it, or put the file aside",
        ) from error


def remove_journal(path: Path) -> None:
    """End a landing."""
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
        sync_folder(path.parent)
