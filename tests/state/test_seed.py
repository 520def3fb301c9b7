from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.errors import StateError
from memsleep.model import Standing, Usage
from memsleep.state.seed import Seed, read_seed, seed_state
from memsleep.state.store import open_state

STORE = Path(__file__).parents[2] / "fixtures" / "html-store" / "state.jsonl"
HEADER = b'{"last_landed_run_at":"2026-11-27T03:00:00Z"}\n'
ROW = (
    b'{"path":"a.md","first_seen_at":"2026-10-01T03:00:00Z","last_decay_at":"2026-11-27T03:00:00Z",'
    b'"effective_confidence":0.74,"stated_confidence":0.8,"spared_until":null,'
    b'"access_count":4,"last_accessed_at":"2026-11-01T00:00:00Z"}\n'
)
STANDING = Standing("a.md", "2026-10-01T03:00:00Z", 0.8, 0.74, "2026-11-27T03:00:00Z")
USAGE = Usage(4, last_accessed_at="2026-11-01T00:00:00Z")


def test_read() -> None:
    """Header and rows."""
    expected = Seed({"a.md": STANDING}, {"a.md": USAGE}, "2026-11-27T03:00:00Z")
    assert read_seed(HEADER + ROW, "state.jsonl") == expected


def test_nothing_is_needed() -> None:
    """Without a header nothing has landed; a row without usage has none."""
    assert read_seed(b'{"path":"a.md"}', "s") == Seed({"a.md": Standing("a.md")}, {}, None)


def test_fixture() -> None:
    """The shipped store's state is read whole."""
    seed = read_seed(STORE.read_bytes(), "state.jsonl")
    assert len(seed.standing) == STORE.read_bytes().count(b"\n") - 1
    assert seed.last_landed_at == "2026-11-27T03:00:00Z"


def test_state_says_what_the_seed_says(tmp_path: Path) -> None:
    """A seeded state reads as the seed, also after the files were seen, and after a second time."""
    with open_state(tmp_path / "state.db") as state:
        for _ in range(2):
            seed_state(state, read_seed(HEADER + ROW, "state.jsonl"))
            state.observe({"a.md": "digest"}, "2026-11-30T03:00:00Z")
            assert state.standing() == {"a.md": STANDING}
            assert state.usage() == {"a.md": USAGE}
            assert state.last_landed_at() == "2026-11-27T03:00:00Z"


def test_unknown_first_sight(tmp_path: Path) -> None:
    """A seed that does not say when: the first night that sees the file does."""
    with open_state(tmp_path / "state.db") as state:
        seed_state(state, read_seed(b'{"path":"a.md"}', "s"))
        assert state.standing() == {"a.md": Standing("a.md")}
        state.observe({"a.md": "1"}, "2026-11-30T03:00:00Z")
        seed_state(state, read_seed(b'{"path":"a.md"}', "s"))
        assert state.standing() == {"a.md": Standing("a.md", "2026-11-30T03:00:00Z")}


@pytest.mark.parametrize(
    ("source", "line", "told"),
    [
        (b"{", 1, "JSON object"),
        (HEADER + b"[]", 2, "JSON object"),
        (HEADER + b"{}", 2, "path"),
        (HEADER + ROW + b"\n" + ROW, 4, "path that no other line has"),
        (b'{"path":"a","usage":1}', 1, "unknown key 'usage'"),
        (b'{"path":"a","first_seen_at":"yesterday"}', 1, "first_seen_at"),
        (b'{"path":"a","spared_until":7}', 1, "spared_until"),
        (b'{"path":"a","effective_confidence":1.5}', 1, "effective_confidence"),
        (b'{"path":"a","stated_confidence":true}', 1, "stated_confidence"),
        (b'{"last_landed_run_at":"soon"}', 1, "last_landed_run_at"),
    ],
)
def test_refused(source: bytes, line: int, told: str) -> None:
    """A seed that says something strange is not taken over in part; the line is named."""
    with pytest.raises(StateError, match=told) as error:
        read_seed(source, "state.jsonl")
    assert error.value.reference == "seed-unreadable"
    assert error.value.context[0] == f"state.jsonl:{line}"
