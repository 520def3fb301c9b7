"""Too little memory, a limit on files, a full disk, a folder that nobody may write: real ones."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from faults_kit import disk_of, environment, leftovers, make_corpus
from refold_kit import files_of

SHORT = """
import re, resource, sys
from memsleep.cli.progress import Noted

start = Noted.start

def lowered(self, phase, total=None):
    start(self, phase, total)
    if phase == sys.argv[1]:
        used = re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]
        most = int(used) * 1024 + int(sys.argv[2]) * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

Noted.start = lowered
from memsleep.cli.app import main
sys.exit(main(sys.argv[3:]))
"""
LINE = "The sensor {0} of hall {1} was read at {2} on a cold day by team {3} and it said {4}.\n"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a corpus whose vectors need a few MB in one piece."""
    root = tmp_path_factory.mktemp("large") / "corpus"
    root.mkdir()
    for n in range(2900):
        text = LINE.format(n, n % 37, n % 24, n % 91, n * 7)
        (root / f"n{n}.md").write_bytes(f"# note {n}\n\n{text}".encode())
    return root


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="nobody says what is used")
@pytest.mark.parametrize(("step", "spare"), [("vectors", 3), ("neighbours", 3), ("vectors", 3000)])
def test_too_little_memory_is_told_as_such(
    step: str, spare: int, large: Path, tmp_path: Path
) -> None:
    """When a large piece cannot be had, the step is named, and nothing has changed."""
    before = files_of(large)
    done = subprocess.run(
        [sys.executable, "-c", SHORT, step, str(spare), "run", str(large), "--dry-run", "--out",
         str(tmp_path / "out")],
        env=environment(), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == (0 if spare == 3000 else 3), done.stderr
    assert files_of(large) == before
    assert "defect" not in done.stderr
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert f"error[out-of-memory]: there is not enough memory for the step '{step}'" in (
            done.stderr
        )
        assert f"the corpus {large} has 2900 files with 0.3 MB" in done.stderr
        assert "nothing is half changed" in done.stderr


def _run(
    root: Path, *words: str | Path, limit: int | None = None
) -> subprocess.CompletedProcess[str]:
    def lower() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    where = [root] if words[0] == "run" else ["--corpus", root]
    return subprocess.run(
        [sys.executable, "-m", "memsleep", *map(str, words), *map(str, where)],
        env=environment(), capture_output=True, text=True, timeout=120, check=False,
        preexec_fn=lower,
    )  # fmt: skip


def _whole(root: Path, before: dict[str, bytes], done: subprocess.CompletedProcess[str]) -> None:
    """Hold a night that could not write to what was there before, and to one next step."""
    assert done.returncode == 3, done.stderr
    assert files_of(root) == before
    assert leftovers(root) == []
    assert "internal" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("hint: "), done.stderr


@pytest.mark.parametrize("kib", [0, 1, 8, 40, 100])
def test_a_limit_on_the_size_of_files(kib: int, tmp_path: Path) -> None:
    """Nothing has changed, and the next night lands."""
    root = make_corpus(tmp_path / "corpus", 3)
    before = files_of(root)
    done = _run(root, "run", "--now", "2026-11-30T00:00:00Z", limit=kib * 1024)
    _whole(root, before, done)
    assert _run(root, "run", "--now", "2026-11-30T00:00:00Z").returncode == 0
    assert files_of(root) != before


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Give a file system of its own of 8 MiB."""
    with disk_of(8, tmp_path / "disk") as folder:
        yield folder


@pytest.mark.parametrize("spare_kib", [0, 4, 40, 120])
def test_a_night_on_a_full_disk(spare_kib: int, disk: Path) -> None:
    """It says that there is no space, and where; with space, the same command lands."""
    root, ballast = make_corpus(disk / "corpus", 3), disk / "ballast"
    before, free = files_of(root), os.statvfs(disk)
    ballast.write_bytes(b"\0" * (free.f_bavail * free.f_frsize - spare_kib * 1024))
    done = _run(root, "run", "--now", "2026-11-30T00:00:00Z")
    _whole(root, before, done)
    assert "error[disk-full]" in done.stderr
    ballast.unlink()
    assert _run(root, "run", "--now", "2026-11-30T00:00:00Z").returncode == 0
    assert files_of(root) != before


def _elsewhere(disk: Path) -> tuple[str | Path, ...]:
    return ("run", "--state-dir", disk.parent / "state")


READ_ONLY: dict[str, tuple[Callable[[Path], tuple[str | Path, ...]], str]] = {
    "run": (lambda _disk: ("run",), "state-read-only"),
    "state elsewhere": (_elsewhere, "corpus-read-only"),
    "undo": (lambda _disk: ("undo",), "state-read-only"),
    "purge": (lambda _disk: ("purge", "page-pump.md", "--yes"), "state-read-only"),
}


@pytest.mark.parametrize("case", READ_ONLY)
def test_a_read_only_folder(case: str, disk: Path) -> None:
    """It is refused before anything is computed, with what to do instead; reading works."""
    root = make_corpus(disk / "corpus", 3)
    before = files_of(root)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    words, reference = READ_ONLY[case]
    done = _run(root, *words(disk))
    _whole(root, before, done)
    assert f"error[{reference}]" in done.stderr
    assert _run(root, "run", "--dry-run").returncode == 0
    assert _run(root, "recall", "pump").returncode == 0
