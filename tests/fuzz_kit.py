"""Files that nobody would write, and what must hold of each of them.

From one number a file is made: a file of a fixture store, or pieces of many, mutated byte by byte.
Each is read; each field is set in it, and the bytes outside the value must be those that were
there. Many together are a corpus that is loaded, folded, written and read again: nothing crashes,
no file is lost, and what is on disk is what was folded.
"""

# ruff: noqa: E501, C901 - tables of bytes; chance need not be secret

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from memsleep.corpus.load import load_corpus
from memsleep.dialects.entries import EntriesDialect
from memsleep.dialects.registry import DIALECTS
from memsleep.errors import CorpusError, EditRefused
from memsleep.fold import fold
from memsleep.landing.base import NO_VECTORS
from memsleep.model import Memory, Snapshot
from memsleep.proposals import Archive, Merge, Proposal, RetargetLink, SetField
from memsleep.settings import CorpusSettings, Settings, WriteSettings
from stores_kit import NOW, real_files

STORES = Path(__file__).parent.parent / "fixtures" / "stores"
PIECES = (
    b"---\n", b"...\n", b"+++\n", b";;;\n", b"{", b"}\n", b'"status": "active",\n', b"status = 'x'\n",
    b"status: active\n", b"status:: active\n", b"confidence: 80%\n", b"confidence: high\n",
    b"tags: [a, 'b']\n", b"tags:\n- a\n- b\n", b"updated: 2026-03-04\n", b"updated: 06/08/2017\n",
    b"a: &x 1\n", b"<<: *x\n", b"? k\n: v\n", b"d: |\n  text\n  more\n", b'q: "x\n  y"\n', b"\t",
    b"\r\n", b"\r", b"\n", b"\n\n", "\u2028".encode(), b"\xef\xbb\xbf", b"\xff", b"\x00", b"\xc3",
    "e\u0301\u4e2d\U0001f642".encode(), b"# Head\n", b"[[x]]", b"[[x|y]]", b"![[x#h]]", b"[t](a%20b.md#f)",
    b"[t](<a b.md>)", b"[r]: c.md\n", b"`[[no]]`", b"```\n[[no]]\n", b"```\n", b"    [[no]]\n",
    b"- supports [[X]] (c)\n", b"- [fact] text #tag (c)\n", b"key:: [[v]]\n", b"[confidence:: 0.4]",
    b"<!-- status: active -->\n", b"<!-- [[no]] -->", b"<div>\n", b'<a href="x.md">', b"| a |\n|---|\n",
    b"| [[x\\|y]] |\n", b'{{< relref "p" >}}', b"[^1]: note\n", b"\\[[", b"]]", b"((", "\u00a7\n".encode(),
    "\n\u00a7\n".encode(), b"word " * 40, b"<head>", b"</head>", b'<meta name="memhtml-status" content="active">\n',
    b'<meta itemprop="updated" content="x">', b"<article><p><mark>", b"</mark></p></article>", b"&amp;", b"<pre>\n",
)  # fmt: skip
FIELDS = (
    ("status", "archived"), ("updated", NOW), ("confidence", "0.35"), ("valid_until", "2026-12-14T00:00:00Z"),
    ("reprieves", "2"), ("superseded_by", "a b/c#d.md"), ("archived_at", NOW),
)  # fmt: skip
NEW_LINKS = (("supports", "areas/y z.md"), ("relates_to", "w.md"))
SENTENCE = "The lamp is lit at dusk."
LISTS = (("tags", "new tag"), ("aliases", "x: y"), ("entities", "person:Jo"))
NAMES = (
    "{n}.md", "a b/{n} #.md", "deep/er/{n}.markdown", "\u00e9/{n}.md", "e\u0301/{n}.md", "x?/{n}:y.md",
    "%3F/{n}%20.md", "{n}\U0001f642.md", " {n} .md", "-{n}.md", "[{n}].md", "a'b\"/{n}.md",
    "areas/{n}.html", "pages/{n}.html", "memory/2026-01-{d:02}.md", "system/{n}.md", "{n}" + "y" * 200 + ".md",
)  # fmt: skip


class FailureFoundError(AssertionError):
    """One input for which something did not hold."""

    def __init__(self, what: str, dialect: str, source: bytes) -> None:
        super().__init__(f"{dialect}: {what}: {source[:200]!r}")
        self.dialect = dialect
        self.source = source


@dataclass(frozen=True)
class Fuzzed:
    """One made file."""

    dialect: str
    source: bytes


@cache
def seeds() -> tuple[Fuzzed, ...]:
    """Return the files of all fixture stores."""
    found = []
    for store in sorted(p for p in STORES.iterdir() if (p / "corpus").is_dir()):
        for path in sorted((store / "corpus").rglob("*")):
            if path.suffix in (".md", ".html"):
                name = store.name if path.suffix == ".md" or store.name in HTML else "plain"
                found.append(Fuzzed(name, path.read_bytes()))
    return tuple(found)


