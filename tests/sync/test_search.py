from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.corpus.load import load_corpus
from memsleep.settings import CorpusSettings
from memsleep.sync.protocol import Note, Scope, TransientError
from memsleep.sync.search import notes_of, search
from sync_kit import Service, note

HERE = (
    note("a.md", "the gate opens at six\n", title="gate"),
    note("b.md", "the pump is green, the gate too\n"),
    note("user/c.md", "my gate\n", scope="user"),
    Note(scope="project", slug="gone.md", deleted=True),
)


class Searching(Service):
    """A provider that can search."""

    def search(self, scope: Scope, text: str, limit: int) -> tuple[Note, ...]:
        return (note("there.md", f"{scope} {text}"), note("more.md"))[: limit + 1]


def test_a_provider_that_can_search_is_asked() -> None:
    """It answers, and never with more than was asked for."""
    found = search(Searching(), "user", "gate", 1, HERE)

    assert found.by == "provider"
    assert [n.text for n in found.notes] == ["user gate"]


@pytest.mark.parametrize(
    ("scope", "text", "slugs"),
    [
        ("project", "gate", ["a.md", "b.md"]),
        ("user", "gate", ["user/c.md"]),
        ("project", "green", ["b.md"]),
        ("project", "gat", []),
        ("project", "", []),
    ],
)
def test_without_it_whole_words_are_looked_for_here(
    scope: Scope, text: str, slugs: list[str]
) -> None:
    """In the scope that was asked for, the head counting more than the text."""
    found = search(Service(), scope, text, 10, HERE)

    assert (found.by, found.reason) == ("here", "")
    assert [n.slug for n in found.notes] == slugs


def test_a_provider_that_fails_is_answered_for_from_here() -> None:
    """And it is said why."""

    class Failing(Service):
        def search(self, scope: Scope, text: str, limit: int) -> tuple[Note, ...]:
            raise TransientError("it is down")

    found = search(Failing(), "project", "green", 10, HERE)

    assert (found.by, found.reason) == ("here", "it is down")
    assert [n.slug for n in found.notes] == ["b.md"]


def test_the_notes_of_a_corpus_are_its_active_memories_without_secrets(tmp_path: Path) -> None:
    """Nothing archived, nothing that holds a secret; the scope by the globs."""
    secret = "ghp_" + "kD83hQpz0sLw5NvRtYx2BmCe7FgJa4Ku9TiW"
    for path, text in {
        "a.md": "one", "user/b.md": "two", "s.md": secret, "c.md": "three",
    }.items():  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        status = "archived" if text == "three" else "active"
        head = f"---\ntitle: t\ntype: fact\nstatus: {status}\n---\n"
        (tmp_path / path).write_bytes(f"{head}{text}\n".encode())
    found = notes_of(load_corpus(tmp_path, CorpusSettings()), ("user/**",))

    assert [(n.scope, n.slug) for n in found] == [("project", "a.md"), ("user", "user/b.md")]
