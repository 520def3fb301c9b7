"""A dry run changes nothing in the corpus: seen by the kernel, git and SQLite included."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli_kit import environment
from corpus_kit import commit, init
from memsleep.embedders.cache import open_cache
from memsleep.state.store import open_state
from night_kit import NOW, tree

STRACE = shutil.which("strace")
CALLS = (
    "open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,"
    "linkat,symlink,symlinkat,truncate,ftruncate,chmod,fchmod,fchmodat,chown,fchown,fchownat,"
    "lchown,utimensat,mknod,mknodat,setxattr,fsetxattr,write,pwrite64,flock,fcntl"
)
READING = re.compile(r"\b(?:open|openat|openat2)\([^)]*O_RDONLY(?![^)]*O_(?:CREAT|TRUNC))")
HARMLESS = re.compile(r"\bfcntl\([^)]*F_(?:GETF[DL]|SETF[DL]|DUPFD)|\bwrite\((?:1|2)<")
# A name that is relative to the current folder, which git sets to the corpus.
RELATIVE = re.compile(r'\b(?!open)[a-z]+\("(?!/)')
TEXT = "The pump of the greenhouse was repaired by Anna Keller in spring and needs oil twice.\n"

pytestmark = pytest.mark.skipif(STRACE is None, reason="no strace on this machine")


def _changes(trace: str, root: Path) -> list[str]:
    """Return the calls that could change something below a folder."""
    return [
        line
        for line in trace.split("\n")
        if re.search(f'{re.escape(str(root))}[/>"]', line) or RELATIVE.search(line)
        if not READING.search(line) and not HARMLESS.search(line) and "(" in line
    ]


def _traced(command: list[str], home: Path, log: Path) -> str:
    assert STRACE is not None
    done = subprocess.run(
        [STRACE, "-f", "-y", "-s", "400", "-o", str(log), "-e", f"trace={CALLS}", *command],
        cwd=home, env=environment(home), capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    if b"ptrace" in done.stderr and done.returncode:
        pytest.skip("this machine allows no tracing")
    assert done.returncode == 0, done.stderr.decode()
    return log.read_text(errors="replace")


@pytest.mark.parametrize("in_git", [False, True], ids=["folder", "git"])
def test_dry_run_asks_the_kernel_for_no_change(in_git: bool, tmp_path: Path) -> None:
    """Neither in the files nor in `.git/`, the state or the cache, and no lock is taken."""
    root = tmp_path / "corpus"
    files = {f"{name}.md": f"---\ncreated: 2026-01-0{day}\n---\n\n{TEXT}"
             for name, day in (("a", 1), ("b", 2))}  # fmt: skip
    init(root)
    commit(root, files)
    if not in_git:
        shutil.rmtree(root / ".git")
    with open_state(root / ".memsleep" / "state.db"), open_cache(root / ".memsleep" / "cache.db"):
        pass
    before = tree(root)
    command = [sys.executable, "-m", "memsleep", "run", "--dry-run", str(root), "--now", NOW]
    trace = _traced([*command, "--out", str(tmp_path / "out")], tmp_path, tmp_path / "log")
    assert _changes(trace, root) == []
    assert _changes(trace, tmp_path / "out")
    assert tree(root) == before


def test_probe_sees_changes(tmp_path: Path) -> None:
    """Writing, renaming, removing, linking and locking below the folder are all seen."""
    (tmp_path / "corpus").mkdir()
    script = (
        "import os, fcntl; os.chdir('corpus'); f = open('x', 'w'); fcntl.flock(f, 2);"
        "f.write('a'); f.flush(); os.rename('x', 'y'); os.symlink('y', 'z'); os.unlink('z');"
        "os.mkdir('d'); os.chmod('y', 0o600); os.utime('y')"
    )
    trace = _traced([sys.executable, "-c", script], tmp_path, tmp_path / "log")
    seen = " ".join(_changes(trace, tmp_path / "corpus"))
    for call in (
        "open",
        "flock",
        "write",
        "rename",
        "symlink",
        "unlink",
        "mkdir",
        "chmod",
        "utime",
    ):
        assert f"{call}" in seen, call
