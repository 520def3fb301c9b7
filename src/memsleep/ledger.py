"""Reading the ledger of the archive: one JSON object a line, for every archiving that landed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from memsleep.instants import epoch_seconds
from memsleep.model import Problem

_NAMES = ("id", "path", "to", "replaced_by")


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One archiving."""

    path: str
    to: str
    when: str
    cause: str
    """`merged`, `evicted` or `expired` by a night; `superseded` by a person's answer; `deleted`
    where a memory service did."""
    replaced_by: str | None = None


def read_ledger(source: bytes, path: str) -> list[LedgerEntry]:  # noqa: ARG001 (names the file)
    """Return the entries of a ledger in order; a line that is none is passed over.

    A merge of two branches may leave such lines; the entries around them still count.
    """
    entries = (_entry(line) for line in source.split(b"\n"))
    return [entry for entry in entries if entry is not None]


def ledger_problems(source: bytes, path: str) -> list[Problem]:
    """Return a problem for each line that is neither blank nor an entry."""
    told = "expected an entry of the archive, found none; the line does not count"
    return [
        Problem(path, number, "bad-ledger-line", told)
        for number, line in enumerate(source.split(b"\n"), 1)
        if line.strip() and _entry(line) is None
    ]


def renamed(source: bytes, names: Mapping[str, str]) -> tuple[bytes, int]:
    """Return a ledger in which some memories go by other names, and how many lines that changed.

    A line that names none of them keeps its bytes; when and why it was written stays in all, so
    that budgets count as before.
    """
    lines, count = source.split(b"\n"), 0
    for place, line in enumerate(lines):
        if _entry(line) is None:
            continue
        value = json.loads(line)
        named = {key: names[value[key]] for key in _NAMES if value.get(key) in names}
        if named:
            text = json.dumps({**value, **named}, ensure_ascii=False, separators=(",", ":"))
            lines[place] = text.encode("utf-8") + (b"\r" if line.endswith(b"\r") else b"")
            count += 1
    return b"\n".join(lines), count


def joined(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    r"""Return `theirs` with the lines that `mine` added to `base`, without those it took out.

    A night adds lines at the end, and an undo takes its own out. None where `mine` did anything
    else, or where `theirs` no longer has a line that was to go.

    Examples
    --------
    >>> joined(b"1\n2\n", b"1\n", b"1\n2\n3\n")
    b'1\n3\n'
    """
    old, new, now = (
        text.removesuffix(b"\n").split(b"\n") if text else [] for text in (base, mine, theirs)
    )
    stays, there = set(new), set(now)
    kept = [line for line in old if line in stays]
    gone = set(old) - stays
    if new[: len(kept)] != kept or not gone <= there:
        return None
    lines = [line for line in now if line not in gone] + new[len(kept) :]
    return b"".join(line + b"\n" for line in lines)


def _entry(line: bytes) -> LedgerEntry | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    texts = {key: text for key, text in value.items() if isinstance(text, str)}
    if not texts.keys() >= {"path", "to", "when", "cause"} or epoch_seconds(texts["when"]) is None:
        return None
    keys = (texts["path"], texts["to"], texts["when"], texts["cause"])
    return LedgerEntry(*keys, replaced_by=texts.get("replaced_by"))
