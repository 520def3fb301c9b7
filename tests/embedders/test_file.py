from __future__ import annotations

import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedder_kit import Chunk, memory, row_bytes, write_index
from memsleep.embedders.file import FileVectors, open_vector_file
from memsleep.errors import EmbedderError

ROWS = np.array([[1, 0], [0, 1]], np.float32)
NAMES = np.array(["a.md", "b.md"])
STORE = Path(__file__).parents[2] / "fixtures" / "reference-store" / "vectors.npz"


def write_npz(path: Path, **arrays: Any) -> Path:
    np.savez(path, **{"paths": NAMES, "vectors": ROWS, **arrays})
    return path


def found(vectors: FileVectors, *names: str, content: str = "c") -> dict[str, list[float]]:
    rows = vectors.lookup([memory(name, content=content) for name in names]).rows
    return {path: row.tolist() for path, row in rows.items()}


def test_npz(tmp_path: Path) -> None:
    """Rows are found by path; without a name the file's digest is the identity."""
    vectors = open_vector_file(write_npz(tmp_path / "v.npz"), tmp_path)
    assert found(vectors, "a.md", "b.md", "c.md") == {"a.md": [1.0, 0.0], "b.md": [0.0, 1.0]}
    assert (vectors.dimension, vectors.floors) == (2, None)
    assert vectors.identity.startswith("npz:")
    other = open_vector_file(write_npz(tmp_path / "w.npz", vectors=ROWS * 2), tmp_path)
    assert other.identity != vectors.identity


def test_npz_says_who_made_it(tmp_path: Path) -> None:
    """An identity in the file stands."""
    path = write_npz(tmp_path / "v.npz", identity=np.array("mini-v2"))
    assert open_vector_file(path, tmp_path).identity == "mini-v2"


@pytest.mark.parametrize(
    ("digest", "stale"),
    [("sha256:c", 0), ("digest-c", 0), ("", 0), ("sha256:other", 1), ("c", 1)],
)
def test_npz_digests(tmp_path: Path, digest: str, stale: int) -> None:
    """A digest may be the content's or the file's; another one makes the row stale."""
    path = write_npz(tmp_path / "v.npz", digests=np.array([digest, "sha256:c"]))
    looked_up = open_vector_file(path, tmp_path).lookup([memory("a.md"), memory("b.md")])
    assert (looked_up.stale, len(looked_up.rows)) == (stale, 2 - stale)


def test_npz_rows_keep_their_length(tmp_path: Path) -> None:
    """Rows are not scaled: the cosine of the pairing does that, on the original bits."""
    path = write_npz(tmp_path / "v.npz", vectors=np.array([[3, 4], [0, 0]], np.float32))
    assert found(open_vector_file(path, tmp_path), "a.md", "b.md")["a.md"] == [3.0, 4.0]


def test_npz_row_that_is_no_number(tmp_path: Path) -> None:
    """A row with NaN or an infinity takes no part."""
    path = write_npz(tmp_path / "v.npz", vectors=np.array([[np.nan, 0], [1, np.inf]], np.float32))
    assert found(open_vector_file(path, tmp_path), "a.md", "b.md") == {}


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"vectors": ROWS[:1]}, "1 rows for 2 paths"),
        ({"vectors": np.zeros(2, np.float32)}, r"float32 \(2,\)"),
        ({"vectors": np.zeros((2, 0), np.float32)}, r"float32 \(2, 0\)"),
        ({"vectors": np.zeros((2, 2), np.int32)}, "int32"),
        ({"paths": np.array(["a.md", "a.md"])}, "1 paths occur twice, such as a.md"),
        ({"paths": np.array(["a.md", "/a.md"])}, "occur twice"),
        ({"digests": np.array(["x"])}, "1 digests for 2 paths"),
        ({"paths": np.array(["a.md", None], object)}, "Python objects"),
    ],
)
def test_npz_refused(tmp_path: Path, arrays: dict[str, Any], told: str) -> None:
    """Arrays that do not fit together are no vectors."""
    path = write_npz(tmp_path / "v.npz", **arrays)
    with pytest.raises(EmbedderError, match=told) as error:
        open_vector_file(path, tmp_path)
    assert error.value.reference == "vectors-unreadable"


