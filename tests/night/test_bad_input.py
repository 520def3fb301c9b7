"""Bad input of every kind: a clear word, the right exit code, nothing written."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from corpus_kit import needs_root, write
from fork_kit import NOBODY_UID, Ended, memsleep_forked
from memsleep.state.store import open_state
from night_kit import NOW

TEXT = "The pump of the greenhouse was repaired by Anna Keller in spring and needs oil twice.\n"
FILES = {
    "a.md": f"---\ncreated: 2026-01-01\nconfidence: 0.8\n---\n\n{TEXT}",
    "b.md": f"---\ncreated: 2026-01-02\n---\n\n{TEXT}",
    "c.md": "Bees swarm in May when the hive is too small for them. See [[a]].\n",
}
Make = Callable[[Path], object]


def _tree(root: Path) -> dict[str, tuple[int, bytes]]:
    """Return mode and bytes of everything, links and folders included, as root sees it."""
    found = {}
    for path in sorted(root.rglob("*")):
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path.relative_to(root))] = (path.lstat().st_mode, content)
    return found


def _run(tmp_path: Path, *arguments: str, nobody: bool = False) -> Ended:
    """Run a dry run over `corpus` and hold it against what holds for any input."""
    before = _tree(tmp_path)
    ended = memsleep_forked(
        ["run", "corpus", "--dry-run", "--now", NOW, *arguments], tmp_path, nobody=nobody
    )
    assert "Traceback" not in ended.err
    assert "[internal]" not in ended.err
    assert "Warning" not in ended.err
    after = {name: value for name, value in _tree(tmp_path).items() if not name.startswith("out/")}
    assert after == before
    return ended


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    write(root, FILES)
    return root


def _npz(**arrays: object) -> Make:
    names = np.array(["a.md", "b.md", "c.md"])
    rows = np.eye(3, 8, dtype=np.float32)
    given = {"paths": names, "vectors": rows, **arrays}
    return lambda path: np.savez(path, **given)  # type: ignore[arg-type]


def _database(*statements: str) -> Make:
    def make(path: Path) -> None:
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return make


def _bytes(content: bytes) -> Make:
    return lambda path: path.write_bytes(content)


NAN = np.full((3, 8), np.nan, np.float32)
VECTORS = [
    pytest.param(lambda path: None, "vectors-missing", id="missing"),
    pytest.param(Path.mkdir, "vectors-missing", id="folder"),
    pytest.param(_bytes(b""), "vectors-unreadable", id="empty"),
    pytest.param(_bytes(b"PK\x03\x04 no archive"), "vectors-unreadable", id="damaged-npz"),
    pytest.param(_bytes(b"SQLite format 3\0 no"), "vectors-unreadable", id="damaged-index"),
    pytest.param(_npz(vectors=np.eye(2, 8)), "vectors-unreadable", id="fewer-rows"),
    pytest.param(_npz(vectors=np.ones(3)), "vectors-unreadable", id="one-axis"),
    pytest.param(_npz(vectors=np.ones((3, 0))), "vectors-unreadable", id="no-dimension"),
    pytest.param(_npz(vectors=np.ones((3, 8), int)), "vectors-unreadable", id="integers"),
    pytest.param(_npz(paths=np.array(["a", "a", "b"], object)), "vectors-unreadable", id="objects"),
    pytest.param(_npz(paths=np.array(["a.md", "a.md", "b"])), "vectors-unreadable", id="twice"),
    pytest.param(_npz(paths=np.array(["x", "y", "z"])), "coverage-too-low", id="other-corpus"),
    pytest.param(_npz(vectors=NAN), "coverage-too-low", id="not-a-number"),
    pytest.param(_npz(vectors=np.full((3, 8), 1e300)), "coverage-too-low", id="too-large"),
    pytest.param(_database("CREATE TABLE t (x)"), "vectors-unreadable", id="other-database"),
    pytest.param(
        _database(
            "CREATE TABLE chunks (chunk_id, path, content_hash, ordinal)",
            "CREATE TABLE embeddings (chunk_id, model, dim, vec)",
        ),
        "coverage-too-low",
        id="empty-index",
    ),
]


@pytest.mark.parametrize(("make", "reference"), VECTORS)
def test_vectors(corpus: Path, tmp_path: Path, make: Make, reference: str) -> None:
    """Vectors that cannot be used fail the night, which says so before any phase."""
    (tmp_path / "v").mkdir()
    make(tmp_path / "v" / "v.npz")
    ended = _run(tmp_path, "--vectors", "v/v.npz")
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith(f"error[{reference}]: ")


def _state(path: Path) -> None:
    with open_state(path):
        pass


def _changed_state(change: Make) -> Make:
    def make(path: Path) -> None:
        _state(path)
        change(path)

    return make


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


STATES = [
    pytest.param(_bytes(b"no database at all " * 99), 3, "state-damaged", id="garbage"),
    pytest.param(_changed_state(_cut), 3, "state-damaged", id="cut-off"),
    pytest.param(_changed_state(_database("PRAGMA user_version=99")), 3, "state-newer", id="newer"),
    pytest.param(_database("CREATE TABLE t (x)"), 3, "state-foreign", id="foreign"),
    pytest.param(Path.mkdir, 3, "state-damaged", id="folder"),
    pytest.param(os.mkfifo, 3, "state-damaged", id="pipe"),
    pytest.param(lambda path: path.symlink_to(path), 3, "state-damaged", id="loop"),
    pytest.param(_bytes(b""), 0, "", id="zero-bytes"),
    pytest.param(_state, 0, "", id="new"),
]


@pytest.mark.parametrize(("make", "code", "reference"), STATES)
def test_state(corpus: Path, tmp_path: Path, make: Make, code: int, reference: str) -> None:
    """A state that cannot be used is left alone and named with what to do about it."""
    (corpus / ".memsleep").mkdir()
    make(corpus / ".memsleep" / "state.db")
    ended = _run(tmp_path)
    assert ended.code == code
    assert f"error[{reference}]: " in ended.err or not reference


def test_state_in_use(corpus: Path, tmp_path: Path) -> None:
    """Another process that holds the database keeps nobody from proposing a night."""
    (corpus / ".memsleep").mkdir()
    _state(corpus / ".memsleep" / "state.db")
    holder = sqlite3.connect(corpus / ".memsleep" / "state.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert _run(tmp_path).code == 0
    holder.close()


@pytest.mark.parametrize("make", [_bytes(b"x" * 999), Path.mkdir, os.mkfifo, _database("SELECT 1")])
def test_cache(corpus: Path, tmp_path: Path, make: Make) -> None:
    """A cache costs time at most."""
    (corpus / ".memsleep").mkdir()
    make(corpus / ".memsleep" / "cache.db")
    ended = _run(tmp_path)
    assert ended.code == 0
    assert "1 memory merged" in ended.out


LINES = [
    b"garbage", b"[]", b"null", b'{"a": 1}', b'{"path": 3}', b"\xff\xfe\0", b"[" * 100_000,
    b'{"path": "a.md", "to": "b", "when": "yesterday", "cause": "evicted"}',
]  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
@pytest.mark.parametrize("name", ["archive/2026/ledger.jsonl", ".memhtml/state/access.jsonl"])
def test_lines_of_a_record(corpus: Path, tmp_path: Path, name: str, line: bytes) -> None:
    """A line that is none of its record is named by number, those around it count."""
    write(corpus, {name: line + b"\n"})
    ended = _run(tmp_path)
    assert ended.code == 0
    usable = name.endswith("access.jsonl") and line.startswith(b'{"path": "a')
    assert (f"{name}:1  " in ended.out) != usable
    refused = name.startswith("archive") and b"\0" in line
    assert ("1 memory merged" in ended.out) != refused


BAD_FILES: list[tuple[str, bytes | Make, str]] = [
    ("latin.md", "caf\u00e9".encode("latin-1"), "not valid UTF-8"),
    ("utf16.md", "hello".encode("utf-16"), "NUL byte"),
    ("nul.md", b"a\0b", "NUL byte"),
    ("pointer.md", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
    ("huge.md", b"a b c d\n" * 2_200_000, "expected at most"),
    ("bomb.md", b"[[a]] " * 210_000, "pieces of markup"),
    ("areas/p.html", b"<meta name=memhtml-type content=semantic><p>x", "areas/p.html"),
    ("loop.md", lambda path: path.symlink_to("loop.md"), "a symlink; not followed"),
    ("up.md", lambda path: path.symlink_to("../.."), "a symlink; not followed"),
    ("pipe.md", os.mkfifo, "pipe, socket or device"),
    ("head.md", b"---\na: " + b"[" * 5000 + b"]" * 5000 + b"\n---\ntext\n", "front matter"),
    ("twice.md", b"---\na: 1\na: 2\n---\ntext\n", "twice.md:2"),
    ("CASE.md", lambda path: write(path.parent, {"case.md": "y\n", "CASE.md": "x\n"}), "by case"),
    (os.fsdecode(b"\xff.md"), b"text\n", "name in UTF-8"),
]


@pytest.mark.parametrize(
    ("name", "make", "told"), BAD_FILES, ids=[ascii(name) for name, *_ in BAD_FILES]
)
def test_one_bad_file(
    corpus: Path, tmp_path: Path, name: str, make: bytes | Make, told: str
) -> None:
    """It costs itself alone: the night goes on and names it with its reason."""
    if isinstance(make, bytes):
        (corpus / name).parent.mkdir(exist_ok=True)
        (corpus / name).write_bytes(make)
    else:
        make(corpus / name)
    ended = _run(tmp_path)
    assert ended.code == 0
    assert told in ended.out
    assert "1 memory merged" in ended.out


def test_long_line(corpus: Path, tmp_path: Path) -> None:
    """A line of 10 MB is text like any other."""
    (corpus / "long.md").write_bytes(b"word " * 2_000_000 + b"\n")
    ended = _run(tmp_path, "--exit-code", "--phases", "integrity")
    assert (ended.code, "4 memories active" in ended.out) == (0, True)


def test_unreadable_files_count_for_a_monitor(corpus: Path, tmp_path: Path) -> None:
    """`--exit-code` is 1 although nothing would change."""
    (corpus / "b.md").unlink()
    (corpus / "bad.md").write_bytes(b"\xff")
    assert _run(tmp_path).code == 0
    assert _run(tmp_path, "--exit-code").code == 1


def test_no_memory_that_can_be_read(tmp_path: Path) -> None:
    """The error names the first of the files and why."""
    write(tmp_path / "corpus", {"bad.md": b"\xff"})
    ended = _run(tmp_path)
    assert ended.code == 3
    assert "error[corpus-empty]" in ended.err
    assert "bad.md: byte 0 is not valid UTF-8" in ended.err


CONFIGS = [
    ("[triage]\nnope = 1\n", "unknown-setting", ":2: "),
    ("[nope]\n", "unknown-section", ":1: "),
    ("[decay]\nfloor = 7\n", "bad-setting", ":2: "),
    ("[decay]\nfloor = nan\n", "bad-setting", ":2: "),
    ('[decay]\nfloor = "a"\n', "bad-setting", ":2: "),
    ("[decay\n", "bad-toml", ":1"),
    ("[decay]\nfloor = 0.1\nfloor = 0.2\n", "bad-toml", ":3"),
    ('[run]\nphases = ["dedup", "pairing"]\n', "bad-phase-order", ":2: "),
    ('[embedder]\nname = "file"\npath = "/etc/passwd"\n', "untrusted-setting", ":3: "),
]


@pytest.mark.parametrize(("text", "reference", "place"), CONFIGS)
def test_config(corpus: Path, tmp_path: Path, text: str, reference: str, place: str) -> None:
    """The file, the line, what was expected."""
    write(corpus, {"memsleep.toml": text})
    ended = _run(tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"error[{reference}]: ")
    assert f"  memsleep.toml{place}" in ended.err


@pytest.mark.parametrize(
    ("now", "code"),
    [
        ("0001-01-01T00:00:00Z", 0), ("9999-12-31T23:59:59Z", 0), ("2028-02-29", 0),
        ("2027-02-29", 2), ("2028-02-29T23:59:60Z", 2), ("2026-11-30T24:00:00Z", 2),
        ("0000-01-01", 2), ("10000-01-01", 2), ("2026-11-30T03:00:00+01:00", 0), ("now", 2),
    ],
)  # fmt: skip
def test_instants(corpus: Path, tmp_path: Path, now: str, code: int) -> None:
    """The first and the last instant are nights like others; what is no instant is refused."""
    write(corpus, {"old.md": "---\nvalid_until: 0001-01-01\nttl: 99999999999\n---\nOld.\n"})
    ended = _run(tmp_path, "--now", now)
    assert ended.code == code
    assert ("error[bad-instant]: " in ended.err) == (code == 2)


FORBIDDEN: list[tuple[str, int, int, str]] = [
    ("corpus", 0o000, 3, "error[corpus-unreadable]: "),
    ("corpus", 0o444, 3, "error[corpus-empty]: "),
    ("corpus/a.md", 0o000, 0, "a.md  no permission to read it"),
    ("corpus/folder", 0o000, 0, "folder  no permission to read it; folder left out"),
    ("corpus/memsleep.toml", 0o000, 2, "error[config-unreadable]: "),
    ("corpus/.memsleep", 0o000, 3, "error[no-permission]: "),
    ("corpus/.memsleep/state.db", 0o000, 3, "error[no-permission]: "),
    ("corpus/.memsleep/cache.db", 0o000, 0, "cannot be used: vectors are made anew"),
    ("out", 0o555, 2, "error[out-not-writable]: "),
]


@pytest.fixture
def public_place() -> Iterator[Path]:
    """Give a folder that nobody can reach: that of the tests is private."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@needs_root
@pytest.mark.parametrize(("name", "mode", "code", "told"), FORBIDDEN)
def test_no_permission(public_place: Path, name: str, mode: int, code: int, told: str) -> None:
    """What may not be read is named; what costs only itself costs only itself."""
    tmp_path, corpus = public_place, public_place / "corpus"
    write(corpus, FILES)
    write(corpus, {"folder/d.md": "Ants.\n", "memsleep.toml": ""})
    (corpus / ".memsleep").mkdir()
    _state(corpus / ".memsleep" / "state.db")
    (corpus / ".memsleep" / "cache.db").write_bytes(b"x")
    (tmp_path / "out").mkdir()
    os.chown(tmp_path / "out", NOBODY_UID, NOBODY_UID)
    (tmp_path / name).chmod(mode)
    ended = _run(tmp_path, "--out", "out", nobody=True)
    assert ended.code == code
    assert told in ended.err + ended.out
