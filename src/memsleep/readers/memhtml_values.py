"""Values of the memhtml format: white space, numbers, instants, references to other files.

The format was born in JavaScript; where Python's idea of white space, numbers or rounding
differs, the rule here is JavaScript's, since it decides verdicts and bytes.
"""

from __future__ import annotations

import math
import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

ASCII_SPACE = " \t\n\f\r"
JS_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript trims: unlike Python it holds U+FEFF and lacks U+001C-001F and U+0085."""

MAX_SAFE_INTEGER = 2**53 - 1

_ASCII_RUN = re.compile(r"[ \t\n\f\r]+")
_JS_RUN = re.compile(f"[{JS_SPACE}]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_RADIX = re.compile(r"0(?:[xX](?P<x>[0-9a-fA-F]+)|[oO](?P<o>[0-7]+)|[bB](?P<b>[01]+))")
_INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)Z)?"
)
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


def collapse(text: str) -> str:
    """Replace every run of the five ASCII white space characters by one space."""
    return _ASCII_RUN.sub(" ", text)


def js_trim(text: str) -> str:
    """Strip JavaScript white space from both ends."""
    return text.strip(JS_SPACE)


def word_count(text: str) -> int:
    """Count the pieces between runs of JavaScript white space."""
    trimmed = js_trim(text)
    return len(_JS_RUN.split(trimmed)) if trimmed else 0


def js_number(text: str) -> float | None:
    """Return the finite number that JavaScript reads in the text; None if blank or no number.

    >>> [js_number(text) for text in (".5", "0x10", " 1. ", "1_0", "Infinity", "")]
    [0.5, 16.0, 1.0, None, None, None]
    """
    trimmed = js_trim(text)
    if _DECIMAL.fullmatch(trimmed):
        number = float(trimmed)
    elif radix := _RADIX.fullmatch(trimmed):
        number = _radix_number(radix)
    else:
        return None
    return number if math.isfinite(number) else None


def _radix_number(match: re.Match[str]) -> float:
    """Return the value of an unsigned hexadecimal, octal or binary literal."""
    kind = match.lastgroup or "x"
    try:
        return float(int(match[kind], {"x": 16, "o": 8, "b": 2}[kind]))
    except OverflowError:
        return math.inf


def integer_between(text: str, low: int, high: int) -> int | None:
    """Return the integral number in [low, high] that the text states, None for anything else."""
    number = js_number(text)
    if number is None or number != math.floor(number) or not low <= number <= high:
        return None
    return int(number)


def confidence_of(text: str) -> float | None:
    """Return the confidence in [0, 1] that the text states, None for anything else."""
    number = js_number(text)
    return number if number is not None and 0 <= number <= 1 else None


def is_instant(text: str) -> bool:
    """Return True for `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SSZ` on a real day of the years 100-9999.

    The years 0-99 are refused because the reference's calendar maps them to 1900-1999.
    """
    match = _INSTANT.fullmatch(text)
    if match is None or int(match[1]) < 100:
        return False
    try:
        date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return False
    return True


def is_hash(text: str) -> bool:
    """Return True for `sha256:` and exactly 64 lower-case hexadecimal digits."""
    return _HASH.fullmatch(text) is not None


def to_fixed(value: float, digits: int) -> str:
    """Format a number >= 0 with fixed digits, exact binary ties going up.

    >>> to_fixed(0.3125, 3), to_fixed(0.125, 2), to_fixed(1.0, 2)
    ('0.313', '0.13', '1.00')
    """
    return str(Decimal(value).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP))


def split_entity(value: str) -> tuple[str, str]:
    """Split `type:name` at the first colon; a value that is no reference has the type `unknown`."""
    kind, colon, name = value.partition(":")
    return (kind, name) if colon and kind and name else ("unknown", value)


def reference_path(href: str) -> str:
    """Return what stands before the query and the fragment, without the leading slash."""
    return re.split(r"[?#]", href, maxsplit=1)[0].removeprefix("/")


def is_root_relative(href: str) -> bool:
    """Return True for `/a/b.html`: one leading slash, no empty, `.` or `..` segment."""
    if not href.startswith("/") or href.startswith("//"):
        return False
    return not any(segment in {"", ".", ".."} for segment in reference_path(href).split("/"))
