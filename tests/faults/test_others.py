"""Others at work while a night lands: an agent that writes, a second run, a full disk, a trap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from agents import agent_and_runs, runs_together

from faults_kit import Stage, disk_of, driver, environment, leftovers, make_corpus, make_stage
from memsleep.landing import directory
from memsleep.landing.writer import Writer
from refold_kit import files_of

ROUNDS, RUNS = 8, 6


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return make_stage(tmp_path_factory.mktemp("stage"), pairs=3)


def test_no_write_of_an_agent_is_lost(tmp_path: Path) -> None:
    """While runs land, another process rewrites memories: its last words are all there."""
    found = agent_and_runs(make_corpus(tmp_path / "corpus", 16), RUNS)
    assert found.lost == []
    assert found.writes > 0
    assert found.landed + found.rejected > 0


def test_no_write_of_an_agent_is_lost_beside_branches(tmp_path: Path) -> None:
    """A night that goes to a branch leaves the work tree to the agent, and is there itself."""
    root = make_corpus(tmp_path / "corpus", 16)
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@localhost"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run([*git, *command], check=True)
    found = agent_and_runs(root, RUNS, "branch")
    assert found.lost == []
    assert found.writes > 0
    branches = subprocess.run(
        [*git, "branch", "--list", "sleep/*"], capture_output=True, check=True
    )
    assert branches.stdout


def test_of_two_runs_at_once_one_works(tmp_path: Path) -> None:
    """Released in the same instant, exactly one lands; the other exits 4 and names it."""
    assert runs_together(make_corpus(tmp_path / "corpus", 2), ROUNDS) == [1] * ROUNDS


def _cli(*arguments: str | Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "memsleep", *map(str, arguments)]
    return subprocess.run(
        command, env={**environment(), **more}, capture_output=True, timeout=120, check=False
    )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a file system of 3 MiB."""
    with disk_of(3, tmp_path / "disk") as folder:
        yield folder


@pytest.mark.parametrize("state", ["beside the memories", "elsewhere"])
def test_a_full_disk_changes_nothing(
    state: str, stage: Stage, small_disk: Path, tmp_path: Path
) -> None:
    """From no free block to enough, a landing is whole or not at all, and says which."""
    seen = set()
    sizes = (0, 12, 300, 700, 2000) if state == "beside the memories" else (0, 8, 20, 32, 400)
    for spare in sizes:
        shutil.rmtree(small_disk / "x", ignore_errors=True)
        shutil.copytree(stage.folder / "start", small_disk / "x")
        root, ballast = small_disk / "x" / "corpus", small_disk / "ballast"
        _fill(ballast, spare)
        more = [] if state == "beside the memories" else ["--state-dir", tmp_path / f"s{spare}"]
        done = _cli("apply", root.parent / "plan.json", "--corpus", root, *more)
        seen.add(done.returncode)
        files = files_of(root)
        assert leftovers(root) == []
        if done.returncode == 0:
            assert files == stage.after
        else:
            assert done.returncode == 3, done.stderr.decode()
            assert b"error[" in done.stderr
            assert b"internal" not in done.stderr, done.stderr.decode()
            assert files in (stage.before, stage.after)
        ballast.unlink()
        again = _cli("apply", root.parent / "plan.json", "--corpus", root, *more)
        assert again.returncode == 0, again.stderr.decode()
        assert files_of(root) == stage.after
    assert seen == {0, 3}


def _fill(ballast: Path, spare_kib: int) -> None:
    """Use up a disk but for some KiB."""
    free = os.statvfs(ballast.parent)
    size = free.f_bavail * free.f_frsize - spare_kib * 1024
    with ballast.open("wb") as stream:
        stream.write(b"\0" * max(0, size))


def test_a_read_only_file_in_the_middle(stage: Stage) -> None:
    """Its decision does not land, the others do; the file is named and the exit code is 3."""
    root = stage.fresh("read-only")
    blocked = root / "page-pump.md"
    blocked.chmod(0o444)
    done = _cli("apply", root.parent / "plan.json", "--corpus", root)
    assert done.returncode == 3, done.stderr.decode()
    assert b"page-pump.md: it is read-only" in done.stderr
    files = files_of(root)
    changed = {path for path in files if files[path] != stage.before.get(path)}
    assert not [path for path in changed if "pump" in path]
    assert any("boiler" in path for path in changed)
    blocked.chmod(0o644)
    assert _cli("apply", root.parent / "plan.json", "--corpus", root).returncode == 0
    assert files_of(root) == stage.after


