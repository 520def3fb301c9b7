"""Measures in one unit each: `90 s`, `1.5 minutes` and `90 seconds` are one length of time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

_TIME = {"ns": "1/1000000000", "us": "1/1000000", "ms": "1/1000", "s": "1", "min": "60",
         "h": "3600", "d": "86400", "week": "604800"}  # fmt: skip
_MONTHS = {"month": "1", "year": "12"}
_LENGTH = {"nm": "1/1000000000", "\u03bcm": "1/1000000", "mm": "1/1000", "cm": "1/100",
           "dm": "1/10", "m": "1", "km": "1000", "in": "127/5000", "ft": "381/1250",
           "yd": "1143/1250", "mi": "201168/125"}  # fmt: skip
_MASS = {"\u03bcg": "1/1000000", "mg": "1/1000", "g": "1", "kg": "1000", "t": "1000000",
         "lb": "45359237/100000", "oz": "45359237/1600000"}  # fmt: skip
_POWER = {"w": "1", "kw": "1000", "gw": "1000000000"}
_ENERGY = {"wh": "1", "kwh": "1000", "gwh": "1000000000", "twh": "1000000000000"}
_CHARGE = {"mah": "1/1000", "ah": "1"}
_PRESSURE = {"pa": "1", "hpa": "100", "kpa": "1000", "mbar": "100", "bar": "100000"}
_RESISTANCE = {"\u03c9": "1", "k\u03c9": "1000"}
_HEAT = {"cal": "1", "kcal": "1000"}
_BITS = {"bit": "1", "kbit": "1000", "mbit": "1000000", "gbit": "1000000000",
         "tbit": "1000000000000"}  # fmt: skip
_BIT_RATE = {"bps": "1", "kbps": "1000", "mbps": "1000000", "gbps": "1000000000",
             "tbps": "1000000000000"}  # fmt: skip
_VOLTAGE = {"mv": "1/1000", "v": "1", "kv": "1000"}
_CURRENT = {"ma": "1/1000", "a": "1"}
_HERTZ = {"hz": "1", "khz": "1000", "mhz": "1000000", "ghz": "1000000000"}
_VOLUME = {"\u03bcl": "1/1000000", "ml": "1/1000", "cl": "1/100", "dl": "1/10", "l": "1",
           "hl": "100", "m\u00b3": "1000", "cm\u00b3": "1/1000"}  # fmt: skip
_AREA = {"cm\u00b2": "1/10000", "m\u00b2": "1", "km\u00b2": "1000000", "ha": "10000"}
_SHARE = {"%": "1", "\u2030": "1/10"}
_BINARY = {"kib": "1024", "mib": "1048576", "gib": "1073741824", "tib": "1099511627776",
           "pib": "1125899906842624", "eib": "1152921504606846976"}  # fmt: skip
_COUNT = {"dozen": "12"}
_FAMILIES = {
    "s": _TIME, "month": _MONTHS, "m": _LENGTH, "g": _MASS, "w": _POWER, "hz": _HERTZ, "l": _VOLUME,
    "wh": _ENERGY, "v": _VOLTAGE, "a": _CURRENT, "m\u00b2": _AREA, "%": _SHARE, "byte": _BINARY,
    "ah": _CHARGE, "pa": _PRESSURE, "\u03c9": _RESISTANCE, "cal": _HEAT, "bit": _BITS,
    "bps": _BIT_RATE,
    "": _COUNT,
}  # fmt: skip
FACTORS: Mapping[str, tuple[str, Fraction]] = {
    unit: (base, Fraction(factor))
    for base, units in _FAMILIES.items()
    for unit, factor in units.items()
}
"""Unit -> its family's unit and how many of it one is. Bytes are left out: is 1 KB 1,000?"""
SYMBOLS: Mapping[str, str] = {
    **{unit: unit for unit in (
        "s ms us ns min h d kb mb gb tb pb kib mib gib tib b bit kbit mbit gbit kbps mbps gbps hz "
        "m\u00b2 km\u00b2 cm\u00b2 m\u00b3 cm\u00b3 kmh nm \u03bcm dm \u03bcg cl dl hl gw wh kv ha "
        "khz mhz ghz kg mg g oz mm cm km m ft mi ml l v mv w kw kwh ma mah px pt em rem dpi fps "
        "rpm usd eur chf % \u2030 \u20ac $ \u00a3 \u00a5 week month year time"
    ).split()},
    "sec": "s", "secs": "s", "mins": "min", "hr": "h", "hrs": "h", "usec": "us", "msec": "ms",
    "\u03bcs": "us", "\u20ac": "eur", "$": "usd", "euros": "eur", "kbyte": "kb",
    "mbyte": "mb", "gbyte": "gb", "wk": "week", "wks": "week", "yr": "year", "yrs": "year",
    "lbs": "lb", "lb": "lb", "\u00a3": "gbp", "gbp": "gbp", "kph": "kmh",
    "x": "time", "dozen": "dozen", "c": "\u00b0c", "f": "\u00b0f", "k": "k",
}  # fmt: skip
"""What may stand behind a number in any language -> the unit."""

_MAYBE_GROUPS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
"""`1.500` may be a thousand and a half or one and a half: it is only what it looks like."""


_GROUPED = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}\Z")
"""1.500 EUR is one thousand and five hundred to half of its readers."""


def celsius(value: str, *, below_zero: bool) -> tuple[str, bool] | None:
    """Return degrees Fahrenheit in degrees Celsius, and whether that is below zero.

    Examples
    --------
    >>> celsius("212", below_zero=False), celsius("40", below_zero=True)
    (('100~\u00b0c', False), ('40~\u00b0c', True))
    """
    number = _fraction(value)
    if number is None:
        return None
    warm = ((-number if below_zero else number) - 32) * 5 / 9
    return f"{abs(warm)}~\u00b0c", warm < 0


@lru_cache(maxsize=1 << 14)
def measure(value: str, unit: str) -> str:
    """Return a number and its unit as one token, in the unit of its family.

    Examples
    --------
    >>> measure("90", "min"), measure("1.5", "h"), measure("5", "mb")
    ('5400~s', '5400~s', '5~mb')
    """
    number = _fraction(value)
    if number is None or _GROUPED.match(value):
        return f"{value}~{unit}"
    base, factor = FACTORS.get(unit, (unit, Fraction(1)))
    return f"{number * factor}~{base}" if base else str(number * factor)


def _fraction(value: str) -> Fraction | None:
    if len(value) > 18 or value.count(".") > 1 or _MAYBE_GROUPS.fullmatch(value):
        return None
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError):
        return None
