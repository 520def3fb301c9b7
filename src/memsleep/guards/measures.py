"""Numbers with their units, however a language names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from memsleep.guards.phrases import Phrases, Rule
from memsleep.guards.quantities import SYMBOLS, celsius, measure
from memsleep.guards.tables import Table
from memsleep.guards.tokens import split

_RANGES = frozenset({"to", "x", "by", "\u00b1"})
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
        self._to = base(calendar["span"][1]) if "span" in calendar else "to"
        self.money = frozenset(map(base, str(structure.get("money", "")).split()))
        self.weight = frozenset(map(base, str(structure.get("weight", "")).split()))
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
                    rules.extend((told, (marker,)) for told in self._rates(words))
        self._names = Phrases(rules)
        self._changing = frozenset(map(base, str(structure.get("changing", "")).split()))
        self._apart = frozenset(map(base, str(structure.get("apart", "")).split()))
        self._up_to = frozenset(map(base, calendar.get("range", ())))
        self._from = base(calendar["span"][0]) if "span" in calendar else ""

    def _rates(self, words: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the name of a rate, and `miles an hour` for `miles per hour`."""
        if "per" not in words or not self._ones:
            return [words]
        place = words.index("per")
        told = [(*words[:place], one, *words[place + 1 :]) for one in sorted(self._ones)]
        return [words, *told, (*words[:place], "every", *words[place + 1 :])]

    def applied(self, tokens: list[str]) -> list[str]:
        """Return tokens with each number and its unit as one, and `a week` as `per week`."""
        units: dict[int, str] = {}
        tokens = self._spans(self._names.applied(tokens))
        start = self._start(tokens)
        result = tokens[:start]
        for place in range(start, len(tokens)):
            token = tokens[place]
            if token == "to" and _is_link(tokens, place):  # noqa: S105 (2 to 3, not 2 To)
                result.append(token)
                continue
            last = result[-1]
            if last[0].isdigit() and "~" not in last and not last.endswith("th"):
                unit = SYMBOLS.get(token) or self.symbols.get(token)
                if unit is not None:
                    self._measured(result, unit, units)
                    continue
            if last in self._before_times:
                named = SYMBOLS.get(token) or self.symbols.get(token, "")
                token = self._timed(token, result)
                if not token and result[-1][0].isdigit():
                    units[len(result) - 1] = named  # an hour and ten minutes
            if not token or (token in self._of and "~" in last):
                continue  # 500 ml of milk
            result.append(token)
        if len(units) > 1:
            result = self._summed(result, units)
        return self._pounds(self._from_to(result))

    def _start(self, tokens: Sequence[str]) -> int:
        """Return the place behind the first token on which the one behind it depends.

        Such are numbers, what stands before a time, and units of several words.
        """
        before = self._before_times
        for place, token in enumerate(tokens, start=1):
            if token in before or token[0].isdigit() or "~" in token:
                return place
        return len(tokens)

    def _measured(self, result: list[str], unit: str, units: dict[int, str]) -> None:
        """Give the last number its unit, and the first of two sides or ends as well."""
        last = result[-1]
        if len(result) > 2 and result[-2] in _RANGES and _is_plain(result[-3]):
            first = result[-3]
            result[-3] = measure(first, unit)  # 20 x 30 cm
            units[len(result) - 3] = unit
            if unit == "\u00b0f":
                self._cool_first(result, first)
        result[-1] = measure(last, unit)
        units[len(result) - 1] = unit
        if unit == "hz" and result[-2:-1] == ["at"]:
            del result[-2]  # it polls at 10 Hz, ten times a second
        elif unit == "\u00b0f":
            self._cool(result, last)

    def _cool_first(self, tokens: list[str], value: str) -> None:
        """Turn the first of two temperatures into Celsius where the last one will be."""
        found = celsius(value, below_zero=False)
        if found is not None and not found[1] and self._changing.isdisjoint(tokens):
            tokens[-3] = found[0]

    def _cool(self, tokens: list[str], value: str) -> None:
        """Turn degrees Fahrenheit into Celsius, but for a difference of two temperatures."""
        if not self._changing.isdisjoint(tokens) or not self._apart.isdisjoint(tokens[-3:-1]):
            return
        below = tokens[-2:-1] == ["minus"]
        found = celsius(value, below_zero=below)
        if found is not None:
            told, is_below = found
            tokens[-1 - below :] = ["minus", told] if is_below else [told]

    def _summed(self, tokens: list[str], units: dict[int, str]) -> list[str]:
        """Return the tokens with `1 hour and 20 minutes` as one length of time."""
        if len(units) < 2 or not self._apart.isdisjoint(tokens):
            return tokens
        result: list[str] = []
        before, joined = "", False
        for place, token in enumerate(tokens):
            unit = units.get(place, "")
            if not unit or "~" not in token:
                joined = bool(before) and token in self._and
                before = before if joined else ""
                result.append(token)
                continue
            if before and _is_part(unit, before, token):
                if joined:
                    result.pop()
                result[-1] = _sum_of(result[-1], token)
            else:
                result.append(token)
            before, joined = unit, False
        return result

    def _from_to(self, tokens: list[str]) -> list[str]:
        """Return the tokens with `from 2 kg to 3 kg` as a range, unless one becomes the other."""
        if self._from not in tokens or not self._changing.isdisjoint(tokens):
            return tokens
        result: list[str] = []
        for place, token in enumerate(tokens):
            after = tokens[place + 1 : place + 4]
            is_range = token == self._from and len(after) == 3 and after[1] == self._to
            if is_range and after[0][0].isdigit() and after[2][0].isdigit():
                continue
            result.append(token)
        return result

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
            if before[-2:-1] == ["at"]:
                del before[-2]
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
        is_money, is_weight = (not kind.isdisjoint(tokens) for kind in (self.money, self.weight))
        if is_money == is_weight:
            return tokens
        unit = "gbp" if is_money else "lb"
        return [
            measure(token.removesuffix("~pound"), unit) if token.endswith("~pound") else token
            for token in tokens
        ]

    def _spans(self, tokens: list[str]) -> list[str]:
        """Return tokens with `between 3 and 5` as `3 to 5`, and `3 x 5` as `3 by 5`."""
        if "x" not in tokens and self._between.isdisjoint(tokens):
            return self._linked(tokens)
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
        return self._linked(result)

    def _linked(self, tokens: list[str]) -> list[str]:
        """Return the tokens with `pages 5 through 8` as `pages 5 to 8`."""
        if self._up_to.isdisjoint(tokens):
            return tokens
        last = len(tokens) - 1
        return [
            self._to
            if token in self._up_to
            and 0 < i < last
            and tokens[i - 1][0].isdigit()
            and tokens[i + 1][0].isdigit()
            else token
            for i, token in enumerate(tokens)
        ]


