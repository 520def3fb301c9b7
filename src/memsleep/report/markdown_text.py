"""Text of a corpus inside Markdown: it can neither forge structure nor call anybody.

Made for GitHub's flavour, the strictest case: mentions, issue numbers and bare addresses become
links there even where Markdown itself sees plain text. A zero-width entity in their middle keeps
them text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memsleep.report.shown import flattened, shown, without_terminal_escapes

_BREAK = "&#8203;"
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_PUNCTUATION = re.compile(r"[\\`*_\[\]|~$^{}!]")
_CALLS = re.compile(r"[@#]|:(?=//)|(?<=[Gg][Hh])-(?=[0-9])|(?<=[Ww]{3})\.|(?<=\bmailto):")
_BARE_PIPE = re.compile(r"(?<!\\)\|")  # in code, where nothing else escapes it
_LEADING = re.compile(r"\A([-+=](?=[-= ]|\Z)|[0-9]{1,9}(?=[.)](?: |\Z)))")


def _escaped(line: str) -> str:
    line = re.sub("[&<>]", lambda match: _ENTITIES[match[0]], line)
    line = _PUNCTUATION.sub(r"\\\g<0>", line)
    return _CALLS.sub(lambda match: _BREAK + match[0] + _BREAK, line)


def _short(text: str, limit: int) -> str:
    line = flattened(text)
    return line if len(line) <= limit else line[:limit] + " \N{HORIZONTAL ELLIPSIS}"


def inline(text: str, limit: int = 400) -> str:
    """Return text for the middle of a line, a table cell or a heading, cut at `limit`."""
    return _LEADING.sub(rf"{_BREAK}\1", _escaped(_short(text, limit)))


def prose(text: str, limit: int = 2000) -> str:
    """Return a sentence of ours that may hold text of a memory; what is in backticks is code."""
    pieces = _short(text, limit).split("`")
    if len(pieces) % 2 == 0:
        return inline(text, limit)
    parts = [code(piece) if odd else _escaped(piece) for odd, piece in _alternating(pieces)]
    return _LEADING.sub(rf"{_BREAK}\1", "".join(parts))


def _alternating(pieces: Sequence[str]) -> list[tuple[bool, str]]:
    return [(row % 2 == 1, piece) for row, piece in enumerate(pieces)]


def code(text: str) -> str:
    """Return text as inline code."""
    line = flattened(text) or " "
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence(text: str, language: str = "") -> list[str]:
    """Return running text as a fenced block that none of its lines can close."""
    clean = shown(without_terminal_escapes(text))
    longest = max((len(run) for run in re.findall("`+", clean)), default=0)
    ticks = "`" * max(3, longest + 1)
    return [ticks + language, *clean.split("\n"), ticks]


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: str = "") -> list[str]:
    """Return a table; `right` holds `r` at the columns of figures. Cells are Markdown already."""
    places = right.ljust(len(head))
    rule = ["--:" if place == "r" else "---" for place in places]
    cells = [[_BARE_PIPE.sub(r"\\|", cell) for cell in row] for row in (head, rule, *rows)]
    return [f"| {' | '.join(row)} |" for row in cells]


def folded(summary: str, lines: Sequence[str]) -> list[str]:
    """Return lines behind a summary; the summary is words of ours, never text of a memory."""
    return ["<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>"]
