"""Reading and judging memories of an open corpus: what happens is counted and logged at once."""

from __future__ import annotations

from dataclasses import dataclass

from memsleep.access.opened import OpenCorpus
from memsleep.access.rules import Reinforced, reinforced
from memsleep.core import ReinforceSignal
from memsleep.model import Usage
from memsleep.safety.exits import clearance
from memsleep.state.accesses import Access
from memsleep.state.identity import short_id


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """What a signal changed."""

    path: str
    memory_id: str
    signal: ReinforceSignal
    counted: bool
    """False when the access fell within 900 s of the last counted one."""
    usage: Usage
    """What is known of its use now."""


@dataclass(frozen=True, slots=True)
class ReadMemory:
    """One memory as a reader gets it. Its texts are empty when they are withheld."""

    path: str
    memory_id: str
    short_id: str
    type: str
    title: str
    gist: str
    body: str
    archived: bool
    withheld: str = ""
    """Kind of the secret for which nothing of it is shown; empty when all is."""
    quotation: bool = False
    """True when what it says reads like an instruction to a model."""


def reinforce(
    corpus: OpenCorpus,
    path: str,
    signal: ReinforceSignal,
    now: str,
    *,
    session: str | None = None,
    read: bool = False,
) -> Reinforcement:
    """Count an access with its verdict; `read` also logs that the memory was read."""
    memory_id = corpus.state.ids()[path]
    outcomes: list[Reinforced] = []

    def change(_memory_id: str, usage: Usage) -> Usage:
        outcomes.append(reinforced(usage, signal, now))
        return outcomes[-1].usage

    events = [Access(memory_id, "read", now, session)] if read else []
    corpus.state.change_usage(change, [memory_id], events, now)
    return Reinforcement(path, memory_id, signal, outcomes[0].counted, outcomes[0].usage)


def read_memory(
    corpus: OpenCorpus, path: str, now: str, *, session: str | None = None
) -> ReadMemory:
    """Return what a memory says and count the access; one with a secret says nothing."""
    memory = corpus.memories[path]
    found = clearance(memory)
    reinforce(corpus, path, "neutral", now, session=session, read=True)
    memory_id = corpus.ids()[path]
    return ReadMemory(
        path=path,
        memory_id=memory_id,
        short_id=short_id(memory_id),
        type=memory.type,
        title="" if found.withheld else memory.title,
        gist="" if found.withheld else memory.gist,
        body="" if found.withheld else memory.body,
        archived=memory.archived,
        withheld=found.secret,
        quotation=found.quotation,
    )
