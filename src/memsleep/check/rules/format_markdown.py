"""MS1xx for Markdown: front matter that does not load, keys, dates, lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memsleep.check.model import WHOLE, Found
from memsleep.check.places import quoted
from memsleep.check.view import FileView
from memsleep.model import Memory
from memsleep.readers.frontmatter import Broken, Entry, Scalar, Sequence, normal_key
from memsleep.readers.linkscan_head import LINK_KEYS
from memsleep.readers.markdown_fields import KEYS
from memsleep.readers.markdown_values import unbracketed

FURTHER_KEYS = frozenset(
    """
    ttl due limit links upstream downstream up parent related publish draft cssclass cssclasses
    layout weight id slug uid uuid url source sources owner version metadata context
    """.split()
)
"""Keys that are common beside those that are read."""
KNOWN_KEYS = (
    frozenset(name for names in KEYS.values() for name in names) | LINK_KEYS.keys() | FURTHER_KEYS
)
_PROBLEMS: Mapping[str, str] = {
    "bad-date": "MS104",
    "bad-number": "MS114",
    "bad-ttl": "MS114",
}
LISTS = ("tags", "aliases", "entities")
_LEAST = 5
"""Shorter keys are too near to each other to tell a slip from another word."""


def find_in_markdown(view: FileView) -> Iterator[Found]:
    """Yield what is wrong with the front matter of a Markdown memory."""
    memory = view.memory
    if memory is None:
        return
    yield from _missing(view, memory)
    if isinstance(view.front, Broken):
        yield Found("MS102", *view.line_span(view.front.line), quoted(view.front.reason))
        return
    if view.block is None:
        return
    yield from _problems(view, memory)
    yield from _unknown_keys(view)
    yield from _stale_hash(view, memory)
    yield from _repeated_values(view)


def _missing(view: FileView, memory: Memory) -> Iterator[Found]:
    for name in view.settings.required:
        if not memory.states(name):
            yield Found("MS103", WHOLE, WHOLE, f"expected the field {quoted(name)}", name)


def _problems(view: FileView, memory: Memory) -> Iterator[Found]:
    """Yield the reader's warnings about single keys."""
    for problem in memory.warnings:
        if problem.code == "duplicate-key":
            yield from _repeated_key(view, problem.line or 0)
        elif problem.code in _PROBLEMS:
            entry = _entry_at(view, problem.line or 0, problem.message)
            span = (entry.value.start, entry.value.end) if entry else (WHOLE, WHOLE)
            key = f"{problem.code} {entry.key if entry else ''}"
            yield Found(_PROBLEMS[problem.code], *span, quoted(problem.message), key)


def _entry_at(view: FileView, line: int, message: str) -> Entry | None:
    """Return the entry of a line; where a line holds several, the one that the message names."""
    here = [entry for entry in view.block.entries if entry.line == line] if view.block else []
    named = [entry for entry in here if f"`{entry.key}`" in message]
    return next(iter(named or here), None)


def _repeated_key(view: FileView, line: int) -> Iterator[Found]:
    first = _entry_at(view, line, "")
    entries = view.block.entries if view.block else ()
    again = [entry for entry in entries if first and entry.key == first.key and entry != first]
    for entry in again:
        message = f"expected the key {quoted(entry.key)} once: the first one counts"
        yield Found("MS106", entry.name.start, entry.name.end, message, entry.key)


def _unknown_keys(view: FileView) -> Iterator[Found]:
    allowed = {normal_key(key) for key in view.settings.known_keys}
    store = {normal_key(key) for key in view.traits.known_keys}
    for entry in view.block.entries if view.block else ():
        key = normal_key(entry.key)
        if key in allowed or key in (store or KNOWN_KEYS):
            continue
        like = nearly(key)
        if like is None and not allowed and not store:
            continue
        hint = f"; did you mean {like}?" if like else ""
        message = f"the key {quoted(entry.key)} is not read{hint}"
        yield Found("MS105", entry.name.start, entry.name.end, message, entry.key)


def nearly(key: str) -> str | None:
    """Return the known key that one slip of the finger turns into this one, None for others.

    Examples
    --------
    >>> nearly("confidense"), nearly("udpated"), nearly("authors"), nearly("colour")
    ('confidence', 'updated', None, None)
    """
    if len(key) < _LEAST or not key.isalpha():
        return None
    near = [known for known in sorted(KNOWN_KEYS) if len(known) >= _LEAST and _one_slip(key, known)]
    return near[0] if near else None


def _one_slip(word: str, known: str) -> bool:
    """Return True for one letter wrong, missing, doubled or swapped; a plural is no slip."""
    if abs(len(word) - len(known)) > 1 or word in (f"{known}s", known.removesuffix("s")):
        return False
    if word in (known.removesuffix("d"), f"{known}d", known.removesuffix("ed")):
        return False
    head = 0
    while head < min(len(word), len(known)) and word[head] == known[head]:
        head += 1
    tail_word, tail_known = word[head:], known[head:]
    if len(word) == len(known):
        swapped = tail_word[:2] == tail_known[1::-1] and tail_word[2:] == tail_known[2:]
        return head > 0 and (tail_word[1:] == tail_known[1:] or swapped)
    longer, shorter = (tail_word, tail_known) if len(word) > len(known) else (tail_known, tail_word)
    return head > 0 and longer[1:] == shorter


def _stale_hash(view: FileView, memory: Memory) -> Iterator[Found]:
    stated = memory.raw.get("content_hash", "").strip()
    if stated.startswith("sha256:") and stated != memory.content_hash:
        message = "expected the hash of the text as it is, found another one"
        yield Found("MS108", *view.field_span("content_hash"), message)


def repeated_items(view: FileView, field: str) -> Iterator[tuple[Entry, Scalar]]:
    """Yield the items of a list that an earlier item of it equals, with their entry."""
    entry = view.entry(*KEYS[field])
    if entry is None or not isinstance(entry.value, Sequence):
        return
    seen: set[str] = set()
    for item in entry.value.items:
        if not isinstance(item, Scalar):
            continue
        text = unbracketed(item.text).lstrip("#" if field == "tags" else "")
        if text and text in seen:
            yield entry, item
        seen.add(text)


def _repeated_values(view: FileView) -> Iterator[Found]:
    for field in LISTS:
        for entry, item in repeated_items(view, field):
            message = f"expected each value of {quoted(entry.key)} once, found this one again"
            yield Found("MS111", item.start, item.end, message, f"{field} {item.text}")
