"""A folder is read as it lies, whatever lies in it, and nothing outside it is."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from corpus_kit import as_nobody, needs_root, write
from memsleep.corpus.folder import FolderSource, read_file
from memsleep.corpus.source import Listing
from memsleep.model import Problem


def listed(root: Path) -> Listing:
    return FolderSource(root).listing()


def names(listing: Listing) -> list[str]:
    return [entry.path for entry in listing.files]


def codes(listing: Listing) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in listing.problems]


def test_every_file_with_size_and_mode(tmp_path: Path) -> None:
    """All regular files are listed in path order, hidden files and odd names among them."""
    files = {"b.md": "12", "a/x.md": "", ".hidden.md": "1", "a b/#?%3F\n.md": "123", "\u8a18": "1"}
    listing = listed(write(tmp_path, files))
    assert names(listing) == sorted(files)
    assert {e.path: e.size for e in listing.files} == {p: len(t) for p, t in files.items()}
    assert all(entry.kind == "file" and entry.mode & 0o444 for entry in listing.files)
    assert listing.taken == {*files, "a", "a b"}


def test_folders_that_are_not_entered(tmp_path: Path) -> None:
    """Hidden folders, tools' folders and what programs make or fetch count by their cause."""
    skipped = [".cache", ".venv", ".memsleep", "x/.obsidian", "node_modules", "x/venv", "target",
               "dist", "build", "__pycache__"]  # fmt: skip
    write(tmp_path, {f"{name}/a.md": "x" for name in skipped} | {"x/a.md": "x", "builds/b.md": "x"})
    listing = listed(tmp_path)
    assert names(listing) == ["builds/b.md", "x/a.md"]
    assert listing.left_out == {
        "build or dependency folder": 6,
        "folder of a program": 2,
        "hidden folder": 2,
    }
    assert ".memsleep" in listing.taken


