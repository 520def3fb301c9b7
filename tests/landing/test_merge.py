"""A merge writes only what the run touched, refuses by name, and never rewrites a commit."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from corpus_kit import commit, git, init, write
from landing_kit import (
    FILES,
    MERGED,
    NOW,
    PHASES,
    applied,
    other_plan,
    run_meta,
    set_identity,
    tree_of,
)
from memsleep.errors import MemsleepError
from memsleep.gitrepo import find_repository
from memsleep.landing import merge as merging
from memsleep.landing.branch import branch_sink
from memsleep.landing.merge import Merged
from memsleep.landing.place import place_of
from memsleep.landing.sink import PhaseFold

RUN = "sleep/2026-11-30"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    set_identity(folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


def night(root: Path, files: dict[str, str] | None = None, *, corpus: str = "") -> str:
    """Commit a corpus and put a run on a branch; return the base."""
    base = commit(root, files or FILES)
    branch_sink(root / corpus).land(run_meta(base), PHASES)
    write(root / corpus, {".memsleep/.gitignore": "*\n"})
    return base


def merge(root: Path, run: str | None = None, *, force: bool = False) -> Merged:
    repository = find_repository(root)
    assert repository is not None
    candidate = merging.find(repository, run, force=force)
    return merging.merge(place_of(root), repository, candidate, now=NOW)


def refused(root: Path, run: str | None = None) -> MemsleepError:
    """Return the refusal of a merge, and see that it changed nothing."""
    before = state(root)
    with pytest.raises(MemsleepError) as raised:
        merge(root, run)
    assert state(root) == before
    return raised.value


def state(root: Path) -> tuple[bytes, ...]:
    files = {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".git", ".memsleep"} & set(path.relative_to(root).parts)
    }
    listed = git(root, "ls-files", "--stage"), git(root, "rev-parse", "HEAD")
    return (repr(files).encode(), *listed, git(root, "for-each-ref"))


def status(root: Path) -> str:
    return git(root, "status", "--porcelain").decode()


def disk(root: Path) -> dict[str, bytes]:
    listed = git(root, "ls-files", "-z").decode().split("\0")
    return {p: (root / p).read_bytes() for p in listed if p and not p.startswith(".memsleep")}


def head(root: Path) -> dict[str, bytes]:
    return {p: data for p, data in tree_of(root, "HEAD").items() if not p.startswith(".memsleep")}


def test_fast_forward(tmp_path: Path) -> None:
    """An unmoved branch is fast-forwarded: no new commit, work tree and index as the tip."""
    root = init(tmp_path / "r")
    night(root)
    merged = merge(root)
    assert merged.kind == "fast-forward"
    assert git(root, "rev-parse", "main") == git(root, "rev-parse", RUN)
    assert disk(root) == head(root) == applied(FILES, PHASES)
    assert status(root) == ""
    assert not (root / "b.md").exists()
    assert merge(root).kind == "already"


def test_real_merge(tmp_path: Path) -> None:
    """HEAD that moved on elsewhere gets a commit with two parents; its own commits stay."""
    root = init(tmp_path / "r")
    night(root)
    theirs = commit(root, {"new.md": "n\n", "sub/x.md": "x\n"})
    merged = merge(root)
    assert merged.kind == "merge"
    parents = git(root, "log", "-1", "--format=%P").decode().split()
    assert parents == [theirs, git(root, "rev-parse", RUN).decode().strip()]
    expected = applied({**FILES, "new.md": "n\n", "sub/x.md": "x\n"}, PHASES)
    assert disk(root) == head(root) == expected
    assert status(root) == ""
    said = git(root, "log", "-1", "--format=%an %s").decode().strip()
    assert said == f"U Ser memsleep: merge {RUN} into main"


@pytest.mark.parametrize("moved", [False, True])
def test_other_changes_of_the_user_stay(tmp_path: Path, moved: bool) -> None:
    """Staged, unstaged and untracked changes elsewhere are there afterwards, byte for byte."""
    root = init(tmp_path / "r")
    night(root, {**FILES, "mine.md": "1\n", "staged.md": "1\n", "gone.md": "1\n"})
    if moved:
        commit(root, {"later.md": "l\n"})
    write(root, {"mine.md": "2\n", "staged.md": "2\n", "untracked.md": "u\n", "added.md": "a\n"})
    git(root, "add", "staged.md", "added.md")
    (root / "gone.md").unlink()
    before = status(root)
    merge(root)
    assert status(root) == before
    assert (root / "mine.md").read_bytes() == b"2\n"
    assert git(root, "show", ":staged.md") == b"2\n"
    assert (root / "a.md").read_bytes() == b"alpha\nbeta too\n"


DIRTY = {
    "edited": (lambda root: write(root, {"a.md": "mine\n"}), "a.md"),
    "staged": (lambda root: (write(root, {"a.md": "x\n"}), git(root, "add", "a.md")), "a.md"),
    "deleted": (lambda root: (root / "c/c.md").unlink(), "c/c.md"),
    "moved away": (lambda root: git(root, "mv", "b.md", "z.md"), "b.md"),
    "untracked": (lambda root: write(root, {"archive/2026/b.md": "u\n"}), "archive/2026/b.md"),
    "symlink": (
        lambda root: ((root / "a.md").unlink(), (root / "a.md").symlink_to("c/c.md")),
        "a.md",
    ),
}


@pytest.mark.parametrize("case", DIRTY)
@pytest.mark.parametrize("moved", [False, True])
def test_a_change_of_a_touched_file_refuses(tmp_path: Path, case: str, moved: bool) -> None:
    """Nothing is changed, and the path is named."""
    root = init(tmp_path / "r")
    night(root)
    if moved:
        commit(root, {"later.md": "l\n"})
    change, path = DIRTY[case]
    change(root)  # type: ignore[operator]
    error = refused(root)
    assert (error.reference, error.context[0]) == ("merge-dirty", path)


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ({"a.md": "edited\n"}, "a.md"),
        ({"b.md": "edited\n"}, "b.md"),
        ({"archive/2026/b.md": "theirs\n"}, "archive/2026/b.md"),
        ({"archive/2026/b.md/x.md": "a folder\n"}, "archive/2026/b.md"),
        ({"archive/2026": "a file\n"}, "archive/2026/b.md"),
    ],
)
def test_overlap_refuses_with_the_paths(tmp_path: Path, files: dict[str, str], path: str) -> None:
    """What both sides touched is named, also a name that one side has as a folder."""
    root = init(tmp_path / "r")
    night(root)
    commit(root, files)
    error = refused(root)
    assert (error.reference, error.context[0]) == ("merge-overlap", path)


LEDGERS = [
    pytest.param("1", "1 2", "1 3", "1 3 2", id="both add"),
    pytest.param("1 2", "1", "1 2 3", "1 3", id="an undo, and a night since"),
    pytest.param("1", "", "1 3", "3", id="an undo that empties it, and a night since"),
    pytest.param("1", "1 2", "", "2", id="a night, and an undo since that emptied it"),
]


@pytest.mark.parametrize(("base", "run", "head", "merged"), LEDGERS)
def test_both_sides_may_change_lines_of_a_ledger(
    tmp_path: Path, base: str, run: str, head: str, merged: str
) -> None:
    """The lines that nobody took out are kept, those of both sides."""
    root = init(tmp_path / "r")
    path = "archive/2026/ledger.jsonl"
    start = commit(root, {**FILES, path: _ledger(base)})
    after = {path: _ledger(run).encode()} if run else {}
    phase = replace(
        MERGED,
        before={**MERGED.before, path: _ledger(base).encode()},
        after={**MERGED.after, **after},
    )
    branch_sink(root).land(run_meta(start), (phase,))
    if head:
        commit(root, {path: _ledger(head)})
    else:
        git(root, "rm", "--quiet", path)
        git(root, "commit", "--quiet", "-m", "undone")
    assert merge(root).kind == "merge"
    assert (root / path).read_text() == _ledger(merged)
    assert status(root) == ""


def test_a_ledger_that_was_rewritten_is_an_overlap(tmp_path: Path) -> None:
    """A line that is to go, and is another one by now, is a matter for a person."""
    root = init(tmp_path / "r")
    path = "archive/2026/ledger.jsonl"
    start = commit(root, {**FILES, path: _ledger("1 2")})
    before, after = (
        {**MERGED.before, path: _ledger("1 2").encode()},
        {**MERGED.after, path: _ledger("1").encode()},
    )
    branch_sink(root).land(run_meta(start), (replace(MERGED, before=before, after=after),))
    commit(root, {path: _ledger("1 9")})
    error = refused(root)
    assert (error.reference, error.context[0]) == ("merge-overlap", path)


def _ledger(numbers: str) -> str:
    return "".join(f'{{"n":{number}}}\n' for number in numbers.split())


def test_detached_head_and_linked_worktree(tmp_path: Path) -> None:
    """Only the HEAD that the corpus has is moved."""
    root = init(tmp_path / "r")
    base = night(root)
    git(root, "worktree", "add", "--quiet", "--detach", str(tmp_path / "side"), base)
    write(tmp_path / "side", {".memsleep/.gitignore": "*\n"})
    assert merge(tmp_path / "side").kind == "fast-forward"
    assert git(root, "rev-parse", "main").decode().strip() == base
    assert status(root) == status(tmp_path / "side") == ""
    assert disk(tmp_path / "side") == applied(FILES, PHASES)


@pytest.mark.parametrize("setting", ["true", "input", "false"])
def test_line_ends_of_the_checkout_are_kept(tmp_path: Path, setting: str) -> None:
    """With autocrlf the files on disk keep their line ends, and the work tree is clean."""
    root = init(tmp_path / "r")
    git(root, "config", "core.autocrlf", "false")
    files = {path: text.replace("\r\n", "\n") for path, text in FILES.items()}
    base = commit(root, files)
    faded = PhaseFold(
        name="decay", before={"c/c.md": b"gamma\nCRLF\n"}, after={"c/c.md": b"gamma 2\nCRLF\n"}
    )
    branch_sink(root).land(run_meta(base), (MERGED, faded))
    write(root, {".memsleep/.gitignore": "*\n"})
    git(root, "config", "core.autocrlf", setting)
    git(root, "rm", "--quiet", "--cached", "-r", ".")
    git(root, "reset", "--quiet", "--hard")
    crlf = (root / "a.md").read_bytes() == b"alpha\r\n"
    assert crlf == (setting == "true")
    merge(root)
    eol = b"\r\n" if crlf else b"\n"
    assert (root / "c/c.md").read_bytes() == b"gamma 2\nCRLF\n".replace(b"\n", eol)
    assert (root / "archive/2026/b.md").read_bytes() == b"beta\n".replace(b"\n", eol)
    assert status(root) == ""


@pytest.mark.parametrize("young", [False, True])
def test_no_filter_and_no_hook_runs(tmp_path: Path, young: bool) -> None:
    """Filter drivers, hooks and the file system monitor of the repository never run.

    Nor for files that are as young as the index: git compares those with it when it writes it.
    """
    root = init(tmp_path / "r")
    night(root, {**FILES, "quiet.md": "still\n", ".gitattributes": "*.md filter=evil\n"})
    for key in ("smudge", "clean", "process"):
        git(root, "config", f"filter.evil.{key}", f"touch {tmp_path}/ran; cat")
    git(root, "config", "core.fsmonitor", f"touch {tmp_path}/ran; false")
    for name in ("post-merge", "post-checkout", "reference-transaction", "post-index-change"):
        hook = root / ".git/hooks" / name
        hook.write_bytes(f"#!/bin/sh\ntouch {tmp_path}/ran\n".encode())
        hook.chmod(0o755)
    if young:
        os.utime(root / ".git/index", (1, 1))
    merge(root)
    assert not (tmp_path / "ran").exists()


def test_mode_goes_along(tmp_path: Path) -> None:
    """An executable file stays so on disk and in the index, where it is moved to, too."""
    root = init(tmp_path / "r")
    write(root, FILES)
    (root / "b.md").chmod(0o755)
    night(root)
    merge(root)
    assert os.access(root / "archive/2026/b.md", os.X_OK)
    assert status(root) == ""


def test_a_subfolder_corpus(tmp_path: Path) -> None:
    """The corpus below the root of its repository: only its paths are written."""
    root = init(tmp_path / "r")
    files = {**{f"notes/{path}": text for path, text in FILES.items()}, "a.md": "outside\n"}
    night(root, files, corpus="notes")
    merge(root / "notes")
    assert disk(root) == applied(files, PHASES, "notes/")
    assert status(root) == ""


def test_sha256(tmp_path: Path) -> None:
    """A repository with the other hash is merged alike."""
    root = init(tmp_path / "r", "--object-format=sha256")
    night(root)
    commit(root, {"later.md": "l\n"})
    assert merge(root).kind == "merge"
    assert status(root) == ""


def test_without_a_name_it_takes_the_newest_and_an_older_one_needs_force(tmp_path: Path) -> None:
    """-10 is newer than -9; naming an older one needs --force."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    write(root, {".memsleep/.gitignore": "*\n"})
    for number in ("-9", "-10"):
        phases = other_plan(number, PHASES if number == "-9" else PHASES[:1])
        branch_sink(root).land(run_meta(base, run_id=RUN + number), phases)
    git(root, "branch", "sleep/2026-12-24", "main")
    error = refused(root, "sleep/2026-11-30-9")
    assert error.reference == "merge-older-branch"
    assert "--force" in (error.hint or "")
    assert merge(root).run_id == "sleep/2026-11-30-10"


