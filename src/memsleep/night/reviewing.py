"""A person's answers to the decisions and doubtful pairs of a run, kept until they are all given.

An answer is written down when it is given; what it asks for happens when the review ends, by
`undo` for decisions and in the state for pairs. So a review can be left and taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memsleep.corpus.choose import choose_source
from memsleep.errors import UsageError
from memsleep.landing.lock import locked
from memsleep.landing.place import Place, place_of
from memsleep.landing.rejections import question_of
from memsleep.landing.runs import RunRecord, RunStore
from memsleep.model import digest_bytes
from memsleep.night.undoing import undo_run
from memsleep.report import data
from memsleep.request import RunRequest
from memsleep.state.rejecting import Rejected
from memsleep.state.store import open_state

FILE: Final = "review.json"
Answer = Literal["accept", "reject", "different"]
WORDS: Mapping[str, tuple[Answer, ...]] = {
    "decision": ("accept", "reject"),
    "pair": ("different",),
}


class Answers(BaseModel):
    """What was answered, and what of it has been carried out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal[1] = 1
    given: Mapping[str, Answer] = Field(default_factory=dict)
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One question to a person."""

    id: str
    kind: Literal["decision", "pair"]
    head: str
    reason: str
    evidence: Mapping[str, object]
    texts: tuple[data.Text, ...]
    changes: tuple[data.Change, ...] = ()
    answer: Answer | None = None


def record_of(place: Place, name: str | None) -> RunRecord:
    """Return the run that is meant, or the newest that made decisions.

    Raises
    ------
    UsageError
        `run-unknown`, or `run-without-report`.
    """
    store = RunStore(place)
    if name is None:
        for record in reversed(store.records()):
            if record.read("report.json") is not None:
                return record
    return store.find(name)


def items_of(record: RunRecord) -> tuple[Item, ...]:
    """Return what a run decided and what it asks, in the report's order.

    Raises
    ------
    UsageError
        `run-without-report`.
    """
    source = record.read("report.json")
    try:
        report = data.Report.model_validate_json(source or b"")
    except ValidationError as error:
        raise UsageError(
            "run-without-report",
            f"{record.run_id} has no report that this version can read",
            context=["there is nothing to review"],
        ) from error
    return tuple(_items(report, answers_of(record).given))


def _items(report: data.Report, given: Mapping[str, Answer]) -> Iterator[Item]:
    for decision in report.decisions:
        if decision.kind == "spare":
            continue  # it keeps a memory: there is nothing to say no to
        texts = tuple(text for text in (decision.keeper, decision.dropped) if text is not None)
        head = f"{decision.phase}: {decision.kind} {' <- '.join(decision.paths)}"
        yield Item(
            decision.id, "decision", head, decision.reason, decision.evidence, texts,
            decision.changes, given.get(decision.id),
        )  # fmt: skip
    for review in report.reviews:
        head = f"{review.question}? {review.first.path} <> {review.second.path}"
        texts = (review.first, review.second)
        answer = given.get(review.id)
        yield Item(review.id, "pair", head, review.reason, review.evidence, texts, (), answer)


def answers_of(record: RunRecord) -> Answers:
    """Return the answers given so far; a file that is not whole holds none."""
    source = record.read(FILE)
    try:
        return Answers() if source is None else Answers.model_validate_json(source)
    except ValidationError:
        return Answers()


def give(record: RunRecord, items: tuple[Item, ...], name: str, answer: Answer) -> None:
    """Write down an answer.

    Raises
    ------
    UsageError
        `decision-unknown`, or `review-wrong-answer` for one that the question does not have.
    """
    item = next((item for item in items if item.id == name), None)
    if item is None:
        raise UsageError(
            "decision-unknown",
            f"{record.run_id} has no decision or pair {name!r}",
            context=["nothing was changed"],
            hint=f"memsleep review {record.run_id} --list",
        )
    if answer not in WORDS[item.kind]:
        raise UsageError(
            "review-wrong-answer",
            f"{name} is a {item.kind}: answer it with {' or '.join(WORDS[item.kind])}",
            context=["nothing was changed"],
        )
    known = answers_of(record)
    answers = Answers(given={**known.given, name: answer}, done=known.done)
    record.write(FILE, answers.model_dump_json(indent=1).encode("ascii") + b"\n")


def carry_out(request: RunRequest, record: RunRecord, items: tuple[Item, ...]) -> list[str]:
    """Do what the answers ask for that has not been done yet; return one line each."""
    answers = answers_of(record)
    fresh = {name: word for name, word in answers.given.items() if name not in answers.done}
    said = _part(request, record, items, [n for n, word in fresh.items() if word == "different"])
    landed = set(record.status().landed)
    rejected = [name for name, word in fresh.items() if word == "reject" and name in landed]
    done = Answers(given=answers.given, done=(*answers.done, *fresh))
    content = done.model_dump_json(indent=1).encode("ascii") + b"\n"
    if rejected:
        outcome = undo_run(request, record.run_id, rejected, with_dependents=True)
        said += outcome.messages
    for kept in RunStore(place_of(request.corpus, request.state_dir)).records():
        if kept.read(FILE) is not None and answers_of(kept) == answers:
            kept.write(FILE, content)  # an undo may have given the run another name
    return said


def _part(
    request: RunRequest, record: RunRecord, items: tuple[Item, ...], names: list[str]
) -> list[str]:
    """Remember that pairs are two facts each; it stays until it is withdrawn."""
    if not names:
        return []
    place = place_of(request.corpus, request.state_dir)
    pairs = {item.id: tuple(text.path for text in item.texts) for item in items}
    started = request.clock or request.now
    with locked(place, what="memsleep review", started_at=started, break_lock=request.break_lock):
        source = choose_source(request.corpus)
        paths = sorted({path for name in names for path in pairs[name]})
        files = {p: c for p, c in source.read_many(paths) if isinstance(c, bytes)}
        with open_state(place.database) as state:
            state.reject(
                Rejected(
                    question=question_of("review", pairs[name]),
                    digests={p: digest_bytes(files[p]) for p in pairs[name] if p in files},
                    permanent=True,
                    decision=name,
                    run_id=record.run_id,
                    reason="two different facts",
                    rejected_at=request.now,
                )
                for name in names
            )
    return [f"{name}: two different facts; they are not asked about again" for name in names]
