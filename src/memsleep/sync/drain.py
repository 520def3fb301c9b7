"""Delivering what waits: in order, at least once, with a refusal undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from memsleep.sync.outbox import Outbox, Queued
from memsleep.sync.protocol import (
    PendingForget,
    Provider,
    PushRejected,
    PushResult,
    TransientError,
    WriteRequest,
)
from memsleep.sync.records import Records
from memsleep.sync.refusal import Refusal, Restore, refuse
from memsleep.sync.retry import Retry, told

Clear = Callable[[Queued], str]
"""Says why an entry may not leave this machine; empty when it may."""


def nothing_withheld(_: Queued) -> str:
    """Let every entry pass."""
    return ""


@dataclass(frozen=True, slots=True)
class Drained:
    """What became of what waited."""

    delivered: tuple[str, ...] = ()
    """Client ids, in the order of their delivery."""
    refused: tuple[Refusal, ...] = ()
    withheld: tuple[tuple[str, str], ...] = ()
    """Client id and reason of what must not leave; it stays queued."""
    waiting: int = 0
    """How many wait still."""
    error: str = ""
    """Why the delivery stopped; empty when it came to the end."""


@dataclass(slots=True)
class Drain:
    """One delivery of an outbox to a provider."""

    outbox: Outbox
    records: Records
    provider: Provider
    restore: Restore
    retry: Retry
    clear: Clear = nothing_withheld
    agree: Callable[[Queued], None] = lambda _found: None
    """Is told of each entry that the provider has, before the entry goes."""
    _delivered: list[str] = field(default_factory=list)
    _refused: list[Refusal] = field(default_factory=list)
    _withheld: dict[str, str] = field(default_factory=dict)
    _tried: set[str] = field(default_factory=set)
    """What has had its turn in this delivery."""
    _stopped: set[tuple[str, str]] = field(default_factory=set)
    """Memories of which an entry may not leave: their later ones build on it."""

    def run(self) -> Drained:
        """Deliver in order until nothing waits, or an error does not pass.

        What a refusal makes wait in its turn is delivered too. An entry that is withheld holds
        back the later ones of its memory, since they build on it.
        """
        error, batch = "", self._waiting()
        while batch and not error:
            for found in batch:
                error = self._turn(found)
                if error:
                    break
            batch = self._waiting()
        return Drained(
            delivered=tuple(self._delivered),
            refused=tuple(self._refused),
            withheld=tuple(sorted(self._withheld.items())),
            waiting=len(self.outbox.queued()),
            error=error,
        )

    def _waiting(self) -> list[Queued]:
        """Return what waits and has not had its turn: at first all, then what came meanwhile."""
        return [q for q in self.outbox.queued() if q.entry.client_id not in self._tried]

    def _turn(self, listed: Queued) -> str:
        """Give one entry its turn; return why the delivery stops."""
        self._tried.add(listed.entry.client_id)
        found = self.outbox.find(listed.entry.client_id)
        if found is None or found.entry.state != "queued":
            return ""  # somebody gave it up meanwhile
        key = (found.entry.scope, found.entry.slug)
        if key in self._stopped:
            return ""
        reason = self.clear(found)
        if reason:
            self._withheld[found.entry.client_id] = reason
            self._stopped.add(key)
            return ""
        return self._deliver(found)

    def _deliver(self, found: Queued) -> str:
        request = found.entry.request
        if request.kind == "forget":
            self.records.add_forget(_pending(request))
        try:
            result = self.retry.call(lambda: _answered(self.provider.push(request)))
        except PushRejected as refusal:
            self._refused.append(refuse(self.outbox, self.records, found, refusal, self.restore))
            return ""
        except Exception as error:  # of a provider: every error is transient
            return f"{request.slug}: {told(error)}"
        self._note(request, result)
        self.agree(found)
        self.outbox.acknowledge(request.client_id)
        self._delivered.append(request.client_id)
        return ""

    def _note(self, request: WriteRequest, result: PushResult) -> None:
        """Bring the records up to what the provider has taken."""
        if request.kind == "save":
            self.records.end_forgets(key=(request.scope, request.slug))
        elif result.status == "applied":
            self.records.end_forgets(client_id=request.client_id)


def _answered(result: object) -> PushResult:
    """Return an acknowledgement; whatever else a provider gives back acknowledges nothing."""
    if isinstance(result, PushResult):
        return result
    raise TransientError("the provider's answer is no acknowledgement")


def _pending(request: WriteRequest) -> PendingForget:
    return PendingForget(
        client_id=request.client_id,
        scope=request.scope,
        slug=request.slug,
        reason=request.reason,
    )