@pytest.mark.parametrize("run", [None, "sleep/2026-11-30", "sleep/1999-01-01", "--all", ""])
def test_no_branch(tmp_path: Path, run: str | None) -> None:
    """Where there is no branch of a run, that is said; a branch of the user's own is none."""
    root = init(tmp_path / "r")
    commit(root, FILES)
    git(root, "branch", "sleep/mine")
    write(root, {".memsleep/.gitignore": "*\n"})
    assert refused(root, run).reference == "merge-no-branch"


def test_on_the_branch_itself(tmp_path: Path) -> None:
    """A checked-out sleep branch cannot be merged into itself."""
    root = init(tmp_path / "r")
    night(root)
    git(root, "checkout", "--quiet", RUN)
    assert refused(root).reference == "merge-on-branch"


@pytest.mark.parametrize(
    ("name", "reference"),
    [("MERGE_HEAD", "merge-unfinished"), ("index.lock", "merge-index-locked")],
)
def test_git_is_busy(tmp_path: Path, name: str, reference: str) -> None:
    """An unfinished merge, or a lock that a dead command left, is named with what to do."""
    root = init(tmp_path / "r")
    night(root)
    git(root, "update-index", "-q", "--refresh")
    tip = git(root, "rev-parse", "HEAD")
    (root / ".git" / name).write_bytes(tip if name == "MERGE_HEAD" else b"")
    with pytest.raises(MemsleepError) as raised:
        merge(root)
    assert raised.value.reference == reference
    assert git(root, "rev-parse", "HEAD") == tip


