"""What nights keep for later nights changes their time, never their result."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from corpus_kit import commit, git, init, write
from memsleep.core.work import counting
from memsleep.corpus.load import load_corpus
from memsleep.embedders.cache import VectorCache, open_cache, open_some_cache
from memsleep.errors import CorpusError, StateError
from memsleep.night import cache as caching
from memsleep.night import propose_night
from memsleep.night.outputs import outcome_of
from memsleep.night.real import real_run
from memsleep.request import Outcome, RunRequest
from memsleep.settings import CorpusSettings
from memsleep.state import database
from night_kit import CORPORA, copy_corpus, request_for, run_night


def live_night(request: RunRequest) -> Outcome:
    """Propose a night that keeps what it observes, without landing it."""
    with tempfile.TemporaryDirectory() as scratch:
        prepared, result = propose_night(request, Path(scratch), live=True)
        return outcome_of(request, prepared, result)


def edit(root: Path, rng: random.Random) -> None:
    """Copy, change, move or remove a few files."""
    files = sorted(p for p in root.rglob("*") if p.suffix in (".md", ".html") and p.is_file())
    files = [path for path in files if ".memsleep" not in path.parts]
    for path in rng.sample(files, 3):
        kind = rng.choice(("copy", "words", "move", "remove", "break"))
        if kind == "copy":
            path.with_stem(f"{path.stem}-{rng.randint(2, 9)}").write_bytes(path.read_bytes())
        elif kind == "words":
            path.write_bytes(path.read_bytes().replace(b" the ", b" that "))
        elif kind == "move":
            path.rename(path.with_stem(f"{path.stem}-{rng.randint(10, 99)}"))
        elif kind == "break":
            path.write_bytes(path.read_bytes() + b"\xff")
        else:
            path.unlink()


OPTIONS = (
    {},
    {"pairing.mined_floor": 0.3},
    {"pairing.mined_neighbors": 3, "pairing.duplicate_floor": 0.9},
    {"pairing.never_mined": ("semantic",)},
    {"run.profile": "reference"},
)


@pytest.mark.parametrize("corpus", CORPORA)
def test_nights_with_a_past_say_what_nights_without_one_say(corpus: str, tmp_path: Path) -> None:
    """Over edits and changed settings; a dry run that profits says the same again."""
    root, rng = copy_corpus(corpus, tmp_path), random.Random(4)
    with_past, without = tmp_path / "with", tmp_path / "without"
    for step in range(4):
        options = OPTIONS[step % len(OPTIONS)]
        for suffix in ("", "-wal", "-shm"):
            (without / f"cache.db{suffix}").unlink(missing_ok=True)
        ends = [
            live_night(request_for(root, state_dir=folder, options=options))
            for folder in (with_past, without)
        ]
        assert ends[0].artifacts == ends[1].artifacts
        _, dry = run_night(request_for(root, state_dir=with_past, options=options))
        if step:  # on the very first night there is no state yet
            assert dry.artifacts == ends[0].artifacts
        edit(root, rng)


def test_damaged_lists_are_told(tmp_path: Path) -> None:
    """The night goes on with the right pairs, and says why it took longer."""
    root, state = copy_corpus("html-store", tmp_path), tmp_path / "state"
    live_night(request_for(root, state_dir=state))
    before = live_night(request_for(root, state_dir=state))
    with sqlite3.connect(state / "cache.db") as direct:
        direct.execute("UPDATE near_lists SET bounds = zeroblob(length(bounds))")
    direct.close()
    after = live_night(request_for(root, state_dir=state))
    assert after.artifacts == before.artifacts
    told = "the kept neighbour lists are damaged: all pairs are compared anew"
    assert [line for line in after.messages if line.startswith("the kept")] == [told]
    assert told not in before.messages


def test_damaged_rows_are_told(tmp_path: Path) -> None:
    """A wrong bit in a vector or a parse changes no result, and is said."""
    root, state = copy_corpus("markdown-vault", tmp_path), tmp_path / "state"
    live_night(request_for(root, state_dir=state))
    before = live_night(request_for(root, state_dir=state))
    with sqlite3.connect(state / "cache.db") as direct:
        direct.execute("UPDATE vectors SET vector = zeroblob(length(vector)) WHERE rowid % 9 = 0")
        direct.execute("UPDATE parses SET value = zeroblob(length(value)) WHERE rowid % 9 = 0")
        (count,) = direct.execute("SELECT count(*) FROM vectors WHERE rowid % 9 = 0").fetchone()
        (parses,) = direct.execute("SELECT count(*) FROM parses WHERE rowid % 9 = 0").fetchone()
    direct.close()
    after = live_night(request_for(root, state_dir=state))
    assert after.artifacts == before.artifacts
    told = f"{state}/cache.db: {count + parses} damaged rows, made anew"
    assert [line for line in after.messages if "cache.db" in line] == [told]
    assert told not in live_night(request_for(root, state_dir=state)).messages


def test_damaged_results_are_told(tmp_path: Path) -> None:
    """Whatever the phases found out before, a wrong bit in it changes no result, and is said."""
    root, state = copy_corpus("markdown-vault", tmp_path), tmp_path / "state"
    live_night(request_for(root, state_dir=state))
    before = live_night(request_for(root, state_dir=state))
    with sqlite3.connect(state / "cache.db") as direct:
        direct.execute("UPDATE results SET value = zeroblob(length(value)) WHERE shard = 0")
        (count,) = direct.execute("SELECT count(*) FROM results WHERE shard = 0").fetchone()
    direct.close()
    after = live_night(request_for(root, state_dir=state))
    assert after.artifacts == before.artifacts
    told = f"{state}/cache.db: {count} damaged rows, made anew"
    assert [line for line in after.messages if "cache.db" in line] == [told]
    assert told not in live_night(request_for(root, state_dir=state)).messages


def test_the_next_night_asks_for_little(tmp_path: Path) -> None:
    """The counts tell what was made and what was known: after one more memory, what hangs on it."""
    root, state = copy_corpus("markdown-vault", tmp_path), tmp_path / "state"

    def made() -> dict[str, dict[str, int]]:
        with counting() as work:
            live_night(request_for(root, state_dir=state))
        return work.results

    first, again = made(), made()
    assert set(first) >= {"lists", "facts", "vetoes"}
    assert all(counts["known"] == 0 < counts["made"] for counts in first.values())
    assert {counts["made"] for counts in again.values()} == {0}
    (root / "hum.md").write_bytes(b"# Hum\n\nThe old pump hums at night.\n")
    third = made()
    assert (third["lists"]["made"], third["facts"]["made"]) == (1, 1)
    assert third["facts"]["known"] == again["facts"]["known"]


def test_a_cache_of_the_repository_is_not_used(tmp_path: Path) -> None:
    """Who can change the corpus may not say what its files are read as."""
    root = init(tmp_path / "r")
    (root / "a.md").write_bytes(b"The port of the service is 8080.\n")
    (root / "b.md").write_bytes(b"The port of the service is 8080 now.\n")
    commit(root)
    live_night(request_for(root))
    assert (root / ".memsleep" / "cache.db").exists()
    _, dry = run_night(request_for(root))
    assert not [line for line in dry.messages if "cache.db" in line]
    git(root, "add", "--force", ".memsleep/cache.db")
    before = (root / ".memsleep" / "cache.db").read_bytes()
    for outcome in (run_night(request_for(root))[1], live_night(request_for(root))):
        assert [line for line in outcome.messages if "cache.db" in line] == [
            f"{root}/.memsleep/cache.db is part of the repository: it is not used"
        ]
    assert (root / ".memsleep" / "cache.db").read_bytes() == before


def _beside(suffix: str) -> Callable[[Path], None]:
    def bring(root: Path) -> None:
        (root / f".memsleep/cache.db{suffix}").write_bytes(b"pages of somebody")
        git(root, "add", "--force", f".memsleep/cache.db{suffix}")

    return bring


def _link(root: Path) -> None:
    (root / ".memsleep").rename(root / "data")
    (root / ".memsleep").symlink_to("data")
    git(root, "add", "--force", ".memsleep", "data")


def _link_away(root: Path) -> None:
    (root / ".memsleep").rename(root.parent / "data")
    (root / ".memsleep").symlink_to(root.parent / "data")
    git(root, "add", "--force", ".memsleep")


def _link_inside(root: Path) -> None:
    """The link is the user's, what it leads to is not."""
    (root / ".memsleep").rename(root / "data")
    (root / ".memsleep").symlink_to("data")
    git(root, "add", "--force", "data")


