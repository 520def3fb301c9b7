from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from memsleep import api
from memsleep.citations import marks, read_transcript
from memsleep.model import Usage
from memsleep.state.identity import short_id
from usage_kit import NOW, corpus_of, note

FILES = {"a.md": note("One."), "b.md": note("Two.")}
A, B = short_id("a.md"), short_id("b.md")


def jsonl(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[m:0a1b2c3d]", ["0a1b2c3d"]),
        ("[m:0a1b2c3d] [m:ffffffff] [m:0a1b2c3d]", ["0a1b2c3d", "ffffffff"]),
        ("x[m:0a1b2c3d]y", ["0a1b2c3d"]),
        ("[m:0A1B2C3D]", []),
        ("[m:0a1b2c3]", []),
        ("[m:0a1b2c3d4]", []),
        ("[m: 0a1b2c3d]", []),
        ("m:0a1b2c3d", []),
        ("[m:0a1b2c3g]", []),
        ("", []),
    ],
)
def test_marks(text: str, found: list[str]) -> None:
    """Exactly eight lower-case hex digits in the form, each once, in first-seen order."""
    assert marks(text) == found


@pytest.mark.parametrize(
    ("source", "texts", "skipped"),
    [
        (b"plain [m:00000000]\nmore", ["plain [m:00000000]\nmore"], ()),
        (b"", [], ()),
        (b"\n \n", [], ()),
        (jsonl({"text": "a"}, {"text": "b"}), ["a", "b"], ()),
        (jsonl({"text": "a"}, {"no": 1}) + b"broken\n", ["a"], (2, 3)),
        (jsonl({"role": "assistant", "content": "a"}, {"role": "user", "text": "b"}), ["a"], ()),
        (jsonl({"role": "system", "text": "brief"}), [], ()),
        (
            jsonl({"message": {"role": "assistant", "content": [{"text": "a"}, {"x": 1}]}}),
            ["a"],
            (),
        ),
        (b"{not json\nline", ["{not json\nline"], ()),
        (b"\xef\xbb\xbf" + jsonl({"text": "a"}), ["a"], ()),
        (b"\xff[m:00000000]", ["\ufffd[m:00000000]"], ()),
        (b'r","text":"a"}\n' + jsonl({"role": "user", "text": "b"}, {"text": "c"}), ["c"], (1,)),
        (b'{"text":"a\n' + jsonl({"role": "user", "text": "b"}, {"text": "c"}), ["c"], (1,)),
        (jsonl({"text": "a"}) + b"One [line].\nTwo.\n", ['{"text": "a"}\nOne [line].\nTwo.\n'], ()),
        (b'[{"role": "user", "text": "a"},\n {"text": "b"}, 3]', ["b"], (3,)),
        (b"[m:00000000] is a mark", ["[m:00000000] is a mark"], ()),
        (b"[" * 100_000, ["[" * 100_000], ()),
        (
            jsonl(
                {"payload": {"role": "assistant", "content": [{"text": "a"}]}},
                {"payload": {"role": "user", "content": [{"text": "b"}]}},
                {"type": "assistant", "message": {"role": "user", "content": "c"}},
            ),
            ["a"],
            (),
        ),
        ("\ufeffa [m:00000000]".encode("utf-16-le"), ["a [m:00000000]"], ()),
        ("\ufeff\u90e8 [m:00000000]".encode("utf-16-be"), ["\u90e8 [m:00000000]"], ()),
    ],
)
def test_transcripts(source: bytes, texts: list[str], skipped: tuple[int, ...]) -> None:
    """Plain text is one message; of JSON Lines what an assistant may have said."""
    read = read_transcript(source)
    assert [message.text for message in read.messages] == texts
    assert read.skipped == skipped


def test_counting(tmp_path: Path) -> None:
    """Once per message, more than once over messages; stamped and logged with the session."""
    with corpus_of(tmp_path, FILES) as opened:
        lines = jsonl({"text": f"[m:{A}] [m:{A}]"}, {"text": f"[m:{A}] [m:{B}] [m:00000000]"})
        done = api.cite(opened, lines, now=NOW, session="s1")
        assert (done.counted, done.unknown, done.ambiguous) == (
            {"a.md": 2, "b.md": 1},
            ("00000000",),
            (),
        )
        usage = opened.usage()
        assert (usage["a.md"].usage_count, usage["a.md"].last_used_at) == (2, NOW)
        events = opened.state.accesses("a.md")
        assert [(e.op, e.session_id) for e in events] == [("cite", "s1")] * 2


def test_corrected(tmp_path: Path) -> None:
    """The corrected form counts and logs apart, and net use never goes below 0."""
    with corpus_of(tmp_path, FILES) as opened:
        api.cite(opened, f"[m:{A}]", now=NOW)
        api.cite(opened, f"[m:{A}]", now=NOW, corrected=True)
        done = api.cite(opened, jsonl({"text": f"[m:{A}]", "corrected": True}), now=NOW)
        assert (done.counted, done.corrected) == ({}, {"a.md": 1})
        usage = opened.usage()["a.md"]
        assert (usage.usage_count, usage.corrected_count) == (1, 2)
        assert [e.op for e in opened.state.accesses("a.md")] == [
            "cite",
            "corrected-cite",
            "corrected-cite",
        ]


def colliding() -> tuple[str, str]:
    """Return two file names whose short ids are the same."""
    seen: dict[str, str] = {}
    for number in range(1_000_000):
        name = f"n{number}.md"
        short = hashlib.sha256(name.encode()).hexdigest()[:8]
        if short in seen:
            return seen[short], name
        seen[short] = name
    raise AssertionError("no collision")


def test_an_ambiguous_short_id(tmp_path: Path) -> None:
    """A short id of two memories counts for none of them, and is told."""
    first, second = colliding()
    with corpus_of(tmp_path, {first: note("One."), second: note("Two.")}) as opened:
        done = api.cite(opened, f"[m:{short_id(first)}]", now=NOW)
        assert (done.counted, done.ambiguous) == ({}, (short_id(first),))
        assert opened.usage() == {}


def test_a_citation_survives_a_move(tmp_path: Path) -> None:
    """The short id comes from the path at first sight, wherever the file lies now."""
    with corpus_of(tmp_path, FILES):
        pass
    (tmp_path / "archive/2026").mkdir(parents=True)
    (tmp_path / "a.md").rename(tmp_path / "archive/2026/a.md")
    with corpus_of(tmp_path, {}) as opened:
        done = api.cite(opened, f"[m:{A}]", now=NOW)
        assert done.counted == {"archive/2026/a.md": 1}
        assert opened.usage()["archive/2026/a.md"] == Usage(
            usage_count=1, last_used_at=NOW, updated_at=NOW
        )
