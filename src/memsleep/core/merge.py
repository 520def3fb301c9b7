"""Which near-duplicates merge: a threshold, the guards, and one role for each path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from memsleep.core.guards import MergeText, merge_vetoed

NEAR_DUPLICATE_THRESHOLD: Final = 0.92
MAX_MERGE_PAIRS: Final = 100

MergeStage: TypeAlias = Literal["cap", "threshold", "vetoed", "self", "role-guard", "committed"]


@dataclass(frozen=True, slots=True)
class MergePair:
    """Two memories, oriented: the keeper is the older one."""

    keep_path: str
    drop_path: str
    similarity: float  # cosine, in [-1, 1]
    keep_text: MergeText | None = None
    drop_text: MergeText | None = None


@dataclass(frozen=True, slots=True)
class MergeOutcome:
    """A pair and the first stage that settled it."""

    pair: MergePair
    stage: MergeStage


@dataclass(frozen=True, slots=True)
class MergeDecision:
    """A committed merge."""

    keep_path: str
    drop_path: str
    similarity: float


def merge_outcomes(
    pairs: Iterable[MergePair],
    *,
    threshold: float = NEAR_DUPLICATE_THRESHOLD,
    max_pairs: float = MAX_MERGE_PAIRS,
) -> list[MergeOutcome]:
    """Settle each pair, in input order.

    Parameters
    ----------
    pairs : iterable of MergePair
        Best first: an earlier pair's claim on a path stands.
    threshold : float, default 0.92
        A similarity equal to it is refused.
    max_pairs : float, default 100
        How many pairs may be committed; +infinity for no cap.

    Returns
    -------
    list of MergeOutcome
        One per pair. The stage is the first that holds: ``cap``, ``threshold``,
        ``vetoed`` (both texts present), ``self``, ``role-guard`` (the dropped one
        was dropped or keeps already, or the keeper was dropped), ``committed``.

    Notes
    -----
    A keeper may keep again. The output is a function of the input order alone.
    A NaN similarity is not at or below any threshold. Source: spec "Merge".

    Examples
    --------
    >>> chain = [MergePair("a", "b", 0.99), MergePair("b", "c", 0.98), MergePair("a", "d", 0.97)]
    >>> [outcome.stage for outcome in merge_outcomes(chain)]
    ['committed', 'role-guard', 'committed']
    """
    keepers: set[str] = set()
    dropped: set[str] = set()
    outcomes: list[MergeOutcome] = []
    for pair in pairs:
        # Each commitment drops one path that was not dropped: the set counts them.
        capped = len(dropped) >= max_pairs
        stage = "cap" if capped else _stage(pair, threshold, keepers, dropped)
        if stage == "committed":
            keepers.add(pair.keep_path)
            dropped.add(pair.drop_path)
        outcomes.append(MergeOutcome(pair, stage))
    return outcomes


def merge_candidates(
    pairs: Iterable[MergePair],
    *,
    threshold: float = NEAR_DUPLICATE_THRESHOLD,
    max_pairs: float = MAX_MERGE_PAIRS,
) -> list[MergeDecision]:
    """Return the committed pairs of :func:`merge_outcomes` as decisions.

    Examples
    --------
    >>> merge_candidates([MergePair("a", "b", 0.95), MergePair("c", "d", 0.92)])
    [MergeDecision(keep_path='a', drop_path='b', similarity=0.95)]
    """
    return [
        MergeDecision(outcome.pair.keep_path, outcome.pair.drop_path, outcome.pair.similarity)
        for outcome in merge_outcomes(pairs, threshold=threshold, max_pairs=max_pairs)
        if outcome.stage == "committed"
    ]


def exclude_self_supersede(canonical: str, members: Sequence[str]) -> list[str]:
    """Return the members without the canonical one; order and repeats kept.

    Examples
    --------
    >>> exclude_self_supersede("a", ["b", "a", "c", "b"])
    ['b', 'c', 'b']
    """
    return [member for member in members if member != canonical]


def _stage(pair: MergePair, threshold: float, keepers: set[str], dropped: set[str]) -> MergeStage:
    """Return the stage of one pair below the cap."""
    if pair.similarity <= threshold:
        return "threshold"
    keep, drop = pair.keep_text, pair.drop_text
    if keep is not None and drop is not None and merge_vetoed(keep, drop):
        return "vetoed"
    if pair.keep_path == pair.drop_path:
        return "self"
    if pair.drop_path in dropped or pair.drop_path in keepers or pair.keep_path in dropped:
        return "role-guard"
    return "committed"
