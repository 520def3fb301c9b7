"""Processes that work beside a night: `python agents.py write ROOT LOG` is an agent."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FACT = "The {0} of the plant is checked by the night shift before the gate opens at half past six."


@dataclass(frozen=True)
class Beside:
    """What an agent wrote while runs landed."""

    writes: int
    landed: int
    rejected: int
    lost: list[str]
    """Paths whose last write is nowhere."""
    late: int
    """Writes that were found in the run's folder, where they were said to be."""


def write_for_ever(root: Path, log: Path) -> None:
    """Rewrite random memories, in place and by renaming, and note each write when it is made."""
    rng = random.Random(7)
    with log.open("ab", buffering=0) as notes:
        for number in range(10**9):
            if log.with_suffix(".stop").exists():  # never in the middle of a write of its own
                return
            names = [p for p in sorted(root.rglob("*.md")) if ".memsleep" not in p.parts]
            names = [p for p in names if "archive" not in p.relative_to(root).parts]
            path = rng.choice(names)
            part = path.stem.split("-")[0]
            text = f"---\ntype: fact\ntags: [tok{number}x]\n---\n{FACT.format(part)}\n".encode()
            try:
                if number % 2:
                    handle = os.open(path, os.O_WRONLY | os.O_TRUNC)
                    os.write(handle, text)
                    os.close(handle)
                else:
                    part_path = path.with_name(f".agent-{number}")
                    part_path.write_bytes(text)
                    part_path.rename(path)
            except FileNotFoundError:
                continue
            notes.write(json.dumps([str(path), number]).encode() + b"\n")
            time.sleep(rng.choice((0.0, 0.002, 0.1)))


@dataclass(frozen=True)
class Churned:
    """What an agent did that also renames and deletes while runs land."""

    renamed: int
    deleted: int
    landed: int
    rejected: int
    lost: list[str]
    """Paths whose last write, not deleted by the agent itself, is nowhere."""


def churn(root: Path, log: Path) -> None:
    """Write, rename and delete random memories, and note each deed when it is done."""
    rng = random.Random(11)
    with log.open("ab", buffering=0) as notes:
        for number in range(10**9):
            if log.with_suffix(".stop").exists():
                return
            names = [p for p in sorted(root.rglob("*.md")) if ".memsleep" not in p.parts]
            names = [p for p in names if "archive" not in p.relative_to(root).parts]
            path = rng.choice(names)
            deed = rng.choice(("write", "write", "write", "rename", "delete"))
            goal = path.with_name(f"{path.stem.split('~')[0]}~{number}.md")
            try:
                if deed == "delete" and len(names) > 20:
                    path.unlink()
                elif deed == "rename":
                    path.rename(goal)
                else:
                    deed, goal = "write", path if number % 2 else goal
                    part, name = path.with_name(f".agent-{number}"), path.stem.split("-")[0]
                    text = f"---\ntype: fact\ntags: [tok{number}x]\n---\n{FACT.format(name)}\n"
                    part.write_bytes(text.encode())
                    part.rename(goal)
            except FileNotFoundError:
                continue
            notes.write(json.dumps([deed, str(path), str(goal), number]).encode() + b"\n")
            time.sleep(rng.choice((0.0, 0.002, 0.1)))


def churn_and_runs(root: Path, runs: int) -> Churned:
    """Let nights land beside an agent that churns, and look for what it wrote and left there."""
    counts, notes = _beside(root, "churn", runs, "directory")
    living: dict[str, int] = {}
    for deed, path, goal, number in notes:
        if deed == "write":
            living[goal] = number
        else:
            held = living.pop(path, None)
            if deed == "rename" and held is not None:
                living[goal] = held
    contents = b"".join(p.read_bytes() for p in sorted(root.rglob("*.md")))
    contents += b"".join(p.read_bytes() for p in sorted(root.glob(".memsleep/runs/*/late/*")))
    deeds = [note[0] for note in notes]
    return Churned(
        renamed=deeds.count("rename"),
        deleted=deeds.count("delete"),
        landed=counts[0],
        rejected=counts[1],
        lost=[path for path, n in living.items() if b"tok%dx" % n not in contents],
    )


