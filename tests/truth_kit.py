"""What must hold for any night over any corpus: the patch is true, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

from memsleep.corpus.load import load_corpus
from memsleep.model import Link, Memory, Snapshot
from memsleep.night import NightResult
from memsleep.proposals import Merge
from memsleep.readers.frontmatter import FrontMatter, body_offset
from memsleep.readers.head import read_head
from memsleep.settings import CorpusSettings


def successors(result: NightResult) -> dict[str, str]:
    """Return old path -> what a reader of a link to it shall find: its keeper, or its new place."""
    merged = {
        a.proposal.dropped: a.proposal.keeper
        for a in result.applied
        if isinstance(a.proposal, Merge)
    }
    found = {}
    for path in (*merged, *result.moves):
        end = path
        while end in merged:
            end = merged[end]
        found[path] = result.moves.get(end, end)
    return found


def lost_links(result: NightResult) -> list[str]:
    """Return every link that led somewhere before the night and leads elsewhere after it.

    The links of a memory that was merged are looked for in its keeper.
    """
    later = successors(result)
    lost = []
    for path, before in _linking(result.start).items():
        place = later.get(path, path)
        if place not in _linking(result.end):
            continue  # archived for good: it leaves as it was
        after = _ends(_linking(result.end)[place])
        if path in result.start.references:  # the line of what was archived went with it
            index = f"{result.end.archive_folder}/{result.end.now[:4]}/{path}"
            after += [(r, p) for r, p in _ends(result.end.references.get(index, ()))]
            after += [
                (r, later.get(p, p)) for r, p in _ends(before) if (r, result.moves.get(p)) in after
            ]
        for relation, target in _ends(before):
            end = later.get(target, target)
            if path != place and end == place:
                continue  # a link among what one keeper swallowed would lead to itself
            end = result.moves.get(target, end) if end == place else end
            kept = (relation, end) in after or (path != place and end in {p for _, p in after})
            if not kept and not (path != place and end in {place, path}):
                lost.append(f"{path}: {relation} {target} -> {end}")
    return lost


def _linking(snapshot: Snapshot) -> dict[str, tuple[Link, ...]]:
    active = {memory.path: memory.links for memory in snapshot.active()}
    return {**active, **snapshot.references}


def _ends(links: tuple[Link, ...]) -> list[tuple[str, str]]:
    return [(link.relation, link.path) for link in links if link.path is not None]


def lost_texts(result: NightResult) -> list[str]:
    """Return every memory whose text, tag, alias or entity is no longer found where it went."""
    lost = []
    for path, before in result.start.memories.items():
        there = result.moves.get(path, path)
        after = result.end.memories.get(there)
        if after is None:
            lost.append(path)
            continue
        rest = iter(_lines(after, result.end.files[there]))
        if not all(line in rest for line in _lines(before, result.start.files[path])):
            lost.append(path)
        lists = ("tags", "aliases", "entities")
        lost += [f"{path}: {x}" for x in lists if not {*getattr(before, x)} <= {*getattr(after, x)}]
    return lost


def _lines(memory: Memory, source: bytes) -> list[bytes]:
    """Return the lines of a Markdown body without the targets of its links; else its text."""
    if memory.dialect == "memhtml":
        return memory.body.encode().split()
    kept, end = b"", body_start(source)
    for link in memory.links:
        if link.start >= end:
            kept, end = kept + source[end : link.start], link.end
    return [line.strip() for line in (kept + source[end:]).split(b"\n")]


def body_start(source: bytes) -> int:
    """Return the first byte behind the front matter."""
    block = read_head(source)
    return block.body_start if isinstance(block, FrontMatter) else body_offset(source)


def unlike_on_disk(root: Path, result: NightResult, dialect: str = "auto") -> list[str]:
    """Return what differs between the fold's snapshot and the patched folder as it is read."""
    found = [
        path
        for path, content in result.end.files.items()
        if not (root / path).is_file() or (root / path).read_bytes() != content
    ]
    found += [old for old in result.moves if (root / old).exists()]
    loaded = load_corpus(root, CorpusSettings(dialect=dialect))
    if loaded.memories.keys() != result.end.memories.keys():
        found.append("other memories")
    for path, memory in loaded.memories.items():
        folded = result.end.memories.get(path)
        if folded is not None and _essence(memory) != _essence(folded):
            found.append(f"{path}: is read otherwise than it was folded")
    for path, links in loaded.references.items():
        if _shown(links) != _shown(result.end.references.get(path, ())):
            found.append(f"{path}: its links are read otherwise")
    return found


def _essence(memory: Memory) -> tuple[object, ...]:
    return (
        memory.archived, memory.title, memory.gist, memory.body, memory.digest, memory.status,
        memory.confidence, memory.valid_until, _shown(memory.links), memory.tags,
        memory.archived or memory.scope,
    )  # fmt: skip


def _shown(links: tuple[Link, ...]) -> list[tuple[object, ...]]:
    return [(x.relation, x.target, x.path, x.ambiguous, x.external) for x in links]
