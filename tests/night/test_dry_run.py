"""What a dry run promises: nothing is touched, the patch is the night, a second one is quiet."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from audit_kit import recording
from memsleep.request import ARTIFACTS
from night_kit import (
    CORPORA,
    NOW,
    copy_corpus,
    git_apply,
    land,
    request_for,
    run_night,
    seeded_state,
    tree,
)

REFERENCE = {"run.profile": "reference"}


def _command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    command = [sys.executable, "-m", "memsleep", *arguments]
    return subprocess.run(command, env=env, capture_output=True, check=False)


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("profile", ["careful", "reference"])
def test_patch_is_the_night(corpus: str, profile: str, tmp_path: Path) -> None:
    """`git apply` of the patch on a copy gives byte for byte what the night would write."""
    root = copy_corpus(corpus, tmp_path)
    options = {"run.profile": profile}
    state_dir = seeded_state(corpus, tmp_path)
    result, outcome = run_night(request_for(root, state_dir=state_dir, options=options))
    assert result.decisions
    git_apply(root, outcome.artifacts["sleep.diff"])
    on_disk = {path: (root / path).read_bytes() for path in result.end.files}
    assert on_disk == dict(result.end.files)
    assert not [old for old in result.moves if (root / old).exists()]


@pytest.mark.parametrize("corpus", CORPORA)
def test_patch_can_be_taken_back(corpus: str, tmp_path: Path) -> None:
    """`git apply -R` after `git apply` brings back the tree, bytes and links."""
    root = copy_corpus(corpus, tmp_path)
    before = tree(root)
    _, outcome = run_night(request_for(root))
    git_apply(root, outcome.artifacts["sleep.diff"])
    assert tree(root) != before
    git_apply(root, outcome.artifacts["sleep.diff"], "-R")
    assert tree(root) == before


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("with_state", [True, False], ids=["state", "no-state"])
def test_second_night_proposes_nothing(corpus: str, with_state: bool, tmp_path: Path) -> None:
    """On the result, at the same instant and with its state, careful has nothing left to do."""
    root = copy_corpus(corpus, tmp_path)
    state_dir = seeded_state(corpus, tmp_path) if with_state else None
    request = request_for(root, state_dir=state_dir)
    result, outcome = run_night(request)
    assert result.decisions
    land(root, state_dir, result, outcome)
    again, after = run_night(request_for(root, state_dir=state_dir))
    assert [item.proposal for item in again.decisions] == []
    assert after.artifacts["sleep.diff"] == b""


@pytest.mark.parametrize("corpus", CORPORA)
def test_dry_run_opens_nothing_for_writing(corpus: str, tmp_path: Path) -> None:
    """No file, folder or database of the corpus is opened for writing, with a state in it too."""
    root = copy_corpus(corpus, tmp_path)
    shutil.copytree(seeded_state(corpus, tmp_path), root / ".memsleep")
    before = tree(root)
    with recording(root) as seen:
        _, outcome = run_night(request_for(root))
    assert outcome.artifacts["sleep.diff"]
    assert seen.events == []
    assert tree(root) == before


def test_probe_fires(tmp_path: Path) -> None:
    """The recording that the test above relies on does see a write below the corpus."""
    with recording(tmp_path) as seen:
        (tmp_path / "touched").write_bytes(b"x")
    assert seen.events


@pytest.mark.parametrize("corpus", CORPORA)
def test_same_bytes_everywhere(corpus: str, tmp_path: Path) -> None:
    """Plan, patch and reports do not depend on file order, hash seed or thread count."""
    root = copy_corpus(corpus, tmp_path)
    shuffled = tmp_path / "shuffled"
    names = sorted((p for p in root.rglob("*") if not p.is_dir()), reverse=True)
    for path in names:
        copy = shuffled / "corpus" / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy, follow_symlinks=False)
    outputs = []
    for number, (folder, seed, threads) in enumerate(
        [(root, "0", "1"), (root, "7", "2"), (shuffled / "corpus", "1", "2")]
    ):
        out = tmp_path / f"out{number}"
        done = _command(
            "run", "--dry-run", str(folder), "--now", NOW, "--out", str(out),
            PYTHONHASHSEED=seed, OPENBLAS_NUM_THREADS=threads,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        outputs.append({name: (out / name).read_bytes() for name in ARTIFACTS})
    assert outputs[0] == outputs[1]
    assert outputs[0] == outputs[2]


def test_same_decisions_from_git_and_from_the_folder(tmp_path: Path) -> None:
    """In a repository the night is read from HEAD's tree, and decides the same."""
    root = copy_corpus("markdown-vault", tmp_path)
    from_folder, _ = run_night(request_for(root))
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-C", str(root)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "start"], check=True)
    before = tree(root, without=[".git/"])
    from_git, outcome = run_night(request_for(root))
    ids = [[item.proposal.id for item in result.decisions] for result in (from_folder, from_git)]
    assert ids[0] == ids[1]
    assert tree(root, without=[".git/"]) == before
    plan = json.loads(outcome.artifacts["plan.json"])
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, check=True)
    assert plan["base_commit"] == head.stdout.decode().strip()


def test_file_being_edited_is_left_alone(tmp_path: Path) -> None:
    """A memory whose work-tree bytes differ from HEAD is read but not edited."""
    root = copy_corpus("markdown-vault", tmp_path)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-C", str(root)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "start"], check=True)
    edited = "claude/seed-order-exact-copy.md"
    (root / edited).write_bytes((root / edited).read_bytes() + b"\nMore.\n")
    result, _ = run_night(request_for(root))
    touched = {change.path for item in result.decisions for change in item.changes}
    assert edited not in touched
    assert result.start.memories[edited].read_only


def test_counts_of_the_report_add_up(tmp_path: Path) -> None:
    """Refused, merged and reviewed pairs are all the candidates, in every fixture and profile."""
    for corpus in CORPORA:
        root = copy_corpus(corpus, tmp_path / corpus)
        for options in ({}, REFERENCE):
            _, outcome = run_night(request_for(root, options=options))
            report = json.loads(outcome.artifacts["report.json"])
            found = report["candidates"]
            refused = sum(cause["count"] for cause in found["refused"])
            assert found["candidates"] == found["merged"] + found["reviewed"] + refused
            failed = [check["name"] for check in report["checks"] if not check["passed"]]
            # The reference may merge opposites; then the gate says so.
            assert failed in ([], ["the corpus answers as well as before"] if options else [])
