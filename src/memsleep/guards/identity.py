"""Names of things, as they are written: identifiers, code, paths, names, entities."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memsleep.guards.claims import claim_of
from memsleep.guards.compared import claims_of
from memsleep.guards.inflection import stem
from memsleep.guards.quantities import SYMBOLS
from memsleep.guards.scripts import UNSPACED_CLASS
from memsleep.guards.typography import plain_typography
from memsleep.model import Memory

_CHUNK = re.compile(rf"[^\s{UNSPACED_CLASS}\uac00-\ud7a3\u3001\u3002\u300c\u300d]+")
_CODE = re.compile(
    "[\u2190\u2192\u2194\u21d2\u21d4\u2260\u2264\u2265\u00ac]"
    r"|[/\\_=$|<>]|::|\w\(|^--?[a-z]|^\.\w|^[@#~]\w|\w\.\w|\w@\w|[a-z][#+]+$",
    re.I,
)
_CAMEL = re.compile(r"[a-z]+[A-Z]")
_INITIALS = re.compile(r"\b(?:[A-Z]\.){2,}")
_ASCII_LETTER = re.compile("[A-Za-z]")
_LETTER = re.compile(r"[^\W\d_]")
_PLAIN_MIX = re.compile(
    r"[-+$\u20ac\u00a3]?[0-9]+(?:[.,:][0-9]+)*-?\u00b0?(?:[a-z\u03bc]+[\u00b2\u00b3]?)?(?:-[a-z]+)*",
    re.I,
)
_RATE = re.compile(
    r"[$\u20ac\u00a3]?(?:[0-9.,]+)?[a-z$\u20ac\u00a3]*/(?:s|sec|h|hr|min|day|d|week|month|year)\Z"
    r"|[$\u20ac\u00a3][0-9.,]+/[a-z]+\Z",
    re.I,
)
_POWER = re.compile(r"[0-9]+e[0-9]+\Z")
_DATED = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}T)?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?Z?\Z"
    r"|[0-9]{1,2}-[A-Za-z]{3,9}-[0-9]{4}\Z|(?:[0-9]{4}[-/])?[QH][1-4](?:[-/][0-9]{4})?\Z"
    r"|[0-9]{4}'s\Z|[$\u20ac\u00a3][0-9.,]+(?:k|m|mn|bn)\Z"
)
"""Dates and hours: likewise."""
_FIGURED = re.compile(
    r"[0-9]{1,2}(?::[0-9]{2})?(?:[ap]\.?m|h)?-[0-9]{1,2}(?::[0-9]{2})?(?:[ap]\.?m|h)\Z"
    r"|CW[0-9]+\Z|(?:pp?|no|nr|fig|ch|vol|sec|art)\.[0-9-]+\Z|[0-9]{4}Z\Z"
    r"|[0-9]+(?:\.[0-9]+)?(?:bn|mn|M)\Z|[cmk]?m(?:\^?[23]|[\u00b2\u00b3])\Z"
    r"|(?:UTC|GMT)[+-][0-9:]+\Z|[0-9]Q\Z|[0-9]+h[0-9]+m\Z"
    r"|(?:(?:US)?\$|[\u2265\u2264<>~\u2248\u00b1])[0-9][0-9.,]*(?:%|[a-z\u03bc]{1,3})?\Z"
    r"|(?:[0-9][0-9.,]*[a-z\u00b0\u03bc%\u20ac]{1,4}-?){2}\Z",
    re.I,
)
"""Figures with what is written onto them: the tokens of the claims tell them apart."""
_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?\Z")
_HOUR = re.compile(r"[0-9]{1,2}h[0-9]{2}\Z")
_ENDINGS = frozenset("st nd rd th er re e eme \u00e8me \u00ba \u00aa am pm k h".split())
_COMMANDS = frozenset(
    "make npm npx yarn pnpm git cargo go docker kubectl helm pip poetry tox just rake mvn gradle "
    "sbt bazel ./ terraform ansible brew apt".split()
)
"""Programs whose argument is a name, though it may be a word."""
_WORD = re.compile(r"[^\W\d_]+")
_ASCII_WORD = re.compile("[a-z]+")
_US_MONEY = re.compile(r"\bUS(?=\s?(?:\$|[Dd]ollars?))")
_SHOUTED = frozenset({"US", "IT", "WHO"})
"""Names that are ordinary words in lower case."""
_CAPITALS = re.compile(r"[A-Z]\.?[A-Z]")
"""What each of them holds, with points or without."""
_IMPLIED = ("concept:", "lang:")


@lru_cache(maxsize=65536)
def identifier_set(text: str) -> frozenset[str]:
    """Return what names a thing exactly: part numbers, versions, code, paths, addresses.

    Letters with digits are told apart without case (`UTF-8`, `utf-8`), code and paths with it.
    """
    found = set()
    plain = plain_typography(text)
    for chunk in plain.split() if plain.isascii() else _CHUNK.findall(plain):
        if (chunk.isalpha() and chunk[1:].islower()) or chunk.isdecimal():
            continue  # a plain word, as most are
        name, as_unit = _named(chunk)
        if name != as_unit and _is_unit(text, name):
            name = as_unit
        if name and not (name.isalnum() and name in claim_of(text).language.figured):
            found.add(name)
    return frozenset(found)


@lru_cache(maxsize=1 << 16)
def _named(chunk: str) -> tuple[str, str]:
    """Return what a piece between blanks names exactly, and what it does if it is a unit."""
    name = chunk.lstrip("\"'([{*`").rstrip(".,;:!?\"')]}*`")
    if name[:1] in {"v", "V"} and name[1:2].isdecimal():
        name = name[1:]  # v2 is version 2: the tokens of the claims tell versions apart
    if not _LETTER.search(name) or _ABBREVIATION.match(name) or _is_quantity(name):
        return "", ""
    if _CODE.search(name):
        return name, name
    is_mixed = any(char.isdecimal() for char in name) and _ASCII_LETTER.search(name)
    folded = name.lower() if is_mixed else ""
    return name if _CAMEL.match(name) else folded, folded


def _is_unit(text: str, name: str) -> bool:
    """Return True for a unit with a capital inside: kPa, mAh."""
    return name.lower() in SYMBOLS or name.lower() in claim_of(text).language.symbols


def _is_quantity(name: str) -> bool:
    """Return True for a number with a unit, an ordinal ending or words behind hyphens."""
    if any(form.match(name) for form in (_HOUR, _RATE, _POWER, _DATED, _FIGURED)):
        return True
    if not _PLAIN_MIX.fullmatch(name):
        return False
    ending = name.lower().lstrip("-+$\u20ac\u00a3").lstrip("0123456789.,:\u00b0")
    return ending.startswith("-") or ending in SYMBOLS or ending in _ENDINGS


def identifiers(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims name different things exactly: M1, v2, a path, an option, code."""
    left, right = claims_of(a, b)
    if identifier_set(left.text) == identifier_set(right.text):
        return None
    return "the identifiers of the claims differ"


