"""Forms of one fact in English: how dates, hours, measures, shares and signs may be written.

`forms.txt` holds sentences with a gap; each line below one holds forms that say the same in it,
and two lines never do.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.calibrate.judging import judged
from memsleep.calibrate.pairs import LabelledPair

Groups = list[list[str]]


def _frames() -> Iterator[tuple[str, Groups]]:
    frame, groups = "", Groups()
    lines = Path(__file__).with_name("forms.txt").read_bytes().decode().split("\n")
    for line in (*lines, "end"):
        if line.startswith("  "):
            groups.append([form.strip() for form in line.split(" | ")])
        elif line and not line.startswith("#"):
            if groups:
                yield frame, groups
            frame, groups = line, []


FRAMES = list(_frames())


def _outcomes(frame: str, pairs: list[tuple[str, str]]) -> list[tuple[str, str, str]]:
    labelled = [
        LabelledPair(number, frame.format(one), frame.format(other), "", "form")
        for number, (one, other) in enumerate(pairs)
    ]
    told = judged(labelled, kit.CAREFUL, None)
    return [(item.outcome, *pair) for item, pair in zip(told, pairs, strict=True)]


@pytest.mark.parametrize(("frame", "groups"), FRAMES, ids=[frame for frame, _ in FRAMES])
def test_forms_of_one_fact_merge(frame: str, groups: Groups) -> None:
    """The first form of a line merges with every other one, whichever is the older."""
    pairs = [(forms[0], other) for forms in groups for other in forms[1:]]
    pairs += [(other, one) for one, other in pairs]
    assert [row for row in _outcomes(frame, pairs) if row[0] != "merge"] == []


@pytest.mark.parametrize(("frame", "groups"), FRAMES, ids=[frame for frame, _ in FRAMES])
def test_another_fact_never_merges(frame: str, groups: Groups) -> None:
    """The first form of a line is a question beside every form of the others."""
    pairs = [
        (forms[0], other)
        for forms in groups
        for others in groups
        if others is not forms
        for other in others
    ]
    assert pairs
    assert [row for row in _outcomes(frame, pairs) if row[0] == "merge"] == []


def test_the_table_is_read() -> None:
    """There are many frames and forms, or a loss would go unseen."""
    assert len(FRAMES) >= 15
    assert sum(len(forms) for _, groups in FRAMES for forms in groups) >= 500
