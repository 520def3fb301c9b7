"""Sides for tests of the gate, and nights over the fixtures, each run once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from memsleep.embedders.hashgram import Hashgram
from memsleep.gate import GateResult, Gauge, Side, measure, side_of
from memsleep.ledger import LedgerEntry
from memsleep.model import Memory, digest_bytes
from memsleep.night.pipeline import NightResult
from memsleep.settings import Settings
from night_kit import copy_corpus, request_for, run_night, seeded_state
from phases_kit import memory

WHEN = "2026-11-30T03:00:00Z"
GUARDS = tuple(Settings().dedup.guards)
GAUGE = Gauge(Hashgram().embed, GUARDS, 0.75)
WORDS_ONLY = Gauge(None, GUARDS, 0.92, "no embedder")
TOPICS = (
    "The boiler in the north cellar is serviced by Amara every spring",
    "Invoices from the paper mill arrive in a blue envelope on Mondays",
    "The rooftop antenna was painted green after the storm of last winter",
    "Lunch for the choir is cooked by volunteers from the harbour school",
    "The old tractor needs a new fuel filter before the harvest begins",
    "Beehives behind the greenhouse belong to the neighbours across the river",
    "Meeting minutes are typed by Oskar and kept in the tall cupboard",
    "The ferry to the island leaves from the eastern pier at dawn",
    "Paint for the fence is mixed with linseed oil and a little ochre",
    "The library card of the workshop expires together with the lease",
    "Spare keys hang in the pantry beside the fuse box of the annex",
    "The night nurse writes her report on yellow paper for the archive",
)


def say(path: str, claim: str, more: str = "", **fields: object) -> Memory:
    body = f"{claim}. {more}".strip() if more else f"{claim}."
    return memory(path, claim, body=body, **fields)


def crowd() -> list[Memory]:
    """Return memories about different things."""
    return [say(f"c{number:02}.md", text) for number, text in enumerate(TOPICS)]


def changed(one: Memory, **fields: object) -> Memory:
    """Return a memory as another file states it."""
    other = replace(one, **fields)  # type: ignore[arg-type]
    return replace(other, digest=digest_bytes(f"{other.path}{other.gist}{other.body}".encode()))


def shelved(one: Memory) -> Memory:
    """Return a memory where the archive keeps it."""
    return changed(one, path=f"archive/2026/{one.path}", status="archived")


def line(path: str, cause: str, replaced_by: str | None = None) -> LedgerEntry:
    return LedgerEntry(path, f"archive/2026/{path}", WHEN, cause, replaced_by)


def side(memories: Iterable[Memory], *lines: LedgerEntry) -> Side:
    return Side({m.path: m for m in sorted(memories, key=lambda m: m.path)}, lines)


def gate(before: Side, after: Side, gauge: Gauge = GAUGE) -> GateResult:
    return measure(before, after, gauge)


@cache
def night(corpus: str, profile: str = "careful") -> NightResult:
    """Return a night over a fixture that knows an earlier one."""
    with tempfile.TemporaryDirectory() as folder:
        root, state = copy_corpus(corpus, Path(folder)), seeded_state(corpus, Path(folder))
        options = {"run.profile": profile}
        return run_night(request_for(root, state_dir=state, options=options))[0]


def sides(corpus: str, profile: str = "careful") -> tuple[Side, Side]:
    found = night(corpus, profile)
    return side_of(found.start), side_of(found.end)
