"""Dates as people and tools write them, about twenty shapes, and writing in the same shape.

A date without a time stays a date; a time without a zone is UTC. What cannot exist reads as
None. `06/08/2017` is read only when the caller says which order the file uses, unless one of
the two numbers can only be a day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from memsleep.instants import epoch_seconds, from_epoch

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

# Each part has a name: Y m d H M S f (fraction) z (zone) p (am, pm) b (month name) a (weekday)
# o (ordinal ending) x and y (day and month in unknown order) E (epoch).
_YEAR = r"(?P<Y>\d{4})"
_MONTH, _DAY = r"(?P<m>\d\d)", r"(?P<d>\d\d)"
_MONTH_SHORT, _DAY_SHORT = r"(?P<m>\d{1,2})", r"(?P<d>\d{1,2})"
_NAME = "|".join([f"{name[:3]}(?:{name[3:]})?" for name in MONTHS] + ["sept"])
_MONTH_NAME = rf"(?P<b>{_NAME})"
_WEEKDAY = "(?P<a>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in WEEKDAYS) + ")"
_NAMED = rf"(?:{_WEEKDAY}\.?,?[ ]+)?"
_ORDINAL = r"(?P<o>st|nd|rd|th)?"
_SECONDS = r"(?::(?P<S>\d\d)(?:[.,](?P<f>\d{1,9}))?)?"
_TIME = rf"(?P<H>\d{{1,2}})(?::(?P<M>\d\d){_SECONDS}(?:[ ]?(?P<p>am|pm))?|[ ]?(?P<p2>am|pm))"
_ZONE = r"(?:[ ]?(?P<z>Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d))?"
_CLOCK = rf"{_TIME}{_ZONE}"
_AFTER = rf"(?:(?:[ ]*T|,?[ ]+)(?:at[ ]+)?{_CLOCK})?"
_PACKED = rf"{_YEAR}{_MONTH}{_DAY}"
_HYPHENED = rf"{_YEAR}(?P<sep>[-_]){_MONTH}(?P=sep){_DAY}"
_HOUR, _MINUTE, _SECOND = r"(?P<H>\d\d)", r"(?P<M>\d\d)", r"(?P<S>\d\d)"
_EITHER_ORDER = rf"(?P<x>\d{{1,2}})(?P<sep>[/-])(?P<y>\d{{1,2}})(?P=sep){_YEAR}{_AFTER}"
_SHAPES = (
    rf"{_YEAR}(?P<sep>[-/._]){_MONTH_SHORT}(?P=sep){_DAY_SHORT}{_AFTER}",
    rf"{_HYPHENED}[-_ T]{_HOUR}(?P<sep2>[-_]?){_MINUTE}(?:(?P=sep2){_SECOND})?{_ZONE}",
    rf"{_PACKED}(?:[-_ T]?{_HOUR}{_MINUTE}{_SECOND}?{_ZONE})?",
    rf"{_PACKED}[ T]{_HOUR}:{_MINUTE}(?::{_SECOND})?{_ZONE}",
    r"(?P<E>\d{9,10}|\d{13})(?:\.(?P<f>\d+))?",
    rf"{_NAMED}{_MONTH_NAME}\.?[ ]+{_DAY_SHORT}{_ORDINAL},?[ ]+{_YEAR}{_AFTER}",
    rf"{_NAMED}{_DAY_SHORT}{_ORDINAL}\.?[ -](?:of[ ]+)?{_MONTH_NAME}[.,]?[ -]{_YEAR}{_AFTER}",
    rf"{_DAY_SHORT}\.[ ]?{_MONTH_SHORT}\.[ ]?{_YEAR}{_AFTER}",
    _EITHER_ORDER,
    rf"{_YEAR}\u5e74[ ]?{_MONTH_SHORT}\u6708[ ]?{_DAY_SHORT}\u65e5(?:[ ]*{_CLOCK})?",
    rf"{_WEEKDAY}[ ]+{_MONTH_NAME}[ ]+{_DAY_SHORT}[ ]+{_CLOCK}[ ]+{_YEAR}",
)
_FLAGS = re.ASCII | re.IGNORECASE
_PATTERNS = tuple(re.compile(shape + r"\Z", _FLAGS) for shape in _SHAPES)
_ORDERED = re.compile(_EITHER_ORDER + r"\Z", _FLAGS)
_FIELDS = "YmdHMSfzbaopxyE"
_SLOT = re.compile(r"\{(\w)(?::([^{}]*))?\}")
_MAX_LENGTH = 64


@dataclass(frozen=True, slots=True)
class ParsedDate:
    """A date that exists: its canonical instant and the shape in which it was written."""

    instant: str
    """`YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SSZ` when a time was written."""
    shape: str
    """Template for `format_as`, such as `{Y:2026}-{m:03}-{d:04}`: each slot keeps its model."""


def parse_date(text: str, *, day_first: bool | None = None) -> ParsedDate | None:
    """Return the instant and the shape of a written date, None when it is none.

    Parameters
    ----------
    text : str
        The date as written, without quotes. Surrounding blanks are ignored.
    day_first : bool or None
        Order of `06/08/2017`: True for 6 August, False for June 8, None when not known; then
        it is a date only if one of the numbers is above 12.

    Examples
    --------
    >>> parse_date("2026-03-04 10:15 +02:00").instant
    '2026-03-04T08:15:00Z'
    >>> parse_date("March 4th, 2026").instant, parse_date("06/08/2017"), parse_date("2026-02-30")
    ('2026-03-04', None, None)
    """
    stripped = text.strip()
    if len(stripped) > _MAX_LENGTH or "{" in stripped:
        return None
    for pattern in _PATTERNS:
        match = pattern.match(stripped)
        if match is not None:
            parsed = _parsed(match, day_first)
            if parsed is not None:
                return parsed
    return None


def day_first_of(text: str) -> bool | None:
    """Return the order that one date proves: True for `31/12/2017`, False for `12/31/2017`."""
    match = _ORDERED.match(text.strip())
    if match is None:
        return None
    first, second = int(match["x"]), int(match["y"])
    return None if (first > 12) == (second > 12) else first > 12


def _parsed(match: re.Match[str], day_first: bool | None) -> ParsedDate | None:
    parts = {name: value for name, value in match.groupdict().items() if value is not None}
    if "E" in parts:
        return _epoch(match, parts["E"])
    order = _settle_order(parts, day_first)
    if order is None:
        return None
    day = _day_number(parts)
    clock = _clock(parts)
    if day is None or clock is None:
        return None
    shape = _shape(match, order)
    if "H" not in parts:
        return ParsedDate(day.isoformat(), shape)
    midnight = epoch_seconds(day.isoformat())
    assert midnight is not None  # day exists
    instant = from_epoch(midnight + clock - _offset(parts.get("z", "Z")))
    return ParsedDate(instant, shape)


def _epoch(match: re.Match[str], digits: str) -> ParsedDate:
    seconds = int(digits[:10]) if len(digits) == 13 else int(digits)
    return ParsedDate(from_epoch(seconds), _shape(match, ""))


def _settle_order(parts: dict[str, str], day_first: bool | None) -> str | None:
    """Fill in day and month of `06/08/2017`; return `dm`, `md`, or None when unsettled."""
    if "x" not in parts:
        return ""
    proven = (int(parts["x"]) > 12, int(parts["y"]) > 12)
    first = day_first if proven == (False, False) else proven == (True, False)
    if first is None:
        return None
    parts["d"], parts["m"] = (parts["x"], parts["y"]) if first else (parts["y"], parts["x"])
    return "dm" if first else "md"


def _day_number(parts: dict[str, str]) -> date | None:
    if "b" in parts:
        parts["m"] = str(_month_number(parts["b"]))
    try:
        return date(int(parts["Y"]), int(parts["m"]), int(parts["d"]))
    except ValueError:
        return None


def _month_number(name: str) -> int:
    return next(i for i, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))


def _clock(parts: dict[str, str]) -> int | None:
    """Return the seconds since midnight, 0 without a time, None for a time that is none."""
    if "H" not in parts:
        return 0
    hour, minute, second = (int(parts.get(name, "0")) for name in "HMS")
    half = parts.get("p") or parts.get("p2")
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    return hour * 3600 + minute * 60 + second if hour < 24 and minute < 60 and second < 60 else None


def _offset(zone: str) -> int:
    if zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return seconds if zone[0] == "+" else -seconds


# Writing in a shape -----------------------------------------------------------------------


def _shape(match: re.Match[str], order: str) -> str:
    """Return the text with each part turned into a slot that keeps the part as its model."""
    slots = []
    for name, value in match.groupdict().items():
        letter = {"p2": "p", "x": order[:1], "y": order[1:]}.get(name, name)
        if value is not None and letter and letter in _FIELDS:
            slots.append((match.start(name), match.end(name), f"{{{letter}:{value}}}"))
    text = match.string
    for start, end, slot in sorted(slots, reverse=True):
        text = text[:start] + slot + text[end:]
    return text


def format_as(shape: str, instant: str) -> str:
    """Return a canonical instant in the shape of another date.

    A shape without a time keeps the day only; one with a zone keeps that zone.

    Raises
    ------
    ValueError
        If `instant` is not canonical.

    Examples
    --------
    >>> format_as(parse_date("4 Mar 2026, 10:15").shape, "2026-11-30T03:00:00Z")
    '30 Nov 2026, 03:00'
    """
    seconds = epoch_seconds(instant)
    if seconds is None:
        raise ValueError(f"expected a canonical instant, found {instant!r}")
    slots = {match[1]: match[2] for match in _SLOT.finditer(shape)}
    local = from_epoch(seconds + _offset(slots.get("z", "Z"))) if "H" in slots else instant
    return _SLOT.sub(lambda match: _render(match[1], match[2], local, seconds, slots), shape)


def format_like(original: str, instant: str, *, day_first: bool | None = None) -> str:
    """Return an instant written like the date that it replaces, canonical when that is none."""
    parsed = parse_date(original, day_first=day_first)
    return instant if parsed is None else format_as(parsed.shape, instant)


def _render(letter: str, model: str, local: str, seconds: int, slots: dict[str, str]) -> str:
    if letter == "z":
        return model
    if letter == "E":
        return str(seconds * 1000 if len(model) == 13 else seconds).zfill(len(model))
    if letter == "f":
        return "0" * len(model)
    if letter in "ba":
        return _render_name(letter, model, local, slots)
    if letter == "o":
        return _ordinal(int(local[8:10]))
    if letter == "p":
        return _in_case("PM" if int(local[11:13] or "0") >= 12 else "AM", model)
    return _render_number(letter, model, local, "p" in slots)


def _render_number(letter: str, model: str, local: str, halves: bool) -> str:
    positions = {
        "Y": (0, 4),
        "m": (5, 7),
        "d": (8, 10),
        "H": (11, 13),
        "M": (14, 16),
        "S": (17, 19),
    }
    start, end = positions[letter]
    number = int(local[start:end] or "0")
    if letter == "H" and halves:
        number = (number + 11) % 12 + 1
    return str(number).zfill(len(model) if letter == "Y" or len(model) == 2 else 1)


def _render_name(letter: str, model: str, local: str, slots: dict[str, str]) -> str:
    day = date.fromisoformat(local[:10])
    name = MONTHS[day.month - 1] if letter == "b" else WEEKDAYS[day.weekday()]
    # "May" is both the short and the long name; a short weekday beside it tells which.
    long = model.lower() in MONTHS + WEEKDAYS and len(slots.get("a", "long")) > 3
    return _in_case(name if long else name[:3], model)


def _in_case(text: str, model: str) -> str:
    if model.isupper():
        return text.upper()
    return text.lower() if model.islower() else text.capitalize()


def _ordinal(day: int) -> str:
    if 11 <= day <= 13:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