def test_shallow_clone_without_a_common_commit(tmp_path: Path) -> None:
    """What a shallow clone cannot know is said, with the line that fetches it."""
    origin = init(tmp_path / "o")
    night(origin)
    commit(origin, {"later.md": "l\n"})
    url = f"file://{origin}"
    git(tmp_path, "clone", "--quiet", "--depth=1", url, str(tmp_path / "r"))
    root = tmp_path / "r"
    git(root, "fetch", "--quiet", "--depth=1", "origin", f"{RUN}:{RUN}")
    error = refused(root)
    assert (error.reference, error.hint) == ("merge-no-base", "git fetch --unshallow")


def test_head_moves_meanwhile(tmp_path: Path) -> None:
    """A commit that comes in between is not lost: the branch is not moved over it."""
    root = init(tmp_path / "r")
    night(root)
    repository = find_repository(root)
    assert repository is not None
    candidate = merging.find(repository, None, force=False)
    theirs = commit(root, {"later.md": "l\n"})
    with pytest.raises(MemsleepError) as raised:
        merging.merge(place_of(root), repository, candidate, now=NOW)
    assert raised.value.reference == "git-ref-moved"
    assert git(root, "rev-parse", "main").decode().strip() == theirs
    assert merge(root).kind == "merge"  # and the same command finishes it
    assert status(root) == ""


@pytest.mark.parametrize("command", ["update-index", "update-ref", "commit-tree"])
def test_killed_in_between_the_same_command_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Whatever was done of files, index and branch, merging again makes it whole."""
    root = init(tmp_path / "r")
    night(root)
    commit(root, {"later.md": "l\n"})
    folder = tmp_path / "bin"
    folder.mkdir()
    real = subprocess.run(["which", "git"], capture_output=True, check=True).stdout.decode().strip()
    script = f'#!/bin/sh\nfor word; do [ "$word" = {command} ] && exit 1; done\nexec {real} "$@"\n'
    (folder / "git").write_bytes(script.encode())
    (folder / "git").chmod(0o755)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        with pytest.raises(MemsleepError):
            merge(root)
    assert merge(root).kind == "merge"
    assert disk(root) == applied({**FILES, "later.md": "l\n"}, PHASES)
    assert status(root) == ""
