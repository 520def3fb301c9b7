"""What somebody else wrote into our folder: it leads nowhere, and deletes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli_kit import memsleep
from corpus_kit import write
from memsleep.errors import CorpusError
from memsleep.landing.journal import read_journal
from memsleep.landing.place import place_of
from memsleep.model import digest_bytes
from night_kit import tree

NOTE = "---\ntitle: hall\n---\nThe lamp of the hall is checked before the gate opens.\n"
KNOWN = digest_bytes(NOTE.encode())
ENTRY = {"path": "a.md", "temp": ".memsleep-0.part", "before": KNOWN, "after": None}


def _journal(state: str = "staging", folders: tuple[str, ...] = (), **entry: object) -> bytes:
    settlement = {"run_id": "sleep/2026-01-01", "now": "2026-01-01T00:00:00Z", "action": "apply"}
    return json.dumps(
        {
            "schema_version": 1,
            "state": state,
            "entries": [{**ENTRY, **entry}],
            "folders": folders,
            "settlement": settlement,
        }
    ).encode()


def _put(root: Path, journal: bytes) -> Path:
    place = place_of(root)
    place.journal.parent.mkdir(parents=True, exist_ok=True)
    place.journal.write_bytes(journal)
    return place.journal


OUTSIDE = ("../secret.md", "sub/../../secret.md", "..", ".", "", "/etc/passwd", "a//b", "a\0b")
FORGED = (
    *({"path": path} for path in (*OUTSIDE, ".git/config", ".GIT/hooks/x", "s/.Memsleep/state.db")),
    *({"temp": temp} for temp in (*OUTSIDE, "a.md", "b/.memsleep-0.part", ".memsleep-0.part\n")),
    *({"before": digest} for digest in ("../../secret.md", "", KNOWN.upper(), KNOWN + "0")),
    *({"after": digest} for digest in ("/etc/passwd", "x")),
    *({"folders": (path,)} for path in (*OUTSIDE, ".git/refs")),
)


@pytest.mark.parametrize("forged", FORGED, ids=repr)
def test_a_journal_that_leads_elsewhere_is_no_journal(
    forged: dict[str, Any], tmp_path: Path
) -> None:
    """A path out of the corpus, a temporary name that is none of ours, a digest that is none."""
    with pytest.raises(CorpusError) as caught:
        read_journal(_put(tmp_path, _journal(**forged)))
    assert (caught.value.reference, caught.value.exit_code) == ("journal-unreadable", 3)


OURS = (
    {},
    {"path": "sub/b.md", "folders": ("sub",)},
    {"path": "C:/x\\..\\y.md"},  # names like any other here
    {"path": "..a/b..md"},
    {"temp": ".memsleep-1234.part", "before": None, "after": KNOWN},
)


@pytest.mark.parametrize("given", OURS, ids=repr)
def test_a_journal_of_ours_is_read(given: dict[str, Any], tmp_path: Path) -> None:
    """What stays in the corpus is believed."""
    assert read_journal(_put(tmp_path, _journal(**given))) is not None


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a corpus beside which something of the user's lies."""
    write(tmp_path / "home", {"secret.md": NOTE, "docs/before/a": "x", "docs/status.json": "{}"})
    return write(tmp_path / "c", {"a.md": NOTE, "b.md": "---\ntitle: b\n---\nbeta is here\n"})


COMMANDS = (("run",), ("undo",), ("apply", "plan.json"), ("merge",), ("resume",))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
@pytest.mark.parametrize("state", ["staging", "committed", "done"])
def test_no_command_follows_a_forged_journal(
    command: tuple[str, ...], state: str, root: Path, tmp_path: Path
) -> None:
    """Whichever command comes first, nothing in the corpus or beside it changes."""
    _put(root, _journal(state, temp=str(tmp_path / "home/secret.md")))
    corpus = (str(root),) if command == ("run",) else ("--corpus", str(root))
    home, before = tree(tmp_path / "home"), tree(root, without=(".memsleep",))
    done = memsleep(*command, *corpus, home=tmp_path)
    assert done.returncode in (2, 3), done.stderr.decode()
    assert tree(tmp_path / "home") == home
    assert tree(root, without=(".memsleep",)) == before


@pytest.mark.parametrize("state", ["committed", "done"])
@pytest.mark.parametrize(
    "entry",
    [
        {"before": "0" * 64},
        {"before": "0" * 64, "after": "1" * 64},
        {"before": None, "after": "0" * 64},
    ],
    ids=repr,
)
def test_what_its_digests_do_not_cover_stays(
    state: str, entry: dict[str, Any], root: Path, tmp_path: Path
) -> None:
    """A journal of well-formed names about other bytes than those that lie there."""
    before = tree(root, without=(".memsleep",))
    _put(root, _journal(state, **entry))
    assert memsleep("run", root, "--quiet", home=tmp_path).returncode == 0
    assert tree(root, without=(".memsleep",)) == before


def test_a_file_behind_a_link_stays(root: Path, tmp_path: Path) -> None:
    """The names of a journal may lie behind a link that leads out."""
    (root / "out").symlink_to(tmp_path / "home")
    home = tree(tmp_path / "home")
    for state in ("staging", "committed", "done"):
        _put(root, _journal(state, path="out/secret.md"))
        memsleep("run", root, "--quiet", home=tmp_path)
        assert tree(tmp_path / "home") == home, state


def test_a_run_that_is_a_link_is_no_run(root: Path, tmp_path: Path) -> None:
    """Rotating, undoing and forgetting runs never go through a link."""
    status = {"run": "sleep/2020-01-01", "state": "landed", "landed": ["0" * 12],
              "now": "2020-01-01T00:00:00Z", "started_at": "2020-01-01T00:00:00Z"}  # fmt: skip
    docs = write(tmp_path / "home/docs", {"status.json": json.dumps(status), "plan.json": NOTE})
    place_of(root).runs.mkdir(parents=True)
    (place_of(root).runs / "sleep-2020-01-01").symlink_to(docs)
    (place_of(root).runs / "sleep-2020-01-02").symlink_to(tmp_path / "nowhere")
    home = tree(tmp_path / "home")
    assert memsleep("run", root, "--quiet", home=tmp_path).returncode == 0
    done = memsleep("undo", "sleep/2020-01-01", "--corpus", root, home=tmp_path)
    assert (done.returncode, b"run-unknown" in done.stderr) == (2, True)
    memsleep("purge", "a.md", "--yes", "--corpus", root, home=tmp_path)
    assert tree(tmp_path / "home") == home
