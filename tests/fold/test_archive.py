"""Archiving: the place, the stamps, the ledger, and the links that follow."""

from __future__ import annotations

import json

import pytest

import phases_kit as kit
from memsleep.fold import Folded, fold
from memsleep.fold.archive import run_id
from memsleep.model import Snapshot, Standing, digest_bytes
from memsleep.proposals import Archive
from memsleep.settings import Settings

TEXT = "It was so for a while."


def _archived(start: Snapshot, *paths: str, used: Settings = kit.CAREFUL) -> Folded:
    gone = [Archive(phase="reprieve", reason="old", path=path, cause="expired") for path in paths]
    return fold(start, gone, used)


def _lines(folded: Folded, year: str = "2026") -> list[dict[str, object]]:
    source = folded.snapshot.files[f"archive/{year}/ledger.jsonl"]
    assert source.endswith(b"\n")
    return [json.loads(line) for line in source.split(b"\n")[:-1]]


def test_ledger_line() -> None:
    """Every archiving is one line that says what, where to, when, why and with which digests."""
    standing = {"notes/a.md": Standing("first/a.md")}
    start = kit.corpus({"notes/a.md": kit.markdown(TEXT, status="active")}, standing=standing)
    folded = _archived(start, "notes/a.md")
    (item,) = folded.applied
    assert _lines(folded) == [
        {
            "id": "first/a.md",
            "path": "notes/a.md",
            "to": "archive/2026/notes/a.md",
            "when": kit.NOW,
            "run": "sleep/2026-11-30",
            "phase": "reprieve",
            "decision": item.proposal.id,
            "cause": "expired",
            "reason": "old",
            "replaced_by": None,
            "before": digest_bytes(start.files["notes/a.md"]),
            "after": digest_bytes(folded.snapshot.files["archive/2026/notes/a.md"]),
        }
    ]


def test_without_a_state_the_path_is_the_id() -> None:
    """A fresh clone names the memory by its path."""
    assert _lines(_archived(kit.corpus({"a.md": TEXT}), "a.md"))[0]["id"] == "a.md"


@pytest.mark.parametrize("before", [b'{"x":1}\n', b'{"x":1}', b"", b"\n", b"broken"])
def test_a_ledger_is_appended_to(before: bytes) -> None:
    """What stands in the ledger stays, and the new line begins on its own line."""
    place = "archive/2026/ledger.jsonl"
    start = kit.corpus({"a.md": TEXT, "b.md": TEXT})
    start = kit.snapshot(
        start.memories.values(),
        files={**start.files, place: before},
        taken=start.taken | {place},
    )
    after = _archived(start, "a.md", "b.md").snapshot.files[place]
    assert after.startswith(before)
    added = after[len(before) :].lstrip(b"\n").split(b"\n")
    assert [json.loads(line)["path"] for line in added[:-1]] == ["a.md", "b.md"]
    assert before == b"" or b"\n" in after[len(before.rstrip(b"\n")) :][:1]


def test_the_year_is_the_runs() -> None:
    """The archive's year is that of the instant, not of the memory."""
    start = kit.corpus(
        {"a.md": kit.markdown(TEXT, created="2020-01-01")}, now="2027-01-01T00:00:00Z"
    )
    folded = _archived(start, "a.md")
    assert "archive/2027/a.md" in folded.snapshot.memories
    assert _lines(folded, "2027")[0]["run"] == run_id("2027-01-01T00:00:00Z") == "sleep/2027-01-01"


@pytest.mark.parametrize(
    ("taken", "place"),
    [
        ([], "archive/2026/a.md"),
        (["archive/2026/a.md"], "archive/2026/a-2.md"),
        (["archive/2026/a.md", "archive/2026/a-2.md"], "archive/2026/a-3.md"),
        (["archive/2026/a-2.md"], "archive/2026/a.md"),
        (["archive/2025/a.md"], "archive/2026/a.md"),
    ],
)
def test_a_place_that_is_taken_gets_a_number(taken: list[str], place: str) -> None:
    """The lowest free name is taken; nothing is ever written over, memory or not."""
    start = kit.corpus({"a.md": TEXT})
    start = kit.snapshot(start.memories.values(), files=start.files, taken=start.taken | set(taken))
    assert place in _archived(start, "a.md").snapshot.memories


def test_stamps_are_those_of_the_dialect() -> None:
    """An HTML file is stamped in the order of its format; a plain file is moved as it is."""
    start = kit.corpus({"a.html": kit.html("A is."), "b.md": TEXT})
    end = _archived(start, "a.html", "b.md").snapshot
    lines = end.files["archive/2026/a.html"].decode().split("\n")
    assert '<meta name="memhtml-status" content="archived">' in lines
    assert f'<meta name="memhtml-archived" content="{kit.NOW}">' in lines
    assert end.files["archive/2026/b.md"] == TEXT.encode()
    assert all(end.memories[f"archive/2026/{name}"].archived for name in ("a.html", "b.md"))


def test_links_follow_what_is_archived() -> None:
    """Inbound links lead to the archived file; a link by a name that still finds it stays."""
    files = {
        "notes/a.md": TEXT,
        "notes/x.md": "See [it](a.md) and [[a]].",
        "y.html": kit.html("Y is.", body=' <a href="notes/z.html">z</a>'),
        "notes/z.html": kit.html("Z is."),
    }
    end = _archived(kit.corpus(files), "notes/a.md", "notes/z.html").snapshot
    assert end.files["notes/x.md"] == b"See [it](../archive/2026/notes/a.md) and [[a]]."
    assert b'href="archive/2026/notes/z.html"' in end.files["y.html"]
    assert {link.path for link in end.memories["notes/x.md"].links} == {"archive/2026/notes/a.md"}


def test_flag_mode() -> None:
    """With flags a memory stays in place, is archived by its status, and the ledger says so."""
    start = kit.corpus({"a.md": kit.markdown(TEXT, status="active"), "x.md": "See [it](a.md)."})
    folded = _archived(start, "a.md", used=kit.settings(write={"archive": "flag"}))
    end = folded.snapshot
    assert end.memories["a.md"].archived
    assert end.files["x.md"] == start.files["x.md"]
    assert _lines(folded)[0]["to"] == "a.md"
    assert [m.path for m in end.active()] == ["x.md"]


def test_two_years_two_ledgers() -> None:
    """Each year has its own ledger; the other one is not touched."""
    place = "archive/2025/ledger.jsonl"
    start = kit.corpus({"a.md": TEXT})
    start = kit.snapshot(start.memories.values(), files={**start.files, place: b"{}\n"})
    end = _archived(start, "a.md").snapshot
    assert end.files[place] == b"{}\n"
    assert "archive/2026/ledger.jsonl" in end.files