def test_modes_and_owners_are_kept(stage: Stage) -> None:
    """A file that is edited or moved keeps its mode; as root, its owner too."""
    root = stage.fresh("modes")
    for path in root.rglob("*.md"):
        path.chmod(0o640)
        if os.geteuid() == 0:
            os.chown(path, 1234, 1234)
    assert driver("apply", root).returncode == 0
    for path in root.rglob("*.md"):
        status = path.stat()
        assert status.st_mode & 0o7777 == 0o640, path
        assert os.geteuid() != 0 or (status.st_uid, status.st_gid) == (1234, 1234)


def _swap(root: Path, name: str, outside: Path) -> None:
    target = root / name
    if target.is_dir():
        target.rename(root.parent / f"moved-{name}")
    elif target.exists():
        target.unlink()
    target.symlink_to(outside, target_is_directory=outside.is_dir())


SWAPS = {
    "the folder, before anything": ("plant", None),
    "the folder, when all is staged": ("plant", "commit"),
    "the archive, before anything": ("archive", None),
    "the archive, when all is staged": ("archive", "commit"),
    "a file, before anything": ("page-pump.md", None),
    "a file, when all is staged": ("page-pump.md", "commit"),
}


@pytest.mark.parametrize("swap", SWAPS)
def test_a_swapped_symlink_never_leads_out(
    swap: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever becomes a link while a night lands, nothing behind it is written."""
    name, moment = SWAPS[swap]
    root = stage.fresh(swap.replace(" ", "-").replace(",", ""))
    outside = root.parent / "outside"
    shutil.copytree(root / "plant", outside)
    behind = outside / "pump-b.md" if name.endswith(".md") else outside
    before = files_of(outside)
    if moment is None:
        _swap(root, name, behind)
    else:
        real: Callable[[directory.Steps], None] = directory.Steps.commit
        swapped = []

        def commit(steps: directory.Steps) -> None:
            if not swapped:
                swapped.append(name)
                _swap(root, name, behind)
            real(steps)

        monkeypatch.setattr(directory.Steps, "commit", commit)
    _land(root)
    assert files_of(outside) == before


def _land(root: Path) -> None:
    import driver as steps

    assert steps.main("apply", root) in (0, 3)


HOSTILE = (
    "new\nline-{0}.md", "quo\"te-{0}.md", "it's-{0}.md", "-rf-{0}.md", "..-{0}.md", "tab\t-{0}.md",
    "$(touch x)-{0}.md", "back\\slash-{0}.md", "esc\x1b[2J-{0}.md", " lead-{0}.md", "ünï-{0}.md",
)  # fmt: skip


def test_hostile_names_land_and_go_back(tmp_path: Path) -> None:
    """Newlines, quotes, leading dashes and dots are names like any other."""
    root = tmp_path / "corpus"
    root.mkdir()
    for number, form in enumerate(HOSTILE):
        for copy in ("a", "b"):
            text = f"The {'x' * (number + 3)} of hall {number} is checked before the gate opens."
            body = f"---\ncreated: 2026-01-0{'ab'.index(copy) + 1}\n---\n{text}\n"
            (root / form.format(copy)).write_bytes(body.encode())
    before = files_of(root)
    assert driver("plan", root).returncode == 0
    done = driver("apply", root)
    assert done.returncode == 0, done.stderr.decode()
    assert len([path for path in files_of(root) if path.startswith("archive/")]) > 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["corpus", "plan.json"]
    assert driver("undo", root).returncode == 0
    assert files_of(root) == before


@pytest.mark.parametrize(
    "path", ["../x.md", "a/../../x.md", "/etc/x", "", "a//b", ".git/x", "a/.memsleep/x", "x\0y"]
)
def test_a_path_that_leads_out_is_blocked(path: str, tmp_path: Path) -> None:
    """The writer takes no path that leaves the corpus or enters a program's folder."""
    with Writer(tmp_path) as writer:
        assert writer.obstacle(path)
