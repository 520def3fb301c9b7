"""What a container bounds is known, in both kinds of groups; who is told nothing has no bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corpus_kit import write
from gate_kit import crowd
from interpreter_kit import be_interpreter
from memsleep import interpreter
from memsleep.corpus import workers
from memsleep.corpus.parse import Task, parse_all
from memsleep.dialects.base import Options
from memsleep.machine import cores, memory_left
from memsleep.model import Memory
from memsleep.night import gate_ahead
from memsleep.night.gate_ahead import GateStart
from memsleep.settings import Settings
from phases_kit import snapshot

MB = 1 << 20
ALL = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# What /proc/self/cgroup says, files of the groups, cores at most.
SHARES = [
    ("", {}, ALL),
    ("0::/\n", {}, ALL),
    ("0::/\n", {"cpu.max": "max 100000\n"}, ALL),
    ("0::/\n", {"cpu.max": "100000 100000\n"}, 1),
    ("0::/\n", {"cpu.max": "50000 100000\n"}, 1),
    ("0::/\n", {"cpu.max": "6400000 100000\n"}, ALL),
    ("0::/\n", {"cpu.max": "100000 0\n"}, ALL),
    ("0::/\n", {"cpu.max": "rubbish\n"}, ALL),
    ("0::/system/night\n", {"system/night/cpu.max": "100000 100000\n"}, 1),
    ("0::/system/night\n", {"system/cpu.max": "100000 100000\n"}, 1),
    ("0::/system/night\n", {"other/cpu.max": "100000 100000\n"}, ALL),
    ("0::/../../seen/from/outside\n", {"cpu.max": "100000 100000\n"}, 1),
    (
        "4:memory:/a\n2:cpu:/a\n",
        {"cpu/a/cpu.cfs_quota_us": "100000", "cpu/a/cpu.cfs_period_us": "100000"},
        1,
    ),
    ("2:cpu:/a\n", {"cpu/a/cpu.cfs_quota_us": "-1", "cpu/a/cpu.cfs_period_us": "100000"}, ALL),
    ("2:cpu:/hidden\n", {"cpu/cpu.cfs_quota_us": "9", "cpu/cpu.cfs_period_us": "9"}, 1),
]


@pytest.mark.parametrize(("said", "files", "most"), SHARES)
def test_cores(said: str, files: dict[str, str], most: int, tmp_path: Path) -> None:
    """Never none, never more than there are, never more than a share of time is worth."""
    write(tmp_path, {"proc/self/cgroup": said, **{f"groups/{k}": v for k, v in files.items()}})
    assert cores(tmp_path / "proc", tmp_path / "groups") == most


V2 = {"memory.max": f"{512 * MB}", "memory.current": f"{400 * MB}"}
V1 = {
    "memory/a/memory.limit_in_bytes": f"{512 * MB}",
    "memory/a/memory.usage_in_bytes": f"{600 * MB}",
    "memory/a/memory.stat": f"inactive_file 1\ntotal_inactive_file {200 * MB}\nx\n",
}
FREE = "MemTotal:  9999999 kB\nMemFree: 12 kB\nMemAvailable:   1048576 kB\n"
LEFT = [
    ("", {}, "", None),
    ("", {}, "MemTotal: 12 kB\n", None),
    ("", {}, FREE, 1024),
    ("0::/\n", {"memory.max": "max", "memory.current": "7"}, FREE, 1024),
    ("0::/\n", V2, FREE, 112),
    ("0::/\n", V2, "", 112),
    ("0::/\n", {**V2, "memory.stat": f"inactive_file {50 * MB}\nfile 7\n"}, FREE, 162),
    ("0::/\n", {**V2, "memory.current": f"{900 * MB}"}, FREE, 0),
    ("0::/a/b\n", {"a/memory.max": "0", "a/memory.current": "0"}, FREE, 0),
    ("4:memory:/a\n0::/\n", V1, FREE, 112),
    ("4:memory:/a\n", {"memory/a/memory.limit_in_bytes": "rubbish"}, FREE, 1024),
]


@pytest.mark.parametrize(("said", "files", "free", "left"), LEFT)
def test_memory_left(
    said: str, files: dict[str, str], free: str, left: int | None, tmp_path: Path
) -> None:
    """The least of what the system and each group have left."""
    write(tmp_path, {f"groups/{k}": v for k, v in files.items()})
    write(tmp_path, {"proc/self/cgroup": said, "proc/meminfo": free})
    found = memory_left(tmp_path / "proc", tmp_path / "groups")
    assert found == (None if left is None else left * MB)


def test_a_system_that_says_nothing(tmp_path: Path) -> None:
    """Without these folders nothing is bounded."""
    assert memory_left(tmp_path, tmp_path) is None
    assert cores(tmp_path, tmp_path) == ALL


@pytest.mark.parametrize(("left", "starts"), [(0, False), (190 * MB, False), (None, True)])
def test_no_interpreter_where_it_would_not_fit(
    left: int | None, starts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The night would be killed that does its work as well alone."""
    be_interpreter("hangs", tmp_path, monkeypatch)
    (tmp_path / "python").write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    monkeypatch.setattr(interpreter, "memory_left", lambda: left)
    monkeypatch.setattr(workers, "BATCH_FILES", 4)
    tasks = [Task("plain", f"{n}.md", b"Text.\n", "") for n in range(9)]
    found = list(parse_all(tasks, Options(), workers=2))
    assert all(isinstance(one, Memory) for one in found)
    assert (tmp_path / "started").exists() == starts


@pytest.mark.parametrize(("left", "begins"), [(0, False), (100 << 10, False), (None, True)])
def test_the_gate_begins_where_there_is_room(
    left: int | None, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its index is as large there as here."""
    monkeypatch.setattr(gate_ahead, "ENOUGH", 1)
    monkeypatch.setattr(gate_ahead, "cores", lambda: 2)
    monkeypatch.setattr(gate_ahead, "memory_left", lambda: left)
    with GateStart(Settings()) as start:
        start.begin(snapshot(crowd()))
        with start.taken() as ahead:
            assert (ahead is not None) == begins
