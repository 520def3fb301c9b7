"""A person's no, taken back: the question may come again."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.errors import UsageError
from memsleep.landing.lock import locked
from memsleep.landing.place import Place, place_of
from memsleep.landing.runs import RunStore
from memsleep.night.reviewing import FILE, Answers, answers_of, to_bytes
from memsleep.request import RunRequest
from memsleep.state.store import open_state


def withdraw(request: RunRequest, names: Sequence[str]) -> list[str]:
    """Forget what was answered with no under some ids, in whatever run; return one line each.

    Raises
    ------
    UsageError
        `answer-unknown`; then nothing is forgotten.
    """
    place = place_of(request.corpus, request.state_dir)
    started = request.clock or request.now
    with locked(place, what="memsleep review", started_at=started, break_lock=request.break_lock):
        with open_state(place.database) as state:
            found = {answer.decision: answer.question for answer in state.rejected()}
            for name in names:
                if name not in found:
                    raise UsageError(
                        "answer-unknown",
                        f"nobody answered {name!r} with no, or it was withdrawn",
                        context=["nothing was changed"],
                        hint="memsleep review --list",
                    )
            state.withdraw([found[name] for name in names])
        _open_again(place, frozenset(names))
    return [f"{name}: the answer is withdrawn; the next night may ask again" for name in names]


def _open_again(place: Place, names: frozenset[str]) -> None:
    """Take the answers out of the runs in which they were given."""
    for record in RunStore(place).records():
        known = answers_of(record)
        if names.isdisjoint(known.given):
            continue
        left = Answers(
            given={name: word for name, word in known.given.items() if name not in names},
            done=tuple(name for name in known.done if name not in names),
        )
        record.write(FILE, to_bytes(left))
