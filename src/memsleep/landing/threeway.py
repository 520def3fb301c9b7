"""What a run did to a file, taken out of the file as somebody has edited it since.

Line by line: what only one side changed is taken over; where both changed the same or touching
lines nobody can say what is meant, and the answer is None.
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import SequenceMatcher
from itertools import pairwise

Edit = tuple[int, int, list[bytes]]


def merged(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return `ours` with the change from `base` to `theirs`; None when they overlap."""
    if base == theirs or ours == theirs:
        return ours
    if base == ours:
        return theirs
    lines = _lines(base)
    mine, other = _edits(lines, _lines(ours)), _edits(lines, _lines(theirs))
    edits = sorted(mine + [edit for edit in other if edit not in mine], key=lambda e: e[:2])
    for one, two in pairwise(edits):
        if two[0] <= one[1]:  # touching lines count as overlapping
            return None
    for start, end, new in reversed(edits):
        lines[start:end] = new
    return b"".join(lines)


def _lines(source: bytes) -> list[bytes]:
    parts = source.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _edits(base: list[bytes], other: list[bytes]) -> list[Edit]:
    matcher = SequenceMatcher(None, base, other, autojunk=False)
    return [
        (start, end, other[low:high])
        for tag, start, end, low, high in matcher.get_opcodes()
        if tag != "equal"
    ]


def ledger_changed(ours: bytes, base: bytes, theirs: bytes) -> bytes:
    """Return a ledger with the lines that theirs lacks taken out and its new ones added at the end.

    Lines are independent of each other, so that those of other runs never stand in the way.
    """
    old, new = _lines(base), _lines(theirs)
    gone, added = _without(old, new), _without(new, old)
    kept = _without(_lines(ours), gone)
    return b"".join([*kept, *added])


def _without(lines: list[bytes], taken: Collection[bytes]) -> list[bytes]:
    """Return lines without those taken, each as often as it is taken."""
    left = list(taken)
    kept = []
    for line in lines:
        if line in left:
            left.remove(line)
        else:
            kept.append(line)
    return kept
