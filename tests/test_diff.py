"""The patch says what git says, and `git apply` of it gives the very bytes."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsleep.diff import blob_id, git_diff, quote_path, similarity_percent
from memsleep.patch_hunks import changed_blocks, hunks, split_lines

Tree = dict[str, bytes]

GIT_ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "LC_ALL": "C",
}
IDENTITY = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, input=stdin, env=GIT_ENVIRONMENT, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout


def write_tree(folder: Path, tree: Mapping[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for path, source in tree.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source)
    return folder


def read_tree(folder: Path) -> Tree:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


def tree_digest(tree: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for path in sorted(tree):
        digest.update(f"{path}\0{len(tree[path])}\0".encode() + tree[path])
    return digest.hexdigest()


def assert_applies(folder: Path, before: Tree, after: Tree, renames: Mapping[str, str]) -> None:
    """`git apply` in `folder` turns before into after, and `-R` turns it back."""
    patch = git_diff(before, after, renames)
    write_tree(folder, before)
    if patch:
        git(folder, "apply", "-", stdin=patch)
    assert tree_digest(read_tree(folder)) == tree_digest(after)
    if patch:
        git(folder, "apply", "-R", "-", stdin=patch)
    assert tree_digest(read_tree(folder)) == tree_digest(before)


# What may occur in a corpus ---------------------------------------------------------------------

ODD_NAMES = [
    "plain.md",
    "two words.md",
    "ends with blank ",
    " starts with blank",
    'quo"te.md',
    "back\\slash.md",
    "new\nline.md",
    "tab\there.md",
    "bell\a and \x1b and \x7f.md",
    "caf\u00e9.md",
    "cafe\u0301.md",
    "\u65e5\u672c\u8a9e.md",
    "\U0001f634.md",
    "100%3F #1?.md",
    "a/b/c.md",
    "a b/b a/a b",
    "dev/null",
    "b/a/b.md",
]
LINES = [
    b"",
    b"same",
    b"other",
    b"- item",
    b"+ plus",
    b"\\ No newline at end of file",
    b"@@ -1 +1 @@",
]
LINES += [
    b"--- a/x",
    b"diff --git a/x b/x",
    b"cr inside\rhere",
    b"\xe2\x80\xa8",
    b"\xff\xfe",
    b"\x0c",
]
contents = st.lists(
    st.tuples(st.sampled_from(LINES), st.sampled_from([b"\n", b"\r\n"])), max_size=14
)


@st.composite
def sources(draw: st.DrawFn) -> bytes:
    """Bytes of a file: mixed line ends, with or without a final newline."""
    source = b"".join(line + eol for line, eol in draw(contents))
    return source.removesuffix(b"\n") if draw(st.booleans()) else source


@st.composite
def nights(draw: st.DrawFn) -> tuple[Tree, Tree, dict[str, str]]:
    """A tree, the tree after a night, and what moved."""
    names = draw(st.lists(st.sampled_from(ODD_NAMES), unique=True, max_size=7))
    before: Tree = {}
    after: Tree = {}
    renames: dict[str, str] = {}
    for name in names:
        fate = draw(
            st.sampled_from(["keep", "edit", "delete", "move", "move+edit", "new", "replace"])
        )
        old, new = draw(sources()), draw(sources())
        if fate != "new":
            before[name] = old
        if fate in ("move", "move+edit", "replace"):
            renames[name] = f"archive/2026/{name}"
            after[renames[name]] = old if fate == "move" else new
        if fate in ("keep", "edit", "new", "replace"):
            after[name] = old if fate == "keep" else new
    return before, after, renames


slow_calls = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@slow_calls
@given(night=nights())
def test_applies_outside_any_repository(
    tmp_path_factory: pytest.TempPathFactory, night: object
) -> None:
    """In a plain folder `git apply` gives the bytes of the run, and `-R` takes them back."""
    before, after, renames = night  # type: ignore[misc]
    assert_applies(tmp_path_factory.mktemp("plain"), before, after, renames)


@slow_calls
@given(night=nights())
def test_applies_at_the_top_of_a_repository(
    tmp_path_factory: pytest.TempPathFactory, night: object
) -> None:
    """At the top of a work tree it is the same."""
    before, after, renames = night  # type: ignore[misc]
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q")
    assert_applies(folder, before, after, renames)


def test_every_odd_name_survives_a_rename_with_an_edit(tmp_path: Path) -> None:
    """Every awkward name can be moved and edited at once."""
    before = dict.fromkeys(ODD_NAMES, b"one\ntwo\nthree\n")
    renames = {name: f"archive/2026/{name}" for name in ODD_NAMES}
    after = {renames[name]: b"one\n2\nthree\n" for name in ODD_NAMES}
    assert_applies(tmp_path / "plain", before, after, renames)


@pytest.mark.parametrize(
    ("before", "after", "renames"),
    [
        pytest.param(
            {"a": b"1\n", "b": b"2\n"}, {"a": b"2\n", "b": b"1\n"}, {"a": "b", "b": "a"}, id="swap"
        ),
        pytest.param(
            {"a": b"1\n", "b": b"2\n"}, {"b": b"1\n", "c": b"2\n"}, {"a": "b", "b": "c"}, id="chain"
        ),
        pytest.param(
            {"a": b"1\n"}, {"a": b"9\n", "c": b"1\n"}, {"a": "c"}, id="old-name-used-again"
        ),
    ],
)
def test_names_that_change_hands(
    tmp_path: Path, before: Tree, after: Tree, renames: dict[str, str]
) -> None:
    """A name may be left by one file and taken by another in one night."""
    assert_applies(tmp_path / "plain", before, after, renames)


def test_an_untracked_subfolder_of_a_repository_is_a_trap(tmp_path: Path) -> None:
    """There git skips every file and still exits 0: only the bytes tell, so tests compare bytes."""
    git(tmp_path, "init", "-q")
    before, after = {"a.md": b"1\n"}, {"a.md": b"2\n"}
    inside = write_tree(tmp_path / "copy", before)
    git(inside, "apply", "-", stdin=git_diff(before, after, {}))
    assert read_tree(inside) == before
    git(inside, "apply", "--directory=copy", "-", stdin=git_diff(before, after, {}))
    assert read_tree(inside) == after


# The same words as git ---------------------------------------------------------------------------


def patches_by_file(patch: bytes) -> list[bytes]:
    """One entry per file, hunk headings cut off: git adds the nearest heading line."""
    bare = re.sub(rb"(?m)^(@@ -[\d,]+ \+[\d,]+ @@).*$", rb"\1", patch)
    return sorted(re.split(rb"(?m)^(?=diff --git )", bare)[1:])


TEN = b"".join(b"line %d with a few words in it\n" % number for number in range(10))

SAME_AS_GIT = [
    pytest.param({"a": TEN}, {"a": TEN.replace(b"line 5", b"row 5")}, {}, id="edit"),
    pytest.param({"a": TEN}, {"a": TEN + b"more"}, {}, id="final-newline-lost"),
    pytest.param({"a": TEN + b"more"}, {"a": TEN + b"more\n"}, {}, id="final-newline-added"),
    pytest.param({"a": TEN * 3}, {"a": b"x\n" + TEN * 3 + b"y\n"}, {}, id="two-hunks"),
    pytest.param({"a": b"1\r\n2\r\n"}, {"a": b"1\r\n3\r\n"}, {}, id="crlf"),
    pytest.param({}, {"n w": TEN, "empty": b""}, {}, id="new"),
    pytest.param({"o w": TEN, "empty": b""}, {}, {}, id="deleted"),
    pytest.param({"a": b"", "b": b"1\n"}, {"a": b"1\n", "b": b""}, {}, id="to-and-from-empty"),
    pytest.param({"a b": TEN}, {"x/a b": TEN}, {"a b": "x/a b"}, id="rename"),
    pytest.param(
        {"a b": TEN}, {"x/c\u00e9": TEN + b"end\n"}, {"a b": "x/c\u00e9"}, id="rename-edit"
    ),
    pytest.param(dict.fromkeys(ODD_NAMES, TEN), dict.fromkeys(ODD_NAMES, TEN[1:]), {}, id="names"),
]


@pytest.mark.parametrize(("before", "after", "renames"), SAME_AS_GIT)
def test_same_patch_as_git(
    tmp_path: Path, before: Tree, after: Tree, renames: dict[str, str]
) -> None:
    """Per file, headers and hunks are git's own, the similarity index included."""
    git(tmp_path, "init", "-q")
    write_tree(tmp_path, before)
    git(tmp_path, "add", "-A")
    git(tmp_path, *IDENTITY, "commit", "-q", "--allow-empty", "-m", "before")
    for path in before:
        (tmp_path / path).unlink()
    write_tree(tmp_path, after)
    git(tmp_path, "add", "-A")
    expected = git(tmp_path, "diff", "--cached", "-M", "--abbrev=10")
    assert patches_by_file(git_diff(before, after, renames)) == patches_by_file(expected)


