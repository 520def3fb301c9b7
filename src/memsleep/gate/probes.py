"""Questions made from the corpus itself: a claim with a third of its words left out."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

from memsleep.gate.words import STOP_WORDS, content_words, is_number, words_of
from memsleep.model import Memory
from memsleep.text import sentences

_PLAIN = re.compile("[A-Za-z0-9]")  # part of a word wherever it stands
LEFT_OUT = 3
"""Every third content word is left out."""
LEAST_WORDS = 3
"""A sentence of fewer content words is no question."""
LONGEST = 2_000
"""Characters of a text that a question is made from."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a memory says and that can be asked for."""

    path: str
    text: str
    number: int = 0
    """0 for the claim, else the number of the sentence in the body."""

    @property
    def query(self) -> str:
        """The question."""
        return query_of(self.text)


def claim_of(memory: Memory) -> Fact | None:
    """Return what a memory claims, the first sentence of one without a claim, None for neither."""
    text = memory.gist.strip() or next(iter(sentences(memory.body)), "")
    return Fact(memory.path, text[:LONGEST]) if _says(text) else None


def _says(text: str) -> bool:
    """Return True for a text with a word; every claim of a corpus is asked."""
    return _PLAIN.search(text) is not None or bool(words_of(text))


def details_of(memory: Memory) -> list[Fact]:
    """Return the sentences of a body that can be asked for by themselves, but for the claim."""
    claim = claim_of(memory)
    known = words_of(claim.text) if claim else ()
    return [
        Fact(memory.path, sentence[:LONGEST], number)
        for number, sentence in enumerate(sentences(memory.body), 1)
        if words_of(sentence) != known and len(content_words(sentence[:LONGEST])) >= LEAST_WORDS
    ]


@lru_cache(maxsize=65536)
def query_of(text: str) -> str:
    """Return a text without every third of its content words, counted in the order of hashes.

    Numbers stay: without its number a question cannot tell a fact from its twin.

    Examples
    --------
    >>> query_of("The port of the gateway behind the proxy is 8080")
    'the port of the gateway the proxy is 8080'
    """
    words = words_of(text)
    content = {word for word in words if word not in STOP_WORDS and not is_number(word)}
    order = sorted(content, key=_hash)
    gone = set(order[LEFT_OUT - 1 :: LEFT_OUT])
    return " ".join(word for word in words if word not in gone)


def by_hash(paths: list[str], count: int) -> list[str]:
    """Return some of the paths, the same ones whatever stands beside them, in path order."""
    return sorted(sorted(paths, key=_hash)[:count])


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
