"""What follows when a provider will never accept a write.

Two steps: the request leaves the live part of the queue, and the mirror gets back what it held
before. Neither decides whether the other runs. What goes wrong in either is reported beside the
refusal, which the caller is owed in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memsleep.errors import MemsleepError
from memsleep.safety import masked
from memsleep.sync.entries import Restoring
from memsleep.sync.outbox import Outbox, Queued, one_line
from memsleep.sync.protocol import PushRejected
from memsleep.sync.records import Records
from memsleep.sync.retry import told

LOCKED = 4
Restore = Callable[[Queued, str], str]
"""Puts back what the mirror held before an entry: the note, or no note. Says what it did."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refused write, and what became of it here."""

    client_id: str
    scope: str
    slug: str
    kind: str
    reason: str
    """The provider's, as one line."""
    restored: str = ""
    """What was put back; empty when nothing was."""
    failures: tuple[str, ...] = ()
    """What went wrong while the entry was set aside or the mirror restored."""


def refuse(
    outbox: Outbox, records: Records, found: Queued, refusal: PushRejected, restore: Restore
) -> Refusal:
    """Set a refused entry aside and restore the mirror; never raises for what goes wrong there."""
    entry, failures = found.entry, []
    reason = masked(one_line(refusal.reason))  # it may quote what was sent
    try:
        outbox.reject(entry.client_id, reason)
        records.end_forgets(client_id=entry.client_id)
    except Exception as error:  # never replaces the refusal
        failures.append(f"it could not be set aside: {told(error)}")
    restored, failure = _restored(outbox, found, reason, restore)
    return Refusal(
        client_id=entry.client_id,
        scope=entry.scope,
        slug=entry.slug,
        kind=entry.kind,
        reason=reason,
        restored=restored,
        failures=(*failures, *failure),
    )


def finish(outbox: Outbox, restore: Restore) -> tuple[Refusal, ...]:
    """Restore the mirror after refusals that a killed process had only set aside."""
    done = []
    for found in outbox.rejected():
        entry = found.entry
        if entry.restoring != "due":
            continue
        restored, failures = _restored(outbox, found, entry.reason, restore)
        done.append(
            Refusal(
                client_id=entry.client_id,
                scope=entry.scope,
                slug=entry.slug,
                kind=entry.kind,
                reason=entry.reason,
                restored=restored,
                failures=failures,
            )
        )
    return tuple(done)


def _restored(
    outbox: Outbox, found: Queued, reason: str, restore: Restore
) -> tuple[str, tuple[str, ...]]:
    """Return what was put back, and what went wrong."""
    how: Restoring = "failed"
    restored, failures = "", []
    try:
        restored = restore(found, reason)
        how = "done"
    except Exception as error:  # never replaces the refusal
        failures.append(f"the mirror could not be restored: {told(error)}")
        if isinstance(error, MemsleepError) and error.exit_code == LOCKED:
            return restored, tuple(failures)  # still due: the next sync tries again
    try:
        outbox.restored(found.entry.client_id, how)
    except Exception as error:  # it is tried again by the next sync
        failures.append(f"that could not be written down: {told(error)}")
    return restored, tuple(failures)
