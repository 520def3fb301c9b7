# ruff: noqa: E501 (a row of a table is one line)
"""MS1xx: tables of clean and of faulty files."""

from __future__ import annotations

from pathlib import Path

import pytest

from check_kit import Files, note, page, result_of, told

H = "areas/a.html"
HASH = "sha256:" + "0" * 64
CONFLICT = "<<<<<<< HEAD\nport 8080\n=======\nport 8081\n>>>>>>> theirs\n"

FAULTY: list[tuple[str, Files, list[str]]] = [
    ("MS101", {"a.md": b"caf\xe9 opens\n"}, ["a.md:1:4"]),
    ("MS101", {"a.md": b"one\ntwo\0\n"}, ["a.md:2:4"]),
    ("MS101", {H: b"\xef\xbb\xbf" + page().encode()}, [f"{H}:1:1"]),
    ("MS101", {"a.md": "version https://git-lfs.github.com/spec/v1\noid sha256:1\n"}, ["a.md"]),
    ("MS101", {"MEMORY.md": b"- [caf\xe9](a.md)\n", "a.md": "x\n"}, ["MEMORY.md:1:7"]),
    ("MS102", {"a.md": "---\ntitle: a: b\n---\ntext\n"}, ["a.md:2:1"]),
    ("MS102", {"a.md": "---\ntitle: never closed\n"}, ["a.md:1:1"]),
    ("MS102", {H: page(after="<script>1</script>")}, [f"{H}:14:61"]),
    ("MS102", {H: page(claim="</mark><mark>two")}, [f"{H}:14:17"]),
    ("MS102", {H: page(after='<p style="x">b</p>')}, [f"{H}:14:71"]),
    ("MS103", {H: page().replace('<meta name="memhtml-created" content="2026-03-04T05:06:07Z">\n', "")}, [f"{H}:3:1"]),
    ("MS103", {H: page(title=" ")}, [f"{H}:5:1"]),
    ("MS103", {H: page(type="task")}, [f"{H}:6:36"]),
    ("MS104", {"a.md": note(created="2026-02-30")}, ["a.md:2:10"]),
    ("MS104", {"a.md": note(title="t", valid_until="soon")}, ["a.md:3:14"]),
    ("MS104", {H: page(created="2026-03-04 05:06")}, [f"{H}:8:39"]),
    ("MS104", {H: page(after='<p><time datetime="4 March">4</time></p>')}, [f"{H}:14:80"]),
    ("MS105", {"a.md": note(confidense="0.8")}, ["a.md:2:1"]),
    ("MS105", {"a.md": note(title="t", vaild_until="2027-01-01")}, ["a.md:3:1"]),
    ("MS105", {H: page(head='<meta name="memhtml-vibe" content="x">')}, [f"{H}:10:13"]),
    ("MS105", {H: page(head='<link rel="memhtml-likes" href="/areas/b.html">')}, [f"{H}:10:12"]),
    ("MS106", {"a.md": "---\nstatus: a\ntitle: t\nstatus: b\n---\nx\n"}, ["a.md:4:1"]),
    ("MS106", {H: page(head='<meta name="memhtml-type" content="arc">')}, [f"{H}:10:1"]),
    ("MS107", {"a.md": note(permalink="x", created="2026-01-01"), "b.md": note("Other words.\n", permalink="x", created="2026-02-01")}, ["b.md:2:12"]),
    ("MS107", {"a.md": note("Other.\n", id="k7", created="2026-02-01"), "b.md": note(id="k7", created="2026-01-01")}, ["a.md:2:5"]),
    ("MS108", {H: page(head=f'<meta name="memhtml-content-hash" content="{HASH}">')}, [f"{H}:10:44"]),
    ("MS108", {H: page(head='<meta name="memhtml-content-hash" content="abc">')}, [f"{H}:10:44"]),
    ("MS108", {"a.md": note(content_hash=HASH)}, ["a.md:2:15"]),
    ("MS109", {H: page(type="fact")}, [f"{H}:6:36"]),
    ("MS109", {H: page(status="open")}, [f"{H}:7:38"]),
    ("MS109", {H: page(head='<meta name="memhtml-task-status" content="todo">')}, [f"{H}:10:43"]),
    ("MS110", {H: page(status="Active")}, [f"{H}:7:38"]),
    ("MS110", {H: page(type="Semantic ")}, [f"{H}:6:36"]),
    ("MS111", {"a.md": note(tags="[a, b, a]")}, ["a.md:2:14"]),
    ("MS111", {"a.md": "---\naliases:\n  - one\n  - two\n  - one\n---\nx\n"}, ["a.md:5:5"]),
    ("MS111", {H: page(head='<meta name="memhtml-tag" content="x">\n<meta name="memhtml-tag" content="x">')}, [f"{H}:11:35"]),
    ("MS112", {H: page(after="<p>a<br>b</p>")}, [f"{H}:14:65"]),
    ("MS112", {H: page(after="<div>a</div>")}, [f"{H}:14:61"]),
    ("MS113", {"a.md": f"Port.\n\n{CONFLICT}"}, ["a.md:3:1"]),
    ("MS113", {"MEMORY.md": f"- [a](a.md)\n{CONFLICT}", "a.md": "x\n"}, ["MEMORY.md:2:1"]),
    ("MS114", {"a.md": note(confidence="80")}, ["a.md:2:13"]),
    ("MS114", {"a.md": note(title="t", importance="11")}, ["a.md:3:13"]),
    ("MS114", {H: page(head='<meta name="memhtml-confidence" content="1.5">')}, [f"{H}:10:42"]),
    ("MS115", {"a.md": "x <!-- memsleep: ignore MS201 -->\n"}, ["a.md:1:3"]),
    ("MS115", {"a.md": "x\n<!-- memsleep: ignore MS999 why -->\n"}, ["a.md:2:1"]),
    ("MS115", {"a.md": "x\n<!-- memsleep: skip this -->\n"}, ["a.md:2:1"]),
    ("MS116", {"a.md": note("", title="t")}, ["a.md"]),
]  # fmt: skip
CLEAN: list[tuple[str, Files]] = [
    ("MS101", {"a.md": "caf\u00e9 opens\n"}),
    ("MS101", {"a.md": b"\xef\xbb\xbfwith a mark\n"}),
    ("MS101", {"a.md": "a\r\nb\rc\u2028d"}),
    ("MS101", {H: page(claim="Caf\u00e9 opens.")}),
    ("MS101", {"a.png": b"\x89PNG\0"}),
    ("MS102", {"a.md": '---\ntitle: "a: b"\n---\ntext\n'}),
    ("MS102", {"a.md": "---\nprose between rules\n---\ntext\n"}),
    ("MS102", {"a.md": "no front matter\n"}),
    ("MS102", {H: page(after="<pre>script</pre>")}),
    ("MS102", {H: page(after='<p><code data-lang="js">let x</code></p>')}),
    ("MS103", {"a.md": "no fields are needed\n"}),
    ("MS103", {H: page()}),
    ("MS103", {H: page(type="task", head='<meta name="memhtml-task-status" content="todo">')}),
    ("MS104", {"a.md": note(created="4 March 2026")}),
    ("MS104", {"a.md": note(created="2024-02-29", updated="2026-03-04T10:15+02:00")}),
    ("MS104", {"a.md": note(id="abc", archived="true")}),
    ("MS104", {H: page(created="2026-03-04")}),
    ("MS105", {"a.md": note(confidence="0.8", colour="red")}),
    ("MS105", {"a.md": note(cssclasses="wide", authors="A, B")}),
    ("MS105", {"a.md": "---\n\u6807\u7b7e: x\ndate created: 2026-01-01\n---\nx\n"}),
    ("MS105", {H: page(head='<meta name="description" content="x">')}),
    ("MS106", {"a.md": "---\nstatus: a\nother: a\n---\nx\n"}),
    ("MS106", {H: page(head='<meta name="memhtml-tag" content="a">\n<meta name="memhtml-tag" content="b">')}),
    ("MS107", {"a.md": note(permalink="x"), "b.md": note("Other words.\n", permalink="y")}),
    ("MS107", {"agents/one/a.md": note(permalink="x"), "agents/two/a.md": note(permalink="x")}),
    ("MS108", {H: page()}),
    ("MS108", {"a.md": note(content_hash="md5:abc")}),
    ("MS108", {"a.md": note()}),
    ("MS109", {H: page(type="arc")}),
    ("MS109", {"a.md": note(type="recipe", status="simmering")}),
    ("MS109", {H: page(type="task", head='<meta name="memhtml-task-status" content="done">')}),
    ("MS110", {H: page(status="archived")}),
    ("MS110", {"a.md": note(status="Active")}),
    ("MS111", {"a.md": note(tags="[a, b, A]")}),
    ("MS111", {"a.md": note(tags="a b")}),
    ("MS111", {H: page(head='<meta name="memhtml-tag" content="x">\n<meta name="memhtml-alias" content="x">')}),
    ("MS112", {H: page(after="<figure><div>a</div></figure>")}),
    ("MS112", {H: page(after="<p>a <em>b</em></p>")}),
    ("MS113", {"a.md": "Title\n=======\n\n> quoted\n"}),
    ("MS113", {"a.md": f"An example:\n\n```\n{CONFLICT}```\n"}),
    ("MS114", {"a.md": note(confidence="80 %")}),
    ("MS114", {"a.md": note(confidence="high", importance="10")}),
    ("MS114", {H: page(head='<meta name="memhtml-confidence" content="0.5">')}),
    ("MS115", {"a.md": "x <!-- memsleep: ignore MS201 planned -->\n"}),
    ("MS115", {"a.md": "```\n<!-- memsleep: ignore MS201 -->\n```\n"}),
    ("MS115", {"a.md": "x\n\n<!-- a comment -->\n"}),
    ("MS116", {"a.md": "One.\n"}),
    ("MS116", {"a.md": note("", description="All is said here.")}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "files", "places"), FAULTY)
