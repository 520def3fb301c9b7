"""The state of a corpus: who is who, how each memory is used, what landed runs left.

Observations (first seen, moves on disk, usage) are written when they are made. Effects of a run
are written when it has landed. Reading gives plain values by current path.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memsleep.instants import add_days
from memsleep.model import Standing, Usage
from memsleep.state import elsewhere, landing, rejecting, reverting, rows
from memsleep.state.database import copy_database, foreseen, open_database
from memsleep.state.effects import Effect
from memsleep.state.entries import EntryTexts, edited_entries, remember_entries
from memsleep.state.identity import Assignments, Known, match_identities
from memsleep.state.migrations import STATE
from memsleep.state.rejecting import Rejected
from memsleep.state.uses import Uses
from memsleep.usage import import_usage

MANY = 500
"""Rows from which on reading all of a table is quicker than asking for each."""
KEPT_MISSING_DAYS = 90
_MACHINE = "machine"


@dataclass(frozen=True, slots=True)
class Run:
    """One night, as the state records it."""

    run_id: str
    night: str
    """UTC date of the run's instant."""
    now: str
    started_at: str
    status: str
    ended_at: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    plan_digest: str = ""
    base: str = ""


def _run_from_row(*row: Any) -> Run:
    run_id, night, now, started_at, status, ended_at, plan_digest, base, counts = row
    return Run(
        run_id=run_id,
        night=night,
        now=now,
        started_at=started_at,
        status=status,
        ended_at=ended_at,
        counts=json.loads(counts),
        plan_digest=plan_digest,
        base=base,
    )


