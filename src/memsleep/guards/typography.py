"""One way to write each sign: what typography alone sets apart is no difference."""

from __future__ import annotations

import re
import unicodedata

_TYPOGRAPHY = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201b": "'",
        "\u02bc": "'",
        "\u02b9": "'",
        "\u2032": "'",
        "\u00b4": "'",
        "\uff07": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u201e": '"',
        "\u201f": '"',
        "\u00ab": '"',
        "\u00bb": '"',
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": " - ",
        "\u2015": " - ",
        "\u2212": "-",
        "\u00a0": " ",
        "\u2007": " ",
        "\u2009": " ",
        "\u202f": " ",
        "\u3000": " ",
        "\u2026": "...",
        "\u00d7": " x ",
        "\u2236": ":",
        "\u27f6": "\u2192",
        "\u2794": "\u2192",
        "\u21fe": "\u2192",
        "\u27f9": "\u21d2",
        "\u27f5": "\u2190",
        "\u2103": "\u00b0C",
        "\u2109": "\u00b0F",
        "\u2116": "number ",
        "\u00bd": " 1/2 ",
        "\u00bc": " 1/4 ",
        "\u00be": " 3/4 ",
        "\u2153": " 1/3 ",
        "\u2154": " 2/3 ",
        "\u00bf": " ",
        "\u00a1": " ",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\u00b5": "\u03bc",
        # No reader sees these, and they part no word.
        "\u00ad": None,
        "\u200b": None,
        "\u2060": None,
        "\ufeff": None,
        "\ufe0e": None,
        "\ufe0f": None,
        "\u0640": None,  # Arabic tatweel
    }
)
_SIGN = re.compile("[<>=!+&]")
"""What each of the signs below begins with, or holds."""
_SIGNS = re.compile(
    r"<(?:-{1,2}|=)>|-{1,2}>|={1,2}>|<-{1,2}(?![0-9!-])|<=|>=|!==?|=/=|=<|\+/-|&amp;"
    r"|(?<![\w!])!(?=[A-Za-z_(])"
)
_WRITTEN = {
    "<->": "\u2194", "<-->": "\u2194", "<=>": "\u21d4", "->": "\u2192", "-->": "\u2192",
    "=>": "\u21d2", "==>": "\u21d2", "<-": "\u2190", "<--": "\u2190", "<=": "\u2264",
    "=<": "\u2264", ">=": "\u2265", "!=": "\u2260", "!==": "\u2260", "=/=": "\u2260",
    "+/-": "\u00b1", "&amp;": "&", "!": "\u00ac",
}  # fmt: skip
"""Signs of several characters -> the one character that says the same."""
_GROUP_BLANK = re.compile(r"(?<=[0-9])[\u00a0\u2007\u2009\u202f](?=[0-9]{3}(?![0-9]))")


def fold_typography(text: str) -> str:
    """Return text in NFC, lower case, with ASCII digits, apostrophes and hyphens.

    Full-width forms and decimal digits of any script become ASCII; superscripts stay (NFKC would
    turn `10` with a raised 2 into 102).
    """
    return plain_typography(text).lower()


def plain_typography(text: str) -> str:
    """Return text as `fold_typography` does, but with its capitals."""
    if _SIGN.search(text) is not None:
        text = _SIGNS.sub(lambda match: _WRITTEN[match.group()], text)
    if text.isascii():
        return text
    folded = _GROUP_BLANK.sub("", unicodedata.normalize("NFC", text)).translate(_TYPOGRAPHY)
    return folded if folded.isascii() else "".join(map(_narrow, folded))


def without_accents(text: str) -> str:
    """Return a text of a language that writes accents in loans only without them."""
    if text.isascii():
        return text
    if "\u2260" in text:  # an accent on a sign is none
        return "\u2260".join(map(without_accents, text.split("\u2260")))
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not "\u0300" <= c <= "\u036f"))


def _narrow(char: str) -> str:
    code = ord(char)
    if code < 0x250:
        return char
    if 0xFF01 <= code <= 0xFF5E:
        return chr(code - 0xFEE0)
    digit = unicodedata.decimal(char, None)
    return char if digit is None else str(digit)
