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
    "f px pt em rem dpi fps rpm x usd eur gbp".split()
)
_UNSPACED = (
    "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff"  # kana
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
)
_TOKEN = re.compile(
    rf"[{_UNSPACED}]"
    r"|[0-9]+(?:[.,:][0-9]+)*(?:%|[^\W\d_]+[0-9\w]*)?"
    rf"|(?:(?![{_UNSPACED}])[^\W_])+(?:'(?:(?![{_UNSPACED}])[^\W\d_])+)*"
    r"|[<>=+\u00b1\u2264\u2265\u2260]"
)
_NUMBER = re.compile(r"([0-9]+(?:[.,:][0-9]+)*)(.*)\Z", re.DOTALL)
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+\Z")
UNSPACED = re.compile(f"[{_UNSPACED}]")


def fold_typography(text: str) -> str:
    """Return text in NFC, lower case, with ASCII digits, apostrophes and hyphens.

    Full-width forms and decimal digits of any script become ASCII; superscripts stay (NFKC would
    turn `10` with a raised 2 into 102).
    """
    folded = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)
    if not folded.isascii():
        folded = "".join(_narrow(char) for char in folded)
    return folded.lower()


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
    if tail and tail not in UNITS and tail not in {"st", "nd", "rd", "th", "%"}:
        return [token]  # an identifier such as 3com or 2fa
    if _GROUPED.match(value):
        value = value.replace(",", "")
    parts = value.replace(",", ".").split(":")
    digits = [part.lstrip("0") or "0" if "." not in part else part for part in parts]
    return digits + ([tail] if tail and tail not in {"st", "nd", "rd", "th"} else [])


@lru_cache(maxsize=65536)
def canonical_tokens(text: str) -> tuple[str, ...]:
    """Return the canonical tokens of a text in order.

    Words are lower-case; each character of a script without spaces is a token; numbers are
    decimal without leading zeros or thousands separators; a unit stands apart from its number.
    """
    folded = fold_typography(text)
    for short, long in _CONTRACTIONS:
        folded = folded.replace(short, long)
    folded = cjk_numerals_to_digits(folded)
    tokens: list[str] = []
    for token in _TOKEN.findall(folded):
        tokens.extend(_number_token(token) if token[0] in "0123456789" else [token])
    return tuple(number_words_to_digits(tokens))


def is_number(token: str) -> bool:
    """Return True for a token that is a number."""
    return token[0] in "0123456789" and _NUMBER.match(token).group(2) == ""  # type: ignore[union-attr]


STOPWORDS = frozenset(
    "a an the of to in on at by for with and is are was were be been being am it its this "
    "that these those as into onto there here will would do does did has have had which who "
    "whom whose what where when while so also too very just we our us you your they their "
    "them he she his her i my me s".split()
)


def stem(word: str) -> str:
    """Strip an English plural or third-person ending; nothing else, since tense carries meaning."""
    if len(word) <= 3 or not word.isascii() or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word if word.endswith(("us", "is")) else word[:-1]


@lru_cache(maxsize=65536)
def content_tokens(text: str) -> tuple[str, ...]:
    """Return the canonical tokens that carry meaning: no function words, endings stripped."""
    kept = (token.removesuffix("'s") for token in canonical_tokens(text))
    return tuple(stem(token) for token in kept if token and token not in STOPWORDS)


def is_unspaced(text: str) -> bool:
    """Return True when a text holds a script that is written without spaces."""
    return UNSPACED.search(text) is not None
