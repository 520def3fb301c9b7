"""Ranges in words, of any language but English: von 2 bis 3, entre 2 et 3, dal 3 al 5 maggio."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memsleep.guards.calendar import time_token
from memsleep.guards.tables import Table

LINK = "to"
"""Stands between the ends of a range in every language."""


class Ranges:
    """A language's words around a range; a table without them changes nothing."""

    def __init__(self, table: Table, base: Callable[[str], str]) -> None:
        calendar = dict(table.alternatives("calendar"))

        def words(name: str) -> frozenset[str]:
            return frozenset(base(w) for phrase in calendar.get(name, ()) for w in phrase.split())

        self._from = words("from")
        self._to = words("range") if self._from else frozenset()
        self._between = words("between") if self._from else frozenset()
        self.signs = self._to | self._between
        """Words without which a text holds no range."""
        structure = table.group("structure")
        conjunctions = str(structure.get("conjunctions", "")).split()
        self._and = frozenset(map(base, conjunctions[:1]))
        self._articles = frozenset(map(base, str(structure.get("articles", "")).split()))
        self._changing = frozenset(map(base, table.words("changing", "structure")))

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with both ends of each range beside one `to`."""
        if self.signs.isdisjoint(tokens):
            return tokens
        result: list[str] = []
        index, between = 0, -1
        becomes = not self._changing.isdisjoint(tokens)
        while index < len(tokens):
            token = tokens[index]
            links = token in self._to or (token in self._and and between >= 0)
            last = self._behind(tokens, index + 1) if links and result else len(tokens)
            ends = _ends(result[-1], tokens[last]) if last < len(tokens) else None
            if ends is None:
                between = len(result) if token in self._between else between
                result.append(token)
                index += 1
                continue
            start = self._start(result, between if token in self._and else -1)
            if not becomes or token in self._and:
                del result[start:]
            else:
                result.pop()
            result += [ends[0], LINK, ends[1]]
            index, between = last + 1, -1
        return result

    def _behind(self, tokens: Sequence[str], place: int) -> int:
        """Return the place behind articles."""
        while place < len(tokens) and tokens[place] in self._articles:
            place += 1
        return place

    def _start(self, result: Sequence[str], between: int) -> int:
        """Return where the range begins: at the word before its first end, and its article."""
        if between >= 0:
            return between
        place = len(result) - 1
        while place and result[place - 1] in self._articles:
            place -= 1
        return place - 1 if place and result[place - 1] in self._from else len(result) - 1


def _ends(first: str, last: str) -> tuple[str, str] | None:
    """Return both ends of a range, if they are of one kind; `8 to 17:00` begins at 8:00."""
    if first[0].isdigit() and last[0].isdigit():
        return None if first.endswith("th") or last.endswith("th") else (first, last)
    if last.startswith("timeq") and first.isdecimal() and len(first) <= 2 and int(first) <= 24:
        return time_token(int(first)), last
    if first.startswith("dayq0") and last.startswith("dayq0"):
        return f"dayq{first[5:]}", f"dayq{last[5:]}"  # montags bis freitags
    kinds = ("dateq", "dayq", "timeq")
    return (first, last) if any(first.startswith(k) and last.startswith(k) for k in kinds) else None
