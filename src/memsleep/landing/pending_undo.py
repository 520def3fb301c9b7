"""The undos of a run that wait on branches: what they take back once they have landed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from memsleep.landing.runs import RunRecord

FILE: Final = "undo.json"


class PendingUndo(BaseModel):
    """An undo that waits on a branch."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ref: str
    tip: str
    base: str
    now: str
    decisions: tuple[str, ...]


_MANY: Final = TypeAdapter(tuple[PendingUndo, ...])


def pending_undos(record: RunRecord) -> tuple[PendingUndo, ...]:
    """Return the undos that wait, the oldest first; none where the file cannot be read.

    A file with one of them alone, as it once was, is read too.
    """
    source = record.read(FILE)
    if source is None:
        return ()
    for form in (_MANY.validate_json, lambda text: (PendingUndo.model_validate_json(text),)):
        try:
            return form(source)
        except ValidationError:
            continue
    return ()


def keep_pending(record: RunRecord, undos: Sequence[PendingUndo]) -> None:
    """Write down the undos that wait; of two on one branch, the later one."""
    latest = {undo.ref: undo for undo in undos}
    if latest:
        record.write(FILE, _MANY.dump_json(tuple(latest.values()), indent=1) + b"\n")
    else:
        (record.folder / FILE).unlink(missing_ok=True)
