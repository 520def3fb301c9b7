from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from memsleep.errors import StateError
from memsleep.instants import add_days
from memsleep.model import Usage
from memsleep.state.accesses import Access
from memsleep.state.database import Schema, open_database
from memsleep.state.documents import Document
from memsleep.state.migrations import STATE
from memsleep.state.store import open_state
from memsleep.state.versions import Change, content_of
from state_kit import NEXT, NIGHT, filled, run_script
from usage_kit import memory


def test_log_keeps_ninety_days(tmp_path: Path) -> None:
    """Exactly 90 days old stays, older goes, and the counts of use stay as they are."""
    with filled(tmp_path / "state.db", {"a.md": Usage(7)}) as state:
        edge, old = add_days(NIGHT, -90), add_days(NIGHT, -90.001)
        state.log([Access("a.md", "read", edge), Access("a.md", "read", old)], old)
        assert len(state.accesses()) == 2
        state.log([Access("b.md", "search", NIGHT, "s1")], NIGHT)
        assert [(e.memory_id, e.at) for e in state.accesses()] == [("a.md", edge), ("b.md", NIGHT)]
        assert state.accesses("b.md") == (Access("b.md", "search", NIGHT, "s1"),)
        assert state.usage()["a.md"].access_count == 7


def test_log_refuses_other_operations(tmp_path: Path) -> None:
    """The closed list of operations is held by the database itself."""
    with filled(tmp_path / "state.db") as state, pytest.raises(StateError):
        state.log([Access("a.md", "look", NIGHT)], NIGHT)  # type: ignore[arg-type]


def test_use_follows_a_move(tmp_path: Path) -> None:
    """Counts, log and versions of a memory are found under its new path."""
    with filled(tmp_path / "state.db") as state:
        state.see_versions([memory("a.md")], state.ids(), NIGHT)
        state.change_usage(
            lambda _, usage: replace(usage, access_count=3),
            ["a.md"],
            [Access("a.md", "read", NIGHT)],
            NIGHT,
        )
        state.observe({"new/a.md": "digest a", "b.md": "digest b"}, NEXT)
        assert state.ids()["new/a.md"] == "a.md"
        assert state.usage()["new/a.md"].access_count == 3
        assert [event.op for event in state.accesses("a.md")] == ["read"]
        assert [v.revision for v in state.versions("a.md")] == [1]


def test_chain_of_versions(tmp_path: Path) -> None:
    """First sight, an edit, an archiving, a return: one version each, none for what is the same."""
    with filled(tmp_path / "state.db") as state:
        ids = state.ids()
        first = memory("a.md", "One.")
        edited = memory("a.md", "Two.", confidence=0.5)
        steps = [first, first, edited, replace(edited, status="archived"), edited]
        added = [state.see_versions([step], ids, NIGHT) for step in steps]
        assert added == [1, 0, 1, 1, 1]
        chain = state.versions("a.md")
        assert [(v.revision, v.cause) for v in chain] == [
            (1, "insert"),
            (2, "edit"),
            (3, "archive"),
            (4, "restore"),
        ]
        assert chain[1].content.gist == "Two."
        assert chain[1].content.confidence == 0.5


def test_versions_of_a_run(tmp_path: Path) -> None:
    """A landed run adds its causes once, with its id; an unknown path is given back."""
    with filled(tmp_path / "state.db") as state:
        state.see_versions([memory("a.md", "One.")], state.ids(), NIGHT)
        faded = content_of(memory("a.md", "One.", confidence=0.7))
        change = Change(faded, "decay", "nothing confirmed it")
        lost = Change(content_of(memory("lost.md")), "merge")
        assert state.add_versions([change, lost], "sleep/1", NEXT) == (lost,)
        assert state.add_versions([change], "sleep/1", NEXT) == ()
        chain = state.versions("a.md")
        assert [(v.cause, v.reason, v.run_id) for v in chain] == [
            ("insert", None, None),
            ("decay", "nothing confirmed it", "sleep/1"),
        ]
        assert state.see_versions([memory("a.md", "One.", confidence=0.7)], state.ids(), NEXT) == 0


