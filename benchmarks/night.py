"""A dry run over a corpus with cached vectors: wall, CPU, peak memory, seconds per step.

Usage: python benchmarks/night.py [--n 10000] [--runs 3] [--corpus DIR] [--format html|markdown]
Beside it, for scale, runs the same night without vectors (pairs by words and slots only).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import corpus as generated

NOW = "2026-11-30T03:00:00Z"


def fill_cache(root: Path, state_dir: Path) -> None:
    """Embed the corpus once into the cache that the measured runs read."""
    from memsleep.corpus.load import load_corpus
    from memsleep.embedders.cache import open_cache
    from memsleep.embedders.choose import embedder_named
    from memsleep.embedders.vectors import vectors_for
    from memsleep.settings import CorpusSettings

    memories = load_corpus(root, CorpusSettings()).memories.values()
    state_dir.mkdir(parents=True, exist_ok=True)
    with open_cache(state_dir / "cache.db") as cache:
        vectors_for([m for m in memories if not m.archived], embedder_named("hashgram"), cache)


def measure(root: Path, state_dir: Path, *options: str) -> dict[str, Any]:
    """Run one night in a process of its own and return what it cost."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "memsleep", "run", "--dry-run", str(root), "--now", NOW]
        command += ["--out", out, "--state-dir", str(state_dir), "--quiet", *options]
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        wall = time.perf_counter() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        steps = json.loads((Path(out) / "timings.json").read_bytes())["seconds"]
        report = json.loads((Path(out) / "report.json").read_bytes())
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "wall_s": round(wall, 2),
        "cpu_s": round(cpu, 2),
        "peak_mb": round(after.ru_maxrss / 1024),
        "steps_s": steps,
        "candidates": report["candidates"]["candidates"],
        "merged": report["totals"]["merged"],
        "files_changed": report["totals"]["files_changed"],
    }


def median_of(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the run whose wall time is the (lower) median."""
    ordered = sorted(runs, key=lambda run: float(run["wall_s"]))
    return ordered[(len(ordered) - 1) // 2]


def main() -> None:
    """Measure and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--format", choices=("html", "markdown"), default="html")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = given.corpus or generated.write(Path(scratch) / "corpus", given.n, 7, given.format)
        state_dir = Path(scratch) / "state"
        fill_cache(root, state_dir)
        night = [measure(root, state_dir) for _ in range(given.runs)]
        words = [measure(root, state_dir, "--embedder", "none") for _ in range(given.runs)]
    walls = [run["wall_s"] for run in night]
    print(
        json.dumps(
            {
                "benchmark": "night",
                "n": given.n if given.corpus is None else None,
                "cores": os.cpu_count(),
                "runs": given.runs,
                "wall_s_median": statistics.median(walls),
                "wall_s_all": walls,
                "night": median_of(night),
                "without_vectors": median_of(words),
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