def _start(*arguments: str | Path) -> subprocess.Popen[bytes]:
    from faults_kit import environment

    command = [sys.executable, str(HERE / "agents.py"), *map(str, arguments)]
    return subprocess.Popen(
        command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def agent_and_runs(root: Path, runs: int, mode: str = "directory") -> Beside:
    """Let nights land beside an agent, and look for its last write to each path."""
    counts, notes = _beside(root, "write", runs, mode)
    last: dict[str, int] = dict(notes)
    contents = b"".join(p.read_bytes() for p in sorted(root.rglob("*.md")))
    late = b"".join(p.read_bytes() for p in sorted(root.glob(".memsleep/runs/*/late/*")))
    lost = [path for path, n in last.items() if b"tok%dx" % n not in contents + late]
    only_late = sum(b"tok%dx" % n not in contents for n in last.values()) - len(lost)
    return Beside(len(notes), counts[0], counts[1], lost, only_late)


def _beside(root: Path, deeds: str, runs: int, mode: str) -> tuple[list[int], list[Any]]:
    """Let nights land beside an agent; return what they counted and what it noted."""
    log = root.parent / "log"
    log.touch()
    agent = _start(deeds, root, log)
    night = _start("runs", root, str(runs), mode)
    try:
        told = night.communicate(timeout=600)[0]
        assert night.returncode == 0
    finally:
        log.with_suffix(".stop").touch()
        agent.communicate(timeout=60)
    return json.loads(told), [json.loads(line) for line in log.read_bytes().split(b"\n")[:-1]]


def run_many(root: Path, runs: int, mode: str = "directory") -> None:
    """Run nights, each a day after the other, and print how many decisions landed."""
    from driver import _request

    from memsleep.landing.place import place_of
    from memsleep.landing.runs import RunStore
    from memsleep.night.real import real_run

    for number in range(runs):
        now = f"2026-{1 + number // 28:02}-{1 + number % 28:02}T03:00:00Z"
        real_run(_request(root, mode, now))
    statuses = [record.status() for record in RunStore(place_of(root)).records()]
    print(
        json.dumps([sum(len(s.landed) for s in statuses), sum(len(s.rejected) for s in statuses)])
    )


def runs_together(root: Path, rounds: int) -> list[int]:
    """Start two runs in the same instant, again and again; return how many worked each time."""
    workers = [_start("worker", root) for _ in range(2)]
    worked = []
    for number in range(rounds):
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write(b"%d\n" % number)
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.flush()
        answers = []
        for worker in workers:
            assert worker.stdout is not None
            answers.append(json.loads(worker.stdout.readline()))
        pids = [worker.pid for worker in workers]
        for (code, message), other in zip(answers, reversed(pids), strict=True):
            assert code in (0, 4), message
            assert code == 0 or f"process {other}" in message, message
        worked.append(sum(code == 0 for code, _ in answers))
    for worker in workers:
        worker.communicate()
    return worked


def work(root: Path) -> None:
    """Run a night for each line that comes in, held for a moment, so that two overlap."""
    from driver import _request

    from memsleep.landing.lock import LockHeldError
    from memsleep.night import real

    inner = real.run_night

    def night(*given: object, **more: object) -> object:
        outcome = inner(*given, **more)  # type: ignore[arg-type]
        time.sleep(0.2)
        return outcome

    real.run_night = night  # type: ignore[assignment]
    for line in sys.stdin.buffer:
        number = int(line)
        now = f"2026-{1 + number // 28:02}-{1 + number % 28:02}T03:00:00Z"
        try:
            real.real_run(_request(root, now=now))
            answer = (0, "")
        except LockHeldError as error:
            answer = (error.exit_code, error.message)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "src")]
    root = Path(sys.argv[2])
    if sys.argv[1] == "write":
        write_for_ever(root, Path(sys.argv[3]))
    elif sys.argv[1] == "churn":
        churn(root, Path(sys.argv[3]))
    elif sys.argv[1] == "runs":
        run_many(root, int(sys.argv[3]), sys.argv[4])
    else:
        work(root)
