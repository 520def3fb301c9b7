"""An undo never brings a memory back beside its twin where the store's own index would fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus_kit import commit, git, init, write
from git_night_kit import NOW, command
from landing_kit import set_identity
from phases_kit import html

CLAIM = "A parking permit for the lot behind the mill that nobody uses any more since May."
EXPIRED = html(
    CLAIM,
    '<meta name="memhtml-valid-until" content="2026-02-01">',
    '<meta name="memhtml-importance" content="1">',
)
OTHERS = {"areas/b.html": html("Bees swarm."), "areas/c.html": html("Cows graze on the moor.")}
MARKDOWN = f"---\nvalid_until: 2026-02-01\nimportance: 1\n---\n\n{CLAIM}\n"
TASK = html(CLAIM, '<meta name="memhtml-task-status" content="todo">', kind="task")
TWIN = {"areas/again.html": html(CLAIM, title="Another title")}

# Before the night, written since, whether the memory may come back.
CASES = [
    pytest.param({"areas/a.html": EXPIRED}, TWIN, False, id="twin"),
    pytest.param({"areas/a.html": EXPIRED}, {"areas/x.html": html("X.")}, True, id="another"),
    pytest.param({"areas/a.html": EXPIRED}, {"areas/again.html": TASK}, True, id="task"),
    pytest.param(
        {"areas/a.html": EXPIRED}, {"archive/2026/again.html": html(CLAIM)}, True, id="archived"
    ),
    pytest.param({"areas/a.html": html(CLAIM), "areas/d.html": html(CLAIM)}, {}, True, id="merged"),
    pytest.param({"a.md": MARKDOWN}, {"again.md": f"{CLAIM}\n"}, True, id="markdown"),
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_identity(tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def run(root: Path, *words: str) -> tuple[int, str]:
    corpus = (str(root),) if words[0] == "run" else ("--corpus", str(root))
    return command(words[0], *corpus, *words[1:], "--state-dir", str(root.parent / "state"))


def names(root: Path) -> set[str]:
    found = (path.relative_to(root).as_posix() for path in root.rglob("*.*") if path.is_file())
    return {name for name in found if not name.startswith((".", "archive/"))}


@pytest.mark.parametrize(("before", "since", "comes"), CASES)
def test_undo(before: dict[str, str], since: dict[str, str], comes: bool, tmp_path: Path) -> None:
    """A twin that somebody wrote since holds the memory back, by name; nothing else does."""
    undone("directory", before, since, comes, tmp_path)


@pytest.mark.parametrize(("before", "since", "comes"), CASES[:2])
def test_undo_of_a_merged_branch(
    before: dict[str, str], since: dict[str, str], comes: bool, tmp_path: Path
) -> None:
    """So it is where git keeps the store: what others have committed since counts."""
    undone("branch", before, since, comes, tmp_path)


def undone(
    mode: str, before: dict[str, str], since: dict[str, str], comes: bool, tmp_path: Path
) -> None:
    root = write(tmp_path / "c", {**before, **OTHERS})
    if mode == "branch":
        commit(init(root))
    assert run(root, "run", "--now", NOW, "--quiet")[0] == 0
    if mode == "branch":
        assert run(root, "merge")[0] == 0
    gone = before.keys() - names(root)
    assert gone
    write(root, dict(since))
    if mode == "branch":
        git(root, "add", "-A")
        git(root, "commit", "-q", "--allow-empty", "-m", "since")
    code, said = run(root, "undo")
    assert code == (0 if comes else 3)
    if mode == "branch" and comes:
        assert run(root, "merge")[0] == 0
    assert (gone <= names(root)) is comes
    told = "areas/a.html: its content would equal that of areas/again.html"
    assert (told in said) is not comes
