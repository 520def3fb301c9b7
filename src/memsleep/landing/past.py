"""What happened to one memory: commits, decisions of runs, and the ledger, under all its paths."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from memsleep.corpus.choose import choose_source
from memsleep.corpus.flags import ledger_paths
from memsleep.errors import MemsleepError, UsageError
from memsleep.gitrepo import Repository, history
from memsleep.instants import from_epoch
from memsleep.landing.place import Place
from memsleep.landing.runs import RunStore, Status
from memsleep.plan import PlannedDecision
from memsleep.scratch import scratch_folder
from memsleep.state.identity import short_id
from memsleep.state.store import open_copy
from memsleep.state.versions import Version

MAX_COMMITS = 200


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """One thing that happened."""

    when: str
    what: str
    """`committed`, `archived`, or what became of a decision: `landed`, `rejected` ..."""
    path: str
    """Where the memory lay."""
    detail: str
    run: str = ""
    id: str = ""
    """Commit or decision."""


@dataclass(frozen=True, slots=True)
class Past:
    """All that is known of one memory."""

    paths: tuple[str, ...]
    """Every path it had, in order of name."""
    events: tuple[Event, ...]
    versions: tuple[Version, ...] = ()
    """The chain that the state keeps: what it was, and why it became so."""
    remarks: tuple[str, ...] = ()


def past_of(place: Place, repository: Repository | None, path: str) -> Past:
    """Return what happened to the memory that lies, or lay, at a path.

    Raises
    ------
    UsageError
        `memory-unknown`, when nothing is known of the path.
    """
    ledger = list(_ledger(place.corpus))
    runs = list(_runs(place))
    path, known, versions = _known_to_state(place, path.removeprefix("./"))
    paths = _paths({path, *known}, ledger, runs)
    if not versions:  # it may be known by the path that it has now
        versions = next((v for p in sorted(paths) if (v := _known_to_state(place, p)[2])), ())
    events = set(_archivings(ledger, paths)) | set(_decisions(runs, paths))
    remarks = []
    if repository is not None and repository.head_commit() is not None:
        kept = {status.run for status, _ in runs}
        events |= set(_commits(repository, paths, kept))
        if history.is_shallow(repository):
            remarks.append("a shallow clone: older commits are not known here")
    if not events and not versions and not (place.corpus / path).is_file():
        raise UsageError(
            "memory-unknown",
            f"nothing is known of {path!r}",
            hint="give its path in the corpus, now or earlier, or its short id",
        )
    return Past(tuple(sorted(paths)), tuple(sorted(events)), versions, tuple(remarks))


def _ledger(corpus: Path) -> Iterator[dict[str, str]]:
    """Give the lines of all ledgers, as the corpus is read."""
    source = choose_source(corpus)
    for _, content in source.read_many(sorted(ledger_paths(source.listing().taken))):
        for line in content.split(b"\n") if isinstance(content, bytes) else ():
            with suppress(ValueError, RecursionError):
                value = json.loads(line)
                if isinstance(value, dict) and {"path", "to", "when"} <= value.keys():
                    yield {key: text for key, text in value.items() if isinstance(text, str)}


def _runs(place: Place) -> Iterator[tuple[Status, tuple[PlannedDecision, ...]]]:
    for record in RunStore(place).records():
        with suppress(MemsleepError):
            yield record.status(), record.plan().decisions


def _paths(
    found: set[str],
    ledger: list[dict[str, str]],
    runs: list[tuple[Status, tuple[PlannedDecision, ...]]],
) -> frozenset[str]:
    """Return every path the memory had, as far as ledger and runs lead on from those known."""
    steps = [(line["path"], line["to"]) for line in ledger]
    for status, decisions in runs:
        landed = frozenset(status.landed)
        moving = (d for d in decisions if d.id in landed)
        steps += [(c.path, c.to) for d in moving for c in d.changes if c.to is not None]
    while True:
        more = {b for a, b in steps if a in found} | {a for a, b in steps if b in found}
        if more <= found:
            return frozenset(found)
        found |= more


def _known_to_state(place: Place, path: str) -> tuple[str, tuple[str, ...], tuple[Version, ...]]:
    """Return the path that a path or short id means, every path it had, and its versions."""
    if not place.database.exists():
        return path, (), ()
    with (
        suppress(MemsleepError),
        scratch_folder(place.corpus) as scratch,
        open_copy(place.database, scratch) as state,
    ):
        standing = state.standing()
        short = path.strip("[]").removeprefix("m:")
        named = [p for p, row in standing.items() if short_id(row.memory_id) == short]
        here = named[0] if len(named) == 1 and path not in standing else path
        memory_id = standing[here].memory_id if here in standing else here
        return here, state.paths_of(memory_id), state.versions(memory_id)
    return path, (), ()


def _archivings(ledger: list[dict[str, str]], paths: frozenset[str]) -> Iterator[Event]:
    for line in ledger:
        if line["path"] in paths:
            by = f"; replaced by {line['replaced_by']}" if line.get("replaced_by") else ""
            yield Event(
                when=line["when"],
                what="archived",
                path=line["path"],
                detail=f"{line.get('cause', '?')}, now {line['to']}{by}: {line.get('reason', '')}",
                run=line.get("run", ""),
                id=line.get("decision", ""),
            )


def _decisions(
    runs: list[tuple[Status, tuple[PlannedDecision, ...]]], paths: frozenset[str]
) -> Iterator[Event]:
    for status, decisions in runs:
        for decision in decisions:
            touched = [c.path for c in decision.changes if c.path in paths or c.to in paths]
            about = [path for path in decision.paths if path in paths]
            if touched or about:
                yield Event(
                    when=status.now,
                    what=_became(status, decision.id),
                    path=(touched or about)[0],
                    detail=f"{decision.kind}: {decision.reason}",
                    run=status.run,
                    id=decision.id,
                )


def _became(status: Status, name: str) -> str:
    if name in status.undone:
        return "undone"
    if name in status.rejected:
        return "rejected"
    if name not in status.landed:
        return "discarded" if status.state == "discarded" else "not landed"
    return "on a branch" if status.state == "branch" else "landed"


def _commits(repository: Repository, paths: frozenset[str], kept: set[str]) -> Iterator[Event]:
    """Give the commits that touch the memory; those of kept runs are told by their decisions."""
    names = {repository.prefix + path.encode("utf-8"): path for path in paths}
    for commit in history.commits(repository, "HEAD", paths=sorted(names), limit=MAX_COMMITS):
        run = commit.trailers.get("Memsleep-Run", "")
        if run in kept:
            continue
        touched = history.touched(repository, commit.id, sorted(names))
        path = names.get(touched[0], "") if touched else ""
        yield Event(
            when=from_epoch(commit.seconds),
            what="committed",
            path=path,
            detail=commit.subject,
            run=run,
            id=commit.id[:12],
        )


def as_document(past: Past) -> dict[str, object]:
    """Return the past of a memory as the JSON document of `memsleep history --json`."""
    return {
        "schema_version": 1,
        "paths": list(past.paths),
        "events": [
            {
                "when": event.when,
                "what": event.what,
                "path": event.path,
                "detail": event.detail,
                "run": event.run,
                "id": event.id,
            }
            for event in past.events
        ],
        "versions": [_version(version) for version in past.versions],
        "remarks": list(past.remarks),
    }


def _version(version: Version) -> dict[str, object]:
    """Return one version without its text: that may hold what must not be told."""
    content = asdict(version.content)
    del content["gist"]
    return {
        "revision": version.revision,
        "when": version.created_at,
        "cause": version.cause,
        "reason": version.reason,
        "run": version.run_id,
        **content,
    }


def as_lines(past: Past) -> list[str]:
    """Return the past of a memory for a person, the oldest first."""
    lines = []
    for event in past.events:
        run = f"  ({event.run})" if event.run else ""
        name = f"  {event.id}" if event.id else ""
        told = f"{event.when}  {event.what}{name}  {event.path}  {event.detail}{run}"
        lines.append((event.when, told))
    for version in past.versions:
        run = f"  ({version.run_id})" if version.run_id else ""
        told = f"{version.created_at}  version {version.revision}  {version.content.path}"
        lines.append((version.created_at, f"{told}  {version.cause}{run}"))
    return [*(told for _, told in sorted(lines, key=lambda line: line[0])), *past.remarks]
