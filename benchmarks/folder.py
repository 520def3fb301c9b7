"""A folder of very many files: what loading it costs, and a move that all of them must follow.

Usage: python benchmarks/folder.py [--n 50000] [--format markdown|html] [--links 0.5]

One flat folder; a share of the files links to one of them, which is then archived. JSON on
standard output: seconds and peak memory of loading and folding, and the counts, which must agree.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from memsleep.corpus.load import load_corpus
from memsleep.fold import fold
from memsleep.landing.base import NO_VECTORS
from memsleep.model import Snapshot
from memsleep.proposals import Archive
from memsleep.settings import CorpusSettings, Settings

NOW = "2026-11-30T03:00:00Z"
PAGE = (
    '<!doctype html>\n<html lang="en">\n<head>\n<title>T</title>\n'
    '<meta name="memhtml-type" content="semantic">\n<meta name="memhtml-status" content="active">\n'
    '<meta name="memhtml-created" content="2026-01-01">\n'
    '<meta name="memhtml-updated" content="2026-01-01">\n{link}</head>\n<body>\n<article>\n'
    "<p><mark>Fact {n} of the folder.</mark></p>\n</article>\n</body>\n</html>\n"
)
LINK = '<link rel="memhtml-relates-to" href="/areas/00000.html">\n'


def make(root: Path, n: int, kind: str, links: float) -> int:
    """Write the files and return how many of them link to the first."""
    folder = root / "areas"
    folder.mkdir(parents=True)
    linked = 0
    for number in range(n):
        links_here = number > 0 and number % 100 < links * 100
        linked += links_here
        if kind == "html":
            text = PAGE.format(n=number, link=LINK if links_here else "")
        else:
            tail = "See [it](00000.md).\n" if links_here else ""
            text = f"---\ntitle: {number}\nstatus: active\n---\n\nFact {number}.\n{tail}"
        ending = "html" if kind == "html" else "md"
        (folder / f"{number:05}.{ending}").write_bytes(text.encode())
    return linked


def measure(n: int, kind: str, links: float) -> dict[str, float | int]:
    """Return what a folder of n files costs."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        linked = make(root, n, kind, links)
        begun = time.perf_counter()
        corpus = load_corpus(root, CorpusSettings())
        loaded = time.perf_counter()
        start = Snapshot(
            now=NOW,
            memories=corpus.memories,
            files=corpus.files,
            vectors=NO_VECTORS,
            references=corpus.references,
            taken=corpus.taken,
            page_dialects=corpus.page_dialects,
        )
        path = min(corpus.memories)
        folding = time.perf_counter()
        gone = Archive(phase="benchmark", reason="benchmark", path=path, cause="evicted")
        done = fold(start, [gone], Settings())
        folded = time.perf_counter()
    followed = sum(
        b"archive/2026/" in data and not name.startswith("archive/")
        for name, data in done.snapshot.files.items()
    )
    return {
        "files": n,
        "memories": len(corpus.memories),
        "links": linked,
        "followed": followed,
        "refused": len(done.refused),
        "load_seconds": round(loaded - begun, 2),
        "fold_seconds": round(folded - folding, 2),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> int:
    """Print the figures; 1 where a file or a link is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=50_000)
    parser.add_argument("--format", choices=("markdown", "html"), default="markdown")
    parser.add_argument("--links", type=float, default=0.5)
    given = parser.parse_args()
    found = measure(given.n, given.format, given.links)
    print(json.dumps(found))
    whole = found["memories"] == found["files"] and found["followed"] == found["links"]
    return 0 if whole and not found["refused"] else 1


if __name__ == "__main__":
    sys.exit(main())
