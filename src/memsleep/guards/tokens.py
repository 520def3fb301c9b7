"""A folded text cut into words, numbers and signs."""

from __future__ import annotations

import re
from fractions import Fraction

from memsleep.guards.cjk import cjk_numerals_to_digits
from memsleep.guards.scripts import UNSPACED_CLASS

MARK = ","
"""Stands for every sign that ends a clause."""
_MARKS = "\\n,;:()\\[\\]\u3001\u3002\uff0c\uff0e\uff1b\uff1a\uff01\uff08\uff09\u060c\u061b"
# Punctuation that turns no fact. Every other character that is no part of a word is a token of
# its own: currencies, percent, comparisons, arrows, ticks and crosses, a question mark, and the
# vowel signs that Python does not count as letters.
_SILENT = (
    r"\s.,;:!\"'()\[\]{}_*`\-"
    "\u201c\u201d\u201e\u00ab\u00bb\u3001\u3002\uff0c\uff0e\uff1b\uff1a\uff01\uff08\uff09"
    "\u300c\u300d\u300e\u300f\u3010\u3011\u300a\u300b\u30fb\u00b7\u2022\u060c\u061b\u2026"
)
_LETTER = rf"(?:(?![{UNSPACED_CLASS}])[^\W\d_])"
_TOKEN = re.compile(
    rf"[{UNSPACED_CLASS}]"
    rf"|[0-9]+(?:[.,:][0-9]+)*(?:{_LETTER}(?:(?![{UNSPACED_CLASS}])[^\W_])*)?"
    rf"|{_LETTER}(?:(?![{UNSPACED_CLASS}])[^\W_])*(?:'{_LETTER}+)*"
    rf"|[^\w{_SILENT}]"
    rf"|[{_MARKS}]|(?<=\s)-+(?=\s)|[.!](?=\s)"
    rf"|[^\W_]"
)
_ASCII_TOKEN = re.compile(
    r"[a-z](?:[a-z0-9])*(?:'[a-z]+)*"
    r"|[0-9]+(?:[.,:][0-9]+)*(?:[a-z][a-z0-9]*)?"
    r"|[^\w\s.,;:!\"'()\[\]{}_*`\-]"
    r"|[,;:()\[\]\n]|(?<=\s)-+(?=\s)|[.!](?=\s)"
)
_NUMBER = re.compile(r"([0-9]+(?:[.,:][0-9]+)*)([^\W\d_].*)\Z", re.DOTALL)
_CLAUSE_ENDS = frozenset(
    "\n,;:()[].!-\u3001\u3002\uff0c\uff0e\uff1b\uff1a\uff01\uff08\uff09\u060c\u061b"
)
_ENDINGS = frozenset("st nd rd th er re \u00e8me eme \u00ba \u00aa".split())
_DIGITS = frozenset("0123456789")


def split(text: str, *, marks: bool = True) -> list[str]:
    """Return the tokens of a folded text; what ends a clause is a `MARK`, or nothing.

    Each character of a script without blanks is a token, and so is each sign that could turn a
    fact. A number stands apart from what is written onto it.
    """
    tokens: list[str] = []
    for token in (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text):
        first = token[0]
        if token.isalpha():  # as most are
            tokens.append(token)
        elif first in _DIGITS:
            tokens.extend(_number(token) if token[-1] not in _DIGITS else (token,))
        elif first in _CLAUSE_ENDS:
            if marks and tokens and tokens[-1] != MARK:
                tokens.append(MARK)
        else:
            tokens.append(token.removesuffix("'s"))
    while tokens and tokens[-1] == MARK:
        tokens.pop()
    return tokens


def _number(token: str) -> tuple[str, ...]:
    match = _NUMBER.match(token)
    if match is None:
        return (token,)
    value, tail = match.groups()
    if tail in _ENDINGS or tail == "e":
        return (f"{int(value)}th",) if value.isdecimal() else (value,)
    if tail == "k" and value.isdecimal():
        return (f"{value}000",)
    return (value, tail) if tail.isalpha() and len(tail) <= 4 else (token,)


