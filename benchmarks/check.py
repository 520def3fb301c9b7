"""`memsleep check` over a generated corpus: cold, warm, and the change of ten files against a base.

Usage: python benchmarks/check.py [--n 10000] [--runs 3] [--format html|markdown]
Prints JSON: wall and CPU seconds, peak memory of the largest process and of all together, findings.
Budgets on two cores: cold 15 s and 500 MB, warm 3 s, base 2 s.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import corpus as generated

NOW = "2026-11-30T03:00:00Z"
CHANGED = 10


def measure(root: Path, state_dir: Path, *options: str) -> dict[str, Any]:
    """Run one check in a process of its own and return what it cost."""
    command = [sys.executable, "-m", "memsleep", "check", str(root), "--now", NOW, "--json"]
    command += ["--state-dir", str(state_dir), *options]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    # An installed program has its bytecode; a checkout may be told to write none.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(state_dir.parent / "bytecode")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    ) as process:
        peak = [0]
        watcher = threading.Thread(target=_watch, args=(process, peak))
        watcher.start()
        out, _ = process.communicate()
        watcher.join()
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    document = json.loads(out)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "wall_s": round(wall, 2),
        "cpu_s": round(cpu, 2),
        "peak_mb": round(peak[0] / 1024),
        "findings": len(document["findings"]),
        "checked": document["checked"],
    }


def _watch(process: subprocess.Popen[bytes], peak: list[int]) -> None:
    """Keep the largest sum of the proportional memory of a process and its children, in KB."""
    while process.poll() is None:
        peak[0] = max(peak[0], sum(_memory(pid) for pid in _family(process.pid)))
        time.sleep(0.05)


def _family(pid: int) -> list[int]:
    family = [pid]
    for one in family:
        try:
            text = Path(f"/proc/{one}/task/{one}/children").read_bytes()
        except OSError:
            continue
        family += [int(child) for child in text.split()]
    return family


def _memory(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_bytes().split(b"\n")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(b"Pss:")), 0)


def commit_all(root: Path, message: str) -> None:
    """Commit everything."""
    git = ["git", "-C", str(root), "-c", "user.name=b", "-c", "user.email=b@example.org"]
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", message], check=True)


def median(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the run of median wall time."""
    middle = statistics.median_low([run["wall_s"] for run in runs])
    return next(run for run in runs if run["wall_s"] == middle)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--format", choices=("html", "markdown"), default="markdown")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root, state = Path(folder) / "corpus", Path(folder) / "state"
        generated.write(root, asked.n, 7, asked.format)
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(root)], check=True)
        commit_all(root, "base")
        cold = []
        for _ in range(asked.runs):
            shutil.rmtree(state, ignore_errors=True)
            cold.append(measure(root, state))
        warm = [measure(root, state) for _ in range(asked.runs)]
        subprocess.run(["git", "-C", str(root), "checkout", "--quiet", "-b", "topic"], check=True)
        paths = sorted(path for path in root.rglob("*-*.*") if path.suffix in (".md", ".html"))
        for number, path in enumerate(paths[:: max(1, len(paths) // CHANGED)][:CHANGED]):
            with path.open("ab") as stream:
                stream.write(f"\n<!-- {number} -->\nSee [[nowhere {number}]].\n".encode())
        commit_all(root, "change")
        first = measure(root, state, "--base", "main")
        base = [measure(root, state, "--base", "main") for _ in range(asked.runs)]
    print(
        json.dumps(
            {
                "memories": asked.n,
                "format": asked.format,
                "cores": os.cpu_count(),
                "load": os.getloadavg()[0],
                "cold": median(cold),
                "warm": median(warm),
                "base_first": first,
                "base_warm": median(base),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
