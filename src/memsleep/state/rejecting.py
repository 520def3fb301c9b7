"""Answers of a person that say no. Works inside a transaction of its caller."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """One question that was answered with no."""

    question: tuple[str, ...]
    """What was asked, then of which memories."""
    digests: Mapping[str, str]
    """Path -> SHA-256 of the files that the answer rests on: when one changes, it lapses."""
    permanent: bool = False
    """`two different facts`: the answer stays until it is withdrawn."""
    decision: str
    run_id: str
    reason: str
    rejected_at: str


def write(connection: sqlite3.Connection, rejections: Iterable[Rejected]) -> None:
    """Write answers; a permanent one is not replaced by one that lapses."""
    for item in rejections:
        connection.execute(
            "INSERT INTO rejections VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (question) DO UPDATE"
            " SET digests = excluded.digests, permanent = excluded.permanent,"
            " decision = excluded.decision, run_id = excluded.run_id, reason = excluded.reason,"
            " rejected_at = excluded.rejected_at WHERE permanent <= excluded.permanent",
            (
                json.dumps(item.question),
                json.dumps(dict(sorted(item.digests.items()))),
                int(item.permanent),
                item.decision,
                item.run_id,
                item.reason,
                item.rejected_at,
            ),
        )


def forget(connection: sqlite3.Connection, questions: Iterable[tuple[str, ...]]) -> None:
    """Take answers away."""
    for question in questions:
        connection.execute("DELETE FROM rejections WHERE question = ?", (json.dumps(question),))


def forget_paths(connection: sqlite3.Connection, paths: Collection[str]) -> int:
    """Take out the answers about some paths; return how many there were."""
    rows = connection.execute("SELECT question FROM rejections").fetchall()
    gone = [row for row in rows if not set(paths).isdisjoint(json.loads(row[0])[1:])]
    connection.executemany("DELETE FROM rejections WHERE question = ?", gone)
    return len(gone)


def read(connection: sqlite3.Connection) -> tuple[Rejected, ...]:
    """Return all answers in the order of their questions."""
    found = connection.execute(
        "SELECT question, digests, permanent, decision, run_id, reason, rejected_at FROM rejections"
    ).fetchall()
    answers = [
        Rejected(
            question=tuple(json.loads(question)),
            digests=json.loads(digests),
            permanent=bool(permanent),
            decision=decision,
            run_id=run_id,
            reason=reason,
            rejected_at=rejected_at,
        )
        for question, digests, permanent, decision, run_id, reason, rejected_at in found
    ]
    return tuple(sorted(answers, key=lambda item: item.question))


def followed(connection: sqlite3.Connection, answer: Rejected) -> Rejected:
    """Return an answer about the paths where its memories lie now, for they may have moved."""
    places = {path: _place(connection, path, answer.rejected_at) for path in answer.question[1:]}
    if all(path == place for path, place in places.items()):
        return answer
    kind, *paths = answer.question
    moved = [places[path] for path in paths]
    return replace(
        answer,
        question=(kind, *(sorted(moved) if kind == "pair" else moved)),
        digests={places.get(path, path): digest for path, digest in answer.digests.items()},
    )


def _place(connection: sqlite3.Connection, path: str, at: str) -> str:
    """Return where the memory lies that lay at a path then; what is no memory's path stays."""
    row = connection.execute(
        "SELECT m.path FROM paths AS p JOIN memories AS m ON m.id = p.memory_id"
        " WHERE p.path = ? AND p.since <= ? ORDER BY p.since DESC, m.id LIMIT 1",
        (path, at),
    ).fetchone()
    return row[0] if row is not None and row[0] is not None else path
