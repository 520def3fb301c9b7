"""CPU seconds of `memsleep --help`, beside a bare interpreter that imports nothing.

Usage: python benchmarks/startup.py [--runs 7]
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys


def cpu_seconds(*command: str) -> float:
    """Return the CPU time of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    commands = {
        "help": (sys.executable, "-m", "memsleep", "--help"),
        "bare_python": (sys.executable, "-c", "pass"),
        "numpy_and_networkx": (sys.executable, "-c", "import numpy, networkx"),
    }
    cpu_seconds(*commands["help"])  # the byte code is compiled
    medians = {
        name: round(statistics.median(cpu_seconds(*command) for _ in range(runs)), 3)
        for name, command in commands.items()
    }
    print(json.dumps({"benchmark": "startup", "runs": runs, "cpu_s_median": medians}, indent=1))


if __name__ == "__main__":
    main()
