"""Kill a branch-mode run at system calls that a tracer counts, and see what is left.

    python tests/branch_faults.py [--every N]

tries every N-th point (default 1: all of them) and prints how many were tried and survived.
A point is the n-th call of one kind that changes something, in our own process or in one of the
git commands that it starts; with a git command the whole run is killed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]

from corpus_kit import commit, git, init, write  # noqa: E402
from landing_kit import (  # noqa: E402
    FILES,
    PHASES,
    applied,
    run_meta,
    set_identity,
    tree_of,
    untouched,
)
from memsleep.landing.branch import branch_sink  # noqa: E402
from memsleep.landing.sink import PhaseFold  # noqa: E402

NIGHT = PHASES + tuple(
    PhaseFold(
        name=f"more{phase}",
        before={},
        after={f"new/{phase}-{number}.md": b"%d %d\n" % (phase, number) for number in range(4)},
    )
    for phase in range(5)
)
"""Seven commits and some thirty objects."""
REF = "refs/heads/sleep/2026-11-30"
CALLS = ("write", "pwrite64", "rename", "link", "unlink", "fsync", "mkdir", "execve", "ftruncate")
_PROGRAM = """
import sys
sys.path[:0] = sys.argv[2:4]
from pathlib import Path
from branch_faults import NIGHT
from landing_kit import run_meta
from memsleep.landing.branch import branch_sink  # noqa: E402
from memsleep.landing.sink import PhaseFold  # noqa: E402
root = Path(sys.argv[1])
sink = branch_sink(root)
sink.check()
sink.land(run_meta(sys.argv[4]), NIGHT)
"""


@dataclass(frozen=True)
class Point:
    """Where the run is killed: at the n-th call of one kind of its k-th process (0: our own)."""

    process: int
    call: str
    number: int


@dataclass
class Scene:
    """A repository with a dirty work tree, to which each attempt returns."""

    folder: Path
    root: Path
    base: str
    before: dict[str, str]

    def run(self, strace: list[str], **variables: str) -> None:
        """Run the landing, itself and its git traced as asked."""
        paths = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]
        own = [sys.executable, "-c", _PROGRAM, str(self.root), *paths, self.base]
        for name in ("count", "killed"):
            (self.folder / name).unlink(missing_ok=True)
        environment = {
            **os.environ,
            **variables,
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "FAULTS": str(self.folder),
        }
        subprocess.run(
            [*strace, *own], capture_output=True, check=False, timeout=120, env=environment
        )


# Counts the git commands of a run. The one that is meant is traced, and when it has been killed,
# so is the run.
_WRAPPER = """#!/bin/sh
n=$(($(cat "$FAULTS/count" 2>/dev/null || echo 0) + 1))
echo $n > "$FAULTS/count"
if [ -n "$LOGS" ]; then
  exec strace -f -qq -o "$FAULTS/log.$n" -e trace=$LOGS %(git)s "$@"
elif [ "$n" = "$PROCESS" ]; then
  strace -f -qq -o /dev/null -e trace=$CALL -e inject=$CALL:signal=KILL:when=$NUMBER %(git)s "$@"
  kill -9 $PPID
  exit 137
fi
exec %(git)s "$@"
"""


def scene(folder: Path) -> Scene:
    """Make the repository: committed memories, an edit, a staged file, an untracked one."""
    set_identity(folder / "home")
    os.environ["HOME"] = str(folder / "home")
    (folder / "bin").mkdir()
    (folder / "bin/git").write_bytes((_WRAPPER % {"git": shutil.which("git")}).encode())
    (folder / "bin/git").chmod(0o755)
    root = init(folder / "r")
    base = commit(root, FILES)
    write(root, {"a.md": "the user's own edit\n", "staged.md": "s\n", "untracked.md": "u\n"})
    git(root, "add", "staged.md")
    return Scene(folder, root, base, untouched(root))


def points(of: Scene) -> list[Point]:
    """Count the calls of each process of a run that is not killed."""
    calls = ",".join(CALLS)
    log = of.folder / "log.0"
    of.run(["strace", "-qq", "-o", str(log), "-e", f"trace={calls}"], LOGS=calls)
    assert branch_sink(of.root).is_taken("sleep/2026-11-30"), "the run that is counted must land"
    restore(of)
    found = []
    for path in sorted(of.folder.glob("log.*"), key=lambda path: int(path.suffix[1:])):
        text = path.read_bytes().decode("utf-8", "replace")
        counts = Counter(re.findall(r"^(?:\d+ +)?(\w+)\(", text, re.MULTILINE))
        found += [
            Point(int(path.suffix[1:]), call, number)
            for call in CALLS
            for number in range(1, counts[call] + 1)
        ]
    return found


def restore(of: Scene) -> None:
    """Forget the branch of an attempt."""
    shutil.rmtree(of.root / ".git/refs/heads/sleep", ignore_errors=True)
    shutil.rmtree(of.root / ".git/logs/refs/heads/sleep", ignore_errors=True)


def attempt(of: Scene, point: Point) -> str:
    """Kill a run at a point; return what is wrong afterwards, empty when nothing is."""
    inject = f"inject={point.call}:signal=KILL:when={point.number}"
    traced = ["strace", "-qq", "-o", "/dev/null", "-e", f"trace={point.call}", "-e", inject]
    if point.process == 0:
        of.run(traced, PROCESS="", CALL="", NUMBER="", LOGS="")
    else:
        values = {"CALL": point.call, "NUMBER": str(point.number), "LOGS": ""}
        of.run([], PROCESS=str(point.process), **values)
    wrong = []
    told = git(of.root, "for-each-ref", "--format=%(refname)").decode().split()
    if REF in told and tree_of(of.root, REF) != applied(FILES, NIGHT):
        wrong.append("the branch is not whole")
    if set(told) - {"refs/heads/main", REF}:
        wrong.append(f"other refs: {told}")
    if {k: v for k, v in untouched(of.root).items() if "fast_import_crash" not in k} != of.before:
        wrong.append("something of the user's was touched")
    landing = branch_sink(of.root).land(run_meta(of.base), NIGHT)
    if tree_of(of.root, landing.ref or "") != applied(FILES, NIGHT):
        wrong.append("the next run is not whole")
    left = untouched(of.root).items() ^ of.before.items()
    if left:
        wrong.append(f"the next run leaves something behind: {sorted({name for name, _ in left})}")
    if git(of.root, "fsck", "--no-dangling", "--connectivity-only"):
        wrong.append("fsck complains")
    restore(of)
    return "; ".join(wrong)


def sweep(folder: Path, every: int, offset: int = 0) -> Iterator[tuple[Point, str]]:
    """Try every so-many-th point."""
    of = scene(folder)
    for point in points(of)[offset::every]:
        yield point, attempt(of, point)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    every = parser.parse_args().every
    tried: Counter[str] = Counter()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for point, wrong in sweep(Path(folder), every):
            tried[point.call] += 1
            if wrong:
                failed.append((point, wrong))
                print(f"{point}: {wrong}", flush=True)
    kinds = ", ".join(f"{count} {call}" for call, count in tried.items())
    total = sum(tried.values())
    print(f"branch mode: {total} points tried ({kinds}), {total - len(failed)} survived")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
