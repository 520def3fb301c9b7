"""The proof must be able to fail: each kind of loss, seeded in a night's result, is found."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memsleep.audit import Loss, Recorded, prove, recorded_by
from memsleep.dialects.registry import DIALECTS
from memsleep.model import Memory, Snapshot, Unreadable, Vectors
from memsleep.night import NightResult
from memsleep.resolve import resolve_all
from night_kit import CORPORA, copy_corpus, request_for, run_night, seeded_state

MARKDOWN = b"""---
title: Retries
status: active
confidence: 0.8
source: https://example.org/a?b=1
---

The client retries 13 times. Then it gives up on port 8080.
See [[other]] and [the list](other.md#x).

```sh
  curl --max-time 30 example
```

Last sentence here.
"""
HTML = (
    b'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>R</title>'
    b'<meta name="memhtml-type" content="semantic"><meta name="memhtml-status" content="active">'
    b'<meta name="memhtml-created" content="2026-01-01T00:00:00Z">'
    b'<meta name="memhtml-updated" content="2026-01-01T00:00:00Z">'
    b'<meta name="memhtml-confidence" content="0.80">'
    b'<link rel="memhtml-relates-to" href="/other.html">\n</head><body><article>\n'
    b'<p><mark>The client retries 13 times.</mark> See <a href="/other.html">it</a>.</p>\n'
    b"<pre><code>  curl --max-time 30 example\n</code></pre>\n<p>Last sentence here.</p>\n"
    b"</article></body></html>\n"
)
OTHER = {
    "a.md": b"---\ntitle: Other\n---\n\nother\n",
    "a.html": HTML.replace(b"/other.html", b"/a.html"),
}


def snapshot(files: dict[str, bytes]) -> Snapshot:
    """Return a snapshot of files, links resolved."""
    memories: dict[str, Memory] = {}
    for path, source in files.items():
        if path.endswith((".md", ".html")):
            dialect = DIALECTS["markdown" if path.endswith(".md") else "memhtml"]
            read = dialect.read(path, source)
            assert not isinstance(read, Unreadable), read
            memories[path] = read
    resolved, _ = resolve_all(memories, {}, files.keys())
    vectors = Vectors("none", (), None)  # type: ignore[arg-type]
    return Snapshot(
        now="2026-11-30T03:00:00Z", memories=resolved, files=files, vectors=vectors,
        taken=frozenset(files),
    )  # fmt: skip


def pair(name: str, source: bytes, change: Callable[[bytes], bytes]) -> tuple[Snapshot, Snapshot]:
    other = {"other.md": OTHER["a.md"]} if name.endswith(".md") else {"other.html": OTHER["a.html"]}
    return snapshot({name: source, **other}), snapshot({name: change(source), **other})


def without(text: bytes, instead: bytes = b"") -> Callable[[bytes], bytes]:
    def change(source: bytes) -> bytes:
        assert text in source
        return source.replace(text, instead, 1)

    return change


# what is taken away, the kind of the loss, its line
SEEDED = [
    ("m.md", without(b"13 ", b""), "number", 8),
    ("m.md", without(b"8080", b"8081"), "number", 8),
    ("m.md", without(b" Then it gives up on port 8080."), "sentence", 8),
    ("m.md", without(b"Last sentence here.\n"), "sentence", 15),
    ("m.md", without(b"[the list](other.md#x)", b"the list"), "link", 9),
    ("m.md", without(b"[[other]]", b"[[else]]"), "link", 9),
    ("m.md", without(b"source: https://example.org/a?b=1\n"), "link", 5),
    ("m.md", without(b"  curl --max-time 30 example\n"), "code block", 12),
    ("m.md", without(b"  curl", b"curl"), "code block", 12),
    ("m.md", without(b"```sh\n", b"```\n"), "code block", 11),
    ("m.md", without(b"confidence: 0.8\n", b"confidence: 0.7\n"), "field", 0),
    ("m.md", without(b"title: Retries\n", b"title: Tries\n"), "sentence", 2),
    ("m.html", without(b"13 "), "number", 3),
    ("m.html", without(b" The client", b" Client"), "sentence", 3),
    ("m.html", without(b"<p>Last sentence here.</p>\n"), "sentence", 6),
    ("m.html", without(b'<link rel="memhtml-relates-to" href="/other.html">'), "link", 1),
    ("m.html", without(b'<a href="/other.html">it</a>', b"it"), "link", 3),
    ("m.html", without(b"curl --max-time 30", b"curl"), "code block", 4),
    ("m.html", without(b'confidence" content="0.80"', b'confidence" content="0.50"'), "field", 0),
    ("m.html", without(b'<meta name="memhtml-confidence" content="0.80">'), "field", 1),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "kind", "line"), SEEDED)
def test_a_seeded_loss_is_found_with_its_place(
    name: str, change: Callable[[bytes], bytes], kind: str, line: int
) -> None:
    """The kind and the line of what is gone are told, and nothing of the text."""
    source = MARKDOWN if name.endswith(".md") else HTML.replace(b"<mark>The", b"<mark> The")
    proof = prove(*pair(name, source, change), Recorded())
    assert not proof.holds
    assert (kind, line) in [(loss.kind, loss.line) for loss in proof.losses], proof.losses
    assert {loss.path for loss in proof.losses} == {name}
    assert "curl" not in proof.told
    assert "client" not in proof.told


KEPT = [
    ("m.md", lambda s: s),
    ("m.md", lambda s: s + b"\nCarried over: 99 more.\n"),
    ("m.md", without(b"\n\nThe client", b"\n\nNew first line.\n\nThe client")),
    ("m.md", without(b"confidence: 0.8\n", b"confidence: 0.8\nsupersedes: [other.md]\n")),
    ("m.md", without(b"The client retries", b"The client  retries")),
    ("m.html", without(b"</head>", b'<link rel="memhtml-supersedes" href="/other.html"></head>')),
    ("m.html", without(b"</article>", b"<p>Carried over.</p></article>")),
]


@pytest.mark.parametrize(("name", "change"), KEPT)
def test_what_only_gains_has_lost_nothing(name: str, change: Callable[[bytes], bytes]) -> None:
    """Insertions and white space are no loss."""
    source = MARKDOWN if name.endswith(".md") else HTML
    assert prove(*pair(name, source, change), Recorded()).losses == ()


def test_a_value_may_differ_where_a_decision_set_it() -> None:
    """The same change is a loss without the record, and none with it; other fields stay sharp."""
    states = pair("m.md", MARKDOWN, without(b"confidence: 0.8\n", b"confidence: 0.7\n"))
    assert not prove(*states, Recorded()).holds
    assert not prove(*states, Recorded(fields={"m.md": frozenset({"status"})})).holds
    assert prove(*states, Recorded(fields={"m.md": frozenset({"confidence"})})).holds


def test_a_link_may_differ_where_a_decision_moved_its_target() -> None:
    """A rewritten target counts through its before-value, if what it led to moved on record."""
    ledger = b'{"path":"other.md","to":"archive/2026/other.md"}\n'
    start = snapshot({"m.md": MARKDOWN, "other.md": OTHER["a.md"], "new.md": OTHER["a.md"]})
    after = MARKDOWN.replace(b"[[other]]", b"[[new]]").replace(b"(other.md#x)", b"(new.md#x)")
    end = snapshot(
        {
            "m.md": after,
            "new.md": OTHER["a.md"],
            "archive/2026/other.md": OTHER["a.md"],
            "archive/2026/ledger.jsonl": ledger,
        }
    )
    assert not prove(start, end, Recorded()).holds
    recorded = Recorded(moves={"other.md": "archive/2026/other.md"})
    assert prove(start, end, recorded).losses == ()
    unlisted = replace(end, files={k: v for k, v in end.files.items() if "ledger" not in k})
    assert [loss.kind for loss in prove(start, unlisted, recorded).losses] == ["ledger"]


def test_a_lost_file() -> None:
    """A file that is neither at its place nor where it moved is told by name."""
    start = snapshot({"m.md": MARKDOWN, "other.md": OTHER["a.md"]})
    end = snapshot({"other.md": OTHER["a.md"]})
    lost = prove(start, end, Recorded()).losses
    assert Loss("m.md", 0, "file", "it is neither live nor in the archive") in lost


def test_a_ledger_only_grows() -> None:
    """A line of the ledger that is gone or altered is a loss."""
    one, two = b'{"path":"a","to":"b"}\n', b'{"path":"c","to":"d"}\n'
    start = snapshot({"archive/2026/ledger.jsonl": one})
    for after, holds in ((one + two, True), (two, False), (b"", False), (two + one, False)):
        end = snapshot({"archive/2026/ledger.jsonl": after})
        assert prove(start, end, Recorded()).holds == holds


def test_a_link_that_dangles_anew() -> None:
    """A link that led somewhere must lead somewhere after, even where it was not edited."""
    start = snapshot({"m.md": MARKDOWN, "other.md": OTHER["a.md"]})
    moved = {"m.md": MARKDOWN, "archive/2026/zzz.md": b"---\ntitle: Z\n---\n\nother\n"}
    ledger = b'{"path":"other.md","to":"archive/2026/zzz.md"}\n'
    end = snapshot({**moved, "archive/2026/ledger.jsonl": ledger})
    recorded = Recorded(moves={"other.md": "archive/2026/zzz.md"})
    lost = {(loss.path, loss.kind, loss.line) for loss in prove(start, end, recorded).losses}
    assert ("m.md", "link", 9) in lost


# Whole nights


def _night(corpus: str, tmp_path: Path, profile: str) -> NightResult:
    root = copy_corpus(corpus, tmp_path)
    state = seeded_state(corpus, tmp_path)
    return run_night(request_for(root, state_dir=state, options={"run.profile": profile}))[0]


@pytest.mark.parametrize("profile", ["careful", "reference"])
@pytest.mark.parametrize("corpus", CORPORA)
def test_a_night_over_a_fixture_loses_nothing(corpus: str, profile: str, tmp_path: Path) -> None:
    """Both fixtures in both profiles: every piece of every changed file is found."""
    result = _night(corpus, tmp_path, profile)
    proof = prove(result.start, result.end, recorded_by(result.applied))
    assert proof.losses == ()
    assert proof.compared
    assert proof.archived


@pytest.mark.parametrize("corpus", CORPORA)
def test_any_word_taken_out_of_a_nights_result_is_found(corpus: str, tmp_path: Path) -> None:
    """In every file that the night changed, the loss of any one old word is told in its line."""
    result = _night(corpus, tmp_path, "careful")
    recorded = recorded_by(result.applied)
    tried = 0
    for path, source in result.start.files.items():
        to = recorded.moves.get(path, path)
        after = result.end.files[to]
        if after == source or path.endswith(".jsonl"):
            continue
        words = [m for m in re.finditer(rb"[A-Za-z]{9,}", source) if after.count(m[0]) == 1]
        words = [m for m in words if source.count(m[0]) == 1 and _is_text(source, m)]
        for match in words[:: max(1, len(words) // 2)]:
            hurt = after.replace(match[0], b"", 1)
            end = replace(result.end, files={**result.end.files, to: hurt})
            losses = prove(result.start, end, recorded).losses
            line = source.count(b"\n", 0, match.start()) + 1
            assert (path, line) in [(loss.path, loss.line) for loss in losses], match
            tried += 1
    assert tried >= 15


def _is_text(source: bytes, match: re.Match[bytes]) -> bool:
    """Return True for a word on a line that states no field and no link."""
    start = source.rfind(b"\n", 0, match.start()) + 1
    line = source[start : source.find(b"\n", match.end())]
    return not re.search(rb":|<meta|<link", line)


def test_a_link_from_the_archive_may_dangle() -> None:
    """What one night archived is not edited by the next, which archives what it led to."""
    line = b'{"path": "b.md", "to": "archive/2026/b.md", "cause": "evicted"}\n'
    files = {
        "archive/2025/a.md": b"---\ntitle: A\n---\nSee [b](../../b.md).\n",
        "b.md": b"---\ntitle: B\n---\nText.\n",
        "archive/2026/ledger.jsonl": b"",
    }
    after = {**files, "archive/2026/b.md": files["b.md"], "archive/2026/ledger.jsonl": line}
    del after["b.md"]
    recorded = Recorded({"b.md": "archive/2026/b.md"}, {}, {}, frozenset(), frozenset())
    start, end = snapshot(files), snapshot(after)
    assert [s.memories["archive/2025/a.md"].links[0].path for s in (start, end)] == ["b.md", None]
    assert prove(start, end, recorded).holds
    live = {"c.md": b"---\ntitle: C\n---\nSee [b](./b.md).\n"}
    assert not prove(snapshot({**files, **live}), snapshot({**after, **live}), recorded).holds
