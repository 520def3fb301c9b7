"""How long the gate takes, inside a night and as a command over two commits.

Usage: python benchmarks/gate.py [--n 10000] [--seed 7] [--runs 3]
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import corpus as generated
from memsleep.gate import GateResult, Side, measure, side_of
from memsleep.night import propose_night
from memsleep.night.gating import gauge_of
from memsleep.request import RunRequest
from memsleep.settings import Settings

NOW = "2026-11-30T03:00:00Z"


def seconds(action: Callable[[], GateResult], runs: int) -> tuple[GateResult, dict[str, float]]:
    """Return what an action gives, and the medians of its wall and CPU time."""
    wall, cpu = [], []
    for _ in range(runs):
        start, worked = time.perf_counter(), time.process_time()
        found = action()
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - worked)
    return found, {
        "wall_s": round(statistics.median(wall), 2),
        "cpu_s": round(statistics.median(cpu), 2),
    }


def figures(n: int, seed: int, runs: int) -> dict[str, object]:
    """Return all figures for a generated corpus and the night over it."""
    settings = Settings()
    with tempfile.TemporaryDirectory(prefix="memsleep-bench-") as folder:
        root, scratch = Path(folder) / "corpus", Path(folder) / "scratch"
        scratch.mkdir()
        generated.write(root, n, seed)
        _, result = propose_night(RunRequest(corpus=root, settings=settings, now=NOW), scratch)
    before, after = side_of(result.start), side_of(result.end)
    gauge = gauge_of(settings)
    found, timing = seconds(lambda: measure(before, after, gauge), runs)
    small, idle = seconds(lambda: measure(before, Side(before.memories, ()), gauge), runs)
    return {
        "memories": found.memories,
        "decisions": len(result.decisions),
        "touched": found.touched,
        "sentences": found.details,
        "sample": found.sample_after.questions,
        "passed": found.passed,
        "recall_at_10": [found.touched_before.recall, found.touched_after.recall],
        "gate": timing,
        "gate of a night that did nothing": {**idle, "questions": small.sample_after.questions},
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    print(json.dumps(figures(given.n, given.seed, given.runs), indent=1))
