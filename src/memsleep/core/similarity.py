"""The similarity space: cosine and compensated summation, bit for bit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from memsleep.core.ieee import clamp
from memsleep.core.sums import Doubles, row_sums

Vector: TypeAlias = Sequence[float] | NDArray[np.floating]


def cosine(a: Vector, b: Vector) -> float:
    """Return the cosine similarity of two vectors.

    Parameters
    ----------
    a, b : sequence of float or 1-D ndarray
        Where the lengths differ, the common prefix counts.

    Returns
    -------
    float
        Similarity in [-1, 1]. 0 if either norm is zero or the ratio is NaN.
        Never NaN and never an error for numbers.

    Notes
    -----
    One pass in index order in double precision, three sums, then
    dot / (sqrt(norm_a) * sqrt(norm_b)), then the clamp. A float32 component is
    widened first, so each of its products is exact. The square roots are taken
    apart because their product rounds otherwise than the root of the product.
    Source: spec "Similarity space".

    Examples
    --------
    >>> cosine([1.0, 0.0], [1.0, 1.0])
    0.7071067811865475
    >>> cosine([1.0], [0.0])
    0.0
    """
    dot = norm_a = norm_b = 0.0
    for x, y in zip(_widened(a), _widened(b), strict=False):
        dot += x * y
        norm_a += x * x
        norm_b += y * y
    if norm_a == 0 or norm_b == 0:
        return 0.0
    ratio = dot / (math.sqrt(norm_a) * math.sqrt(norm_b))
    return 0.0 if math.isnan(ratio) else clamp(ratio, -1.0, 1.0)


def cosine_distance(a: Vector, b: Vector) -> float:
    """Return 1 minus the cosine similarity, in [0, 2].

    Examples
    --------
    >>> cosine_distance([1.0, 0.0], [-2.0, 0.0])
    2.0
    """
    return 1.0 - cosine(a, b)


def compensated_sum(values: Iterable[float]) -> float:
    """Return the Neumaier sum of the values in the given order.

    Parameters
    ----------
    values : iterable of float
        An infinity or an overflow gives NaN.

    Returns
    -------
    float
        The sum; 0.0 for no values. Not the correctly rounded `math.fsum`.

    References
    ----------
    .. [1] A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
       endlicher Summen", ZAMM 54 (1974).

    Examples
    --------
    >>> compensated_sum([1e100, 1.0, -1e100])
    1.0
    """
    total = correction = 0.0
    for value in values:
        bigger = total + value
        if abs(total) >= abs(value):
            correction += (total - bigger) + value
        else:
            correction += (value - bigger) + total
        total = bigger
    return total + correction


def cosine_rows(left: Doubles, right: Doubles) -> Doubles:
    """Return the cosine of each row of `left` with the same row of `right`.

    Parameters
    ----------
    left, right : ndarray of shape (n, d), float64
        `left` may also be a single row of shape (1, d).

    Returns
    -------
    ndarray of shape (n,), float64
        Each equal bit for bit to :func:`cosine` of the two rows.

    Examples
    --------
    >>> cosine_rows(np.array([[1.0, 0.0]]), np.array([[1.0, 1.0], [0.0, 0.0]])).tolist()
    [0.7071067811865475, 0.0]
    """
    with np.errstate(all="ignore"):
        dot, norm_left, norm_right = row_sums(left * right), row_sums(left**2), row_sums(right**2)
        ratio = cosine_ratio(dot, norm_left, norm_right)
    return np.where(np.isnan(ratio), 0.0, ratio)


def cosine_ratio(dot: Doubles, norm_left: Doubles, norm_right: Doubles) -> Doubles:
    """Return the clamped ratio: 0 for a zero norm, NaN where it is undefined.

    Parameters
    ----------
    dot, norm_left, norm_right : ndarray of shape (n,), float64
        Inner products and squared norms of n pairs.

    Returns
    -------
    ndarray of shape (n,), float64
        In [-1, 1] or NaN.

    Examples
    --------
    >>> cosine_ratio(np.array([1.0]), np.array([4.0]), np.array([0.0])).tolist()
    [0.0]
    """
    with np.errstate(all="ignore"):
        ratio = np.clip(dot / (np.sqrt(norm_left) * np.sqrt(norm_right)), -1.0, 1.0)
    return np.where((norm_left == 0) | (norm_right == 0), 0.0, ratio)


def _widened(vector: Vector) -> list[float]:
    """Return the components as Python floats; an integer too large as infinity."""
    if isinstance(vector, np.ndarray):
        return [float(x) for x in vector.tolist()]
    try:
        return [float(x) for x in vector]
    except OverflowError:
        return [_as_double(x) for x in vector]


def _as_double(number: float) -> float:
    """Return the number as a double, an integer beyond the range as an infinity."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
