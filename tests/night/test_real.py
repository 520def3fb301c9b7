"""Nights that land: where, with what record, and how a killed one is finished."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from audit_kit import recording
from corpus_kit import git
from memsleep.config import Option, load_settings
from memsleep.errors import MemsleepError
from memsleep.landing import land
from memsleep.landing.directory import DirectorySink
from memsleep.landing.place import place_of
from memsleep.landing.runs import RunStore
from memsleep.night import real
from memsleep.night.applying import apply_plan, resume_run
from memsleep.night.real import real_run
from memsleep.night.undoing import undo_run
from memsleep.request import RunRequest
from night_kit import CORPORA, NOW, copy_corpus, git_apply, request_for, run_night, seeded_state
from refold_kit import files_of


def _request(root: Path, mode: str = "auto", **more: object) -> RunRequest:
    loaded = load_settings(root, environ={}, options=[Option("write.mode", mode, "test")])
    request = RunRequest(corpus=root, settings=loaded.settings, now=NOW, clock=NOW)
    return replace(request, **more)  # type: ignore[arg-type]


def _committed(root: Path) -> str:
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "t")
    git(root, "config", "user.email", "t@localhost")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "start")
    return git(root, "rev-parse", "HEAD").decode().strip()


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("with_state", [True, False], ids=["state", "no-state"])
def test_a_real_run_is_its_dry_run(corpus: str, with_state: bool, tmp_path: Path) -> None:
    """Dry run and real run differ in the sink alone: the patch applied is the folder after."""
    root, other = copy_corpus(corpus, tmp_path / "a"), copy_corpus(corpus, tmp_path / "b")
    state = seeded_state(corpus, tmp_path) if with_state else None
    _, dry = run_night(request_for(other, state_dir=state))
    git_apply(other, dry.artifacts["sleep.diff"])
    outcome = real_run(_request(root, state_dir=state))
    assert outcome.exit_code() == 0
    assert files_of(root) == files_of(other)
    (record,) = RunStore(place_of(root, state)).records()
    assert record.read("sleep.diff") == dry.artifacts["sleep.diff"]
    assert json.loads(record.read("audit.json") or b"")["losses"] == []


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_second_night_is_quiet(corpus: str, tmp_path: Path) -> None:
    """The state has learnt what landed: the same night again changes nothing."""
    root = copy_corpus(corpus, tmp_path)
    real_run(_request(root))
    files = files_of(root)
    outcome = real_run(_request(root))
    assert outcome.exit_code() == 0
    assert files_of(root) == files
    states = [record.status().state for record in RunStore(place_of(root)).records()]
    assert states[0] == "landed"


def test_nobody_but_the_writer_names_a_memory(tmp_path: Path) -> None:
    """No file of the corpus is ever opened for writing: only what is staged beside it."""
    root = copy_corpus("html-store", tmp_path)
    with recording(root) as seen:
        real_run(_request(root))
    own = str((root / ".memsleep").resolve())
    others = {Path(path).name for _, path in seen.events if not path.startswith(own)}
    assert others
    assert [name for name in others if not re.fullmatch(r"\.memsleep-[0-9]+\.part", name)] == []


def test_git_decides_where_it_lands(tmp_path: Path) -> None:
    """Where git tracks the folder it is a branch, and the folder stays; unless told otherwise."""
    root = copy_corpus("html-store", tmp_path)
    head, before = _committed(root), files_of(root)
    outcome = real_run(_request(root))
    assert outcome.exit_code() == 0
    assert git(root, "for-each-ref", "--format=%(refname)", "refs/heads/sleep").split()
    assert git(root, "rev-parse", "HEAD").decode().strip() == head
    assert {p: d for p, d in files_of(root).items() if not p.startswith(".git/")} == {
        p: d for p, d in before.items() if not p.startswith(".git/")
    }
    real_run(_request(root, "directory"))
    assert files_of(root) != before


@pytest.mark.parametrize(
    ("prepare", "mode", "reference"),
    [
        pytest.param("none", "branch", "git-no-repository", id="no repository"),
        pytest.param("init", "auto", "git-unborn-branch", id="unborn"),
        pytest.param("empty", "branch", "branch-mode-untracked", id="untracked"),
    ],
)
def test_where_it_cannot_land(prepare: str, mode: str, reference: str, tmp_path: Path) -> None:
    """A branch that cannot be is refused before anything is computed or written."""
    root = copy_corpus("html-store", tmp_path)
    before = files_of(root)
    if prepare != "none":
        git(root, "init", "-q")
    if prepare == "empty":
        who = ("-c", "user.name=t", "-c", "user.email=t@localhost")
        git(root, *who, "commit", "-q", "--allow-empty", "-m", "empty")
    with pytest.raises(MemsleepError) as caught:
        real_run(_request(root, mode))
    assert caught.value.reference == reference
    assert {p: d for p, d in files_of(root).items() if not p.startswith(".git/")} == before


class _Killed(BaseException):
    """Stands for a kill: nothing of ours runs after it."""


def _die(*_: object, **__: object) -> None:
    raise _Killed


def _killed_run(root: Path, monkeypatch: pytest.MonkeyPatch, *places: tuple[object, str]) -> None:
    """Run a night that dies at the first of some places."""
    with monkeypatch.context() as patch:
        for place, name in places:
            patch.setattr(place, name, _die)
        with pytest.raises(_Killed):
            real_run(_request(root))


KILLS = {
    "before the plan": (real, "propose_night"),
    "with the plan": (DirectorySink, "land"),
    "in the re-fold": (land, "refold"),
}


@pytest.mark.parametrize("kill", KILLS)
def test_a_killed_run_is_resumed(
    kill: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its plan or anew, the resumed night gives the bytes of one that was never killed."""
    root, other = (
        copy_corpus("html-store", tmp_path / "a"),
        copy_corpus("html-store", tmp_path / "b"),
    )
    real_run(_request(other))
    before = files_of(root)
    _killed_run(root, monkeypatch, KILLS[kill])
    assert files_of(root) == before
    later = _request(root, now="2026-12-03T03:00:00Z", clock="2026-12-03T03:00:00Z")
    outcome = resume_run(later, None)
    assert outcome.exit_code() == 0
    assert files_of(root) == files_of(other)
    if kill != "before the plan":
        assert "replayed from the base: the same bytes as planned" in outcome.messages
    (record,) = RunStore(place_of(root)).records()
    assert record.status().state == "landed"


