"""Nights over stores of several programs land, prove themselves and go back to the same bytes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corpus_kit import commit, git, init
from git_night_kit import NOW, command
from landing_kit import set_identity
from night_kit import FIXTURES, tree

STORES = ("claude", "hermes", "logseq", "memhtml")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_identity(tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def run(root: Path, *words: str) -> None:
    place = ("--state-dir", str(root.parent / "state"))
    corpus = (str(root),) if words[0] == "run" else ("--corpus", str(root))
    code, said = command(words[0], *corpus, *words[1:], *place)
    assert code == 0, said


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("mode", ["branch", "directory"])
def test_land_audit_undo(tmp_path: Path, store: str, mode: str) -> None:
    """In both modes the night lands, loses nothing, and `undo` gives back the original bytes."""
    root = tmp_path / "c"
    shutil.copytree(FIXTURES / "stores" / store / "corpus", root, symlinks=True)
    before = tree(root)
    if mode == "branch":
        commit(init(root))
    run(root, "run", "--now", NOW, "--quiet")
    run(root, "audit")
    if mode == "branch":
        run(root, "merge")
    assert tree(root, without=[".git/"]) != before
    run(root, "undo")
    if mode == "branch":
        run(root, "merge")
        assert git(root, "status", "--porcelain") == b""
    assert tree(root, without=[".git/"]) == before
