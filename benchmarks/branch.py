"""Time and memory of the git branch mode: 2,000 changed files in 10 commits.

    python benchmarks/branch.py [--files 2000] [--commits 10] [--corpus 10000] [--history 0 1000]

Makes a repository with so many memories and so many commits of history, and lands a synthetic
plan. Prints the seconds of `land` alone and the peak memory of this process and of git.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from memsleep.landing.branch import branch_sink
from memsleep.landing.sink import PhaseFold, RunMeta

TEXT = b"---\ntitle: Memory %d\ncreated: 2026-01-01\nconfidence: 0.8\n---\n\n" + b"Words. " * 250


def git(root: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Run git and return what it says."""
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], input=stdin, check=True, capture_output=True
    )
    return done.stdout.decode().strip()


def repository(root: Path, corpus: int, history: int) -> str:
    """Make a repository; its history touches one file a commit."""
    git(root.parent, "init", "--quiet", "--initial-branch=main", str(root))
    git(root, "config", "user.name", "Bench")
    git(root, "config", "user.email", "bench@example.org")
    git(root, "config", "gc.auto", "0")
    stream = [b"commit refs/heads/main\ncommitter B <b@example.org> 0 +0000\ndata 0\n"]
    for number in range(corpus):
        body = TEXT % number
        stream.append(f"M 100644 inline {name(number)}\ndata {len(body)}\n".encode() + body + b"\n")
    for number in range(history):
        body = b"%d\n" % number * 200
        stream.append(b"commit refs/heads/main\ncommitter B <b@example.org> 0 +0000\ndata 0\n")
        stream.append(f"M 100644 inline log.txt\ndata {len(body)}\n".encode() + body + b"\n")
    git(root, "fast-import", "--quiet", stdin=b"".join(stream))
    git(root, "reset", "--quiet", "--hard")
    return git(root, "rev-parse", "HEAD")


def name(number: int) -> str:
    """Return the path of a memory."""
    return f"topics/{number % 97:02}/memory-{number:06}.md"


def plan(files: int, commits: int) -> list[PhaseFold]:
    """Change so many files in all, an even share a commit; a tenth of them moves."""
    share = files // commits
    phases = []
    for commit in range(commits):
        numbers = range(commit * share, (commit + 1) * share)
        moved = [number for number in numbers if number % 10 == 0]
        moves = {name(number): f"archive/2026/{name(number)}" for number in moved}
        after = {name(n): TEXT % n + b"\nchanged\n" for n in numbers if n not in moved}
        after |= {moves[name(n)]: TEXT % n + b"\narchived\n" for n in moved}
        phases.append(
            PhaseFold(
                name=f"phase{commit}",
                before={name(number): TEXT % number for number in numbers},
                after=after,
                moves=moves,
                decisions=tuple(f"{number:012x}" for number in numbers),
                counts={"set-field": len(numbers) - len(moved), "archive": len(moved)},
                lines=tuple(f"set-field {name(number)}" for number in numbers),
            )
        )
    return phases


def main() -> None:
    """Measure each history."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--corpus", type=int, default=10_000)
    parser.add_argument("--history", type=int, nargs="*", default=[0, 5000])
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    phases = plan(given.files, given.commits)
    for history in given.history:
        measure(given.corpus, history, phases, given.repeat)


def measure(corpus: int, history: int, phases: list[PhaseFold], repeat: int) -> None:
    """Print one line: the median of several landings, each in its own process for its memory."""
    seconds, own, gits = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "r"
        base = repository(root, corpus, history)
        for attempt in range(repeat):
            reading, writing = os.pipe()
            child = os.fork()
            if child == 0:
                run = RunMeta(
                    run_id=f"sleep/2026-11-{attempt + 10}",
                    now=f"2026-11-{attempt + 10}T03:00:00Z",
                    base_commit=base,
                    plan_digest=str(attempt),
                )
                begun = time.perf_counter()
                landing = branch_sink(root).land(run, phases)
                took = time.perf_counter() - begun
                assert landing.tip is not None
                peak = [
                    resource.getrusage(who).ru_maxrss // 1024
                    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
                ]
                os.write(writing, f"{took} {peak[0]} {peak[1]}".encode())
                os._exit(0)
            os.close(writing)
            with os.fdopen(reading, "rb") as stream:
                told = stream.read().decode().split()
            os.waitpid(child, 0)
            seconds.append(float(told[0]))
            own, gits = max(own, int(told[1])), max(gits, int(told[2]))
    changed = sum(len(phase.before) for phase in phases)
    print(
        f"{changed} files in {len(phases)} commits, corpus {corpus}, history {history}: "
        f"{sorted(seconds)[len(seconds) // 2]:.2f} s ({min(seconds):.2f}-{max(seconds):.2f}), "
        f"peak {own} MB, git {gits} MB"
    )


if __name__ == "__main__":
    main()
