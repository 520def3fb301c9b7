"""A dry run over folders that people wrote: how many files are read, refused and edited.

    python benchmarks/public_folders.py FOLDER ... [--split] [--as-markdown .rst]

For each folder and profile: a night; then every edit that the editors offer is tried on every
memory, and the bytes outside the edited value must be those that were there. `--split` first makes
a file of each section, `--as-markdown` takes text of another ending for Markdown. Copies are made
in a temporary folder. Prints counts, never a text or a name.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE.parent / "tests")]

from memsleep.audit import prove, recorded_by  # noqa: E402
from memsleep.config import Option, load_settings  # noqa: E402
from memsleep.dialects.registry import DIALECTS  # noqa: E402
from memsleep.errors import EditRefused  # noqa: E402
from memsleep.model import Memory  # noqa: E402
from memsleep.night import propose_night  # noqa: E402
from memsleep.request import RunRequest  # noqa: E402

NOW = "2026-11-30T03:00:00Z"
PROFILES = ("careful", "reference")
SECTION = re.compile(rb"^#{1,3} +(.+?)[ #]*\r?$", re.MULTILINE)
FIELDS = (
    ("status", "archived"), ("updated", NOW), ("confidence", "0.35"), ("archived_at", NOW),
    ("valid_until", "2026-12-14T00:00:00Z"), ("superseded_by", "a/b c.md"),
)  # fmt: skip


def main() -> int:
    """Print a block of counts for each folder; 1 if a byte outside an edit ever differed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--split", action="store_true")
    parser.add_argument("--as-markdown", default="")
    parser.add_argument("--most", type=int, default=5000)
    asked = parser.parse_args()
    wrong = 0
    for number, folder in enumerate(asked.folders, 1):
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / "corpus"
            count = copied(folder, root, asked.split, asked.as_markdown, asked.most)
            print(f"folder {number}: {count} files")
            for profile in PROFILES:
                wrong += night(root, profile, Path(scratch))
            wrong += trial(root)
    return 1 if wrong else 0


def copied(folder: Path, root: Path, split: bool, ending: str, most: int) -> int:
    """Copy the texts of a folder, each section a file of its own if asked; return how many."""
    count = 0
    endings = {".md", ".markdown", ".mdx", ending} - {""}
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in endings or not path.is_file():
            continue
        # Folders that are never entered are what was packed here: they get other names.
        inside = [f"in-{part.lstrip('.')}" for part in path.relative_to(folder).parts[:-1]]
        place = (root.joinpath(*inside) / path.name).with_suffix(".md")
        parts = sections(path.read_bytes()) if split else iter([("", path.read_bytes())])
        for name, content in parts:
            if count == most:
                return count
            to = place.with_name(f"{place.stem}-{name}.md") if name else place
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(content)
            count += 1
    return count


def sections(source: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (number, bytes) of each section; what stands above the first is one too."""
    starts = [match.start() for match in SECTION.finditer(source)]
    edges = sorted({0, *starts, len(source)})
    for number, (start, end) in enumerate(pairwise(edges)):
        if source[start:end].strip():
            yield f"{number:03}", source[start:end]


def night(root: Path, profile: str, scratch: Path) -> int:
    """Run a dry night and print what it read, refused and would edit; return what was wrong."""
    option = Option("run.profile", profile, "benchmark")
    settings = load_settings(root, environ={}, options=[option]).settings
    begun = time.monotonic()
    folder = scratch / profile
    folder.mkdir()
    request = RunRequest(corpus=root, settings=settings, now=NOW, state_dir=None, out=None)
    prepared, result = propose_night(request, folder)
    seconds = time.monotonic() - begun
    start = result.start
    causes: Counter[str] = Counter()
    for item in start.unreadable:
        causes[f"unreadable, {item.problems[0].code}"] += 1
    for memory in start.memories.values():
        if memory.read_only:
            causes[f"read only, {memory.read_only.partition(':')[0]}"] += 1
    refused = Counter(r.cause for r in result.refused)
    kinds = Counter(item.proposal.kind for item in result.decisions)
    changed = {c.path for item in result.decisions for c in item.changes if c.action != "create"}
    proof = prove(start, result.end, recorded_by(result.decisions))
    stores = Counter(one.dialect for one in prepared.corpus.stores.found)
    print(
        f"  {profile}: {len(start.memories)} read in {seconds:.1f} s as {dict(stores)}, "
        f"left alone {dict(sorted(causes.items()))}, "
        f"decisions {dict(sorted(kinds.items()))}, refused {dict(sorted(refused.items()))}, "
        f"files changed {len(changed)}, lost {len(proof.losses)}"
    )
    failed = [phase.name for phase in result.phases if phase.status != "ok"]
    if failed:
        print(f"  {profile}: phases that failed: {failed}")
    return len(proof.losses) + len(failed)


def trial(root: Path) -> int:
    """Try every edit on every file and print how many; return how many touched other bytes."""
    counts: Counter[str] = Counter()
    for path in sorted(root.rglob("*.md")):
        source = path.read_bytes()
        name = path.relative_to(root).as_posix()
        dialect = DIALECTS["obsidian" if (root / ".obsidian").exists() else "plain"]
        memory = dialect.read(name, source)
        if not isinstance(memory, Memory):
            counts["unreadable"] += 1
            continue
        counts["files"] += 1
        for field, value in FIELDS:
            try:
                result = dialect.set_field(memory, source, field, value)  # type: ignore[arg-type]
            except EditRefused:
                counts["fields refused"] += 1
                continue
            if result is None:
                counts["fields without a place"] += 1
            elif result is not source:
                counts["fields edited"] += 1
                counts["wrong"] += not value_alone(memory, source, result, field)
        for link in memory.links:
            if link.external or link.start < 0:
                counts["links left"] += 1
                continue
            try:
                result = dialect.retarget_link(name, source, link, "q r/new.md")
            except EditRefused:
                counts["links refused"] += 1
                continue
            counts["links edited"] += 1
            outside = source[: link.start], source[link.end :]
            good = result.startswith(outside[0]) and result.endswith(outside[1])
            counts["wrong"] += not good
    told = ", ".join(f"{key} {count}" for key, count in sorted(counts.items()))
    print(f"  every edit tried: {told or 'nothing'}")
    return counts["wrong"]


def value_alone(memory: Memory, before: bytes, after: bytes, field: str) -> bool:
    """Return True when only a value, or one new line of a head, differs."""
    start = 0
    least = min(len(before), len(after))
    while start < least and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < least - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    gone = before[start : len(before) - tail]
    came = after[start : len(after) - tail]
    stated = memory.raw.get(field, "").encode()
    return len(gone) <= len(stated) + 2 and gone.count(b"\n") == 0 and came.count(b"\n") <= 1


if __name__ == "__main__":
    sys.exit(main())
