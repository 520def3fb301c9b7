"""Files that hold several memories: entries that were edited go back into their file.

The file is put together from its own bytes, entry by entry, so that a neighbour that was edited
meanwhile keeps its edit. An entry leaves with one separator.
"""

from __future__ import annotations

from collections.abc import Mapping

from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.readers.entries import SEPARATOR_LINE, entry_path, split_entries, without_entry


def with_entry(path: str, source: bytes, own: str, names: Mapping[str, int], new: bytes) -> bytes:
    """Return a file with other bytes for one entry.

    Parameters
    ----------
    path : str
        The file.
    own : str
        Path of the entry.
    names : mapping of str to int
        Path of each entry that is left in the file -> its position now.
    """
    entries = split_entries(source)
    position = names[own]
    if position >= len(entries):
        raise EditRefused(f"{path}: the entry is no longer in the file")
    if SEPARATOR_LINE.search(new) or not new.strip():
        raise EditRefused(f"{path}: the edit would part the entry or leave nothing of it")
    entry = entries[position]
    result = splice(source, [Replacement(entry.start, entry.end, new)])
    if len(split_entries(result)) != len(entries):
        raise EditRefused(f"{path}: the edit would change another entry")
    return result


def positions(path: str, source: bytes) -> dict[str, int]:
    """Return path of each entry -> its position in the file."""
    return {entry_path(path, entry.name): entry.position for entry in split_entries(source)}


def without(path: str, source: bytes, own: str, names: dict[str, int]) -> bytes:
    """Return a file without one entry, and take its place out of the positions."""
    position = names.pop(own)
    entries = split_entries(source)
    result = without_entry(source, entries[position])
    if len(split_entries(result)) != len(entries) - 1:
        raise EditRefused(f"{path}: the entry cannot be taken out without touching another")
    for name, place in names.items():
        if place > position:
            names[name] = place - 1
    return result


def archived_entry(part: bytes, facts: Mapping[str, str]) -> bytes:
    """Return what an archived entry's own file holds: its facts as comments, then its bytes."""
    lines = [f"<!-- {key}: {_quiet(value)} -->\n" for key, value in facts.items()]
    return "".join(lines).encode("utf-8") + part + (b"" if part.endswith(b"\n") else b"\n")


def _quiet(value: str) -> str:
    """Return a value that cannot end a comment."""
    return " ".join(value.split()).replace("--", "- -").replace(">", "")
