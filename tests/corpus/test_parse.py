"""Kept parses and workers save time; what a file is read as they do not decide."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus_kit import write
from fuzz_kit import HTML, made
from interpreter_kit import BAD_INTERPRETERS, be_interpreter
from memsleep.corpus import workers
from memsleep.corpus.load import load_corpus
from memsleep.corpus.parse import Task, parse_all
from memsleep.dialects.base import Options
from memsleep.dialects.entries import EntriesDialect
from memsleep.dialects.registry import DIALECTS
from memsleep.embedders.cache import open_cache, open_cache_copy
from memsleep.model import Memory, Unreadable, digest_bytes
from memsleep.settings import CorpusSettings

SOURCE = b"---\ntitle: Port\ntype: semantic\n---\nThe service listens on port 8080.\n"
SRC = Path(workers.__file__).parents[2]


def task(path: str, source: bytes, dialect: str = "plain") -> Task:
    return Task(dialect, path, source, digest_bytes(source))


def fuzzed(count: int) -> list[Task]:
    """Return files of all dialects, many of which no dialect can read."""
    files = (made(number) for number in range(count))
    plain = (one for one in files if not isinstance(DIALECTS[one.dialect], EntriesDialect))
    return [
        task(f"{n:04}.{'html' if one.dialect in HTML else 'md'}", one.source, one.dialect)
        for n, one in enumerate(plain)
    ]


def told(found: Iterator[Memory | Unreadable]) -> list[str]:
    return [repr(one) for one in found]


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note what is parsed in this process."""
    seen: list[str] = []
    kind = type(DIALECTS["plain"])
    read = kind.read

    def noting(self: object, path: str, source: bytes) -> Memory | Unreadable:
        seen.append(path)
        return read(self, path, source)

    monkeypatch.setattr(kind, "read", noting)
    return seen


