"""Kill the sync at every system call that changes something, and see what is left.

    python tests/faults/sync_sweep.py [--every N] [enqueue|drain|queue|sync ...]

A point is the n-th call of one kind; the process dies before it is made. Then the step is done
again, and nothing may be lost, twice, torn or out of order.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "src")]

from faults_kit import counted, environment, make_corpus, strace  # noqa: E402
from memsleep.landing.place import place_of  # noqa: E402
from memsleep.sync.join import FOLDER, outbox_of  # noqa: E402
from memsleep.sync.outbox import Outbox  # noqa: E402
from memsleep.sync.records import Records  # noqa: E402
from refold_kit import files_of  # noqa: E402

DRIVER = Path(__file__).with_name("sync_driver.py")


def step(name: str, root: Path, under: Sequence[str] = ()) -> subprocess.CompletedProcess[bytes]:
    """Do one step in a process of its own."""
    command = [*under, sys.executable, str(DRIVER), name, str(root)]
    return subprocess.run(command, env=environment(), capture_output=True, timeout=120, check=False)


def done(name: str, root: Path) -> bytes:
    """Do one step, which has to work."""
    found = step(name, root)
    assert found.returncode == 0, found.stderr.decode()
    return found.stdout


@dataclass(frozen=True)
class Scene:
    """One step, what it starts from, and what must hold after a kill and a second try."""

    name: str
    start: Path
    check: Callable[[Path, bytes], None]


def make_scenes(folder: Path, names: Sequence[str]) -> list[Scene]:
    """Prepare the scenes of that name."""
    makers = {"enqueue": _enqueue, "drain": _drain, "queue": _queue, "sync": _sync}
    return [makers[name](folder / f"start-{name}") for name in names]


# Enqueue and drain ----------------------------------------------------------------------------


def _ids(box: Outbox) -> list[str]:
    return [found.entry.client_id for found in box.entries()]


def _clean(box: Outbox) -> None:
    assert box.invalid() == (), box.invalid()
    left = [path.name for path in box.path.iterdir() if path.name.endswith(".part")]
    assert left == [], left


def _enqueue(start: Path) -> Scene:
    start.mkdir()

    def check(root: Path, said: bytes) -> None:
        box = Outbox(root / "outbox")
        took = said.decode().split()
        there = _ids(box)
        assert there[: len(took)] == took, (there, took)  # what was taken is kept, in order
        assert len(there) <= len(took) + 1
        assert box.invalid() == ()
        done("enqueue", root)
        assert _ids(box) == [f"c{number}" for number in range(5)]
        assert [found.sequence for found in box.entries()] == [1, 2, 3, 4, 5]
        _clean(box)

    return Scene("enqueue", start, check)


def _taken(root: Path, name: str = "taken") -> list[dict[str, Any]]:
    file = root / "service" / f"{name}.jsonl"
    source = file.read_bytes() if file.exists() else b""
    return [json.loads(line) for line in source.split(b"\n") if line]


def _drain(start: Path) -> Scene:
    start.mkdir()
    done("enqueue", start)
    wanted = ["c0", "c1", "c3", "c4"]

    def check(root: Path, _said: bytes) -> None:
        box = Outbox(root / "outbox")
        took = [line["client_id"] for line in _taken(root)]
        assert took == wanted[: len(took)]
        assert set(took) | set(_ids(box)) == {f"c{n}" for n in range(5)}, "something is lost"
        done("drain", root)
        assert [line["client_id"] for line in _taken(root)] == wanted, "not once, or out of order"
        asked = [line["client_id"] for line in _taken(root, "asked")]
        assert all(1 <= asked.count(f"c{n}") <= 2 for n in range(5)), asked
        (left,) = box.entries()
        entry = left.entry
        assert (entry.client_id, entry.state) == ("c2", "rejected")
        assert (entry.reason, entry.request_reason) == ("never this one", "reason 2")
        assert entry.restoring == "done"
        assert Records(root, print).forgets() == ()
        assert box.invalid() == ()

    return Scene("drain", start, check)


# Queue and sync -------------------------------------------------------------------------------


def _landed(start: Path) -> Path:
    """Make a corpus whose night has landed and is not queued: killed in between."""
    root = make_corpus(start / "corpus", pairs=1)
    done("night", root)
    return root


def _queue(start: Path) -> Scene:
    start.mkdir()
    root = _landed(start)
    wanted = _ids(outbox_of(place_of(root)))
    assert len(wanted) == 3
    shutil.rmtree(place_of(root).folder / FOLDER)
    for mark in place_of(root).runs.glob("*/sync.json"):
        value = json.loads(mark.read_bytes()) | {"told": {}, "seen": ""}
        mark.write_bytes(json.dumps(value).encode())

    def check(folder: Path, _said: bytes) -> None:
        root = folder / "corpus"
        box = outbox_of(place_of(root))
        there = _ids(box)
        assert there == wanted[: len(there)]
        done("queue", root)
        done("queue", root)
        assert _ids(box) == wanted
        _clean(box)

    return Scene("queue", start, check)


def _outcome(folder: Path) -> dict[str, Any]:
    """Return all that must be the same in the end, wherever the process was killed."""
    root = folder / "corpus"
    records = Records(place_of(root).folder / FOLDER, print)
    held: dict[str, str] = {}
    for line in _taken(folder):
        held.pop(line["slug"], None)
        if line["note"] is not None:
            held[line["slug"]] = line["note"]["text"]
    entries = outbox_of(place_of(root)).entries()
    return {
        "files": files_of(root),
        "held": dict(sorted(held.items())),
        "entries": [(q.entry.slug, q.entry.state, q.entry.restoring) for q in entries],
        "cursor": dict(records.standing().cursor),
        "mirror": records.mirror().known,
        "forgets": records.forgets(),
        "fetched": sorted(p.name for p in (place_of(root).folder / FOLDER / "inbox").iterdir()),
    }


def _sync(start: Path) -> Scene:
    start.mkdir()
    _landed(start)
    reference = start.with_name("reference")
    shutil.copytree(start, reference, symlinks=True)
    for _ in range(2):
        done("sync", reference / "corpus")
    wanted = _outcome(reference)
    assert [row[1:] for row in wanted["entries"]] == [("rejected", "done")]
    assert b"title: boiler" in wanted["files"]["plant/boiler-a.md"]
    assert "plant/boiler-b.md" in wanted["files"], "the refusal takes the merge back"
    assert "new/2.md" in wanted["files"]

    def check(folder: Path, _said: bytes) -> None:
        ids = [line["client_id"] for line in _taken(folder)]
        assert len(set(ids)) == len(ids), "a write was taken twice"
        for _ in range(2):
            done("sync", folder / "corpus")
        found = _outcome(folder)
        for key, value in wanted.items():
            assert found[key] == value, (key, found[key], value)
        ids = [line["client_id"] for line in _taken(folder)]
        assert len(set(ids)) == len(ids), "a write was taken twice"

    return Scene("sync", start, check)


# The sweep ------------------------------------------------------------------------------------


def place(scene: Scene, folder: Path) -> Path:
    """Return what the step of a scene is told to work on."""
    return folder / "corpus" if scene.name in ("queue", "sync") else folder


def points(scene: Scene, folder: Path) -> list[tuple[str, int]]:
    """Return (call, number) of every call that the step makes."""
    root, log = folder / f"counted-{scene.name}", folder / f"{scene.name}.log"
    shutil.copytree(scene.start, root, symlinks=True)
    found = step(scene.name, place(scene, root), strace(log))
    assert found.returncode == 0, found.stderr.decode()
    shutil.rmtree(root)
    return [(name, n + 1) for name, count in sorted(counted(log).items()) for n in range(count)]


def kill_at(scene: Scene, folder: Path, call: str, number: int) -> bool:
    """Kill one step at a call, check what is left; return whether it died."""
    root = folder / f"{scene.name}-{call}-{number}"
    shutil.copytree(scene.start, root, symlinks=True)
    inject = ["-e", f"inject={call}:signal=SIGKILL:when={number}"]
    killed = step(scene.name, place(scene, root), strace(folder / "kill.log", *inject))
    try:
        scene.check(root, killed.stdout)
    except AssertionError as error:
        where = f"{scene.name} killed at {call} {number}, kept in {root}"
        raise AssertionError(f"{where}: {error}") from error
    shutil.rmtree(root)
    return killed.returncode != 0


def main() -> int:
    """Sweep, and say how many were tried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="*", default=["enqueue", "drain", "queue", "sync"])
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="memsleep-sync-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for scene in make_scenes(folder, options.steps):
            tried = died = 0
            for call, number in points(scene, folder)[:: options.every]:
                tried += 1
                try:
                    died += kill_at(scene, folder, call, number)
                except AssertionError as error:
                    failed += 1
                    print(error, flush=True)
            print(f"{scene.name}: {tried} points tried, {died} died there", flush=True)
    print(f"nothing lost, torn, doubled or out of order: {failed == 0}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
