from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from embedder_kit import memory
from memsleep.embedders import vectors as module
from memsleep.embedders.base import FloatRows, StoredVectors
from memsleep.embedders.cache import VectorCache, open_cache
from memsleep.embedders.file import FileVectors
from memsleep.embedders.hashgram import Hashgram
from memsleep.embedders.none import NoVectors
from memsleep.embedders.vectors import check_coverage, vectors_for
from memsleep.errors import EmbedderError
from memsleep.model import Floors, Memory, Vectors


class Counting:
    """An embedder that says what it was asked: a row is the length of its text."""

    floors: Floors | None = None
    dimension = 1

    def __init__(self, identity: str = "length-v1") -> None:
        self.identity = identity
        self.asked: list[str] = []

    def text_of(self, memory: Memory) -> str:
        return memory.body

    def embed(self, texts: Sequence[str]) -> FloatRows:
        self.asked += texts
        return np.array([[len(text)] for text in texts], np.float32).reshape(-1, 1)


MEMORIES = [memory("b.md", "two words"), memory("a.md", "one"), memory("c.md", "one")]


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VectorCache]:
    opened = open_cache(tmp_path / "cache.db")
    yield opened
    opened.close()


def test_rows_in_path_order() -> None:
    """Rows stand in path order, whatever the order of the memories, and cannot be written."""
    vectors = vectors_for(MEMORIES, Counting())
    assert vectors.paths == ("a.md", "b.md", "c.md")
    assert vectors.array.tolist() == [[3.0], [9.0], [3.0]]
    assert (vectors.identity, vectors.wanted, vectors.coverage) == ("length-v1", 3, 1.0)
    with pytest.raises(ValueError, match="read-only"):
        vectors.array[0] = 0


def test_equal_texts_are_embedded_once() -> None:
    """The embedder sees each text once, in path order."""
    embedder = Counting()
    vectors_for(MEMORIES, embedder)
    assert embedder.asked == ["one", "two words"]


def test_no_memories() -> None:
    """Nothing is a valid corpus."""
    vectors = vectors_for([], Hashgram())
    assert (vectors.paths, vectors.array.shape, vectors.coverage) == ((), (0, 512), 1.0)


def test_cache_is_filled_and_used(cache: VectorCache) -> None:
    """What was embedded once is not embedded again, and is the same."""
    first, second = Counting(), Counting()
    before = vectors_for(MEMORIES[:2], first, cache)
    after = vectors_for(MEMORIES, second, cache)
    assert second.asked == []
    assert after.array[:2].tolist() == before.array.tolist()


def test_cache_keeps_bits(cache: VectorCache) -> None:
    """A cached row has the bits of a fresh one."""
    made = vectors_for(MEMORIES, Hashgram(), cache)
    assert vectors_for(MEMORIES, Hashgram(), cache).array.tobytes() == made.array.tobytes()
    assert vectors_for(MEMORIES, Hashgram()).array.tobytes() == made.array.tobytes()


def test_a_changed_text_is_embedded_anew(cache: VectorCache) -> None:
    """The cache goes by text, not by path."""
    vectors_for([memory("a.md", "old")], Counting(), cache)
    embedder = Counting()
    assert vectors_for([memory("a.md", "newer")], embedder, cache).array.tolist() == [[5.0]]
    assert embedder.asked == ["newer"]


def test_another_identity_is_another_vector(cache: VectorCache) -> None:
    """Rows of one identity never stand in for another's."""
    vectors_for(MEMORIES, Counting("length-v1"), cache)
    embedder = Counting("length-v2")
    vectors_for(MEMORIES, embedder, cache)
    assert embedder.asked == ["one", "two words"]


def test_none_gives_nothing_and_lacks_nothing() -> None:
    """Without an embedder no vector is wanted, so none is missing."""
    vectors = vectors_for(MEMORIES, NoVectors())
    assert (vectors.identity, vectors.paths, vectors.wanted) == ("none", (), 0)
    assert check_coverage(vectors) == ()


def test_stored_rows_are_looked_up() -> None:
    """Rows of a file come in path order; what it lacks or made of other content is absent."""
    rows = {name: np.array([number], np.float32) for number, name in enumerate(["c.md", "a.md"])}
    stored = FileVectors("npz:1", 1, rows, {"c.md": "sha256:old", "a.md": "sha256:c"})
    assert isinstance(stored, StoredVectors)
    vectors = vectors_for(MEMORIES, stored)
    assert (vectors.paths, vectors.array.tolist()) == (("a.md",), [[1.0]])
    assert (vectors.wanted, vectors.stale) == (3, 1)


