"""State that comes with a commit: not believed, told with the line to paste; the night goes on."""

from __future__ import annotations

import json
import shlex
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_kit import memsleep
from corpus_kit import commit, git, init, write
from memsleep import api
from memsleep.landing.brought import brought_by
from night_kit import tree

NOTE = (
    "---\ntitle: {0}\ncreated: 2026-01-01\n---\nThe {0} is checked before the gate opens at six.\n"
)
FILES = {f"{name}.md": NOTE.format(name) for name in ("lamp", "fan", "belt")}
SAID = b"the repository brings its own state"


def _database(root: Path) -> None:
    """Bring a state of an earlier night in which a row is forged."""
    memsleep("run", root, "--quiet", home=root.parent)
    shutil.rmtree(root / ".memsleep/runs")
    with sqlite3.connect(root / ".memsleep/state.db") as connection:
        connection.execute("UPDATE memories SET path = '../../secret.md' WHERE path = 'lamp.md'")
    connection.close()
    git(root, "add", "--force", ".memsleep/state.db")


def _file(*names: str) -> Callable[[Path], None]:
    def bring(root: Path) -> None:
        write(root, {f".memsleep/{name}": "x" for name in names})
        git(root, "add", "--force", *(f".memsleep/{name}" for name in names))

    bring.__name__ = names[0]
    return bring


def _link(root: Path) -> None:
    """Bring a link where our folder is to lie."""
    write(root, {"own/state.db": "x"})
    (root / ".memsleep").symlink_to("own")
    git(root, "add", "--force", ".memsleep")


def _link_out(root: Path) -> None:
    """Bring a link to what the user has elsewhere."""
    (root / ".memsleep").symlink_to(root.parent / "elsewhere")
    git(root, "add", "--force", ".memsleep")


def _link_to_runs(root: Path) -> None:
    """Bring a link below our folder."""
    (root / ".memsleep").mkdir()
    (root / ".memsleep/runs").symlink_to(root.parent / "elsewhere")
    git(root, "add", "--force", ".memsleep/runs")


def _untracked_link(root: Path) -> None:
    """Let our folder be a link into the repository, as after a pull that made it a folder."""
    write(root, {"own/state.db": "x"})
    (root / ".memsleep").symlink_to("own")


def _submodule(root: Path) -> None:
    """Bring our folder as a repository of its own."""
    inner = init(root / ".memsleep")
    commit(inner, {"state.db": "x", "journal/current.json": "{}"})
    git(root, "add", "--force", ".memsleep")


def _upper_case(root: Path) -> None:
    """As a file system without case would see it."""
    git(root, "config", "core.ignorecase", "true")
    write(root, {".Memsleep/STATE.db": "x"})
    git(root, "add", "--force", ".Memsleep/STATE.db")
    (root / ".memsleep").mkdir(exist_ok=True)


FORGED_RUN = "runs/sleep-2020-01-01/status.json"
BRINGS = (
    _database, _link, _link_out, _link_to_runs, _untracked_link, _submodule, _upper_case,
    *map(_file, ("state.db-wal", "state.db-journal", "cache.db", "lock", "heartbeat.json")),
    *map(_file, ("journal/current.json", FORGED_RUN, "sync/outbox/x.json", "purges.jsonl")),
)  # fmt: skip


def _nothing(_root: Path) -> None:
    """Bring nothing: the state is the user's own."""


def _own_link(root: Path) -> None:
    """Link to a folder of the user's, without git."""
    (root.parent / "mine").mkdir()
    (root / ".memsleep").symlink_to(root.parent / "mine")


