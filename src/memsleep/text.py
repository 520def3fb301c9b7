"""Texts of a memory in the forms that phases compare."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memsleep.core import tokenize_for_merge
from memsleep.model import Memory

_SPACE = re.compile(r"\s+")
_TYPOGRAPHY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u3000": " "}
)
# Abbreviations end in a period inside a sentence; a digit after the period is a number.
_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)(?<!\betc)(?<=[.!?])[\"')\]]*\s+"
    r"|(?<=[\u3002\uff01\uff1f])\s*|\n+"
)


def normal_form(text: str) -> str:
    """Return text in NFC, lower case, spaces collapsed, typographic quotes and final stops gone.

    Nothing that could carry meaning is dropped: two texts of equal normal form say the same.
    """
    folded = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY).lower()
    return _SPACE.sub(" ", folded).strip().rstrip(".\u3002! ")


def content_key(memory: Memory) -> str:
    """Return what equal contents share; empty for a memory that says nothing."""
    return normal_form(memory.body or memory.gist)


def sentences(text: str) -> list[str]:
    """Split a text into its sentences, without their outer spaces, in order.

    Examples
    --------
    >>> sentences("One. Two 3.5 times! \u4e09\u3002\u56db\u3002")
    ['One.', 'Two 3.5 times!', '\u4e09\u3002', '\u56db\u3002']
    """
    return [part for part in (piece.strip() for piece in _SENTENCE_END.split(text)) if part]


@lru_cache(maxsize=65536)
def gist_words(gist: str) -> frozenset[str]:
    """Return the set of merge tokens of a claim (core section 11)."""
    return frozenset(tokenize_for_merge(gist))


def word_total(text: str) -> int:
    """Return a count of words in which each character of an unspaced script counts as one half."""
    unspaced = sum(
        1 for char in text if "\u3041" <= char <= "\u9fff" or "\u0e01" <= char <= "\u0e4e"
    )
    return len(text.split()) + unspaced // 2
