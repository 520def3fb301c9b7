"""A person's answers to the decisions and doubtful pairs of a run, kept until they are all given.

An answer is written down when it is given; what it asks for happens when the review ends, by
`undo` for decisions and in the state for pairs. So a review can be left and taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memsleep.corpus.choose import choose_source
from memsleep.errors import UsageError
from memsleep.landing.branch import PREFIX
from memsleep.landing.lock import LockHeldError, locked
from memsleep.landing.pending_undo import pending_undos
from memsleep.landing.place import Place, place_of
from memsleep.landing.rejections import question_of
from memsleep.landing.runs import RunRecord, RunStore
from memsleep.model import digest_bytes
from memsleep.night.mode import mode_of
from memsleep.night.settling import keep, link, settle
from memsleep.night.undoing import undo_run
from memsleep.report import data
from memsleep.request import RunRequest
from memsleep.scratch import scratch_folder
from memsleep.state.rejecting import Rejected
from memsleep.state.store import open_copy, open_state

FILE: Final = "review.json"
ANSWERED: Final = "it is answered"
Answer = Literal["accept", "reject", "different", "keep-first", "keep-second", "link"]
WORDS: Mapping[str, tuple[Answer, ...]] = {
    "decision": ("accept", "reject"),
    "pair": ("different", "keep-first", "keep-second", "link"),
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
    closed: str = ""
    """Why nobody has to answer any more; empty while it is open."""
    rests_on: Mapping[str, str] = field(default_factory=dict)
    """Path -> SHA-256 of the files that a pair was asked about."""
    newer: str = ""
    """For a contradiction: path of the newer memory; empty when that is not known."""
    actions: tuple[tuple[str, str], ...] = ()
    """What can be done, and the command for it."""


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
    return tuple(_items(report, answers_of(record), _ended(record)))


def _items(report: data.Report, answers: Answers, ended: Mapping[str, str]) -> Iterator[Item]:
    given = answers.given
    for decision in report.decisions:
        if decision.kind == "spare":
            continue  # it keeps a memory: there is nothing to say no to
        texts = tuple(text for text in (decision.keeper, decision.dropped) if text is not None)
        head = f"{decision.phase}: {decision.kind} {' <- '.join(decision.paths)}"
        yield Item(
            decision.id, "decision", head, decision.reason, decision.evidence, texts,
            decision.changes, given.get(decision.id), ended.get(decision.id, ""),
        )  # fmt: skip
    for review in report.reviews:
        head = f"{review.question}? {review.first.path} <> {review.second.path}"
        texts = (review.first, review.second)
        answer = given.get(review.id)
        settled = review.id in answers.done and answer != "link"  # which leaves the question open
        yield Item(
            review.id, "pair", head, review.reason, review.evidence, texts, (), answer,
            ANSWERED if settled else "", review.rests_on, review.newer,
            tuple(zip(review.actions, review.commands, strict=False)),
        )  # fmt: skip


def _ended(record: RunRecord) -> dict[str, str]:
    """Return id -> why nobody has to answer for a decision any more."""
    status = record.status()
    ended = {name: f"it did not land: {why}" for name, why in status.rejected.items()}
    ended |= dict.fromkeys(status.undone, "it was taken back")
    ended = {name: why for name, why in ended.items() if name not in status.landed}
    for undo in pending_undos(record):
        branch = undo.ref.removeprefix(PREFIX)
        ended |= dict.fromkeys(undo.decisions, f"{branch} takes it back")
    return ended


def with_closed(request: RunRequest, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the items, pairs closed that were answered in any run or of which a file changed.

    A question is about two texts. Once one of them is another text, the next night asks anew.
    """
    pairs = [item for item in items if item.kind == "pair" and not item.closed]
    if not pairs:
        return items
    paths = sorted({path for item in pairs for path in item.rests_on})
    source = mode_of(request.corpus, request.settings)[1]
    found = dict(source.read_many(paths))
    now = {path: digest_bytes(data) for path, data in found.items() if isinstance(data, bytes)}
    answered = _answered(request, now)
    return tuple(
        item if item.kind == "decision" or item.closed else _closed(item, now, answered)
        for item in items
    )


def _closed(item: Item, now: Mapping[str, str], answered: frozenset[tuple[str, ...]]) -> Item:
    if question_of("review", tuple(text.path for text in item.texts)) in answered:
        return replace(item, closed=ANSWERED)
    changed = [path for path, digest in item.rests_on.items() if now.get(path) != digest]
    return replace(item, closed=f"{changed[0]} has changed since") if changed else item


def _answered(request: RunRequest, now: Mapping[str, str]) -> frozenset[tuple[str, ...]]:
    """Return the questions that a person answered and that stand; looking writes nothing."""
    database = place_of(request.corpus, request.state_dir).database
    if not database.exists():
        return frozenset()
    with scratch_folder(request.corpus) as scratch, open_copy(database, scratch) as state:
        return frozenset(
            answer.question
            for answer in state.rejected()
            if answer.permanent
            or all(now.get(path) == digest for path, digest in answer.digests.items())
        )


