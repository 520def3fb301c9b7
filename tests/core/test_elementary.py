"""exp, log and log1p: the same bits everywhere, and right within one unit."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core.elementary import exp, log, log1p

# Recorded from a JavaScript engine, whose functions follow the same library.
KNOWN: list[tuple[Callable[[float], float], str, str]] = [
    (exp, "-0x1.12e0be826d695p-30", "0x1.fffffff768fa1p-1"),
    (exp, "0x1.12e0be826d695p-30", "0x1.000000044b830p+0"),
    (exp, "0x1.3333333333333p-2", "0x1.599058c8c1a96p+0"),
    (exp, "-0x1.3333333333333p-2", "0x1.7b4c869c37c05p-1"),
    (exp, "0x1.62e42fefa39efp-2", "0x1.6a09e667f3bccp+0"),
    (exp, "-0x1.62e42fefa39efp-2", "0x1.6a09e667f3bccp-1"),
    (exp, "0x1.0000000000000p-1", "0x1.a61298e1e069cp+0"),
    (exp, "-0x1.0000000000000p-1", "0x1.368b2fc6f960ap-1"),
    (exp, "0x1.07ae147ae147bp+0", "0x1.66895344fcdccp+1"),
    (exp, "-0x1.07ae147ae147bp+0", "0x1.6d933b905afb6p-2"),
    (exp, "0x1.0a3d70a3d70a4p+0", "0x1.6a23c87af69e8p+1"),
    (exp, "-0x1.0a3d70a3d70a4p+0", "0x1.69f0062e862fep-2"),
    (exp, "0x1.4000000000000p+1", "0x1.85d6fd931e0bbp+3"),
    (exp, "-0x1.d000000000000p+2", "0x1.7455fe323fafep-11"),
    (exp, "-0x1.40ccccccccccdp+5", "0x1.1ba46d6527705p-58"),
    (exp, "0x1.9133333333333p+6", "0x1.a08a5754ae034p+144"),
    (exp, "0x1.62c0000000000p+9", "0x1.81e9b4b52d0c9p+1023"),
    (exp, "-0x1.621999999999ap+9", "0x1.378faeaa24275p-1022"),
    (exp, "-0x1.7226666666666p+9", "0x0.000000000003fp-1022"),
    (exp, "0x1.999999999999ap-4", "0x1.1aec7b35a00d4p+0"),
    (exp, "-0x1.62e42fefa39efp-1", "0x1.0000000000000p-1"),
    (log, "0x0.012688b70e62bp-1022", "-0x1.64e69394d9508p+9"),
    (log, "0x1.0000000000000p-2", "-0x1.62e42fefa39efp+0"),
    (log, "0x1.6a09e65dc27dfp-1", "-0x1.62e4300c77ae8p-2"),
    (log, "0x1.6a09e7098ef50p-1", "-0x1.62e42e268c249p-2"),
    (log, "0x1.fffffca501acbp-1", "-0x1.ad7f2b1049b9fp-24"),
    (log, "0x1.ffffffffea028p-1", "-0x1.5fd80000078e5p-37"),
    (log, "0x1.000001ad7f29bp+0", "0x1.ad7f2847b6492p-24"),
    (log, "0x1.4cccccccccccdp+0", "0x1.0ca937be1b9dcp-2"),
    (log, "0x1.6a09e65dc27dfp+0", "0x1.62e42fd2cf8f6p-2"),
    (log, "0x1.6a09e7098ef50p+0", "0x1.62e431b8bb196p-2"),
    (log, "0x1.8000000000000p+0", "0x1.9f323ecbf984cp-2"),
    (log, "0x1.0000000000000p+1", "0x1.62e42fefa39efp-1"),
    (log, "0x1.8000000000000p+1", "0x1.193ea7aad030ap+0"),
    (log, "0x1.4000000000000p+3", "0x1.26bb1bbb55516p+1"),
    (log, "0x1.2a05f20000000p+33", "0x1.7069e2aa2aa5bp+4"),
    (log, "0x1.7e43c8800759cp+996", "0x1.5963447f87fb5p+9"),
    (log, "0x1.0000000036f9cp+1", "0x1.62e42ff011927p-1"),
    (log, "0x1.4000000000000p+0", "0x1.c8ff7c79a9a22p-3"),
    (log1p, "0x1.70ef54646d497p-57", "0x1.70ef54646d497p-57"),
    (log1p, "0x1.b7cdfd9d7bdbbp-34", "0x1.b7cdfd9d1d693p-34"),
    (log1p, "-0x1.b7cdfd9d7bdbbp-34", "-0x1.b7cdfd9dda4e3p-34"),
    (log1p, "0x1.4f8b588e368f1p-17", "0x1.4f8aea9ae7317p-17"),
    (log1p, "-0x1.4f8b588e368f1p-17", "-0x1.4f8bc681e6006p-17"),
    (log1p, "0x1.999999999999ap-4", "0x1.8663f793c46c7p-4"),
    (log1p, "-0x1.999999999999ap-4", "-0x1.af8e8210a415ep-4"),
    (log1p, "0x1.a8240b780346ep-2", "0x1.62e1ac5b1d182p-2"),
    (log1p, "0x1.a82949a5657fbp-2", "0x1.62e5616bc4029p-2"),
    (log1p, "-0x1.2beb5b2d4d402p-2", "-0x1.62e2fe73833b5p-2"),
    (log1p, "-0x1.2bedfa43fe5c9p-2", "-0x1.62e6b3842a25cp-2"),
    (log1p, "0x1.0000000000000p-1", "0x1.9f323ecbf984cp-2"),
    (log1p, "-0x1.0000000000000p-1", "-0x1.62e42fefa39efp-1"),
    (log1p, "0x1.0000000000000p+0", "0x1.62e42fefa39efp-1"),
    (log1p, "0x1.0000035afe535p+0", "0x1.62e4334aa1ef7p-1"),
    (log1p, "0x1.0000000000000p+1", "0x1.193ea7aad030ap+0"),
    (log1p, "0x1.8000000000000p+1", "0x1.62e42fefa39efp+0"),
    (log1p, "0x1.4000000000000p+3", "0x1.32ee3b77f374cp+1"),
    (log1p, "0x1.f400000000000p+9", "0x1.ba2909ce4f864p+2"),
    (log1p, "0x1.e240000000000p+16", "0x1.772820431b3bcp+3"),
    (log1p, "0x1.2a05f20000000p+33", "0x1.7069e2aa3184ep+4"),
    (log1p, "0x1.1c37937e08000p+53", "0x1.26bb1bbb55516p+5"),
    (log1p, "0x1.6345785d8a000p+56", "0x1.3926cd770aa67p+5"),
    (log1p, "0x1.800000d6bf94dp+1", "0x1.62e4305b03694p+0"),
    (log1p, "0x1.249ad2594c37dp+332", "0x1.cc845b54b54f2p+7"),
]

SPECIAL = [
    (exp, math.inf, math.inf),
    (exp, -math.inf, 0.0),
    (exp, 0.0, 1.0),
    (exp, 709.782712893384, 1.7976931348622732e308),
    (exp, 709.782712893385, math.inf),
    (exp, -745.1332191019411, 5e-324),
    (exp, -745.1332191019412, 0.0),
    (exp, 1e-300, 1.0),
    (exp, 1.0, math.e),
    (log, 0.0, -math.inf),
    (log, -0.0, -math.inf),
    (log, 1.0, 0.0),
    (log, math.inf, math.inf),
    (log, 5e-324, -744.4400719213812),
    (log1p, 0.0, 0.0),
    (log1p, -1.0, -math.inf),
    (log1p, math.inf, math.inf),
    (log1p, 5e-324, 5e-324),
    (log1p, 1e300, 690.7755278982137),
]


@pytest.mark.parametrize(("function", "x", "y"), KNOWN)
def test_known_bits(function: Callable[[float], float], x: str, y: str) -> None:
    """Every branch of the three functions gives the recorded double."""
    assert function(float.fromhex(x)).hex() == y


@pytest.mark.parametrize(("function", "x", "y"), SPECIAL)
def test_special(function: Callable[[float], float], x: float, y: float) -> None:
    """Limits, overflow and underflow have their values, without an exception."""
    assert function(x) == y


@pytest.mark.parametrize(
    ("function", "x"),
    [(exp, math.nan), (log, math.nan), (log, -1.0), (log1p, math.nan), (log1p, -2)],
)
def test_undefined(function: Callable[[float], float], x: float) -> None:
    assert math.isnan(function(x))


def test_log1p_keeps_minus_zero() -> None:
    assert math.copysign(1.0, log1p(-0.0)) == -1.0


def ulps_apart(got: float, near: float) -> float:
    return 0.0 if got == near else abs(got - near) / math.ulp(near)


@given(st.floats(-745, 709))
def test_exp_near_the_library(x: float) -> None:
    """Neither the C library nor ours errs by a whole unit, so they are close."""
    assert ulps_apart(exp(x), math.exp(x)) <= 1


@given(st.floats(min_value=0, exclude_min=True, allow_infinity=False))
def test_log_near_the_library(x: float) -> None:
    assert ulps_apart(log(x), math.log(x)) <= 1


@given(st.floats(min_value=-1, exclude_min=True, allow_infinity=False))
def test_log1p_near_the_library(x: float) -> None:
    assert ulps_apart(log1p(x), math.log1p(x)) <= 1


@given(st.floats(0, 700), st.floats(0, 40))
def test_decay_never_grows_with_age(age: float, more: float) -> None:
    """exp(-x) is monotone, so an older memory is never the fresher one."""
    assert exp(-(age + more)) <= exp(-age)
