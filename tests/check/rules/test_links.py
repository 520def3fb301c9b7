# ruff: noqa: E501 (a row of a table is one line)
"""MS2xx: tables of clean and of faulty corpora."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from check_kit import Files, note, page, result_of, told

A, B = "areas/a.html", "areas/b.html"
OTHER = page(claim="The shed has two keys.", title="Keys")


def _link(relation: str, href: str) -> str:
    return f'<link rel="memhtml-{relation}" href="{href}">'


def _ledger(path: str, to: str) -> str:
    line = {"path": path, "to": to, "when": "2026-05-01T00:00:00Z", "cause": "expired"}
    return json.dumps(line) + "\n"


OLD = note("Old rates.\n", archived_at="2026-05-01")
LEDGER = "archive/2026/ledger.jsonl"
FAULTY: list[tuple[str, Files, list[str]]] = [
    ("MS201", {"a.md": "See [[nowhere at all]].\n"}, ["a.md:1:7"]),
    ("MS201", {"a.md": "\u65e5\u672c [text](gone.md \"t\")\n"}, ["a.md:1:11"]),
    ("MS201", {"a.md": note("x\n", supports="[[gone]]")}, ["a.md:2:13"]),
    ("MS201", {"MEMORY.md": "- [A](gone.md) - hook\n", "a.md": "x\n"}, ["MEMORY.md:1:7"]),
    ("MS201", {A: page(head=_link("supports", "/areas/gone.html"))}, [f"{A}:10:36"]),
    ("MS201", {A: page(after='<p><a href="gone.html">x</a></p>')}, [f"{A}:14:73"]),
    ("MS202", {"x/n.md": "x\n", "y/n.md": "y\n", "z/a.md": "See [[n]].\n"}, ["z/a.md:1:7"]),
    ("MS202", {"x/n.md": "x\n", "y/n.md": "y\n", "a.md": note("x\n", supports="[[n]]")}, ["a.md:2:13"]),
    ("MS203", {"a.md": "See [[archive/2026/o]].\n", "archive/2026/o.md": OLD}, ["a.md:1:7"]),
    ("MS203", {A: page(head=_link("supports", "/archive/2026/areas/o.html")), "archive/2026/areas/o.html": page(status="archived", head='<meta name="memhtml-archived" content="2026-05-01">', claim="Old.")}, [f"{A}:10:36"]),
    ("MS204", {"a.md": "See [o](b/o.md).\n", "archive/2026/b/o.md": OLD}, ["a.md:1:9"]),
    ("MS204", {"a.md": "See [o](b/o.md).\n", "archive/2026/q.md": OLD, LEDGER: _ledger("b/o.md", "archive/2026/q.md")}, ["a.md:1:9"]),
    ("MS204", {A: page(head=_link("supports", "/areas/o.html")), "archive/2026/areas/o.html": page(status="archived", head='<meta name="memhtml-archived" content="2026-05-01">', claim="Old.")}, [f"{A}:10:36"]),
    ("MS205", {A: page(), "archive/2026/areas/o.html": page(status="archived", claim="Old.")}, ["archive/2026/areas/o.html"]),
    ("MS205", {"archive/2026/o.md": "Old.\n", LEDGER: _ledger("p.md", "archive/2026/p.md"), "archive/2026/p.md": "Older.\n", "a.md": "x\n"}, ["archive/2026/o.md"]),
    ("MS206", {"a.md": "x\n", LEDGER: _ledger("b.md", "archive/2026/b.md")}, [f"{LEDGER}:1:1"]),
    ("MS206", {"a.md": "x\n", LEDGER: _ledger("a.md", "archive/2026/a.md") + _ledger("b.md", "archive/2026/b.md")}, [f"{LEDGER}:2:1"]),
    ("MS207", {A: page(head=_link("supports", f"/{A}"))}, [f"{A}:10:36"]),
    ("MS207", {"a.md": note("x\n", supports="[[a]]")}, ["a.md:2:13"]),
    ("MS208", {"a.md": "x\n", LEDGER: _ledger("a.md", "archive/2026/a.md") + "<<<<<<< HEAD\n"}, [f"{LEDGER}:2:1"]),
    ("MS208", {"a.md": "x\n", LEDGER: '{"path": "a.md"}\r\n'}, [f"{LEDGER}:1:1"]),
]  # fmt: skip
CLEAN: list[tuple[str, Files]] = [
    ("MS201", {"a.md": "See [[b]], [b](b.md), [x](https://example.org), [y](mailto:a@example.org).\n", "b.md": "b\n"}),
    ("MS201", {"a.md": "`[[nowhere]]` and\n\n```\n[[nowhere]]\n```\n"}),
    ("MS201", {"a.md": "An image ![x](x.png) and a [folder](b/).\n", "x.png": "p", "b/c.md": "c\n"}),
    ("MS201", {"a.md": "A footnote[^1] and [[{{ title }}]].\n\n[^1]: note\n"}),
    ("MS201", {"archive/2026/o.md": note("See [[gone]].\n", archived_at="2026-01-01"), "a.md": "x\n"}),
    ("MS201", {A: page(head=_link("from-session", "/sessions/1"))}),
    ("MS201", {A: page(after=f'<p><a href="#top">x</a> <a href="/{B}#y">y</a></p>'), B: OTHER}),
    ("MS202", {"x/n.md": "x\n", "y/n.md": "y\n", "x/a.md": "See [[n]].\n"}),
    ("MS202", {"x/n.md": "x\n", "archive/2026/n.md": OLD, "z/a.md": "See [[n]].\n"}),
    ("MS203", {"a.md": note("New rates.\n", supersedes="[[archive/2026/o]]"), "archive/2026/o.md": OLD}),
    ("MS203", {"a.md": "See [[archive/2019/o]].\n", "archive/2019/o.md": "The user's own folder.\n"}),
    ("MS204", {"a.md": "See [o](b/o.md).\n", "b/o.md": "New.\n", "archive/2026/b/o.md": OLD}),
    ("MS204", {"a.md": "See [[o]].\n", "archive/2026/b/o.md": OLD}),
    ("MS204", {A: page(head=_link("supports", f"/{B}")), B: OTHER}),
    ("MS205", {"archive/2026/o.md": OLD, "a.md": "x\n"}),
    ("MS205", {"archive/2019/o.md": "The user's own folder.\n"}),
    ("MS205", {A: page(head=_link("supersedes", "/archive/2026/areas/o.html")), "archive/2026/areas/o.html": page(status="archived", claim="Old.")}),
    ("MS206", {"archive/2026/b.md": OLD, LEDGER: _ledger("b.md", "archive/2026/b.md")}),
    ("MS206", {"b.md": "restored\n", LEDGER: _ledger("b.md", "archive/2026/b.md")}),
    ("MS207", {A: page(head=_link("supports", f"/{B}")), B: OTHER}),
    ("MS207", {"a.md": "# A\n\nSee [[#below]] and [[a#below]].\n"}),
    ("MS208", {"a.md": "x\n", LEDGER: _ledger("a.md", "archive/2026/a.md") + "\n"}),
    ("MS208", {"a.md": "x\n", "archive/2026/other.jsonl": "no ledger\n"}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "files", "places"), FAULTY)
def test_faulty(code: str, files: Files, places: list[str], tmp_path: Path) -> None:
    """The rule finds the fault at its line and column, once."""
    found = [line for line in told(result_of(tmp_path / "c", files)) if line.endswith(code)]
    assert found == [f"{place} {code}" for place in places]


@pytest.mark.parametrize(("code", "files"), CLEAN)
def test_clean(code: str, files: Files, tmp_path: Path) -> None:
    """The rule finds nothing."""
    found = [line for line in told(result_of(tmp_path / "c", files)) if line.endswith(code)]
    assert found == []


def test_the_nearest_name_is_told(tmp_path: Path) -> None:
    """A dangling link comes with the name that was probably meant."""
    files = {"a.md": "See [[compost-heep]].\n", "garden/compost-heap.md": "x\n"}
    (finding,) = result_of(tmp_path / "c", files).findings
    assert finding.message == "compost-heep leads nowhere; nearest: garden/compost-heap.md"
