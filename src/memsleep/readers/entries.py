"""Files that hold several memories, parted by lines that hold only a section sign.

An entry is named by the first line that says something, so that it keeps its name when its
neighbours change. All that parts two entries (blank lines, the sign) belongs to neither.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

SIGN = "\u00a7".encode()
SEPARATOR_LINE = re.compile(rb"^[ \t]*\xc2\xa7[ \t]*(?=\r?(?:\n|\Z))", re.MULTILINE)
ENTRY_PATH = re.compile(r"(?P<file>.*(?:\A|/)[^/]+)#(?P<name>[0-9a-f]{8}(?:-\d+)?)\Z", re.DOTALL)
_NAME_DIGITS = 8
_BOM = b"\xef\xbb\xbf"
_WORD = re.compile(r"\w+")
_LEAST_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory inside a file."""

    name: str
    """First 8 hex digits of SHA-256 of its first normalised line; `-2` and so on for a second."""
    position: int
    """Which entry of the file it is, from 0."""
    start: int
    end: int
    """Its bytes in the file, blank lines around it left out."""


def split_entries(source: bytes) -> tuple[Entry, ...]:
    """Return the entries of a file in order; parts that hold nothing but blanks are none."""
    edges = [len(_BOM) if source.startswith(_BOM) else 0]
    for match in SEPARATOR_LINE.finditer(source):
        edges += [match.start(), match.end()]
    edges.append(len(source))
    found: list[Entry] = []
    times: Counter[str] = Counter()
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        text = source[start:end]
        stripped = text.strip(b" \t\r\n")
        if not stripped:
            continue
        begin = start + text.index(stripped)
        name = entry_name(stripped)
        times[name] += 1
        own = name if times[name] == 1 else f"{name}-{times[name]}"
        found.append(Entry(own, len(found), begin, begin + len(stripped)))
    return tuple(found)


def entry_name(entry: bytes) -> str:
    """Return the name of an entry from the first line that says something.

    The line is normalised: NFC, no case, blanks collapsed, list and heading marks left out.
    """
    text = entry.decode("utf-8", "replace")
    lines = (_normal(line) for line in text.split("\n"))
    first = next((line for line in lines if line), "")
    return hashlib.sha256(first.encode("utf-8")).hexdigest()[:_NAME_DIGITS]


def _normal(line: str) -> str:
    words = unicodedata.normalize("NFC", line).casefold().split()
    while words and words[0].strip("#-*+>") == "":
        words = words[1:]
    return " ".join(words)


def entry_path(path: str, name: str) -> str:
    """Return the path by which an entry of a file is known."""
    return f"{path}#{name}"


def without_entry(source: bytes, entry: Entry) -> bytes:
    """Return a file without one entry and without one of the separators beside it.

    Everything else keeps its bytes: the separator after the entry goes with it, that before it
    where it is the last; the only entry leaves what stands around it.
    """
    after = SEPARATOR_LINE.search(source, entry.end)
    if after is not None:
        stop = after.end()
        while stop < len(source) and source[stop] in b" \t\r\n":
            stop += 1
        return source[: entry.start] + source[stop:]
    before = list(SEPARATOR_LINE.finditer(source, 0, entry.start))
    if not before:
        return source[: entry.start] + source[entry.end :]
    start = len(source[: before[-1].start()].rstrip(b" \t\r\n"))
    return source[:start] + source[entry.end :]


def match_entries(
    known: Sequence[tuple[str, str]], present: Sequence[tuple[str, str]]
) -> dict[str, str]:
    """Return name as it was -> name as it is, for entries of one file that were edited.

    Parameters
    ----------
    known, present : sequence of (str, str)
        Name and text of each entry in file order, as it was and as it is. Equal names are one
        entry. Of the others those are one that stand at the same place between the same
        neighbours and share most of their words; then those that share the most words, if no
        other is as near.
    """
    stay = {name for name, _ in known} & {name for name, _ in present}
    gone, come = _strangers(known, stay), _strangers(present, stay)
    found: dict[str, str] = {}
    rated = sorted(
        (
            (-_overlap(old[2], new[2]), abs(old[0] - new[0]), old[1], new[1])
            for old in gone
            for new in come
        ),
    )
    used: set[str] = set()
    for likeness, _, old_name, new_name in rated:
        if -likeness < _LEAST_OVERLAP or old_name in found or new_name in used:
            continue
        found[old_name] = new_name
        used.add(new_name)
    return found


def _strangers(
    entries: Sequence[tuple[str, str]], stay: set[str]
) -> list[tuple[int, str, Counter[str]]]:
    """Return the entries that only one side has: which of them it is, name, words."""
    own = [(name, text) for name, text in entries if name not in stay]
    return [(place, name, _words(text)) for place, (name, text) in enumerate(own)]


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFC", text).casefold()))


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that two texts have in common, of the shorter one's."""
    least = min(one.total(), other.total())
    return (one & other).total() / least if least else 0.0
