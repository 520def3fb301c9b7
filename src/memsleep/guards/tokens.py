"""Canonical words of a claim: what the guards of the careful profile compare.

Two spellings of one thing give the same tokens (`30s` and `30 s`, `three` and `3`, `02:00` and
`2:00`, `doesn't` and `does not`, `load-balancer` and `load balancer`); two things never do.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memsleep.guards.numerals import cjk_numerals_to_digits, number_words_to_digits

_TYPOGRAPHY = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u02bc": "'",
        "\u2032": "'",
        "\uff07": "'",
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": " - ",
        "\u2212": "-",
        "\u00a0": " ",
        "\u3000": " ",
        # No reader sees these, and they part no word.
        "\u00ad": None,
        "\u200b": None,
        "\ufeff": None,
        "\ufe0e": None,
        "\ufe0f": None,
    }
)
_CONTRACTIONS = (
    ("won't", "will not"),
    ("shan't", "shall not"),
    ("can't", "can not"),
    ("cannot", "can not"),
    ("n't", " not"),
    ("'re", " are"),
    ("'ll", " will"),
    ("'ve", " have"),
)
UNITS = frozenset(
    "s sec ms us ns m min mins h hr hrs d kb mb gb tb pb kib mib gib tib b bit kbps mbps "
    "gbps hz khz mhz ghz g kg mg lb oz mm cm km in ft mi l ml v mv w kw kwh a ma ah mah k c "
    "f px pt em rem dpi fps rpm x usd eur gbp am pm".split()
)
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})
UNSPACED_CLASS = (
    "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17d3"  # Burmese, Khmer
)
# Punctuation that turns no fact. Every other character that is no part of a word is a token of
# its own: currencies, percent, comparisons, arrows, ticks and crosses, a question mark, and the
# vowel signs that Python does not count as letters.
_SILENT = (
    r"\s.,;:!\"'()\[\]{}_*`\-"
    "\u2026\u201c\u201d\u201e\u00ab\u00bb\u3001\u3002\uff0c\uff0e\uff1b\uff1a\uff01\uff08\uff09"
    "\u300c\u300d\u300e\u300f\u3010\u3011\u300a\u300b\u30fb\u00b7\u2022"
)
_LETTER = rf"(?:(?![{UNSPACED_CLASS}])[^\W\d_])"
_TOKEN = re.compile(
    rf"[{UNSPACED_CLASS}]"
    rf"|[0-9]+(?:[.,:][0-9]+)*(?:{_LETTER}(?:(?![{UNSPACED_CLASS}])[^\W_])*)?"
    rf"|{_LETTER}(?:(?![{UNSPACED_CLASS}])[^\W_])*(?:'{_LETTER}+)*"
    rf"|[^\w{_SILENT}]"
    rf"|[^\W_]"
)
_NUMBER = re.compile(r"([0-9]+(?:[.,:][0-9]+)*)(.*)\Z", re.DOTALL)
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+\Z")
_ISO_DATE = re.compile(r"(?<![\w-])([0-9]{4})-0?([0-9]{1,2})-0?([0-9]{1,2})(?![\w-])")
_EARLY_HOUR = re.compile(r"(?<![\w:.])0([0-9]:[0-5][0-9])(?![0-9])")
_SIGN = re.compile(r"(?<![^\s(\[=<>~])-(?=\.?[0-9])")
_NO_INTEGER = re.compile(r"(?<![\w.])\.(?=[0-9])")
UNSPACED = re.compile(f"[{UNSPACED_CLASS}]")


def fold_typography(text: str) -> str:
    """Return text in NFC, lower case, with ASCII digits, apostrophes and hyphens.

    Full-width forms and decimal digits of any script become ASCII; superscripts stay (NFKC would
    turn `10` with a raised 2 into 102).
    """
    return plain_typography(text).lower()


def plain_typography(text: str) -> str:
    """Return text as `fold_typography` does, but with its capitals."""
    folded = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)
    return folded if folded.isascii() else "".join(_narrow(char) for char in folded)


def _narrow(char: str) -> str:
    code = ord(char)
    if 0xFF01 <= code <= 0xFF5E:
        return chr(code - 0xFEE0)
    digit = unicodedata.decimal(char, None)
    return str(digit) if digit is not None and code > 0x7F else char


def _number_token(token: str) -> list[str]:
    match = _NUMBER.match(token)
    if match is None:
        return [token]
    value, tail = match.groups()
    if tail and tail not in UNITS and tail not in _ORDINAL_ENDINGS:
        return [token]  # an identifier such as 3com or 2fa
    if _GROUPED.match(value):
        value = value.replace(",", "")
    return [value] + ([tail] if tail and tail not in _ORDINAL_ENDINGS else [])


@lru_cache(maxsize=65536)
def canonical_tokens(text: str) -> tuple[str, ...]:
    """Return the canonical tokens of a text in order.

    Words are lower-case; each character of a script without spaces is a token, and so is each
    sign that could turn a fact; dates and hours lose their leading zeros, and numbers their
    thousands separators; a unit stands apart from its number, and a minus is a word.
    """
    folded = fold_typography(text)
    for short, long in _CONTRACTIONS:
        folded = folded.replace(short, long)
    folded = cjk_numerals_to_digits(folded).replace("&", " and ")
    folded = _EARLY_HOUR.sub(r"\1", _ISO_DATE.sub(r"\1-\2-\3", folded))
    folded = _NO_INTEGER.sub("0.", _SIGN.sub(" minus ", folded))
    tokens: list[str] = []
    for token in _TOKEN.findall(folded):
        tokens.extend(_number_token(token) if token[0] in "0123456789" else [token])
    return tuple(number_words_to_digits(tokens))


def is_number(token: str) -> bool:
    """Return True for a token that is a number."""
    match = _NUMBER.match(token)
    return match is not None and match.group(2) == ""


FUNCTION_WORDS = frozenset(
    "a an the of to in on at by for with and is are was were be been being am it its this "
    "that these those as into onto there here will would do does did has have had which who "
    "whom whose what where when while so also too very just we our us you your they their "
    "them he she his her i my me s".split()
)
"""Words that say little about what a text is about."""
SILENT_WORDS = frozenset("a an the is are do does and also s".split())
"""Words without which a claim still says the same."""


def stem(word: str) -> str:
    """Strip an English plural or third-person ending; nothing else, since tense carries meaning."""
    if len(word) <= 3 or not word.isascii() or not word.endswith("s"):
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=65536)
def content_tokens(text: str) -> tuple[str, ...]:
    """Return the canonical tokens that tell what a text is about, endings stripped."""
    kept = (token.removesuffix("'s") for token in canonical_tokens(text))
    return tuple(stem(token) for token in kept if token and token not in FUNCTION_WORDS)


@lru_cache(maxsize=65536)
def meaning_tokens(text: str) -> tuple[str, ...]:
    """Return the canonical tokens that a claim needs to say what it says, endings stripped."""
    kept = (token.removesuffix("'s") for token in canonical_tokens(text))
    return tuple(stem(token) for token in kept if token and token not in SILENT_WORDS)


def is_unspaced(text: str) -> bool:
    """Return True when a text holds a script that is written without spaces."""
    return UNSPACED.search(text) is not None