class State(Uses):
    """An open `state.db`; a context manager that closes it."""

    def __enter__(self) -> State:
        return self

    # Reading --------------------------------------------------------------------------------

    def usage(self) -> dict[str, Usage]:
        """Return current path -> use on all machines, where it is known, in path order."""
        return self._usage(everywhere=True)

    def own_usage(self) -> dict[str, Usage]:
        """Return current path -> use on this machine, where it is known, in path order."""
        return self._usage(everywhere=False)

    def _usage(self, *, everywhere: bool) -> dict[str, Usage]:
        with foreseen(self._path):
            own = rows.read_all_usage(self._connection)
            known = elsewhere.summed(self._connection, own) if everywhere else own
        paths = self.ids()
        return {path: known[name] for path, name in paths.items() if name in known}

    def standing(self) -> dict[str, Standing]:
        """Return current path -> standing, for every memory that is there, in path order."""
        with foreseen(self._path):
            found = self._connection.execute(
                "SELECT memories.path, memories.id, first_seen_at, stated_fp, effective_fp,"
                " last_decay_at, until FROM memories"
                " LEFT JOIN decay ON decay.memory_id = memories.id"
                " LEFT JOIN spared ON spared.memory_id = memories.id"
                " WHERE missing_since IS NULL AND memories.path IS NOT NULL"
            ).fetchall()
        ordered = sorted(found, key=lambda row: row[0])
        return {path: rows.standing_from_row(row) for path, *row in ordered}

    def last_landed_at(self) -> str | None:
        """Return the instant of the last run that landed."""
        return self.meta(landing.LAST_LANDED_AT)

    def meta(self, key: str) -> str | None:
        """Return one named value of the state as a whole."""
        with foreseen(self._path):
            row = self._connection.execute(
                "SELECT value FROM meta WHERE key = ?", (key,)
            ).fetchone()
        return row[0] if row else None

    def paths_of(self, memory_id: str) -> tuple[str, ...]:
        """Return every path a memory ever had, the oldest first."""
        with foreseen(self._path):
            found = self._connection.execute(
                "SELECT path FROM paths WHERE memory_id = ? ORDER BY since, path", (memory_id,)
            ).fetchall()
        return tuple(path for (path,) in found)

    def runs(self) -> tuple[Run, ...]:
        """Return the recorded runs, the oldest first."""
        with foreseen(self._path):
            found = self._connection.execute(
                "SELECT id, night, now, started_at, status, ended_at, plan_digest, base, counts"
                " FROM runs ORDER BY now, id"
            ).fetchall()
        return tuple(_run_from_row(*row) for row in found)

    # Observations ---------------------------------------------------------------------------

    def observe(
        self,
        files: Mapping[str, str],
        now: str,
        *,
        unreadable: Collection[str] = (),
        entries: EntryTexts | None = None,
    ) -> Assignments:
        """Note which memories are there: path -> content digest, archived ones too.

        New files become memories, moved ones keep their id, missing ones are kept for 90 days.
        Files that exist but could not be read are `unreadable`: they are not missing. `entries`
        are those of files that hold several memories: an edited one keeps its id.
        """
        with self._writing():
            edited = edited_entries(self._connection, entries) if entries is not None else {}
            found = match_identities(self._known(), files, unreadable, edited)
            if entries is not None:
                remember_entries(self._connection, entries)
            landing.write_assignments(self._connection, found, files, now)
            self._connection.execute(
                "DELETE FROM memories WHERE missing_since < ?", (add_days(now, -KEPT_MISSING_DAYS),)
            )
        return found

    def machine(self) -> str:
        """Return what this machine is called in exports; empty until it was named."""
        return self.meta(_MACHINE) or ""

    def name_machine(self, machine: str) -> None:
        """Give this machine its name; what an export told of that name is its own use."""
        with self._writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_MACHINE, machine)
            )
            self._merge(elsewhere.take_machine(self._connection, machine))

    def import_usage(self, imported: Mapping[str, Usage], machine: str = "") -> tuple[str, ...]:
        """Merge exported usage into the rows; return the paths that name no memory.

        A path that a memory had earlier means that memory, unless another one is there now. The
        use of another machine is kept apart, and added whenever usage is read.
        """
        own = machine in ("", self.machine())
        by_id: dict[str, Usage] = {}
        unknown = []
        with self._writing():
            there = self._ids_by_path(imported)
            for path, usage in sorted(imported.items()):
                memory_id = there.get(path) or reverting.resolve(self._connection, path)
                if memory_id is None:
                    unknown.append(path)
                elif memory_id in by_id:
                    by_id[memory_id] = import_usage(by_id[memory_id], usage)
                else:
                    by_id[memory_id] = usage
            if own:
                self._merge(by_id)
            else:
                elsewhere.write_machine(self._connection, machine, by_id)
        return tuple(unknown)

    def _merge(self, imported: Mapping[str, Usage]) -> None:
        """Merge memory id -> usage into the rows of this machine."""
        every = rows.read_all_usage(self._connection) if len(imported) > MANY else None
        for memory_id, usage in sorted(imported.items()):
            if every is None:
                known = rows.read_usage(self._connection, memory_id)
            else:
                known = every.get(memory_id)
            merged = import_usage(known, usage) if known else usage
            if merged != known:  # what was told before changes nothing
                rows.write_usage(self._connection, memory_id, merged)

    def record_run(self, run: Run) -> None:
        """Write one run; a second call with the same id replaces it."""
        counts = json.dumps(dict(sorted(run.counts.items())), separators=(",", ":"))
        with self._writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO runs (id, night, now, started_at, ended_at, status,"
                " counts, plan_digest, base) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    run.run_id,
                    run.night,
                    run.now,
                    run.started_at,
                    run.ended_at,
                    run.status,
                    counts,
                    run.plan_digest,
                    run.base,
                ),
            )

    def seed(
        self, standings: Mapping[str, Standing], usage: Mapping[str, Usage], landed_at: str | None
    ) -> None:
        """Take over what another machine, or a fixture, knows: path -> standing and usage."""
        with self._writing():
            for path, standing in sorted(standings.items()):
                landing.write_standing(self._connection, path, standing)
                if path in usage:
                    rows.write_usage(self._connection, standing.memory_id, usage[path])
            if landed_at is not None:
                landing.write_landed(self._connection, landed_at)

    # Landing --------------------------------------------------------------------------------

    def apply_effects(
        self, run_id: str, effects: Iterable[Effect], now: str, *, night: bool = True
    ) -> tuple[Effect, ...]:
        """Write the effects of a run that landed, all or none, each once per run.

        Returns the effects whose memory the state does not know; they change nothing. What is no
        night leaves the instant of the last night as it was.
        """
        with self._writing():
            unknown = landing.apply_all(self._connection, run_id, effects, now)
            if night:
                landing.write_landed(self._connection, now)
        return unknown

    def revert_effects(self, run_id: str, effects: Iterable[Effect], now: str) -> tuple[str, ...]:
        """Take back effects of a run, all or none; return the paths that later nights changed.

        What a later night or use has added since stays.
        """
        with self._writing():
            return reverting.revert_all(self._connection, run_id, effects, now)

    def reject(self, rejections: Iterable[Rejected]) -> None:
        """Remember questions that a person answered with no; a permanent answer stands."""
        with self._writing():
            rejecting.write(self._connection, rejections)

    def withdraw(self, questions: Iterable[tuple[str, ...]]) -> None:
        """Forget answers, so that the questions may come again."""
        with self._writing():
            rejecting.forget(self._connection, questions)

    def rejected(self) -> tuple[Rejected, ...]:
        """Return the remembered answers, in the order of their questions."""
        with foreseen(self._path):
            return rejecting.read(self._connection)

    def answers(self) -> tuple[Rejected, ...]:
        """Return the remembered answers, about the paths where their memories lie now."""
        with foreseen(self._path):
            found = rejecting.read(self._connection)
            return tuple(rejecting.followed(self._connection, answer) for answer in found)

    def _ids_by_path(self, wanted: Collection[str]) -> dict[str, str]:
        """Return path -> id of the memories that are at a path, nothing where few are wanted."""
        if len(wanted) <= MANY:
            return {}
        query = "SELECT path, id FROM memories WHERE path IS NOT NULL"
        return dict(self._connection.execute(query).fetchall())

    def _known(self) -> list[Known]:
        found = self._connection.execute("SELECT id, path, digest FROM memories ORDER BY id")
        return [Known(*row) for row in found]


def open_state(path: Path) -> State:
    """Open or create the state of a corpus, and bring it to the newest version.

    Raises
    ------
    StateError
        `state-newer`, `state-foreign`, `state-damaged`, `state-busy` or `state-unusable`; the
        file is left as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return State(path, open_database(path, STATE))


def open_scratch() -> State:
    """Open an empty state in memory, for a corpus beside which nothing may be written."""
    path = Path(":memory:")
    return State(path, open_database(path, STATE))


def open_copy(path: Path, into: Path) -> State:
    """Open a copy of a state below `into`, an empty one where there is none.

    The original is read as bytes and never opened as a database: even a reader would write beside
    it. What is written to the copy is thrown away with it.
    """
    copy = copy_database(path, into) or into / path.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    return State(path, open_database(copy, STATE, shown=path))
