"""Array sums in index order, equal bit for bit to a plain loop.

`np.sum` and `np.dot` add in an order of their own, which differs between
machines in the last bit. What is used here has a fixed order by definition:
`np.add.accumulate` is the running sum, `np.bincount` adds its weights one after
the other, and whole columns can be added in a loop.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Doubles: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]

# Among so many rows, adding column by column is quicker than a running sum per row.
MANY_ROWS: Final = 128
ROWS_AT_ONCE: Final = 512  # as many as stay in the cache from one column to the next
CACHE_LINE: Final = 8  # doubles


def products(left: NDArray[np.float32], right: NDArray[np.float32]) -> Doubles:
    """Return the products of two arrays of one shape, exact in double.

    One row begins a little more than its length behind the other: rows at distances that are a
    power of two fall on the same lines of the cache, and a sum column by column takes thrice as
    long.

    Examples
    --------
    >>> products(np.float32([[0.5, 3]]), np.float32([[0.5, 2]])).tolist()
    [[0.25, 6.0]]
    """
    n_rows, width = left.shape
    terms = np.empty((n_rows, width + CACHE_LINE))[:, :width]
    with np.errstate(all="ignore"):
        terms[:] = left
        terms *= right
    return terms


def row_sums(terms: Doubles) -> Doubles:
    """Return the sum of each row, added in index order.

    Parameters
    ----------
    terms : ndarray of shape (n, d), float64

    Returns
    -------
    ndarray of shape (n,), float64
        Equal bit for bit to a loop that starts from 0.0. `terms` may be overwritten.

    Notes
    -----
    Adding 0.0 turns a sum of nothing but -0.0 into the 0.0 of such a loop.

    Examples
    --------
    >>> row_sums(np.array([[1.0, 2.0], [-0.0, -0.0]])).tolist()
    [3.0, 0.0]
    """
    total: Doubles = np.zeros(terms.shape[0])
    with np.errstate(all="ignore"):
        if len(terms) >= MANY_ROWS:
            for start in range(0, len(terms), ROWS_AT_ONCE):
                part = slice(start, start + ROWS_AT_ONCE)
                for column in terms[part].T:
                    total[part] += column
        elif terms.shape[1]:
            total += np.add.accumulate(terms, axis=1, out=terms)[:, -1]
    return total


def ordered_sum(values: Doubles) -> float:
    """Return the sum of the values, added in index order.

    Examples
    --------
    >>> ordered_sum(np.array([0.1, 0.2, 0.3]))
    0.6000000000000001
    """
    return float(row_sums(values[np.newaxis, :].copy())[0])


def ordered_totals(index: Indices, weights: Doubles, size: int) -> Doubles:
    """Return, for each of `size` places, the sum of its weights in input order.

    Parameters
    ----------
    index : ndarray of shape (n,), int64
        The place that each weight belongs to.
    weights : ndarray of shape (n,), float64

    Returns
    -------
    ndarray of shape (size,), float64

    Examples
    --------
    >>> ordered_totals(np.array([1, 1, 0]), np.array([0.5, 0.25, 2.0]), 3).tolist()
    [2.0, 0.75, 0.0]
    """
    return np.bincount(index, weights=weights, minlength=size).astype(np.float64, copy=False)
