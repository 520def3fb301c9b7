"""What pairing asks of each memory, made on all cores where many are not known yet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from memsleep.interpreter import Interpreter, Requests, can_be_started, shared_answers
from memsleep.known import Row
from memsleep.machine import cores
from memsleep.model import Memory, Snapshot
from memsleep.phases.pairing import asks_words, duplicable
from memsleep.phases.recall import facts_in, kept_facts, lacking, learn
from memsleep.settings import Settings

ENOUGH: Final = 10_000
"""Memories without facts from which on other interpreters cost less than they save."""
BATCH: Final = 500


def make_facts(snapshot: Snapshot, settings: Settings) -> None:
    """Let other processes make the facts that pairing lacks, where that pays.

    What they do not give the phase makes by itself, with the same result.
    """
    if "pairing" not in settings.run.phases or not asks_words(settings) or cores() < 2:
        return
    memories = duplicable(snapshot, settings)
    if len(memories) - kept_facts(snapshot.known) < ENOUGH or not can_be_started():
        return  # at once: to look for each of them takes half as long as pairing does
    missing = list(lacking(memories, snapshot.known).items())
    if len(missing) < ENOUGH:
        return
    batches = [missing[at : at + BATCH] for at in range(0, len(missing), BATCH)]
    answers = shared_answers(__name__, [[m for _, m in batch] for batch in batches], _ask, cores())
    for batch, rows in zip(batches, answers, strict=True):
        for (key, _), row in zip(batch, rows or (), strict=False):
            learn(snapshot.known, key, row)


def _ask(interpreter: Interpreter, memories: Sequence[Memory]) -> list[Row]:
    texts = [text for memory in memories for text in (memory.gist, memory.body)]
    sources = [text.encode("utf-8", "surrogatepass") for text in texts]
    interpreter.send([len(source) for source in sources], sources)
    rows: Any = json.loads(interpreter.exactly(interpreter.receive()))
    if not isinstance(rows, list) or len(rows) != len(memories):
        raise ValueError("expected facts of each memory")
    return rows


def answer(requests: Requests) -> None:
    """Make the facts of one request."""
    sizes: list[int] = requests.head()
    texts = [requests.exactly(size).decode("utf-8", "surrogatepass") for size in sizes]
    pairs = zip(texts[::2], texts[1::2], strict=True)
    rows = json.dumps([facts_in(gist, body) for gist, body in pairs]).encode("ascii")
    requests.answer(len(rows), [rows])
