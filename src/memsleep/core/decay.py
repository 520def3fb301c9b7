"""Decay and outcome on a fixed-point grid of 1/10,000.

Whole numbers make the arithmetic exact: a batch of N steps equals N single
steps on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, cast

from memsleep.core.ieee import round_half_up

SCALE: Final = 10_000
POS_ONE_FP: Final = SCALE
NEG_ONE_FP: Final = -SCALE
DEFAULT_EWMA_ALPHA: Final = 0.3
DEFAULT_CONFIDENCE_DECAY_ALPHA: Final = 0.1
DEFAULT_CONFIDENCE_FLOOR: Final = 0.2
CONFIDENCE_COMMIT_DELTA: Final = 0.005


def to_fp(value: float) -> int:
    """Return the grid value nearest to `value`, halves toward +infinity.

    Parameters
    ----------
    value : float
        A NaN or an infinity has no place on the grid and comes back as it is.

    Returns
    -------
    int
        Units of 1/10,000.

    Notes
    -----
    The double product decides: a decimal that looks like a half may lie just
    beside it.

    Examples
    --------
    >>> to_fp(0.5), to_fp(-0.00015), to_fp(0.00005)
    (5000, -1, 1)
    """
    scaled = round_half_up(value * SCALE)
    return int(scaled) if math.isfinite(scaled) else cast(int, scaled)


def from_fp(value_fp: int) -> float:
    """Return the value of a grid number.

    Examples
    --------
    >>> from_fp(2450)
    0.245
    """
    return value_fp / SCALE


def ewma_step_fp(alpha_fp: int, prev_fp: int, signal_fp: int) -> int:
    """Return one step of an exponentially weighted moving average, rounded down.

    Parameters
    ----------
    alpha_fp : int
        Weight of the new signal, 0 to SCALE.
    prev_fp, signal_fp : int
        Grid values.

    Returns
    -------
    int
        floor((alpha signal + (SCALE - alpha) prev) / SCALE).

    Examples
    --------
    >>> ewma_step_fp(3000, 0, 10_000), ewma_step_fp(3000, -1, 0)
    (3000, -1)
    """
    return (alpha_fp * signal_fp + (SCALE - alpha_fp) * prev_fp) // SCALE


def apply_outcomes_fp(alpha_fp: int, prev_fp: int, signals_fp: Iterable[int]) -> int:
    """Fold the signals in order, rounding at each step.

    Examples
    --------
    >>> apply_outcomes_fp(3000, 0, [10_000, -10_000])
    -900
    """
    for signal_fp in signals_fp:
        prev_fp = ewma_step_fp(alpha_fp, prev_fp, signal_fp)
    return prev_fp


def apply_negative_hits_fp(alpha_fp: int, prev_fp: int, hits: float) -> int:
    """Fold `hits` negative outcomes.

    Parameters
    ----------
    alpha_fp, prev_fp : int
        As for :func:`ewma_step_fp`.
    hits : float
        0 or fewer changes nothing; a fraction is cut off.

    Examples
    --------
    >>> apply_negative_hits_fp(3000, 0, 2), apply_negative_hits_fp(3000, 7, -1)
    (-5100, 7)
    """
    while hits >= 1:
        next_fp = ewma_step_fp(alpha_fp, prev_fp, NEG_ONE_FP)
        if next_fp == prev_fp:  # a fixed point: further hits change nothing
            break
        prev_fp, hits = next_fp, hits - 1
    return prev_fp


def decay_confidence_fp(alpha_fp: int, conf_fp: int, floor_fp: int) -> int:
    """Return the confidence after one night without confirmation.

    Parameters
    ----------
    alpha_fp : int
        Share of the way to the floor, 0 to SCALE.
    conf_fp, floor_fp : int
        Grid values.

    Returns
    -------
    int
        Never above `conf_fp`; a value below the floor stays where it is.

    Examples
    --------
    >>> decay_confidence_fp(1000, 9000, 2000), decay_confidence_fp(1000, 1500, 2000)
    (8300, 1500)
    """
    return min(conf_fp, ewma_step_fp(alpha_fp, conf_fp, floor_fp))


def decay_confidence_n_fp(alpha_fp: int, conf_fp: int, floor_fp: int, cycles: float) -> int:
    """Fold :func:`decay_confidence_fp` over `cycles` nights.

    Parameters
    ----------
    alpha_fp, conf_fp, floor_fp : int
        As for :func:`decay_confidence_fp`.
    cycles : float
        0 or fewer changes nothing; a begun night counts as a whole one.

    Examples
    --------
    >>> decay_confidence_n_fp(1000, 9000, 2000, 2)
    7670
    """
    while cycles > 0:
        next_fp = decay_confidence_fp(alpha_fp, conf_fp, floor_fp)
        if next_fp == conf_fp:  # a fixed point: further nights change nothing
            break
        conf_fp, cycles = next_fp, cycles - 1
    return conf_fp


def decay_confidence(
    confidence: float,
    *,
    alpha: float = DEFAULT_CONFIDENCE_DECAY_ALPHA,
    floor: float = DEFAULT_CONFIDENCE_FLOOR,
) -> float:
    """Return the confidence after one night, through the grid.

    Parameters
    ----------
    confidence : float
        In [0, 1].
    alpha : float, default 0.1
        Share of the way to the floor, in [0, 1].
    floor : float, default 0.2
        Where decay ends, in [0, 1].

    Examples
    --------
    >>> decay_confidence(0.9)
    0.83
    """
    return decay_confidence_n(confidence, 1, alpha=alpha, floor=floor)


def decay_confidence_n(
    confidence: float,
    cycles: float,
    *,
    alpha: float = DEFAULT_CONFIDENCE_DECAY_ALPHA,
    floor: float = DEFAULT_CONFIDENCE_FLOOR,
) -> float:
    """Return the confidence after `cycles` nights: onto the grid once, off it once.

    Parameters
    ----------
    confidence, alpha, floor : float
        As for :func:`decay_confidence`.
    cycles : float
        As for :func:`decay_confidence_n_fp`.

    Examples
    --------
    >>> decay_confidence_n(0.9, 2)
    0.767
    """
    return from_fp(decay_confidence_n_fp(to_fp(alpha), to_fp(confidence), to_fp(floor), cycles))


def is_committable_confidence_change(before: float, after: float) -> bool:
    """Return whether a change of confidence is large enough to record.

    Examples
    --------
    >>> is_committable_confidence_change(0.5, 0.494)
    True
    >>> is_committable_confidence_change(0.5, 0.497)
    False
    """
    return abs(before - after) >= CONFIDENCE_COMMIT_DELTA