@pytest.mark.parametrize("count", [1, 2, 4])
def test_any_number_of_workers_reads_the_same(
    count: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Order, memories and refusals are those of one process, with and without a store."""
    monkeypatch.setattr(workers, "BATCH_FILES", 37)
    tasks = fuzzed(300)
    alone = told(parse_all(tasks, Options(), workers=0))
    assert sum("Unreadable" in one for one in alone) > 20
    if count == 2:
        assert told(parse_all(tasks, Options(), workers=count)) == alone
    with open_cache(tmp_path / "cache.db") as store:
        list(parse_all(tasks[:200], Options(), workers=0, store=store))
        assert told(parse_all(tasks, Options(), workers=count, store=store)) == alone


def test_a_corpus_is_the_same_with_workers(tmp_path: Path) -> None:
    """Bad files, files of entries, links, problems and digest included."""
    files = {f"n{n:03}.md": SOURCE + b"See [[n%03d]].\n" % (n - 1) for n in range(40)}
    bad = {"bad.md": b"\xff\xfe", "worse.md": b"---\na: [\n---\n", "p.html": b"<p>x"}
    write(tmp_path, {**files, **bad, "memories/MEMORY.md": b"One.\n\xc2\xa7\nTwo.\n"})
    found = [load_corpus(tmp_path, CorpusSettings(), workers=count) for count in (0, 1, 2, 4)]
    assert all(one == found[0] for one in found)
    assert repr(found[3].memories) == repr(found[0].memories)
    assert found[0].unreadable


def test_the_same_bytes_are_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next night parses what changed; the day order and the path belong to the question."""
    seen = counted(monkeypatch)
    tasks = [task("a.md", SOURCE), task("b.md", b"Other.\n")]
    with open_cache(tmp_path / "cache.db") as store:
        first = told(parse_all(tasks, Options(), store=store))
    with open_cache(tmp_path / "cache.db") as store:
        assert told(parse_all(tasks, Options(), store=store)) == first
        assert seen == ["a.md", "b.md"]
        list(parse_all([task("a.md", SOURCE), task("b.md", b"Changed.\n")], Options(), store=store))
        assert seen == ["a.md", "b.md", "b.md"]
        list(parse_all([task("moved.md", SOURCE)], Options(), store=store))
        list(parse_all([task("a.md", SOURCE)], Options(day_first=True), store=store))
        assert seen == ["a.md", "b.md", "b.md", "moved.md", "a.md"]


def test_another_reader_asks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an older program made of a file is not what this one makes of it."""
    seen = counted(monkeypatch)
    with open_cache(tmp_path / "cache.db") as store:
        list(parse_all([task("a.md", SOURCE)], Options(), store=store))
        monkeypatch.setattr("memsleep.corpus.parse.code_version", lambda: "another")
        list(parse_all([task("a.md", SOURCE)], Options(), store=store))
    assert seen == ["a.md", "a.md"]


@pytest.mark.parametrize(
    "change",
    [
        "value = CAST(replace(CAST(value AS TEXT), '8080', '9090') AS BLOB)",
        "value = x'00'",
        "sum = x'00'",
        "key = zeroblob(16)",
    ],
)
def test_a_damaged_parse_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """A row that is not what was written is none."""
    seen = counted(monkeypatch)
    with open_cache(tmp_path / "cache.db") as store:
        first = told(parse_all([task("a.md", SOURCE)], Options(), store=store))
        store._connection.execute(
            f"UPDATE parses SET {change}".replace("(value,", "(CAST(value AS TEXT),")
        )
        assert told(parse_all([task("a.md", SOURCE)], Options(), store=store)) == first
    assert seen == ["a.md", "a.md"]


class Foreign:
    """A store that gives the parse of another file for every key."""

    keeps = False

    def __init__(self, value: bytes) -> None:
        self.value = value

    def read_parses(self, keys: list[bytes]) -> dict[bytes, bytes]:
        return dict.fromkeys(keys, self.value)

    def keep_parses(self, rows: object) -> None:
        raise AssertionError


def test_a_parse_of_other_bytes_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parse names its path and digest; where they are not those of the file it is none."""
    from memsleep.corpus.codec import encode

    seen = counted(monkeypatch)
    for path, source in (("b.md", SOURCE), ("a.md", b"Other.\n")):
        value = encode(DIALECTS["plain"].read(path, source))
        found = next(parse_all([task("a.md", SOURCE)], Options(), store=Foreign(value)))
        assert (found.path, found.digest) == ("a.md", digest_bytes(SOURCE))
    assert seen == ["b.md", "a.md", "a.md", "a.md"]


def test_a_dry_run_keeps_no_parse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It profits by what real nights kept, and writes nothing."""
    seen = counted(monkeypatch)
    with open_cache(tmp_path / "cache.db") as store:
        list(parse_all([task("a.md", SOURCE)], Options(), store=store))
    before = (tmp_path / "cache.db").read_bytes()
    with open_cache_copy(tmp_path / "cache.db", tmp_path / "scratch") as copy:
        list(parse_all([task("a.md", SOURCE), task("b.md", SOURCE)], Options(), store=copy))
        list(parse_all([task("b.md", SOURCE)], Options(), store=copy))
    assert seen == ["a.md", "b.md", "b.md"]
    assert (tmp_path / "cache.db").read_bytes() == before


def test_parses_of_nights_past_go(tmp_path: Path) -> None:
    """The cache holds what is in use, and not much more."""

    def kept(count: int) -> int:
        with open_cache(tmp_path / "cache.db") as store:
            tasks = [task(f"{count}-{n}.md", b"%d" % n) for n in range(count)]
            list(parse_all(tasks, Options(), store=store))
            return int(store._connection.execute("SELECT count(*) FROM parses").fetchone()[0])

    assert [kept(900), kept(300), kept(400)] == [900, 1200, 1600]
    assert kept(400) == 1600  # at most half more than are used, and a thousand
    with open_cache(tmp_path / "cache.db") as store:  # what the night's own edits are read as
        store.tidies = False
        list(parse_all([task(f"e-{n}.md", b"%d" % n) for n in range(9)], Options(), store=store))
    assert kept(400) == 400  # though nothing is new
    assert kept(500) == 900


def test_few_files_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting an interpreter costs more than parsing a few thousand files."""
    assert workers.workers_for(workers.ENOUGH - 1) == 0
    monkeypatch.setattr(workers, "cores", lambda: 64)
    assert workers.workers_for(1_000_000) == workers.MOST
    monkeypatch.setattr(workers, "cores", lambda: 1)
    assert workers.workers_for(1_000_000) == 1
    monkeypatch.setattr(sys, "executable", "")
    assert workers.workers_for(1_000_000) == 0


@pytest.mark.parametrize("name", BAD_INTERPRETERS)
def test_a_worker_that_breaks_costs_nothing_but_time(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file is read, and as what it is read without."""
    tasks = fuzzed(60)
    alone = told(parse_all(tasks, Options(), workers=0))
    be_interpreter(name, tmp_path, monkeypatch)
    assert told(parse_all(tasks, Options(), workers=2)) == alone


def test_nothing_is_imported_from_where_we_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A corpus that holds a json.py has it read, not run."""
    trap = "import pathlib; pathlib.Path('sprung').touch(); raise SystemExit\n"
    write(tmp_path, dict.fromkeys(("json.py", "memsleep.py", "signal.py", "encodings.py"), trap))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    tasks = fuzzed(60)
    seen = counted(monkeypatch)
    list(parse_all(tasks, Options(), workers=2))
    assert not (tmp_path / "sprung").exists()
    assert seen == []


RUN = """
import sys
sys.path[:0] = {paths!r}
from memsleep.corpus import workers
from memsleep.dialects.base import Options
workers.BATCH_FILES = 8
tasks = [("plain", str(n), b"Text %d.\\n" % n) for n in range(4000)]
found = workers.shared_parses(tasks, Options(), 2)
for n, _ in enumerate(found):
    if n == 40:
        print("going", flush=True)
        import time
        for _ in range(1200):  # a signal that another thread takes ends no sleep
            time.sleep(0.05)
"""


def children_of(pid: int) -> list[int]:
    """Return what a process's threads began; a thread may end while we look at it."""
    found: set[int] = set()
    for place in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found |= {int(n) for n in (place / "children").read_text().split()}
    return sorted(found)


def is_gone(pid: int) -> bool:
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_worker_is_left_behind(sign: signal.Signals) -> None:
    """Whatever ends the one who asks, its workers end too."""
    code = RUN.format(paths=[str(SRC)])
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == b"going\n"
        there = children_of(process.pid)
        assert len(there) == 2
        if sign == signal.SIGINT:
            os.killpg(process.pid, sign)  # as a terminal does: to all of them
        else:
            process.send_signal(sign)
        _, errors = process.communicate(timeout=120)
    for _ in range(600):
        if all(map(is_gone, there)):
            break
        time.sleep(0.05)
    assert all(map(is_gone, there))
    assert errors.count(b"Traceback") == (sign == signal.SIGINT)
    assert (b"KeyboardInterrupt" in errors) == (sign == signal.SIGINT)