def _link_of_the_user(root: Path) -> None:
    (root / ".memsleep").rename(root.parent / "data")
    (root / ".memsleep").symlink_to(root.parent / "data")


def _config(root: Path) -> None:
    git(root, "add", "--force", ".memsleep/.gitignore")


def _upper_case(root: Path) -> None:
    """As a file system without case would see it."""
    git(root, "config", "core.ignorecase", "true")
    write(root, {".Memsleep/Cache.db": b""})
    git(root, "add", "--force", ".Memsleep/Cache.db")


BRINGS = [*map(_beside, ("-wal", "-journal", "-shm")), _link, _link_away, _link_inside, _upper_case]


@pytest.mark.parametrize(
    ("bring", "used"),
    [*((bring, False) for bring in BRINGS), (_link_of_the_user, True), (_config, True)],
)
def test_no_part_of_a_cache_comes_from_the_repository(
    bring: Callable[[Path], None], used: bool, tmp_path: Path
) -> None:
    """A log of changes beside it, or a link that leads to another, is as good as the whole."""
    root = init(tmp_path / "r")
    write(root, {"a.md": "The port of the service is 8080.\n", ".memsleep/.gitignore": "*\n"})
    commit(root)
    live_night(request_for(root))
    bring(root)
    before = (root / ".memsleep" / "cache.db").read_bytes()
    with counting() as work:
        _, dry = run_night(request_for(root))
    assert (f"{root}/.memsleep/cache.db is part of the repository" in str(dry.messages)) != used
    assert (work.results["facts"]["known"] > 0) == used
    assert (root / ".memsleep" / "cache.db").read_bytes() == before


