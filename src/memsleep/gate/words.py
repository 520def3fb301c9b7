"""Words as the gate counts them: on purpose not those of the guards, whose work it checks."""

from __future__ import annotations

from functools import lru_cache

from memsleep.core.scripts import runs

STOP_WORDS = frozenset(
    "a an the of to in on at by for with and is are was were be been being am it its this "
    "that these those as into onto there here will would do does did has have had which who "
    "whom whose what where when while so also too very just we our us you your they their "
    "them he she his her i my me s t not no".split()
)
"""Words that say little about what a text is about; denials are the business of twins."""


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, `not` for a contracted denial.

    A run of a script without spaces is cut into pairs of characters.
    """
    words: list[str] = []
    for is_unspaced, run in runs(text.replace("\u2019", "'").replace("n't", " not")):
        if is_unspaced:
            words += [run[start : start + 2] for start in range(0, len(run), 2)]
        else:
            words.append(run)
    return tuple(words)


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[str]:
    """Return what a text is about: characters, and words without a plural's ending."""
    found: set[str] = set()
    for is_unspaced, run in runs(text):
        if is_unspaced:
            found.update(run)
        elif run not in STOP_WORDS:
            found.add(run[:-1] if len(run) > 3 and run.endswith("s") else run)
    return frozenset(found)


def is_number(word: str) -> bool:
    """Return True for a word that holds a digit."""
    return any(character.isdigit() for character in word)
