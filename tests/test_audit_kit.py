"""The probe that watches a dry run must itself fire."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_kit import EVENTS, recording


def _open_with_flags(root: Path) -> None:
    os.close(os.open(root / "a", os.O_WRONLY))


def _write_by_descriptor(root: Path) -> None:
    with (root / "a").open("rb") as stream:
        os.truncate(root / "a", 0)
        assert stream.read() == b""


def _chmod_descriptor(root: Path) -> None:
    handle = os.open(root / "a", os.O_RDONLY)
    os.chmod(handle, 0o600)  # noqa: PTH101 (a descriptor has no path)
    os.close(handle)


def _connect(root: Path) -> None:
    sqlite3.connect(root / "new.db").close()


def _connect_uri(root: Path) -> None:
    sqlite3.connect(f"file:{root}/new.db?mode=rwc", uri=True).close()


FIRES: list[tuple[str, Callable[[Path], object]]] = [
    ("open", lambda root: (root / "new").write_bytes(b"x")),
    ("open", lambda root: (root / "a").open("r+b").close()),
    ("open", lambda root: (root / "a").open("ab").close()),
    ("open", _open_with_flags),
    ("os.rename", lambda root: (root / "a").rename(root / "b")),
    ("os.rename", lambda root: (root / "a").replace(root.parent / "away")),
    ("os.remove", lambda root: (root / "a").unlink()),
    ("os.mkdir", lambda root: (root / "folder").mkdir()),
    ("os.rmdir", lambda root: (root / "empty").rmdir()),
    ("os.chmod", lambda root: (root / "a").chmod(0o600)),
    ("os.chmod", _chmod_descriptor),
    ("os.chown", lambda root: os.chown(root / "a", -1, -1)),
    ("os.utime", lambda root: os.utime(root / "a")),
    ("os.truncate", _write_by_descriptor),
    ("os.symlink", lambda root: (root / "s").symlink_to("a")),
    ("os.link", lambda root: (root / "l").hardlink_to(root / "a")),
    ("sqlite3.connect", _connect),
    ("sqlite3.connect", _connect_uri),
]
QUIET: list[Callable[[Path], object]] = [
    lambda root: (root / "a").read_bytes(),
    lambda root: list(os.scandir(root)),
    lambda root: (root / "a").stat(),
    lambda root: (root.parent / "outside").write_bytes(b"x"),
    lambda root: (root.parent / f"{root.name}-2").mkdir(),
    lambda root: sqlite3.connect(":memory:").close(),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "empty").mkdir(parents=True)
    (folder / "a").write_bytes(b"one")
    return folder


@pytest.mark.parametrize(("event", "act"), FIRES)
def test_fires(root: Path, event: str, act: Callable[[Path], object]) -> None:
    """Each kind of change in the folder is recorded under its event."""
    with recording(root) as record:
        act(root)
    assert event in [name for name, _ in record.events]


@pytest.mark.parametrize("act", QUIET)
def test_quiet(root: Path, act: Callable[[Path], object]) -> None:
    """Reading, and changing something else, is not recorded."""
    with recording(root) as record:
        act(root)
    assert record.events == []


def test_every_event_is_shown_to_fire() -> None:
    """No event is watched that was never seen; extended attributes need a file system for them."""
    shown = {event for event, _ in FIRES} | {"os.setxattr", "os.removexattr"}
    assert set(EVENTS) == shown


def test_through_a_symlink(root: Path) -> None:
    """A change by another name of the folder is a change of the folder."""
    alias = root.parent / "alias"
    alias.symlink_to(root)
    with recording(root) as record:
        (alias / "new").write_bytes(b"x")
    assert record.events == [("open", str(root / "new"))]


def test_nothing_after_the_block(root: Path) -> None:
    """The hook stays in the process and records nothing once the block is left."""
    with recording(root) as record:
        pass
    (root / "new").write_bytes(b"x")
    assert record.events == []