# What the rules below could change; most texts have nothing of the kind.
# It begins with the figure, for then only figures are tried.
_CODES = "eur|usd|gbp|chf|jpy|cny|inr|cad|aud|nzd|sek|nok|dkk|pln|czk"
_FIGURED = re.compile(
    "[0-9](?:\\s?[-,./\u00b0\u00ba\u00aa]|e[0-9]| [0-9]|\\s?(?:k|m|mn|bn)\\s?[edugc]"
    "|(?<=[-.$\u20ac\u00a3\u00a5][0-9])|(?<=[-.$\u20ac\u00a3\u00a5]\\s[0-9])"
    f"|(?<=(?:{_CODES})[0-9])|(?<=(?:{_CODES})\\s[0-9]))"
)
_RATED = re.compile(r"/(?:s|sec|h|hr|min|day|d|week|month|year)\b")
_EN_GROUPS = re.compile(r"(?<![0-9a-z_.,])([0-9]{1,3}(?:,[0-9]{3})+)(?![0-9a-z_,]|\.[0-9]{3},)")
_DOT_GROUPS = re.compile(
    r"(?<![0-9a-z_.,])([0-9]{1,3}(?:[. ][0-9]{3})+)(?![0-9a-z_]|\.[0-9]|,[0-9]{3}[,.])"
)
_POINTED_HOUR = re.compile(
    r"(?<![0-9a-z_.,:])([01]?[0-9]|2[0-4])\.([0-5][0-9])(?![0-9a-z_]|[.,:][0-9])"
)
_COMMA_DECIMAL = re.compile(r"(?<![\w.,])([0-9]+),([0-9]+)(?![0-9]|[.,][0-9])")
_SIGN = re.compile(r"(?<![^\s(\[=<>~])-(?=\.?[0-9])")
_NO_INTEGER = re.compile(r"(?<![\w.])\.(?=[0-9])")
_RANGE = re.compile(r"(?<![\w.,:/-])([0-9][0-9.,:]*)\s?-\s?([0-9][0-9.,:]*)(?![\w/-]*-[0-9])")
_SAME_UNIT = re.compile(
    r"(?<![\w.,:/-])([0-9][0-9.,:]*)\s?([ap]\.?m\b\.?|[a-z\u03bc\u00b0%\u20ac]{1,5})\s?-\s?"
    r"([0-9][0-9.,:]*)\s?([ap]\.?m\b\.?|[a-z\u03bc\u00b0%\u20ac]{1,5})(?![\w/-])"
)
_DECIMALS = {"1/2": "0.5", "1/4": "0.25", "3/4": "0.75"}
_HALVES = re.compile(r"(?<![\w/.:-])(?:1/2|1/4|3/4)(?![\w/.]*[\w/])")
_DEGREE_ORDINAL = re.compile("(?<=[0-9])[\u00b0\u00ba\u00aa](?=\\s[a-z])(?!\\s[cf]\\b)")
_MONEY = re.compile("([$\u20ac\u00a3\u00a5])\\s?([0-9][0-9.,]*(?<![.,])k?)(?![0-9])")
_CODE_FIRST = re.compile(rf"\b({_CODES})\s?([0-9][0-9.,]*(?<![.,]))(?![0-9])")
_POWER = re.compile(r"(?<![\w.])([1-9][0-9]{0,2})e([1-9]|1[0-8])(?![\w.])")
_PER = re.compile(
    "(?<=[$\u20ac\u00a3])/(?=[a-z])|(?<=[0-9a-z\u00b2$\u20ac\u00a3])/(?=(?:s|sec|h|hr|min|day|d|week|month|year)\\b)"
)
_LARGE = re.compile(
    "([$\u20ac\u00a3\u00a5]\\s?)([0-9]+(?:\\.[0-9]+)?)\\s?"
    "(k|m|mn|bn|thousand|million|billion)(?![a-z0-9])"
    "|(?<![\\w.])([0-9]+(?:\\.[0-9]+)?)\\s?(k|m|mn|bn)"
    "(?=\\s?(?:euros?|dollars?|eur|usd|gbp|chf)(?![a-z]))"
)
_SCALES = {
    "k": 1000,
    "thousand": 1000,
    "m": 10**6,
    "mn": 10**6,
    "million": 10**6,
    "bn": 10**9,
    "billion": 10**9,
}


def plain_figures(text: str, *, comma_decimal: bool) -> str:
    """Return a folded text whose numbers are written as in `-1500.5` and `3 to 5`.

    Examples
    --------
    >>> plain_figures("1,500 of 0.5 in 3-5", comma_decimal=False)
    '1500 of 0.5 in 3 to 5'
    >>> plain_figures("1.500 oder 2,5", comma_decimal=True)
    '1500 oder 2.5'
    """
    if not text.isascii():
        text = cjk_numerals_to_digits(text)
    if _FIGURED.search(text) is None and ("/" not in text or _RATED.search(text) is None):
        return text
    if comma_decimal:
        text = _POINTED_HOUR.sub(r"\1:\2", text)
        text = _DOT_GROUPS.sub(lambda match: re.sub("[. ]", "", match.group()), text)
        text = _COMMA_DECIMAL.sub(r"\1.\2", text)
    else:
        text = _EN_GROUPS.sub(lambda match: match.group().replace(",", ""), text)
    text = _LARGE.sub(_in_full, text)
    text = _DEGREE_ORDINAL.sub("th", text)
    text = _MONEY.sub(r"\2 \1", _HALVES.sub(lambda match: _DECIMALS[match.group()], text))
    text = _CODE_FIRST.sub(r"\2 \1", text)
    text = _POWER.sub(lambda match: match[1] + "0" * int(match[2]), text)
    text = _NO_INTEGER.sub("0.", _SIGN.sub(" minus ", text))
    if "-" in text:
        text = _SAME_UNIT.sub(_range, text)
    return _PER.sub(" per ", _RANGE.sub(r"\1 to \2", text))


def _in_full(match: re.Match[str]) -> str:
    """Return a sum of money in thousands or millions in full: `2.4m euros`."""
    sign, value, scale = match[1] or "", match[2] or match[4], match[3] or match[5]
    return f"{sign}{Fraction(value) * _SCALES[scale]}"


def _range(match: re.Match[str]) -> str:
    """Return `2 kg to 3 kg` for `2 kg - 3 kg`; two units part two things."""
    first, one, second, other = match.groups()
    halves = one.replace(".", "") in _HALF_DAYS and other.replace(".", "") in _HALF_DAYS
    return f"{first} {one} to {second} {other}" if one == other or halves else match.group()


_HALF_DAYS = frozenset({"am", "pm"})
