"""Two machines mirror one service, a real folder: they come to hold the same."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from faults_kit import make_corpus
from memsleep.night.delivering import Synced, synchronise
from memsleep.night.real import real_run
from memsleep.request import RunRequest
from memsleep.sync.providers.directory import DirectoryProvider
from night_kit import request_for
from sync_kit import hasty

NIGHTS = tuple(f"2026-{month:02}-{day:02}T03:00:00Z" for month, day in ((11, 30), (12, 1), (12, 2)))


def asked(root: Path, now: str) -> RunRequest:
    return request_for(root, now=now, options={"sync.provider": "directory"}, out=None)


def sync(root: Path, service: Path, now: str) -> Synced:
    """Sync with a provider of its own, as another process does."""
    return synchronise(asked(root, now), DirectoryProvider(service), hasty())


def live(root: Path) -> dict[str, bytes]:
    """Return the memories that are not retired."""
    paths = (path for path in root.rglob("*.md") if path.is_file())
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    return {name: data for name, data in files.items() if not name.startswith(("archive/", "."))}


@pytest.fixture
def mirrors(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two machines and the service, which all hold the same."""
    one = make_corpus(tmp_path / "one", pairs=3)
    other = Path(shutil.copytree(one, tmp_path / "other"))
    service = tmp_path / "service"
    shutil.copytree(one, service / "project")
    for root in (one, other):
        assert sync(root, service, NIGHTS[0]).exit_code == 0
    return one, other, service


def test_a_night_of_one_reaches_the_other(mirrors: tuple[Path, Path, Path]) -> None:
    """Merged there is merged here, retired there is retired here, and nothing goes around twice."""
    one, other, service = mirrors
    before = live(one)
    real_run(asked(one, NIGHTS[0]))
    for root in (one, other, one):
        assert sync(root, service, NIGHTS[0]).exit_code == 0
    assert live(one) == live(other) == live(service / "project") != before
    log = service / ".memsleep-sync/log.jsonl"
    size = log.stat().st_size
    for root in (other, one):
        done = sync(root, service, NIGHTS[1])
        assert done.fetch is not None
        assert done.drained is not None
        assert done.drained.delivered == ()
    assert log.stat().st_size == size


@pytest.mark.parametrize("seed", range(2))
def test_whatever_happens_they_come_to_hold_the_same(
    mirrors: tuple[Path, Path, Path], seed: int
) -> None:
    """Nights here and there, edits and deletions in the service, syncs in any order."""
    one, other, service = mirrors
    chance = random.Random(seed)
    for now in NIGHTS:
        for _ in range(3):
            root = chance.choice((one, other))
            names = sorted(live(service / "project"))
            path = service / "project" / chance.choice(names)
            match chance.choice(("night", "edit", "delete", "add")):
                case "night":
                    sync(root, service, now)
                    real_run(asked(root, now))
                case "edit":
                    path.write_bytes(path.read_bytes() + b"\nA line of the service.\n")
                case "delete":
                    path.unlink()
                case "add":
                    text = f"---\ntitle: new\ntype: fact\n---\nFact {chance.random()} is new.\n"
                    (service / f"project/new-{chance.randrange(999)}.md").write_bytes(text.encode())
            sync(root, service, now)
    for root in (one, other, one, other):
        last = sync(root, service, NIGHTS[-1])
    assert last.exit_code == 0
    assert live(one) == live(other) == live(service / "project")
