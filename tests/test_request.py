from __future__ import annotations

import pytest

from memsleep.request import Outcome

CASES = [
    pytest.param({}, 0, 0, id="quiet-night"),
    pytest.param({"changes": 2}, 0, 1, id="changes"),
    pytest.param({"unreadable": 1}, 0, 1, id="unreadable-files"),
    pytest.param({"failed_phases": ("dedup",)}, 3, 3, id="failed-phase"),
    pytest.param({"failed_phases": ("dedup",), "changes": 2}, 3, 3, id="failed-phase-and-changes"),
]


@pytest.mark.parametrize(("values", "plain", "with_findings"), CASES)
def test_the_exit_code_follows_from_the_outcome(
    values: dict[str, object], plain: int, with_findings: int
) -> None:
    """Findings count only where they matter; a failed phase always does."""
    outcome = Outcome(output=b"", **values)  # type: ignore[arg-type]
    assert outcome.exit_code() == plain
    assert outcome.exit_code(findings_matter=True) == with_findings
