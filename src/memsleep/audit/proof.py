"""Live before is live after and archived: checked file by file, against the recorded decisions."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from memsleep.audit.content import MANAGED, holds, holds_texts, pieces, texts
from memsleep.audit.losses import Loss, losses_between
from memsleep.audit.trail import Trail
from memsleep.fold import Applied
from memsleep.fold.archive import LEDGER_NAME
from memsleep.model import Link, Memory, Snapshot
from memsleep.proposals import Merge, RemoveLink, RetargetLink, SetField

__all__ = ["Loss", "Proof", "Recorded", "prove", "recorded_by"]

_ARCHIVED = frozenset({"status", "updated", "archived_at", "superseded_by"})
_KEEPER = frozenset({"created", "updated", "confidence", "content_hash", "event_time"})
_TARGET = re.compile(rb"\]\([^()\n]*")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the decisions of a run say that they changed: nothing else may have changed."""

    moves: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Old path -> new path."""
    replaced: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Path of a merged memory -> its keeper."""
    fields: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    """Path before the run -> managed fields that a decision set there."""
    retargeted: frozenset[tuple[str, str]] = frozenset()
    """(path before the run, target as written) of links that were pointed elsewhere."""
    removed: frozenset[tuple[str, str]] = frozenset()
    """The same for links that were taken out."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was compared, and what is missing."""

    memories: int
    """Memories before."""
    compared: int
    """Files whose bytes are not the same at the same path, compared piece by piece."""
    pieces: int
    """Words, marks and lines of code looked for in them."""
    archived: int
    """Files that moved."""
    losses: tuple[Loss, ...]

    @property
    def holds(self) -> bool:
        """True when nothing was lost."""
        return not self.losses

    @property
    def told(self) -> str:
        """The proof in one line."""
        if self.holds:
            return (
                f"{self.memories} memories before, {self.compared} changed: each of their "
                f"{self.pieces} words, numbers, links and lines of code is there after"
            )
        places = ", ".join(f"{loss.place} ({loss.kind})" for loss in self.losses[:5])
        more = f" and {len(self.losses) - 5} more" if len(self.losses) > 5 else ""
        return f"lost: {places}{more}"


def recorded_by(applied: Iterable[Applied]) -> Recorded:
    """Return what the decisions of a night say of themselves."""
    trail = Trail()
    replaced: dict[str, str] = {}
    fields: dict[str, set[str]] = {}
    links: dict[type, set[tuple[str, str]]] = {RetargetLink: set(), RemoveLink: set()}
    for item in (item for item in applied if item.changes):
        proposal = item.proposal
        at = trail.first(proposal.paths[0])
        trail.go([(c.path, c.to) for c in item.changes if c.to is not None])
        if isinstance(proposal, SetField):
            fields.setdefault(at, set()).update(name for name, _ in proposal.values)
        elif isinstance(proposal, RetargetLink | RemoveLink):
            links[type(proposal)].add((at, proposal.target))
            fields.setdefault(at, set()).add("updated")
        elif isinstance(proposal, Merge):
            replaced[proposal.dropped] = proposal.keeper
            fields.setdefault(proposal.keeper, set()).update(_KEEPER)
            fields.setdefault(proposal.dropped, set()).update(_ARCHIVED)
        else:
            fields.setdefault(proposal.paths[0], set()).update(_ARCHIVED)
    return Recorded(
        trail.moves,
        replaced,
        {path: frozenset(names) for path, names in sorted(fields.items())},
        frozenset(links[RetargetLink]),
        frozenset(links[RemoveLink]),
    )


def prove(start: Snapshot, end: Snapshot, recorded: Recorded) -> Proof:
    """Look for everything that the start says in the end.

    Each file goes on at its path, or where a recorded decision moved it. There every word,
    number, link and line of code must follow in its order; a managed field may differ where a
    decision set it, a link's target where a decision moved what it led to.
    """
    losses: list[Loss] = []
    compared = looked_for = 0
    shared = {memory.container for memory in start.memories.values()}
    removed: dict[str, set[str]] = {}
    for path, target in recorded.removed:
        removed.setdefault(path, set()).add(target)
    for path, source in start.files.items():
        if path in shared:
            continue  # its entries are compared one by one
        to = recorded.moves.get(path, path)
        after = end.files.get(to)
        if after is None:
            losses.append(Loss(path, 0, "file", "it is neither live nor in the archive"))
        elif path.endswith(f"/{LEDGER_NAME}"):
            if not after.startswith(source):
                losses.append(Loss(path, 0, "ledger", "its lines are no longer as they were"))
        elif after != source:
            compared += 1
            without = frozenset(removed.get(path, ()))
            count, lost = _compare((path, to), start, end, recorded, without)
            looked_for += count
            losses.extend(lost)
    losses.extend(_unreachable(end, recorded))
    losses.extend(_newly_dangling(start, end, recorded))
    missing = len(start.memories) - len(end.memories)
    if missing > 0 and not losses:
        losses.append(Loss("", 0, "count", f"{missing} memories fewer than before"))
    return Proof(
        memories=len(start.memories),
        compared=compared,
        pieces=looked_for,
        archived=len(recorded.moves),
        losses=tuple(sorted(losses)),
    )


