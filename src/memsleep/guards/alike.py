"""A form that has two readings, read as the other text of a pair has it.

`one in five` is 20 %, but `two in ten` is another count: what stands for a share does so only
where the other text tells a share. In the same way `1:30 h` is a length beside minutes, `8` an
hour beside `08:00`, and `50 cents` a part of a dollar beside `$0.50`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from memsleep.guards.claims import languages_of
from memsleep.guards.language import Language, language_named
from memsleep.guards.rule_words import rule_phrases
from memsleep.guards.typography import fold_typography

Change = Callable[[Language, str, str], str]

_WORD = r"[a-z0-9,]+(?: (?:hundred|thousand|million))?"
_RATIO = re.compile(
    rf"(?<![\w.,/-])({_WORD}) (in|out of) (?:every )?({_WORD})(?= (?!the\b|of\b)([a-z]+))"
)
_SHARE = re.compile(r"[0-9]\s?%|\bper ?cent\b|\bpct\b")
_POUNDS = re.compile(r"(?<=[0-9a-z]) ?\bpounds?\b(?! sterling)")
_STERLING = re.compile("\u00a3|\\bgbp\\b|\\bsterling\\b")
_WEIGHT = re.compile(r"[0-9]\s?lbs?\b")
_LENGTH = re.compile(r"(?<![\w.,:])([0-9])(?:h([0-5][0-9])\b(?! ?h)|:([0-5][0-9]) ?h\b)")
_MINUTES = re.compile(r"\b(?:min|mins|minutes?|hours?|hrs?|seconds?|secs?)\b|[0-9]h\b")
_COINS = re.compile(r"(?<![\w.,])([0-9]{1,2}) ?(?:cents?|ct)\b")
_PARTIAL = re.compile(
    "([$\u20ac])\\s?0\\.[0-9]{2}\\b"
    "|\\b0\\.[0-9]{2} ?(\u20ac|\\$|euros?\\b|dollars?\\b|eur\\b|usd\\b)"
)
_BARE_HOUR = re.compile(
    r"\b(at|by|until|till|from|to|before|after) ([01]?[0-9]|2[0-3])"
    r"(?=[.,;)]?$|[.,;)]?\s(?:on|every|and|to|until|each|in)\b|[,;)])"
)
_CLOCK = re.compile(r"(?<![0-9:])(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?![0-9:])")
_HOUR_RANGE = re.compile(
    r"(?<![\w.:,/-])(1?[0-9]|2[0-3]) ?(?:-|to) ?(1?[0-9]|2[0-4]) ?(?:h|hrs)(?![\w/])"
)
_LAST_HOUR = re.compile(r"(?<![0-9:])24:00(?![0-9:])")
_MIDNIGHT = re.compile(r"\b(by|until|till|to|before) midnight\b")
_THE_MONTH = re.compile(
    r"\b((?:first|last|[0-9]+(?:st|nd|rd|th)|[a-z]+th|second|third)(?: [a-z]+)?) of the month\b"
)
_EVERY_MONTH = re.compile(r"\b(?:each|every) month\b|\bmonthly\b")
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|came|took|made|got|sent|paid|fell|ran|left|began|will)\b"
    r"|(?<!is )(?<!are )(?<!be )(?<!get )(?<!gets )\b[a-z]+ed\b"
)


def alike(one: str, other: str) -> tuple[str, str]:
    """Return two texts with what has two readings as the other one has it; folded if changed.

    Examples
    --------
    >>> alike("One in five calls fails", "20 % of calls fail")
    ('20 % of calls fails', '20 % of calls fail')
    >>> alike("Two in ten calls fail", "One in five calls fails")
    ('Two in ten calls fail', 'One in five calls fails')
    """
    if not (_may_be(one) or _may_be(other)):
        return one, other
    mine, theirs = _folded(one), _folded(other)
    return _beside(mine, theirs, one), _beside(theirs, mine, other)


_TOLD = re.compile(
    r"%|\bper ?cent\b| out of | in every |\bpounds?\b|cents?\b|\bmidnight\b|of the month\b", re.I
)
# It begins with the figure, for then only figures are tried.
_FIGURED = re.compile(
    r"[0-9](?: ?ct\b|h|:[0-9]{2} ?h\b|(?:(?<=\b(?:at|by|to) [0-9])|(?<=\b(?:till|from) [0-9])"
    r"|(?<=\b(?:until|after) [0-9])|(?<=\bbefore [0-9]))[0-9]?\b)",
    re.I,
)


@lru_cache(maxsize=1 << 14)
def _may_be(text: str) -> bool:
    """Return True for a text in which a form with two readings may stand.

    Every word of the first pattern holds one of `_PIECES`.
    """
    if _FIGURED.search(text) is not None:
        return True
    folded = text.lower()
    for piece in _PIECES:
        if piece in folded:
            return _TOLD.search(text) is not None
    return not text.isascii() and _TOLD.search(text) is not None


_PIECES = rule_phrases("alike.pieces")


@lru_cache(maxsize=1 << 12)
def _folded(text: str) -> str:
    return fold_typography(text) if languages_of(text)[0] == "en" else ""


def _beside(folded: str, other: str, text: str) -> str:
    if not folded or not other:
        return text
    language, told = language_named("en"), folded
    for change in _CHANGES:
        told = change(language, told, other)
    return text if told == folded else told


def _shares(language: Language, text: str, other: str) -> str:
    """Return `20 % of calls` for `one in five calls` beside a share."""
    has_share = _SHARE.search(other) is not None and _SHARE.search(text) is None
    if not has_share and " out of " not in text and " in every " not in text:
        return text

    def told(match: re.Match[str]) -> str:
        part, whole = (_number(language, match[i]) for i in (1, 3))
        timed = language.base(match[4]) in language.symbols  # 5 in 10 minutes
        if not part or whole not in _WHOLES or part > whole or timed:
            return match.group()
        if has_share:
            share = Fraction(100 * part, whole)
            exact = share.denominator in {1, 2, 5, 10, 20, 25, 50, 100, 1000}
            return f"{_decimal(share)} % of" if exact else match.group()
        return f"{match[1]} in {match[3]}"

    if not has_share and _RATIO.search(other) is None:
        return text
    if not has_share and " out of " in text and " out of " in other and "every" not in text + other:
        return text
    return _RATIO.sub(told, text)


_WHOLES = frozenset({2, 3, 4, 5, 8, 10, 20, 25, 50, 100, 1000, 10000, 1000000})


def _decimal(share: Fraction) -> str:
    return str(share.numerator) if share.denominator == 1 else f"{float(share):.6f}".rstrip("0")


def _number(language: Language, words: str) -> int:
    tokens = language.numbers.applied([w for w in words.replace(",", "").split() if w != "a"])
    return int(tokens[0]) if len(tokens) == 1 and tokens[0].isdecimal() else 0


def _pounds(language: Language, text: str, other: str) -> str:
    if "pound" not in text or "pound" in other.replace("pound sterling", ""):
        return text
    money, weight = _STERLING.search(other), _WEIGHT.search(other)
    if bool(money) == bool(weight) or _STERLING.search(text):
        return text
    unlike = language.measures.weight if money else language.measures.money
    if not unlike.isdisjoint(language.base(word) for word in re.findall("[a-z]+", text)):
        return text
    return _POUNDS.sub(" pounds sterling" if money else " lb", text)


def _minutes(_: Language, text: str, other: str) -> str:
    if _MINUTES.search(other) is None or _CLOCK.search(other) is not None:
        return text
    return _LENGTH.sub(lambda m: f"{60 * int(m[1]) + int(m[2] or m[3])} min", text)


def _cents(_: Language, text: str, other: str) -> str:
    found = _PARTIAL.search(other)
    if found is None or _PARTIAL.search(text) is not None:
        return text
    sign = found[1] or found[2]
    return _COINS.sub(lambda match: f"0.{int(match[1]):02} {sign}", text)


def _hours(language: Language, text: str, other: str) -> str:
    if _LAST_HOUR.search(other) is not None:
        text = _MIDNIGHT.sub(r"\1 24:00", text)
    if _CLOCK.search(other) is None:
        return text
    text = _HOUR_RANGE.sub(r"\1:00 to \2:00", text)
    if _CLOCK.search(text) is None and language.figures.has_day(text) is False:
        return text
    return _BARE_HOUR.sub(r"\1 \2:00", text)


def _months(_: Language, text: str, other: str) -> str:
    if " of the month" not in text or _EVERY_MONTH.search(other) is None:
        return text
    return text if _PAST.search(text) else _THE_MONTH.sub(r"\1 of every month", text)


_CHANGES: tuple[Change, ...] = (_shares, _pounds, _minutes, _cents, _hours, _months)
