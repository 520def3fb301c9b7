"""What a report may hold."""

from __future__ import annotations

import os

import pytest
from pydantic import ValidationError

from memsleep.report.data import (
    Candidates,
    Check,
    RefusalCause,
    Report,
    Text,
    Upcoming,
    undo_command,
)
from report.sample import sample_report


@pytest.mark.parametrize(
    ("candidates", "merged", "reviewed", "refused", "adds_up"),
    [
        (0, 0, 0, (), True),
        (6, 1, 2, (1, 2), True),
        (7, 1, 2, (1, 2), False),
        (5, 1, 2, (1, 2), False),
    ],
)
def test_every_candidate_is_accounted_for(
    candidates: int, merged: int, reviewed: int, refused: tuple[int, ...], adds_up: bool
) -> None:
    """Merged, reviewed and refused pairs must make all candidates, one by one."""
    causes = tuple(RefusalCause(cause=str(count), count=count) for count in refused)
    found = Candidates(candidates=candidates, merged=merged, reviewed=reviewed, refused=causes)
    assert found.adds_up is adds_up


def test_names_that_are_no_utf8_are_spelt_out() -> None:
    """A file name with stray bytes is shown with them, in every nesting."""
    path = os.fsdecode(b"caf\xe9.md")
    assert Text(path=path).path == "caf\\xe9.md"
    review = sample_report().reviews[0].model_dump()
    review["evidence"] = {path: path}
    assert type(sample_report().reviews[0]).model_validate(review).evidence == {
        "caf\\xe9.md": "caf\\xe9.md"
    }


@pytest.mark.parametrize(
    ("make", "fields"),
    [
        (Upcoming, {"path": "a", "what": "vanishes", "date": "2026-01-01"}),
        (Candidates, {"candidates": -1}),
        (Check, {"name": "a", "passed": True, "seconds": 1.5}),
        (Report, {}),
    ],
)
def test_what_is_not_in_the_contract_is_refused(make: type, fields: dict[str, object]) -> None:
    """Unknown fields, unknown words and negative counts never get into a report."""
    with pytest.raises(ValidationError):
        make(**fields)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_figures_are_finite(value: float) -> None:
    """JSON has no word for what is not a number."""
    decision = {"id": "1", "phase": "p", "kind": "k", "paths": ("a",), "reason": "r"}
    with pytest.raises(ValidationError):
        sample_report(deferred=({"id": "1", "path": "a", "reason": "r", "score": value},))
    with pytest.raises(ValidationError):
        sample_report(decisions=({**decision, "evidence": {"x": value}},))


def test_undo_command() -> None:
    """The command names the run first, then the decision."""
    assert undo_command("2026-03-01-1", "4f2c81") == "memsleep undo 2026-03-01-1 4f2c81"
