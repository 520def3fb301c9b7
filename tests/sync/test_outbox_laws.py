"""The outbox against a model: a list of entries in order."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memsleep.errors import UsageError
from memsleep.sync.outbox import Outbox
from sync_kit import NOW, forget, save

IDS = st.sampled_from(["a", "b", "c", "d-1", "E_2"])
REASONS = st.sampled_from(["no", "too long", "never"])


class OutboxMachine(RuleBasedStateMachine):
    """Whatever is done to it, and however often it is opened anew."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.model: dict[str, tuple[int, str, str, str | None]] = {}
        """Client id -> sequence, state, reason, the request's own reason."""

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @property
    def box(self) -> Outbox:
        return Outbox(self.folder / "outbox")

    @rule(name=IDS, saves=st.booleans())
    def enqueue(self, name: str, saves: bool) -> None:
        highest = max((row[0] for row in self.model.values()), default=0)
        found = self.box.enqueue(save(name) if saves else forget(name, reason="merged"), now=NOW)
        self.model.setdefault(name, (highest + 1, "queued", "merged", None))
        assert found.sequence == self.model[name][0]

    @rule(name=IDS, reason=REASONS)
    def reject(self, name: str, reason: str) -> None:
        if self._refuses(name, lambda: self.box.reject(name, reason)):
            return
        self.model[name] = (self.model[name][0], "rejected", reason, "merged")

    @rule(name=IDS)
    def requeue(self, name: str) -> None:
        if self._refuses(name, lambda: self.box.requeue(name)):
            return
        sequence, _, reason, own = self.model[name]
        self.model[name] = (sequence, "queued", reason, own)

    @rule(name=IDS)
    def drop(self, name: str) -> None:
        if not self._refuses(name, lambda: self.box.drop(name)):
            del self.model[name]

    @rule(name=IDS)
    def acknowledge(self, name: str) -> None:
        if (self.folder / "outbox").exists():
            self.box.acknowledge(name)
            self.model.pop(name, None)

    def _refuses(self, name: str, work: object) -> bool:
        assert callable(work)
        if name in self.model:
            work()
            return False
        try:
            work()
        except UsageError:
            return True
        raise AssertionError("an entry that is not there was changed")

    @invariant()
    def agrees(self) -> None:
        found = [
            (q.entry.client_id, (q.sequence, q.entry.state, q.entry.reason, q.entry.request_reason))
            for q in self.box.entries()
        ]
        assert found == sorted(self.model.items(), key=lambda item: item[1][0])
        assert self.box.invalid() == ()
        assert {q.entry.request.reason for q in self.box.entries()} <= {"merged"}


OutboxMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
TestOutbox = OutboxMachine.TestCase
