"""Git is asked, never trusted, and never made to write or to run anything."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from corpus_kit import NOBODY_UID, commit, git, init, needs_root, write
from memsleep.errors import GitError
from memsleep.gitrepo import (
    Git,
    IndexEntry,
    Repository,
    TreeEntry,
    clean_environment,
    find_repository,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the user who runs the tests has a say."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


def found(folder: Path) -> Repository:
    repository = find_repository(folder)
    assert repository is not None
    return repository


# Finding


@pytest.mark.parametrize(
    ("folder", "prefix"), [(".", b""), ("notes", b"notes/"), ("notes/b c", b"notes/b c/")]
)
def test_find_gives_toplevel_and_prefix(tmp_path: Path, folder: str, prefix: bytes) -> None:
    """A folder anywhere in a work tree is named by the root and the path below it."""
    root = init(tmp_path / "r")
    write(root, {"notes/b c/a.md": "x"})
    repository = found(root / folder)
    assert (repository.toplevel, repository.prefix) == (os.fsencode(root.resolve()), prefix)


def test_find_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a `.git` above there is no repository, and git need not be installed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_repository(tmp_path) is None


def test_find_beside_an_empty_git_folder(tmp_path: Path) -> None:
    """A folder `.git` that is no repository does not make one."""
    (tmp_path / ".git").mkdir()
    assert find_repository(tmp_path) is None


def test_find_through_a_symlink(tmp_path: Path) -> None:
    """A root that is a symlink into a repository is the folder it points to."""
    root = init(tmp_path / "r")
    write(root, {"notes/a.md": "x"})
    (tmp_path / "alias").symlink_to(root / "notes")
    assert found(tmp_path / "alias").prefix == b"notes/"


def test_find_a_newline_in_the_name(tmp_path: Path) -> None:
    """Names of folders may hold newlines, quotes and any script."""
    root = init(tmp_path / 'odd\n"name" \u8a18\u61b6')
    write(root, {"in\nner/a.md": "x"})
    repository = found(root / "in\nner")
    assert repository.toplevel == os.fsencode(root.resolve())
    assert repository.prefix == b"in\nner/"


def test_environment_of_a_hook_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIT_DIR and its kin, which git sets for a hook, do not lead to another repository."""
    mine, other = init(tmp_path / "mine"), init(tmp_path / "other")
    wanted = commit(mine, {"a.md": "mine"})
    commit(other, {"a.md": "other"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert found(mine).head_commit() == wanted


def test_clean_environment_keeps_who_the_user_is() -> None:
    """The user's names stay; everything else that steers git goes."""
    base = {
        "PATH": "/bin",
        "LANGUAGE": "de",
        "LC_MESSAGES": "de_DE",
        "GIT_AUTHOR_NAME": "A",
        "GIT_DIR": "/x",
        "GIT_WORK_TREE": "/x",
        "GIT_INDEX_FILE": "/x",
        "GIT_COMMON_DIR": "/x",
        "GIT_OBJECT_DIRECTORY": "/x",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/x",
        "GIT_PREFIX": "x/",
        "GIT_CEILING_DIRECTORIES": "/x",
        "GIT_CONFIG": "/x",
        "GIT_CONFIG_GLOBAL": "/x",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.pager",
        "GIT_CONFIG_PARAMETERS": "'core.pager=x'",
        "GIT_EXTERNAL_DIFF": "x",
        "GIT_NAMESPACE": "x",
        "GIT_OPTIONAL_LOCKS": "1",
        "GIT_TRACE": "/x",
    }
    clean = clean_environment(base)
    assert {name: clean[name] for name in clean if name in base} == {
        "PATH": "/bin",
        "GIT_AUTHOR_NAME": "A",
        "GIT_OPTIONAL_LOCKS": "0",
    }
    assert (clean["LC_ALL"], clean["GIT_TERMINAL_PROMPT"]) == ("C", "0")


# HEAD


def test_head_of_a_branch_and_detached(tmp_path: Path) -> None:
    """HEAD's commit is found on a branch and off one."""
    root = init(tmp_path / "r")
    first = commit(root, {"a.md": "1"})
    second = commit(root, {"a.md": "2"})
    assert found(root).head_commit() == second
    git(root, "checkout", "--quiet", "--detach", first)
    assert found(root).head_commit() == first


def test_head_of_a_worktree(tmp_path: Path) -> None:
    """A second work tree has a HEAD of its own."""
    root = init(tmp_path / "r")
    first = commit(root, {"a.md": "1"})
    git(root, "worktree", "add", "--quiet", "-b", "side", tmp_path / "side")
    commit(root, {"a.md": "2"})
    repository = found(tmp_path / "side")
    assert repository.head_commit() == first
    assert [entry.path for entry in repository.tree(first)] == [b"a.md"]


def test_head_unborn(tmp_path: Path) -> None:
    """A branch without a commit has none."""
    assert found(init(tmp_path / "r")).head_commit() is None


def test_sha256_repository(tmp_path: Path) -> None:
    """Repositories of the longer hash are read alike."""
    root = init(tmp_path / "r", "--object-format=sha256")
    head = commit(root, {"a.md": "1"})
    repository = found(root)
    assert (len(head), repository.object_format()) == (64, "sha256")
    assert repository.head_commit() == head
    assert list(repository.blobs([e.oid for e in repository.tree(head)])) == [b"1"]


# Trees, the work tree, blobs


ODD_NAMES = [
    "line\nbreak.md",
    'quote".md',
    "tab\t.md",
    "back\\slash.md",
    "\u8a18\u61b6.md",
    "e\u0301.md",
    " blank .md",
    "#?%3F*[a].md",
    "-dash.md",
    ":colon.md",
]


def test_tree_gives_every_name_as_it_is(tmp_path: Path) -> None:
    """No name is quoted, escaped or taken for a pattern; bytes that are not UTF-8 come through."""
    root = init(tmp_path / "r")
    write(root, dict.fromkeys(ODD_NAMES, "x"))
    (root / os.fsdecode(b"latin-\xff.md")).write_bytes(b"x")
    head = commit(root)
    expected = sorted([*(name.encode() for name in ODD_NAMES), b"latin-\xff.md"])
    assert [entry.path for entry in found(root).tree(head)] == expected


def test_tree_is_limited_to_the_corpus(tmp_path: Path) -> None:
    """A corpus in a subfolder sees what is below it, under paths below it."""
    root = init(tmp_path / "r")
    head = commit(root, {"a.md": "1", "notes/b.md": "2", "notes/c/d.md": "3", "notes2/e.md": "4"})
    assert [e.path for e in found(root / "notes").tree(head)] == [b"b.md", b"c/d.md"]


def test_tree_takes_a_prefix_literally(tmp_path: Path) -> None:
    """A folder called `*` or `:(top)x` is that folder and no pattern."""
    root = init(tmp_path / "r")
    head = commit(root, {"*/a.md": "1", "b/c.md": "2", ":(top)x/d.md": "3"})
    assert [e.path for e in found(root / "*").tree(head)] == [b"a.md"]
    assert [e.path for e in found(root / ":(top)x").tree(head)] == [b"d.md"]
    assert [e.path for e in found(root / "*").index()] == [b"a.md"]


def test_tree_tells_kinds(tmp_path: Path) -> None:
    """Symlinks and submodules are told from files by their mode."""
    sub = init(tmp_path / "sub")
    pinned = commit(sub, {"x.md": "x"})
    root = init(tmp_path / "r")
    commit(root, {"run.md": "x"})
    (root / "link.md").symlink_to("run.md")
    (root / "run.md").chmod(0o755)
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{pinned},sub")
    git(root, "add", "link.md", "run.md")
    git(root, "commit", "--quiet", "-m", "kinds")
    repository = found(root)
    head = repository.head_commit() or ""
    kinds = [(e.path, e.mode, e.kind) for e in repository.tree(head)]
    assert kinds == [
        (b"link.md", 0o120000, "symlink"),
        (b"run.md", 0o100755, "file"),
        (b"sub", 0o160000, "submodule"),
    ]


def test_index_tells_tracked_from_untracked(tmp_path: Path) -> None:
    """Staged, untracked and skipped names are told apart; an ignored one is not there."""
    root = init(tmp_path / "r")
    commit(root, {".gitignore": "*.tmp\n/drafts/\n", "n/a.md": "1", "n/s.md": "1"})
    write(root, {"n/new.md": "2", "n/staged.md": "3", "n/x.tmp": "4", "drafts/d.md": "5"})
    git(root, "add", "n/staged.md")
    git(root, "update-index", "--skip-worktree", "n/s.md")
    init(root / "n/own")
    write(root / "n/own", {"x.md": "x"})
    assert found(root / "n").index() == (
        IndexEntry(b"a.md", "cached"),
        IndexEntry(b"new.md", "untracked"),
        IndexEntry(b"own/", "untracked"),
        IndexEntry(b"s.md", "skip-worktree"),
        IndexEntry(b"staged.md", "cached"),
    )


def test_index_of_a_conflict(tmp_path: Path) -> None:
    """A name in conflict stands once, as unmerged."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "1\n"})
    git(root, "checkout", "--quiet", "-b", "side")
    commit(root, {"a.md": "2\n"})
    git(root, "checkout", "--quiet", "main")
    commit(root, {"a.md": "3\n"})
    with pytest.raises(Exception, match="merge"):
        git(root, "merge", "side")
    assert found(root).index() == (IndexEntry(b"a.md", "unmerged"),)


def test_ignored(tmp_path: Path) -> None:
    """Ignored names below the corpus are found; tracked ones never are."""
    root = init(tmp_path / "r")
    commit(root, {".gitignore": "*.log\nprivate/\n", "n/kept.log": "1"})
    write(
        root,
        {"n/a\nb.log": "x", "n/*.log": "x", "n/a.md": "x", "private/p.md": "x", ":(top)x.log": "x"},
    )
    repository = found(root / "n")
    asked = [b"a\nb.log", b"a.md", b"kept.log", b"*.log"]
    assert repository.ignored(asked) == {b"a\nb.log", b"*.log"}
    assert found(root).ignored([b":(top)x.log", b":!n/a.md"]) == {b":(top)x.log"}
    assert repository.ignored([]) == frozenset()
    assert not repository.ignores_corpus()
    assert found(root / "private").ignores_corpus()
    assert not found(root).ignores_corpus()


def test_blobs_come_in_the_order_asked(tmp_path: Path) -> None:
    """Many blobs of any bytes pass through one process, more than one batch of them."""
    root = init(tmp_path / "r")
    files = {f"{n:03}.md": os.urandom(n * 37) + b"\n\0missing\n" for n in range(300)}
    head = commit(root, files)
    repository = found(root)
    entries = repository.tree(head)[::-1]
    oids = [entry.oid for entry in entries]
    assert list(repository.blobs(oids)) == [files[os.fsdecode(e.path)] for e in entries]
    assert list(repository.sizes(oids)) == [len(files[os.fsdecode(e.path)]) for e in entries]


def test_blobs_left_early(tmp_path: Path) -> None:
    """A reader that stops after the first blob leaves no process behind."""
    root = init(tmp_path / "r")
    head = commit(root, {f"{n}.md": b"x" * 100_000 + b"%d" % n for n in range(50)})
    repository = found(root)
    stream = repository.blobs([entry.oid for entry in repository.tree(head)])
    assert next(stream) is not None
    stream.close()  # type: ignore[attr-defined]


def loose(root: Path, oid: str) -> Path:
    return root / ".git/objects" / oid[:2] / oid[2:]


def test_a_missing_and_a_damaged_blob_cost_themselves(tmp_path: Path) -> None:
    """A blob that is gone or damaged is None; those after it are read."""
    root = init(tmp_path / "r")
    head = commit(root, {"a.md": "1", "b.md": "2" * 999, "c.md": "3", "d.md": "4"})
    repository = found(root)
    a, b, c, d = (entry.oid for entry in repository.tree(head))
    loose(root, a).unlink()
    loose(root, b).chmod(0o644)
    loose(root, b).write_bytes(b"not zlib")
    assert list(repository.blobs([a, b, c, b, d])) == [None, None, b"3", None, b"4"]
    assert list(repository.sizes([a, b, c])) == [None, None, 1]


def test_replaced_objects_are_not_followed(tmp_path: Path) -> None:
    """`git replace` shows other bytes under an id; the bytes of the commit are what counts."""
    root = init(tmp_path / "r")
    head = commit(root, {"a.md": "1", "b.md": "2"})
    a, b = (entry.oid for entry in found(root).tree(head))
    git(root, "replace", a, b)
    assert list(found(root).blobs([a])) == [b"1"]


# Foreseen errors


def refused(folder: Path) -> GitError:
    with pytest.raises(GitError) as raised:
        found(folder).tree(found(folder).head_commit() or "")
    return raised.value


def test_git_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository without git on PATH is a foreseen error."""
    root = init(tmp_path / "r")
    monkeypatch.setenv("PATH", str(tmp_path))
    error = refused(root)
    assert (error.reference, error.exit_code) == ("git-missing", 3)
    assert error.hint


@needs_root
def test_dubious_ownership(tmp_path: Path) -> None:
    """A repository of another user is refused with the line to paste."""
    root = init(tmp_path / "my repo")
    commit(root, {"a.md": "1"})
    for path in [root, *root.rglob("*")]:
        os.chown(path, NOBODY_UID, NOBODY_UID)
    error = refused(root)
    assert error.reference == "git-dubious-ownership"
    line = "git config --global --add safe.directory"
    assert error.hint == f"{line} '{root.resolve()}'"


def test_inside_the_git_folder(tmp_path: Path) -> None:
    """The inside of a repository is no corpus."""
    root = init(tmp_path / "r")
    assert refused(root / ".git" / "objects").reference == "git-no-work-tree"


@pytest.mark.parametrize("victim", ["commit", "tree", "index", "branch"])
def test_damage(tmp_path: Path, victim: str) -> None:
    """A damaged commit, tree, index or branch is named, and fsck is the next step."""
    root = init(tmp_path / "r")
    head = commit(root, {"a.md": "1"})
    tree = git(root, "rev-parse", "HEAD^{tree}").decode().strip()
    file = {
        "commit": loose(root, head),
        "tree": loose(root, tree),
        "index": root / ".git/index",
        "branch": root / ".git/refs/heads/main",
    }[victim]
    file.chmod(0o644)
    file.write_bytes(b"garbage\n")
    with pytest.raises(GitError) as raised:
        (found(root).head_commit(), found(root).index())
    assert raised.value.reference == "git-damaged"
    assert raised.value.hint == f"git -C {root.resolve()} fsck"


def test_a_tree_that_is_not_there(tmp_path: Path) -> None:
    """A commit that git does not know is an error, not an empty corpus."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "1"})
    with pytest.raises(GitError):
        found(root).tree("0" * 40)


# Nothing runs, nothing is written


def trap(tmp_path: Path) -> tuple[Path, Path]:
    """Return a program and the file that it leaves when something runs it."""
    mark = tmp_path / "trapped"
    program = tmp_path / "trap.sh"
    program.write_text(f'#!/bin/sh\necho "$@" >> {mark}\n')
    program.chmod(0o755)
    return program, mark


def ask_everything(repository: Repository) -> tuple[TreeEntry, ...]:
    head = repository.head_commit() or ""
    entries = repository.tree(head)
    repository.index()
    repository.ignored([entry.path for entry in entries])
    list(repository.sizes([entry.oid for entry in entries]))
    list(repository.blobs([entry.oid for entry in entries]))
    repository.is_partial()
    return entries


def test_a_malicious_config_runs_nothing(tmp_path: Path) -> None:
    """No program that a repository's config names is run."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "1", ".gitattributes": "*.md filter=x diff=x merge=x\n"})
    program, mark = trap(tmp_path)
    for key in ("core.fsmonitor", "core.pager", "pager.ls-tree", "filter.x.clean",
                "filter.x.smudge", "filter.x.process", "diff.x.textconv", "diff.x.command",
                "diff.external", "merge.x.driver", "core.sshCommand", "core.gitProxy",
                "core.editor", "core.askPass", "credential.helper", "gpg.program",
                "alias.ls-tree", "core.alternateRefsCommand"):  # fmt: skip
        git(root, "config", key, str(program))
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        shutil.copy(program, hooks / name)
    git(root, "config", "core.hooksPath", str(hooks))
    write(root, {"a.md": "changed"})
    mark.unlink(missing_ok=True)
    ask_everything(found(root))
    assert not mark.exists()


def test_the_trap_fires(tmp_path: Path) -> None:
    """The same trap is sprung by an ordinary git status, so its silence means something."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "1"})
    program, mark = trap(tmp_path)
    git(root, "config", "core.fsmonitor", str(program))
    git(root, "status")
    assert mark.exists()


BELTS = ("GIT_ALLOW_PROTOCOL", "GIT_NO_LAZY_FETCH")


@pytest.mark.parametrize(
    ("without", "fetches"), [((), False), (BELTS[:1], False), (BELTS[1:], False), (BELTS, True)]
)
def test_a_partial_clone_fetches_nothing(
    tmp_path: Path, without: tuple[str, ...], fetches: bool
) -> None:
    """Missing objects are not fetched: a fetch runs what the config names. Two belts hold that.

    An old git knows only the first; without both the trap is sprung.
    """
    origin = init(tmp_path / "origin")
    head = commit(origin, {"a.md": "1", "b.md": "2"})
    git(origin, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none",
        f"file://{origin}", clone)  # fmt: skip
    program, mark = trap(tmp_path)
    git(clone, "config", "remote.origin.uploadpack", str(program))
    whole = found(clone)
    kept = {n: v for n, v in whole.git.environment.items() if n not in without}
    repository = Repository(Git(whole.toplevel, kept), whole.prefix)
    assert repository.is_partial()
    assert not found(origin).is_partial()
    oids = [entry.oid for entry in repository.tree(head)]
    assert list(repository.sizes(oids)) == [None, None]
    assert list(repository.blobs(oids)) == [None, None]
    assert mark.exists() is fetches


def test_nothing_is_written(tmp_path: Path) -> None:
    """Reading leaves the repository's files, times included, as they were."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "1", "b.md": "2"})
    os.utime(root / "a.md", (1, 1))  # git status would refresh the index now
    write(root, {"b.md": "changed", "new.md": "x"})

    def state() -> dict[str, tuple[int, int]]:
        paths = sorted(root.rglob("*"))
        return {str(p): (p.stat().st_mtime_ns, p.stat().st_size) for p in paths}

    before = state()
    ask_everything(found(root))
    assert state() == before


def test_tracks_takes_a_name_literally(tmp_path: Path) -> None:
    """A name with a star is a name, and the corpus may lie in a subfolder."""
    root = init(tmp_path / "r")
    write(root, {"in/a.md": "x", "in/b.md": "x", "a.md": "x"})
    git(root, "add", "in/a.md", "a.md")
    found = find_repository(root / "in")
    assert found is not None
    assert [found.tracks(name) for name in (b"a.md", b"b.md", b"*.md", b"in/a.md", b"none")] == [
        True, False, False, False, False,
    ]  # fmt: skip
    assert found.tracks(b"none", b"a.md")
    assert not found.tracks(b"A.md", b"b.md")
    git(root, "config", "core.ignorecase", "true")
    assert found.tracks(b"A.md", b"b.md")
    assert not found.tracks(b"B.md", b"*.md")
