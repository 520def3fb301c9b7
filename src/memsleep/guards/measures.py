"""Numbers with their units, however a language names them."""

from __future__ import annotations

from collections.abc import Callable

from memsleep.guards.phrases import Phrases, Rule
from memsleep.guards.quantities import SYMBOLS, measure
from memsleep.guards.tables import Table
from memsleep.guards.tokens import split

_TIMES = frozenset("s min h d week month year".split())


class Measures:
    """The units of a language: `symbols` gives each name of one word its unit."""

    def __init__(
        self,
        table: Table,
        base: Callable[[str], str],
        counted: Callable[[list[str]], list[str]] = list,
    ) -> None:
        structure = table.group("structure")
        self._per = frozenset(str(structure.get("per", "")).split())
        self._ones = frozenset(str(structure.get("one", "")).split())
        self.symbols: dict[str, str] = {}
        rules: list[Rule] = []
        for unit, names in (*table.alternatives("units"), ("°c", ("° c",)), ("°f", ("° f",))):
            for name in names:
                words = tuple(base(word) for word in counted(split(name, marks=False)))
                if not words:
                    continue
                if len(words) == 1:
                    self.symbols[words[0]] = unit
                else:
                    marker = f"unit~{unit}"
                    self.symbols[marker] = unit
                    rules.append((words, (marker,)))
        self._names = Phrases(rules)

    def applied(self, tokens: list[str]) -> list[str]:
        """Return tokens with each number and its unit as one, and `a week` as `per week`."""
        result: list[str] = []
        for token in self._names.applied(tokens):
            last = result[-1] if result else ""
            if last and last[0].isdigit() and "~" not in last and not last.endswith("th"):
                unit = SYMBOLS.get(token) or self.symbols.get(token)
                if unit is not None:
                    result[-1] = measure(last, unit)
                    continue
            if (
                last in self._ones
                and self.symbols.get(token) in _TIMES
                and (len(result) < 2 or not result[-2][0].isdigit())
            ):
                result[-1] = measure("1", self.symbols[token])
                continue
            if last in self._per and len(result) > 1 and result[-2][0].isdigit():
                unit = SYMBOLS.get(token) or self.symbols.get(token)
                if unit in _TIMES:
                    result[-1] = "per"
                    token = unit
            result.append(token)
        return result
