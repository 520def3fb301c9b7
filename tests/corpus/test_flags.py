"""What the corpus says of a memory besides its own file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from memsleep.corpus.flags import (
    archived_by_place,
    archived_paths,
    colliding,
    flag_rule,
    ledger_paths,
)
from memsleep.model import Memory
from memsleep.settings import CorpusSettings


def memory(path: str, dialect: str = "markdown", **fields: object) -> Memory:
    made = Memory(path, dialect, "semantic", "T", "g", "b", 1, "0", "sha256:0")
    return replace(made, **fields)  # type: ignore[arg-type]


def flagged(made: Memory, read_only: Mapping[str, str] = {}, **settings: object) -> Memory:
    taken = {made.path, "agents/ada/a.md", "agents/bob/b.md"}
    rule = flag_rule(taken, frozenset(), read_only, CorpusSettings(**settings))
    return rule(made)


def test_the_folder_gives_a_scope() -> None:
    """A memory that states no scope has its folder's."""
    assert flagged(memory("agents/ada/a.md")).scope == "ada"


def test_a_stated_scope_stays() -> None:
    """What the file says comes before the folder."""
    assert flagged(memory("agents/ada/a.md", scope="team")).scope == "team"


def test_the_usual_folders_are_for_markdown() -> None:
    """A memhtml store has workspaces of its own; only a glob of the config adds to them."""
    made = memory("areas/agents/x/a.html", "memhtml")
    assert flagged(made).scope == ""
    assert flagged(made, scope_folders=("areas/agents/*",)).scope == "x"


@pytest.mark.parametrize(("path", "expected"), [("keep/a.md", True), ("a.md", False)])
def test_protected_globs(path: str, expected: bool) -> None:
    """The config protects by glob, and takes no protection away."""
    assert flagged(memory(path), protected=("keep/",)).protected is expected
    assert flagged(memory(path, protected=True)).protected


def test_read_only() -> None:
    """The file's own reason comes before the corpus's."""
    why = {"a.md": "being edited"}
    assert flagged(memory("a.md"), why).read_only == "being edited"
    assert flagged(memory("a.md", read_only="broken"), why).read_only == "broken"
    assert flagged(memory("b.md"), why).read_only == ""


PLACES = [
    # path, dialect, in the ledger, stated, archived
    ("archive/2026/a.md", "markdown", True, {}, True),
    ("archive/2026/a.md", "markdown", False, {"archived_at": "archived_at"}, True),
    ("archive/2026/a.md", "markdown", False, {}, False),
    ("archive/a.md", "markdown", False, {}, False),
    ("a.md", "markdown", False, {"archived_at": "archived_at"}, False),
    ("archive/2026/areas/a.html", "memhtml", False, {}, True),
    ("archive/a.html", "memhtml", False, {}, True),
    ("areas/a.html", "memhtml", False, {}, False),
]


@pytest.mark.parametrize(("path", "dialect", "named", "stated", "expected"), PLACES)
def test_place(
    path: str, dialect: str, named: bool, stated: dict[str, str], expected: bool
) -> None:
    """A user's own folder `archive/2019` is like any other; a store's archive is its archive."""
    made = memory(path, dialect, stated=stated)
    ours = {path} if named else {"archive/2026/other.md"}
    assert replace(made, archived_by_place=archived_by_place(made, ours)).archived is expected


def test_a_status_archives_wherever_the_file_lies() -> None:
    """A memory that states it is archived is archived."""
    made = memory("archive/2019/a.md", status="archived")
    assert flagged(made).archived


def test_ledgers() -> None:
    """Ledgers lie one a year; what they name is ours, and a broken line names nothing."""
    folders = ("archive/2026", "archive/2025", "archive", "archive/2026/x", "archive/old", "notes")
    taken = {f"{folder}/ledger.jsonl" for folder in folders} | {"archive/2025/a.md"}
    assert ledger_paths(taken) == ["archive/2025/ledger.jsonl", "archive/2026/ledger.jsonl"]
    line = b'{"path":"a.md","to":"archive/2026/a.md","when":"2026-01-01","cause":"evicted"}'
    assert archived_paths({"l": b"<<<<<<<\n" + line + b"\n{}\n"}) == {"archive/2026/a.md"}


COLLIDE = [
    ("a.md", "A.md"),
    ("n/a.md", "N/A.md"),
    ("caf\u00e9.md", "cafe\u0301.md"),
    ("CAFE\u0301.md", "caf\u00e9.md"),
    ("stra\u00dfe.md", "STRASSE.md"),
]
APART = [("a.md", "b.md"), ("a.md", "n/a.md"), ("cafe.md", "caf\u00e9.md"), ("1.md", "\uff11.md")]


@pytest.mark.parametrize(("one", "two"), COLLIDE)
def test_colliding(one: str, two: str) -> None:
    """Names that one file system would take for the same are told, each with its rival."""
    assert colliding([one, "x.md", two]) == {one: two, two: one}


@pytest.mark.parametrize(("one", "two"), APART)
def test_not_colliding(one: str, two: str) -> None:
    """Other names are not."""
    assert colliding([one, two]) == {}
