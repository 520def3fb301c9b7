"""What this process may have of its machine: cores and memory, also where a container bounds them.

It says how much is done at once, never what comes out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_GROUPS: Final = Path("/sys/fs/cgroup")


def cores(proc: Path = _PROC, groups: Path = _GROUPS) -> int:
    """Return how many cores this process may use: those it may run on, and its share of time."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    shares = [count, *_shares(proc, groups)]
    return max(1, int(min(shares)))


def memory_left(proc: Path = _PROC, groups: Path = _GROUPS) -> int | None:
    """Return how many bytes can be had, None where nobody says."""
    known = [*_free(proc), *_left_in_groups(proc, groups)]
    return max(0, min(known)) if known else None


def _free(proc: Path) -> Iterator[int]:
    for line in _text(proc / "meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            yield 1024 * int(line.split()[1])


def _shares(proc: Path, groups: Path) -> Iterator[float]:
    """Yield cores' worth of time that the groups of this process have."""
    for folder in _folders("cpu", proc, groups):
        both = _text(folder / "cpu.max").split() or [
            _text(folder / "cpu.cfs_quota_us").strip(),
            _text(folder / "cpu.cfs_period_us").strip(),
        ]
        if len(both) == 2 and all(part.isdigit() for part in both) and int(both[1]):
            yield int(both[0]) / int(both[1])


def _left_in_groups(proc: Path, groups: Path) -> Iterator[int]:
    """Yield what is left of the bounds; copies of files that can be read again count as left."""
    for folder in _folders("memory", proc, groups):
        for most, used, kept in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            bounds = [_text(folder / name).strip() for name in (most, used)]
            if all(bound.isdigit() for bound in bounds):
                stat = dict(_pairs(_text(folder / "memory.stat")))
                yield int(bounds[0]) - int(bounds[1]) + stat.get(kept, 0)


def _pairs(text: str) -> Iterator[tuple[str, int]]:
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if value.isdigit():
            yield name, int(value)


def _folders(kind: str, proc: Path, groups: Path) -> Iterator[Path]:
    """Yield the folders of the groups that this process is in, and of those around them.

    A container often sees its own group as the outermost one, under a name that it is not told.
    """
    for line in _text(proc / "self" / "cgroup").splitlines():
        _, _, rest = line.partition(":")
        kinds, _, path = rest.partition(":")
        if kinds and kind not in kinds.split(","):
            continue
        top = groups / kind if kinds else groups
        parts = [part for part in path.split("/") if part not in ("", "..")]
        yield from (top.joinpath(*parts[:n]) for n in range(len(parts) + 1))


def _text(file: Path) -> str:
    try:
        return file.read_text("ascii", "replace")
    except OSError:
        return ""