def test_a_version_is_never_changed(tmp_path: Path) -> None:
    """The database itself refuses to rewrite history."""
    with filled(tmp_path / "state.db") as state:
        state.see_versions([memory("a.md")], state.ids(), NIGHT)
    connection = sqlite3.connect(tmp_path / "state.db")
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        connection.execute("UPDATE versions SET gist = 'other'")
    connection.close()


def test_corroboration(tmp_path: Path) -> None:
    """Only another run over another corpus is a second witness."""
    with filled(tmp_path / "state.db") as state:
        steps = [
            ("r1", "c1", 1),
            ("r1", "c2", 1),
            ("r2", "c1", 1),
            ("r2", "c2", 2),
            ("r3", "c2", 2),
        ]
        for run, corpus, detections in steps:
            found = state.detect("alias", "a=b", run, corpus)
            assert (found.detections, found.corroborated) == (detections, detections >= 2)
        assert not found.promoted
        state.promote("alias", "a=b")
        assert state.detect("alias", "a=b", "r3", "c2").promoted
        assert state.detect("alias", "other", "r3", "c2").detections == 1


def test_questions_keep_their_first_night(tmp_path: Path) -> None:
    """As long as each night asks them; what one night leaves out, or purge takes out, is new."""
    with filled(tmp_path / "state.db") as state:
        state.ask(["a.md\0b.md", "a.md\0c.md"], "2026-11-01T03:00:00Z")
        state.ask(["a.md\0c.md", "b.md\0c.md"], "2026-11-02T03:00:00Z")
        assert state.asked() == {
            "a.md\0c.md": "2026-11-01T03:00:00Z",
            "b.md\0c.md": "2026-11-02T03:00:00Z",
        }
        state.ask(["a.md\0b.md", "b.md\0c.md"], "2026-11-03T03:00:00Z")
        assert state.asked()["a.md\0b.md"] == "2026-11-03T03:00:00Z"
        state.forget("a.md")
        assert list(state.asked()) == ["b.md\0c.md"]
        state.ask([], "2026-11-04T03:00:00Z")
        assert state.asked() == {}


def test_suspicions_of_earlier_texts_are_forgotten(tmp_path: Path) -> None:
    """Those whose keys begin alike, but for one, and none of another kind or pair."""
    with filled(tmp_path / "state.db") as state:
        for kind, key in (("c", "a\0b\0x"), ("c", "a\0b\0y"), ("c", "a\0c\0x"), ("d", "a\0b\0x")):
            state.detect(kind, key, "r1", "c1")
        state.forget_suspicions("c", "a\0b\0", but="a\0b\0y")
        assert list(state.suspicions("c")) == ["a\0b\0y", "a\0c\0x"]
        assert list(state.suspicions("d")) == ["a\0b\0x"]


def test_full_text(tmp_path: Path) -> None:
    """Any three characters in a row are found, fewer are not; what is gone is not."""
    with filled(tmp_path / "state.db") as state:
        index = state.full_text()
        documents = {
            "a.md": Document("a.md", "Deploy window", "The timeouts are long."),
            "b.md": Document("b.md", "备份", "数据库每天备份一次。"),
        }
        assert index.sync(documents) == 2
        assert index.sync(documents) == 0
        assert [path for path, _ in index.match(["meou"], 5)] == ["a.md"]
        assert [path for path, _ in index.match(["据库每"], 5)] == ["b.md"]
        assert index.match(["备份"], 5) == []
        assert index.match(['"; DROP', "the"], 5) != []
        documents["a.md"] = Document("a.md", "Deploy window", "Short now.")
        del documents["b.md"]
        assert index.sync(documents) == 2
        assert index.match(["meou", "数据库"], 5) == []


