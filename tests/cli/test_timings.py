"""Timings go to standard error and their own file, and to no report."""

from __future__ import annotations

import json

from memsleep.cli.timings import Stopwatch
from memsleep.request import SILENCE


def test_steps_are_measured_by_name() -> None:
    """Each step has its seconds; one that is begun twice is one row."""
    watch = Stopwatch(SILENCE)
    for name in ("loading", "graph", "loading"):
        watch.start(name)
        watch.advance()
        watch.finish()
    told = json.loads(watch.to_json())
    assert list(told["seconds"]) == ["loading", "graph"]
    assert told["whole"] >= sum(told["seconds"].values()) >= 0
    assert [line.split("s  ")[1] for line in watch.lines()] == ["loading", "graph", "in all"]


def test_a_step_that_is_not_finished_ends_with_the_next() -> None:
    """A failing phase that never calls `finish` takes no other phase's time."""
    watch = Stopwatch(SILENCE)
    watch.start("triage")
    watch.start("decay")
    watch.finish()
    assert list(json.loads(watch.to_json())["seconds"]) == ["triage", "decay"]


def test_finish_without_start_is_nothing() -> None:
    """`finish` alone measures nothing."""
    watch = Stopwatch(SILENCE)
    watch.finish()
    assert json.loads(watch.to_json())["seconds"] == {}
