"""Front matter: where it lies in a file, and its values with the bytes that hold them.

It IS front matter only when a closer is found and the block loads as a mapping. Values stay
raw text: YAML's implicit types (dates, numbers, `no`) are never applied.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

import yaml

from memsleep.model import Problem

BOM = b"\xef\xbb\xbf"
MAX_DEPTH = 4
"""Levels of nesting that are read; deeper values are kept, not looked at (alias bombs)."""

_OPENER = re.compile(rb"---[ \t]*\r?\n")
_CLOSER = re.compile(rb"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\r?\Z)", re.MULTILINE)
_KEY_LINE = re.compile(rb"^[^\s#\-<>*!&|\[{`\"'][^:\n]*:(?:[ \t\r]|$)", re.MULTILINE)
_ODD_BREAKS = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
_NULL, _TEXT, _LIST, _MAP = (f"tag:yaml.org,2002:{tag}" for tag in ("null", "str", "seq", "map"))
_NULL_WORDS = frozenset({"", "~", "null", "Null", "NULL"})
_SEPARATORS = re.compile(r"[\s_-]+")


class _RawLoader(yaml.CSafeLoader):
    """PyYAML's C loader that tells null from text and guesses no other type."""

    def resolve(self, kind: type[yaml.Node], value: str, implicit: tuple[bool, bool]) -> str:
        """Return the tag of a node that states none."""
        if kind is yaml.ScalarNode:
            return _NULL if implicit[0] and value in _NULL_WORDS else _TEXT
        return _LIST if kind is yaml.SequenceNode else _MAP


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar: its text before any implicit type, and the bytes that hold it."""

    text: str
    start: int
    end: int
    style: str
    """Empty for a plain scalar, else its quote or block indicator."""
    null: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, `[a, b]` when `flow`."""

    items: tuple[Value, ...]
    start: int
    end: int
    flow: bool


@dataclass(frozen=True, slots=True)
class Mapping:
    """A nested mapping."""

    entries: tuple[tuple[Scalar, Value], ...]
    start: int
    end: int
    flow: bool


Value = Scalar | Sequence | Mapping
HeadKind = Literal["yaml", "toml", "json", "comment", "properties", "none"]
"""How a head is written; `none` for a file whose every byte is body."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of the block with its value."""

    key: str
    """Key as written; `metadata.type` for a nested one."""
    name: Scalar
    value: Value
    line: int
    """Line in the file, from 1."""
    repeated: bool = False
    """True when the block states the key more than once: never edited."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A block that loads as a mapping. All offsets are bytes of the file."""

    start: int
    """First byte after the opener's line."""
    end: int
    """First byte of the closer's line."""
    body_start: int
    """First byte after the closer's line."""
    entries: tuple[Entry, ...]
    flow: bool
    """True when the whole block is one `{...}`."""
    locked: str = ""
    """Why nothing in the block may be edited; empty when it may be."""
    by_name: MappingOf[str, Entry] = field(default_factory=dict, compare=False, repr=False)
    """Normal form of a key -> the first entry that has it."""
    kind: HeadKind = "yaml"
    insert_at: int = -1
    """Where a new line goes in a head that is not YAML."""
    inline: tuple[Entry, ...] = ()
    """Fields that the body states in its text, `key:: value`; the head's own come first."""

    def find(self, *names: str) -> Entry | None:
        """Return the entry of the first name that is stated, compared by `normal_key`.

        A name with a dot, such as `metadata.type`, looks into a nested mapping.
        """
        for name in names:
            entry = self._lookup(name)
            if entry is not None:
                return entry
        return None

    def _lookup(self, name: str) -> Entry | None:
        entry = self.by_name.get(name)
        if entry is None and "." in name:
            outer, _, inner = name.partition(".")
            holder = self.by_name.get(outer)
            entry = holder and _nested(holder, inner)
        if entry is None and self.inline:
            entry = next((one for one in self.inline if normal_key(one.key) == name), None)
        return entry


