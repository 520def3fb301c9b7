from __future__ import annotations

import os
from pathlib import Path

import pytest
from sync_sweep import kill_at, make_scenes, points

from faults_kit import has_strace

needs_tracer = pytest.mark.skipif(
    not has_strace() and os.environ.get("MEMSLEEP_REQUIRE_STRACE") != "1",
    reason="no strace here; the gate installs it",
)


@needs_tracer
@pytest.mark.parametrize(("name", "sample"), [("enqueue", 3), ("drain", 3), ("sync", 1)])
def test_a_kill_at_any_call_loses_and_doubles_nothing(
    tmp_path: Path, name: str, sample: int
) -> None:
    """A sample of the sweep: whatever was under way, the second try makes it whole."""
    (scene,) = make_scenes(tmp_path, [name])
    found = points(scene, tmp_path)
    chosen = [found[(2 * n + 1) * len(found) // (2 * sample)] for n in range(sample)]
    assert [kill_at(scene, tmp_path, call, number) for call, number in chosen] == [True] * sample
