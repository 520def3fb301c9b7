"""Total floating-point helpers: rounding, limits, division and slices.

Python raises or depends on argument order where IEEE 754 and the golden values
have a plain answer. Each helper here is defined for every double.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def round_half_up(value: float) -> float:
    """Round to the nearest integer, halves toward +infinity.

    Parameters
    ----------
    value : float
        Any double.

    Returns
    -------
    float
        An integral double. NaN and the infinities come back unchanged; a value
        in [-0.5, 0) gives -0.0.

    Notes
    -----
    ``floor(value + 0.5)`` is not this function: the sum itself rounds, which is
    wrong for the largest double below 0.5 and for odd integers above 2**52.

    Examples
    --------
    >>> [round_half_up(x) for x in (0.5, 1.5, -0.5, -1.5, 0.49999999999999994)]
    [1.0, 2.0, -0.0, -1.0, 0.0]
    """
    if not math.isfinite(value):
        return value
    floor = math.floor(value)
    # value - floor is exact: both lie within one unit of each other.
    nearest = floor + 1 if value - floor >= 0.5 else floor
    return math.copysign(float(nearest), value) if nearest == 0 else float(nearest)


def at_least(value: float, lower: float) -> float:
    """Return the larger of the two; NaN if `value` is NaN, 0.0 for -0.0 and 0.

    Examples
    --------
    >>> at_least(-3, 0), at_least(2.5, 0)
    (0.0, 2.5)
    """
    return float(lower) if value <= lower else float(value)


def at_most(value: float, upper: float) -> float:
    """Return the smaller of the two; NaN if `value` is NaN.

    Examples
    --------
    >>> at_most(3, 1), at_most(0.5, 1)
    (1.0, 0.5)
    """
    return float(upper) if value > upper else float(value)


def clamp(value: float, lower: float = 0.0, upper: float = 1.0) -> float:
    """Return `value` limited to [`lower`, `upper`]; NaN stays NaN.

    Examples
    --------
    >>> clamp(1.2), clamp(-0.1), clamp(0.4)
    (1.0, 0.0, 0.4)
    """
    return at_most(at_least(value, lower), upper)


def divide(numerator: float, denominator: float) -> float:
    """Divide as IEEE 754 does: a zero denominator gives an infinity or NaN.

    Examples
    --------
    >>> divide(1.0, 0.0), divide(-1.0, 0.0), divide(0.0, 0.0)
    (inf, -inf, nan)
    """
    if denominator != 0:
        return numerator / denominator
    if numerator == 0 or math.isnan(numerator):
        return math.nan
    return math.copysign(math.inf, numerator) * math.copysign(1.0, denominator)


def cut(items: Sequence[T], limit: float) -> list[T]:
    """Return the first `limit` items, where `limit` may be any number.

    Parameters
    ----------
    items : sequence
        What to cut.
    limit : float
        Counts from the end if negative, as a slice does; +infinity keeps all;
        -infinity and NaN keep nothing; a fraction is cut off toward zero.

    Returns
    -------
    list
        A new list.

    Examples
    --------
    >>> cut("abcd", 2), cut("abcd", -1), cut("abcd", math.inf)
    (['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd'])
    """
    if limit == math.inf:
        return list(items)
    if not math.isfinite(limit):
        return []
    return list(items[: int(limit)])
