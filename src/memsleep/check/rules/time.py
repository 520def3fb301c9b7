"""MS4xx: what is over, what is late, and words that only make sense on the day of writing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memsleep.check.model import FIELD, Found, Rule
from memsleep.check.rules.time_words import find_relative
from memsleep.check.view import FileView
from memsleep.instants import add_days
from memsleep.model import Memory
from memsleep.readers.dates import parse_date
from memsleep.readers.markdown import name_instant

if TYPE_CHECKING:
    from memsleep.check.corpus import CheckedCorpus

RULES = (
    Rule(
        "MS401", "expired", "warning",
        "A memory is valid no longer, and still active.",
        "Its `valid_until` has passed, so agents recall something that its author said would not "
        "hold by now. A bare date counts through its day. Tasks and arcs do not expire.",
        "valid_until: 2026-03-31   (and it is April)",
        "Extend the date if it still holds; else archive it, or let the next night do so.",
    ),
    Rule(
        "MS402", "overdue-task", "warning",
        "A task is past its due date and not done.",
        "A memory of type `task` whose `due` has passed and whose status is not done, closed or "
        "cancelled.",
        "type: task\ndue: 2026-03-31\nstatus: todo",
        "Do it, move the date, or close it.",
    ),
    Rule(
        "MS403", "relative-date", "warning",
        "Text says `yesterday` or `last week`: nobody will know when that was.",
        "Words that mean another day each time they are read, in a dozen languages. Memories whose "
        "file name is a date, or that state an event time, anchor them and are not asked; nor are "
        "quotations, code, and places where a date follows within a few words.",
        "The gateway was replaced last week.",
        "Write the date: the gateway was replaced on 2026-03-24.",
    ),
    Rule(
        "MS404", "future-date", "warning",
        "A memory says that it was created or updated in the future.",
        "More than a day ahead of the clock: a slip of the year, or a date of another kind. It "
        "ranks as the newest of all until that day.",
        "created: 2062-03-04",
        "Correct the date; a date of something planned belongs in `event_time` or `due`.",
    ),
    Rule(
        "MS405", "date-order", "warning",
        "Dates of one memory are in an order that cannot be.",
        "Updated before it was created, or valid until before it begins to be.",
        "created: 2026-03-04\nupdated: 2025-12-31",
        "Correct the one that is wrong.",
    ),
)  # fmt: skip

_DONE = frozenset(
    """
    done closed complete completed cancelled canceled archived dropped finished resolved
    wontfix
    """.split()
)
_NEAR = 40
_DATE = re.compile(r"\d{4}-\d\d-\d\d|<time\b|\d{1,2}\.\s?\d{1,2}\.\s?\d{4}|\d{4}\u5e74")
SLACK_DAYS = 1


def find(view: FileView) -> Iterator[Found]:
    """Yield the relative dates of one memory's prose."""
    memory = view.memory
    if memory is None or memory.event_time or name_instant(view.path):
        return
    if not find_relative(view.text):
        return
    prose = view.prose
    for start, end in find_relative(prose):
        if not _DATE.search(view.text, end, end + _NEAR):
            message = "expected a date that will still be true, found a relative one"
            yield Found("MS403", *view.span(start, end), message, prose[start:end].lower())


def find_in_corpus(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
    """Yield what the instant of the check makes wrong."""
    ahead = add_days(corpus.now, SLACK_DAYS)
    for memory in corpus.active:
        for code, field, message in _about(corpus, memory, ahead):
            yield memory.path, Found(code, FIELD, FIELD, message, field)


def _about(corpus: CheckedCorpus, memory: Memory, ahead: str) -> Iterator[tuple[str, str, str]]:
    until = memory.valid_until
    lasting = memory.type in corpus.settings.reprieve.never
    if until and not lasting and before(until, corpus.now):
        yield "MS401", "valid_until", f"was valid until {until}"
    due = _due(memory)
    if due and before(due, corpus.now) and not _is_done(memory):
        yield "MS402", "due", f"was due on {due}"
    for field in ("created", "updated"):
        value: str | None = getattr(memory, field)
        if value and memory.states(field) and before(ahead, value):
            yield "MS404", field, f"{field} lies in the future"
    yield from _order(memory)


def _order(memory: Memory) -> Iterator[tuple[str, str, str]]:
    stated = memory.states
    pairs = (("created", "updated"), ("valid_from", "valid_until"), ("created", "valid_until"))
    for first, second in pairs:
        early: str | None = getattr(memory, first)
        late: str | None = getattr(memory, second)
        if early and late and stated(first) and stated(second) and before(late, early):
            yield "MS405", second, f"{second} lies before {first}"
            return


def _due(memory: Memory) -> str | None:
    if memory.type != "task":
        return None
    parsed = parse_date(memory.raw.get("due", ""))
    return parsed.instant if parsed else None


def _is_done(memory: Memory) -> bool:
    return memory.raw.get("task_status", memory.status).casefold() in _DONE


def before(a: str, b: str) -> bool:
    """Return True when one instant is before another; bare dates are compared by the day.

    Examples
    --------
    >>> before("2026-11-30", "2026-11-30T03:00:00Z"), before("2026-11-29", "2026-11-30T03:00:00Z")
    (False, True)
    """
    length = min(len(a), len(b))
    return a[:length] < b[:length]
