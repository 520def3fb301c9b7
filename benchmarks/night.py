"""Whole nights over generated corpora: wall, CPU, peak memory, share per step, growth.

Usage: python benchmarks/night.py [--n 1000 10000 100000] [--runs 3] [--change 1%]
                                  [--weeks 5] [--corpus DIR] [--format html|markdown]

A full night is a dry run with cached vectors and no other help. With `--change`, two nights land
first; then that share of the memories is edited, and the same night is measured twice: with all
that the nights before kept, and without (vectors only). The generated corpus states a confidence
in every file, and on its first nights one file in eight falls past a mark and is rewritten; with
`--weeks`, so many nights a week apart land before, and the corpus is one that has been tended.
Beside the night, for scale and where it is cheap, runs the night without vectors (pairs by words
and slots only): `--words`.
"""

from __future__ import annotations

import argparse
import compileall
import json
import math
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import corpus as generated

NOW = "2026-11-30T03:00:00Z"
NIGHTS_BEFORE = ("2026-11-28T03:00:00Z", "2026-11-29T03:00:00Z")
LAST_WEEKLY = date(2026, 11, 21)
# Runs one command and tells what it and its children took: their times, the peak of the largest,
# and the most that all of them held at once, looked at twice a second.
WATCHED = """
import json, os, resource, subprocess, sys
from pathlib import Path
page = os.sysconf("SC_PAGE_SIZE")
def held(pid):
    try:
        mine = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * page
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [c for t in tasks for c in (t / "children").read_text().split()]
    except OSError:
        return 0
    return mine + sum(held(child) for child in children)
night, most, code = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL), 0, None
while code is None:
    most = max(most, held(night.pid))
    try:
        code = night.wait(0.5)
    except subprocess.TimeoutExpired:
        pass
used = resource.getrusage(resource.RUSAGE_CHILDREN)
told = {"cpu_s": used.ru_utime + used.ru_stime, "peak_kb": used.ru_maxrss, "held": most}
open(sys.argv[1], "w").write(json.dumps(told))
sys.exit(code)
"""


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
    """Run one dry night in a process of its own and return what it cost."""
    with tempfile.TemporaryDirectory() as scratch:
        out, cost = Path(scratch) / "out", Path(scratch) / "cost.json"
        night = [sys.executable, "-m", "memsleep", "run", "--dry-run", str(root), "--now", NOW]
        night += ["--out", str(out), "--state-dir", str(state_dir), "--quiet", *options]
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", WATCHED, str(cost), *night], check=True)
        wall = time.perf_counter() - begun
        used = json.loads(cost.read_bytes())
        steps = json.loads((out / "timings.json").read_bytes())["seconds"]
        report = json.loads((out / "report.json").read_bytes())
    told = sum(steps.values())
    return {
        "wall_s": round(wall, 2),
        "cpu_s": round(used["cpu_s"], 2),
        "peak_mb": round(used["peak_kb"] / 1024),
        "peak_all_mb": round(used["held"] / 2**20),
        "steps_s": {name: round(seconds, 2) for name, seconds in steps.items()},
        "share": {name: round(seconds / told, 3) for name, seconds in steps.items()},
        "candidates": report["candidates"]["candidates"],
        "merged": report["totals"]["merged"],
        "files_changed": report["totals"]["files_changed"],
    }


