"""The memories of a repository are those of HEAD; the work tree only says who is editing what."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corpus_kit import commit, git, init, write
from memsleep.corpus.choose import choose_source
from memsleep.corpus.gittree import GitTreeSource
from memsleep.corpus.source import Listing
from memsleep.errors import GitError
from memsleep.model import Problem


def tree(root: Path) -> GitTreeSource:
    source = choose_source(root)
    assert isinstance(source, GitTreeSource)
    return source


def names(listing: Listing) -> list[str]:
    return [entry.path for entry in listing.files]


def codes(listing: Listing) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in listing.problems]


def test_head_is_read_and_not_the_work_tree(tmp_path: Path) -> None:
    """Bytes come from the commit, whatever lies in the work tree or the index."""
    root = init(tmp_path / "r")
    head = commit(root, {"a.md": "committed", "b.md": "b"})
    write(root, {"a.md": "changed", "c.md": "new"})
    git(root, "add", "a.md")
    (root / "b.md").unlink()
    source = tree(root)
    listing = source.listing()
    assert (source.kind, source.commit) == ("git", head)
    assert [(e.path, e.size) for e in listing.files] == [("a.md", 9), ("b.md", 1)]
    assert list(source.read_many(["b.md", "a.md"])) == [("b.md", b"b"), ("a.md", b"committed")]
    assert listing.taken == {"a.md", "b.md", "c.md"}


def test_a_tool_may_ask_for_its_own_file(tmp_path: Path) -> None:
    """What a program committed is no memory but can be read; an unknown path is a problem."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "1", ".memhtml/state/access.jsonl": "{}"})
    source = tree(root)
    assert names(source.listing()) == ["a.md"]
    paths = ["gone.md", ".memhtml/state/access.jsonl", "a.md"]
    assert [(p, getattr(d, "code", d)) for p, d in source.read_many(paths)] == [
        ("gone.md", "vanished"),
        (".memhtml/state/access.jsonl", b"{}"),
        ("a.md", b"1"),
    ]


def test_reading_needs_no_listing_before(tmp_path: Path) -> None:
    """A file can be read from a source that was just made."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "1"})
    assert list(tree(root).read_many(["a.md"])) == [("a.md", b"1")]


EDITED = [
    ("changed", b"two\n"),
    ("lone CR", b"one\rline\r"),
    ("no final newline", b"one\nline"),
    ("BOM", b"\xef\xbb\xbfone\nline\n"),
    ("doubled CR", b"one\r\r\nline\r\r\n"),
    ("emptied", b""),
]
STILL = [
    ("same", b"one\nline\n"),
    ("checked out with CRLF", b"one\r\nline\r\n"),
    ("CRLF in part", b"one\r\nline\n"),
]


def edited(root: Path, path: str = "a.md") -> str:
    source = tree(root)
    source.listing()
    ((_, data),) = source.read_many([path])
    assert isinstance(data, bytes)
    return source.being_edited(path, data)


@pytest.mark.parametrize(("name", "data"), EDITED)
def test_being_edited(tmp_path: Path, name: str, data: bytes) -> None:
    """Other bytes in the work tree mean that somebody is at work on the memory."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "one\nline\n"})
    write(root, {"a.md": data})
    assert edited(root) == "being edited: the work tree differs from HEAD"


@pytest.mark.parametrize(("name", "data"), STILL)
def test_not_being_edited(tmp_path: Path, name: str, data: bytes) -> None:
    """Equal bytes are no edit, nor are line ends that a checkout turns."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "one\nline\n"})
    write(root, {"a.md": data})
    assert edited(root) == ""


def test_being_edited_by_other_means(tmp_path: Path) -> None:
    """Deleted, renamed, made a folder or a symlink: the memory is left to whoever did it."""
    root = init(tmp_path / "r")
    commit(root, {"gone.md": "1", "moved.md": "2", "folder.md": "3", "link.md": "4"})
    (root / "gone.md").unlink()
    git(root, "mv", "moved.md", "new.md")
    (root / "folder.md").unlink()
    (root / "folder.md").mkdir()
    (root / "link.md").unlink()
    (root / "link.md").symlink_to("new.md")
    gone = "being edited: deleted in the work tree"
    assert [edited(root, p) for p in ("gone.md", "moved.md", "folder.md")] == [gone] * 3
    assert edited(root, "link.md").startswith("being edited: ")


@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
@pytest.mark.parametrize("text", ["lf\nlf\n", "crlf\r\ncrlf\r\n", "mixed\r\nlf\ncr\r"])
def test_a_fresh_checkout_is_not_edited(tmp_path: Path, autocrlf: str, text: str) -> None:
    """Whatever `core.autocrlf` makes of the line ends, a checkout is no edit."""
    origin = init(tmp_path / "origin")
    commit(origin, {"a.md": text})
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "-c", f"core.autocrlf={autocrlf}", origin, clone)
    assert edited(clone) == ""
    ((_, data),) = tree(clone).read_many(["a.md"])
    assert data == text.encode()


def test_uncommitted_memories_are_unseen(tmp_path: Path) -> None:
    """Untracked and staged files that could be memories are named; ignored ones are not."""
    root = init(tmp_path / "r")
    commit(root, {"n/a.md": "1", ".gitignore": "*.tmp.md\n"})
    write(root, {"n/new.md": "2", "n/staged.html": "3", "n/x.tmp.md": "4", "n/p.png": "5",
                 "out.md": "6", "n/.memsleep/r.md": "7", "n/.memhtml/s.html": "8"})  # fmt: skip
    git(root, "add", "n/staged.html")
    listing = tree(root / "n").listing()
    assert codes(listing) == [("new.md", "unseen"), ("staged.html", "unseen")]
    assert listing.left_out == {"not committed": 2}
    assert listing.taken >= {"a.md", "new.md", "staged.html", "p.png", ".memsleep/r.md"}


def test_a_subfolder_sees_only_itself(tmp_path: Path) -> None:
    """Nothing outside the corpus folder is listed, and paths start below it."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "0", "n/b.md": "1", "n/d/c.md": "2", "n2/e.md": "3"})
    listing = tree(root / "n").listing()
    assert names(listing) == ["b.md", "d/c.md"]
    assert listing.taken == {"b.md", "d", "d/c.md"}


