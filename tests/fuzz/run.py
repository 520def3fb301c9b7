"""Try many made files: `python tests/fuzz/run.py --files 20000 --first 0`.

Every input that fails is kept beside this script, in `kept/`, and is a test from then on. Prints
counts alone.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "src")]

from fuzz_kit import FailureFoundError, check_corpus, check_file, made  # noqa: E402

CORPUS = 50
"""Files of one corpus."""


def main() -> int:
    """Return how the run ended: 0 where everything held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_args()
    begun = time.monotonic()
    counts: Counter[str] = Counter()
    for number in range(asked.first, asked.first + asked.files):
        one = made(number)
        try:
            counts["edits"] += check_file(one)
        except FailureFoundError as error:
            counts["failed"] += 1
            keep(error)
        if number % CORPUS == 0:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    read, decided = check_corpus(Path(folder), number, CORPUS)
                except Exception as error:  # the run goes on, and says so at its end
                    counts["failed corpora"] += 1
                    print(f"corpus of {number}: {type(error).__name__}: {error}")
                else:
                    counts["memories in corpora"] += read
                    counts["decisions"] += decided
    counts["files"] = asked.files
    counts["seconds"] = round(time.monotonic() - begun)
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return 1 if counts["failed"] or counts["failed corpora"] else 0


def keep(error: FailureFoundError) -> None:
    """Write a failing input to `kept/`."""
    name = hashlib.sha256(error.source).hexdigest()[:12]
    (HERE / "kept" / f"{error.dialect}-{name}.bin").write_bytes(error.source)
    print(f"kept {error.dialect}-{name}.bin: {str(error)[:160]}")


if __name__ == "__main__":
    sys.exit(main())