def test_symlinks_are_named_and_not_followed(tmp_path: Path) -> None:
    """Links to files, folders, the outside, nothing and themselves are named; none is followed."""
    outside = write(tmp_path / "outside", {"secret.md": "x"})
    root = write(tmp_path / "root", {"a.md": "x", "sub/b.md": "x"})
    links: dict[str, str | Path] = {
        "file.md": "a.md",
        "folder": outside,
        "gone": "none",
        "self": "self",
        "sub/loop": "../sub",
        "up": "..",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    listing = listed(root)
    assert names(listing) == ["a.md", "sub/b.md"]
    assert codes(listing) == [(name, "symlink") for name in sorted(links)]
    assert listing.left_out == {"symlink": 6}
    assert listing.taken >= links.keys()


def test_pipes_and_sockets_are_named_and_not_opened(tmp_path: Path) -> None:
    """A FIFO called like a memory does not make the night wait."""
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        where = os.open(tmp_path, os.O_RDONLY)  # a socket's path must be short
        server.bind(f"/proc/self/fd/{where}/s.md")
        os.close(where)
        listing = listed(tmp_path)
    assert names(listing) == []
    assert codes(listing) == [("pipe.md", "special-file"), ("s.md", "special-file")]
    assert listing.left_out == {"not a regular file": 2}


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    """Such a file or folder is named with its bytes escaped, and left alone."""
    write(tmp_path, {"a.md": "x"})
    (tmp_path / os.fsdecode(b"b\xff.md")).write_bytes(b"x")
    (tmp_path / os.fsdecode(b"d\xfe")).mkdir()
    (tmp_path / os.fsdecode(b"d\xfe/c.md")).write_bytes(b"x")
    listing = listed(tmp_path)
    assert names(listing) == ["a.md"]
    assert codes(listing) == [("b\\xff.md", "name-not-utf-8"), ("d\\xfe", "name-not-utf-8")]
    assert listing.left_out == {"name is not UTF-8": 2}


def test_hard_links_are_one_file(tmp_path: Path) -> None:
    """The first name in path order is read and may not be edited; the others are named."""
    write(tmp_path, {"b/two.md": "x", "other.md": "x"})
    os.link(tmp_path / "b/two.md", tmp_path / "c.md")
    os.link(tmp_path / "b/two.md", tmp_path / "a.md")
    listing = listed(tmp_path)
    assert names(listing) == ["a.md", "other.md"]
    assert codes(listing) == [("b/two.md", "hard-link"), ("c.md", "hard-link")]
    assert list(listing.read_only) == ["a.md"]
    assert "b/two.md" in listing.read_only["a.md"]


def test_a_hard_link_to_the_outside_is_an_ordinary_file(tmp_path: Path) -> None:
    """A second name that lies elsewhere is not our concern."""
    root = write(tmp_path / "root", {"a.md": "x"})
    os.link(root / "a.md", tmp_path / "backup.md")
    listing = listed(root)
    assert (names(listing), listing.problems, listing.read_only) == (["a.md"], (), {})


@pytest.mark.parametrize("as_file", [False, True])
def test_a_nested_repository_is_left_alone(tmp_path: Path, as_file: bool) -> None:
    """A folder with a `.git` of its own, or a submodule's `.git` file, belongs to another."""
    write(tmp_path, {"a.md": "x", "sub/b.md": "x", "sub/deep/c.md": "x"})
    git = tmp_path / "sub/.git"
    git.write_text("gitdir: x") if as_file else git.mkdir()
    listing = listed(tmp_path)
    assert names(listing) == ["a.md"]
    assert codes(listing) == [("sub", "nested-repository")]


def test_the_root_may_be_a_repository(tmp_path: Path) -> None:
    """The root's own `.git` makes nothing foreign."""
    (tmp_path / ".git").mkdir()
    assert names(listed(write(tmp_path, {"a.md": "x"}))) == ["a.md"]


@needs_root
def test_without_permission(tmp_path: Path) -> None:
    """A folder or a file that may not be read is named, and the rest is read."""
    root = write(tmp_path / "root", {"a.md": "x", "closed/b.md": "x", "shut.md": "x", "z.md": "z"})
    for folder_above in (tmp_path, *tmp_path.parents):
        if folder_above.name.startswith("pytest-of"):
            break
        folder_above.chmod(0o755)
    (root / "closed").chmod(0)
    (root / "shut.md").chmod(0)

    def say() -> str:
        source = FolderSource(root)
        listing = source.listing()
        read = [(p, getattr(d, "code", d)) for p, d in source.read_many(names(listing))]
        return repr((names(listing), codes(listing), dict(listing.left_out), read))

    for folder_above in tmp_path.parents:
        if folder_above.name.startswith("pytest-of"):
            folder_above.chmod(0o755)
    assert as_nobody(say) == repr(
        (
            ["a.md", "shut.md", "z.md"],
            [("closed", "permission-denied")],
            {"folder that cannot be listed": 1},
            [("a.md", b"x"), ("shut.md", "permission-denied"), ("z.md", b"z")],
        )
    )


def test_read_gives_the_very_bytes(tmp_path: Path) -> None:
    """No byte is turned into another on the way."""
    data = b"\xef\xbb\xbfa\r\nb\rc\xe2\x80\xa8\0\xff" + os.urandom(3_000_000)
    write(tmp_path, {"a.md": data, "empty.md": b""})
    source = FolderSource(tmp_path)
    assert list(source.read_many(["empty.md", "a.md"])) == [("empty.md", b""), ("a.md", data)]


def test_what_vanished_or_became_something_else(tmp_path: Path) -> None:
    """Between listing and reading a file may go, or become a folder, a symlink or a pipe."""
    write(tmp_path, {"real.md": "x", "file": "x"})
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "link.md").symlink_to("real.md")
    os.mkfifo(tmp_path / "pipe.md")
    paths = ["gone.md", "file/below.md", "folder.md", "link.md", "pipe.md", "real.md"]
    found = FolderSource(tmp_path).read_many(paths)
    assert [(p, getattr(d, "code", d)) for p, d in found] == [
        ("gone.md", "vanished"),
        ("file/below.md", "vanished"),
        ("folder.md", "vanished"),
        ("link.md", "symlink"),
        ("pipe.md", "vanished"),
        ("real.md", b"x"),
    ]


class Writer:
    """Stands for `os.read` while somebody else writes to the file that is read."""

    def __init__(self, path: Path, times: int) -> None:
        self.path, self.left, self.read = path, times, os.read

    def __call__(self, handle: int, size: int) -> bytes:
        data = self.read(handle, size)
        if data and self.left:
            self.left -= 1
            with self.path.open("ab") as stream:
                stream.write(b"more")
        return data


@pytest.mark.parametrize(("times", "expected"), [(1, b"xmore"), (99, "changing")])
def test_a_file_that_changes_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, expected: object
) -> None:
    """It is read once more; half of an old and half of a new text never comes out."""
    write(tmp_path, {"a.md": "x"})
    monkeypatch.setattr("memsleep.corpus.folder.os.read", Writer(tmp_path / "a.md", times))
    found = read_file(os.fsencode(tmp_path), "a.md")
    assert (found.code if isinstance(found, Problem) else found) == expected


def test_the_order_on_disk_has_no_say(tmp_path: Path) -> None:
    """Two folders of the same files made in opposite order are listed alike."""
    files = {f"{n % 7}/{n}.md": str(n) for n in range(40)}
    first = listed(write(tmp_path / "1", files))
    second = listed(write(tmp_path / "2", dict(reversed(files.items()))))
    assert first == second
