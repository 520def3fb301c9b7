"""One entry of the outbox: a request, where it stands, and what it came from."""

from __future__ import annotations

import re
from typing import Final, Literal

from pydantic import ConfigDict, ValidationError

from memsleep.sync.protocol import WriteRequest

SCHEMA_VERSION: Final = 1
NAME = re.compile(r"([0-9]{8})-([A-Za-z0-9_-]+)\.json\Z", re.ASCII)
MAX_SEQUENCE = 99_999_999
State = Literal["queued", "rejected"]
Restoring = Literal["", "due", "done", "failed"]


class Entry(WriteRequest):
    """A write that was taken and is not acknowledged.

    An unknown key is no entry of ours: rewriting it would lose what a newer version said.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    schema_version: Literal[1] = SCHEMA_VERSION
    state: State = "queued"
    request_reason: str | None = None
    """The request's own reason, where `reason` is that of a refusal."""
    taken_at: str
    run: str = ""
    """The run that it delivers a change of; empty where it comes from elsewhere."""
    decisions: tuple[str, ...] = ()
    """Ids of that run's decisions about this memory that stand with this entry."""
    previous: tuple[str, ...] = ()
    """Ids of those that stood before it: what the mirror held."""
    restoring: Restoring = ""
    """Whether the mirror has got back what it held before a refusal; `due` until that is known."""

    @property
    def request(self) -> WriteRequest:
        """What is pushed: the request as it was taken."""
        return WriteRequest(
            kind=self.kind,
            client_id=self.client_id,
            scope=self.scope,
            slug=self.slug,
            write_mode=self.write_mode,
            note=self.note,
            reason=self.reason if self.request_reason is None else self.request_reason,
        )

    def refused(self, reason: str) -> Entry:
        """Return the entry with a refusal; the request's own reason survives every one."""
        own = self.reason if self.request_reason is None else self.request_reason
        return self.model_copy(
            update={
                "state": "rejected",
                "reason": reason,
                "request_reason": own,
                "restoring": "due",
            }
        )

    def again(self) -> Entry:
        """Return the entry as one that waits; the last refusal is kept until the next answer."""
        return self.model_copy(update={"state": "queued", "restoring": ""})


def file_name(sequence: int, client_id: str) -> str:
    """Return `<seq, 8 digits>-<client id>.json`."""
    return f"{sequence:08d}-{client_id}.json"


def parsed(name: str, source: bytes | None) -> Entry | None:
    """Return the entry that a file of that name holds, None for what is not one."""
    found = NAME.match(name)
    if found is None or source is None:
        return None
    try:
        entry = Entry.model_validate_json(source)
    except ValidationError:
        return None
    return entry if entry.client_id == found[2] else None
