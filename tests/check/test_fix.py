# ruff: noqa: E501 (a row of a table is one line)
"""`--fix`: what is safe, byte for byte, and nothing else."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from check_kit import Files, note, page, run_check, told
from corpus_kit import write
from memsleep.check.fix import fixes_for, write_fixes
from memsleep.readers.memhtml_hash import content_hash
from night_kit import git_apply

A = "areas/a.html"
STALE = '<meta name="memhtml-content-hash" content="sha256:' + "0" * 64 + '">'
OLD = page(
    status="archived", claim="Old.", head='<meta name="memhtml-archived" content="2026-05-01">'
)
TAG = '<meta name="memhtml-tag" content="x">'

GONE = note("Old.\n", archived_at="2026-05-01")
HERMES = "A [o](o.md).\n\u00a7\n\nThe hose is green.\n  \n\u00a7\nSee [o](o.md)\nand [o](o.md).\n\n\u00a7\nC."

# (files, path, bytes before, bytes after)
CASES: list[tuple[str, Files, str, str, str]] = [
    ("hash", {A: page(head=STALE)}, A, "0" * 64, content_hash(page())[7:]),
    ("case", {A: page(status=" Active")}, A, '" Active"', '"active"'),
    ("type", {A: page(type="SEMANTIC")}, A, "SEMANTIC", "semantic"),
    ("tags", {A: page(head=f"{TAG}\n{TAG}")}, A, f"{TAG}\n{TAG}", TAG),
    ("flow", {"a.md": note(tags="[a, 'b', a, a] # c")}, "a.md", "[a, 'b', a, a] # c", "[a, 'b'] # c"),
    ("block", {"a.md": "---\r\naliases:\r\n  - one\r\n  - one\r\n---\r\nx"}, "a.md", "  - one\r\n  - one\r\n", "  - one\r\n"),
    ("head", {A: page(head='<link rel="memhtml-supports" href="/areas/o.html">'), "archive/2026/areas/o.html": OLD}, A, "/areas/o.html", "/archive/2026/areas/o.html"),
    ("anchor", {A: page(after="<p><a href='o.html#x'>o</a></p>"), "archive/2026/areas/o.html": OLD}, A, "o.html#x", "../archive/2026/areas/o.html#x"),
    ("inline", {"b/a.md": "\ufeffSee [o](o%20x.md#y \"t\") and [o](<o x.md>).\r\n", "archive/2026/b/o x.md": note("Old.\n", archived_at="2026-05-01")}, "b/a.md", "[o](o%20x.md#y \"t\") and [o](<o x.md>)", "[o](../archive/2026/b/o%20x.md#y \"t\") and [o](<../archive/2026/b/o x.md>)"),
    ("entry", {"MEMORY.md": HERMES, "archive/2026/o.md": GONE}, "MEMORY.md", "[o](o.md)", "[o](archive/2026/o.md)"),
    ("crlf", {"MEMORY.md": "\ufeff" + HERMES.replace("\n", "\r\n"), "archive/2026/o.md": GONE}, "MEMORY.md", "[o](o.md)", "[o](archive/2026/o.md)"),
    ("items", {"MEMORY.md": "A.\n\u00a7\n---\ntags: [x, x]\n---\nB.\n\u00a7\nC."}, "MEMORY.md", "[x, x]", "[x]"),
    ("wiki", {"a.md": "See [[b/o|label]].\n", "archive/2026/b/o.md": note("Old.\n", archived_at="2026-05-01")}, "a.md", "[[b/o|label]]", "[[archive/2026/b/o|label]]"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "files", "path", "old", "new"),
    CASES,
    ids=lambda v: v if isinstance(v, str) and len(v) < 8 else "",
)
def test_fixed(name: str, files: Files, path: str, old: str, new: str, tmp_path: Path) -> None:
    """Only the wanted bytes differ, the finding is gone, and the diff says the same."""
    root = write(tmp_path / "c", files)
    other = write(tmp_path / "d", files)
    checked = run_check(root)
    assert any(finding.fixable for finding in checked.result.findings)
    fixes = fixes_for(checked.corpus, checked.result.findings)
    assert (list(fixes.after), fixes.refused) == ([path], ())
    before = (root / path).read_bytes()
    git_apply(other, fixes.diff(checked.corpus.files))
    assert write_fixes(root, checked.corpus.files, fixes) == []
    after = (root / path).read_bytes()
    assert after.decode() == before.decode().replace(old, new)
    assert (other / path).read_bytes() == after
    assert not [f for f in run_check(root).result.findings if f.fixable]


UNTOUCHED: list[Files] = [
    {"a.md": "See [[gone]].\n"},
    {"a.md": note(confidense="1")},
    {"a.md": note(tags="a, a")},
    {"a.md": note(content_hash="md5:1")},
    {A: page(type="fact")},
    {A: page(status="open")},
    {"a.md": "It rained yesterday.\n"},
    {"a.md": note("x\n", valid_until="2026-01-01")},
    {"a.md": b"caf\xe9\n"},
    {"a.md": "---\ntitle: a: b\ntags: [x, x]\n---\ny\n"},
]  # fmt: skip


@pytest.mark.parametrize("files", UNTOUCHED)
def test_not_fixed(files: Files, tmp_path: Path) -> None:
    """What needs a decision, or cannot be read safely, is left alone."""
    checked = run_check(write(tmp_path / "c", files))
    fixes = fixes_for(checked.corpus, checked.result.findings)
    assert fixes.after == {}
    assert fixes.fixed == ()


def test_an_edit_that_cannot_be_made_safely_is_refused_by_name(tmp_path: Path) -> None:
    """Two entries on one line cannot be taken apart: file, finding and reason are told."""
    root = write(tmp_path / "c", {A: page(head=TAG + TAG)})
    checked = run_check(root)
    fixes = fixes_for(checked.corpus, checked.result.findings)
    assert fixes.after == {}
    assert [finding.code for finding, _ in fixes.refused] == ["MS111"]
    assert "alone on its line" in fixes.refused[0][1]


def test_two_fixes_of_one_file_are_both_made(tmp_path: Path) -> None:
    """A stale hash and a repeated tag in one memory."""
    root = write(tmp_path / "c", {A: page(head=f"{STALE}\n{TAG}\n{TAG}")})
    checked = run_check(root)
    fixes = fixes_for(checked.corpus, checked.result.findings)
    write_fixes(root, checked.corpus.files, fixes)
    assert told(run_check(root).result) == []


def test_a_file_that_changed_meanwhile_is_left(tmp_path: Path) -> None:
    """What somebody wrote since the check is not lost."""
    root = write(tmp_path / "c", {A: page(status="Active")})
    checked = run_check(root)
    fixes = fixes_for(checked.corpus, checked.result.findings)
    write(root, {A: page(status="Active", claim="New.")})
    before = (root / A).read_bytes()
    assert write_fixes(root, checked.corpus.files, fixes) == [A]
    assert (root / A).read_bytes() == before


def test_modes_are_kept_and_nothing_is_left_behind(tmp_path: Path) -> None:
    """The file keeps its permissions; no temporary file stays."""
    root = write(tmp_path / "c", {A: page(status="Active")})
    (root / A).chmod(0o640)
    checked = run_check(root)
    write_fixes(root, checked.corpus.files, fixes_for(checked.corpus, checked.result.findings))
    assert stat.S_IMODE((root / A).stat().st_mode) == 0o640
    assert [path.name for path in (root / "areas").iterdir()] == ["a.html"]


def test_a_ledger_leads_to_where_a_memory_went(tmp_path: Path) -> None:
    """A memory that was archived under another name is still found."""
    line = {"path": "b/o.md", "to": "archive/2026/q.md", "when": "2026-05-01", "cause": "merged"}
    files = {
        "a.md": "See [o](b/o.md).\n",
        "archive/2026/q.md": "Old.\n",
        "archive/2026/ledger.jsonl": json.dumps(line) + "\n",
    }
    root = write(tmp_path / "c", files)
    checked = run_check(root)
    write_fixes(root, checked.corpus.files, fixes_for(checked.corpus, checked.result.findings))
    assert (root / "a.md").read_bytes() == b"See [o](archive/2026/q.md).\n"
