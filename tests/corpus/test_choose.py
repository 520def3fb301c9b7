"""HEAD is read where git tracks the corpus, the folder elsewhere, and the reason is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corpus_kit import as_nobody, commit, git, init, needs_root, write
from memsleep.corpus.choose import check_root, choose_source
from memsleep.errors import CorpusError, MemsleepError, UsageError


def chosen(root: Path) -> tuple[str, str, list[str]]:
    source = choose_source(root)
    return source.kind, source.reason, [entry.path for entry in source.listing().files]


def test_no_repository(tmp_path: Path) -> None:
    """A plain folder is read as it lies."""
    write(tmp_path, {"a.md": "x"})
    assert chosen(tmp_path) == ("folder", "the folder is in no git repository", ["a.md"])


def test_tracked(tmp_path: Path) -> None:
    """A folder with a committed memory is read from HEAD."""
    root = init(tmp_path / "r")
    commit(root, {"n/a.md": "x"})
    write(root, {"n/new.md": "x"})
    assert chosen(root / "n") == ("git", "git tracks the folder", ["a.md"])


def test_unborn(tmp_path: Path) -> None:
    """Before the first commit the folder is read, without what git ignores."""
    root = write(init(tmp_path / "r"), {"a.md": "x", "b.md": "x", ".gitignore": "b.md\n"})
    assert chosen(root) == ("folder", "the git branch has no commit yet", [".gitignore", "a.md"])


def test_untracked(tmp_path: Path) -> None:
    """A folder that git neither tracks nor ignores is read without what git ignores."""
    root = init(tmp_path / "r")
    commit(root, {"code.py": "x", ".gitignore": "*.tmp.md\n"})
    write(root, {"n/a.md": "x", "n/b.tmp.md": "x"})
    assert chosen(root / "n") == ("folder", "git does not track the folder", ["a.md"])
    assert choose_source(root / "n").listing().left_out == {"ignored by git": 1}


def test_ignored(tmp_path: Path) -> None:
    """A folder that git ignores is read whole: the rule that hides it hides all of it."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "x", ".gitignore": "/private/\n*.tmp.md\n"})
    write(root, {"private/deep/b.md": "x", "private/c.tmp.md": "x"})
    expected = ["c.tmp.md", "deep/b.md"]
    assert chosen(root / "private") == ("folder", "git ignores the folder", expected)
    assert chosen(root / "private/deep") == ("folder", "git ignores the folder", ["b.md"])


def test_tracked_although_ignored(tmp_path: Path) -> None:
    """What git tracks is tracked, whatever a rule says."""
    root = init(tmp_path / "r")
    commit(root, {"private/b.md": "x", ".gitignore": "/private/\n"})
    assert chosen(root / "private")[0] == "git"


def test_a_folder_in_which_git_tracks_no_memory(tmp_path: Path) -> None:
    """A committed `.gitkeep` or symlink does not make the folder a tracked corpus."""
    root = init(tmp_path / "r")
    write(root, {"n/.gitkeep": ""})
    (root / "n/link.md").symlink_to("x")
    commit(root)
    write(root, {"n/a.md": "x"})
    assert chosen(root / "n")[0] == "folder"


def test_detached_and_worktree(tmp_path: Path) -> None:
    """HEAD is HEAD, on a branch or off one, in the first work tree or a second."""
    root = init(tmp_path / "r")
    first = commit(root, {"a.md": "x"})
    commit(root, {"b.md": "x"})
    git(root, "worktree", "add", "--quiet", "--detach", tmp_path / "side", first)
    assert chosen(tmp_path / "side") == ("git", "git tracks the folder", ["a.md"])
    assert choose_source(tmp_path / "side").commit == first


BAD: list[tuple[str, type[MemsleepError], str, int]] = [
    ("missing", UsageError, "corpus-missing", 2),
    ("missing/deeper", UsageError, "corpus-missing", 2),
    ("file", UsageError, "corpus-is-a-file", 2),
    ("file/deeper", UsageError, "corpus-missing", 2),
    ("loop", UsageError, "corpus-missing", 2),
    ("dangling", UsageError, "corpus-missing", 2),
    ("pipe", UsageError, "corpus-is-a-file", 2),
    ("x" * 300, UsageError, "corpus-missing", 2),
]


@pytest.mark.parametrize(("name", "family", "reference", "code"), BAD)
def test_bad_root(
    tmp_path: Path, name: str, family: type[MemsleepError], reference: str, code: int
) -> None:
    """A root that is no folder is a usage error with a next step."""
    write(tmp_path, {"file": "x"})
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(family) as raised:
        check_root(tmp_path / name)
    assert (raised.value.reference, raised.value.exit_code) == (reference, code)
    assert raised.value.hint


def test_a_root_by_a_symlink(tmp_path: Path) -> None:
    """The root itself may be a symlink: the user named it."""
    write(tmp_path, {"real/a.md": "x"})
    (tmp_path / "alias").symlink_to("real")
    assert chosen(tmp_path / "alias")[2] == ["a.md"]


@needs_root
def test_a_root_without_permission(tmp_path: Path) -> None:
    """A root that may not be listed ends the night, exit 3."""
    root = write(tmp_path / "root", {"a.md": "x"})
    root.chmod(0o311)

    def say() -> str:
        os.chdir("/")
        try:
            check_root(root)
        except CorpusError as error:
            return f"{error.reference} {error.exit_code}"
        return "listed"

    for above in [tmp_path, *tmp_path.parents][:-2]:
        above.chmod(above.stat().st_mode | 0o055)
    assert as_nobody(say) == "corpus-unreadable 3"
