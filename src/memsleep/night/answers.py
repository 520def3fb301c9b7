"""Answers of a person that hold tonight: what was rejected is not proposed again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memsleep.landing.rejections import asked
from memsleep.model import Snapshot
from memsleep.phases.dedup_judge import REJECTED
from memsleep.proposals import Proposal, Refusal, Refuse, Review


def spared(view: Snapshot) -> Snapshot:
    """Return a view in which no memory can be archived that a person wanted to stay.

    So it takes no share of the budget either.
    """
    kept = [question[1] for question in view.rejected if question[0] == "archive"]
    kept = [path for path in kept if path in view.memories]
    if not kept:
        return view
    shielded = {path: replace(view.memories[path], protected=True) for path in kept}
    return replace(view, memories={**view.memories, **shielded})


def unanswered(
    proposals: Iterable[Proposal], rejected: frozenset[tuple[str, ...]]
) -> tuple[list[Proposal], list[Refusal]]:
    """Return the proposals that are still open, and a refusal for each rejected edit.

    A doubtful pair that a person parted becomes a finding, so that every pair stays counted.
    """
    still, refused = [], []
    for proposal in proposals:
        if asked(proposal) not in rejected:
            still.append(proposal)
        elif isinstance(proposal, Review):
            still.append(_parted(proposal))
        elif proposal.edits_files:
            path = proposal.paths[0]
            refused.append(Refusal(proposal=proposal, cause="rejected", reason=REJECTED, path=path))
        else:
            still.append(proposal)
    return still, refused


def _parted(review: Review) -> Refuse:
    return Refuse(
        phase=review.phase,
        reason=REJECTED,
        evidence=review.evidence,
        keeper=review.keeper,
        dropped=review.dropped,
        cause="rejected",
    )
