from __future__ import annotations

import os

import pytest
from sweep import kill_at, kill_points, spread

from faults_kit import Stage, check_whole, driver, has_strace, make_stage
from refold_kit import files_of

POINTS = 9
needs_tracer = pytest.mark.skipif(
    not has_strace() and os.environ.get("MEMSLEEP_REQUIRE_STRACE") != "1",
    reason="no strace here; the gate installs it",
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return make_stage(tmp_path_factory.mktemp("stage"), pairs=2)


@needs_tracer
def test_a_kill_at_any_call_leaves_a_whole_state(stage: Stage) -> None:
    """A sample of the sweep: the state before or after, state and files agree, the next lands."""
    points = [point for point in kill_points(stage, "apply") if point[0] != "pwrite64"]
    died = [kill_at(stage, "apply", *point)[0] for point in spread(points, POINTS)]
    assert died.count(True) >= POINTS - 1


CRASHES = {
    "after the files, before the state": "after and said so",
    "after the state, before the record": "after and said so",
    "the state first, in the middle of the files": "after and said so",
    "in the middle of the files": "after and said so",
    "while it is taken back": "after and said so",
    "before the journal is committed": "before and said so",
}


@pytest.mark.parametrize("crash", CRASHES)
def test_crashes_around_the_state(crash: str, stage: Stage) -> None:
    """State and files agree afterwards, in whichever order the two were cut off."""
    root = stage.fresh(crash.replace(" ", "-").replace(",", ""))
    died = driver("crash", root, crash)
    assert died.returncode == -9, died.stderr.decode()
    assert check_whole(stage, root) == CRASHES[crash]


@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM"])
def test_a_signal_in_the_middle_leaves_a_whole_state(signal: str, stage: Stage) -> None:
    """Ctrl-C takes the landing back at once; a termination is a kill to the next start."""
    root = stage.fresh(signal)
    died = driver("crash", root, signal)
    assert died.returncode != 0
    if signal == "SIGINT":
        assert files_of(root) == stage.before
    assert check_whole(stage, root).startswith("before" if signal == "SIGINT" else "after")