def names(a: Memory, b: Memory) -> str | None:
    """Refuse where an ending, capitals or the entities tell two things apart."""
    one, other = claims_of(a, b)
    left, right = one.text, other.text
    if parted_endings(left, right) or _shouted(left) != _shouted(right):
        return "the claims differ in a name or an ending"
    return "they are about different entities" if _parted_entities(a, b) else None


def parted_endings(a: str, b: str) -> bool:
    """Return True where an ending tells two things apart (Ander, Anders; `make tests`).

    That is so for names, which are written with a capital behind the first word, for what is
    given to a command, for spans of time, and for the first word before a verb in the singular.
    """
    if a == b:
        return False
    mine, theirs = _word_set(a), _word_set(b)
    only_left, only_right = mine - theirs, theirs - mine
    if _stems(only_left).isdisjoint(map(stem, only_right)):
        return False  # as nearly all pairs are
    one, other = claim_of(a).language, claim_of(b).language
    only_left, only_right = (words - one.silent - other.silent for words in (only_left, only_right))
    # The forms of the claims tell Monday from Mondays.
    only_left = frozenset(word for word in only_left if stem(word) not in one.calendar.days)
    if _stems(only_left).isdisjoint(map(stem, only_right)):
        return False
    left, right = _words(a), _words(b)
    if _parted_numbers(a, left, right, only_left, only_right):
        return True
    for text, mine, theirs in ((a, only_left, only_right), (b, only_right, only_left)):
        endings = {stem(word) for word in theirs}
        if any(word in mine and stem(word) in endings for word in _names(text)):
            return True
    if len(only_left) == 1 and len(only_right) == 1:
        first, second = next(iter(only_left)), next(iter(only_right))
        return stem(first) == stem(second) and _tells_apart(a, left, first) | _tells_apart(
            b, right, second
        )
    return False


