"""How far a product of two scaled rows may lie from the similarity that is reported.

Everything that the fast path leaves out rests on these two functions. Tests build
rows that come within a few percent of the bound, and fail when it is halved.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memsleep.core.sums import Doubles

FloatType: TypeAlias = type[np.float32] | type[np.float64]

# A component below the normal range may be flushed to 0 by a library that runs so.
UNDERFLOW: Final = 2.0**-30


def row_length(width: int, dtype: FloatType) -> float:
    """Return the length that rows are scaled to: so far below 1 that no partial sum exceeds 1.

    Parameters
    ----------
    width : int
        Number of components.
    dtype : float32 or float64
        Type that products are computed in.

    Examples
    --------
    >>> 0.9999 < row_length(512, np.float32) < 1
    True
    """
    return max(0.5, 1.0 - (width + 8) * _roundoff(dtype))


def product_error(width: int, dtype: FloatType) -> float:
    """Return how far a product of scaled rows may lie from the scaled similarity.

    Parameters
    ----------
    width : int
        Number of components, n below.
    dtype : float32 or float64
        Type that the product is computed in.

    Returns
    -------
    float
        A bound on ``abs(product - row_length**2 * sim)``, `sim` being the reported
        similarity; inf where no bound holds.

    Notes
    -----
    Let u be the unit roundoff of `dtype` (2^-24), v that of double (2^-53), and t
    the row length. A scaled row is ``x[i] * s`` with s = t / norm. The norm is a double:
    of rows scaled in double the one that the reported similarity divides by, of rows
    in float32 the root of the same squares added in any order. It is assumed that the
    product adds n terms in some order, each addition and multiplication rounded
    to nearest in `dtype`: any tree of partial sums, in blocks or not, with fused
    multiply-add or without, on any number of threads. Products in a shorter type
    (TF32, bfloat16) and Strassen's algorithm are not covered.

    1. Additions. A norm is right within n v, so by Cauchy-Schwarz the magnitudes
       of the terms sum to at most t^2 (1 + u)^7 (1 + n v) <= 1 - n u / 2. Hence, by
       induction over the tree, no partial sum exceeds 1, the errors below it
       included. Numbers up to 1 are at most u apart, so each of the n - 1 additions
       errs by at most u / 2: half of the textbook's bound [1]_, compare [2]_.
       Adding 0 is exact.
    2. Multiplications: u times the magnitude of each term, in all u. With fused
       multiply-add there are n roundings of at most u / 2 and none of these.
       So 1 and 2 together: (n + 1) u / 2.
    3. Scaling. Each component is rounded once: u on either side. The factor s is
       rounded once, which changes the length of a row by u: u on either side.
       Together 4 u; second-order terms are below u / 2. So far (n + 10) u / 2.
    4. Underflow. Rows whose norm lies below 2^-40 or above 2^100 are scaled in
       double. Then a component or a term that is lost, gradually or flushed to 0,
       is below 2^-86, far below 2^-30 u; n of them are added.
    5. The norms. The squares are exact and not negative, so two sums of them in double
       differ by at most 2 (n - 1) v of either, and their roots by (n + 1) v with the
       rounding of each. Of two rows (2 n + 2) v; nothing where the norm is the same.
    6. The reported similarity. In double the products of float32 components are
       exact, and nothing under- or overflows. Its n - 1 additions err by (n - 1) v;
       a product and a quotient, 2 v. The errors of the norms are those of s and
       cancel, but for the clamp, which may take away n v. (2 n + 8) v leaves room
       for the arithmetic of the thresholds.

    References
    ----------
    .. [1] N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
       SIAM 2002, section 3.1.
    .. [2] C.-P. Jeannerod and S. M. Rump, "Improved error bounds for inner products
       in floating-point arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013.

    Examples
    --------
    >>> product_error(512, np.float32) < 1.6e-5, product_error(512, np.float64) < 2e-13
    (True, True)
    """
    roundoff = _roundoff(dtype)
    if width * roundoff > 1 / 64:  # the second-order terms would need another look
        return np.inf
    product = (width + 10) / 2 * roundoff + width * roundoff * UNDERFLOW
    norms = 2 * width + 2 if dtype is np.float32 else 0
    return product + (norms + 2 * width + 8) * _roundoff(np.float64)


def at_or_below(bound: Doubles, dtype: np.dtype[np.floating]) -> NDArray[np.floating]:
    """Return the bounds in the type of the product, rounded down."""
    with np.errstate(over="ignore"):
        rounded = bound.astype(dtype)
        return np.where(rounded > bound, np.nextafter(rounded, dtype.type(-np.inf)), rounded)


def _roundoff(dtype: FloatType) -> float:
    """Return half the distance from 1 to the next number."""
    return float(np.finfo(dtype).eps) / 2
