"""Questions that a person answered with no: they do not come back until a file changes.

A question is what is asked of which memories, not a proposal's id: whether two memories are one
is the same question whichever of them would stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memsleep.model import Snapshot, digest_bytes
from memsleep.plan import Plan, PlannedDecision
from memsleep.proposals import Proposal, Review
from memsleep.state.rejecting import Rejected

_PAIRED = {"merge", "review"}


def question_of(kind: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a proposal of a kind asks."""
    if kind in _PAIRED:
        return ("pair", *sorted(paths))
    return (kind, *paths)


def asked(proposal: Proposal) -> tuple[str, ...]:
    """Return what a proposal asks."""
    return question_of(proposal.kind, proposal.paths)


def rejected_decisions(
    plan: Plan, reasons: Mapping[str, str], run_id: str, now: str
) -> list[Rejected]:
    """Return the answers for decisions of a plan, with the digests that they rest on."""
    return [
        _rejected(decision, reasons[decision.id], run_id, now)
        for decision in plan.decisions
        if decision.id in reasons
    ]


def _rejected(decision: PlannedDecision, reason: str, run_id: str, now: str) -> Rejected:
    about = decision.paths if decision.kind == "merge" else decision.paths[:1]
    return Rejected(
        question=question_of(decision.kind, decision.paths),
        digests={path: decision.rests_on[path] for path in about if path in decision.rests_on},
        decision=decision.id,
        run_id=run_id,
        reason=reason,
        rejected_at=now,
    )


def two_different_facts(review: Review, snapshot: Snapshot, run_id: str, now: str) -> Rejected:
    """Return the answer that two memories are two facts; it stays until it is withdrawn."""
    digests = {
        path: digest_bytes(snapshot.files[path]) for path in review.paths if path in snapshot.files
    }
    return Rejected(
        question=asked(review),
        digests=digests,
        permanent=True,
        decision=review.id,
        run_id=run_id,
        reason="two different facts",
        rejected_at=now,
    )


def standing_answers(
    answers: Iterable[Rejected], files: Mapping[str, bytes]
) -> frozenset[tuple[str, ...]]:
    """Return the questions that are not to be asked of these files."""
    return frozenset(
        answer.question
        for answer in answers
        if answer.permanent
        or all(
            path in files and digest_bytes(files[path]) == digest
            for path, digest in answer.digests.items()
        )
    )
