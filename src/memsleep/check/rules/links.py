"""MS2xx: links between memories, and the archive that they lead to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memsleep.check.model import WHOLE, Found, Rule
from memsleep.check.places import quoted
from memsleep.check.view import FileView
from memsleep.ledger import read_ledger
from memsleep.model import Link, Memory, in_archive

if TYPE_CHECKING:
    from memsleep.check.corpus import CheckedCorpus

RULES = (
    Rule(
        "MS201", "dangling-link", "warning",
        "A link leads nowhere.",
        "No memory, page or file of the corpus answers to the target, by path, name, title or "
        "alias. A planned page may be meant: then suppress it with that reason. The nearest "
        "existing name is given where one is near. Links of archived memories are history and "
        "are not asked, nor are a template's variables.",
        "See [[compost-heep]].   (and there is garden/compost-heap.md)",
        "Correct the target, write the memory, or delete the link.",
    ),
    Rule(
        "MS202", "ambiguous-link", "warning",
        "A link could mean more than one memory.",
        "Several files answer to the target, none lies nearer than the others, and none is "
        "archived while the others are not. Whoever follows the link guesses.",
        "See [[index]].   (with garden/index.md and lab/index.md)",
        "Write enough of the path to name one of them.",
    ),
    Rule(
        "MS203", "archived-link", "warning",
        "An active memory links to an archived one.",
        "What is archived is out of date or has been merged into another memory. A `supersedes` "
        "link may lead there, since that is what it says; other links should lead to what "
        "replaced it.",
        '<link rel="memhtml-supports" href="/archive/2026/areas/old-rates.html">',
        "Link to what replaced it, or delete the link.",
    ),
    Rule(
        "MS204", "moved-link", "warning",
        "A link names the place where a memory lay before it was archived.",
        "The target is written as a path, nothing lies there, and the archive holds the file that "
        "did. The link still means it, but only memsleep knows.",
        "[rates](../areas/old-rates.md)   (now archive/2026/areas/old-rates.md)",
        "Run `memsleep check --fix`, which writes the new path in the form of the old one.",
        fixable=True,
    ),
    Rule(
        "MS205", "orphan-archive", "warning",
        "Nothing explains why a memory lies in the archive.",
        "An archived memory has a line in its year's ledger, a stamp in its own head, or a link "
        "from what replaced it. Without any of them nobody can say why it went, or undo it: it "
        "was moved by hand.",
        "archive/2026/areas/rates.html   (no ledger line, no memhtml-archived, no inbound link)",
        "State when and why in the file (`archived_at`, `superseded_by`), or move it back.",
    ),
    Rule(
        "MS206", "lost-archive", "error",
        "The ledger names an archived memory that is not there.",
        "The archive is the promise that nothing is lost. A line of the ledger says where a memory "
        "went, and neither that file nor the one it came from exists.",
        '{"path":"a.md","to":"archive/2026/a.md",...}   (and no such file)',
        "Restore the file from the repository's history.",
    ),
    Rule(
        "MS207", "self-link", "note",
        "A memory states a typed link to itself.",
        "It says nothing, and indexes drop it. Usually a merge or a rename left it behind.",
        "supports: [[this-very-file]]",
        "Delete the link.",
    ),
    Rule(
        "MS208", "broken-ledger", "warning",
        "A line of the archive's ledger cannot be read.",
        "Each line is a JSON object with `path`, `to`, `when` and `cause`. A merge of two branches "
        "may leave others; what they said is lost to undo and to the loss budget.",
        "<<<<<<< HEAD   (in archive/2026/ledger.jsonl)",
        "Mend the line, or delete it when the ones around it say the same.",
    ),
)  # fmt: skip

_PLACEHOLDER = re.compile(r"\{\{|\{%|<%|\$\{")
_HISTORY = frozenset({"supersedes", "superseded_by"})
_NO_MEMORY = frozenset({"from_session"})
"""Relations whose targets are no memories."""


def find(view: FileView) -> Iterator[Found]:
    """Links need the corpus: there is nothing to ask of one file."""
    del view
    return iter(())


def find_in_corpus(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
    """Yield what is wrong with the links of active memories and pages, and with the archive."""
    for path, links in corpus.linking():
        for link in links:
            found = None if _is_no_matter(link) else _about(corpus, path, link)
            if found is not None:
                yield path, found
    yield from _orphans(corpus)
    yield from _ledgers(corpus)


def _is_no_matter(link: Link) -> bool:
    return link.external or link.relation in _NO_MEMORY or bool(_PLACEHOLDER.search(link.target))


def _about(corpus: CheckedCorpus, path: str, link: Link) -> Found | None:
    if link.path is not None and link.path != path and not corpus.is_archived(link.path):
        return None  # as most links are
    target = quoted(link.target)
    archived = link.path is not None and corpus.is_archived(link.path)
    if link.path is None or archived:
        moved = corpus.moved_to(path, link)
        if moved is not None:
            message = f"{target} was archived to {quoted(moved)}"
            return Found("MS204", link.start, link.end, message, link.target, moved)
    if link.ambiguous:
        names = ", ".join(quoted(name) for name in link.ambiguous[:3])
        message = f"{target} could mean {len(link.ambiguous)} memories: {names}"
        return Found("MS202", link.start, link.end, message, link.target)
    if link.path is None:
        nearest = corpus.nearest(link.target)
        hint = f"; nearest: {quoted(nearest)}" if nearest else ""
        return Found("MS201", link.start, link.end, f"{target} leads nowhere{hint}", link.target)
    if archived and link.relation not in _HISTORY:
        return Found("MS203", link.start, link.end, f"{target} is archived", link.target, link.path)
    if link.path == path and link.form in ("head", "front-matter"):
        return Found("MS207", link.start, link.end, "the memory links to itself", link.target)
    return None


def _orphans(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
    explained = {entry.to for _, entry in corpus.ledger_entries()}
    for _, links in corpus.linking(archived=True):
        explained |= {link.path for link in links if link.path and link.relation == "supersedes"}
    years = {path.rpartition("/")[0] for path in corpus.ledgers}
    for path, memory in corpus.memories.items():
        ours = memory.archived_by_place or "/".join(path.split("/")[:2]) in years
        if in_archive(path) and ours and path not in explained and not _says_why(memory):
            yield path, Found("MS205", WHOLE, WHOLE, "nothing says why this memory was archived")


def _says_why(memory: Memory) -> bool:
    return memory.states("archived_at") or memory.states("superseded_by")


def _ledgers(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
    for path, source in corpus.ledgers.items():
        at = 0
        for line in source.split(b"\n"):
            found = _ledger_line(corpus, path, line)
            if found is not None:
                code, message, key = found
                yield path, Found(code, at, at + len(line.rstrip(b"\r")), message, key)
            at += len(line) + 1


def _ledger_line(corpus: CheckedCorpus, path: str, line: bytes) -> tuple[str, str, str] | None:
    if not line.strip():
        return None
    entries = read_ledger(line, path) if _is_json(line) else []
    if not entries:
        message = "expected a JSON object with path, to, when and cause, found something else"
        return "MS208", message, ""
    entry = entries[0]
    if entry.to in corpus.taken or entry.path in corpus.taken:
        return None
    message = f"{quoted(entry.path)} was archived to {quoted(entry.to)}, and neither is there"
    return "MS206", message, entry.to


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