def test_faulty(code: str, files: Files, places: list[str], tmp_path: Path) -> None:
    """The rule finds the fault at its line and column, once."""
    found = [line for line in told(result_of(tmp_path / "c", files)) if line.endswith(code)]
    assert [f"{place} {code}" for place in places] == found


@pytest.mark.parametrize(("code", "files"), CLEAN)
def test_clean(code: str, files: Files, tmp_path: Path) -> None:
    """The rule finds nothing."""
    found = [line for line in told(result_of(tmp_path / "c", files)) if line.endswith(code)]
    assert found == []


def test_required_fields_are_those_of_the_config(tmp_path: Path) -> None:
    """Only what `check.required` names is missed in Markdown."""
    files = {"a.md": note(created="2026-01-01"), "b.md": note("Two.\n", title="t")}
    result = result_of(tmp_path / "c", files, check__required=("created",))
    assert told(result) == ["b.md MS103"]


def test_a_closed_list_of_keys_is_kept(tmp_path: Path) -> None:
    """With `check.known_keys` every other key is unknown."""
    files = {"a.md": note(colour="red", weight="2", mood="good")}
    result = result_of(tmp_path / "c", files, check__known_keys=("colour",))
    assert told(result) == ["a.md:4:1 MS105"]


def test_a_true_hash_is_not_stale(tmp_path: Path) -> None:
    """The hash that the reader computes is accepted where the file states it."""
    from memsleep.readers.memhtml_hash import content_hash

    digest = content_hash(page())
    files = {H: page(head=f'<meta name="memhtml-content-hash" content="{digest}">')}
    assert told(result_of(tmp_path / "c", files)) == []


def test_a_file_that_cannot_be_read_is_always_an_error(tmp_path: Path) -> None:
    """No setting makes an unreadable file pass."""
    files = {"a.md": b"caf\xe9\n", H: page(status="Active")}
    result = result_of(tmp_path / "c", files, check__off=("MS1",))
    assert [f.severity for f in result.findings] == ["error", "error"]
    assert result.fails("never")
