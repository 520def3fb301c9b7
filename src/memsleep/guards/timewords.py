"""The words of a table for days and hours, made ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memsleep.guards.calendar import Calendar
from memsleep.guards.clocks import Clock
from memsleep.guards.seasons import Seasons
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
    points |= {base(w): "timeqm" for w in names.get("midnight", ())}
    between = {base(w) for phrase in names.get("of", ()) for w in phrase.split()}
    hours = {token for w in names.get("clock", ()) for token in (base(w), w)}
    years = frozenset(base(w) for w in names.get("year_words", ()))
    months, days = numbered("month", 12), numbered("day", 7)
    return Calendar(months, days, frozenset(between), frozenset(hours), points, years)


def clock_of(table: Table, base: Callable[[str], str]) -> Clock:
    """Return the words around an hour of a table."""
    names = dict(table.alternatives("calendar"))
    clocks = ("", *names.get("clock", ()))
    parts = {
        tuple(base(word) for word in f"{clock} {phrase}".split()): name
        for name in ("am", "pm", "morning", "evening", "night")
        for phrase in names.get(name, ())
        for clock in clocks
    }
    found = {name: _words(names, name, base) for name in ("half", "quarter", "past", "to", "at")}
    minutes = {base(word) for word in dict(table.alternatives("units")).get("min", ())}
    behind = {base(word) for word in str(table.group("structure").get("fronting", "")).split()}
    return Clock(**found, parts=parts, minutes=frozenset(minutes), behind=frozenset(behind))


def seasons_of(table: Table, base: Callable[[str], str]) -> Seasons:
    """Return the words around quarters, weekdays and hours of a table."""
    names = dict(table.alternatives("calendar"))
    articles = str(table.group("structure").get("articles", "")).split()
    spans = names.get("span", ())
    return Seasons(
        quarter=_words(names, "quarter", base),
        half=_words(names, "half", base),
        of=_words(names, "of", base),
        naming=_words(names, "naming", base),
        articles=frozenset(map(base, articles)),
        on=_words(names, "on", base),
        at=_words(names, "hour", base),
        every=_words(names, "every", base),
        between=_words(names, "between", base),
        since=base(spans[0]) if spans else "",
        until=base(spans[1]) if spans else "",
        range=_words(names, "range", base) if spans else frozenset(),
        ending=_words(names, "range", base) & _words(names, "on", base),
        inside=_words(names, "inside", base),
        parts={
            tuple(base(word) for word in phrase.split()): f"{name}q"
            for name in ("early", "mid", "late", "end")
            for phrase in names.get(f"{name}_part", ())
        },
        short_days={
            base(name): f"dayq{number}"
            for number in range(1, 8)
            for name in names.get(f"short_{number}", ())
        },
    )


def weekly_of(table: Table) -> dict[str, str]:
    """Return the plural of each day of the week -> what stands for that day of every week."""
    names = dict(table.alternatives("calendar"))
    return {
        name: f"dayq0{number}" for number in range(1, 8) for name in names.get(f"days_{number}", ())
    }


def _words(
    names: Mapping[str, tuple[str, ...]], name: str, base: Callable[[str], str]
) -> frozenset[str]:
    return frozenset(base(word) for phrase in names.get(name, ()) for word in phrase.split())