def test_odd_entries_are_named(tmp_path: Path) -> None:
    """Symlinks, submodules, nested repositories and names that are not UTF-8 are left alone."""
    sub = init(tmp_path / "sub")
    pinned = commit(sub, {"x.md": "x"})
    root = init(tmp_path / "r")
    write(root, {"a.md": "1", 'q\nu"o\u8a18.md': "2"})
    (root / "s.md").symlink_to("a.md")
    (root / os.fsdecode(b"t\xff.md")).write_bytes(b"x")
    git(root, "add", "--all")
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{pinned},module")
    git(root, "commit", "--quiet", "-m", "m")
    commit(init(root / "own"), {"y.md": "y"})
    (root / os.fsdecode(b"u\xff.md")).write_bytes(b"x")
    listing = tree(root).listing()
    assert names(listing) == ["a.md", 'q\nu"o\u8a18.md']
    assert codes(listing) == [
        ("module", "submodule"),
        ("own", "nested-repository"),
        ("s.md", "symlink"),
        ("t\\xff.md", "name-not-utf-8"),
        ("u\\xff.md", "name-not-utf-8"),
    ]


def test_hidden_folders_count_where_git_tracks_them(tmp_path: Path) -> None:
    """What git tracks is a memory wherever it lies, save in the folder of a program."""
    root = init(tmp_path / "r")
    commit(root, {".agent/a.md": "1", "b/b.md": "2", ".github/c.md": "3", ".memsleep/d.md": "4"})
    listing = tree(root).listing()
    assert names(listing) == [".agent/a.md", "b/b.md"]
    assert listing.left_out == {"folder of a program": 2}


def test_build_and_dependency_folders_are_left_out_even_if_tracked(tmp_path: Path) -> None:
    """A package's README is nobody's memory; a file that is called like such a folder may be."""
    root = init(tmp_path / "r")
    skipped = [
        "node_modules/p/README.md",
        "x/dist/a.md",
        "build/b.md",
        "t/.venv/site-packages/l.md",
    ]
    kept = ["dist.md", "build.md", "targets/a.md"]
    commit(root, dict.fromkeys([*skipped, *kept], "text"))
    (root / "venv").mkdir()
    (root / "venv/unseen.md").write_bytes(b"text")
    listing = tree(root).listing()
    assert names(listing) == sorted(kept)
    assert listing.left_out == {"build or dependency folder": 4}
    assert set(skipped) <= listing.taken
    assert not listing.problems


def test_sparse_checkout(tmp_path: Path) -> None:
    """A file that the checkout leaves out is neither deleted nor being edited; it is said."""
    root = init(tmp_path / "r")
    commit(root, {"a/a.md": "1", "b/b.md": "2", "b/p.png": "3"})
    git(root, "sparse-checkout", "set", "a")
    assert not (root / "b/b.md").exists()
    listing = tree(root).listing()
    assert codes(listing) == [(".", "sparse-checkout")]
    assert " 1 files" in listing.problems[0].message
    assert edited(root, "b/b.md") == ""


def test_a_damaged_object_costs_one_file(tmp_path: Path) -> None:
    """A blob that is gone is a problem of its file; the others are read."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "1", "b.md": "2"})
    oid = git(root, "rev-parse", "HEAD:a.md").decode().strip()
    (root / ".git/objects" / oid[:2] / oid[2:]).unlink()
    source = tree(root)
    assert [(e.path, e.size) for e in source.listing().files] == [("a.md", -1), ("b.md", 1)]
    (_, first), (_, second) = source.read_many(["a.md", "b.md"])
    assert isinstance(first, Problem)
    assert (first.code, second) == ("object-missing", b"2")


def test_a_partial_clone_is_refused_only_where_it_lacks_a_memory(tmp_path: Path) -> None:
    """Lacking pictures does not matter; lacking memories is an error with the line to paste."""
    origin = init(tmp_path / "origin")
    commit(origin, {"a.md": "1" * 50, "p.png": "2" * 5000})
    git(origin, "config", "uploadpack.allowFilter", "true")
    for name, size in (("some", "1k"), ("none", "10")):
        git(tmp_path, "clone", "--quiet", "--no-checkout", f"--filter=blob:limit={size}",
            f"file://{origin}", tmp_path / name)  # fmt: skip
    assert names(tree(tmp_path / "some").listing()) == ["a.md", "p.png"]
    with pytest.raises(GitError) as raised:
        tree(tmp_path / "none").listing()
    assert raised.value.reference == "git-partial-clone"
    assert raised.value.hint == f"git -C {tmp_path / 'none'} fetch --refetch --no-filter"
