"""MS1xx for memhtml: the reader's violations and warnings, each under its code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from memsleep.check.model import Found
from memsleep.check.places import quoted
from memsleep.check.view import FileView, PlacedLine, Span
from memsleep.model import Memory, Unreadable
from memsleep.readers.memhtml import violation_findings
from memsleep.readers.memhtml_findings import Finding
from memsleep.readers.memhtml_head import Entry
from memsleep.readers.memhtml_source import UnfitSourceError
from memsleep.readers.memhtml_tree import parse
from memsleep.readers.memhtml_values import (
    MAX_SAFE_INTEGER,
    confidence_of,
    integer_between,
    is_hash,
    js_trim,
)
from memsleep.readers.memhtml_vocabulary import (
    META_ORDER,
    REPEATABLE,
    STATUSES,
    TASK_STATUSES,
    TYPES,
)
from memsleep.readers.memhtml_warnings import warning_findings

CODES: Mapping[str, str] = {
    "title-count": "MS103",
    "title-blank": "MS103",
    "meta-missing": "MS103",
    "task-status-missing": "MS103",
    "time-malformed": "MS104",
    "time-without-datetime": "MS104",
    "instant-malformed": "MS104",
    "meta-unknown": "MS105",
    "relation-unknown": "MS105",
    "meta-repeated": "MS106",
    "type-unknown": "MS109",
    "status-unknown": "MS109",
    "task-status-unknown": "MS109",
    "task-status-misplaced": "MS109",
}
"""Kind of violation -> code; every other one is MS102."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "memhtml-type": TYPES,
    "memhtml-status": STATUSES,
    "memhtml-task-status": TASK_STATUSES,
}
_NUMBERS: Mapping[str, tuple[Callable[[str], object], str]] = {
    "memhtml-confidence": (confidence_of, "a number from 0 to 1"),
    "memhtml-importance": (lambda text: integer_between(text, 1, 10), "a whole number, 1 to 10"),
    "memhtml-reprieves": (lambda text: integer_between(text, 0, MAX_SAFE_INTEGER), "a count"),
}  # fmt: skip


def find_in_html(view: FileView) -> Iterator[Found]:
    """Yield what is wrong with a memhtml file. A clean one is not parsed again."""
    if isinstance(view.read, Unreadable):
        yield from _violations(view)
    memory = view.memory
    if memory is None:
        return
    if memory.warnings and view.tree is not None:
        for finding in warning_findings(view.tree):
            yield _placed(view, "MS112", finding, unreadable=False)
    yield from _stale_hash(view, memory)
    yield from _dropped_numbers(view, memory)
    if _may_repeat(memory):
        yield from _repeated(view)


def canonical_word(name: str, value: str) -> str | None:
    """Return the word of a closed list that a value is but for case and blanks, None for others."""
    word = js_trim(value).lower()
    return word if value not in WORDS[name] and word in WORDS[name] else None


def _violations(view: FileView) -> Iterator[Found]:
    tree, head = view.tree, view.head
    if tree is None or head is None:
        try:
            parse(view.source)
        except UnfitSourceError as error:
            span = view.line_span(error.line)
            yield Found("MS101", *span, error.message, error.code, unreadable=True)
        return
    for finding in violation_findings(tree, head):
        code = CODES.get(finding.code, "MS102")
        name = f"memhtml-{finding.code.removesuffix('-unknown')}"
        word = canonical_word(name, head.value(name) or "") if name in WORDS else None
        if word is not None:
            message = f"expected {name} to be {word}, found it in another case"
            yield _placed(view, "MS110", finding._replace(message=message))
        else:
            yield _placed(view, code, finding)


def _placed(view: FileView, code: str, finding: Finding, *, unreadable: bool = True) -> Found:
    line = finding.line
    span: Span = line.span if isinstance(line, PlacedLine) else (-1, -1)
    if span[0] < 0:
        span = view.line_span(int(line))
    message = quoted(finding.message)
    return Found(code, *span, message, f"{finding.code} {message}", unreadable=unreadable)


def _stale_hash(view: FileView, memory: Memory) -> Iterator[Found]:
    stated = memory.raw.get("content_hash")
    if stated is not None and stated != memory.content_hash:
        what = "another one" if is_hash(stated) else "something else"
        message = f"expected the hash of the text as it is, found {what}"
        yield Found("MS108", *view.field_span("content_hash"), message)


def _dropped_numbers(view: FileView, memory: Memory) -> Iterator[Found]:
    for name, (parse_number, expected) in _NUMBERS.items():
        value = memory.raw.get(name.removeprefix("memhtml-"))
        if value is not None and parse_number(value) is None:
            message = f"expected {name} to be {expected}, so the default counts"
            yield Found("MS114", *view.meta_span(name), message, name)


def _may_repeat(memory: Memory) -> bool:
    """Return False where no list of the head can hold a value twice: most files."""
    for field in ("tags", "entities", "aliases"):
        raw = memory.raw.get(field, "")
        if raw and len(raw.split("\n")) != len(set(raw.split("\n"))):
            return True
    head = [(link.relation, link.target) for link in memory.links if link.form == "head"]
    return len(head) != len(set(head))


def repeated_entries(view: FileView) -> Iterator[Entry]:
    """Yield the head entries that state again what an earlier one states."""
    head = view.head
    seen: set[tuple[str, str]] = set()
    for entry in (*head.metas, *head.links) if head else ():
        if entry.item.tag == "meta" and (entry.name not in REPEATABLE or not entry.value):
            continue
        identity = (entry.name, js_trim(entry.value or ""))
        if identity in seen:
            yield entry
        seen.add(identity)


def _repeated(view: FileView) -> Iterator[Found]:
    for entry in repeated_entries(view):
        span = view.tree.value_span(entry.item, entry.attribute) if view.tree else None
        where = (span.start, span.end) if span else (-1, -1)
        name = entry.name if entry.name in META_ORDER else "link"
        message = f"expected each {name} once, found this one again"
        yield Found("MS111", *where, message, f"{entry.name} {entry.value}")
