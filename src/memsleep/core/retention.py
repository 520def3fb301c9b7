"""Retention: eight signals, a weighted score and the triage band."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from memsleep.core.elementary import exp
from memsleep.core.ieee import at_least, at_most, clamp, round_half_up
from memsleep.core.similarity import compensated_sum

TriageAction: TypeAlias = Literal["keep", "compress", "evict"]
SignalName: TypeAlias = str

LN2: Final = 0.6931471805599453
SCORE_PRECISION: Final = 4
KEEP_THRESHOLD: Final = 0.7
EVICT_THRESHOLD: Final = 0.3
DEFAULT_HALF_LIFE_DAYS: Final = 30
TRIAGE_ACTIONS: Final[tuple[TriageAction, ...]] = ("keep", "compress", "evict")

# What saturates a signal, and where the quadratic start of the density ends.
ACCESS_SATURATION: Final = 10
BRIDGE_SATURATION: Final = 5
REINFORCEMENT_SATURATION: Final = 5
CONTRADICTION_SATURATION: Final = 3
DENSITY_SATURATION_WORDS: Final = 100
DENSITY_SHORT_WORDS: Final = 10

SIGNAL_NAMES: Final[tuple[SignalName, ...]] = (
    "recency",
    "access_frequency",
    "confidence",
    "pagerank",
    "bridge_importance",
    "reinforcement_count",
    "content_density",
    "contested_status",
)

# None: no time decay.
HALF_LIVES_DAYS: Final[Mapping[str, int | None]] = MappingProxyType(
    {
        "episodic": 10,
        "semantic": 90,
        "procedural": None,
        "arc": 30,
        "error_pattern": 14,
        "task": None,
    }
)


def _profile(*weights: float) -> Mapping[SignalName, float]:
    """Return a read-only profile from eight weights in signal order."""
    return MappingProxyType(dict(zip(SIGNAL_NAMES, weights, strict=True)))


WEIGHT_PROFILES: Final[Mapping[str, Mapping[SignalName, float]]] = MappingProxyType(
    {
        "episodic": _profile(0.25, 0.15, 0.10, 0.10, 0.10, 0.10, 0.10, 0.10),
        "semantic": _profile(0.05, 0.15, 0.20, 0.20, 0.15, 0.10, 0.10, 0.05),
        "procedural": _profile(0.00, 0.20, 0.15, 0.15, 0.10, 0.20, 0.10, 0.10),
        "arc": _profile(0.10, 0.10, 0.15, 0.15, 0.15, 0.15, 0.10, 0.10),
        "error_pattern": _profile(0.20, 0.15, 0.10, 0.05, 0.05, 0.20, 0.10, 0.15),
    }
)
DEFAULT_WEIGHTS: Final = _profile(0.15, 0.15, 0.15, 0.15, 0.10, 0.10, 0.10, 0.10)


@dataclass(frozen=True, slots=True)
class RetentionInput:
    """The raw facts about one memory that its retention rests on."""

    memory_type: str  # matched exactly, in lower case
    age_days: float  # days since creation; below 0 counts as 0
    access_count: float  # reads, >= 0
    confidence: float  # belief, in [0, 1]
    graph_rank: float  # PageRank score, >= 0
    max_graph_rank: float  # the largest score of this run
    bridge_count: float  # edges that cross communities
    reinforcement_count: float  # confirmations
    word_count: float  # words of the body
    contradiction_count: float  # AUTHORED contradictions only


@dataclass(frozen=True, slots=True)
class RetentionScore:
    """A score with the signals it came from."""

    score: float  # 4 decimals, in [0, 1]
    action: TriageAction
    signals: dict[SignalName, float]


def weights_for(memory_type: str) -> dict[SignalName, float]:
    """Return the weight profile of a memory type; the default one if unlisted.

    Examples
    --------
    >>> weights_for("procedural")["recency"], weights_for("verdict")["recency"]
    (0.0, 0.15)
    """
    return dict(WEIGHT_PROFILES.get(memory_type, DEFAULT_WEIGHTS))


def half_life_for(memory_type: str) -> float | None:
    """Return the recency half-life in days; None if time does not matter.

    Examples
    --------
    >>> half_life_for("semantic"), half_life_for("task"), half_life_for("verdict")
    (90, None, 30)
    """
    return HALF_LIVES_DAYS.get(memory_type, DEFAULT_HALF_LIFE_DAYS)


def profile_weight_sum(profile: Mapping[SignalName, float]) -> float:
    """Return the compensated sum of a profile's weights, in signal order.

    Examples
    --------
    >>> profile_weight_sum(weights_for("episodic"))
    1.0
    """
    return compensated_sum(profile[name] for name in SIGNAL_NAMES)


def compute_signals(facts: RetentionInput) -> dict[SignalName, float]:
    """Return the eight signals of one memory, each in [0, 1].

    Parameters
    ----------
    facts : RetentionInput
        Counts below 0 read as 0; a NaN makes its own signal NaN.

    Returns
    -------
    dict of str to float
        In the order of ``SIGNAL_NAMES``.

    Notes
    -----
    Saturating counts, a half-life for age and a density that punishes stubs.
    Source: spec "Retention".

    Examples
    --------
    >>> facts = RetentionInput("episodic", 10, 3, 0.8, 0.0, 0.0, 0, 0, 9, 0)
    >>> signals = compute_signals(facts)
    >>> signals["recency"], signals["content_density"], signals["contested_status"]
    (0.5, 0.081, 1.0)
    """
    return {
        "recency": _recency(facts.age_days, half_life_for(facts.memory_type)),
        "access_frequency": _saturating(facts.access_count, ACCESS_SATURATION),
        "confidence": clamp(facts.confidence),
        "pagerank": _relative_rank(facts.graph_rank, facts.max_graph_rank),
        "bridge_importance": _saturating(facts.bridge_count, BRIDGE_SATURATION),
        "reinforcement_count": _saturating(facts.reinforcement_count, REINFORCEMENT_SATURATION),
        "content_density": _density(facts.word_count),
        "contested_status": 1.0 - _saturating(facts.contradiction_count, CONTRADICTION_SATURATION),
    }


def composite_score(
    signals: Mapping[SignalName, float], profile: Mapping[SignalName, float]
) -> float:
    """Return the weighted score, rounded to 4 places, halves toward +infinity.

    Parameters
    ----------
    signals, profile : mapping of str to float
        One value per name of ``SIGNAL_NAMES``.

    Returns
    -------
    float
        In [0, 1] for signals in [0, 1] and a shipped profile.

    Examples
    --------
    >>> composite_score(dict.fromkeys(SIGNAL_NAMES, 1.0), weights_for("arc"))
    1.0
    """
    total = compensated_sum(signals[name] * profile[name] for name in SIGNAL_NAMES)
    scale = 10.0**SCORE_PRECISION
    return round_half_up(total * scale) / scale


def band_for(score: float) -> TriageAction:
    """Return the triage band; each edge belongs to the lower one, NaN to the lowest.

    Examples
    --------
    >>> [band_for(score) for score in (0.7001, 0.7, 0.3001, 0.3)]
    ['keep', 'compress', 'compress', 'evict']
    """
    if score > KEEP_THRESHOLD:
        return "keep"
    return "compress" if score > EVICT_THRESHOLD else "evict"


def score_retention(facts: RetentionInput) -> RetentionScore:
    """Return score, band and signals of one memory.

    Examples
    --------
    >>> result = score_retention(RetentionInput("semantic", 0, 0, 1.0, 0.0, 0.0, 0, 0, 0, 0))
    >>> result.score, result.action
    (0.3, 'evict')
    """
    signals = compute_signals(facts)
    score = composite_score(signals, weights_for(facts.memory_type))
    return RetentionScore(score=score, action=band_for(score), signals=signals)


def _recency(age_days: float, half_life_days: float | None) -> float:
    """Return the share left after an exponential decay with the half-life."""
    if half_life_days is None or age_days <= 0:
        return 1.0
    return exp((-LN2 * age_days) / half_life_days)


def _saturating(count: float, full: float) -> float:
    """Return count / full, limited to [0, 1]."""
    return at_most(at_least(count, 0) / full, 1)


def _relative_rank(rank: float, max_rank: float) -> float:
    """Return the rank as a share of the run's maximum; 0 without a positive maximum."""
    return clamp(rank / max_rank) if max_rank > 0 else 0.0


def _density(words: float) -> float:
    """Return the density: quadratic below 10 words, then linear up to 100."""
    words = at_least(words, 0)
    if words < DENSITY_SHORT_WORDS:
        return words * words / (DENSITY_SHORT_WORDS * DENSITY_SATURATION_WORDS)
    return at_most(words / DENSITY_SATURATION_WORDS, 1)
