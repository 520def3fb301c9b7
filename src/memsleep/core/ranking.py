"""Reciprocal rank fusion and maximal marginal relevance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from memsleep.core.ieee import cut, divide
from memsleep.core.ordering import utf16_key
from memsleep.core.similarity import Vector, cosine_rows
from memsleep.core.sums import Doubles

RRF_K: Final = 60
MMR_LAMBDA: Final = 0.5


@dataclass(frozen=True, slots=True)
class ArmHit:
    """One hit of one retrieval arm."""

    path: str
    rank: float  # from 1, the best


@dataclass(frozen=True, slots=True)
class MmrCandidate:
    """A search hit that may be chosen."""

    path: str
    score: float  # relevance
    # None: similar to nothing. Arrays have no single truth value, so it is not compared.
    vector: Vector | None = field(default=None, compare=False)


def rrf_contribution(rank: float, weight: float) -> float | None:
    """Return what one hit adds under reciprocal rank fusion, or None if nothing.

    Parameters
    ----------
    rank : float
        From 1. None results from a rank below 1 or not finite.
    weight : float
        The arm's weight. None results from a weight of 0 or less.

    References
    ----------
    .. [1] G. V. Cormack, C. L. A. Clarke and S. Buettcher, "Reciprocal Rank Fusion
       outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009.

    Examples
    --------
    >>> rrf_contribution(1, 1.0)
    0.01639344262295082
    >>> rrf_contribution(0, 1.0) is None
    True
    """
    if not math.isfinite(rank) or rank < 1 or weight <= 0:
        return None
    return rrf_score(rank, weight)


def rrf_score(rank: float, weight: float, k: float = RRF_K) -> float:
    """Return weight / (rank + k), unguarded: a zero denominator follows IEEE 754.

    Examples
    --------
    >>> rrf_score(1, 1.0), rrf_score(-60, 1.0)
    (0.01639344262295082, inf)
    """
    return divide(weight, rank + k)


def fuse_arms(
    arms: Sequence[Iterable[ArmHit]], weights: Sequence[float], k: float = RRF_K
) -> dict[str, float]:
    """Sum the contributions of all arms per path.

    Parameters
    ----------
    arms : sequence of iterables of ArmHit
        A path that an arm names twice counts twice.
    weights : sequence of float
        One per arm; a missing one counts as 0, and such an arm is left out.
    k : float, default 60

    Returns
    -------
    dict of str to float
        Paths in first-seen order; sums go arm by arm.

    Examples
    --------
    >>> fuse_arms([[ArmHit("a", 1)], [ArmHit("b", 1), ArmHit("a", 2)]], [1.0, 0.5])
    {'a': 0.02445795875198308, 'b': 0.00819672131147541}
    """
    fused: dict[str, float] = {}
    # Arms beyond the weights have none; weights beyond the arms have no use.
    for hits, weight in zip(arms, weights, strict=False):
        if weight == 0:
            continue
        for hit in hits:
            fused[hit.path] = fused.get(hit.path, 0.0) + rrf_score(hit.rank, weight, k)
    return fused


def rank_fused(fused: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the paths by score descending, then path ascending; NaN scores last.

    Examples
    --------
    >>> rank_fused({"b": 0.5, "a": 0.5, "c": 0.9})
    [('c', 0.9), ('a', 0.5), ('b', 0.5)]
    """

    def order(item: tuple[str, float]) -> tuple[bool, float, bytes]:
        path, score = item
        unordered = math.isnan(score)
        return unordered, 0.0 if unordered else -score, utf16_key(path)

    return sorted(fused.items(), key=order)


def fuse_lateral(
    fused: Mapping[str, float], order: Sequence[str], weight: float, k: float = RRF_K
) -> dict[str, float]:
    """Add one more arm, given as paths from the best one down.

    Parameters
    ----------
    fused : mapping of str to float
        The result of :func:`fuse_arms`; not changed.
    order : sequence of str
        New paths are appended; a path named twice counts twice.
    weight : float
        At 0 or below the result equals `fused`.
    k : float, default 60

    Examples
    --------
    >>> fuse_lateral({"a": 0.5}, ["b"], 1.0)
    {'a': 0.5, 'b': 0.01639344262295082}
    """
    result = dict(fused)
    if weight <= 0:
        return result
    for rank, path in enumerate(order, start=1):
        result[path] = result.get(path, 0.0) + rrf_score(rank, weight, k)
    return result


def apply_mmr(
    candidates: Sequence[MmrCandidate], limit: float, lam: float = MMR_LAMBDA
) -> list[MmrCandidate]:
    """Choose candidates that are relevant and unlike those chosen before.

    Parameters
    ----------
    candidates : sequence of MmrCandidate
        Best first.
    limit : float
        How many at most; +infinity for all of them.
    lam : float, default 0.5
        1 and above is relevance alone and keeps the input order; so does NaN.

    Returns
    -------
    list of MmrCandidate
        In the order of choice.

    Notes
    -----
    Greedy on lam * score - (1 - lam) * penalty, where the penalty is the largest
    similarity to a chosen one, at least 0. The first of equals wins. Each round
    folds in only the newest choice: k rounds over n candidates need k * n cosines.

    References
    ----------
    .. [1] J. Carbonell and J. Goldstein, "The Use of MMR, Diversity-Based Reranking
       for Reordering Documents and Producing Summaries", SIGIR 1998.

    Examples
    --------
    >>> twins = [MmrCandidate("a", 1.0, [1, 0]), MmrCandidate("b", 0.9, [1, 0])]
    >>> [c.path for c in apply_mmr([*twins, MmrCandidate("c", 0.5, [0, 1])], 2)]
    ['a', 'c']
    """
    if not lam < 1:
        return cut(candidates, max(limit, 0))
    penalties = [0.0] * len(candidates)
    remaining = list(range(len(candidates)))
    groups = _vectors_by_length(candidates)
    chosen: list[MmrCandidate] = []
    while remaining and len(chosen) < limit:
        best = _best(candidates, remaining, penalties, lam)
        remaining.remove(best)
        chosen.append(candidates[best])
        _fold_penalties(penalties, groups, candidates[best].vector)
    return chosen


def _best(
    candidates: Sequence[MmrCandidate],
    remaining: Sequence[int],
    penalties: Sequence[float],
    lam: float,
) -> int:
    """Return the first index with the largest value; the first of all if none compares."""
    best, best_value = remaining[0], -math.inf
    for index in remaining:
        value = lam * candidates[index].score - (1 - lam) * penalties[index]
        if value > best_value:
            best, best_value = index, value
    return best


def _vectors_by_length(candidates: Sequence[MmrCandidate]) -> list[tuple[list[int], Doubles]]:
    """Return (indices, matrix) per vector length, so that cosines run in batches."""
    groups: dict[int, list[int]] = {}
    for index, candidate in enumerate(candidates):
        if candidate.vector is not None:
            groups.setdefault(len(candidate.vector), []).append(index)
    return [
        (indices, np.array([candidates[index].vector for index in indices], dtype=np.float64))
        for indices in groups.values()
    ]


def _fold_penalties(
    penalties: list[float], groups: Sequence[tuple[list[int], Doubles]], vector: Vector | None
) -> None:
    """Raise each penalty to its similarity with the newest choice."""
    if vector is None:
        return
    newest = np.asarray(vector, dtype=np.float64)[np.newaxis, :]
    for indices, rows in groups:
        width = min(newest.shape[1], rows.shape[1])
        similarities = cosine_rows(newest[:, :width], rows[:, :width])
        for index, similarity in zip(indices, similarities.tolist(), strict=True):
            penalties[index] = max(penalties[index], similarity)