HTML = ("memhtml", "evernote", "html")


def made(number: int) -> Fuzzed:
    """Return the file of a number: always the same one."""
    chance = random.Random(number)
    seed = chance.choice(seeds())
    source = seed.source
    if chance.random() < 0.2 and seed.dialect not in HTML:
        source = b"".join(chance.choices(PIECES, k=chance.randint(0, 30)))
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5, 9))):
        source = chance.choice(_MUTATIONS)(source, chance)
    return Fuzzed(seed.dialect, source)


def _insert(source: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(source))
    return source[:at] + chance.choice(PIECES) + source[at:]


def _insert_at_line(source: bytes, chance: random.Random) -> bytes:
    lines = source.split(b"\n")
    lines.insert(chance.randint(0, min(len(lines), 12)), chance.choice(PIECES).rstrip(b"\n"))
    return b"\n".join(lines)


def _delete(source: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(source))
    return source[:at] + source[at + chance.choice((1, 1, 2, 7, 40)) :]


def _flip(source: bytes, chance: random.Random) -> bytes:
    if not source:
        return source
    at = chance.randrange(len(source))
    return source[:at] + bytes([chance.randrange(256)]) + source[at + 1 :]


def _again(source: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(source))
    part = source[at : at + chance.choice((5, 30, 200))]
    return source[:at] + part + source[at:]


def _ends(source: bytes, chance: random.Random) -> bytes:
    return source.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b"\x0b")))


def _cut(source: bytes, chance: random.Random) -> bytes:
    return source[: chance.randint(0, len(source))]


def _graft(source: bytes, chance: random.Random) -> bytes:
    other = chance.choice(seeds()).source
    at, to = chance.randint(0, len(source)), chance.randint(0, len(other))
    return source[:at] + other[to:]


_MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _insert, _insert, _insert_at_line, _insert_at_line, _delete, _flip, _again, _ends, _cut, _graft,
)  # fmt: skip


# One file ---------------------------------------------------------------------------------------


def check_file(one: Fuzzed) -> int:
    """Read a file and make every edit of it; return how many were made."""
    try:
        return sum(1 for _ in _edits(one))
    except FailureFoundError:
        raise
    except Exception as error:  # whatever it is, it is what is looked for
        raise FailureFoundError(
            f"{type(error).__name__}: {error}", one.dialect, one.source
        ) from error


def _edits(one: Fuzzed) -> Iterator[str]:
    dialect = DIALECTS[one.dialect]
    memory = dialect.read("areas/x.md", one.source)
    if isinstance(dialect, EntriesDialect):
        dialect.read_entries("MEMORY.md", one.source)
    if not isinstance(memory, Memory):
        return
    for field, value in FIELDS:
        result = _tried(lambda f=field, v=value: dialect.set_field(memory, one.source, f, v))  # type: ignore[misc]
        if result is not None:
            _hold(one, memory, result, field)
            yield field
    for name, value in LISTS:
        result = _tried(lambda n=name, v=value: dialect.add_value(memory, one.source, n, v))  # type: ignore[misc]
        if result is not None:
            _hold(one, memory, result, name)
            yield name
    for link in memory.links[:8]:
        if link.external or link.start < 0:
            continue
        result = _tried(
            lambda at=link: dialect.retarget_link("areas/x.md", one.source, at, "q r/new.md")
        )  # type: ignore[misc]
        if result is not None:
            outside = (one.source[: link.start - 1], one.source[link.end + 1 :])
            if not (result.startswith(outside[0]) and result.endswith(outside[1])):
                raise FailureFoundError("bytes outside a link differ", one.dialect, one.source)
            yield "link"
    yield from _more_edits(one, memory)


def _more_edits(one: Fuzzed, memory: Memory) -> Iterator[str]:
    """Take fields and links out, state a new link, append a sentence."""
    dialect = DIALECTS[one.dialect]
    for field, _ in FIELDS:
        result = _tried(lambda f=field: dialect.remove_field(memory, one.source, f))  # type: ignore[misc]
        if result is not None and result is not one.source:
            _hold_shorter(one, result, field)
            _hold(one, memory, result, field)
            yield f"remove {field}"
    for link in memory.links[:8]:
        result = _tried(lambda at=link: dialect.remove_link(one.source, at))  # type: ignore[misc]
        if result is not None:
            _hold_shorter(one, result, "link")
            _hold_links(one, memory, result, Counter([(link.relation, link.target)]), Counter())
            yield "remove link"
    for relation, path in NEW_LINKS:
        result = _tried(lambda r=relation, p=path: dialect.add_link(memory, one.source, r, p))  # type: ignore[misc]
        if result is not None and result is not one.source:
            _hold_links(one, memory, result, Counter(), Counter([(relation, path)]))
            yield "add link"
    result = _tried(lambda: dialect.append_details(memory, one.source, (SENTENCE,), "x.md"))
    if result is not None:
        _hold_sentence(one, memory, result)
        yield "append"


