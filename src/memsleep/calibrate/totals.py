"""Counts over judged pairs, with the uncertainty that so few of them leave."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from memsleep.calibrate.judging import JudgedPair
from memsleep.calibrate.pairs import EITHER, MERGED

Z95 = 1.959963984540054
OUTCOMES = ("merge", "review", "refuse")


@dataclass(frozen=True, slots=True)
class Share:
    """A share of pairs and its 95 % interval (Wilson); all None where there is no pair."""

    count: int
    of: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """What became of the pairs of one label, or of one label and kind."""

    label: str
    kind: str
    pairs: int
    merge: Share
    review: Share
    refuse: Share
    similarity: tuple[float, ...]
    """Least, 5 %, median, 95 % and greatest similarity; empty without vectors."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The counts of a file of pairs."""

    pairs: int
    by_label: tuple[Row, ...]
    by_kind: tuple[Row, ...]
    wrong: Share
    """Of the pairs that must not merge, those that merge."""
    precision: Share
    """Of the merged pairs that are told one way or the other, those that say the same."""
    recall: Share
    """Of the pairs that say the same, those that merge."""
    guards: dict[str, dict[str, int]]
    """Guard -> label -> pairs on which it fired."""


def wilson(count: int, of: int) -> Share:
    """Return a share with its 95 % interval.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
       J. Am. Stat. Assoc. 22 (1927).

    Examples
    --------
    >>> wilson(0, 400)
    Share(count=0, of=400, share=0.0, low=0.0, high=0.009512)
    """
    if not of:
        return Share(count, of, None, None, None)
    share, z2 = count / of, Z95 * Z95
    middle = share + z2 / (2 * of)
    reach = Z95 * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    low, high = ((middle + sign * reach) / (1 + z2 / of) for sign in (-1, 1))
    return Share(count, of, round(share, 6), _bounded(low), _bounded(high))


def _bounded(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 6)


def totals_of(judged: Iterable[JudgedPair]) -> Totals:
    """Count judged pairs by label and by kind; precision and recall over the told ones."""
    pairs = list(judged)
    same = [pair for pair in pairs if pair.label.lower() in MERGED]
    told = [pair for pair in pairs if pair.label.lower() not in EITHER]
    merged = [pair for pair in told if pair.outcome == "merge"]
    apart = [pair for pair in told if pair.label.lower() not in MERGED]
    right = sum(pair.label.lower() in MERGED for pair in merged)
    return Totals(
        pairs=len(pairs),
        by_label=_rows(pairs, lambda pair: (pair.label, "")),
        by_kind=_rows(pairs, lambda pair: (pair.label, pair.kind)),
        wrong=wilson(sum(pair.outcome == "merge" for pair in apart), len(apart)),
        precision=wilson(right, len(merged)),
        recall=wilson(sum(pair.outcome == "merge" for pair in same), len(same)),
        guards=_fired(pairs),
    )


def _rows(
    pairs: Sequence[JudgedPair], key_of: Callable[[JudgedPair], tuple[str, str]]
) -> tuple[Row, ...]:
    groups: dict[tuple[str, str], list[JudgedPair]] = {}
    for pair in pairs:
        groups.setdefault(key_of(pair), []).append(pair)
    return tuple(_row(*key, group) for key, group in sorted(groups.items()))


def _row(label: str, kind: str, group: Sequence[JudgedPair]) -> Row:
    counts = Counter(pair.outcome for pair in group)
    merge, review, refuse = (wilson(counts[outcome], len(group)) for outcome in OUTCOMES)
    near = [pair.similarity for pair in group if pair.similarity is not None]
    return Row(label, kind, len(group), merge, review, refuse, five_numbers(near))


def five_numbers(values: Iterable[float]) -> tuple[float, ...]:
    """Return the least, 5 %, median, 95 % and greatest of some values; nothing for none."""
    ordered = sorted(values)
    if not ordered:
        return ()
    last = len(ordered) - 1
    return tuple(round(ordered[round(part * last)], 6) for part in (0, 0.05, 0.5, 0.95, 1))


def _fired(pairs: Iterable[JudgedPair]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for pair in pairs:
        for name in pair.guards:
            counts.setdefault(name, Counter())[pair.label] += 1
    return {name: dict(sorted(counts[name].items())) for name in sorted(counts)}