def _parted_numbers(
    text: str,
    left: tuple[str, ...],
    right: tuple[str, ...],
    mine: frozenset[str],
    theirs: frozenset[str],
) -> bool:
    """Return True where both texts speak of something known, one of one and one of several."""
    definite = claim_of(text).language.definite
    endings = {stem(word): word for word in theirs}
    return any(
        stem(word) in endings
        and _is_known(left, word, definite)
        and _is_known(right, endings[stem(word)], definite)
        for word in mine
    )


def _is_known(words: tuple[str, ...], word: str, definite: frozenset[str]) -> bool:
    place = words.index(word)
    return not definite.isdisjoint(words[max(place - 1, 0) : place])


def _tells_apart(text: str, words: tuple[str, ...], word: str) -> bool:
    place = words.index(word)
    if place and words[place - 1] in _COMMANDS:
        return True
    if claim_of(text).language.symbols.get(stem(word)):
        return True
    return not place and len(words) > 1 and words[1] != stem(words[1])


@lru_cache(maxsize=65536)
def _words(text: str) -> tuple[str, ...]:
    folded = plain_typography(text).lower().replace("'s", "")
    return tuple((_ASCII_WORD if folded.isascii() else _WORD).findall(folded))


@lru_cache(maxsize=65536)
def _word_set(text: str) -> frozenset[str]:
    return frozenset(_words(text))


def _stems(words: Iterable[str]) -> set[str]:
    return set(map(stem, words))


@lru_cache(maxsize=65536)
def _names(text: str) -> frozenset[str]:
    """Return the capitalised words behind the first one, in lower case."""
    words = _WORD.findall(plain_typography(text))[1:]
    return frozenset(word.lower() for word in words if word[0].isupper())


@lru_cache(maxsize=65536)
def _shouted(text: str) -> frozenset[str]:
    if (text.isascii() and _CAPITALS.search(text) is None) or text.isupper():
        return frozenset()
    plain = _INITIALS.sub(lambda match: match.group().replace(".", ""), plain_typography(text))
    plain = _US_MONEY.sub("", plain)
    return frozenset(word for word in _WORD.findall(plain) if word in _SHOUTED)


def _parted_entities(a: Memory, b: Memory) -> bool:
    """Return True when both name entities of one kind and have none of them in common."""
    if not a.entities or not b.entities:
        return False
    left, right = _by_kind(a), _by_kind(b)
    return any(not left[kind] & right[kind] for kind in left.keys() & right.keys())


def _by_kind(memory: Memory) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for entity in memory.entities:
        kind, colon, name = entity.partition(":")
        if colon and not entity.startswith(_IMPLIED):
            found.setdefault(kind.casefold(), set()).add(name.strip().casefold())
    return found
