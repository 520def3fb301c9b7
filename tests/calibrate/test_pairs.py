"""Pairs from JSON Lines: what is read, and what is named and skipped."""

from __future__ import annotations

import pytest

from memsleep.calibrate.pairs import LabelledPair, read_pairs

BAD = [
    (b"[]", "expected an object"),
    (b"{", "it is not JSON"),
    (b'{"text_a": "a", "text_b": "\xff"}', "it is not UTF-8"),
    (b'{"text_a": "a"}', "expected a text in 'text_b'"),
    (b'{"text_a": " ", "text_b": "b"}', "expected a text in 'text_a'"),
    (b'{"text_a": 1, "text_b": "b"}', "expected a text in 'text_a'"),
    (b'{"text_a": "a", "text_b": "b", "label": []}', "expected a word in 'label'"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_bad_lines(line: bytes, message: str) -> None:
    """A line that is no pair is named by its number, and those around it are read."""
    good = b'{"text_a": "a", "text_b": "b"}'
    found, bad = read_pairs(b"\n".join((good, b"", line, good)))
    assert [pair.line for pair in found] == [1, 4]
    assert [(item.line, item.message) for item in bad] == [(3, message)]


@pytest.mark.parametrize(
    ("more", "label", "kind"),
    [
        ("", "", ""),
        (', "label": null', "", ""),
        (', "label": "same", "kind": "dates"', "same", "dates"),
        (', "label": 1', "1", ""),
        (', "label": 1.0', "1", ""),
        (', "label": 0.5', "0.5", ""),
        (', "label": true', "true", ""),
        (', "label": " a\\n b ", "more": {}', "a b", ""),
    ],
)
def test_labels(more: str, label: str, kind: str) -> None:
    """Any label is taken, and none; what else a line says is nobody's business."""
    line = f'\ufeff{{"text_a": "a\u2028b", "text_b": "c"{more}}}\r\n'.encode()
    assert read_pairs(line) == ([LabelledPair(1, "a\u2028b", "c", label, kind)], [])
