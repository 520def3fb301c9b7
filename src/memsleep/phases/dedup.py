"""Merge memories that say the same thing, behind guards. Contract: phases/dedup.md."""

from __future__ import annotations

import math
from collections.abc import Iterator

from memsleep.core import MergePair, MergeText, merge_outcomes, merge_veto_reasons
from memsleep.model import Memory, Pair, Snapshot
from memsleep.nights import same_night
from memsleep.phases.contradictions import key_of
from memsleep.phases.dedup_groups import resolve
from memsleep.phases.dedup_judge import age_key, question_of
from memsleep.phases.review_queue import asked
from memsleep.proposals import Merge, Proposal, Refuse, Review
from memsleep.settings import Settings

_STAGES = {
    "cap": "the night's limit of merges is reached",
    "threshold": "the similarity does not exceed the threshold",
    "self": "a memory cannot be merged with itself",
    "role-guard": "one of them already keeps another or was dropped for one",
}

_VETOES = {
    "negation": "exactly one side is negated",
    "numeric": "the numbers of the claims differ",
    "variant": "they speak of different variants",
}


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield a `Merge`, a `Review` or a `Refuse` for every duplicate candidate, exactly one each."""
    limit = merge_limit(snapshot, settings)
    if settings.dedup.vectors_suffice:
        yield from _by_similarity(snapshot, settings, limit)
    else:
        yield from _asked(list(resolve(snapshot, settings, limit)), snapshot, settings)


def _asked(proposals: list[Proposal], snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    reviews = [proposal for proposal in proposals if isinstance(proposal, Review)]
    keys = {review.id: key_of(review.paths, snapshot.standing) for review in reviews}
    waited = snapshot.asked_since
    return asked(
        proposals,
        settings.dedup.max_reviews,
        answered={r.id for r in reviews if question_of(r.paths) in snapshot.rejected},
        since={name: waited[key] for name, key in keys.items() if key in waited},
    )


def merge_limit(snapshot: Snapshot, settings: Settings) -> int:
    """Return how many merges are left tonight; those of an earlier run of this night count."""
    section = settings.dedup
    share = math.floor(section.max_merge_share * len(snapshot.active()))
    limit = min(section.max_merges, max(section.min_merges, share))
    spent = sum(same_night(instant, snapshot.now) for instant in snapshot.past_merges)
    return max(0, limit - spent)


def _by_similarity(snapshot: Snapshot, settings: Settings, limit: int) -> Iterator[Proposal]:
    """Decide on cosine and guards alone: threshold, veto and roles, the first claim wins."""
    pairs = [_oriented(snapshot, pair) for pair in snapshot.candidates]
    outcomes = merge_outcomes(
        [_merge_pair(keeper, dropped, sim) for keeper, dropped, sim in pairs],
        threshold=settings.dedup.threshold,
        max_pairs=limit,
    )
    for (keeper, dropped, similarity), outcome in zip(pairs, outcomes, strict=True):
        evidence = {"similarity": round(similarity, 6)}
        if outcome.stage == "committed":
            yield Merge(
                phase="dedup",
                reason="their vectors are near and no guard speaks against it",
                evidence=evidence,
                keeper=keeper.path,
                dropped=dropped.path,
                similarity=similarity,
                take_over=settings.dedup.take_over,
            )
            continue
        if outcome.stage == "vetoed":
            cause, reason = _veto(outcome.pair)
        else:
            cause, reason = str(outcome.stage), _STAGES[outcome.stage]
        yield Refuse(
            phase="dedup",
            reason=reason,
            evidence=evidence,
            keeper=keeper.path,
            dropped=dropped.path,
            cause=cause,
        )


def _oriented(snapshot: Snapshot, pair: Pair) -> tuple[Memory, Memory, float]:
    """Return (keeper, dropped, similarity): the older by creation, the smaller path on a tie."""
    a, b = snapshot.memories[pair.source], snapshot.memories[pair.target]
    keeper, dropped = sorted((a, b), key=age_key)
    return keeper, dropped, pair.similarity


def _merge_pair(keeper: Memory, dropped: Memory, similarity: float) -> MergePair:
    return MergePair(
        keep_path=keeper.path,
        drop_path=dropped.path,
        similarity=similarity,
        keep_text=MergeText(keeper.gist, keeper.body),
        drop_text=MergeText(dropped.gist, dropped.body),
    )


def _veto(pair: MergePair) -> tuple[str, str]:
    """Return the first of the reference's guards that fires and all reasons."""
    assert pair.keep_text is not None
    assert pair.drop_text is not None
    names = merge_veto_reasons(pair.keep_text, pair.drop_text)
    return names[0], "; ".join(_VETOES[name] for name in names)
