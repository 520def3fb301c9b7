"""The full sweep: `python tests/faults/sweep.py [--what kills|agent|together] [--points N] ...`.

`agent`: nights beside a process that rewrites memories. `together`: two runs in the same instant.
`kills` counts the system calls of a landing with a tracer, then kills one landing at each of N,
spread evenly, lets the next start make the corpus whole, and prints a table of what it found.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "src")]

from agents import agent_and_runs, runs_together  # noqa: E402

from faults_kit import (  # noqa: E402
    Stage,
    check_whole,
    counted,
    driver,
    make_corpus,
    make_stage,
    strace,
)


def kill_points(stage: Stage, step: str) -> list[tuple[str, int]]:
    """Return (call, number) of every call that one landing makes, in a fixed order."""
    root = stage.fresh("counted")
    log = stage.folder / "calls.log"
    done = driver(step, root, under=strace(log))
    assert done.returncode == 0, done.stderr.decode()
    shutil.rmtree(root.parent)
    return [(name, n + 1) for name, count in sorted(counted(log).items()) for n in range(count)]


def spread(points: list[tuple[str, int]], wanted: int) -> list[tuple[str, int]]:
    """Return so many of the points, evenly."""
    wanted = min(wanted, len(points))
    return [points[number * len(points) // wanted] for number in range(wanted)]


def kill_at(stage: Stage, step: str, call: str, number: int) -> tuple[bool, str]:
    """Kill one landing at a call; return whether it died there, and what became of it."""
    root = stage.fresh(f"{call}-{number}")
    inject = ["-e", f"inject={call}:signal=SIGKILL:when={number}"]
    died = driver(step, root, under=strace(stage.folder / "kill.log", *inject))
    try:
        outcome = check_whole(stage, root)
    except AssertionError as error:
        raise AssertionError(f"killed at {call} {number}, kept in {root}: {error}") from error
    shutil.rmtree(root.parent)
    return died.returncode != 0, outcome


def main() -> int:
    """Sweep, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--what", default="kills", choices=["kills", "agent", "together"])
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memsleep-beside-") as folder:
        root = make_corpus(Path(folder) / "corpus", 16)
        if options.what == "agent":
            print(agent_and_runs(root, options.runs))
            return 0
        if options.what == "together":
            worked = runs_together(root, options.rounds)
            print(
                f"{len(worked)} times two runs at once: exactly one worked {worked.count(1)} times"
            )
            return 0 if set(worked) == {1} else 1
    return kills(options)


def kills(options: argparse.Namespace) -> int:
    """Kill one landing after the other, and print the table."""
    with tempfile.TemporaryDirectory(
        prefix="memsleep-sweep-", ignore_cleanup_errors=True
    ) as folder:
        stage = make_stage(Path(folder), options.pairs)
        points = kill_points(stage, "apply")
        table: Counter[tuple[str, str]] = Counter()
        for call, number in spread(points, options.points):
            died, outcome = kill_at(stage, "apply", call, number)
            table[call, outcome if died else "not reached"] += 1
    print(f"{len(points)} calls that change something, {sum(table.values())} kills")
    for (call, outcome), count in sorted(table.items()):
        print(f"  {call:<12} {outcome:<24} {count:>5}")
    print("every one whole: the state before or after, state and files agree, the next run lands")
    return 0


if __name__ == "__main__":
    sys.exit(main())