_PARTS = {
    "year": ("month", 12), "week": ("d", 7), "d": ("h", 24), "h": ("min", 60), "min": ("s", 60),
    "ft": ("in", 12), "lb": ("oz", 16), "eur": ("cent", 100), "usd": ("cent", 100),
}  # fmt: skip
"""Unit -> the unit of its parts, and how many make one."""


def _is_part(unit: str, before: str, token: str) -> bool:
    """Return True for minutes behind hours, and the like."""
    part, most = _PARTS.get(before, ("", 0))
    if unit != part:
        return False
    whole = measure(str(most), unit).partition("~")[0]
    return Fraction(token.partition("~")[0]) < Fraction(whole)


def _sum_of(one: str, other: str) -> str:
    (first, _, unit), (second, _, part) = one.partition("~"), other.partition("~")
    share = Fraction(second) / (100 if part == "cent" else 1)
    return f"{Fraction(first) + share}~{unit}"


def _is_link(tokens: list[str], place: int) -> bool:
    """Return True for what stands between the ends of a range."""
    return 0 < place < len(tokens) - 1 and tokens[place + 1][0].isdigit()


def _is_rate(before: list[str]) -> bool:
    """Return True for `100 requests a minute`, where a thing stands between."""
    if len(before) < 3:
        return False
    return before[-3][0].isdigit() and "~" not in before[-3] and before[-2][0].isalpha()


def _is_plain(token: str) -> bool:
    return token[0].isdigit() and "~" not in token and not token.endswith("th")
