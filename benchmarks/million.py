"""Pair very many vectors as a job that can be killed: strips are kept, memory is bounded.

Usage: python benchmarks/million.py [--n 200000] [--d 256] [--floor 0.6] [--k 8] [--seed 7]
           [--folder DIR] [--seconds S]
       nice python benchmarks/million.py --n 1000000 --folder DIR &

With --folder the job keeps its vectors and its lists there: the same command goes on where it was
stopped or killed, and at most --every seconds are lost. It ends after --seconds of work. Without
--folder all is temporary. At the end a few rows are searched anew by plain sums, and must agree.
Progress goes to standard error, a JSON document to standard output: the rate so far and, if the
job is not done, the time that it extrapolates to; `of_million_s` is that of 1,000,000 rows.
On a busy machine CPU seconds tell more, with OPENBLAS_NUM_THREADS=1.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from memsleep.core.blocks import Block
from memsleep.core.scores import Scores
from memsleep.core.shelf import Ranked, Shelf
from memsleep.core.similarity import cosine_rows
from memsleep.core.sketches import attach_sketches, drop_sketches, pays
from memsleep.core.slabs import Space
from memsleep.core.tiles import BLOCK_ROWS, Tile
from memsleep.core.work import Work

CHECKED_ROWS = 20
PART_ROWS = 20_000


def clock() -> np.ndarray:
    """Return wall and CPU seconds, from some start."""
    return np.array([time.perf_counter(), time.process_time()])


def vectors(folder: Path, n: int, d: int, seed: int) -> np.ndarray:
    """Return random rows of which a tenth repeats an earlier one with noise, from a file."""
    path = folder / f"vectors-{n}-{d}-{seed}.npy"
    if not path.exists():
        making = path.with_suffix(".making")
        rows = np.lib.format.open_memmap(making, "w+", np.float32, (n, d))
        for start in range(0, n, PART_ROWS):
            rng = np.random.default_rng([seed, start])
            part = rng.standard_normal((min(PART_ROWS, n - start), d), dtype=np.float32)
            count = len(part) // 10
            if count:
                source = rows[rng.integers(0, start, count)] if start else part[:count]
                noise = rng.uniform(0.05, 0.9, (count, 1)).astype(np.float32)
                part[-count:] = source + noise * part[-count:]
            rows[start : start + len(part)] = part
        rows.flush()
        making.replace(path)
    return np.load(path, mmap_mode="r")


def blocks_of(rows: np.ndarray, k: int) -> list[Block]:
    """Return the rows in blocks with empty lists."""
    places = [
        np.arange(start, min(start + BLOCK_ROWS, len(rows)))
        for start in range(0, len(rows), BLOCK_ROWS)
    ]
    return [Block(rows, place, place, place, Shelf(len(place), k)) for place in places]


def keep(path: Path, blocks: list[Block], done: int, spent: np.ndarray, work: Work) -> None:
    """Write what is known so far, whole or not at all; `spent` is wall and CPU seconds."""
    found = Ranked.joined(block.found() for block in blocks)
    counts = np.array([count for count in work.to_json().values() if isinstance(count, int)])
    with path.with_suffix(".writing").open("wb") as file:
        np.savez(file, done=done, spent=spent, counts=counts, **found._asdict())
    path.with_suffix(".writing").replace(path)


def resume(path: Path, blocks: list[Block]) -> tuple[int, np.ndarray, Work]:
    """Fill the lists with what was kept; return the strips done, their seconds and their work."""
    if not path.exists():
        return 0, np.zeros(2), Work()
    with np.load(path) as kept:
        found = Ranked(*(kept[name] for name in Ranked._fields))
        done, spent = int(kept["done"]), kept["spent"]
        work = Work(*kept["counts"].tolist())
    for index, block in enumerate(blocks):
        here = found.picked(np.flatnonzero(found.src // BLOCK_ROWS == index))
        block.shelf.add(here._replace(src=here.src - index * BLOCK_ROWS))
    return done, spent, work


def agree(rows: np.ndarray, blocks: list[Block], floor: float, k: int, seed: int) -> bool:
    """Return whether a few rows have the lists that plain sums give."""
    found = Ranked.joined(block.found() for block in blocks)
    for row in np.random.default_rng(seed).integers(0, len(rows), CHECKED_ROWS).tolist():
        own = rows[row][np.newaxis].astype(np.float64)
        sims = np.concatenate(
            [
                cosine_rows(own, np.asarray(rows[start : start + PART_ROWS], np.float64))
                for start in range(0, len(rows), PART_ROWS)
            ]
        )
        sims[row] = -2
        near = np.flatnonzero(sims >= floor)
        best = near[np.lexsort((near, -sims[near]))][:k]
        mine = found.picked(np.flatnonzero(found.src == row))
        if mine.dst.tolist() != best.tolist() or mine.sim.tolist() != sims[best].tolist():
            return False
    return True


def job(folder: Path, given: argparse.Namespace) -> dict[str, object]:
    """Go on with the job and return its figures."""
    n, d, floor, k = given.n, given.d, given.floor, given.k
    rows = vectors(folder, n, d, given.seed)
    blocks = blocks_of(rows, k)
    path = folder / f"lists-{n}-{d}-{given.seed}-{floor}-{k}.npz"
    begun = clock()
    done, before, work = resume(path, blocks)
    attach_sketches(blocks, floor, work)
    space, saved, first_done = Space(), clock(), done
    scores = Scores(blocks)
    while done < len(blocks) and (clock() - begun)[0] < given.seconds:
        if not pays(work):
            drop_sketches(blocks)
        first = blocks[done]
        for second in blocks[done:]:
            tile = Tile(first, second, floor, k, space, work)
            tile.fill(scores)
        first.release()
        done += 1
        if (clock() - saved)[0] > given.every or done == len(blocks):
            scores.settle(floor, work)
            keep(path, blocks, done, before + clock() - begun, work)
            saved = clock()
            print(f"{done} of {len(blocks)} strips", file=sys.stderr, flush=True)
    spent = before + clock() - begun
    keep(path, blocks, done, spent, work)
    seconds, cpu = spent.tolist()
    share = work.pairs / (n * (n - 1) / 2)
    rate = max(work.pairs, 1) / seconds
    return {
        "benchmark": "million",
        "n": n,
        "d": d,
        "floor": floor,
        "k": k,
        "strips": len(blocks),
        "strips_done": done,
        "strips_of_this_run": done - first_done,
        "share_of_pairs_done": round(share, 4),
        "wall_s": round(seconds, 1),
        "cpu_s": round(cpu, 1),
        "million_pairs_per_s": round(rate / 1e6, 2),
        "gflops": round(rate * 2 * d / 1e9, 1),
        "extrapolated_s": round(n * (n - 1) / 2 / rate, 1),
        "of_million_s": round(1e6 * (1e6 - 1) / 2 / rate, 1),
        "of_million_cpu_s": round(1e6 * (1e6 - 1) / 2 / max(work.pairs, 1) * cpu, 1),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "pairs_found": sum(len(block.shelf.pairs.src) for block in blocks),
        "rows_agree_with_plain_sums": (
            agree(rows, blocks, floor, k, given.seed) if done == len(blocks) else None
        ),
        "work": work.to_json(),
    }


def main() -> int:
    """Go on with the job and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=200_000)
    parser.add_argument("--d", type=int, default=256)
    parser.add_argument("--floor", type=float, default=0.6)
    parser.add_argument("--k", type=int, default=8)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--every", type=float, default=30.0, help="seconds between two keeps")
    given = parser.parse_args()
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
        document = job(given.folder, given)
    else:
        with tempfile.TemporaryDirectory(prefix="memsleep-million-") as folder:
            document = job(Path(folder), given)
    print(json.dumps(document, indent=1))
    return 1 if document["rows_agree_with_plain_sums"] is False else 0


if __name__ == "__main__":
    sys.exit(main())
