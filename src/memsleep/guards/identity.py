"""Names of things, as they are written: identifiers, code, paths, names, entities."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from memsleep.guards.tokens import (
    UNITS,
    UNSPACED_CLASS,
    canonical_tokens,
    plain_typography,
    stem,
)
from memsleep.model import Memory

_CHUNK = re.compile(rf"[^\s{UNSPACED_CLASS}\u3001\u3002\u300c\u300d]+")
_CODE = re.compile(r"[/\\_=$|<>]|::|\w\(|^--?[a-z]|^\.\w|^[@#~]\w|\w\.\w|\w@\w|[a-z][#+]+$", re.I)
_CAMEL = re.compile(r"[a-z]+[A-Z]")
_LETTER = re.compile(r"[^\W\d_]")
_PLAIN_MIX = re.compile(r"[0-9]+(?:[.,:][0-9]+)*(?:-?[a-z]+)?(?:-[a-z]+)*", re.I)
_ABBREVIATIONS = frozenset({"e.g", "i.e", "a.m", "p.m", "u.s", "u.k", "z.b", "d.h"})
_WORD = re.compile(r"[^\W\d_]+")
_SHOUTED = frozenset({"US", "IT", "WHO"})
"""Names that are ordinary words in lower case."""
_IMPLIED = ("concept:", "lang:")


@lru_cache(maxsize=65536)
def identifier_set(text: str) -> frozenset[str]:
    """Return what names a thing exactly: part numbers, versions, code, paths, addresses.

    Letters with digits are told apart without case (`UTF-8`, `utf-8`), code and paths with it.
    """
    found = set()
    for chunk in _CHUNK.findall(plain_typography(text)):
        name = chunk.lstrip("\"'([{*`").rstrip(".,;:!?\"')]}*`")
        if not _LETTER.search(name) or name.lower() in _ABBREVIATIONS:
            continue
        if _CODE.search(name) or _CAMEL.match(name):
            found.add(name)
        elif any(char.isdecimal() for char in name) and not _is_quantity(name):
            found.add(name.lower())
    return frozenset(found)


def _is_quantity(name: str) -> bool:
    """Return True for a number with a unit, an ordinal ending or words behind hyphens."""
    if not _PLAIN_MIX.fullmatch(name):
        return False
    ending = name.lower().lstrip("0123456789.,:")
    return ending.startswith("-") or ending in UNITS or ending in {"st", "nd", "rd", "th"}


def identifiers(a: Memory, b: Memory) -> str | None:
    """Refuse where the memories name different things (M1, v2, a path, a name, an entity)."""
    if identifier_set(a.gist) != identifier_set(b.gist):
        return "the identifiers of the claims differ"
    if parted_endings(a.gist, b.gist) or _shouted(a.gist) != _shouted(b.gist):
        return "the claims differ in a name or an ending"
    if _parted_entities(a, b):
        return "they are about different entities"
    return None


def parted_endings(a: str, b: str) -> bool:
    """Return True where an ending tells two things apart (Ander, Anders; `test`, `tests`).

    One word alone that differs in its ending does; where several do, as a noun and its verb, only
    names count, which do not begin the claim.
    """
    left, right = Counter(canonical_tokens(a)), Counter(canonical_tokens(b))
    only_left, only_right = left - right, right - left
    if only_left.total() == 1 and only_right.total() == 1:
        return stem(next(iter(only_left))) == stem(next(iter(only_right)))
    for text, mine, theirs in ((a, only_left, only_right), (b, only_right, only_left)):
        endings = {stem(word) for word in theirs}
        if any(word in mine and stem(word) in endings for word in _names(text)):
            return True
    return False


@lru_cache(maxsize=65536)
def _names(text: str) -> frozenset[str]:
    """Return the capitalised words behind the first one, in lower case."""
    words = _WORD.findall(plain_typography(text))[1:]
    return frozenset(word.lower() for word in words if word[0].isupper())


@lru_cache(maxsize=65536)
def _shouted(text: str) -> frozenset[str]:
    if text.isupper():
        return frozenset()
    return frozenset(word for word in _WORD.findall(text) if word in _SHOUTED)


def _parted_entities(a: Memory, b: Memory) -> bool:
    """Return True when both name entities of one kind and have none of them in common."""
    left, right = _by_kind(a), _by_kind(b)
    return any(not left[kind] & right[kind] for kind in left.keys() & right.keys())


def _by_kind(memory: Memory) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for entity in memory.entities:
        kind, colon, name = entity.partition(":")
        if colon and not entity.startswith(_IMPLIED):
            found.setdefault(kind.casefold(), set()).add(name.strip().casefold())
    return found