def test_readers_and_one_writer(tmp_path: Path) -> None:
    """Readers see whole states while a writer writes: both rows of a transaction or none."""
    path = tmp_path / "state.db"
    filled(path, {"a.md": Usage(0), "b.md": Usage(0)}).close()
    done, odd = threading.Event(), []

    def look() -> None:
        with open_state(path) as state:
            while not done.is_set():
                counts = {usage.access_count for usage in state.usage().values()}
                if len(counts) != 1:
                    odd.append(counts)

    readers = [threading.Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    with open_state(path) as state:
        for _ in range(30):
            state.change_usage(
                lambda _, usage: replace(usage, access_count=usage.access_count + 1),
                ["a.md", "b.md"],
                [],
                NIGHT,
            )
    done.set()
    for reader in readers:
        reader.join()
    assert odd == []


def test_two_writers_wait_for_each_other(tmp_path: Path) -> None:
    """No count of two processes that write at once is lost."""
    path = tmp_path / "state.db"
    filled(path).close()

    def bump() -> None:
        with open_state(path) as state:
            for _ in range(20):
                state.change_usage(
                    lambda _, usage: replace(usage, access_count=usage.access_count + 1),
                    ["a.md"],
                    [],
                    NIGHT,
                )

    writers = [threading.Thread(target=bump) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with open_state(path) as state:
        assert state.usage()["a.md"].access_count == 60


KILLED = """
import functools, os, signal, sqlite3, sys
from pathlib import Path
from memsleep.state import database

class Killed(sqlite3.Connection):
    left = int(sys.argv[2]) if len(sys.argv) < 4 else 10_000

    def _count(self):
        if Killed.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        Killed.left -= 1

    def execute(self, *arguments):
        self._count()
        return super().execute(*arguments)

    def executemany(self, *arguments):
        self._count()
        return super().executemany(*arguments)

database.sqlite3.connect = functools.partial(sqlite3.connect, factory=Killed)
from memsleep.state.store import open_state
"""
KILLED_OPENING = KILLED + "open_state(Path(sys.argv[1])).close()"
KILLED_CITE = (
    KILLED
    + """
from memsleep.access.rules import cited
from memsleep.state.accesses import Access
with open_state(Path(sys.argv[1])) as state:
    Killed.left = int(sys.argv[2])
    state.change_usage(
        lambda _, usage: cited(usage, "2026-11-30T03:00:00Z"), ["a.md", "b.md"],
        [Access(m, "cite", "2026-11-30T03:00:00Z") for m in ("a.md", "b.md")],
        "2026-11-30T03:00:00Z",
    )
"""
)


def test_a_kill_in_any_migration_leaves_a_whole_database(tmp_path: Path) -> None:
    """From the first version to the newest: killed before every few statements, opened again."""
    first = Schema(STATE.application_id, STATE.migrations[:1])
    total = sum(len(each) + 5 for each in STATE.migrations)
    reached = set()
    for left in range(6, total, 7):
        path = tmp_path / f"{left}.db"
        connection = open_database(path, first)
        connection.execute("INSERT INTO memories VALUES ('a.md', 'a.md', 'd', '', NULL)")
        connection.close()
        killed = run_script(KILLED_OPENING, str(path), str(left)) == -9
        plain = sqlite3.connect(path)
        version = plain.execute("PRAGMA user_version").fetchone()[0]
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        plain.close()
        assert 1 <= version <= STATE.version
        reached.add((killed, version))
        with open_state(path) as state:
            assert list(state.ids()) == ["a.md"]
    assert len({version for killed, version in reached if killed}) >= STATE.version - 4


def test_a_kill_in_a_write_leaves_all_or_nothing(tmp_path: Path) -> None:
    """Count and log of one citing belong together, wherever the process dies."""
    seen = set()
    for left in (0, 2, 4, 6, 7, 8):
        path = tmp_path / f"{left}.db"
        filled(path).close()
        run_script(KILLED_CITE, str(path), str(left), "opened")
        with open_state(path) as state:
            counts = [usage.usage_count for usage in state.usage().values()]
            seen.add((tuple(counts), len(state.accesses())))
    assert seen == {((), 0), ((1, 1), 2)}