def test_npz_without_an_array(tmp_path: Path) -> None:
    """Both arrays are needed."""
    np.savez(tmp_path / "v.npz", vectors=ROWS)
    with pytest.raises(EmbedderError, match="no array paths"):
        open_vector_file(tmp_path / "v.npz", tmp_path)


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04 cut off", b"SQLite format 3\0cut"])
def test_other_bytes_refused(tmp_path: Path, content: bytes) -> None:
    """Neither form: refused, whatever the name says."""
    (tmp_path / "v.npz").write_bytes(content)
    with pytest.raises(EmbedderError) as error:
        open_vector_file(tmp_path / "v.npz", tmp_path / "scratch")
    assert error.value.reference == "vectors-unreadable"


def test_truncated_npz_refused(tmp_path: Path) -> None:
    """Half an archive is none."""
    whole = write_npz(tmp_path / "v.npz").read_bytes()
    (tmp_path / "w.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(EmbedderError, match="damaged"):
        open_vector_file(tmp_path / "w.npz", tmp_path)


def test_missing(tmp_path: Path) -> None:
    """No file: told apart from a bad one."""
    with pytest.raises(EmbedderError) as error:
        open_vector_file(tmp_path / "v.npz", tmp_path)
    assert error.value.reference == "vectors-missing"


def test_reference_store() -> None:
    """The vectors of the reference store are read as they are: 500 rows of 1,024."""
    vectors = open_vector_file(STORE, Path())
    assert (len(vectors.rows), vectors.dimension) == (500, 1024)


A0: Chunk = ("a.md", "sha256:c", 0, "mini", 2, row_bytes(1, 2))
INDEXES: list[tuple[list[Chunk], dict[str, list[float]]]] = [
    ([A0], {"a.md": [1.0, 2.0]}),
    ([A0, ("a.md", "sha256:c", 1, "mini", 2, row_bytes(8, 9))], {"a.md": [1.0, 2.0]}),
    ([("a.md", "sha256:c", 1, "mini", 2, row_bytes(8, 9))], {}),
    ([("a.md", "sha256:c", 0, "mini", 2, b"")], {}),
    ([("a.md", "sha256:c", 0, "mini", 2, row_bytes(1, 2)[:-1])], {}),
    ([("a.md", "sha256:c", 0, "mini", 2, row_bytes(1, 2, 3))], {}),
    ([("a.md", "sha256:c", 0, "mini", 2, row_bytes(1, float("nan")))], {}),
    ([A0, ("b.md", "sha256:old", 0, "mini", 2, row_bytes(3, 4))], {"a.md": [1.0, 2.0]}),
]


@pytest.mark.parametrize(("chunks", "expected"), INDEXES)
def test_index(tmp_path: Path, chunks: list[Chunk], expected: dict[str, list[float]]) -> None:
    """First chunks with a whole vector of the content of today take part, nothing else."""
    path = write_index(tmp_path / "index.db", chunks)
    vectors = open_vector_file(path, tmp_path / "scratch")
    assert found(vectors, "a.md", "b.md") == expected


def test_rows_that_are_no_numbers_are_counted(tmp_path: Path) -> None:
    """NaN and what does not fit in a float32 take no part, are counted, and warn nobody."""
    rows = np.array([[1.0, float("nan")], [1e300, 0.0], [1.0, 2.0]])
    np.savez(tmp_path / "v.npz", paths=np.array(["a.md", "b.md", "c.md"]), vectors=rows)
    looked_up = open_vector_file(tmp_path / "v.npz", tmp_path).lookup(
        [memory("a.md"), memory("b.md"), memory("c.md"), memory("d.md")]
    )
    assert (looked_up.stale, sorted(looked_up.rows)) == (2, ["c.md"])


def test_values_of_any_kind_in_an_index(tmp_path: Path) -> None:
    """SQLite keeps any value in any column: a row that is none takes no part."""
    path = tmp_path / "index.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE chunks (chunk_id, path, content_hash, ordinal)")
        database.execute("CREATE TABLE embeddings (chunk_id, model, dim, vec)")
        rows = [(None, b"12"), ("two", b"12"), (2, "text"), (0, b""), (1, None), (b"1", 4)]
        for number, row in enumerate([*rows, (2, row_bytes(1, 2))]):
            name = "a.md" if number == len(rows) else "b.md"
            database.execute("INSERT INTO chunks VALUES (?, ?, NULL, 0)", (number, name))
            database.execute("INSERT INTO embeddings VALUES (?, 'm', ?, ?)", (number, *row))
        database.execute("INSERT INTO chunks VALUES (99, NULL, 7, 0)")
        database.execute("INSERT INTO embeddings VALUES (99, NULL, 2, ?)", (row_bytes(1, 2),))
    assert found(open_vector_file(path, tmp_path / "s"), "a.md", "b.md") == {"a.md": [1.0, 2.0]}


