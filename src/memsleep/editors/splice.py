"""The one way in which the bytes of a memory change: spans are replaced, the rest stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memsleep.errors import EditRefused


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """New bytes for the span `[start, end)` of a source; an empty span is an insertion."""

    start: int
    end: int
    new: bytes


def splice(source: bytes, edits: Sequence[Replacement]) -> bytes:
    """Return the source with each span replaced; every byte outside the spans is unchanged.

    Spans refer to the source as it is given. Insertions at one place are written in the order
    in which they are given. The very same object comes back when nothing changes.

    Raises
    ------
    EditRefused
        Two spans overlap, an insertion lies inside a span, or a span is not in the source.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    _check_spans(source, ordered)
    result = source
    for edit in reversed(ordered):
        if source[edit.start : edit.end] != edit.new:
            result = result[: edit.start] + edit.new + result[edit.end :]
    return result


def _check_spans(source: bytes, ordered: Sequence[Replacement]) -> None:
    """Refuse spans that are out of bounds or overlap; `ordered` is sorted by position."""
    reached = 0
    for edit in ordered:
        line = source.count(b"\n", 0, max(edit.start, 0)) + 1
        if not 0 <= edit.start <= edit.end <= len(source):
            found = f"[{edit.start}, {edit.end})"
            raise EditRefused(f"expected a span inside the file, found {found}", line=line)
        if edit.start < reached:
            raise EditRefused("two edits touch the same bytes", line=line)
        reached = edit.end
