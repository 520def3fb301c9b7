"""The reference profile against recorded decisions, as a table (and JSON with --json).

Usage: python benchmarks/compare_reference.py [STORE] [--now 2026-11-30] [--json]
STORE holds corpus/, vectors.npz, decisions.json and mined_edges.json; default: the fixture.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FIXTURE = Path(__file__).parents[1] / "fixtures" / "reference-store"


def plan_of(store: Path, now: str) -> dict[str, Any]:
    """Return the plan of a reference night over a store, through the command line."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "memsleep", "run", "--dry-run", str(store / "corpus")]
        command += ["--profile", "reference", "--vectors", str(store / "vectors.npz")]
        command += ["--now", now, "--out", out, "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        plan: dict[str, Any] = json.loads((Path(out) / "plan.json").read_bytes())
    return plan


def decided(plan: dict[str, Any]) -> dict[str, set[Any]]:
    """Return what the plan decides, in the shapes of `recorded`."""
    found: dict[str, set[Any]] = {name: set() for name in NAMES}
    for item in plan["decisions"]:
        path = item["paths"][0]
        if item["kind"] == "merge":
            found["merges"].add(tuple(item["paths"]))
        elif item["kind"] == "archive":
            name = "evictions" if item["phase"] == "triage" else "expiries"
            found[name].add(path)
        elif item["kind"] == "set-field":
            values = dict(item["intent"]["values"])
            if item["phase"] == "decay":
                found["decays"].add((path, values["confidence"]))
            else:
                found["reprieves"].add((path, values["valid_until"]))
    return found


NAMES = ("merges", "decays", "evictions", "reprieves", "expiries")


def recorded(store: Path) -> dict[str, set[Any]]:
    """Return what the other implementation decided."""
    told = json.loads((store / "decisions.json").read_bytes())
    return {
        "merges": {(m["keep"], m["drop"]) for m in told["dedup"]["merges"]},
        "decays": {(path, after) for path, (_, after) in told["decay"]["changed"].items()},
        "evictions": set(told["triage"]["evicted"]),
        "reprieves": {(r["path"], r["valid_until"]) for r in told["reprieve"]["reprieved"]},
        "expiries": set(told["reprieve"]["expired"]),
    }


def mined(store: Path) -> tuple[set[Any], set[Any]]:
    """Return (ours, recorded) mined edges with their strengths."""
    import numpy as np

    from memsleep.core import NeighborOptions, top_neighbor_pairs
    from memsleep.corpus.load import load_corpus
    from memsleep.settings import CorpusSettings

    file = np.load(store / "vectors.npz", allow_pickle=False)
    rows = dict(zip(map(str, file["paths"]), file["vectors"], strict=True))
    memories = load_corpus(store / "corpus", CorpusSettings()).memories.values()
    paths = sorted(m.path for m in memories if m.type != "task" and not m.archived)
    keys = [path for path in paths if path in rows]
    array = np.ascontiguousarray([rows[key] for key in keys], dtype=np.float32)
    options = NeighborOptions(floor=0.85, per_source_k=5, limit=2000)
    ours = {(p.src, p.dst, p.sim) for p in top_neighbor_pairs(keys, array, options)}
    told = json.loads((store / "mined_edges.json").read_bytes())
    return ours, {(e["src"], e["dst"], e["strength"]) for e in told}


def main() -> None:
    """Compare and print; exit 1 when anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, nargs="?", default=FIXTURE)
    parser.add_argument("--now", default="2026-11-30")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    ours, theirs = decided(plan_of(given.store, given.now)), recorded(given.store)
    ours["mined edges"], theirs["mined edges"] = mined(given.store)
    rows = [
        {
            "decision": name,
            "recorded": len(theirs[name]),
            "ours": len(ours[name]),
            "equal": len(ours[name] & theirs[name]),
        }
        for name in ("merges", "mined edges", "decays", "evictions", "reprieves", "expiries")
    ]
    if given.json:
        print(json.dumps(rows, indent=1))
    else:
        print("| decision | recorded | ours | equal |\n| --- | --: | --: | --: |")
        for row in rows:
            print(f"| {row['decision']} | {row['recorded']} | {row['ours']} | {row['equal']} |")
    sys.exit(any(row["equal"] != row["recorded"] or row["ours"] != row["equal"] for row in rows))


if __name__ == "__main__":
    main()
