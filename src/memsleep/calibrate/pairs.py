"""Pairs of texts from JSON Lines: `text_a`, `text_b`, and what else is known of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

MERGED = frozenset({"same", "duplicate", "paraphrase", "equivalent", "yes", "true", "1"})
"""Labels of pairs that should merge."""
EITHER = frozenset({"complements", "entailment", ""})
"""Labels of pairs that may merge or not; the empty one is of a pair without a label.

What follows from a text may be the same or less. Of any other label, contradiction, neutral and 0
among them, a pair must not merge: neutral texts tell two facts.
"""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two texts, and what somebody says of them."""

    line: int
    """Line in the file, from 1."""
    text_a: str
    """The older one: it would be kept."""
    text_b: str
    label: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no pair, and why. Never quotes it."""

    line: int
    message: str


def read_pairs(source: bytes) -> tuple[list[LabelledPair], list[BadLine]]:
    """Return the pairs of a JSON Lines file and the lines that are none; blank ones are skipped."""
    found: list[LabelledPair] = []
    bad: list[BadLine] = []
    for number, line in _lines(source):
        try:
            found.append(_pair(number, line))
        except ValueError as error:
            bad.append(BadLine(number, _why(error)))
    return found, bad


def _lines(source: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(source.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if line.strip():
            yield number, line


def _pair(number: int, line: bytes) -> LabelledPair:
    values = json.loads(line.decode("utf-8"))
    if not isinstance(values, dict):
        raise ValueError("expected an object")  # noqa: TRY004 (a bad line, not a wrong call)
    text_a, text_b = _text(values, "text_a"), _text(values, "text_b")
    return LabelledPair(number, text_a, text_b, _word(values, "label"), _word(values, "kind"))


def _text(values: dict[str, object], name: str) -> str:
    text = values.get(name)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"expected a text in {name!r}")
    return text


def _word(values: dict[str, object], name: str) -> str:
    """Return a label or a kind: a text, a number or a truth value; absent and null are empty."""
    value = values.get(name)
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str | int | float):
        return " ".join(str(value).split())
    raise ValueError(f"expected a word in {name!r}")


def _why(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return "it is not JSON"
    return str(error)
