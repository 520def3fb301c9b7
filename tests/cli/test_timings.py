"""Timings go to standard error and their own file, and to no report."""

from __future__ import annotations

import json

from memsleep.cli.timings import Stopwatch
from memsleep.core.work import Work
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


def test_the_work_of_the_pairing_is_told() -> None:
    """How many pairs were compared, and whether short products went first."""
    watch = Stopwatch(SILENCE)
    assert "pairing" not in json.loads(watch.to_json())
    watch.work = Work()
    assert len(watch.lines()) == 1
    watch.work = Work(pairs=200, multiplied=50, sketched=210, sketch_width=64, rescored=7)
    assert json.loads(watch.to_json())["pairing"]["sketch_width"] == 64
    assert watch.lines()[-1] == (
        "pairing: 200 pairs by short products of 64, 25 % multiplied in full, 7 computed exactly"
    )
    watch.work = Work(pairs=200, multiplied=210, rescored=7)
    assert "by full products, 100 % multiplied in full" in watch.lines()[-1]
