"""exp, log and log1p with the same bits on every machine.

The C library behind :mod:`math` differs from platform to platform in the last
bit of these functions, and that bit reaches scores and reports. The methods and
the coefficients here are those of FDLIBM (e_exp.c, e_log.c, s_log1p.c):

    Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
    Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use,
    copy, modify, and distribute this software is freely granted, provided that
    this notice is preserved.

Every step is one IEEE double operation in a fixed order, so the result is a
function of the argument alone. The error is below one unit in the last place.
"""

from __future__ import annotations

import math
import struct
from typing import Final

# ln 2 in two parts: LN2_HI has 32 trailing zero bits, so n * LN2_HI is exact.
LN2_HI: Final = float.fromhex("0x1.62e42feep-1")
LN2_LO: Final = float.fromhex("0x1.a39ef35793c76p-33")
INV_LN2: Final = float.fromhex("0x1.71547652b82fep+0")

EXP_OVERFLOW: Final = float.fromhex("0x1.62e42fefa39efp+9")
EXP_UNDERFLOW: Final = -float.fromhex("0x1.74910d52d3051p+9")

# x - (polynomial in x**2) approximates c in e**x = 1 + x + x * c / (2 - c).
_EXP_P: Final = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)

# (log(1 + s) - log(1 - s)) / s = 2 + polynomial in s**2.
_LOG_G: Final = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)


def _high_word(value: float) -> int:
    """Return the upper 32 bits of the double, sign bit included."""
    word: int = struct.unpack(">I", struct.pack(">d", value)[:4])[0]
    return word


def _with_high_word(value: float, word: int) -> float:
    """Return the double with its upper 32 bits replaced."""
    result: float = struct.unpack(">d", struct.pack(">I", word) + struct.pack(">d", value)[4:])[0]
    return result


def exp(x: float) -> float:
    """Return e raised to the power `x`.

    Parameters
    ----------
    x : float
        Any double.

    Returns
    -------
    float
        e**x; +inf above 709.78, 0.0 below -745.13, NaN for NaN. Never raises.

    Notes
    -----
    x = k ln 2 + r with abs(r) <= 0.5 ln 2; a kernel of degree five in r**2 gives
    e**r, and the scaling by 2**k is exact but for subnormal results. The
    argument 1 is answered with the double nearest to e, as the engine behind
    the golden values does.

    Examples
    --------
    >>> exp(0.0), exp(-math.inf), exp(1000.0), exp(-0.34657359027997264)
    (1.0, 0.0, inf, 0.7071067811865475)
    """
    if math.isnan(x):
        return x
    if x > EXP_OVERFLOW:
        return math.inf
    if x < EXP_UNDERFLOW:
        return 0.0
    magnitude = _high_word(x) & 0x7FFFFFFF
    if magnitude < 0x3E300000:  # abs(x) < 2**-28
        return 1.0 + x
    if magnitude <= 0x3FD62E42:  # abs(x) <= 0.5 ln 2: no reduction
        c = _exp_c(x)
        return 1.0 - ((x * c) / (c - 2.0) - x)
    if x == 1.0:
        return math.e
    k, hi, lo = _reduce(x, magnitude)
    r = hi - lo
    c = _exp_c(r)
    return _scale(1.0 - ((lo - (r * c) / (2.0 - c)) - hi), k)


def _exp_c(r: float) -> float:
    """Return the c of the kernel for the reduced argument."""
    t = r * r
    p1, p2, p3, p4, p5 = _EXP_P
    return r - t * (p1 + t * (p2 + t * (p3 + t * (p4 + t * p5))))


def _reduce(x: float, magnitude: int) -> tuple[int, float, float]:
    """Return k, hi and lo with x = k ln 2 + hi - lo."""
    if magnitude < 0x3FF0A2B2:  # abs(x) < 1.5 ln 2
        k = 1 if x > 0 else -1
        return k, x - k * LN2_HI, k * LN2_LO
    k = int(INV_LN2 * x + math.copysign(0.5, x))
    return k, x - k * LN2_HI, k * LN2_LO


def _scale(y: float, k: int) -> float:
    """Return y * 2**k, rounding once where the result is subnormal."""
    if k == 1024:  # 2**1024 itself is no double
        return y * 2.0 * math.ldexp(1.0, 1023)
    if k >= -1021:
        return y * math.ldexp(1.0, k)
    return y * math.ldexp(1.0, k + 1000) * math.ldexp(1.0, -1000)


