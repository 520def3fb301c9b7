"""Fixtures ashore: a corpus with its state and a planned night, to be landed and taken back."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memsleep.corpus.source import is_text_name
from memsleep.landing.base import Overlay, folder_source, load_base
from memsleep.landing.land import Landed, Landfall
from memsleep.landing.place import Place, place_of
from memsleep.landing.refold import refold
from memsleep.landing.runs import PLAN, RunRecord, RunStore, Status
from memsleep.landing.selection import select
from memsleep.landing.settle import settler
from memsleep.landing.sink import RunMeta
from memsleep.landing.undo import Undone, undo
from memsleep.plan import Plan
from memsleep.state.store import open_state
from night_kit import NOW, copy_corpus, seeded_state
from refold_kit import files_of, planned


@dataclass(frozen=True)
class Ashore:
    """One corpus on disk, with the record of a run that has not landed yet."""

    root: Path
    place: Place
    record: RunRecord
    plan: Plan

    def land(self, only: Sequence[str] = (), reject: Sequence[str] = ()) -> Landed:
        """Land decisions in place."""
        meta = RunMeta(run_id=self.record.run_id, now=self.plan.instant)
        chosen = select(self.plan, only, reject)
        settle = settler(self.place, ended_at=NOW)
        return Landfall(self.place, self.record, self.plan, chosen, meta, settle).in_place()

    def undo(self, *names: str, with_them: bool = False) -> Undone:
        """Take decisions back."""
        settle = settler(self.place, ended_at=NOW)
        return undo(self.place, self.record, names, with_them=with_them, now=NOW, settle=settle)

    def expected(self, before: Mapping[str, bytes], landed: frozenset[str]) -> dict[str, bytes]:
        """Return the files that a re-fold from the start would make."""
        made: dict[str, bytes | None] = dict.fromkeys(set(files_of(self.root)) - before.keys())
        source = Overlay(folder_source(self.root), {**made, **_read(before)})
        base = load_base(self.root, self.plan, source)
        folded = refold(base, self.plan, landed)
        assert folded.rejected == ()
        left = {path: data for path, data in before.items() if path not in base.files}
        return {**left, **folded.end.files}

    def state(self) -> dict[str, list[Any]]:
        """Return what the state knows of memories, without the order of events."""
        tables = {
            "memories": "SELECT id, path, missing_since FROM memories ORDER BY id",
            "usage": "SELECT * FROM usage ORDER BY memory_id",
            "decay": "SELECT * FROM decay ORDER BY memory_id",
            "spared": "SELECT * FROM spared ORDER BY memory_id",
        }
        connection = sqlite3.connect(self.place.database)
        try:
            return {name: connection.execute(query).fetchall() for name, query in tables.items()}
        finally:
            connection.close()


def _read(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return those of the files that a corpus is read from."""
    return {
        path: data
        for path, data in files.items()
        if is_text_name(path) and not path.startswith(("node_modules/", "."))
    }


def ashore(corpus: str, folder: Path, profile: str = "careful") -> Ashore:
    """Copy a fixture with its state, observed, and begin a run of its planned night."""
    folder.mkdir(parents=True, exist_ok=True)
    root = copy_corpus(corpus, folder)
    place = place_of(root, seeded_state(corpus, folder))
    night = planned(corpus, profile)
    with open_state(place.database) as state:
        digests = {path: m.content_hash for path, m in night.base.memories.items()}
        state.observe(digests, NOW, unreadable={u.path for u in night.base.unreadable})
    record = RunStore(place).begin(
        Status(run=night.plan.run, state="running", now=NOW, started_at=NOW)
    )
    record.write(PLAN, night.source)
    return Ashore(root, place, record, night.plan)
