r"""Unified hunks between two versions of a file, as bytes.

A line ends at `\n` and nowhere else: a carriage return, a form feed or U+2028 is part of its line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT_LINES = 3
WORK_LIMIT = 10_000_000  # equal line pairs times shared lines: about half a second of difflib
NO_NEWLINE = b"\n\\ No newline at end of file\n"

Block = tuple[int, int, int, int]
"""Lines `[a1, a2)` of the old file give way to lines `[b1, b2)` of the new one."""
Comparison = Callable[[Sequence[Hashable], Sequence[Hashable]], list[Block]]


def split_lines(source: bytes) -> list[bytes]:
    r"""Return the lines with their `\n`; the last one may lack it."""
    lines = [line + b"\n" for line in source.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _common_start(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def _costly(a: Sequence[Hashable], b: Sequence[Hashable]) -> bool:
    """Return True where so many lines repeat that difflib would take cubic time."""
    in_a, in_b = Counter(a), Counter(b)
    shared = in_a & in_b
    pairs = sum(in_a[line] * in_b[line] for line in shared)
    return pairs * shared.total() > WORK_LIMIT


def _anchors(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the longest rising run of lines that occur once in each, as (row in a, row in b)."""
    in_a, in_b = Counter(a), Counter(b)
    place = {line: row for row, line in enumerate(b) if in_b[line] == 1}
    tails: list[int] = []  # last row in b of the best run of each length
    runs: list[tuple[int, int, int]] = []  # row in a, row in b, index of the one before
    heads: list[int] = []  # index in runs of each tail
    for row, line in enumerate(a):
        if in_a[line] == 1 and line in place:
            length = bisect_left(tails, place[line])
            runs.append((row, place[line], heads[length - 1] if length else -1))
            tails[length : length + 1] = [place[line]]
            heads[length : length + 1] = [len(runs) - 1]
    found, at = [], heads[-1] if heads else -1
    while at >= 0:
        found.append(runs[at][:2])
        at = runs[at][2]
    return found[::-1]


def _matched(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Block]:
    opcodes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return [(a1, a2, b1, b2) for tag, a1, a2, b1, b2 in opcodes if tag != "equal"]


def _whole(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Block]:
    return [(0, len(a), 0, len(b))]


def _compare(a: Sequence[Hashable], b: Sequence[Hashable], when_costly: Comparison) -> list[Block]:
    start = _common_start(a, b)
    end = _common_start(a[start:][::-1], b[start:][::-1])
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    if not a and not b:
        return []
    if not a or not b:
        blocks = _whole(a, b)
    else:
        blocks = when_costly(a, b) if _costly(a, b) else _matched(a, b)
    return list(_shifted(blocks, start, start))


def _shifted(blocks: Iterable[Block], a_by: int, b_by: int) -> Iterator[Block]:
    for a1, a2, b1, b2 in blocks:
        yield a1 + a_by, a2 + a_by, b1 + b_by, b2 + b_by


def _by_anchors(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Block]:
    """Compare only between lines that are certain, so that the diff of a long file stays small."""
    found: list[Block] = []
    a1 = b1 = 0
    for a2, b2 in [*_anchors(a, b), (len(a), len(b))]:
        found += _shifted(_compare(a[a1:a2], b[b1:b2], _whole), a1, b1)
        a1, b1 = a2 + 1, b2 + 1
    return found


def changed_blocks(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Block]:
    """Return what changed, in order; rows may be lines or the words of a text.

    The lines that both ends share are set aside first. What is left goes through difflib; where
    that would take too long it is cut at lines that occur once in each, and a piece that is still
    too long to compare is replaced as one block.
    """
    return _compare(a, b, _by_anchors)


def _grouped(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Put blocks whose context would touch or overlap into one hunk."""
    group: list[Block] = []
    for block in blocks:
        if group and block[0] - group[-1][1] > 2 * CONTEXT_LINES:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _range(start: int, stop: int) -> bytes:
    count = stop - start
    if count == 1:
        return b"%d" % (start + 1)
    return b"%d,%d" % (start + 1 if count else start, count)


def _marked(mark: bytes, lines: Sequence[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line if line.endswith(b"\n") else mark + line + NO_NEWLINE


def _hunk(a: Sequence[bytes], b: Sequence[bytes], group: Sequence[Block]) -> Iterator[bytes]:
    a_start = max(group[0][0] - CONTEXT_LINES, 0)
    a_stop = min(group[-1][1] + CONTEXT_LINES, len(a))
    b_start = max(group[0][2] - CONTEXT_LINES, 0)
    b_stop = min(group[-1][3] + CONTEXT_LINES, len(b))
    yield b"@@ -%b +%b @@\n" % (_range(a_start, a_stop), _range(b_start, b_stop))
    at = a_start
    for a1, a2, b1, b2 in group:
        yield from _marked(b" ", a[at:a1])
        yield from _marked(b"-", a[a1:a2])
        yield from _marked(b"+", b[b1:b2])
        at = a2
    yield from _marked(b" ", a[at:a_stop])


def hunks(before: bytes, after: bytes) -> bytes:
    """Return the unified hunks with three lines of context; nothing where both are equal."""
    if before == after:
        return b""
    a, b = split_lines(before), split_lines(after)
    pieces = (piece for group in _grouped(changed_blocks(a, b)) for piece in _hunk(a, b, group))
    return b"".join(pieces)
