"""Sentences of two memories that speak of the same thing and say it otherwise."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memsleep.guards.claims import Claim, claim_of
from memsleep.guards.clauses import extends
from memsleep.guards.identity import identifier_set
from memsleep.guards.scripts import is_unspaced
from memsleep.guards.wording import slot

_LABEL = re.compile(r"\W*([^\W\d_][\w -]{0,40}):\s+\S")
NEAR = 0.5
"""Share of common content words, of all or of the shorter sentence's, from which two sentences
speak of the same thing."""


class Held:
    """The sentences that a keeper holds, by what they are about.

    Two pages of some hundred sentences make tens of thousands of pairs; most share no word.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._totals: list[int] = []
        self._with: dict[str, list[tuple[int, int]]] = defaultdict(list)  # word: place, how often
        self._values: dict[str, set[tuple[str, ...]]] = defaultdict(set)  # of slots, by frame
        self._labels = {label for sentence in sentences if (label := _label(sentence))}
        for place, sentence in enumerate(sentences):
            words = Counter(content(claim_of(sentence)))
            self._totals.append(words.total())
            for word, count in words.items():
                self._with[word].append((place, count))
            filled = slot(sentence)
            if filled is not None:
                self._values[filled[0]].add(filled[1])

    def contradicts_one_of(self, others: Iterable[str]) -> bool:
        """Return True when a sentence is about the same as one of others and neither adds to it."""
        return any(map(self._contradicts, others))

    def _contradicts(self, other: str) -> bool:
        if self._fills_same_slot(other):
            return True
        words = Counter(content(claim_of(other)))
        shared: Counter[int] = Counter()
        for word, count in words.items():
            for place, held in self._with.get(word, ()):
                shared[place] += min(count, held)
        total = words.total()
        return any(
            _is_near(common, self._totals[place], total)
            and not _adds(self._sentences[place], other)
            for place, common in shared.items()
        )

    def _fills_same_slot(self, other: str) -> bool:
        """Return True for two values of one slot: `Port: 80` and `Port: 443`."""
        filled = slot(other)
        if filled is not None and self._values.get(filled[0], {filled[1]}) != {filled[1]}:
            return True
        return _label(other) in self._labels


def _is_near(shared: int, one: int, other: int) -> bool:
    """Return True for sentences of so many content words, shared ones among them.

    Where text without a stop runs on, the longer side holds more than one sentence.
    """
    is_near = shared >= NEAR * (one + other - shared)
    return is_near or (shared >= 2 and shared > NEAR * min(one, other))


def _adds(mine: str, other: str) -> bool:
    return marks(mine) == marks(other) and not is_unspaced(other) and extends(mine, other)


def _label(sentence: str) -> str:
    match = _LABEL.match(sentence)
    return match.group(1).casefold() if match else ""


@lru_cache(maxsize=65536)
def marks(sentence: str) -> tuple[object, ...]:
    """Return what turns the meaning of a sentence although few words change."""
    claim = claim_of(sentence)
    return (
        claim.numbers,
        claim.dates,
        claim.negations,
        claim.denials,
        claim.classes,
        identifier_set(sentence),
    )


def content(claim: Claim) -> tuple[str, ...]:
    """Return the words that tell what a sentence is about; of a number that there is one."""
    words = (word for word in claim.form if word not in claim.language.common)
    return tuple("#" if word[0].isdigit() else word for word in words)
