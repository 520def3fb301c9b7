"""What waits, what was refused, what is no entry: for a person and for a monitor."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memsleep.errors import UsageError
from memsleep.sync.inbox import Inbox
from memsleep.sync.outbox import Outbox, Queued, unknown_entry
from memsleep.sync.records import Records


@dataclass(frozen=True, slots=True)
class Line:
    """One entry, without the text of its memory."""

    id: str
    sequence: int
    kind: str
    scope: str
    slug: str
    write_mode: str
    reason: str
    request_reason: str | None
    run: str
    taken_at: str
    restoring: str


@dataclass(frozen=True, slots=True)
class Condition:
    """How a sync is doing."""

    provider: str
    last_pull_at: str | None
    last_error: str | None
    queued: tuple[Line, ...]
    rejected: tuple[Line, ...]
    invalid: tuple[str, ...]
    fetched: int
    """Notes that were fetched and are not in the corpus yet."""
    pending_forgets: int
    warnings: tuple[str, ...]

    @property
    def troubled(self) -> bool:
        """Return True when a person must look."""
        return bool(self.rejected or self.invalid or self.last_error)


def condition_of(folder: Path, outbox: Outbox) -> Condition:
    """Read how a sync stands. Nothing is changed or made."""
    warnings: dict[str, None] = {}
    records = Records(folder, lambda line: warnings.setdefault(line))
    standing, forgets = records.standing(), records.forgets()
    records.decisions()
    return Condition(
        provider=standing.provider,
        last_pull_at=standing.last_pull_at,
        last_error=standing.last_error,
        queued=tuple(map(_line, outbox.queued())),
        rejected=tuple(map(_line, outbox.rejected())),
        invalid=outbox.invalid(),
        fetched=len(Inbox(folder / "inbox").notes()),
        pending_forgets=len(forgets),
        warnings=tuple(warnings),
    )


def _line(found: Queued) -> Line:
    entry = found.entry
    return Line(
        id=entry.client_id,
        sequence=found.sequence,
        kind=entry.kind,
        scope=entry.scope,
        slug=entry.slug,
        write_mode=entry.write_mode,
        reason=entry.reason,
        request_reason=entry.request_reason,
        run=entry.run,
        taken_at=entry.taken_at,
        restoring=entry.restoring,
    )


def as_lines(found: Condition) -> list[str]:
    """Return the condition for a terminal."""
    pulled = f"last pull {found.last_pull_at}" if found.last_pull_at else "never pulled"
    lines = [f"provider: {found.provider or 'none yet'}, {pulled}"]
    lines += [f"last error: {found.last_error}"] if found.last_error else []
    lines.append(
        f"{len(found.queued)} queued, {len(found.rejected)} rejected, {len(found.invalid)} invalid"
    )
    lines += [
        f"queued    {_told(line)}: {line.request_reason or line.reason}" for line in found.queued
    ]
    for line in found.rejected:
        lines.append(f"rejected  {_told(line)}: {line.reason}")
        lines.append(
            f"          asked for: {line.request_reason}; here: {_RESTORED[line.restoring]}"
        )
    lines += [f"invalid   {name}: it is no entry; nothing drops it" for name in found.invalid]
    lines += [f"{found.fetched} fetched notes wait to land"] if found.fetched else []
    lines += (
        [f"{found.pending_forgets} forgets wait for the provider"] if found.pending_forgets else []
    )
    return lines


_RESTORED = {
    "": "not restored",
    "due": "about to be restored",
    "done": "restored",
    "failed": "it could not be restored",
}


def _told(line: Line) -> str:
    proposed = " (proposal)" if line.write_mode == "proposal" else ""
    return f"{line.kind} {line.scope} {line.slug}{proposed} [{line.id}]"


def entry_named(outbox: Outbox, name: str) -> str:
    """Return the client id that is meant: a whole one, or the beginning of only one.

    Raises
    ------
    UsageError
        `entry-unknown` or `entry-ambiguous`.
    """
    ids = [found.entry.client_id for found in outbox.entries()]
    if name in ids:
        return name
    meant = [known for known in ids if name and known.startswith(name)]
    if not meant:
        raise unknown_entry(name)
    if len(meant) > 1:
        raise UsageError(
            "entry-ambiguous",
            f"{len(meant)} entries of the outbox begin with {name!r}",
            context=["nothing was changed"],
            hint="give more of the id",
        )
    return meant[0]
