"""The words of a table for days and hours, made ready."""

from __future__ import annotations

from collections.abc import Callable

from memsleep.guards.calendar import Calendar
from memsleep.guards.clocks import Clock
from memsleep.guards.tables import Table


def calendar_of(table: Table, base: Callable[[str], str]) -> Calendar:
    """Return the months, days and signs of the hour of a table."""
    names = dict(table.alternatives("calendar"))

    def numbered(prefix: str, count: int) -> dict[str, int]:
        return {
            base(name): number
            for number in range(1, count + 1)
            for name in names.get(f"{prefix}_{number}", ())
        }

    points = {base(w): "timeq12q0" for w in names.get("noon", ())}
    points |= {base(w): "timeq0q0" for w in names.get("midnight", ())}
    between = {base(w) for phrase in names.get("of", ()) for w in phrase.split()}
    hours = {token for w in names.get("clock", ()) for token in (base(w), w)}
    years = frozenset(base(w) for w in names.get("year_words", ()))
    months, days = numbered("month", 12), numbered("day", 7)
    return Calendar(months, days, frozenset(between), frozenset(hours), points, years)


def clock_of(table: Table, base: Callable[[str], str]) -> Clock:
    """Return the words around an hour of a table."""
    names = dict(table.alternatives("calendar"))

    def words(name: str) -> frozenset[str]:
        return frozenset(base(word) for word in names.get(name, ()))

    clocks = ("", *names.get("clock", ()))
    parts = {
        tuple(base(word) for word in f"{clock} {phrase}".split()): added
        for name, added in (("morning", 0), ("evening", 12))
        for phrase in names.get(name, ())
        for clock in clocks
    }
    return Clock(words("half"), words("quarter"), words("past"), words("to"), parts)
