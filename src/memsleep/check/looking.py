"""Look at files: in this process, or shared out among interpreters of our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace
from functools import partial
from typing import Final, TypeAlias

from memsleep.check.facts import EMBEDDER, Facts, facts_of, view_of
from memsleep.corpus.select import Role
from memsleep.interpreter import Interpreter, Requests, shared_answers
from memsleep.settings import CheckSettings

ENOUGH_TO_SHARE: Final = 600
CHUNK: Final = 64
Looked: TypeAlias = tuple[str, str, str, bytes]
"""Path, facts as JSON, body, vector."""
Task: TypeAlias = tuple[str, bytes, Role]


def looked_at(
    tasks: Sequence[Task], settings: CheckSettings, day_first: bool | None, jobs: int
) -> Iterator[Looked]:
    """Give what there is to know of each file, in order; the result does not depend on `jobs`."""
    count = jobs if jobs > 1 and len(tasks) >= ENOUGH_TO_SHARE else 0
    chunks = [tasks[start : start + CHUNK] for start in range(0, len(tasks), CHUNK)]
    shared = shared_answers(__name__, chunks, partial(_ask, settings, day_first), count)
    for chunk, found in zip(chunks, shared, strict=True):
        yield from found if found is not None else look_at(chunk, settings, day_first)


def look_at(
    tasks: Sequence[Task], settings: CheckSettings, day_first: bool | None = None
) -> list[Looked]:
    """Look at some files here."""
    views = (view_of(*task, settings, day_first=day_first) for task in tasks)
    found = [facts_of(view) for view in views]
    embedded = [one for one in found if one.memory is not None and not one.memory.archived]
    texts = [_text(one) for one in embedded]
    rows = dict(zip((one.path for one in embedded), EMBEDDER.embed(texts), strict=True))
    return [
        (one.path, one.to_json(), one.body, rows[one.path].tobytes() if one.path in rows else b"")
        for one in found
    ]


def _text(facts: Facts) -> str:
    """Return the text that is embedded."""
    return EMBEDDER.text_of(replace(facts.memory, body=facts.body)) if facts.memory else ""


def _ask(
    settings: CheckSettings, day_first: bool | None, beside: Interpreter, tasks: Sequence[Task]
) -> list[Looked]:
    head = {
        "settings": settings.model_dump_json(),
        "day_first": day_first,
        "files": [[path, len(source), astuple(role)] for path, source, role in tasks],
    }
    beside.send(head, [source for _, source, _ in tasks])
    sizes = beside.receive()
    if not isinstance(sizes, list) or len(sizes) != len(tasks):
        raise ValueError("expected sizes for each file")
    found = []
    for (path, _, _), (facts, body, row) in zip(tasks, sizes, strict=True):
        texts = [beside.exactly(size).decode("utf-8", "surrogatepass") for size in (facts, body)]
        found.append((path, texts[0], texts[1], beside.exactly(row)))
    return found


def answer(requests: Requests) -> None:
    """Look at the files of one request."""
    head = requests.head()
    tasks = [(path, requests.exactly(size), Role(*role)) for path, size, role in head["files"]]
    settings = CheckSettings.model_validate_json(head["settings"])
    found = [
        (facts.encode("utf-8", "surrogatepass"), body.encode("utf-8", "surrogatepass"), row)
        for _, facts, body, row in look_at(tasks, settings, head["day_first"])
    ]
    requests.answer(
        [[len(part) for part in one] for one in found], [p for one in found for p in one]
    )
