"""Articles and pronouns that look alike: `lo chiama` and `la chiama`, `le livre` and `la livre`.

An article says nothing that its noun does not say, so it is silent. But before one and the same
word two articles of another gender or number make two words of it, or two persons.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from memsleep.guards.language import Language
from memsleep.guards.tokens import MARK, split
from memsleep.guards.typography import fold_typography

Traits = frozenset[str]


def agree(a: str, one: Language, b: str, other: Language) -> bool:
    """Return True unless a word of both texts has articles that exclude each other."""
    if not (one.genders or other.genders):
        return True
    mine, theirs = _articles(a, one), _articles(b, other)
    for word, traits in mine.items():
        found = theirs.get(word)
        if found is None:
            continue
        for group in _EXCLUSIVE:
            left, right = traits & group, found & group
            if left and right and left.isdisjoint(right):
                return False
    return True


_EXCLUSIVE = (frozenset({"masculine", "feminine"}), frozenset({"singular", "plural"}))


@lru_cache(maxsize=4096)
def _articles(text: str, language: Language) -> dict[str, Traits]:
    """Return each word behind an article -> genders and numbers of those articles."""
    tokens = split(language.spelt_out(fold_typography(text)))
    found: dict[str, Traits] = {}
    for article, word in pairwise(tokens):
        traits = language.genders.get(article)
        if traits and word != MARK:
            found[word] = found.get(word, frozenset()) | traits
    return found
