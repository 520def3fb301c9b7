"""Which doubtful pairs a person is asked about tonight: the likeliest first, few of each memory.

A folder of forms that are filled in alike would raise hundreds of doubts, which nobody reads. What
is not asked tonight is refused by name of cause, so that it is counted and told.

What was asked and is not answered yet keeps its place, the oldest question first: a queue that
changes under the eyes of who works through it is no queue. What is answered takes no place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from memsleep.model import EMPTY
from memsleep.proposals import Proposal, Refuse, Review

QUESTIONS_A_MEMORY = 3
"""One memory stands in so many questions of a night at most."""
_NEW = "\uffff"
"""Sorts behind every instant."""
_COPIES = frozenset({"copies", "short"})
_WEAK = frozenset({"substitution", "word_order"})
"""Causes that are mostly two facts of one form, and seldom a mistake."""


def urgency(review: Review) -> tuple[bool, float, str, str]:
    """Return the key by which doubtful pairs are ordered from likely to unlikely."""
    similarity = review.evidence.get("similarity")
    near = float(similarity) if isinstance(similarity, float | int) else 0.0
    return review.evidence.get("cause") in _WEAK, -near, review.keeper, review.dropped


def asked(
    proposals: Sequence[Proposal],
    limit: int,
    *,
    answered: Collection[str] = (),
    since: Mapping[str, str] = EMPTY,
) -> Iterator[Proposal]:
    """Yield the proposals in their order, with a `Refuse` for each review that is not asked.

    Parameters
    ----------
    limit : int
        Reviews of one night at most.
    answered : collection of str
        Ids of the reviews that a person has answered: they pass as they are and take no place.
    since : mapping of str to str
        Id of a review that was asked before -> the instant since when.
    """
    reviews = [proposal for proposal in proposals if isinstance(proposal, Review)]
    repeated = _repeated(reviews)
    left = [review for review in reviews if review.id not in {*repeated, *answered}]
    left.sort(key=lambda review: (since.get(review.id, _NEW), urgency(review)))
    kept = {*_chosen(left, limit), *answered}
    for proposal in proposals:
        if not isinstance(proposal, Review) or proposal.id in kept:
            yield proposal
        elif proposal.id in repeated:
            yield _unasked(proposal, "same question", "both are asked about beside an older copy")
        else:
            yield _unasked(proposal, "waiting", "other doubts come first tonight; it waits")


def _repeated(reviews: Sequence[Review]) -> set[str]:
    """Return the ids of pairs of equal texts that an older copy of both answers for."""
    older: dict[str, set[str]] = defaultdict(set)
    copies = [review for review in reviews if review.evidence.get("cause") in _COPIES]
    for review in copies:
        older[review.dropped].add(review.keeper)
    return {review.id for review in copies if older[review.keeper] & older[review.dropped]}


def _chosen(ordered: Sequence[Review], limit: int) -> set[str]:
    questions: Counter[str] = Counter()
    chosen: set[str] = set()
    for review in ordered:
        ends = (review.keeper, review.dropped)
        if len(chosen) < limit and all(questions[path] < QUESTIONS_A_MEMORY for path in ends):
            chosen.add(review.id)
            questions.update(ends)
    return chosen


def _unasked(review: Review, cause: str, reason: str) -> Refuse:
    return Refuse(
        phase=review.phase,
        reason=reason,
        evidence=review.evidence,
        keeper=review.keeper,
        dropped=review.dropped,
        cause=cause,
    )
