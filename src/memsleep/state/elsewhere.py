"""Use that other machines counted, as their exports tell: a row per machine and memory.

Each machine counts its own use and exports that alone, so the exports of a team can be summed. A
row only grows, so reading an export twice, or an old one, changes nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from memsleep.model import Usage
from memsleep.state import rows
from memsleep.usage import import_usage, sum_machines

_COLUMNS = ", ".join(rows.USAGE_COLUMNS)


def write_machine(
    connection: sqlite3.Connection, machine: str, imported: Mapping[str, Usage]
) -> None:
    """Merge what one other machine exported: memory id -> usage."""
    known = _of_machine(connection, machine)
    marks = ", ".join("?" * (2 + len(rows.USAGE_COLUMNS)))
    for memory_id, usage in sorted(imported.items()):
        merged = import_usage(known[memory_id], usage) if memory_id in known else usage
        connection.execute(
            f"INSERT OR REPLACE INTO usage_elsewhere (machine, memory_id, {_COLUMNS})"  # noqa: S608
            f" VALUES ({marks})",
            (machine, memory_id, *rows.row_from_usage(merged)),
        )


def take_machine(connection: sqlite3.Connection, machine: str) -> dict[str, Usage]:
    """Return the rows of a machine, memory id -> usage, and forget them: they are our own."""
    found = _of_machine(connection, machine)
    connection.execute("DELETE FROM usage_elsewhere WHERE machine = ?", (machine,))
    return found


def summed(connection: sqlite3.Connection, own: Mapping[str, Usage]) -> dict[str, Usage]:
    """Return memory id -> the use on all machines, given that on this one."""
    total = dict(own)
    found = connection.execute(
        f"SELECT memory_id, {_COLUMNS} FROM usage_elsewhere ORDER BY memory_id, machine"  # noqa: S608
    ).fetchall()
    for memory_id, *row in found:
        usage = rows.usage_from_row(row)
        total[memory_id] = sum_machines(total[memory_id], usage) if memory_id in total else usage
    return total


def _of_machine(connection: sqlite3.Connection, machine: str) -> dict[str, Usage]:
    found = connection.execute(
        f"SELECT memory_id, {_COLUMNS} FROM usage_elsewhere WHERE machine = ?",  # noqa: S608
        (machine,),
    ).fetchall()
    return {memory_id: rows.usage_from_row(row) for memory_id, *row in found}