def _hold_shorter(one: Fuzzed, result: bytes, name: str) -> None:
    """Refuse a removal that is more than one span of few lines."""
    start, end_old, end_new = changed_span(one.source, result)
    if end_new != start or one.source[start:end_old].count(b"\n") > 12:
        raise FailureFoundError(f"{name}: more than one span went", one.dialect, one.source)


def _hold_links(
    one: Fuzzed,
    before: Memory,
    result: bytes,
    gone: Counter[tuple[str, str]],
    come: Counter[tuple[str, str]],
) -> None:
    """Refuse an edit after which other links, or other fields, are read than before."""
    after = DIALECTS[one.dialect].read("areas/x.md", result)
    if not isinstance(after, Memory):
        raise FailureFoundError("link: it can no longer be read", one.dialect, one.source)
    held = Counter((x.relation, x.target) for x in before.links) - gone + come
    found = Counter((x.relation, _plain(x.target, come)) for x in after.links)
    if found != held:
        raise FailureFoundError("link: other links are read", one.dialect, one.source)
    titled = ("title",) if "title" in before.stated else ()  # else it is the first line said
    fields = (*_OTHERS, *titled, "updated", "confidence", "tags", "status")
    differs = [name for name in fields if getattr(before, name) != getattr(after, name)]
    if differs:
        raise FailureFoundError(f"link: {differs} differ", one.dialect, one.source)


def _plain(target: str, come: Counter[tuple[str, str]]) -> str:
    """Return the path that a new target spells: from the root, or without its ending."""
    paths = {path for _, path in come}
    return next((p for p in paths if target.lstrip("/") in (p, p.removesuffix(".md"))), target)


def _hold_sentence(one: Fuzzed, before: Memory, result: bytes) -> None:
    """Refuse an appended sentence that changed more than the end of the text and its digest."""
    after = DIALECTS[one.dialect].read("areas/x.md", result)
    if not isinstance(after, Memory) or not after.body.rstrip().endswith(SENTENCE):
        raise FailureFoundError("append: it is not read at the end", one.dialect, one.source)
    if _said(after, "tags", inline=True) != _said(before, "tags", inline=True):
        raise FailureFoundError("append: something else is read", one.dialect, one.source)
    if not after.body.startswith(before.body.rstrip()):
        raise FailureFoundError("append: the text before it differs", one.dialect, one.source)


def _tried(edit: Callable[[], bytes | None]) -> bytes | None:
    try:
        return edit()
    except EditRefused:
        return None


def _hold(one: Fuzzed, before: Memory, result: bytes, name: str) -> None:
    """Refuse an edit that changed a byte outside its value, its line or its list."""
    if result is one.source:
        return
    start, end_old, end_new = changed_span(one.source, result)
    gone, come = one.source[start:end_old], result[start:end_new]
    value = before.raw.get(name, "")
    if (
        len(gone) > len(value.encode()) + len(name) + 120
        or gone.count(b"\n") > value.count("\n") + 1
    ):
        raise FailureFoundError(f"{name}: more than the value went", one.dialect, one.source)
    if come.count(b"\n") - gone.count(b"\n") > 3:
        raise FailureFoundError(f"{name}: more than one line came", one.dialect, one.source)
    after = DIALECTS[one.dialect].read("areas/x.md", result)
    if not isinstance(after, Memory):
        raise FailureFoundError(f"{name}: it can no longer be read", one.dialect, one.source)
    inline = name in before.stated and before.raw.get(name, "\0") in before.body
    if _said(after, name, inline) != _said(before, name, inline):
        raise FailureFoundError(
            f"{name}: something else is read otherwise", one.dialect, one.source
        )


def _said(memory: Memory, but: str, inline: bool) -> tuple[object, ...]:
    """Return what an edit of one field may not change."""
    links = tuple(
        (x.relation, x.target)
        for x in memory.links
        # A tag in brackets among others in brackets is a link to its page.
        if x.relation != "superseded_by" and x.target not in dict(LISTS).values()
    )
    values = tuple(getattr(memory, name) for name in _OTHERS if name != but)
    return (links, values, "" if inline or but == "tags" else memory.body)


_OTHERS = ("created", "importance", "author", "language", "pinned", "entities", "aliases")


def changed_span(before: bytes, after: bytes) -> tuple[int, int, int]:
    """Return first differing byte, and the ends of what differs in the old and the new bytes."""
    start = 0
    least = min(len(before), len(after))
    while start < least and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < least - start and before[len(before) - 1 - tail] == after[len(after) - 1 - tail]:
        tail += 1
    return start, len(before) - tail, len(after) - tail