def test_archive_that_promises_too_much_refused(tmp_path: Path) -> None:
    """A header of a shape that no machine can hold costs an error line, not a crash."""
    with zipfile.ZipFile(write_npz(tmp_path / "v.npz")) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    shape = members["vectors.npy"].replace(b"(2, 2), }", b"(9999999999999, 2), }")
    with zipfile.ZipFile(tmp_path / "w.npz", "w") as archive:
        archive.writestr("paths.npy", members["paths.npy"])
        archive.writestr("vectors.npy", shape)
    with pytest.raises(EmbedderError, match="damaged"):
        open_vector_file(tmp_path / "w.npz", tmp_path)


def test_index_identity(tmp_path: Path) -> None:
    """Model, dimension and chunk rule name the space; the smaller space is left out."""
    other: Chunk = ("c.md", "sha256:c", 0, "maxi", 2, row_bytes(1, 1))
    second: Chunk = ("b.md", "sha256:c", 0, "mini", 2, row_bytes(3, 4))
    path = write_index(tmp_path / "index.db", [other, A0, second])
    vectors = open_vector_file(path, tmp_path / "scratch")
    assert vectors.identity == "memhtml:mini@2:chunk0"
    assert sorted(found(vectors, "a.md", "b.md", "c.md")) == ["a.md", "b.md"]


def test_index_stale_rows_are_counted(tmp_path: Path) -> None:
    """A row of an earlier content is absent and counted."""
    path = write_index(tmp_path / "index.db", [A0])
    looked_up = open_vector_file(path, tmp_path / "s").lookup([memory("a.md", content="new")])
    assert (looked_up.stale, dict(looked_up.rows)) == (1, {})


def test_index_is_never_opened(tmp_path: Path) -> None:
    """Rows that are still in the write-ahead log are read, and nothing appears beside it."""
    path = write_index(tmp_path / "index.db", [])
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO chunks VALUES ('x', 'a.md', 'sha256:c', 0, '', 0)")
    writer.execute("INSERT INTO embeddings VALUES ('x', 'mini', 2, ?, '')", (row_bytes(1, 2),))
    writer.commit()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert "index.db-wal" in before
    vectors = open_vector_file(path, tmp_path / "scratch")
    after = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    writer.close()
    assert found(vectors, "a.md") == {"a.md": [1.0, 2.0]}
    assert after == before


def test_index_of_another_program(tmp_path: Path) -> None:
    """A database without these tables is refused."""
    connection = sqlite3.connect(tmp_path / "index.db")
    connection.execute("CREATE TABLE chunks (x)")
    connection.commit()
    connection.close()
    with pytest.raises(EmbedderError, match="memhtml index"):
        open_vector_file(tmp_path / "index.db", tmp_path / "scratch")