def test_modes_follow_the_file() -> None:
    """An executable file keeps its mode in the patch, through a rename too."""
    before, after = {"a": b"1\n", "b": b"1\n"}, {"a": b"2\n", "c": b"2\n", "n": b""}
    patch = git_diff(before, after, {"b": "c"}, modes=dict.fromkeys("abn", 0o100755))
    assert patch.count(b" 100755\n") == 3
    assert b"100644" not in patch


def test_blob_ids_are_gits() -> None:
    """The empty blob has git's well-known id."""
    assert blob_id(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@pytest.mark.parametrize(
    ("path", "quoted"),
    [
        ("a b", b"a b"),
        ("a~#%?'", b"a~#%?'"),
        ('a"b', b'"a\\"b"'),
        ("a\\b", b'"a\\\\b"'),
        ("a\n\t\r\a\b\v\f", b'"a\\n\\t\\r\\a\\b\\v\\f"'),
        ("\x01\x1b\x7f", b'"\\001\\033\\177"'),
        ("\u00e9", b'"\\303\\251"'),
        (os.fsdecode(b"\xff"), b'"\\377"'),
    ],
)
def test_quoting(path: str, quoted: bytes) -> None:
    """Paths are quoted as git quotes them by default."""
    assert quote_path(path) == quoted


@pytest.mark.parametrize(
    ("before", "after", "percent"),
    [
        (b"", b"", 100),
        (b"a\n", b"a\n", 100),
        (b"a\nb\n", b"b\na\n", 99),  # every byte kept, yet not equal
        (b"", b"a\n", 0),
        (b"a\n" * 9 + b"b\n", b"a\n" * 10, 90),
        (b"x" * 64 + b"y" * 64, b"x" * 64 + b"z" * 64, 50),  # one long line
    ],
)
def test_similarity_percent(before: bytes, after: bytes, percent: int) -> None:
    """The index is the share of bytes kept, and 100 means equal."""
    assert similarity_percent(before, after) == percent


# Refusals and silence ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "renames"),
    [
        pytest.param({"a": b"\0"}, {"a": b"1"}, {}, id="nul-before"),
        pytest.param({"a": b"1"}, {"a": b"\0"}, {}, id="nul-after"),
        pytest.param({}, {"b": b""}, {"a": "b"}, id="rename-of-nothing"),
        pytest.param({"a": b""}, {}, {"a": "b"}, id="rename-to-nothing"),
        pytest.param({"a": b"", "b": b""}, {"b": b""}, {"a": "b"}, id="rename-over-a-file"),
        pytest.param({"a": b"", "b": b""}, {"c": b""}, {"a": "c", "b": "c"}, id="two-to-one"),
    ],
)
def test_refused(before: Tree, after: Tree, renames: dict[str, str]) -> None:
    """What no patch can say is an error, never a wrong patch."""
    with pytest.raises(ValueError):
        git_diff(before, after, renames)


