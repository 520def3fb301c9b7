"""Results of phases that are kept by what they depend on: a text, a memory, a pair of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Final, NamedTuple

from memsleep.guards import fired
from memsleep.guards.clauses import heads
from memsleep.guards.wording import slot
from memsleep.known import Known, Row, digest_of, strings
from memsleep.model import Memory
from memsleep.phases.carry import Details, missing_details
from memsleep.safety.exits import clearance
from memsleep.text import gist_words, normal_form

_FIELDS: Final = tuple(field.name for field in fields(Memory) if field.name != "from_history")


class Facts(NamedTuple):
    """What pairing asks of a memory; an empty string where it has no such thing."""

    content: str
    """Digest of what equal contents share."""
    words: str
    """`gist_words`, in order, a blank between them."""
    frame: str
    """Digest of the slot's frame."""
    heads: list[str]
    """Digests of what the claim says without its later clauses, the shortest first."""


def facts_of(memories: Iterable[Memory], known: Known) -> list[tuple[str, Facts]]:
    """Return (path, facts) of memories, in their order."""
    table = known.table("facts", _are_facts)
    return [
        (memory.path, Facts(*table.of(_words_key(memory, known), partial(_facts, memory))))
        for memory in memories
    ]


def kept_facts(known: Known) -> int:
    """Return of how many texts earlier nights knew the facts."""
    return len(known.table("facts", _are_facts).kept)


def lacking(memories: Iterable[Memory], known: Known) -> dict[str, Memory]:
    """Return key -> memory of facts that nobody knows yet, one memory a key."""
    table = known.table("facts", _are_facts)
    keys = ((_words_key(memory, known), memory) for memory in memories)
    return {key: m for key, m in keys if key not in table.kept and key not in table.used}


def learn(known: Known, key: str, row: Row) -> None:
    """Take facts of a memory that were made elsewhere; those that are none are made anew."""
    if _are_facts(row):
        known.table("facts", _are_facts).add(key, row)


def facts_in(gist: str, body: str) -> Row:
    """Return what pairing asks of a memory, as it is kept."""
    frame = slot(gist)
    return [
        content_in(gist, body),
        " ".join(sorted(gist_words(gist))),
        digest_of(frame[0]) if frame is not None else "",
        [digest_of(*head) for head in heads(gist)],
    ]


def content_in(gist: str, body: str) -> str:
    """Return a digest of what equal contents share, empty where it says nothing."""
    content = normal_form(body or gist)
    return digest_of(content) if content else ""


def content_of(memory: Memory, known: Known) -> str:
    """Return the same of a memory whose facts are kept, or made and kept."""
    row = known.table("facts", _are_facts).of(_words_key(memory, known), partial(_facts, memory))
    content: str = row[0]
    return content


class Pairs:
    """What is found out about a keeper and a memory that might be dropped for it."""

    def __init__(self, known: Known, files: Mapping[str, bytes], guards: Sequence[str]) -> None:
        self._vetoes = known.table("vetoes", _are_vetoes)
        self._secrets = known.table("secrets", _is_secret)
        self._details = known.table("details", _are_details)
        self._files = files
        self._guards = guards
        self._named = "\0".join(guards)
        self._prints: dict[str, tuple[Memory, str]] = {}

    def vetoes(self, keeper: Memory, dropped: Memory) -> list[tuple[str, str]]:
        """Return (guard, reason) for every guard that speaks against merging them."""
        key = digest_of(self._named, self._print(keeper), self._print(dropped))
        row = self._vetoes.of(
            key, lambda: [list(veto) for veto in fired(self._guards, keeper, dropped)]
        )
        return [(name, reason) for name, reason in row]

    def secret(self, memory: Memory) -> str:
        """Return which kind of secret a memory holds, or nothing."""
        row = self._secrets.of(self._print(memory), lambda: [clearance(memory).secret])
        secret: str = row[0]
        return secret

    def details(self, keeper: Memory, dropped: Memory) -> Details:
        """Return what the keeper lacks of what the other says, or a doubt."""

        def made() -> Row:
            sources = (self._files.get(memory.path, b"") for memory in (keeper, dropped))
            found = missing_details(keeper, dropped, *sources)
            return [found.doubt, list(found.sentences)]

        key = digest_of(self._print(keeper), self._print(dropped))
        doubt, sentences = self._details.of(key, made)
        return Details(tuple(sentences), doubt)

    def _print(self, memory: Memory) -> str:
        """Return a digest of all that is known of a memory, its file included."""
        held = self._prints.get(memory.path)
        if held is None or held[0] is not memory:
            values = (repr(getattr(memory, name)) for name in _FIELDS)
            history = repr(sorted(memory.from_history))
            source = self._files.get(memory.path, b"")
            held = self._prints[memory.path] = memory, digest_of(*values, history, source)
        return held[1]


def _words_key(memory: Memory, known: Known) -> str:
    """Return the key of a memory's facts; several phases ask for it."""
    held = known.keys.get(memory.path)
    if held is None or held[0] is not memory:
        held = known.keys[memory.path] = memory, digest_of(memory.gist, memory.body)
    return held[1]


def _facts(memory: Memory) -> Row:
    return facts_in(memory.gist, memory.body)


def _are_facts(row: Row) -> bool:
    return len(row) == 4 and strings(row[:3]) and strings(row[3])


def _is_secret(row: Row) -> bool:
    return len(row) == 1 and isinstance(row[0], str)


def _are_vetoes(row: Row) -> bool:
    return all(strings(veto) and len(veto) == 2 for veto in row)


def _are_details(row: Row) -> bool:
    return len(row) == 2 and isinstance(row[0], str) and strings(row[1])