@dataclass(frozen=True, slots=True)
class Broken:
    """A block that looks like front matter and does not load."""

    line: int
    reason: str
    text_start: int = 0
    """First byte after the closer, 0 without one: where the title and the claim are looked for."""


@lru_cache(maxsize=4096)
def normal_key(key: str) -> str:
    """Return a key in the form in which keys are compared: no case, blanks, `_` or `-`.

    Examples
    --------
    >>> normal_key("Valid-Until"), normal_key("date created")
    ('validuntil', 'datecreated')
    """
    return _SEPARATORS.sub("", key).casefold()


def _nested(entry: Entry, inner: str) -> Entry | None:
    if not isinstance(entry.value, Mapping):
        return None
    for name, value in entry.value.entries:
        if normal_key(name.text) == inner:
            return Entry(f"{entry.key}.{name.text}", name, value, entry.line, entry.repeated)
    return None


def body_offset(source: bytes) -> int:
    """Return where the text begins: after the byte order mark, if there is one."""
    return len(BOM) if source.startswith(BOM) else 0


def read_front_matter(source: bytes) -> FrontMatter | Broken | None:
    """Return the front matter of strict UTF-8 bytes.

    None means that every byte is body. `Broken` means the same for reading, but the file must
    not be edited: a person meant a block that does not load.
    """
    opener = _OPENER.match(source, body_offset(source))
    if opener is None:
        return None
    closer = _CLOSER.search(source, opener.end())
    if closer is None:
        return _unclosed(source, opener.end())
    block = source[opener.end() : closer.start()]
    try:
        return _loaded(source, block, opener.end(), closer)
    except yaml.YAMLError as error:
        # Prose between two rules is no front matter; only `key:` lines show that one was meant.
        if _KEY_LINE.search(block) is None:
            return None
        return Broken(_error_line(error, block), _error_reason(error), closer.end())


def _unclosed(source: bytes, start: int) -> Broken | None:
    first = source[start : source.find(b"\n", start) + 1 or len(source)]
    if _KEY_LINE.match(first) is None:
        return None  # a rule, as daily logs open with
    return Broken(1, "the front matter is never closed: no line holds only --- or ...")


def _loaded(source: bytes, block: bytes, start: int, closer: re.Match[bytes]) -> FrontMatter | None:
    text = block.decode("utf-8")
    node = yaml.compose(text, Loader=_RawLoader)
    if not isinstance(node, yaml.MappingNode):
        return None
    byte_at = _byte_positions(text, start)
    entries = _entries(source, node, byte_at)
    locked = ""
    if _ODD_BREAKS.search(text):
        locked = "the front matter holds a line break that YAML loaders disagree about"
    by_name: dict[str, Entry] = {}
    for entry in entries:
        by_name.setdefault(normal_key(entry.key), entry)
    flow = bool(node.flow_style)
    return FrontMatter(start, closer.start(), closer.end(), entries, flow, locked, by_name)


def _entries(
    source: bytes, node: yaml.MappingNode, byte_at: Callable[[int], int]
) -> tuple[Entry, ...]:
    entries = []
    line, counted = 1, 0
    for key, value in node.value:
        name = _scalar_key(key, byte_at)
        line += source.count(b"\n", counted, max(name.start, counted))
        counted = max(name.start, counted)
        entries.append(Entry(name.text, name, _value(value, byte_at, MAX_DEPTH), line))
    times = Counter(entry.key for entry in entries)
    return tuple(
        replace(entry, repeated=True) if times[entry.key] > 1 else entry for entry in entries
    )


def head_of_kind(
    kind: HeadKind,
    bounds: tuple[int, int, int],
    entries: Iterator[Entry] | tuple[Entry, ...],
    *,
    insert_at: int = -1,
    locked: str = "",
) -> FrontMatter:
    """Return a head that is not YAML. `bounds` are its start, its end and the body's start."""
    stated = tuple(entries)
    times = Counter(entry.key for entry in stated)
    marked = tuple(replace(e, repeated=True) if times[e.key] > 1 else e for e in stated)
    by_name: dict[str, Entry] = {}
    for entry in marked:
        by_name.setdefault(normal_key(entry.key), entry)
    start, end, body_start = bounds
    return FrontMatter(
        start, end, body_start, marked, flow=False, locked=locked, by_name=by_name, kind=kind,
        insert_at=insert_at,
    )  # fmt: skip