def log(x: float) -> float:
    """Return the natural logarithm of `x`.

    Parameters
    ----------
    x : float
        Any double.

    Returns
    -------
    float
        ln x; -inf at zero, NaN below zero and for NaN, +inf at +inf. Never raises.

    Notes
    -----
    x = 2**k (1 + f) with sqrt(2)/2 < 1 + f < sqrt(2); log(1 + f) comes from a
    polynomial in s**2, s = f / (2 + f).

    Examples
    --------
    >>> log(1.0), log(0.0), log(2.0) == math.log(2.0)
    (0.0, -inf, True)
    """
    if math.isnan(x) or x < 0:
        return math.nan
    if x == 0:
        return -math.inf
    if x == math.inf:
        return x
    k = 0
    if x < math.ldexp(1.0, -1022):  # subnormal: scale up, exactly
        k, x = -54, x * math.ldexp(1.0, 54)
    word = _high_word(x)
    k += (word >> 20) - 1023
    word &= 0xFFFFF
    halve = (word + 0x95F64) & 0x100000  # set when the mantissa is above sqrt(2)
    k += halve >> 20
    f = _with_high_word(x, word | (halve ^ 0x3FF00000)) - 1.0
    if (0xFFFFF & (2 + word)) < 3:  # abs(f) < 2**-20
        return _log_near_one(f, k)
    return _log_from_f(f, k, wide=((word - 0x6147A) | (0x6B851 - word)) > 0)


def _log_near_one(f: float, k: int) -> float:
    """Return k ln 2 + log(1 + f) for a tiny f."""
    if f == 0:
        return k * LN2_HI + k * LN2_LO
    r = f * f * (0.5 - 0.33333333333333333 * f)
    return f - r if k == 0 else k * LN2_HI - ((r - k * LN2_LO) - f)


def _log_from_f(f: float, k: int, *, wide: bool) -> float:
    """Return k ln 2 + log(1 + f); `wide` picks the form for f away from zero."""
    g1, g2, g3, g4, g5, g6, g7 = _LOG_G
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    r = z * (g1 + w * (g3 + w * (g5 + w * g7))) + w * (g2 + w * (g4 + w * g6))
    if wide:
        half_square = 0.5 * f * f
        if k == 0:
            return f - (half_square - s * (half_square + r))
        return k * LN2_HI - ((half_square - (s * (half_square + r) + k * LN2_LO)) - f)
    return f - s * (f - r) if k == 0 else k * LN2_HI - ((s * (f - r) - k * LN2_LO) - f)


def log1p(x: float) -> float:
    """Return the natural logarithm of 1 + `x`, exact also where `x` is tiny.

    Parameters
    ----------
    x : float
        Any double.

    Returns
    -------
    float
        ln(1 + x); -inf at -1, NaN below -1 and for NaN, +inf at +inf. Never raises.

    Notes
    -----
    As :func:`log`, with the rounding error of 1 + x carried along as c.

    Examples
    --------
    >>> log1p(0.0), log1p(1e-300), log1p(-1.0)
    (0.0, 1e-300, -inf)
    """
    if math.isnan(x) or x < -1:
        return math.nan
    if x in (-1.0, math.inf):
        return math.copysign(math.inf, x)
    word = _high_word(x)
    magnitude = word & 0x7FFFFFFF
    if magnitude < 0x3C900000:  # abs(x) < 2**-54
        return x
    if magnitude < 0x3E200000:  # abs(x) < 2**-29
        return x - x * x * 0.5
    if (x > 0 and word < 0x3FDA827A) or (x < 0 and magnitude < 0x3FD2BEC4):
        return _log1p_kernel(x, 0, 0.0, near_one=False)
    u = 1.0 + x if magnitude < 0x43400000 else x
    k = (_high_word(u) >> 20) - 1023
    c = 0.0
    if magnitude < 0x43400000:
        c = (1.0 - (u - x) if k > 0 else x - (u - 1.0)) / u
    mantissa = _high_word(u) & 0xFFFFF
    if mantissa < 0x6A09E:
        f = _with_high_word(u, mantissa | 0x3FF00000) - 1.0
        return _log1p_kernel(f, k, c, near_one=mantissa == 0)
    f = _with_high_word(u, mantissa | 0x3FE00000) - 1.0
    return _log1p_kernel(f, k + 1, c, near_one=(0x100000 - mantissa) >> 2 == 0)


def _log1p_kernel(f: float, k: int, c: float, *, near_one: bool) -> float:
    """Return k ln 2 + log(1 + f) + c."""
    half_square = 0.5 * f * f
    if near_one:  # abs(f) < 2**-20
        if f == 0:
            return k * LN2_HI + (c + k * LN2_LO)
        r = half_square * (1.0 - 0.66666666666666666 * f)
        return f - r if k == 0 else k * LN2_HI - ((r - (k * LN2_LO + c)) - f)
    s = f / (2.0 + f)
    z = s * s
    r = 0.0
    for coefficient in reversed(_LOG_G):
        r = z * (coefficient + r)
    if k == 0:
        return f - (half_square - s * (half_square + r))
    return k * LN2_HI - ((half_square - (s * (half_square + r) + (k * LN2_LO + c))) - f)