def covered(rows: int, wanted: int) -> Vectors:
    paths = tuple(f"{number:03}.md" for number in range(rows))
    return Vectors("npz:1", paths, np.zeros((rows, 1), np.float32), wanted=wanted)


@pytest.mark.parametrize(("rows", "problems"), [(100, 0), (95, 0), (94, 1), (50, 1)])
def test_coverage_warns(rows: int, problems: int) -> None:
    """From 0.95 on nothing is said, from 0.5 on it is a warning."""
    found = check_coverage(covered(rows, 100))
    assert len(found) == problems
    assert all(problem.code == "coverage-low" for problem in found)


@pytest.mark.parametrize("rows", [49, 0])
def test_coverage_fails(rows: int) -> None:
    """Below 0.5 the night ends."""
    with pytest.raises(EmbedderError, match=f"{rows} of 100 memories") as error:
        check_coverage(covered(rows, 100))
    assert error.value.reference == "coverage-too-low"


def test_file_without_a_row_is_no_coverage() -> None:
    """A vector file that holds nothing fails the night; the embedder `none` promises nothing."""
    nothing = FileVectors("memhtml:none@0:chunk0", 0, {})
    assert vectors_for(MEMORIES, nothing).coverage == 0.0
    assert vectors_for(MEMORIES, NoVectors()).coverage == 1.0


def test_coverage_bounds_are_settings() -> None:
    """Both bounds can be moved."""
    assert check_coverage(covered(1, 100), fail_below=0.01, warn_below=0.01) == ()


def numbered(count: int) -> list[Memory]:
    return [memory(f"{n:04}.md", f"text {n}") for n in range(count)]


def test_texts_are_embedded_and_kept_in_batches(
    cache: VectorCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress is told per batch; equal texts count once, and kept ones not at all."""
    monkeypatch.setattr(module, "BATCH_TEXTS", 4)
    told: list[tuple[int, int]] = []
    vectors_for(numbered(3), Counting(), cache)
    twice = [*numbered(12), memory("twin.md", "text 5")]
    whole = vectors_for(twice, Counting(), cache, lambda *step: told.append(step))
    assert told == [(0, 9), (4, 9), (4, 9), (1, 9)]
    told.clear()
    again = vectors_for(twice, Counting(), cache, lambda *step: told.append(step))
    assert told == []
    assert again.array.tolist() == whole.array.tolist()


SLOW = """
import sys, time
sys.path[:0] = {paths!r}
import numpy as np
from pathlib import Path
from embedder_kit import memory
from memsleep.embedders import vectors
from memsleep.embedders.cache import open_cache

class Slow:
    identity, dimension, floors = "slow", 1, None
    def text_of(self, memory):
        return memory.body
    def embed(self, texts):
        print(len(texts), flush=True)
        time.sleep(0.05 if kill else 0)
        return np.array([[float(len(text))] for text in texts], np.float32)

kill = sys.argv[2] == "kill"
vectors.BATCH_TEXTS = 10
texts = [memory(f"{{n:04}}.md", f"text {{n}}") for n in range(1000)]
with open_cache(Path(sys.argv[1])) as cache:
    print(vectors.vectors_for(texts, Slow(), cache).array.sum(), flush=True)
"""


def test_a_kill_loses_one_batch(tmp_path: Path) -> None:
    """Whoever runs again after SIGKILL embeds what the last batch was not kept of, and the rest."""
    code = SLOW.format(
        paths=[str(Path(__file__).parents[1]), str(Path(module.__file__).parents[2])]
    )
    command = [sys.executable, "-c", code, str(tmp_path / "cache.db")]
    with subprocess.Popen([*command, "kill"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        asked = [process.stdout.readline() for _ in range(7)]
        process.kill()
        asked += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    assert set(asked) == {b"10\n"}
    with open_cache(tmp_path / "cache.db") as kept:
        count = kept._connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
    assert count in (10 * len(asked), 10 * len(asked) - 10)
    done = subprocess.run([*command, "again"], stdout=subprocess.PIPE, check=True)
    *again, total = done.stdout.split()
    assert sum(map(int, again)) == 1000 - count
    assert float(total) == sum(len(f"text {n}") for n in range(1000))
