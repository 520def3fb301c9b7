"""Steps of a landing as processes of their own: plan, apply, run, recover."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from memsleep.config import Option, load_settings
from memsleep.landing import directory
from memsleep.landing import settle as settling
from memsleep.landing.lock import locked
from memsleep.landing.place import place_of
from memsleep.landing.recovery import recover
from memsleep.landing.settle import settler
from memsleep.night import dry_run
from memsleep.night.applying import apply_plan
from memsleep.night.real import real_run
from memsleep.night.undoing import undo_run
from memsleep.request import RunRequest
from memsleep.state.store import State

NOW = "2026-11-30T03:00:00Z"


def _request(root: Path, mode: str = "directory", now: str = NOW) -> RunRequest:
    options = [Option("write.mode", mode, "test")]
    loaded = load_settings(root, environ={}, options=options)
    return RunRequest(corpus=root, settings=loaded.settings, now=now, clock=now, out=root)


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def crash(where: str) -> None:
    """Arrange for this process to die in the middle of its landing."""
    count, real = iter(range(10**6)), directory.take
    by = getattr(signal, where, signal.SIGKILL)

    def third(*given: Any) -> None:
        if next(count) == 2:
            os.kill(os.getpid(), by)
        real(*given)

    if where == "after the files, before the state":
        State.apply_effects = _die  # type: ignore[method-assign]
    elif where == "after the state, before the record":
        settling._record = _die  # type: ignore[assignment]
    elif where == "the state first, in the middle of the files":
        finish = directory.Steps.commit

        def state_first(steps: directory.Steps) -> None:
            settler(steps.place, ended_at=NOW)(steps.journal.settlement)
            finish(steps)

        directory.Steps.commit = state_first  # type: ignore[method-assign]
        directory.take = third
    elif where in ("in the middle of the files", "SIGINT", "SIGTERM"):
        directory.take = third
    elif where == "while it is taken back":
        directory.Steps._refuse_late = _changed  # type: ignore[method-assign]
        directory.Steps.unstage = _die  # type: ignore[method-assign,assignment]
    else:
        directory.Steps.commit = _die  # type: ignore[method-assign,assignment]


def _changed(*_: object) -> None:
    raise directory.ChangedError("page-boiler.md")


def main(step: str, root: Path, *more: str) -> int:
    """Do one step with a corpus."""
    plan = root.parent / "plan.json"
    if step == "plan":
        plan.write_bytes(dry_run(_request(root)).artifacts["plan.json"])
        return 0
    if step == "recover":
        place = place_of(root)
        with locked(place, what="recover", started_at=NOW):
            said = recover(place, settler(place, ended_at=NOW))
        print(json.dumps(said))
        return 0
    if step == "crash":
        crash(more[0])
        more, step = (), "apply"
    if step == "apply":
        outcome = apply_plan(_request(root), plan.read_bytes(), "plan", more, ())
    elif step == "undo":
        outcome = undo_run(_request(root), None, more, with_dependents=False)
    else:
        outcome = real_run(_request(root, *more))
    sys.stderr.write("".join(f"{line}\n" for line in outcome.messages))
    return outcome.exit_code()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:]))