OURS = (_nothing, _own_link, _file("config.toml"), _file(".gitignore"), _file("out/report.md"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a repository with memories, and a home with a name for commits."""
    write(tmp_path, {".gitconfig": "[user]\nname = U\nemail = u@example.org\n"})
    write(tmp_path / "elsewhere", {"sleep-2020-01-01/before/x": "x"})
    write(tmp_path, {"secret.md": "precious\n"})
    found = init(tmp_path / "r")
    commit(found, FILES)
    return found


@pytest.mark.parametrize("bring", BRINGS, ids=lambda b: b.__name__)
def test_the_night_goes_on_without_what_the_repository_brings(
    bring: Callable[[Path], None], root: Path, tmp_path: Path
) -> None:
    """It is named, neither read nor written, and the state lies where no commit leads."""
    bring(root)
    own = [".memsleep", ".Memsleep", "own"]
    kept = {name: tree(root / name) for name in own if (root / name).exists()}
    elsewhere = tree(tmp_path / "elsewhere")
    done = memsleep("run", root, home=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    told = [line for line in done.stderr.split(b"\n") if SAID in line]
    assert len(told) == 1
    assert SAID in done.stdout
    assert b"the first night on this corpus" in done.stdout
    assert {name: tree(root / name) for name in kept} == kept
    assert tree(tmp_path / "elsewhere") == elsewhere
    instead = root / ".git/memsleep"
    assert list(instead.glob("*/state.db"))
    memsleep("run", root, "--quiet", home=tmp_path)
    assert len(list(instead.glob("*/runs/*"))) == 2  # it remembers, there


@pytest.mark.parametrize("bring", OURS, ids=lambda b: b.__name__)
def test_what_is_the_users_own_is_believed(
    bring: Callable[[Path], None], root: Path, tmp_path: Path
) -> None:
    """An untracked state, a config, and reports that nobody reads back."""
    bring(root)
    config = root / ".memsleep/config.toml"
    if config.exists():
        config.write_bytes(b"")
    done = memsleep("run", root, home=tmp_path)
    assert (done.returncode, SAID in done.stderr) == (0, False), done.stderr.decode()
    assert not (root / ".git/memsleep").exists()
    assert (root / ".memsleep/state.db").exists()


@pytest.mark.parametrize("name", ["state.db", "runs"])
def test_the_line_that_is_told_works(name: str, root: Path, tmp_path: Path) -> None:
    """Pasted, it makes a careless commit harmless, and the state is the user's own again."""
    memsleep("run", root, "--quiet", home=tmp_path)
    git(root, "add", "--force", f".memsleep/{name}")
    found = brought_by(root)
    assert found is not None
    assert found.names == (f".memsleep/{name}",)
    line = found.line.rpartition(": ")[2]
    assert line == found.remedy
    subprocess.run(shlex.split(line), check=True, capture_output=True)
    assert (root / ".memsleep" / name).exists()
    assert brought_by(root) is None


def test_the_link_that_is_told_of_goes_by_the_line(root: Path) -> None:
    """Git knows nothing of it, so it is removed as a file is."""
    _untracked_link(root)
    found = brought_by(root)
    assert found is not None
    subprocess.run(shlex.split(found.remedy), check=True, capture_output=True)
    assert brought_by(root) is None
    assert (root / "own/state.db").exists()


def _forged_run(root: Path) -> None:
    """Bring a landed run whose bundle would write other bytes into a memory."""
    memsleep("run", root, "--quiet", home=root.parent)
    [run] = (root / ".memsleep/runs").iterdir()
    status = json.loads((run / "status.json").read_bytes())
    status.update(state="landed", mode="directory", landed=["0" * 12])
    (run / "status.json").write_text(json.dumps(status))
    git(root, "add", "--force", ".memsleep/runs")


COMMANDS = (
    ("undo",), ("undo", "sleep/2020-01-01"), ("resume",), ("merge",), ("apply", "plan.json"),
    ("review", "--list"), ("status",), ("audit",), ("history", "lamp.md"), ("gate",),
    ("sync", "status"), ("recall", "lamp"), ("brief",), ("explain", "lamp.md"), ("forecast",),
    ("cite", "said.txt"), ("search", "lamp"), ("state", "export"), ("purge", "belt.md", "--yes"),
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_believes_it(command: tuple[str, ...], root: Path, tmp_path: Path) -> None:
    """Forged runs and states are neither followed nor changed; every command says so once."""
    _forged_run(root)
    write(tmp_path, {"plan.json": "{}", "said.txt": "nothing"})
    before = tree(root / ".memsleep")
    done = memsleep(*command, "--corpus", root, home=tmp_path)
    assert done.stderr.count(SAID) == 1, done.stderr.decode()
    assert done.returncode in (0, 1, 2, 3)
    assert tree(root / ".memsleep") == before
    assert (tmp_path / "secret.md").read_bytes() == b"precious\n"


def test_a_dry_run_says_it_too_and_writes_nothing(root: Path, tmp_path: Path) -> None:
    """The report of a pull request names what it brings."""
    _file("state.db")(root)
    before = tree(root)
    done = memsleep("run", root, "--dry-run", home=tmp_path)
    assert (done.returncode, SAID in done.stdout, SAID in done.stderr) == (0, True, True)
    assert tree(root) == before


def test_a_state_that_is_named_is_believed(root: Path, tmp_path: Path) -> None:
    """`--state-dir` is the user's word."""
    _file("state.db")(root)
    done = memsleep("run", root, "--state-dir", tmp_path / "s", home=tmp_path)
    assert (done.returncode, SAID in done.stderr) == (0, False)
    assert (tmp_path / "s/state.db").exists()


def test_two_corpora_of_a_repository_keep_apart(tmp_path: Path) -> None:
    """Each subfolder has a state of its own, and only what lies below it counts."""
    root = init(tmp_path / "r")
    commit(root, {f"{name}/.memsleep/state.db": "x" for name in ("a", "b")})
    write(root, {"c/.memsleep/state.db": "x", ".memsleep/state.db": "x"})
    found = [brought_by(root / name) for name in ("a", "b")]
    assert len({one.instead for one in found if one is not None}) == 2
    assert (brought_by(root / "c"), brought_by(root)) == (None, None)


def test_programs_that_import_it_believe_nothing_either(root: Path) -> None:
    """The interface for programs opens the same folder as the commands."""
    _file("state.db")(root)
    with api.open_corpus(root, now="2026-11-30T03:00:00Z") as corpus:
        assert ".git/memsleep" in corpus.state_folder.as_posix()
        assert [note for note in corpus.notes if SAID.decode() in note]
    assert (root / ".memsleep/state.db").read_bytes() == b"x"
