"""The phases of a night. Each module has one public function, `propose(snapshot, settings)`.

`PHASES` is the registry; the order of a night is `settings.run.phases`. Nothing is loaded from
a corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from memsleep.model import Snapshot
from memsleep.phases import decay, dedup, graph, integrity, pairing, reprieve, triage
from memsleep.proposals import Proposal
from memsleep.settings import REQUIRES, Settings


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase: a pure function from a snapshot to proposals, and what it promises."""

    name: str
    propose: Callable[[Snapshot, Settings], Iterator[Proposal]]
    summary: str
    may_edit: tuple[str, ...]

    @property
    def requires(self) -> tuple[str, ...]:
        """The phases that must have succeeded before it."""
        return tuple(name for key, names in REQUIRES.items() if key == self.name for name in names)


PHASES: Mapping[str, Phase] = {
    phase.name: phase
    for phase in (
        Phase("pairing", pairing.propose, "finds memories that lie close together", ()),
        Phase("dedup", dedup.propose, "merges what says the same, behind guards", ("merge",)),
        Phase("graph", graph.propose, "ranks memories and finds their communities", ()),
        Phase("triage", triage.propose, "scores retention and says what may go", ("archive",)),
        Phase(
            "reprieve",
            reprieve.propose,
            "gives expired memories two more weeks, or the archive",
            ("set-field", "archive"),
        ),
        Phase("decay", decay.propose, "lets unconfirmed confidence fade", ("set-field",)),
        Phase(
            "integrity",
            integrity.propose,
            "repairs links to what has moved, names the dangling ones",
            ("retarget-link", "remove-link"),
        ),
    )
}