def median_of(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the run whose wall time is the (lower) median, with the walls of all."""
    ordered = sorted(runs, key=lambda run: float(run["wall_s"]))
    return {**ordered[(len(ordered) - 1) // 2], "wall_s_all": [run["wall_s"] for run in runs]}


def land(root: Path, state_dir: Path, now: str) -> None:
    """Let one real night land in the folder; the gate looks, but made-up words are no judge."""
    environment = {**os.environ, "MEMSLEEP_GATE__ENFORCE": "false"}
    command = [sys.executable, "-m", "memsleep", "run", str(root), "--now", now, "--quiet"]
    command += ["--state-dir", str(state_dir)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def change(root: Path, share: float, seed: int) -> int:
    """Edit, copy and remove live memories, that share in all; return how many."""
    rng = random.Random(seed)
    files = [p for p in root.rglob("*") if p.suffix in (".html", ".md") and p.is_file()]
    live = sorted(p for p in files if p.relative_to(root).parts[0] not in ("archive", ".memsleep"))
    chosen = rng.sample(live, max(1, round(share * len(live))))
    for path in chosen:
        kind = rng.random()
        source = path.read_bytes()
        if kind < 0.1:
            path.unlink()
        elif kind < 0.2:
            path.with_stem(f"{path.stem}-{rng.randrange(10**6)}").write_bytes(_said(source, rng))
        else:
            path.write_bytes(_said(source, rng))
    return len(chosen)


def _said(source: bytes, rng: random.Random) -> bytes:
    """Return a file that says one thing more."""
    added = b"It was seen %d times by %s." % (rng.randrange(10**6), generated.word(rng).encode())
    if b"</article>" in source:
        return source.replace(b"</article>", b"<p>%s</p>\n</article>" % added, 1)
    return source + b"\n%s\n" % added


def forget_all_but_vectors(state_dir: Path) -> None:
    """Leave a cache in which the vectors are all that helps."""
    with sqlite3.connect(state_dir / "cache.db") as cache:
        for table in ("near_lists", "parses", "results"):
            cache.execute(f"DELETE FROM {table}")
    cache.close()


def nights_before(weeks: int) -> list[str]:
    """Return the instants of the nights that land before the change."""
    days = [LAST_WEEKLY - timedelta(weeks=back) for back in reversed(range(weeks))]
    return [*(f"{day.isoformat()}T03:00:00Z" for day in days), *NIGHTS_BEFORE]


def after_change(
    root: Path, state_dir: Path, share: float, runs: int, weeks: int
) -> dict[str, Any]:
    """Return a night after a change, with and without what the nights before kept."""
    for now in nights_before(weeks):
        land(root, state_dir, now)
    changed = change(root, share, 5)
    bare = state_dir.with_name("bare")
    shutil.copytree(state_dir, bare)
    fill_cache(root, bare)
    forget_all_but_vectors(bare)
    fast, full = [], []
    for _ in range(runs):  # in turns, so that a busy machine is so for both
        fast.append(measure(root, state_dir))
        full.append(measure(root, bare))
    with_past, without = median_of(fast), median_of(full)
    for name in ("candidates", "merged", "files_changed"):
        assert with_past[name] == without[name], "what is kept must change no result"
    steps = with_past["steps_s"], without["steps_s"]
    return {
        "nights_before": len(nights_before(weeks)),
        "changed_files": changed,
        "night": with_past,
        "full_night": without,
        "wall_share": round(with_past["wall_s"] / without["wall_s"], 3),
        "cpu_share": round(with_past["cpu_s"] / without["cpu_s"], 3),
        # Vectors against vectors, then with words and slots, which look at all claims each night.
        "neighbours_share": _share(*steps, "neighbours"),
        "pairing_share": _share(*steps, "neighbours", "pairing"),
        "loading_share": _share(*steps, "loading"),
    }


def _share(fast: dict[str, float], full: dict[str, float], *names: str) -> float:
    return round(sum(fast[name] for name in names) / sum(full[name] for name in names), 3)


def exponent(sizes: list[int], values: list[float]) -> float | None:
    """Return e of the least squares fit of value = c * n**e; None for one size."""
    if len(sizes) < 2 or min(values) <= 0:
        return None
    x, y = [math.log(n) for n in sizes], [math.log(value) for value in values]
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    over = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return round(over / sum((a - mean_x) ** 2 for a in x), 2)


def growth(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the exponents of wall, CPU, peak memory and each step."""
    sizes = [entry["n"] for entry in found]
    nights = [entry["night"] for entry in found]
    told = {
        name: exponent(sizes, [night[name] for night in nights])
        for name in ("wall_s", "cpu_s", "peak_mb")
    }
    steps = nights[-1]["steps_s"]
    told |= {
        step: exponent(sizes, [night["steps_s"].get(step, 0) for night in nights]) for step in steps
    }
    return told


def parse_arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--n", type=int, nargs="+", default=[10_000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--format", choices=("html", "markdown"), default="html")
    parser.add_argument("--change", help="also a night after that change, such as 1%%")
    parser.add_argument("--weeks", type=int, default=0, help="nights a week apart before it")
    parser.add_argument("--words", action="store_true", help="also the night without vectors")
    return parser.parse_args()


def one_size(n: int, given: argparse.Namespace) -> dict[str, Any]:
    """Measure the nights of one corpus."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "corpus"
        if given.corpus is None:
            generated.write(root, n, 7, given.format)
        else:
            shutil.copytree(given.corpus, root, symlinks=True)
        state_dir = Path(scratch) / "state"
        fill_cache(root, state_dir)
        found: dict[str, Any] = {"n": n}
        found["night"] = median_of([measure(root, state_dir) for _ in range(given.runs)])
        if given.words:
            words = [measure(root, state_dir, "--embedder", "none") for _ in range(given.runs)]
            found["without_vectors"] = median_of(words)
        if given.change:
            share = float(given.change.rstrip("%")) / 100
            found["after_change"] = after_change(root, state_dir, share, given.runs, given.weeks)
    return found


def main() -> None:
    """Measure and print one JSON document."""
    given = parse_arguments()
    package = find_spec("memsleep")
    assert package is not None
    for place in package.submodule_search_locations or ():  # as pip compiles what it installs
        compileall.compile_dir(place, quiet=1)
    sizes = sorted(given.n) if given.corpus is None else [0]
    found = []
    for n in sizes:
        found.append(one_size(n, given))
        print(f"measured {n}", file=sys.stderr)
    document = {
        "benchmark": "night",
        "cores": len(os.sched_getaffinity(0)),
        "load_average": os.getloadavg(),
        "runs": given.runs,
        "sizes": found,
        "growth": growth(found) if len(found) > 1 else None,
    }
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
