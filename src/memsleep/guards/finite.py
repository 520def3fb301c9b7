"""Whether the form of an English word is one that only a verb of a clause has.

A word is looked at by itself; whether it is a verb where it stands is a question for
:mod:`memsleep.guards.verbhood`. Bare verbs (`run`, `test`) may be nouns, so they count nowhere here
but in `may_be_predicate`.
"""

from __future__ import annotations

from memsleep.guards.language import Language


def is_auxiliary(language: Language, word: str) -> bool:
    """Return True for a canonical form of be or have, and for a modal."""
    voice = language.passive
    return word in voice.be or word in voice.have or word in voice.modals


def is_past(language: Language, word: str) -> bool:
    """Return True for a past or a participle: an irregular one of the tables, or any in -ed."""
    return word in language.passive.present or word.endswith("ed")


def is_finite(language: Language, word: str) -> bool:
    """Return True for an auxiliary and for a past: where one stands, a clause has its verb."""
    return is_auxiliary(language, word) or is_past(language, word)


def may_be_predicate(language: Language, word: str) -> bool:
    """Return True for what may begin the predicate behind a subject: finite, do, a bare verb."""
    bare = word in language.plain_words.verbs
    return bare or word in _DO or is_finite(language, word)


_DO = frozenset({"does", "did"})
