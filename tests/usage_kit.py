"""Open corpora on disk for the tests of search, recall, brief and citations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from corpus_kit import write
from memsleep.access.opened import OpenCorpus, open_corpus
from memsleep.model import Memory, Usage, digest_bytes
from memsleep.settings import Settings
from memsleep.state.store import State

NOW = "2026-11-30T03:00:00Z"


def note(
    claim: str,
    *,
    type: str = "fact",  # noqa: A002 (the name of the field)
    created: str = "2026-11-20",
    body: str = "",
    **fields: object,
) -> str:
    """Return a Markdown memory."""
    head = [f"type: {type}", f"created: {created}", *(f"{k}: {v}" for k, v in fields.items())]
    return "\n".join(["---", *head, "---", "", claim, "", body, ""])


@contextmanager
def corpus_of(
    folder: Path,
    files: Mapping[str, str | bytes],
    *,
    now: str = NOW,
    settings: Settings | None = None,
) -> Iterator[OpenCorpus]:
    """Write files and open them."""
    write(folder, files)
    with open_corpus(folder, settings or Settings(), now) as opened:
        yield opened


def memory(path: str, gist: str = "", **fields: object) -> Memory:
    """Return a memory that no file holds."""
    made = Memory(
        path=path,
        dialect="markdown",
        type="fact",
        title="",
        gist=gist or path,
        body=gist or path,
        word_count=2,
        digest=digest_bytes(path.encode()),
        content_hash=f"sha256:{digest_bytes((gist or path).encode())}",
        created="2026-11-20T00:00:00Z",
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def give(state: State, path: str, **fields: object) -> None:
    """Let the state know something of a memory's use."""
    state.import_usage({path: Usage(**fields)})  # type: ignore[arg-type]
