"""A command that is said can be pasted where it is read, and acts on the corpus that was meant."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from cli_kit import error_document, memsleep
from corpus_kit import write
from memsleep.cli import aiming
from memsleep.cli.app import app

TEXT = "The pump of the greenhouse was repaired by Anna Keller in spring and needs oil twice."
TWINS = {
    "a.md": f"---\ncreated: 2026-01-01\n---\n\n{TEXT}\n",
    "b.md": f"---\ncreated: 2026-01-02\n---\n\n{TEXT}\n",
}
NOW = ("--now", "2026-11-30T03:00:00Z")


def files_of(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def _begun() -> Iterator[None]:
    aiming.begin(typer.main.get_command(app))
    yield
    aiming.begin(None)


AIMED = [
    ("memsleep undo sleep/x", "memsleep undo --corpus 'my notes' --state-dir s sleep/x"),
    ("gone: memsleep run", "gone: memsleep run 'my notes' --state-dir s"),
    ("memsleep run --dry-run", "memsleep run 'my notes' --state-dir s --dry-run"),
    ("memsleep audit", "memsleep audit --corpus 'my notes' --state-dir s"),
    ("memsleep schedule cron", "memsleep schedule --corpus 'my notes' cron"),
    ("memsleep state export u", "memsleep state export --corpus 'my notes' --state-dir s u"),
    ("`memsleep status`", "`memsleep status --corpus 'my notes' --state-dir s`"),
    ("memsleep sync push, memsleep run", "memsleep sync {0} push, memsleep run {1}"),
]
LEFT = [
    "memsleep check --list",
    "memsleep check --explain MS104",
    "memsleep run --help",
    "memsleep phases",
    "memsleep check --corpus DIR PATHS",
    "process 7 on desk (memsleep run, since 2026-11-30)",
    "move it away; memsleep makes the folder itself",
    "memsleep has a defect",
    "git -C /x/memsleep run",
    "notes.memsleep run",
    "memsleep.toml:12",
    "memsleep",
]


@pytest.mark.usefixtures("_begun")
@pytest.mark.parametrize(("line", "expected"), AIMED)
def test_a_command_names_what_was_given(line: str, expected: str) -> None:
    aiming.aim("corpus", Path("my notes"))
    aiming.aim("state_dir", Path("s"))
    words = ("--corpus 'my notes' --state-dir s", "'my notes' --state-dir s")
    assert aiming.aimed(line) == expected.format(*words)


@pytest.mark.usefixtures("_begun")
@pytest.mark.parametrize("line", LEFT)
def test_what_is_no_command_for_a_corpus_stays(line: str) -> None:
    aiming.aim("corpus", Path("my notes"))
    aiming.aim("state_dir", Path("s"))
    assert aiming.aimed(line) == line


@pytest.mark.usefixtures("_begun")
@pytest.mark.parametrize("corpus", [None, Path(), Path("./")])
def test_the_folder_one_stands_in_needs_no_name(corpus: Path | None) -> None:
    aiming.aim("corpus", corpus)
    assert aiming.aimed("memsleep undo sleep/x") == "memsleep undo sleep/x"


@pytest.mark.usefixtures("_begun")
def test_every_option_that_is_noted_is_one_of_a_command() -> None:
    aiming.aim("config", Path("own.toml"))
    assert aiming.aimed("memsleep merge") == "memsleep merge --config own.toml"
    assert aiming.aimed("memsleep status") == "memsleep status"


def test_the_undo_that_a_night_prints_takes_that_night_back_and_no_other(tmp_path: Path) -> None:
    for name in ("here", "my notes"):
        write(tmp_path / name, TWINS)
        done = memsleep("run", tmp_path / name, *NOW, home=tmp_path)
        assert done.returncode == 0, done.stderr
    here = tmp_path / "here"
    kept = files_of(here)
    said = re.search(r"memsleep (undo .*)", done.stderr.decode())
    assert said is not None
    undone = memsleep(*shlex.split(said[1]), home=tmp_path, cwd=here)
    assert undone.returncode == 0, undone.stderr
    assert (tmp_path / "my notes/b.md").read_text("utf-8") == TWINS["b.md"]
    assert files_of(here) == kept


def test_a_hint_names_the_corpus_and_the_state_also_as_json(tmp_path: Path) -> None:
    write(tmp_path / "notes", TWINS)
    where = ("--corpus", "notes", "--state-dir", "kept")
    done = memsleep("undo", "no-such-run", *where, "--json", home=tmp_path)
    hint = "memsleep run notes --state-dir kept"
    assert error_document(done)["hint"] == hint
    assert f"hint: {hint}\n" in done.stderr.decode()


@pytest.mark.parametrize("given", [("notes",), ("--corpus", "notes")])
def test_what_check_offers_is_for_the_corpus_that_was_checked(
    given: tuple[str, ...], tmp_path: Path
) -> None:
    write(tmp_path / "notes", {"a.md": f"---\ntags: [pump, oil, pump]\n---\n\n{TEXT}\n"})
    done = memsleep("check", *given, "--no-cache", home=tmp_path)
    assert "memsleep check --corpus notes --fix --diff\n" in done.stderr.decode()
