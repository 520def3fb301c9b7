"""A second careful night at the same instant, on what the first one left, edits nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from night_kit import CORPORA, copy_corpus, land, request_for, run_night, seeded_state


@pytest.mark.parametrize("options", [{}, {"dedup.min_merges": 2}], ids=["as-configured", "capped"])
@pytest.mark.parametrize("with_state", [True, False], ids=["state", "no-state"])
@pytest.mark.parametrize("corpus", CORPORA)
def test_fixtures_are_at_rest_after_a_night(
    corpus: str, with_state: bool, options: dict[str, object], tmp_path: Path
) -> None:
    """The fixtures' situations are settled by one night, in files and in the state."""
    state_dir = seeded_state(corpus, tmp_path) if with_state else None
    root = copy_corpus(corpus, tmp_path)
    request = request_for(root, state_dir=state_dir, options=options)
    first, outcome = run_night(request)
    assert first.decisions
    land(root, state_dir, first, outcome)
    second, _ = run_night(request_for(root, state_dir=state_dir, options=options))
    assert [(item.proposal.kind, item.proposal.paths) for item in second.decisions] == []
