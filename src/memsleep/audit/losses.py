"""Where something was lost, and what kind of thing it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from memsleep.audit.content import Piece

LossKind = Literal["file", "number", "sentence", "link", "code block", "field", "ledger", "count"]
_URL_WORDS = frozenset({"http", "https", "href", "mailto"})


@dataclass(frozen=True, slots=True, order=True)
class Loss:
    """Something of the input that is nowhere in the output. Never quotes a memory."""

    path: str
    """Where it was."""
    line: int
    """From 1; 0 where the whole file is meant."""
    kind: LossKind
    detail: str

    @property
    def place(self) -> str:
        """`path:line`, or the path alone."""
        return f"{self.path}:{self.line}" if self.line else self.path


def losses_between(path: str, before: Sequence[Piece], after: Sequence[Piece]) -> Iterator[Loss]:
    """Give one loss for each line from which pieces are missing."""
    missing = list(_missing(before, after))
    for line, group in groupby(missing, key=lambda piece: piece.line):
        lost = list(group)
        yield Loss(path, line, _kind(lost), f"{len(lost)} pieces are not in what became of it")


def _missing(before: Sequence[Piece], after: Sequence[Piece]) -> Iterator[Piece]:
    """Give the pieces that have no counterpart, by a longest run comparison."""
    head = 0
    while head < min(len(before), len(after)) and before[head].text == after[head].text:
        head += 1
    texts = [piece.text for piece in before[head:]], [piece.text for piece in after[head:]]
    matcher = SequenceMatcher(None, *texts, autojunk=False)
    for tag, start, end, _, _ in matcher.get_opcodes():
        if tag in ("delete", "replace"):
            yield from before[head + start : head + end]


def _kind(lost: Sequence[Piece]) -> LossKind:
    """Say what was lost on a line, the most telling first."""
    if any(piece.part == "code" for piece in lost):
        return "code block"
    if any(piece.part == "link" or piece.text.lower() in _URL_WORDS for piece in lost):
        return "link"
    if any(piece.part == "field" for piece in lost):
        return "field"
    words = [piece.text for piece in lost if any(char.isalnum() for char in piece.text)]
    numbers = [word for word in words if any(char.isdigit() for char in word)]
    return "number" if numbers and len(numbers) == len(words) else "sentence"