class Counting:
    """A cache of parses that counts what it is given to keep."""

    def __init__(self, cache: VectorCache) -> None:
        self.cache, self.kept, self.keeps = cache, 0, True

    def read_parses(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        return self.cache.read_parses(keys)

    def keep_parses(self, rows: Mapping[bytes, bytes]) -> None:
        self.kept += len(rows)


@pytest.mark.parametrize("corpus", CORPORA)
def test_what_a_night_wrote_is_not_parsed_by_the_next(corpus: str, tmp_path: Path) -> None:
    """A landed night keeps what its own edits are read as, and all that it kept before."""
    root = copy_corpus(corpus, tmp_path)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    outcome = real_run(request_for(root))
    assert outcome.changes > 5
    assert any(path.is_file() and path.read_bytes() != old for path, old in before.items())
    with open_cache(root / ".memsleep" / "cache.db") as cache:
        counting = Counting(cache)
        loaded = load_corpus(root, CorpusSettings(), store=counting)
    assert (len(loaded.memories) > 10, counting.kept) == (True, 0)


def _no_table(cache: Path) -> None:
    with sqlite3.connect(cache) as direct:
        direct.execute("DROP TABLE parses")
    direct.close()


def _full_for(table: str) -> Callable[[Path], None]:
    """Let all writing to a table fail, as on a disk that is full."""

    def fill(cache: Path) -> None:
        with sqlite3.connect(cache) as direct:
            told = f"BEFORE INSERT ON {table} BEGIN SELECT RAISE(FAIL, 'disk is full'); END"
            direct.execute(f"CREATE TRIGGER full {told}")
            direct.execute(f"DELETE FROM {table}")  # so that something is to be written
        direct.close()

    return fill


def _held(cache: Path) -> sqlite3.Connection:
    """Let another process write for long."""
    direct = sqlite3.connect(cache, isolation_level=None)
    direct.execute("BEGIN IMMEDIATE")
    direct.execute("DELETE FROM results")
    direct.execute("DELETE FROM parses")
    return direct


def _replaced(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def replace(cache: Path) -> None:
        for file in cache.parent.glob("cache.db*"):
            file.unlink()
        make(cache)

    return replace


HINDERED = [
    _no_table,
    *map(_full_for, ("vectors", "parses", "near_lists", "results")),
    _held,
    *map(_replaced, (Path.mkdir, os.mkfifo, lambda cache: cache.symlink_to("/nowhere/x"))),
    _replaced(lambda cache: cache.symlink_to(cache)),
]


def _noting(opened: list[VectorCache]) -> Callable[[Path], VectorCache]:
    def noted(path: Path) -> VectorCache:
        opened.append(open_some_cache(path))
        return opened[-1]

    return noted


@pytest.mark.parametrize("hinder", HINDERED)
@pytest.mark.parametrize("night", [live_night, real_run])
def test_no_cache_stops_a_night(
    hinder: Callable[[Path], sqlite3.Connection | None],
    night: Callable[[RunRequest], Outcome],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that cannot be opened, read or written costs time, is told, and is not tried again."""
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.1)
    opened: list[VectorCache] = []
    monkeypatch.setattr(caching, "open_some_cache", _noting(opened))
    root, state = copy_corpus("markdown-vault", tmp_path), tmp_path / "state"
    live_night(request_for(root, state_dir=state))
    shutil.copytree(state, tmp_path / "well")
    held = hinder(state / "cache.db")
    other = Path(shutil.copytree(root, tmp_path / "other" / root.name, symlinks=True))
    well = night(request_for(other, state_dir=tmp_path / "well"))
    opened.clear()
    ended = night(request_for(root, state_dir=state))
    if held is not None:
        held.close()
    assert [bool(cache.failure) for cache in opened][:-1] == [False] * (len(opened) - 1)
    assert ended.artifacts == well.artifacts
    assert len([line for line in ended.messages if "goes on without" in line]) == 1
    assert not [line for line in well.messages if "cache.db" in line]


@pytest.mark.parametrize("name", ["state.db", "cache.db"])
@pytest.mark.parametrize("begins", ["dry", "live"])
def test_the_first_error_is_the_one_that_is_told(name: str, begins: str, tmp_path: Path) -> None:
    """Databases are opened while files are read: a corpus that cannot be read is still the news."""
    root, state = tmp_path / "corpus", tmp_path / "state"
    root.mkdir()
    state.mkdir()
    (state / name).write_bytes(b"no database" * 100)
    request = request_for(root, state_dir=state)
    with pytest.raises(CorpusError) as caught, tempfile.TemporaryDirectory() as scratch:
        propose_night(request, Path(scratch), live=begins == "live")
    assert caught.value.reference == "corpus-empty"
    assert threading.active_count() == 1


def test_a_state_that_is_no_database_is_told_after_the_files_were_read(tmp_path: Path) -> None:
    """It was opened in another thread; the error is the one of always, and the file stays."""
    root = copy_corpus(CORPORA[0], tmp_path)
    state = tmp_path / "state"
    state.mkdir()
    (state / "state.db").write_bytes(b"no database" * 100)
    with pytest.raises(StateError) as caught, tempfile.TemporaryDirectory() as scratch:
        propose_night(request_for(root, state_dir=state), Path(scratch))
    assert caught.value.reference == "state-damaged"
    assert (state / "state.db").read_bytes() == b"no database" * 100
    assert threading.active_count() == 1