def test_the_next_run_says_that_one_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that was left running is closed by whoever next holds the lock, and named."""
    root = copy_corpus("html-store", tmp_path)
    _killed_run(root, monkeypatch, (real, "propose_night"), (real.RunRecord, "update"))
    outcome = real_run(_request(root))
    assert outcome.exit_code() == 0
    assert any("was killed; resume it" in line for line in outcome.messages)
    states = [record.status().state for record in RunStore(place_of(root)).records()]
    assert states == ["killed", "landed"]


def test_what_is_rejected_is_not_asked_again(tmp_path: Path) -> None:
    """Not in the next night, and not instead of another: a rejected archiving takes no budget."""
    root = copy_corpus("html-store", tmp_path)
    _, dry = run_night(request_for(root))
    plan = dry.artifacts["plan.json"]
    decisions = json.loads(plan)["decisions"]
    reject = [decision["id"] for decision in decisions]
    before = files_of(root)
    outcome = apply_plan(_request(root), plan, "plan", (), reject)
    assert outcome.exit_code() == 0
    assert files_of(root) == before
    real_run(_request(root))
    asked = {d["id"] for d in decisions}
    again = RunStore(place_of(root)).find().plan()
    assert asked.isdisjoint(d.id for d in again.decisions)


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_night_on_top_can_be_undone_below(corpus: str, tmp_path: Path) -> None:
    """A second night lands; undoing both, the newer first, gives the start back."""
    root = copy_corpus(corpus, tmp_path)
    before = files_of(root)
    real_run(_request(root))
    between = files_of(root)
    later = "2026-12-20T03:00:00Z"
    real_run(_request(root, now=later, clock=later))
    store = RunStore(place_of(root))
    first, second = (record.run_id for record in store.records())
    request = _request(root, now=later, clock=later)
    if store.find(second).status().landed:
        undo_run(request, second, [], with_dependents=False)
    assert files_of(root) == between
    undo_run(request, first, [], with_dependents=False)
    assert files_of(root) == before