def _compare(
    move: tuple[str, str],
    start: Snapshot,
    end: Snapshot,
    recorded: Recorded,
    removed: frozenset[str],
) -> tuple[int, list[Loss]]:
    """Compare one file with what became of it; return how many pieces were looked for.

    `move` is its path before and after, `removed` the targets of the links taken out of it.
    """
    path, to = move
    old, new = start.memories.get(path), end.memories.get(to)
    old, new = old or _page(path, start), new or _page(to, end)
    left = _left_lines(path, start, end)
    texts_before = texts(start.files[path], old, removed)
    losses: list[Loss] = []
    count = len(texts_before)
    if left or not holds_texts(texts(end.files[to], new), texts_before):
        said = pieces(start.files[path], old, removed)
        before = [piece for piece in said if piece.line not in left]
        after = pieces(end.files[to], new)
        losses = [] if holds(after, before) else list(losses_between(path, before, after))
        count = len(before)
    if old is not None and new is not None:
        losses.extend(_changed_fields(path, old, new, recorded.fields.get(path, frozenset())))
        losses.extend(_changed_links(path, old, new, recorded))
    return count, losses


def _left_lines(path: str, start: Snapshot, end: Snapshot) -> frozenset[int]:
    """Return the lines of an index page that the archive's index holds by now."""
    moved = end.files.get(f"{end.archive_folder}/{end.now[:4]}/{path}")
    if moved is None or path not in start.references:
        return frozenset()
    gone = {_hook(line) for line in moved.split(b"\n")}
    gone -= {_hook(line) for line in end.files[path].split(b"\n")}
    lines = start.files[path].split(b"\n")
    return frozenset(number for number, line in enumerate(lines, 1) if _hook(line) in gone)


def _hook(line: bytes) -> bytes:
    """Return a line without the targets of its links, which lead elsewhere by then."""
    return _TARGET.sub(b"](", line).strip()


def _page(path: str, snapshot: Snapshot) -> Memory | None:
    """Return an index page as far as its links go; None for a file whose links are not read."""
    links = snapshot.references.get(path)
    if links is None:
        return None
    dialect = "memhtml" if path.lower().endswith((".html", ".htm")) else "markdown"
    return Memory(path, dialect, "", "", "", "", 0, "", "", links=links)


def _changed_fields(path: str, old: Memory, new: Memory, allowed: frozenset[str]) -> Iterator[Loss]:
    for name in MANAGED:
        if not old.states(name) or name in allowed or old.raw.get(name) == new.raw.get(name):
            continue  # a value may follow from another one: an end from a beginning and a length
        if getattr(old, name) != getattr(new, name):
            yield Loss(path, 0, "field", f"{name} differs and no decision set it")


def _changed_links(path: str, old: Memory, new: Memory, recorded: Recorded) -> Iterator[Loss]:
    """Give the targets that are gone though no decision says that what they led to moved."""
    left = Counter(link.target for link in new.links)
    for link in old.links:
        if left[link.target]:
            left[link.target] -= 1
        elif not _may_change(path, link, recorded):
            yield Loss(path, link.line, "link", "its target is gone and no decision moved it")


def _may_change(path: str, link: Link, recorded: Recorded) -> bool:
    key = (path, link.target)
    return link.path in recorded.moves or key in recorded.retargeted or key in recorded.removed


def _unreachable(end: Snapshot, recorded: Recorded) -> Iterator[Loss]:
    """Give what moved without a ledger line, and merged memories whose keeper is not there."""
    told = {(entry["path"], entry["to"]): entry for entry in ledger_lines(end)}
    for old, new in recorded.moves.items():
        if (old, new) not in told:
            yield Loss(old, 0, "ledger", "it moved and no line of the ledger says so")
    for dropped, keeper in recorded.replaced.items():
        if recorded.moves.get(keeper, keeper) not in end.files:
            yield Loss(dropped, 0, "file", "what replaced it is not there")


def ledger_lines(end: Snapshot) -> Iterator[Mapping[str, str]]:
    """Give the lines of all ledgers that name an archiving; others are passed over."""
    for path, source in end.files.items():
        if not path.endswith(f"/{LEDGER_NAME}"):
            continue
        for line in source.split(b"\n"):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict) and {"path", "to"} <= value.keys():
                yield value


def _newly_dangling(start: Snapshot, end: Snapshot, recorded: Recorded) -> Iterator[Loss]:
    """Give the links that led somewhere before and lead nowhere after.

    What an earlier night archived keeps its links as they were: the ledger says where they led.
    """
    for path, links in _all_links(start):
        if path in start.memories and start.memories[path].archived:
            continue
        to = recorded.moves.get(path, path)
        after = end.memories[to].links if to in end.memories else end.references.get(to, ())
        broken = Counter(link.target for link in after if _dangles(link))
        for link in links:
            if _dangles(link) and broken[link.target]:
                broken[link.target] -= 1
        lines = {link.target: link.line for link in after}
        for target in sorted(broken):
            if broken[target] and path not in recorded.moves:
                detail = "a link here led somewhere before and leads nowhere now"
                yield Loss(path, lines[target], "link", detail)


def _all_links(snapshot: Snapshot) -> Iterator[tuple[str, Sequence[Link]]]:
    for path, memory in snapshot.memories.items():
        yield path, memory.links
    yield from snapshot.references.items()


def _dangles(link: Link) -> bool:
    return link.path is None and not link.external and not link.ambiguous
