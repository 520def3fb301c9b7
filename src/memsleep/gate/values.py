"""What the gate found, as plain values. Paths and figures only, never the text of a memory."""

from __future__ import annotations

from dataclasses import dataclass

DEPTH = 10
"""A fact is found when it stands among so many hits."""
MAX_RECALL_DROP = 0.005
MAX_MRR_DROP = 0.01
_SLACK = 1e-9
"""A drop of exactly the floor is no more than it, whatever the division leaves in the last bit."""


@dataclass(frozen=True, slots=True, order=True)
class Lost:
    """A fact that was found before the night and is not found after it."""

    path: str
    """The memory that told the fact before the night."""
    reason: str
    target: str = ""
    """Where it was looked for: the memory itself, its keeper or its place in the archive."""
    sentence: int = 0
    """0 for the claim, else the number of the sentence of the body that was asked for."""


@dataclass(frozen=True, slots=True, order=True)
class Inversion:
    """A twin that stands above the true memory after the night, and did not before."""

    path: str
    twin: str
    """The other memory, or empty for a made-up twin of the claim."""
    flipped: str = ""
    """What was flipped in a made-up twin: `number` or `polarity`."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How well a set of questions finds its answers."""

    questions: int = 0
    recall: float = 1.0
    """Share of the questions whose answer stands among the first ten."""
    mrr: float = 1.0
    """Mean of one over the answer's place, 0 for an answer that is not among them."""


def quality(places: list[int | None]) -> Quality:
    """Return recall and mean reciprocal rank of places from 1; None is not found."""
    if not places:
        return Quality()
    found = [place for place in places if place is not None and place <= DEPTH]
    count = len(places)
    return Quality(count, len(found) / count, sum(1 / place for place in found) / count)


@dataclass(frozen=True, slots=True)
class GateResult:
    """How well the corpus answers before and after a night."""

    memories: int
    """Active memories before."""
    touched: int
    """Memories that the night touched and that tell something."""
    details: int
    """Sentences of them that were asked for besides their claims."""
    exempt: int
    """Evicted and expired ones: they need only be found with the archive included."""
    twins: int
    """Twins that were compared, made-up ones and real ones."""
    touched_before: Quality
    touched_after: Quality
    sample_before: Quality
    sample_after: Quality
    lost: tuple[Lost, ...] = ()
    inversions: tuple[Inversion, ...] = ()
    degraded: str = ""
    """Why there were no vectors; empty when there were."""

    @property
    def recall_drop(self) -> float:
        """How much less of the sample is found; negative when it is more."""
        return self.sample_before.recall - self.sample_after.recall

    @property
    def mrr_drop(self) -> float:
        """How much lower the sample stands."""
        return self.sample_before.mrr - self.sample_after.mrr

    @property
    def passed(self) -> bool:
        """True when no floor is broken."""
        return not any(broken for _, broken in self.floors())

    def floors(self) -> tuple[tuple[str, bool], ...]:
        """Return each floor in words, and whether it is broken."""
        return (
            ("no touched fact lost", bool(self.lost)),
            ("no twin above the true memory", bool(self.inversions)),
            (
                f"recall@{DEPTH} of the sample at most {MAX_RECALL_DROP:.1%} down",
                self.recall_drop > MAX_RECALL_DROP + _SLACK,
            ),
            (
                f"MRR of the sample at most {MAX_MRR_DROP:g} down",
                self.mrr_drop > MAX_MRR_DROP + _SLACK,
            ),
        )
