"""The nearest existing name to one that does not exist, for a report's `did you mean`."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import accumulate

FLOOR = 0.6
"""Names less alike than this (difflib ratio) are no help."""
_RARE_GRAMS = 8
_MAX_POSTINGS = 2_000
_MAX_COMPARED = 16
_ASKED_BEFORE_INDEX = 24
"""So many questions are answered from the names as one text; an index pays only after them."""


class NearestNames:
    """An index of names by their trigrams, so that a question costs no walk over all names."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Index pairs of name and what is returned for it; pairs are taken in sorted order."""
        self._names = sorted(set(names))
        self._postings: dict[str, list[int]] | None = None
        self._text = ""
        self._starts: list[int] = []
        self._found: dict[str, list[int]] = {}
        self._asked = 0

    def nearest(self, wanted: str) -> str | None:
        """Return what belongs to the most similar name, None when none is similar enough.

        Equal likeness is decided by the order of the names.
        """
        folded = wanted.casefold()
        lists = self._lists(sorted(_grams(folded)))
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

    def _lists(self, grams: Iterable[str]) -> list[list[int]]:
        """Return the numbers of the names with each gram, for those that any name has."""
        self._asked += 1
        if self._asked <= _ASKED_BEFORE_INDEX:
            for gram in grams:
                if gram not in self._found:  # most names end alike: those are found once
                    self._found[gram] = self._with(gram)
            return [self._found[gram] for gram in grams if self._found[gram]]
        postings = self._indexed()
        return [postings[gram] for gram in grams if gram in postings]

    def _with(self, gram: str) -> list[int]:
        """Return the numbers of the names with a gram, in order, each once."""
        if not self._text:
            padded = [_padded(name.casefold()) for name, _ in self._names]
            self._text = "".join(padded)
            self._starts = list(accumulate((len(name) for name in padded), initial=0))
        if len(gram) < 3:  # the name without a character: a gram of that name alone
            return [number for number, (name, _) in enumerate(self._names) if not name]
        numbers = []
        at = self._text.find(gram)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            end = self._starts[number + 1]
            if at + len(gram) <= end:  # else it lies across two names
                numbers.append(number)
                at = end - 1
            at = self._text.find(gram, at + 1)
        return numbers

    def _indexed(self) -> dict[str, list[int]]:
        if self._postings is None:
            self._postings, self._found = {}, {}
            for number, (name, _) in enumerate(self._names):
                for gram in _grams(name.casefold()):
                    self._postings.setdefault(gram, []).append(number)
        return self._postings


def _padded(name: str) -> str:
    return f"^{name}$"


def _grams(name: str) -> set[str]:
    padded = _padded(name)
    return {padded[i : i + 3] for i in range(max(1, len(padded) - 2))}


def _likeness(folded: str, name: str) -> float:
    return SequenceMatcher(None, folded, name.casefold(), autojunk=False).ratio()