def test_equal_trees_give_nothing() -> None:
    """Files that do not differ are not named, NUL bytes or not."""
    assert git_diff({"a": b"\0", "b": b"1"}, {"a": b"\0", "b": b"1"}, {}) == b""


def test_order_is_by_old_path() -> None:
    """Whatever the order of the mappings, the patch is the same."""
    before = {"b": b"1\n", "a": b"1\n", "d": b"1\n"}
    after = {"z": b"1\n", "c": b"2\n", "b": b"2\n", "d": b"2\n"}
    patch = git_diff(before, after, {"a": "z"})
    assert re.findall(rb"diff --git a/(.)", patch) == [b"a", b"b", b"c", b"d"]
    again = git_diff(dict(reversed(before.items())), dict(reversed(after.items())), {"a": "z"})
    assert again == patch


# Hunks -------------------------------------------------------------------------------------------


@given(sources())
def test_lines_end_at_newline_only(source: bytes) -> None:
    """Splitting loses nothing and cuts nowhere but after a newline."""
    lines = split_lines(source)
    assert b"".join(lines) == source
    assert all(line.endswith(b"\n") and b"\n" not in line[:-1] for line in lines[:-1])


@given(sources(), sources())
def test_blocks_rebuild_the_new_file(before: bytes, after: bytes) -> None:
    """Replacing the blocks turns the old lines into the new ones; blocks are in order and apart."""
    a, b = split_lines(before), split_lines(after)
    rebuilt: list[bytes] = []
    at = 0
    for a1, a2, b1, b2 in changed_blocks(a, b):
        assert at <= a1 <= a2
        rebuilt += a[at:a1] + b[b1:b2]
        at = a2
    assert rebuilt + a[at:] == b


