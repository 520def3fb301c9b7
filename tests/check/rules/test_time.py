# ruff: noqa: E501 (a row of a table is one line)
"""MS4xx: tables of clean and of faulty files; the check's instant is 2026-11-30T03:00:00Z."""

from __future__ import annotations

from pathlib import Path

import pytest

from check_kit import Files, note, page, result_of, told

A = "areas/a.html"
DUE = '<meta name="memhtml-task-status" content="{}">\n<meta name="memhtml-due" content="{}">'

FAULTY: list[tuple[str, Files, list[str]]] = [
    ("MS401", {"a.md": note(valid_until="2026-11-29")}, ["a.md:2:14"]),
    ("MS401", {"a.md": note(title="t", expires="30 Nov 2026, 02:59")}, ["a.md:3:10"]),
    ("MS401", {A: page(head='<meta name="memhtml-valid-until" content="2026-11-30T02:59:59Z">')}, [f"{A}:10:43"]),
    ("MS402", {"a.md": note(type="task", due="2026-11-01", status="todo")}, ["a.md:3:6"]),
    ("MS402", {A: page(type="task", head=DUE.format("doing", "2026-11-29"))}, [f"{A}:11:35"]),
    ("MS403", {"a.md": "The gateway was replaced last week.\n"}, ["a.md:1:26"]),
    ("MS403", {"a.md": "It broke 3 days ago, and again yesterday.\n"}, ["a.md:1:10", "a.md:1:32"]),
    ("MS403", {"a.md": note("\u6628\u5929\u6362\u4e86\u7f51\u5173\u3002\n", title="t")}, ["a.md:4:1"]),
    ("MS403", {"a.md": "Das Gateway wurde gestern getauscht.\n"}, ["a.md:1:19"]),
    ("MS403", {"a.md": "La passerelle change la semaine prochaine.\n"}, ["a.md:1:22"]),
    ("MS403", {"a.md": "La puerta se cambi\u00f3 ayer.\n"}, ["a.md:1:21"]),
    ("MS403", {"a.md": "O port\u00e3o foi trocado ontem.\n"}, ["a.md:1:22"]),
    ("MS403", {"a.md": "Il cancello si cambia domani.\n"}, ["a.md:1:23"]),
    ("MS403", {"a.md": "\u0428\u043b\u044e\u0437 \u0437\u0430\u043c\u0435\u043d\u0438\u043b\u0438 \u0432\u0447\u0435\u0440\u0430.\n"}, ["a.md:1:15"]),
    ("MS403", {"a.md": "\u6628\u65e5\u3001\u4ea4\u63db\u3057\u305f\u3002\n"}, ["a.md:1:1"]),
    ("MS403", {"a.md": "\uc5b4\uc81c \uad50\uccb4\ud588\ub2e4.\n"}, ["a.md:1:1"]),
    ("MS403", {A: page(claim="The gateway was replaced yesterday.")}, [f"{A}:14:35"]),
    ("MS404", {"a.md": note(created="2062-03-04")}, ["a.md:2:10"]),
    ("MS404", {A: page(updated="2027-01-01T00:00:00Z")}, [f"{A}:9:39"]),
    ("MS405", {"a.md": note(created="2026-03-04", updated="2025-12-31")}, ["a.md:3:10"]),
    ("MS405", {"a.md": note(valid_from="2027-03-04", valid_until="2027-01-01")}, ["a.md:3:14"]),
    ("MS405", {A: page(created="2026-03-04", updated="2026-03-03T23:59:59Z")}, [f"{A}:9:39"]),
]  # fmt: skip
CLEAN: list[tuple[str, Files]] = [
    ("MS401", {"a.md": note(valid_until="2026-11-30")}),
    ("MS401", {"a.md": note(valid_until="2027-01-01", expires="2020-01-01")}),
    ("MS401", {"a.md": note(type="task", valid_until="2026-01-01")}),
    ("MS401", {"archive/2026/a.md": note(valid_until="2026-01-01", archived_at="2026-02-01"), "b.md": "x\n"}),
    ("MS402", {"a.md": note(type="task", due="2026-11-01", status="done")}),
    ("MS402", {"a.md": note(type="task", due="2026-11-30", status="todo")}),
    ("MS402", {"a.md": note(type="fact", due="2026-11-01")}),
    ("MS402", {A: page(type="task", head=DUE.format("done", "2026-11-01"))}),
    ("MS403", {"a.md": "The last week of May is for sowing.\n"}),
    ("MS403", {"a.md": "On 2026-11-29 the gateway was replaced; the next day it rained.\n"}),
    ("MS403", {"a.md": "Yesterday (2026-11-29) it rained.\n"}),
    ("MS403", {"a.md": "`yesterday` is a word\n\n> It rained yesterday.\n\n```\ndate -d yesterday\n```\n"}),
    ("MS403", {"2026-11-29-log.md": "Yesterday it rained.\n"}),
    ("MS403", {"a.md": note("Yesterday it rained.\n", event_time="2026-11-29")}),
    ("MS403", {"a.md": "See [the plan](yesterday/today.md) and <!-- today -->.\n", "yesterday/today.md": "x\n"}),
    ("MS403", {"a.md": "Die Tomaten stehen links; der Morgen ist k\u00fchl.\n"}),
    ("MS403", {"a.md": "La ma\u00f1ana es fresca.\n"}),
    ("MS403", {"a.md": "A fortnight after sowing; each Monday; every two weeks; within 3 days.\n"}),
    ("MS403", {"a.md": "The holidays begin in two days of rest.\n"}),
    ("MS403", {A: page(claim="It rained.", after='<p><q>yesterday</q> <code>today</code></p>')}),
    ("MS403", {A: page(claim="It rained.", after='<p><time datetime="2026-11-29">yesterday</time></p>', head='<meta name="memhtml-tag" content="today">')}),
    ("MS403", {"a.md": "The todayish yesterdays of hoysters.\n"}),
    ("MS404", {"a.md": note(created="2026-11-30T20:00:00Z")}),
    ("MS404", {"a.md": note(event_time="2062-03-04", due="2062-03-04")}),
    ("MS404", {A: page(updated="2026-12-01")}),
    ("MS405", {"a.md": note(created="2026-03-04T10:00:00Z", updated="2026-03-04")}),
    ("MS405", {"a.md": note(created="2026-03-04", updated="2026-03-04")}),
    ("MS405", {"a.md": note(valid_until="2027-01-01", event_time="2028-01-01")}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "files", "places"), FAULTY)
def test_faulty(code: str, files: Files, places: list[str], tmp_path: Path) -> None:
    """The rule finds the fault at its line and column, and no other rule does."""
    assert told(result_of(tmp_path / "c", files)) == [f"{place} {code}" for place in places]


@pytest.mark.parametrize(("code", "files"), CLEAN)
def test_clean(code: str, files: Files, tmp_path: Path) -> None:
    """The rule finds nothing."""
    found = [line for line in told(result_of(tmp_path / "c", files)) if line.endswith(code)]
    assert found == []
