"""How English writes figures in a line of text: v2, ch. 3, 1 h 30 min, 1-3 am, UTC+1, 8am-5pm.

Each of them is written out, so that what reads numbers, units and times behind it finds one form.
What two careful readers could read in two ways stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from memsleep.guards.tables import Table

Match = re.Match[str]

_ODD = re.compile(
    r"[0-9](?:[^\s0-9,;:]|\s?(?:[ap]\.?\s?m|[hmd]|hrs?|hours?|minutes?|mins?|days?|o'clock|oclock|k|-|[ap]\.)\b"
    r"|\s(?:-|to|and|or|until|till|utc|gmt|[1-3]/)|:[0-9]{2}\s?(?:-|to|utc|gmt|[ap])"
    r"|(?<=[^\s0-9,:][0-9])|(?<=[-.#$\u20ac\u00a3@]\s[0-9])|(?<=(?:no|nr)\s[0-9])"
    r"|(?<=(?:eur|usd|gbp|chf)\s[0-9])|(?<=number\s[0-9])|(?<=(?:version|release)\s[0-9]))"
)
"""What any rule below could change; the figures of most texts are nothing of the kind.

It begins with the figure and looks back at what stands before it, for then only figures are tried.
"""
_MIXED = re.compile(r"(?<![\w.,/-])([0-9]{1,6})(?:\s+|-)(?:and )?([1-3])/([2-48])(?![\w/]|\.[0-9])")
_HALF_OF = re.compile(r"(?<![\w.,/-])([1-9])/([2-9]|10|100|1000)(?= of (?!an?\b))")
_HOUR_AND_MINUTES = re.compile(
    r"(?<![\w.:,])([0-9]{1,3})\s?h(?:rs?|ours?)?\s?([0-5]?[0-9])\s?(?:m|mins?|minutes?)(?![\w/]|\.[0-9])"
)
_MINUTES_AND_SECONDS = re.compile(
    r"(?<![\w.:,])([0-9]{1,3})\s?m(?:ins?|inutes?)?\s?([0-5]?[0-9])\s?s(?:ecs?|econds?)?(?![\w/]|\.[0-9])"
)
_DAYS_AND_HOURS = re.compile(
    r"(?<![\w.:,])([0-9]{1,3})\s?d(?:ays?)?\s?([01]?[0-9]|2[0-3])\s?h(?:rs?|ours?)?(?![\w/]|\.[0-9])"
)
_SHARED_HALF = re.compile(
    r"(?<![\w.:,/-])(from |between )?([0-9]{1,2})(?::([0-5][0-9]))?\s?"
    r"(-|to|until|till|and|or)\s?([0-9]{1,2})(?::([0-5][0-9]))?\s?([ap])\.?\s?m\b"
)
_CLOCK_RANGE = re.compile(
    r"(?<![\w.:,/-])([0-9]{1,2})\s?(?:-|to|until|till)\s?([0-9]{1,2})\s?(?:o'clock|oclock)(?!\w)"
)
_HOUR_RANGE = re.compile(
    r"(?<![\w.:,/-])(1?[0-9]|2[0-3])\s?(?:-|to)\s?(1[3-9]|2[0-4])\s?(?:h|hrs)(?![\w/])"
)
_MILITARY_RANGE = re.compile(
    r"(?<![\w.:,/-])([01][0-9]|2[0-4])([0-5][0-9])\s?(?:-|to|until|till)\s?"
    r"([01][0-9]|2[0-4])([0-5][0-9])\s?(?:hrs|hours|h)\b"
)
_ZONED_HOUR = re.compile(
    r"(?<=\b)(at|from|by|until|till|to|before|after|since) ([01]?[0-9]|2[0-3])(?= (?:utc|gmt)\b)"
)
_OFFSET = re.compile(r"\b(?:utc|gmt)\s?([+-])\s?(0?[0-9]|1[0-4])(?::?([0-5][0-9]))?(?![\w:])")
_MONEY_RANGE = re.compile(
    "([$\u20ac\u00a3])\\s?([0-9]+(?:[.,][0-9]+)*)\\s?(?:-|to)\\s?\\1?\\s?([0-9]+(?:[.,][0-9]+)*)(?![\\w%-]|[.,][0-9])"
)
_ISO_RANGE = re.compile(r"(?<=[0-9]{4}-[0-9]{2}-[0-9]{2})\s+-\s+(?=[0-9]{4}-[0-9]{2}-[0-9]{2})")
_CALLED = re.compile(r"(?<![\w+./-])(?:\+|00(?=[1-9]))([0-9](?:[ ()/.-]{0,3}[0-9]){7,14})(?![\w-])")
_LOCAL = re.compile(
    r"(?<![\w+./:-])\(?(0[1-9][0-9]{1,4})\)?[ /-]?([0-9](?:[ -]?[0-9]){4,9})(?![\w:-]|\.[0-9])"
)
_MILLIONS = re.compile(r"(?<![\w.,$\u20ac\u00a3])([0-9]+(?:\.[0-9]+)?)M(?= [a-z]{2,}s\b)")
_THOUSANDS = re.compile(r"(?<![\w.,])([0-9]{1,3}\.[0-9]{1,2})k(?![\w])")
_CODED_SUM = re.compile(
    r"\b(eur|usd|gbp|chf) ?([0-9][0-9.,]*) ?(k|m|mn|bn|thousand|million|billion)\b"
)
_INCHES = re.compile(r"(?<=[0-9])\"(?!\w)")
_AT = re.compile(r"(?<=\s)@\s?(?=[0-9])")
_POWER = re.compile(r"(?<![\w.])(mm|cm|km|m)\^([23])(?!\w)")
_VERSION = re.compile(r"\b(?:version|release) (?=[0-9]+\.[0-9])")
_QUARTER = re.compile(r"\b(?:quarter ([1-4])|([1-4])q)(?= (?:of )?(?:19|20)[0-9]{2}\b)")
_NUMBER_SIGN = re.compile(r"(?<![\w&#])#\s?(?=[0-9])")
_SCALES = {"k": 1000, "thousand": 1000, "m": 10**6, "mn": 10**6, "million": 10**6}


class Figures:
    """What one language's table knows of figures in a text; an empty one changes nothing.

    Examples
    --------
    >>> from memsleep.guards.tables import table_of
    >>> english = Figures(table_of("en"))
    >>> english.plain("v2 takes 1 h 30 min, 1-3 am utc+1, ch. 3")
    'version 2 takes 90 min, 1 am to 3 am zoneq1, chapter 3'
    """

    def __init__(self, table: Table) -> None:
        numbered = dict(table.alternatives("numbered"))
        calendar = dict(table.alternatives("calendar"))
        self._is_known = bool(numbered)
        self._has_days = bool(calendar)
        days = [name for n in range(1, 8) for name in _named(calendar, n)]
        months = [name for n in range(1, 13) for name in calendar.get(f"month_{n}", ())]
        self._day = re.compile(rf"\b(?:{_either(days)})\b") if days else None
        self._ranges = _spans(days, months)
        self._pairs = {
            name: calendar[f"day_{n}"][0]
            for n in range(1, 8)
            for name in calendar.get(f"pair_{n}", ())
            if f"day_{n}" in calendar
        }
        pair = _either(self._pairs)
        self._pair = re.compile(rf"(?<![\w./-])({pair})-({pair})(?![\w/-])") if pair else None
        self._long = {
            short.rstrip("."): long for long, others in numbered.items() for short in others
        }
        shorts = {short for others in numbered.values() for short in others}
        self._stopped = re.compile(
            rf"(?<![\w./-])(?<![0-9] )({_either(s[:-1] for s in shorts if s[-1] == '.')})"
            r"\.\s?(?=[0-9])"
        )
        glued = [short for short in shorts if len(short) < _LONG and short[-1] != "."]
        self._glued = re.compile(rf"(?<![\w./-])({_either(glued)})(?=[0-9])")
        self._named = re.compile(
            rf"\b({_either(numbered)})(s?) (?:number |no\. ?|nr\. ?|# ?)"
            rf"(?=[0-9]+(?:[^\s\w]|\s(?:{_either(_behind(table))})\b|\s*$))"
        )

    def has_day(self, text: str) -> bool:
        """Return True where a day of the week is named."""
        return self._day is not None and self._day.search(text) is not None

    def plain(self, text: str) -> str:
        """Return a folded text whose figures are written out."""
        if "-" in text and self._has_days:
            for pattern, instead in self._ranges:
                text = pattern.sub(instead, text)
            if self._pair is not None:
                text = self._pair.sub(lambda m: f"{self._pairs[m[1]]} to {self._pairs[m[2]]}", text)
        if not self._is_known:
            return text
        if _ODD.search(text) is None:
            return _with_also(text)
        return self._hours(_called(_amounts(self._numbered(text))))

    def _numbered(self, text: str) -> str:
        """Return a text with `ch. 3`, `v2` and `ticket #5` as chapter, version and ticket."""
        if _STOP.search(text) is not None:
            text = self._stopped.sub(lambda match: f"{self._long[match[1]]} ", text)
        if _GLUE.search(text) is not None:
            text = self._glued.sub(lambda match: f"{self._long[match[1]]} ", text)
        if "q" in text:
            text = _QUARTER.sub(r"q\1\2", text)
        if "version" in text or "release" in text:
            text = _VERSION.sub("", text)
        if "#" in text or " n" in text:
            text = _NUMBER_SIGN.sub("number ", self._named.sub(r"\1\2 ", text))
        return text

    def _hours(self, text: str) -> str:
        if "m" in text and _HALF_DAY.search(text) is not None:
            text = _SHARED_HALF.sub(_shared, text)
        if "h" in text or "clock" in text:
            text = _MILITARY_RANGE.sub(r"\1:\2 to \3:\4", text) if _MANY.search(text) else text
            text = _CLOCK_RANGE.sub(r"\1:00 to \2:00", text) if "clock" in text else text
            if _HOURS.search(text) is not None and self.has_day(text):
                text = _HOUR_RANGE.sub(r"\1:00 to \2:00", text)
        if "utc" in text or "gmt" in text:
            text = _OFFSET.sub(_zone, _ZONED_HOUR.sub(r"\1 \2:00", text))
        return text


_STOP = re.compile(r"\.\s?[0-9]")
_GLUE = re.compile(r"[a-z][0-9]")
_HALF_DAY = re.compile(r"[0-9]\s?[ap]\.?\s?m\b")
_MANY = re.compile(r"[0-9]{4}")
_HOURS = re.compile(r"[0-9]\s?(?:h|hrs)\b")
_LONG = 3
"""Letters from which a short name is not written onto its figure."""


def _behind(table: Table) -> Iterator[str]:
    """Yield words that may stand behind a number of a thing, and are nothing that is counted."""
    for name in ("fronting", "conjunctions", "articles"):
        yield from table.words(name, "structure")
    for name in ("be", "have", "modals"):
        yield from table.words(name, "passive")


def _named(calendar: Mapping[str, Sequence[str]], day: int) -> Iterable[str]:
    for list_name in ("day", "days", "short"):
        yield from calendar.get(f"{list_name}_{day}", ())


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


def _spans(days: Sequence[str], months: Sequence[str]) -> list[tuple[re.Pattern[str], str]]:
    """Return what finds a dash between two days, months or dates, and what stands for it."""
    if not days or not months:
        return []
    day, month, date = _either(days), _either(months), "[0-9]{1,2}(?:st|nd|rd|th)?"
    return [
        (re.compile(rf"\b({day})\.?\s?-\s?(?=(?:{day})\b)"), r"\1 to "),
        (re.compile(rf"\b({month})\.?\s?-\s?(?=(?:{month})\b)"), r"\1 to "),
        (re.compile(rf"\b({month})\.?(,? [0-9]{{4}})?\s-\s(?={date} (?:{month})\b)"), r"\1\2 to "),
        (
            re.compile(rf"\b((?:{month})\.? {date}(?:, [0-9]{{4}})?)\s-\s(?=(?:{month})\.? [0-9])"),
            r"\1 to ",
        ),
        (_ISO_RANGE, " to "),
    ]


def short_names(table: Table) -> Iterator[tuple[str, str]]:
    """Yield (`ch #`, `chapter #`) for each short name with a blank before its figure."""
    for long, others in table.alternatives("numbered"):
        for short in others:
            if short[-1] != "." and (len(short) > 1 or not short.isascii()):
                yield f"{short} #", f"{long} #"


def _with_also(text: str) -> str:
    """Return a text with `are 1 hour and also 30 minutes`; `are`, `were` or `s of` begins it."""
    if " and " in text and ("re " in text or "s of " in text):
        return _TWO_AMOUNTS.sub(r"\1 and also ", text)
    return text


def _amounts(text: str) -> str:
    """Return a text with mixed fractions, lengths of time and ranges written out."""
    if "/" in text:
        text = _MIXED.sub(_mixed, text)
        text = _HALF_OF.sub(lambda m: _percent(int(m[1]), int(m[2])), text)
    text = _with_also(text)
    if _COMPOUND.search(text) is not None:
        text = _HOUR_AND_MINUTES.sub(lambda m: f"{60 * int(m[1]) + int(m[2])} min", text)
        text = _MINUTES_AND_SECONDS.sub(lambda m: f"{60 * int(m[1]) + int(m[2])} s", text)
        text = _DAYS_AND_HOURS.sub(lambda m: f"{24 * int(m[1]) + int(m[2])} h", text)
    if _CODE.search(text) is not None:
        text = _CODED_SUM.sub(_sum, text.replace("us$", "$"))
        text = _MONEY_RANGE.sub(r"\2 to \3 \1", text)
    if _POINTED_THOUSANDS.search(text) is not None:
        text = _THOUSANDS.sub(lambda m: str(Fraction(m[1]) * 1000), text)
    if "^" in text:
        text = _POWER.sub(lambda m: m[1] + ("\u00b2" if m[2] == "2" else "\u00b3"), text)
    if '"' in text and text.count('"') == len(_INCHES.findall(text)):
        text = _INCHES.sub(" inch", text)
    return _AT.sub("at ", text) if "@" in text else text


_TWO_AMOUNTS = re.compile(
    r"(\b(?:are|were|[a-z]*[a-rt-z]s of) (?:[a-z]+|[0-9.]+) ?[a-z]{1,7}) and "
    r"(?=[a-z0-9.]+ ?(?:m|s)[a-z]*\b)"
)
"""The limits are 1 hour and 30 minutes: two of them."""
_COMPOUND = re.compile(r"[0-9]\s?[hmd][a-z]{0,6}\s?[0-9]")
_CODE = re.compile("[$\u20ac\u00a3]|\\b(?:eur|usd|gbp|chf) ?[0-9]")
_POINTED_THOUSANDS = re.compile(r"\.[0-9]{1,2}k")
_ZERO = re.compile(r"0[1-9][0-9]{1,4}\)?[ /-]?[0-9]{2}")


def _called(text: str) -> str:
    """Return a text with each telephone number as one figure."""
    if "+" in text or "00" in text:
        text = _CALLED.sub(_international, text)
    return _LOCAL.sub(_local, text) if _ZERO.search(text) is not None else text


def _international(match: Match) -> str:
    digits = match[1].replace("(0)", "")
    return "telq" + "".join(char for char in digits if char.isdecimal())


def _local(match: Match) -> str:
    digits = match[1] + re.sub("[ -]", "", match[2])
    return f"telq{digits}" if len(digits) > _SHORTEST_CALL else match.group()


_SHORTEST_CALL = 8
"""Figures up to which a number with blanks may be a date or two years."""


def _mixed(match: Match) -> str:
    value = int(match[1]) + Fraction(int(match[2]), int(match[3]))
    return str(float(value)) if value.denominator in {2, 4, 8} else match.group()


def _percent(part: int, whole: int) -> str:
    share = Fraction(100 * part, whole)
    return f"{share} %" if share.denominator == 1 and part <= whole else f"{part}/{whole}"


def _sum(match: Match) -> str:
    scale = _SCALES.get(match[3], 10**9)
    try:
        value = Fraction(match[2]) * scale
    except ValueError:
        return match.group()
    return f"{value} {match[1]}"


def _shared(match: Match) -> str:
    """Return `1 am to 3 am` for `1 to 3 am`, `9 am to 5 pm` for `from 9 to 5 pm`."""
    lead, first, minute, link, second, other, half = match.groups()
    one, two = int(first), int(second)
    if not (1 <= one <= 12 and 1 <= two <= 12) or one == two:
        return match.group()
    spans = link in {"-", "until", "till"} or lead is not None
    if link == "to" and not spans:
        if one % 5 == 0:
            return match.group()  # at 10 to 7 pm
        spans = True
    before = one % 12 < two % 12
    if not before and not spans:
        return match.group()
    mine = half if before else ("a" if half == "p" else "p")
    joint = "and" if lead == "between " else "to" if link == "-" else link
    minutes = f":{minute}" if minute else ""
    last = f":{other}" if other else ""
    return f"{lead or ''}{one}{minutes} {mine}m {joint} {two}{last} {half}m"


def _zone(match: Match) -> str:
    sign, hours, minutes = match[1], int(match[2]), int(match[3] or 0)
    if not hours and not minutes:
        return "utc"
    return f"zoneq{'m' if sign == '-' else ''}{hours}{f'x{minutes}' if minutes else ''}"


def with_millions(text: str) -> str:
    """Return a text with `1.5M rows` as `1.5 million rows`; its capitals tell it from metres."""
    return _MILLIONS.sub(r"\1 million", text)
