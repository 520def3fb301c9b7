"""Compose a brief from what was chosen; its text, its figures, its fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memsleep.brief.choose import (
    PROMOTED,
    Known,
    competing,
    known_memories,
    pinned,
    promotable,
)
from memsleep.brief.lines import CITATION, FRAME, citation_mark, claim_of, line_of
from memsleep.brief.tokens import token_count
from memsleep.model import Memory, Problem, Standing, Usage
from memsleep.safety.exits import Clearance, clearance, problems
from memsleep.settings import BriefSettings
from memsleep.state.identity import short_id

MARKER: Final = "<!-- memory:core -->"
FINGERPRINT_DIGITS: Final = 16
NO_CANDIDATE = "When a memory has helped in several sessions, turn it into a skill."
ADVICE = "For each write down what to do, why, and a check that a machine can run."


@dataclass(frozen=True, slots=True)
class BriefLine:
    """One memory in a brief."""

    memory_id: str
    short_id: str
    path: str
    type: str
    gist: str
    pinned: bool
    text: str
    """The line as it stands in the brief."""


@dataclass(frozen=True, slots=True)
class Brief:
    """The block, and what it is made of."""

    text: str
    """Empty when there is nothing to say; ends with a line end otherwise."""
    lines: tuple[BriefLine, ...]
    candidates: tuple[str, ...]
    """Short ids of what could become a skill."""
    cut: int
    """Competing memories for which there was no room."""
    pinned_withheld: int
    """Pinned memories left out because they hold a secret."""
    fingerprint: str
    problems: tuple[Problem, ...]
    """Where a secret was found: kind and path, never the secret."""

    @property
    def characters(self) -> int:
        """Length of the text."""
        return len(self.text)

    @property
    def tokens(self) -> int:
        """About how many tokens of a language model the text costs."""
        return token_count(self.text)


def brief_of(
    memories: Mapping[str, Memory],
    usage: Mapping[str, Usage],
    standing: Mapping[str, Standing],
    now: str,
    settings: BriefSettings,
) -> Brief:
    """Return the brief of a corpus at an instant; no clock is read."""
    known = known_memories(memories, usage, standing)
    scanned = _Scanned()
    always = [each for each in pinned(known) if scanned.clean(each)]
    pinned_withheld = len(scanned.withheld())
    able = competing(known, now, settings)
    shown, cut = _within(able, scanned, now, settings)
    listed = {each.memory_id for each in (*always, *shown)}
    candidates: list[Known] = []
    for each in promotable(able, listed, settings):
        if len(candidates) < PROMOTED and scanned.clean(each):
            candidates.append(each)
    lines = tuple(_line(each, now) for each in (*always, *shown))
    return Brief(
        text=_text(lines, candidates, cut, pinned_withheld),
        lines=lines,
        candidates=tuple(short_id(each.memory_id) for each in candidates),
        cut=cut,
        pinned_withheld=pinned_withheld,
        fingerprint=fingerprint_of(lines),
        problems=problems(scanned.found.values()),
    )


def fingerprint_of(lines: tuple[BriefLine, ...]) -> str:
    """Return what equal contents share, however fresh they are: 16 hex digits."""
    whole = hashlib.sha256()
    for line in sorted(lines, key=lambda line: line.memory_id):
        entry = f"{line.memory_id}\0{line.type}\0{line.gist}\n"
        whole.update(entry.encode("utf-8", "surrogatepass"))
    return whole.hexdigest()[:FINGERPRINT_DIGITS]


class _Scanned:
    """What the scanner said of the memories that were about to be shown."""

    def __init__(self) -> None:
        self.found: dict[str, Clearance] = {}

    def clean(self, known: Known) -> bool:
        path = known.memory.path
        if path not in self.found:
            self.found[path] = clearance(known.memory)
        return not self.found[path].withheld

    def withheld(self) -> list[str]:
        return [path for path, found in self.found.items() if found.withheld]


def _within(
    able: list[Known], scanned: _Scanned, now: str, settings: BriefSettings
) -> tuple[list[Known], int]:
    """Return what fits the limits, and for how many there was no room; the first always fits."""
    shown: list[Known] = []
    size = 0
    for place, each in enumerate(able):
        if len(shown) == settings.lines:
            return shown, len(able) - place
        if not scanned.clean(each):
            continue
        length = len(_line(each, now).text) + 1
        if shown and size + length > settings.characters:
            return shown, len(able) - place
        shown.append(each)
        size += length
    return shown, 0


def _line(known: Known, now: str) -> BriefLine:
    short = short_id(known.memory_id)
    return BriefLine(
        memory_id=known.memory_id,
        short_id=short,
        path=known.memory.path,
        type=known.memory.type,
        gist=claim_of(known.memory),
        pinned=known.memory.pinned,
        text=line_of(known.memory, short, now),
    )


def _text(
    lines: tuple[BriefLine, ...], candidates: list[Known], cut: int, pinned_withheld: int
) -> str:
    if not lines and not pinned_withheld:
        return ""
    told = [MARKER, FRAME, CITATION, *(line.text for line in lines)]
    if cut:
        told.append(f"({cut} more {_memories(cut)} left out for room; search finds them.)")
    if pinned_withheld:
        count = f"{pinned_withheld} pinned {_memories(pinned_withheld)}"
        told.append(f"({count} left out because of secrets in the text.)")
    told.extend(_tail(candidates))
    return "".join(f"{line}\n" for line in told)


def _tail(candidates: list[Known]) -> list[str]:
    if not candidates:
        return [NO_CANDIDATE]
    lines = [
        f"- {citation_mark(short_id(each.memory_id))} {claim_of(each.memory)}"
        for each in candidates
    ]
    return ["Candidates to turn into a skill:", *lines, ADVICE]


def _memories(count: int) -> str:
    return "memory" if count == 1 else "memories"
