"""The review queue for agents: what a night would do and ask. Reading it does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memsleep.night.pipeline import NightResult
from memsleep.proposals import Review, SetField
from memsleep.safety import masked


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits for a person. It quotes no memory: `read` does, where it may."""

    id: str
    kind: str
    question: str
    """`contradiction` or `duplicate`; empty for a decision that would be taken."""
    paths: tuple[str, ...]
    reason: str


def waiting_questions(result: NightResult) -> Iterator[Waiting]:
    """Yield the doubts that only a person can settle, then the decisions, in their order."""
    for review in result.found(Review):
        assert isinstance(review, Review)
        yield Waiting(review.id, review.kind, review.question, review.paths, masked(review.reason))
    for item in result.decisions:
        proposal = item.proposal
        if isinstance(proposal, SetField) and proposal.decayed is not None:
            continue
        yield Waiting(proposal.id, proposal.kind, "", proposal.paths, masked(proposal.reason))