# Many files -------------------------------------------------------------------------------------


def check_corpus(root: Path, first: int, count: int) -> tuple[int, int]:
    """Load a corpus of made files, fold what chance proposes, write and read it again.

    Returns how many memories were read and how many decisions took effect.
    """
    chance = random.Random(first)
    files = _written(root, first, count, chance)
    try:
        start = _snapshot(root)
    except CorpusError as error:
        if error.reference != "corpus-empty":
            raise
        return 0, 0
    proposals = _proposals(start, chance)
    settings = Settings(write=WriteSettings(add_front_matter=chance.random() < 0.3))
    folded = fold(start, proposals, settings)
    end = folded.snapshot
    _nothing_lost(start, end, [item.changes for item in folded.applied], files)
    _rewrite(root, start, end)
    again = _snapshot(root)
    lost = {p for p in start.memories if not p.startswith(".")} and set(again.unreadable) - set(
        start.unreadable
    )
    if lost or _files_of(again) != _files_of(end):
        differs = sorted(again.memories.keys() ^ end.memories.keys())[:3]
        raise FailureFoundError(f"read otherwise than folded: {differs} {lost}", "corpus", b"")
    for path, memory in again.memories.items():
        # An edit of its first line gives an entry another name.
        if not memory.container and memory.digest != end.memories[path].digest:
            raise FailureFoundError(f"other bytes than folded: {path}", "corpus", again.files[path])
    return len(start.memories), sum(bool(item.changes) for item in folded.applied)


def _files_of(snapshot: Snapshot) -> list[str]:
    return sorted(memory.container or path for path, memory in snapshot.memories.items())


def _written(root: Path, first: int, count: int, chance: random.Random) -> dict[str, bytes]:
    files = {}
    for number in range(first, first + count):
        one = made(number)
        name = chance.choice(NAMES)
        html = one.dialect in HTML
        while html != name.endswith(".html"):
            name = chance.choice(NAMES)
        path = name.format(n=number, d=number % 28 + 1)
        if one.dialect == "hermes" and chance.random() < 0.2:
            path = f"h{number}/MEMORY.md"
        files[path] = one.source
    for path, source in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(source)
    return files


def _snapshot(root: Path) -> Snapshot:
    corpus = load_corpus(root, CorpusSettings(read_only_dialects=()))
    found = {p: (root / p).read_bytes() for p in corpus.taken if p.endswith("/ledger.jsonl")}
    return Snapshot(
        now=NOW, memories=corpus.memories, files={**corpus.files, **found}, vectors=NO_VECTORS,
        references=corpus.references, taken=corpus.taken, page_dialects=corpus.page_dialects,
        locked=corpus.locked, unreadable=corpus.unreadable,
        archive_folder=corpus.detection.traits.archive,
    )  # fmt: skip


def _proposals(start: Snapshot, chance: random.Random) -> list[Proposal]:
    found: list[Proposal] = []
    paths = [path for path, memory in start.memories.items() if not memory.archived]
    for path in paths:
        dice = chance.random()
        if dice < 0.35:
            field, value = chance.choice(FIELDS[1:5])
            found.append(SetField(phase="t", reason="r", path=path, values=((field, value),)))  # type: ignore[arg-type]
        elif dice < 0.5:
            found.append(Archive(phase="t", reason="r", path=path, cause="evicted"))
        elif dice < 0.65 and len(paths) > 1:
            other = chance.choice([p for p in paths if p != path])
            carry = ("What only the other one said.",) if chance.random() < 0.5 else ()
            found.append(
                Merge(
                    phase="t", reason="r", keeper=other, dropped=path, similarity=1.0, carry=carry
                )
            )
        elif dice < 0.75 and start.memories[path].links:
            target = chance.choice(start.memories[path].links).target
            found.append(
                RetargetLink(
                    phase="t",
                    reason="r",
                    path=path,
                    target=target,
                    target_path=chance.choice(paths),
                )
            )
    return found


def _nothing_lost(start: Snapshot, end: Snapshot, changes: object, files: dict[str, bytes]) -> None:
    del changes
    for path in start.files:
        gone = path not in end.files
        if gone and not any(new.startswith(f"{end.archive_folder}/") for new in end.files):
            raise FailureFoundError(f"a file is gone: {path}", "corpus", files.get(path, b""))
    if len(end.memories) < len(start.memories):
        raise FailureFoundError("memories are fewer than before", "corpus", b"")


def _rewrite(root: Path, start: Snapshot, end: Snapshot) -> None:
    before, after = real_files(start), real_files(end)
    for path in before.keys() - after.keys():
        (root / path).unlink()
    for path, data in after.items():
        if before.get(path) != data:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
