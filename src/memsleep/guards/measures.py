"""Numbers with their units, however a language names them."""

from __future__ import annotations

from collections.abc import Callable

from memsleep.guards.phrases import Phrases, Rule
from memsleep.guards.quantities import SYMBOLS, measure
from memsleep.guards.tables import Table
from memsleep.guards.tokens import split

_RANGES = frozenset({"to", "x", "by"})
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
        self._of = frozenset(str(structure.get("of", "")).split())
        calendar = dict(table.alternatives("calendar"))
        self._between = frozenset(map(base, calendar.get("between", ())))
        self._and = frozenset(str(structure.get("conjunctions", "")).split()[:1])
        self._to = base(calendar["span"][1]) if "span" in calendar else ""
        self._money = frozenset(map(base, str(structure.get("money", "")).split()))
        self._weight = frozenset(map(base, str(structure.get("weight", "")).split()))
        self._ones = frozenset(str(structure.get("one", "")).split())
        self._before_times = self._ones | self._per | {"per"}
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
        for token in self._spans(self._names.applied(tokens)):
            last = result[-1] if result else ""
            if last and last[0].isdigit() and "~" not in last and not last.endswith("th"):
                unit = SYMBOLS.get(token) or self.symbols.get(token)
                if unit is not None:
                    if len(result) > 2 and result[-2] in _RANGES and _is_plain(result[-3]):
                        result[-3] = measure(result[-3], unit)  # 20 x 30 cm
                    result[-1] = measure(last, unit)
                    continue
            if last in self._before_times:
                token = self._timed(token, result)
            if not token or (token in self._of and "~" in last):
                continue  # 500 ml of milk
            result.append(token)
        return self._pounds(result)

    def _timed(self, token: str, before: list[str]) -> str:
        """Return the time that a rate is told per, empty where `a week` is one week."""
        unit = SYMBOLS.get(token) or self.symbols.get(token)
        if unit not in _TIMES:
            return token
        last, counted = before[-1], len(before) > 1 and before[-2][0].isdigit()
        named = self.symbols.get(token) == unit
        if last in self._ones and named and not counted and not _is_rate(before):
            before[-1] = measure("1", unit)
            return ""
        if unit == "s" and counted and before[-2].endswith("~time"):
            before[-2:] = [measure(before[-2].removesuffix("~time"), "hz")]  # 10 times per second
            return ""
        if last == "per" or counted or (last in self._ones and named):
            before[-1] = "per"
            return unit
        return token

    def _is_by(self, token: str, before: list[str], after: list[str]) -> bool:
        """Return True for the sign between the sides of a thing: 20 x 30 cm, 20 cm x 30 cm."""
        if token != "x" or not after or not after[0][0].isdigit():  # noqa: S105 (a sign)
            return False
        return any(part[0].isdigit() for part in before[-2:])

    def _pounds(self, tokens: list[str]) -> list[str]:
        """Return tokens with pounds as money or as weight, where another word tells which."""
        if "~pound" not in "".join(tokens):
            return tokens
        is_money, is_weight = (not kind.isdisjoint(tokens) for kind in (self._money, self._weight))
        if is_money == is_weight:
            return tokens
        unit = "~gbp" if is_money else "~lb"
        return [token.replace("~pound", unit) for token in tokens]

    def _spans(self, tokens: list[str]) -> list[str]:
        """Return tokens with `between 3 and 5` as `3 to 5`, and `3 x 5` as `3 by 5`."""
        if "x" not in tokens and self._between.isdisjoint(tokens):
            return tokens
        result: list[str] = []
        for place, token in enumerate(tokens):
            after = tokens[place + 1 : place + 4]
            if self._is_by(token, result, after):
                result.append("by")
            elif (
                token in self._between
                and len(after) == 3
                and after[1] in self._and
                and after[0][0].isdigit()
                and after[2][0].isdigit()
            ):
                tokens[place + 2] = self._to
            else:
                result.append(token)
        return result


def _is_rate(before: list[str]) -> bool:
    """Return True for `100 requests a minute`, where a thing stands between."""
    if len(before) < 3:
        return False
    return before[-3][0].isdigit() and "~" not in before[-3] and before[-2][0].isalpha()


def _is_plain(token: str) -> bool:
    return token[0].isdigit() and "~" not in token and not token.endswith("th")
