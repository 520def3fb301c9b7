"""One night landed four ways: by its patch, in place, on a branch, and taken back.

Usage: python benchmarks/landing.py [--n 5000] [--format html|markdown] [--corpus DIR ...]

Prints the digest of the tree after each; they must be equal, and after the undo that of the start.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from corpus import write  # noqa: E402

NOW = "2026-11-30T03:00:00Z"
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "PYTHONPATH": str(HERE.parent / "src"),
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def digest(files: dict[str, bytes]) -> str:
    """Return the SHA-256 over the sorted names and contents, our own and git's left out."""
    whole = hashlib.sha256()
    for path in sorted(files):
        if path.split("/")[0] not in (".git", ".memsleep", ".gitignore"):
            whole.update(f"{path}\0{hashlib.sha256(files[path]).hexdigest()}\n".encode())
    return whole.hexdigest()


def on_disk(root: Path) -> dict[str, bytes]:
    """Return path -> bytes of a folder."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def run(*command: str | Path, cwd: Path | None = None) -> bytes:
    """Run a command that must succeed, and return its output."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=ENVIRONMENT, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def memsleep(*arguments: str | Path) -> bytes:
    """Run a command of ours."""
    return run(sys.executable, "-m", "memsleep", *arguments)


def git(root: Path, *arguments: str) -> bytes:
    """Run git as somebody, in a repository."""
    who = ("-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "core.autocrlf=false")
    return run("git", *who, "-C", root, *arguments)


def by_patch(start: Path, folder: Path) -> tuple[str, Path]:
    """Apply the patch of a dry run outside any repository; return the digest and the plan."""
    root, out = folder / "patched", folder / "out"
    shutil.copytree(start, root, symlinks=True)
    memsleep("run", "--dry-run", start, "--now", NOW, "--out", out)
    if (out / "sleep.diff").stat().st_size:
        ENVIRONMENT["GIT_CEILING_DIRECTORIES"] = str(folder)
        run("git", "apply", "--whitespace=nowarn", out / "sleep.diff", cwd=root)
    return digest(on_disk(root)), out / "plan.json"


def in_place(start: Path, folder: Path, plan: Path) -> tuple[str, str, float]:
    """Apply the plan in place and undo it; return both digests and the seconds of the landing."""
    root = folder / "placed"
    shutil.copytree(start, root, symlinks=True)
    begun = time.perf_counter()
    memsleep("apply", plan, "--corpus", root)
    seconds = time.perf_counter() - begun
    landed = digest(on_disk(root))
    memsleep("undo", "--corpus", root)
    return landed, digest(on_disk(root)), seconds


def on_branch(start: Path, folder: Path, plan: Path) -> str:
    """Commit the start, apply the plan, and return the digest of the branch's tree."""
    root = folder / "branched"
    shutil.copytree(start, root, symlinks=True)
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "t")
    git(root, "config", "user.email", "t@localhost")
    git(root, "add", "-Af")
    git(root, "commit", "-qm", "start")
    memsleep("apply", plan, "--corpus", root)
    name = git(root, "for-each-ref", "--format=%(refname)", "refs/heads/sleep").decode().strip()
    git(root, "worktree", "add", "-q", "--detach", str(folder / "tree"), name)
    return digest(on_disk(folder / "tree"))


def compare(start: Path, folder: Path) -> dict[str, object]:
    """Land one corpus in every way."""
    before = digest(on_disk(start))
    patched, plan = by_patch(start, folder)
    placed, undone, seconds = in_place(start, folder, plan)
    branched = on_branch(start, folder, plan)
    decisions = len(json.loads(plan.read_bytes())["decisions"])
    assert before == undone, "undo is not the start"
    assert patched == placed == branched, "three ways, not one result"
    return {
        "files": len(on_disk(start)), "decisions": decisions, "start": before, "patch": patched,
        "in_place": placed, "branch": branched, "undone": undone,
        "seconds_in_place": round(seconds, 2),
    }  # fmt: skip


def main() -> int:
    """Compare, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=5000)
    parser.add_argument("--format", choices=("html", "markdown"), default="markdown")
    parser.add_argument("--corpus", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory(prefix="memsleep-landing-") as scratch:
        corpora = {str(path): path for path in options.corpus}
        if not corpora:
            made = write(Path(scratch) / "made", options.n, 7, options.format)
            corpora = {f"{options.n} {options.format}": made}
        for number, (name, start) in enumerate(corpora.items()):
            folder = Path(scratch) / str(number)
            folder.mkdir()
            found[name] = compare(start, folder)
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
