"""Tests of the use that other machines counted, from exports to the sum a night reads."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_kit import write
from memsleep.access.committed import Committed, read_committed
from memsleep.cli.app import main
from memsleep.corpus.folder import FolderSource
from memsleep.model import Usage
from memsleep.state.access_jsonl import read_access, write_access
from memsleep.state.export import read_export, write_export
from memsleep.usage import sum_machines
from night_kit import request_for, run_night
from state_kit import NEXT, filled

EARLY, LATE = "2026-11-01T03:00:00Z", "2026-11-20T03:00:00Z"
NOTE = "---\ncreated: 2026-01-05\n---\n\nThe kettle in the shed holds two litres of water.\n"


def test_machines_are_summed_and_reading_twice_changes_nothing(tmp_path: Path) -> None:
    """Own use and that of two machines add up; an old or a second reading adds nothing."""
    with filled(tmp_path / "state.db", {"a.md": Usage(2, 1, 1.0, LATE)}) as state:
        state.name_machine("desk")
        for _ in range(2):
            assert state.import_usage({"a.md": Usage(3, 1, 0.0, EARLY)}, "laptop") == ()
            state.import_usage({"a.md": Usage(5)}, "ci")
            state.import_usage({"a.md": Usage(1)}, "ci")  # an older export of that machine
        total = state.usage()["a.md"]
        assert (total.access_count, total.reinforcement_count, total.outcome_score) == (10, 2, 0.5)
        assert total.last_accessed_at == LATE
        assert state.own_usage()["a.md"].access_count == 2


@pytest.mark.parametrize("machine", ["", "desk"])
def test_own_exports_only_raise(tmp_path: Path, machine: str) -> None:
    """What names no machine, or this one, is not added a second time."""
    with filled(tmp_path / "state.db", {"a.md": Usage(2)}) as state:
        state.name_machine("desk")
        state.import_usage({"a.md": Usage(3)}, machine)
        assert state.usage()["a.md"].access_count == 3


def test_a_lost_state_finds_its_own_use_again(tmp_path: Path) -> None:
    """Rows that were read before the machine was named become its own, not a second count."""
    with filled(tmp_path / "state.db") as state:
        state.import_usage({"a.md": Usage(4)}, "desk")
        state.name_machine("desk")
        assert state.own_usage()["a.md"].access_count == 4
        assert state.usage()["a.md"].access_count == 4
        state.import_usage({"a.md": Usage(4)}, "desk")
        assert state.usage()["a.md"].access_count == 4


def test_unknown_paths_are_told(tmp_path: Path) -> None:
    """A path that names no memory is named, the others count."""
    with filled(tmp_path / "state.db") as state:
        told = state.import_usage({"a.md": Usage(1), "gone.md": Usage(1)}, "ci")
        assert told == ("gone.md",)
        assert state.usage()["a.md"].access_count == 1


def test_use_follows_a_move(tmp_path: Path) -> None:
    """An export that knows the old path counts for the memory where it lies now."""
    with filled(tmp_path / "state.db") as state:
        state.observe({"moved.md": "digest a", "b.md": "digest b"}, NEXT)
        state.import_usage({"a.md": Usage(6)}, "ci")
        assert state.usage() == {"moved.md": Usage(6)}


def test_purging_forgets_the_use_on_every_machine(tmp_path: Path) -> None:
    """No row of a purged memory stays."""
    with filled(tmp_path / "state.db") as state:
        state.import_usage({"a.md": Usage(6), "b.md": Usage(1)}, "ci")
        state.forget(state.ids()["a.md"])
    with sqlite3.connect(tmp_path / "state.db") as plain:
        assert plain.execute("SELECT memory_id FROM usage_elsewhere").fetchall() == [("b.md",)]


usages = st.builds(
    Usage,
    access_count=st.integers(0, 99),
    reinforcement_count=st.integers(0, 9),
    outcome_score=st.integers(-10_000, 10_000).map(lambda fp: fp / 10_000),
    last_accessed_at=st.sampled_from([None, EARLY, LATE]),
    usage_count=st.integers(0, 9),
)


@given(usages, usages)
def test_the_sum_does_not_depend_on_the_order(one: Usage, other: Usage) -> None:
    """Counts, stamps and evidence are the same whoever is asked first."""
    a, b = sum_machines(one, other), sum_machines(other, one)
    assert (a.access_count, a.usage_count, a.evidence_count) == (
        b.access_count, b.usage_count, b.evidence_count,
    )  # fmt: skip
    assert a.last_accessed_at == b.last_accessed_at
    if one.reinforcement_count + other.reinforcement_count:
        assert a.outcome_score == b.outcome_score


# Exports ---------------------------------------------------------------------------------------


def test_an_export_names_its_machine() -> None:
    """Each line says whose use it is, and reading gives it back."""
    source = write_export({"a.md": Usage(2)}, "laptop")
    assert source.startswith(b'{"path":"a.md","machine":"laptop",')
    read = read_export(source, "usage/laptop.jsonl")
    assert (read.machine, dict(read.usage)) == ("laptop", {"a.md": Usage(2)})
    assert read_export(write_export({"a.md": Usage(2)}), "x").machine == ""


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ('{"path":"b.md","machine":"desk"}', "the machine 'laptop'"),
        ('{"path":"b.md"}', "the machine 'laptop'"),
        ('{"path":"b.md","machine":"../x"}', "the machine 'laptop'"),
        ("[]", "a JSON object"),
    ],
)
def test_an_export_is_of_one_machine(second: str, expected: str) -> None:
    """Lines of another machine are named with their number and counted nowhere."""
    source = '{"path":"a.md","machine":"laptop","access_count":1}\n' + second + "\n"
    read = read_export(source.encode(), "usage/laptop.jsonl")
    assert list(read.usage) == ["a.md"]
    assert [(p.line, expected in p.message) for p in read.problems] == [(2, True)]


@given(st.dictionaries(st.sampled_from(["a.md", "b/\u00e9.html", "z.md"]), usages))
def test_memhtml_reads_what_was_written_for_it(usage: dict[str, Usage]) -> None:
    """Its form comes back as it was, less what it has no place for; keys in its order."""
    source = write_access(usage)
    read = read_access(source, "access.jsonl")
    assert read.problems == ()
    assert write_access(read.usage) == source
    for line in source.decode().splitlines():
        assert list(json.loads(line)) == [
            "path", "accessCount", "reinforcementCount", "outcomeScore", "lastAccessedAt",
            "lastReinforcedAt", "updatedAt",
        ]  # fmt: skip


def test_the_form_of_memhtml_byte_for_byte() -> None:
    """Numbers as JavaScript prints them, null for what is absent, non-ASCII as it is."""
    usage = {
        "a/\u00e9.html": Usage(1, 0, -0.4, LATE, None, LATE),
        "b.html": Usage(outcome_score=1.0),
    }
    assert write_access(usage).decode() == (
        '{"path":"a/\u00e9.html","accessCount":1,"reinforcementCount":0,"outcomeScore":-0.4,'
        f'"lastAccessedAt":"{LATE}","lastReinforcedAt":null,"updatedAt":"{LATE}"}}\n'
        '{"path":"b.html","accessCount":0,"reinforcementCount":0,"outcomeScore":1,'
        '"lastAccessedAt":null,"lastReinforcedAt":null,"updatedAt":null}\n'
    )
    assert write_access({}) == b""


# In a corpus -----------------------------------------------------------------------------------


def _team(root: Path) -> Path:
    return write(
        root,
        {
            "a.md": NOTE,
            "usage/desk.jsonl": write_export({"a.md": Usage(2)}, "desk"),
            "usage/laptop.jsonl": write_export({"a.md": Usage(3)}, "laptop"),
            "usage/broken.jsonl": b"no json\n",
            "elsewhere.jsonl": write_export({"a.md": Usage(100)}, "other"),
        },
    )


def _committed(root: Path) -> Committed:
    source = FolderSource(root)
    return read_committed(source, source.listing().taken, ("usage/*.jsonl",))


def test_a_corpus_carries_its_exports(tmp_path: Path) -> None:
    """Those that the config names are summed; a bad line is a problem at its place."""
    found = _committed(_team(tmp_path))
    assert sorted(found.machines) == ["desk", "laptop"]
    assert found.total() == {"a.md": Usage(5)}
    assert [(p.path, p.line) for p in found.problems] == [("usage/broken.jsonl", 1)]


@pytest.mark.parametrize("with_state", [False, True])
def test_a_night_knows_the_use_of_the_team(tmp_path: Path, with_state: bool) -> None:
    """With and without a state the machines are summed; ours is not counted twice."""
    root, folder = _team(tmp_path / "corpus"), tmp_path / "state"
    if with_state:
        folder.mkdir()
        with filled(folder / "state.db") as state:
            state.observe({"a.md": "x"}, "2026-11-29T03:00:00Z")
            state.name_machine("desk")
            state.import_usage({"a.md": Usage(2)})
    result, _ = run_night(request_for(root, state_dir=folder if with_state else None))
    assert result.start.usage is not None
    assert result.start.usage["a.md"].access_count == 5
    assert [p.path for p in result.start.problems if p.code == "bad-usage-line"] == [
        "usage/broken.jsonl"
    ]


def test_the_command_writes_a_file_for_each_machine(tmp_path: Path) -> None:
    """The name is remembered; the export holds own use alone; two machines end with one sum."""
    desk, laptop = (write(tmp_path / name, {"a.md": NOTE}) for name in ("desk", "laptop"))
    for root, times in ((desk, 1), (laptop, 2)):
        for number in range(times):
            now = f"2026-11-0{number + 1}T03:00:00Z"
            assert main(["reinforce", "a.md", "neutral", "--corpus", str(root), "--now", now]) == 0
    for root in (desk, laptop):
        file = tmp_path / f"{root.name}.jsonl"
        options = ["--machine", root.name, "--corpus", str(root), "--now", LATE]
        assert main(["state", "export", str(file), *options]) == 0
    for root, other in ((desk, "laptop"), (laptop, "desk"), (desk, "laptop")):
        (root / "usage").mkdir(exist_ok=True)
        (root / "usage" / f"{other}.jsonl").write_bytes((tmp_path / f"{other}.jsonl").read_bytes())
        again = tmp_path / "again.jsonl"
        assert main(["state", "export", str(again), "--corpus", str(root), "--now", LATE]) == 0
        assert again.read_bytes() == (tmp_path / f"{root.name}.jsonl").read_bytes()
        found = root / ".memsleep"
        from memsleep.state.store import open_state

        with open_state(found / "state.db") as state:
            assert state.usage()["a.md"].access_count == 3


@pytest.mark.parametrize("options", [["--machine", "../x"], ["--machine", ""], ["--format", "csv"]])
def test_bad_options(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is no name, and a form that is none, are usage errors."""
    write(tmp_path, {"a.md": NOTE})
    assert main(["state", "export", *options, "--corpus", str(tmp_path), "--now", LATE]) == 2
    assert "bad-export" in capsys.readouterr().err
