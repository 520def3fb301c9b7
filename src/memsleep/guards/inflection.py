"""English endings: the one language whose forms are made by rule. Others list theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

VOWELS = frozenset("aeiou")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Strip an English plural or third-person ending; nothing else, since tense carries meaning."""
    if len(word) <= 3 or not word.endswith("s") or not word.isascii():
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def z_spelling(word: str) -> str:
    """Return a word in -ise, -ising, -isation with its z: one word in two spellings."""
    if len(word) < 7 or "is" not in word[3:]:
        return word
    for ending, spelt in (
        ("isation", "ization"), ("isations", "izations"), ("ising", "izing"), ("ised", "ized"),
        ("ises", "izes"), ("iser", "izer"), ("isers", "izers"), ("ise", "ize"),
    ):  # fmt: skip
        if word.endswith(ending):
            return word[: -len(ending)] + spelt
    return word


def respelt(word: str, pieces: Mapping[str, str], single_l: frozenset[str]) -> str:
    """Return a word in the spelling of the tables: `catalogued`, `orthopaedist`, `travelling`.

    Examples
    --------
    >>> respelt("colourful", {"colour": "color"}, frozenset())
    'colorful'
    >>> respelt("travelling", {}, frozenset({"travel"}))
    'traveling'
    """
    for british, american in pieces.items():
        if british in word:
            word = word.replace(british, american)
    if "ll" in word:
        head, _, tail = word.rpartition("ll")
        if head + "l" in single_l and tail in _BEHIND_L:
            return f"{head}l{tail}"
    return word


_BEHIND_L = frozenset("ed ing er ers or ors ings ous ery able".split())


def past_of(verb: str) -> str:
    """Return the regular past of a verb."""
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in VOWELS:
        return verb[:-1] + "ied"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ed"


def gerund_of(verb: str) -> str:
    """Return the -ing form of a verb."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ing"


def _doubles(verb: str) -> bool:
    """Return True for a short verb whose last consonant doubles: stop, plan, set."""
    if len(verb) < 3 or verb[-1] in VOWELS | set("wxyh") or verb[-2] not in VOWELS:
        return False
    if verb[-3] in VOWELS:
        return False
    return sum(letter in VOWELS for letter in verb) == 1 or verb.endswith(("fer", "mit", "cel"))


def bases_of(participle: str) -> Iterator[str]:
    """Yield every verb of which a regular participle may be, none if it is no such form."""
    if not participle.endswith("ed") or len(participle) < 4:
        return
    yield participle[:-1]
    yield participle[:-2]
    if participle.endswith("ied"):
        yield participle[:-3] + "y"
    if len(participle) > 5 and participle[-3] == participle[-4]:
        yield participle[:-3]