def _byte_positions(text: str, start: int) -> Callable[[int], int]:
    """Return the function from PyYAML's character index to the byte of the file."""
    if text.isascii():
        return lambda index: start + index
    positions = [start]
    reached = start
    for character in text:
        code = ord(character)
        reached += 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
        positions.append(reached)
    return positions.__getitem__


def _scalar_key(node: yaml.Node, byte_at: Callable[[int], int]) -> Scalar:
    if not isinstance(node, yaml.ScalarNode):
        raise yaml.composer.ComposerError(
            None, None, "a list or mapping stands as a key (a template tag?)", node.start_mark
        )
    return _scalar(node, byte_at)


def _scalar(node: yaml.ScalarNode, byte_at: Callable[[int], int]) -> Scalar:
    style = node.style or ""
    return Scalar(
        node.value,
        byte_at(node.start_mark.index),
        byte_at(node.end_mark.index),
        style,
        null=not style and node.tag == _NULL,
    )


def _value(node: yaml.Node, byte_at: Callable[[int], int], depth: int) -> Value:
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, byte_at)
    assert isinstance(node, yaml.CollectionNode)  # the only other kind
    start, end = byte_at(node.start_mark.index), byte_at(node.end_mark.index)
    flow = bool(node.flow_style)
    if isinstance(node, yaml.MappingNode):
        pairs = tuple(
            (_scalar_key(key, byte_at), _value(value, byte_at, depth - 1))
            for key, value in (node.value if depth else ())
        )
        return Mapping(pairs, start, end, flow)
    items = tuple(_value(item, byte_at, depth - 1) for item in (node.value if depth else ()))
    return Sequence(items, start, end, flow)


def _error_line(error: yaml.YAMLError, block: bytes) -> int:
    """Return the line in the file of a YAML error; the block begins on line 2."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return 2 if mark is None else block.decode("utf-8")[: mark.index].count("\n") + 2


def _error_reason(error: yaml.YAMLError) -> str:
    problem = getattr(error, "problem", None) or "it holds a character that YAML does not allow"
    return f"the front matter does not load: {' '.join(str(problem).split())}"


# Looking into values ----------------------------------------------------------------------


def scalars(value: Value) -> Iterator[Scalar]:
    """Yield the scalars of a value in file order, keys of nested mappings left out."""
    if isinstance(value, Scalar):
        yield value
    elif isinstance(value, Sequence):
        for item in value.items:
            yield from scalars(item)
    else:
        for _, inner in value.entries:
            yield from scalars(inner)


def bracketed(value: Value, source: bytes) -> tuple[str, int, int] | None:
    """Return the text and bytes inside a plain `[[x]]`, which YAML loads as nested lists."""
    if not isinstance(value, Sequence) or not value.flow or len(value.items) != 1:
        return None
    inner = value.items[0]
    if not isinstance(inner, Sequence) or not inner.flow or not inner.items:
        return None
    written = source[value.start : value.end]
    if not written.startswith(b"[[") or not written.endswith(b"]]") or b"\n" in written:
        return None
    start, end = value.start + 2, value.end - 2
    return source[start:end].decode("utf-8"), start, end


def repeated_keys(path: str, front_matter: FrontMatter) -> tuple[Problem, ...]:
    """Return a warning for each key that the block states twice."""
    lines: dict[str, int] = {}
    for entry in front_matter.entries:
        if entry.repeated:
            lines.setdefault(entry.key, entry.line)
    message = "a key is stated more than once: the first counts, none is edited"
    return tuple(Problem(path, line, "duplicate-key", message) for line in lines.values())
