"""The nearest existing name to one that does not exist, for a report's `did you mean`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher

FLOOR = 0.6
"""Names less alike than this (difflib ratio) are no help."""
_RARE_GRAMS = 8
_MAX_POSTINGS = 2_000
_MAX_COMPARED = 16


class NearestNames:
    """An index of names by their trigrams, so that a question costs no walk over all names."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Index pairs of name and what is returned for it; pairs are taken in sorted order."""
        self._names = sorted(set(names))
        self._postings: dict[str, list[int]] | None = None

    def nearest(self, wanted: str) -> str | None:
        """Return what belongs to the most similar name, None when none is similar enough.

        Equal likeness is decided by the order of the names.
        """
        folded = wanted.casefold()
        postings = self._indexed()
        lists = [postings[gram] for gram in sorted(_grams(folded)) if gram in postings]
        lists.sort(key=lambda numbers: (len(numbers), numbers[0]))
        votes: Counter[int] = Counter()
        spent = 0
        for numbers in lists[:_RARE_GRAMS]:
            if votes and spent + len(numbers) > _MAX_POSTINGS:
                break
            spent += len(numbers)
            votes.update(numbers[:_MAX_POSTINGS])
        ranked = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_MAX_COMPARED]
        scored = [(_likeness(folded, self._names[number][0]), number) for number, _ in ranked]
        best = min(scored, key=lambda pair: (-pair[0], pair[1]), default=(0.0, -1))
        return self._names[best[1]][1] if best[0] >= FLOOR else None

    def _indexed(self) -> dict[str, list[int]]:
        if self._postings is None:
            self._postings = {}
            for number, (name, _) in enumerate(self._names):
                for gram in _grams(name.casefold()):
                    self._postings.setdefault(gram, []).append(number)
        return self._postings


def _grams(name: str) -> set[str]:
    padded = f"^{name}$"
    return {padded[i : i + 3] for i in range(max(1, len(padded) - 2))}


def _likeness(folded: str, name: str) -> float:
    return SequenceMatcher(None, folded, name.casefold(), autojunk=False).ratio()
