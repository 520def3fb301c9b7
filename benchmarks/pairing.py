"""Neighbour pairing beside the peak of the matrix product, and beside other ways to do it.

Usage: python benchmarks/pairing.py [--n 20000 50000] [--d 384] [--floors 0.6 0.92] [--k 8]
           [--runs 3] [--seed 7] [--alone | --costs | --pruning]

Rows are random; a tenth repeats another row with noise, a hundredth of them exactly. Each case
runs in a process of its own, with OPENBLAS_CORETYPE and OPENBLAS_L2_SIZE unset. The peak is the
best of several large float32 products, measured before and after each run; the fraction counts
each unordered pair once: n (n - 1) d operations. The fraction by CPU time is that of a busy
machine, best with OPENBLAS_NUM_THREADS=1: threads that wait for one another burn time.
`beside` compares at sizes that others can do: a full matrix of numpy, faiss (where it is
installed) and a plain loop.
`--alone` leaves that out. `--costs` prints what a product costs by its number of components,
`--pruning` what short products save, or cost, on four kinds of rows: CPU time, best of the runs,
the first size only, with and without in turns, the same pairs required.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from memsleep.core import NeighborOptions, cosine, slabs, tiles, top_neighbor_pairs
from memsleep.core.work import Work

UNSET = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
PEAK_ROWS = 4096
FULL_ROWS, FAISS_ROWS, LOOP_ROWS = 10_000, 20_000, 300


def planted(n: int, d: int, seed: int) -> tuple[list[str], np.ndarray]:
    """Return keys and rows."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, d), dtype=np.float32)
    count = n // 10
    noise = rng.uniform(0.05, 0.9, (count, 1)).astype(np.float32)
    noise[: max(1, count // 100)] = 0
    rows[-count:] = rows[:count] + noise * rng.standard_normal((count, d), dtype=np.float32)
    return [f"facts/{number:07d}.md" for number in rng.permutation(n)], rows


def kernel_name() -> str:
    """Return the name of the kernel that OpenBLAS chose."""
    maps = Path("/proc/self/maps")
    for line in maps.read_text().splitlines() if maps.exists() else ():
        path = line.rpartition(" ")[2]
        if "openblas" in path:
            library = ctypes.CDLL(path)
            for name in ("scipy_openblas_get_corename64_", "openblas_get_corename"):
                if hasattr(library, name):
                    function = getattr(library, name)
                    function.restype = ctypes.c_char_p
                    return str(function().decode())
    return "unknown"


def gflops(d: int) -> tuple[float, float]:
    """Return the best rate of a large product with d components, by wall and by CPU time.

    In 1e9 operations a second; the CPU time is that of all threads.
    """
    rng = np.random.default_rng(0)
    left, right = (rng.standard_normal((PEAK_ROWS, d), dtype=np.float32) for _ in range(2))
    out = np.empty((PEAK_ROWS, PEAK_ROWS), np.float32)
    wall = cpu = np.inf
    for _ in range(6):
        begun, worked = time.perf_counter(), time.process_time()
        np.matmul(left, right.T, out=out)
        wall = min(wall, time.perf_counter() - begun)
        cpu = min(cpu, time.process_time() - worked)
    flops = 2 * PEAK_ROWS**2 * d / 1e9
    return flops / wall, flops / cpu


def megabytes() -> float:
    """Return the largest resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def case(n: int, d: int, floor: float, k: int, runs: int, seed: int) -> dict[str, object]:
    """Return the figures of one case, in this process."""
    keys, rows = planted(n, d, seed)
    options = NeighborOptions(floor, k)
    before = megabytes()
    found = top_neighbor_pairs(keys, rows, options)  # warms up, and shows its memory
    after = megabytes()
    in_products = 0.0
    multiply = slabs.multiply

    def timed(*operands: np.ndarray) -> None:
        nonlocal in_products
        begun = time.perf_counter()
        multiply(*operands)
        in_products += time.perf_counter() - begun

    slabs.multiply = timed
    seconds, worked, shares, peaks = [], [], [], [gflops(d)]
    for _ in range(runs):
        in_products, work = 0.0, Work()
        begun, cpu = time.perf_counter(), time.process_time()
        found = top_neighbor_pairs(keys, rows, options, work=work)
        seconds.append(time.perf_counter() - begun)
        worked.append(time.process_time() - cpu)
        shares.append(in_products / seconds[-1])
        peaks.append(gflops(d))
    flops = n * (n - 1) * d / 1e9
    about = [(np.array(one) + other) / 2 for one, other in pairwise(peaks)]
    fractions = [flops / second / peak[0] for second, peak in zip(seconds, about, strict=True)]
    by_cpu = [flops / second / peak[1] for second, peak in zip(worked, about, strict=True)]
    return {
        "n": n,
        "d": d,
        "floor": floor,
        "k": k,
        "runs": runs,
        "pairs_found": len(found),
        "wall_s_median": round(statistics.median(seconds), 3),
        "wall_s_best": round(min(seconds), 3),
        "cpu_s_median": round(statistics.median(worked), 3),
        "peak_gflops": [round(peak, 1) for peak, _ in peaks],
        "fraction_of_peak_median": round(statistics.median(fractions), 3),
        "fraction_of_best_peak": round(flops / min(seconds) / max(peaks)[0], 3),
        "fraction_of_peak_by_cpu_median": round(statistics.median(by_cpu), 3),
        "share_outside_products_median": round(1 - statistics.median(shares), 3),
        "added_memory_mb": round(after - before, 1),
        "input_mb": round(rows.nbytes / 2**20, 1),
        "work": work.to_json(),
        "kernel": kernel_name(),
    }


def full_matrix(rows: np.ndarray, floor: float, k: int) -> int:
    """Return the number of pairs, by one product of all rows: approximate, n * n memory."""
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    sims = units @ units.T
    np.fill_diagonal(sims, -2)
    best = np.argpartition(sims, -k, axis=1)[:, -k:]
    return int((np.take_along_axis(sims, best, axis=1) >= floor).sum())


def with_faiss(rows: np.ndarray, floor: float, k: int) -> int:
    """Return the number of pairs, by the flat index of faiss: approximate."""
    import faiss

    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    index = faiss.IndexFlatIP(units.shape[1])
    index.add(units)
    sims, found = index.search(units, k + 1)
    own = found == np.arange(len(rows))[:, np.newaxis]
    return int(((sims >= floor) & ~own).sum())


def plain_loop(rows: np.ndarray, floor: float, k: int) -> int:
    """Return the number of pairs, by the definition."""
    lists: list[list[float]] = [[] for _ in rows]
    for one in range(len(rows)):
        for other in range(one + 1, len(rows)):
            sim = cosine(rows[one], rows[other])
            if sim >= floor:
                lists[one].append(sim)
                lists[other].append(sim)
    return sum(min(k, len(partners)) for partners in lists)


def beside(d: int, floor: float, k: int, seed: int) -> list[dict[str, object]]:
    """Return how others do, at sizes that they can do."""
    ways = [("numpy full matrix", FULL_ROWS, full_matrix), ("plain loop", LOOP_ROWS, plain_loop)]
    if importlib.util.find_spec("faiss"):
        ways.insert(1, ("faiss IndexFlatIP", FAISS_ROWS, with_faiss))
    results = []
    for name, n, way in ways:
        keys, rows = planted(n, d, seed)
        begun = time.perf_counter()
        theirs = way(rows, floor, k)
        spent = time.perf_counter() - begun
        ours = []
        for _ in range(3):
            begun = time.perf_counter()
            found = len(top_neighbor_pairs(keys, rows, NeighborOptions(floor, k)))
            ours.append(time.perf_counter() - begun)
        row = {"way": name, "n": n, "wall_s": round(spent, 3), "pairs_found": theirs}
        mine = statistics.median(ours)
        row |= {"memsleep_wall_s": round(mine, 4), "memsleep_pairs_found": found}
        results.append(row | {"times_faster": round(spent / mine, 1)})
    return results


def costs() -> dict[str, object]:
    """Return the CPU time of a product by its components, and that of its row maxima."""
    rng = np.random.default_rng(0)
    out = np.empty((4096, 2048), np.float32)
    spent: dict[int, float] = {}
    for width in (16, 32, 64, 128, 256, 384, 512):
        left, right = (rng.standard_normal((n, width), dtype=np.float32) for n in out.shape)
        best = np.inf
        for _ in range(5):
            begun = time.process_time()
            np.matmul(left, right.T, out=out)
            best = min(best, time.process_time() - begun)
        spent[width] = best * 1e3
    slope, writing = np.polyfit(list(spent), list(spent.values()), 1)
    begun = time.process_time()
    for _ in range(9):
        out.max(axis=1)
    scanning = (time.process_time() - begun) / 9 * 1e3
    return {
        "cpu_ms": {width: round(value, 2) for width, value in spent.items()},
        "writing_in_components": round(writing / slope, 1),
        "scanning_in_components": round(scanning / slope, 1),
    }


def kind_of_rows(kind: str, n: int, d: int, seed: int) -> np.ndarray:
    """Return rows on which short products save much, little or nothing."""
    rng = np.random.default_rng(seed)
    if kind == "planted":
        return planted(n, d, seed)[1]
    noise = rng.standard_normal((n, d), dtype=np.float32)
    if kind == "clustered":
        centres = rng.standard_normal((max(1, n // 20), d), dtype=np.float32)
        return centres[rng.integers(0, len(centres), n)] + np.float32(0.5) * noise
    if kind == "few directions":
        lengths = rng.standard_normal((n, 40), dtype=np.float32)
        return lengths @ rng.standard_normal((40, d), dtype=np.float32) + np.float32(0.3) * noise
    return noise[rng.integers(0, n // 4, n)] + np.float32(1e-3) * noise  # each about four times


def pruning(n: int, d: int, k: int, runs: int, seed: int) -> list[dict[str, object]]:
    """Return the CPU time with and without short products."""
    keys = [f"{number:07d}" for number in range(n)]
    attach, results = tiles.attach_sketches, []
    for kind in ("planted", "clustered", "few directions", "duplicates"):
        rows = kind_of_rows(kind, n, d, seed)
        for floor in (0.4, 0.6, 0.8, 0.92):
            spent: dict[bool, list[float]] = {True: [], False: []}
            found, sketches = {}, {}
            for may in (True, False) * runs:
                tiles.attach_sketches = attach if may else lambda *_: None
                work, begun = Work(), time.process_time()
                found[may] = top_neighbor_pairs(keys, rows, NeighborOptions(floor, k), work=work)
                spent[may].append(time.process_time() - begun)
                sketches[may] = work.sketch_width
            assert found[True] == found[False]
            row: dict[str, object] = {"rows": kind, "floor": floor, "sketch_width": sketches[True]}
            row |= {"with_cpu_s": min(spent[True]), "without_cpu_s": min(spent[False])}
            results.append(row | {"ratio": round(min(spent[True]) / min(spent[False]), 3)})
    tiles.attach_sketches = attach
    return results


def child(*arguments: str) -> object:
    """Return what this program prints in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name not in UNSET}
    command = [sys.executable, __file__, *arguments]
    return json.loads(subprocess.run(command, env=environment, check=True, stdout=-1).stdout)


def main() -> None:
    """Measure and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", default=[20_000, 50_000])
    parser.add_argument("--d", type=int, default=384)
    parser.add_argument("--floors", type=float, nargs="+", default=[0.6, 0.92])
    parser.add_argument("--k", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--pruning", action="store_true")
    parser.add_argument("--in-process", choices=["case", "beside"], help=argparse.SUPPRESS)
    given = parser.parse_args()
    rest = [f"--d={given.d}", f"--k={given.k}", f"--runs={given.runs}", f"--seed={given.seed}"]
    if given.in_process == "case":
        result: object = case(given.n[0], given.d, given.floors[0], given.k, given.runs, given.seed)
    elif given.in_process == "beside":
        result = beside(given.d, given.floors[0], given.k, given.seed)
    elif given.pruning:
        result = pruning(given.n[0], given.d, given.k, given.runs, given.seed)
    elif given.costs:
        result = costs()
    else:
        result = {"benchmark": "pairing", "cores": os.cpu_count(), "numpy": np.__version__}
        result["cases"] = [
            child("--in-process=case", f"--n={n}", f"--floors={floor}", *rest)
            for n in given.n
            for floor in given.floors
        ]
        if not given.alone:
            floor = f"--floors={given.floors[0]}"
            result["beside"] = child("--in-process=beside", floor, *rest)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
