"""English phrases around what they are about: `keep the key in` is `store the key in`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memsleep.guards.particles import GAP
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

Words = tuple[str, ...]
MOST_BETWEEN = 5
"""Words that may stand between the two parts of a frame."""
_STOPS = RELATIVES | rule_words("frames.stops") | {MARK}


class Frames:
    """First word -> (first part, last part, what stands for either)."""

    def __init__(
        self,
        entries: Iterable[tuple[str, Sequence[str]]],
        prepared: Callable[[str], Words],
    ) -> None:
        self._by_first: dict[str, list[tuple[Words, Words, Words, Words]]] = {}
        for head, others in entries:
            if GAP not in head:
                continue
            one, behind = (prepared(part) for part in head.split(GAP))
            for other in others:
                first, last = (prepared(part) for part in other.split(GAP))
                if last:
                    self._by_first.setdefault(first[0], []).append((first, last, one, behind))
        for rules in self._by_first.values():
            rules.sort(key=lambda rule: (-len(rule[0]) - len(rule[1]), rule))

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each frame told by its head, the longest first."""
        if self._by_first.keys().isdisjoint(tokens):
            return tokens
        count = len(tokens)
        for place, token in enumerate(tokens):
            for first, last, one, other in self._by_first.get(token, ()):
                start = place + len(first)
                if start >= count or tokens[start - 1] != first[-1]:
                    continue  # as most are
                if tuple(tokens[place:start]) != first:
                    continue
                end = _end(tokens, start, last)
                if end:
                    rest = self.applied(tokens[end + len(last) :])
                    return [*tokens[:place], *one, *tokens[start:end], *other, *rest]
        return tokens


def _end(tokens: Sequence[str], start: int, last: Words) -> int:
    """Return where the last part begins, 0 where something else stands between."""
    for place in range(start, min(start + MOST_BETWEEN + 1, len(tokens) - len(last) + 1)):
        if tokens[place] == last[0] and tuple(tokens[place : place + len(last)]) == last:
            return place if place > start else 0
        if tokens[place] in _STOPS:
            return 0
    return 0
