"""Snapshots for tests of phases, guards and the fold: made of values, or of Markdown files."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from memsleep.dialects.registry import dialect_for
from memsleep.embedders.hashgram import Hashgram
from memsleep.model import (
    NO_FLOORS,
    Link,
    Memory,
    Snapshot,
    Unreadable,
    Vectors,
    digest_bytes,
)
from memsleep.night.pipeline import NightResult, run_phases
from memsleep.proposals import Proposal
from memsleep.resolve import resolve_all
from memsleep.settings import PROFILES, Settings
from memsleep.text import word_total

NOW = "2026-11-30T03:00:00Z"
NO_VECTORS = Vectors("none", (), np.zeros((0, 2), np.float32))


def settings(profile: str = "careful", **sections: Mapping[str, Any]) -> Settings:
    """Return a profile's settings with some values of some sections changed."""
    values = {name: dict(section) for name, section in PROFILES[profile].items()}
    for name, section in sections.items():
        values[name] = {**values.get(name, {}), **section}
    return Settings.model_validate(values)


CAREFUL = settings()
REFERENCE = settings("reference")


def memory(path: str, claim: str = "", **fields: Any) -> Memory:
    """Return a memory that says one thing; `fields` are those of `Memory`, and count as stated."""
    body = fields.pop("body", claim)
    stated = {name: name for name in fields if name not in {"stated", "links"}}
    values: dict[str, Any] = {
        "dialect": "markdown",
        "type": "semantic",
        "title": claim or path,
        "gist": claim,
        "body": body,
        "word_count": word_total(body),
        "digest": digest_bytes(body.encode()),
        "content_hash": f"sha256:{digest_bytes(body.encode())}",
        "stated": stated,
    }
    return Memory(path=path, **{**values, **fields})


def link(
    path: str | None, relation: str = "relates_to", *, target: str = "", form: Any = "front-matter"
) -> Link:
    """Return a resolved typed link."""
    return Link(relation, target or path or "nowhere", 1, form, path=path)


def vectors(rows: Mapping[str, Sequence[float]]) -> Vectors:
    """Return vectors by path; the rows need no unit length."""
    paths = tuple(sorted(rows))
    width = len(next(iter(rows.values()))) if rows else 2
    array = np.array([rows[path] for path in paths], np.float32).reshape(len(paths), width)
    array.setflags(write=False)
    return Vectors("test", paths, array, wanted=len(paths))


def snapshot(memories: Iterable[Memory], **fields: Any) -> Snapshot:
    """Return a snapshot of these memories on a later night at `NOW`."""
    found = {m.path: m for m in sorted(memories, key=lambda m: m.path)}
    values: dict[str, Any] = {
        "now": NOW,
        "memories": found,
        "files": {path: m.body.encode() for path, m in found.items()},
        "vectors": NO_VECTORS,
        "floors": NO_FLOORS,
        "first_night": False,
        "taken": frozenset(found),
    }
    return Snapshot(**{**values, **fields})


def read(path: str, source: bytes) -> Memory:
    """Read one file that must be a memory."""
    found = dialect_for(path).read(path, source)
    assert not isinstance(found, Unreadable), found
    return found


def corpus(
    files: Mapping[str, str | bytes],
    *,
    pages: Mapping[str, str | bytes] | None = None,
    **fields: Any,
) -> Snapshot:
    """Return a snapshot of files, their links resolved, embedded as by default.

    `pages` are files that are no memory themselves, whose links are read.
    """
    sources = {path: _bytes(text) for path, text in sorted(files.items())}
    others = {path: _bytes(text) for path, text in sorted((pages or {}).items())}
    memories = {path: read(path, source) for path, source in sources.items()}
    linked = {path: dialect_for(path).read_links(path, source) for path, source in others.items()}
    taken = frozenset(sources) | frozenset(others)
    memories, references = resolve_all(memories, linked, taken)
    values: dict[str, Any] = {
        "files": dict(sorted({**sources, **others}.items())),
        "references": references,
        "vectors": embedded(memories.values()),
        "floors": Hashgram.floors,
        "taken": taken,
    }
    return snapshot(memories.values(), **{**values, **fields})


def html(
    claim: str,
    *more: str,
    body: str = "",
    title: str = "T",
    kind: str = "semantic",
    created: str = "2026-01-01T00:00:00Z",
) -> str:
    """Return a memhtml file: a claim, more lines of its head, more markup of its article."""
    stamps = "".join(
        f'<meta name="memhtml-{name}" content="{value}">\n'
        for name, value in (
            ("type", kind),
            ("status", "active"),
            ("created", created),
            ("updated", created),
        )
    )
    head = "".join(f"{line}\n" for line in more)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n{stamps}{head}</head>\n<body>\n<article>\n"
        f"<p><mark>{claim}</mark>{body}</p>\n</article>\n</body>\n</html>\n"
    )


def head_link(relation: str, target: str) -> str:
    """Return a typed link of a memhtml head."""
    return f'<link rel="memhtml-{relation}" href="{target}">'


def markdown(text: str, **fields: str) -> str:
    """Return a Markdown file with front matter of these fields."""
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{lines}---\n{text}\n"


def embedded(memories: Iterable[Memory]) -> Vectors:
    """Return the default embedder's vectors of the active memories."""
    rows = {m.path: _vector(Hashgram().text_of(m)) for m in memories if not m.archived}
    return vectors(rows) if rows else NO_VECTORS


@functools.lru_cache(maxsize=4096)
def _vector(text: str) -> tuple[float, ...]:
    return tuple(float(value) for value in Hashgram().embed([text])[0])


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def night(start: Snapshot, used: Settings = CAREFUL, *, phases: Sequence[str] = ()) -> NightResult:
    """Run a night, or some phases of it, and let nothing fail unseen."""
    if phases:
        used = used.model_copy(update={"run": used.run.model_copy(update={"phases": (*phases,)})})
    result = run_phases(start, used)
    assert [(p.name, p.detail) for p in result.phases if p.status != "ok"] == []
    return result


def told(proposals: Iterable[Proposal], *kinds: str) -> list[tuple[str, ...]]:
    """Return (kind, *paths) of each proposal, in order; of these kinds where any are given."""
    return [(p.kind, *p.paths) for p in proposals if not kinds or p.kind in kinds]


def replaced(base: Memory, **fields: Any) -> Memory:
    """Return a memory with some fields changed, as the loader's flags do."""
    return replace(base, **fields)
