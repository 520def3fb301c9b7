"""What two texts do not share, word by word; Chinese, Japanese and Korean by characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memsleep.patch_hunks import Block, changed_blocks

_BY_CHARACTER = (
    "\u0e00-\u0eff\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff"
)
_TOKEN = re.compile(
    f"[{_BY_CHARACTER}]|[^\\x00-/:-@\\[-^`{{-\\xa0\u2000-\u206f{_BY_CHARACTER}]+|[^ \t\r\n]"
)
_UNRELATED = 0.3
"""Below this share of common words the marks would only be confetti."""

_LONG_CHANGE = 10
"""Words that differ, both texts and both sides of a single common word counted."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and whether the other text lacks it."""

    text: str
    differs: bool


def _cut_up(text: str) -> list[str]:
    """Return words and single signs, each with the white space before it."""
    ends = [match.end() for match in _TOKEN.finditer(text)]
    starts = [0, *ends]
    pieces = [text[start:end] for start, end in zip(starts, ends, strict=False)]
    tail = text[starts[-1] :]
    return [*pieces[:-1], pieces[-1] + tail] if pieces else [tail] * bool(tail)


def _belong_together(one: Block, other: Block, words: Sequence[str]) -> bool:
    """Return True where one or two signs lie between, or one word between two long changes."""
    between = words[one[1] : other[0]]
    changed = sum(block[1] - block[0] + block[3] - block[2] for block in (one, other))
    return len("".join(between)) <= 2 or (len(between) <= 1 and changed >= _LONG_CHANGE)


def _joined(blocks: Iterable[Block], words: Sequence[str]) -> list[Block]:
    """Join changes that next to nothing keeps apart: they read better as one."""
    joined: list[Block] = []
    for a1, a2, b1, b2 in blocks:
        if joined and _belong_together(joined[-1], (a1, a2, b1, b2), words):
            first = joined.pop()
            joined.append((first[0], a2, first[2], b2))
        else:
            joined.append((a1, a2, b1, b2))
    return joined


def _marked(tokens: Sequence[str], spans: Iterable[tuple[int, int]]) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for start, stop in spans:
        pieces.append(Piece("".join(tokens[at:start]), differs=False))
        changed = "".join(tokens[start:stop])
        word = changed.lstrip(" \t\r\n")
        pieces.append(Piece(changed[: len(changed) - len(word)], differs=False))
        pieces.append(Piece(word, differs=True))
        at = stop
    pieces.append(Piece("".join(tokens[at:]), differs=False))
    return [piece for piece in pieces if piece.text]


def word_diff(a: str, b: str) -> tuple[list[Piece], list[Piece]]:
    """Return both texts in pieces, those that only one of them has marked.

    White space is never a difference. Texts that have next to nothing in common come back without
    marks. The pieces of each side join to that side's text.
    """
    a_tokens, b_tokens = _cut_up(a), _cut_up(b)
    a_words = [token.strip(" \t\r\n") for token in a_tokens]
    b_words = [token.strip(" \t\r\n") for token in b_tokens]
    blocks = changed_blocks(a_words, b_words)
    kept = len(a_words) - sum(a2 - a1 for a1, a2, _, _ in blocks)
    if kept < _UNRELATED * max(len(a_words), len(b_words)):
        return _marked(a_tokens, []), _marked(b_tokens, [])
    blocks = _joined(blocks, a_words)
    a_spans = [(a1, a2) for a1, a2, _, _ in blocks if a1 < a2]
    b_spans = [(b1, b2) for _, _, b1, b2 in blocks if b1 < b2]
    return _marked(a_tokens, a_spans), _marked(b_tokens, b_spans)