@given(st.integers(0, 29), st.sampled_from([b"", b"new\n", b"new\nlines\n"]), st.integers(0, 2))
def test_one_edit_agrees_with_difflib(place: int, added: bytes, removed: int) -> None:
    """For one edit of distinct lines the hunks are difflib's own."""
    before = [b"line %d\n" % number for number in range(30)]
    after = [*before[:place], *split_lines(added), *before[place + removed :]]
    expected = list(difflib.diff_bytes(difflib.unified_diff, before, after, lineterm=b"\n"))[2:]
    assert hunks(b"".join(before), b"".join(after)) == b"".join(expected)


def test_a_long_file_of_blank_lines_and_few_edits_stays_reviewable() -> None:
    """3,000 paragraphs with 5 edits give 5 small hunks, and not in cubic time."""
    before = [line for number in range(3000) for line in (b"\n", b"paragraph %d\n" % number)]
    after = [
        line.replace(b"paragraph", b"chapter") if row % 1300 == 19 else line
        for row, line in enumerate(before)
    ]
    started = time.process_time()
    patch = hunks(b"".join(before), b"".join(after))
    assert patch.count(b"\n@@") + 1 == 5
    assert patch.count(b"\n") < 5 * 10
    assert time.process_time() - started < 2


def test_a_hopeless_comparison_replaces_the_middle() -> None:
    """Where only blank lines repeat, by the thousand, the middle is replaced as a whole."""
    before = [line for number in range(2000) for line in (b"\n", b"a%d\n" % number)]
    after = [line for number in range(2000) for line in (b"\n", b"b%d\n" % number)]
    started = time.process_time()
    assert len(changed_blocks(before, after)) == 1
    assert time.process_time() - started < 2


def test_ten_thousand_one_line_edits() -> None:
    """A night that touches 10,000 files of 2 KB is written in seconds."""
    before = {
        f"m/{number:05}.md": b"".join(
            b"line %d of file %d and so on\n" % (row, number) for row in range(60)
        )
        for number in range(10_000)
    }
    after = {path: source.replace(b"line 30 ", b"line thirty ") for path, source in before.items()}
    started = time.process_time()
    assert git_diff(before, after, {}).count(b"\n@@") == 10_000
    assert time.process_time() - started < 6
