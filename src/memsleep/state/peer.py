"""Reading `.memhtml/state.db`, the usage of a memhtml store on its own machine.

It is read from a copy: opening a database, even to read, may write beside it, and what is beside
it belongs to another program. What is not understood is a problem, never an error: the export in
`access.jsonl` still counts.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from memsleep.errors import StateError
from memsleep.model import Problem, Usage
from memsleep.state.access_jsonl import UsageFile, outcome_or_zero
from memsleep.state.database import copy_database
from memsleep.state.jsonl import count_or_zero, text_or_none

PEER_PATH = ".memhtml/state.db"
_QUERY = (
    "SELECT path, access_count, reinforcement_count, outcome_score, last_accessed_at,"
    " last_reinforced_at, updated_at FROM access ORDER BY path"
)


def read_peer_state(root: Path, scratch: Path) -> UsageFile:
    """Return the usage that the store's own database holds, none where it has none.

    `scratch` is a folder outside the corpus for the copy.
    """
    path = root / PEER_PATH
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        return UsageFile({})
    folder = scratch / "memhtml"
    try:
        copy = copy_database(path, folder)
        if copy is None:
            return UsageFile({})
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            rows = connection.execute(_QUERY).fetchall()
    except (sqlite3.Error, OSError, StateError) as error:
        name = type(error).__name__
        message = f"the usage in it cannot be read ({name}); the export counts alone"
        return UsageFile({}, (Problem(PEER_PATH, None, "peer-state-unreadable", message),))
    return UsageFile({path: _usage(row) for path, *row in rows if isinstance(path, str) and path})


def _usage(row: list[Any]) -> Usage:
    return Usage(
        access_count=count_or_zero(row[0]),
        reinforcement_count=count_or_zero(row[1]),
        outcome_score=outcome_or_zero(row[2]),
        last_accessed_at=text_or_none(row[3]),
        last_reinforced_at=text_or_none(row[4]),
        updated_at=text_or_none(row[5]),
    )
