"""Texts of a memory in the forms that phases compare."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from memsleep.core import tokenize_for_merge
from memsleep.model import Memory

_SPACE = re.compile(r"\s+")
_TYPOGRAPHY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u3000": " "}
)
_END = re.compile(
    r"[.!?\u2026]+[\"'\u201d\u2019)\]*_`]*(?=\s)"
    r"|[\u3002\uff01\uff1f\uff61]+[\u300d\u300f\uff09\u201d\u2019]*"
    r"|\n"
)
_STOPPED = re.compile(
    r"[.!?\u2026\u3002\uff01\uff1f\uff61][\"'\u201d\u2019)\]*_`\u300d\u300f\uff09]*\Z"
)
_UNSPACED = re.compile("[\u3041-\u9fff\u0e01-\u0e4e]")
_LAST_WORD = re.compile(r"(\S+)\Z")
_ITEM = re.compile(r"[0-9]{1,3}\.")
# A single capital is an initial.
_ABBREVIATED = re.compile(
    r"[(\[\"']*(?:(?i:e\.g|i\.e|cf|vs|approx|resp|dr|mr|mrs|ms|prof|st|no|nr|fig|p|pp|z\.b|d\.h|bzw"
    r"|ca)|[A-Z]|(?:[^\W\d_]\.)+[^\W\d_])\.\Z"
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

    Nothing but white space is lost. A line is never continued by the next; a stop behind an
    abbreviation, an initial or an item's number, or before a small letter, ends no sentence.

    Examples
    --------
    >>> sentences('One, e.g. Two 3.5 times! \u4e09\u3002\u56db\u3002')
    ['One, e.g. Two 3.5 times!', '\u4e09\u3002', '\u56db\u3002']
    """
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if _ends(text, start, match):
            found.append(text[start : match.end()].strip())
            start = match.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    if match.group()[0] not in ".!?\u2026":
        return True
    if text[match.end() : match.end() + 8].lstrip()[:1].islower():
        return False
    if match.group() != ".":
        return True
    if _ITEM.fullmatch(text[start : match.end()].strip()):
        return False
    word = _LAST_WORD.search(text[max(0, match.start() - 16) : match.end()])
    return word is None or not _ABBREVIATED.match(word.group(1))


def paragraphs(told: Iterable[str]) -> list[list[int]]:
    """Group sentences by their numbers: one that ends without a stop stands for itself.

    Else the next one would run into it, as items of a list do that are told one after the other.

    Examples
    --------
    >>> paragraphs(["One.", "Two.", "Port 80", "Port 90", "Three."])
    [[0, 1], [2], [3], [4]]
    """
    grouped: list[list[int]] = []
    ended = False
    for number, sentence in enumerate(told):
        stops = _STOPPED.search(sentence) is not None
        if ended and stops:
            grouped[-1].append(number)
        else:
            grouped.append([number])
        ended = stops
    return grouped


@lru_cache(maxsize=65536)
def gist_words(gist: str) -> frozenset[str]:
    """Return the set of merge tokens of a claim (core section 11)."""
    return frozenset(tokenize_for_merge(gist))


def word_total(text: str) -> int:
    """Return a count of words in which each character of an unspaced script counts as one half."""
    unspaced = 0 if text.isascii() else len(_UNSPACED.findall(text))
    return len(text.split()) + unspaced // 2
