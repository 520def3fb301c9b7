"""Verbs whose particle ends the clause: `fängt um neun an` is `beginnt um neun`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memsleep.guards.tokens import MARK

GAP = "..."
"""In a phrase, the rest of the clause between a verb and its particle."""


class Particles:
    """First word -> last word of its clause -> what stands for both."""

    def __init__(
        self,
        entries: Iterable[tuple[str, Sequence[str]]],
        final: Callable[[str], str],
        prepared: Callable[[str], tuple[str, ...]],
    ) -> None:
        self._by_first: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {}
        for head, others in entries:
            if GAP in head:
                continue
            for first, gap, last in (other.partition(GAP) for other in others):
                if gap:
                    by_last = self._by_first.setdefault(final(first.strip()), {})
                    by_last[tuple(map(final, last.split()))] = prepared(head)
        lasts = [last for by_last in self._by_first.values() for last in by_last]
        self._ends = frozenset(last[-1] for last in lasts if last)
        """Words without one of which no particle ends a clause."""

    def closed(self, tokens: list[str], joins: frozenset[str]) -> list[str]:
        """Return tokens with each verb and the particle at the end of its clause as one."""
        if self._ends.isdisjoint(tokens) or self._by_first.keys().isdisjoint(tokens):
            return tokens
        for place, token in enumerate(tokens):
            by_last = self._by_first.get(token)
            if by_last is None:
                continue
            end = _end(tokens, place, joins)
            for last, result in by_last.items():
                start = end - len(last)
                if start > place and tuple(tokens[start:end]) == last:
                    kept = [*tokens[:place], *result, *tokens[place + 1 : start]]
                    return kept + self.closed(tokens[end:], joins)
        return tokens


def _end(tokens: Sequence[str], start: int, joins: frozenset[str]) -> int:
    """Return the end of the clause that a word stands in."""
    stops = (i for i in range(start + 1, len(tokens)) if tokens[i] == MARK or tokens[i] in joins)
    return next(stops, len(tokens))