def answers_of(record: RunRecord) -> Answers:
    """Return the answers given so far; a file that is not whole holds none."""
    source = record.read(FILE)
    try:
        return Answers() if source is None else Answers.model_validate_json(source)
    except ValidationError:
        return Answers()


def to_bytes(answers: Answers) -> bytes:
    """Return the content of a run's file of answers."""
    return answers.model_dump_json(indent=1).encode("ascii") + b"\n"


def item_named(record: RunRecord, items: tuple[Item, ...], name: str) -> Item:
    """Return an item by its id.

    Raises
    ------
    UsageError
        `decision-unknown`.
    """
    item = next((item for item in items if item.id == name), None)
    if item is None:
        raise UsageError(
            "decision-unknown",
            f"{record.run_id} has no decision or pair {name!r}",
            context=["nothing was changed"],
            hint=f"memsleep review {record.run_id} --list",
        )
    return item


def kept_side(record: RunRecord, items: tuple[Item, ...], text: str) -> tuple[str, Answer]:
    """Return the answer that `ID:PATH` means.

    Raises
    ------
    UsageError
        `decision-unknown`, or `review-wrong-answer` for a path that is none of the two.
    """
    name, _, path = text.partition(":")
    item = item_named(record, items, name)
    paths = [text.path for text in item.texts]
    if item.kind != "pair" or path not in paths:
        raise UsageError(
            "review-wrong-answer",
            f"expected a pair and one of its two paths, found {text!r}",
            context=[f"{name} is about {' and '.join(paths)}", "nothing was changed"],
            hint=f"memsleep review {record.run_id} --show {name}",
        )
    return name, "keep-first" if path == paths[0] else "keep-second"


def give(record: RunRecord, items: tuple[Item, ...], name: str, answer: Answer) -> None:
    """Write down an answer.

    Raises
    ------
    UsageError
        `decision-unknown`, or `review-wrong-answer` for one that the question does not have.
    """
    item = item_named(record, items, name)
    if answer not in WORDS[item.kind]:
        raise UsageError(
            "review-wrong-answer",
            f"{name} is a {item.kind}: answer it with {' or '.join(WORDS[item.kind])}",
            context=["nothing was changed"],
        )
    known = answers_of(record)
    if item.closed and answer != item.answer:
        raise UsageError(
            "review-closed",
            f"{name} is closed: {item.closed}",
            context=["nothing was changed"],
            hint="memsleep run asks anew where there still is a question",
        )
    anew = answer != known.given.get(name) and item.kind == "pair"
    done = tuple(other for other in known.done if not (anew and other == name))
    answers = Answers(given={**known.given, name: answer}, done=done)
    record.write(FILE, to_bytes(answers))


def carry_out(request: RunRequest, record: RunRecord, items: tuple[Item, ...]) -> list[str]:
    """Do what the answers ask for that has not been done yet; return one line each.

    Raises
    ------
    LockHeldError
        While another command holds the corpus: the answers are kept for the next time.
    """
    try:
        return _carry_out(request, record, items)
    except LockHeldError as error:
        raise LockHeldError(
            error.reference,
            error.message,
            context=["your answers are kept, and not carried out yet"],
            hint="give the last one again when it has ended: all are carried out then",
        ) from error


def _carry_out(request: RunRequest, record: RunRecord, items: tuple[Item, ...]) -> list[str]:
    answers = answers_of(record)
    fresh = {name: word for name, word in answers.given.items() if name not in answers.done}
    said = _part(request, record, items, [n for n, word in fresh.items() if word == "different"])
    said += _settled(request, items, fresh)
    landed = set(record.status().landed)
    rejected = [name for name, word in fresh.items() if word == "reject" and name in landed]
    done = Answers(given=answers.given, done=(*answers.done, *fresh))
    content = to_bytes(done)
    if rejected:
        outcome = undo_run(request, record.run_id, rejected, with_dependents=True)
        said += outcome.messages
    for kept in RunStore(place_of(request.corpus, request.state_dir)).records():
        if kept.read(FILE) is not None and answers_of(kept) == answers:
            kept.write(FILE, content)  # an undo may have given the run another name
    return said


def _settled(
    request: RunRequest, items: tuple[Item, ...], fresh: Mapping[str, Answer]
) -> list[str]:
    """Land what was decided about pairs: one of them is kept, or a link is added."""
    proposals = []
    for item in items:
        word = fresh.get(item.id)
        first, second = (text.path for text in item.texts) if item.kind == "pair" else ("", "")
        if word == "keep-first":
            proposals.append(keep(first, second))
        elif word == "keep-second":
            proposals.append(keep(second, first))
        elif word == "link":
            proposals.append(link(second, first) if item.newer == second else link(first, second))
    return list(settle(request, proposals).messages) if proposals else []


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
