"""Whatever a night writes into a memhtml store passes the rules of that format itself.

The rules are those of `memhtml_rules_kit`: written down a second time, on another parser.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from corpus_kit import write
from memhtml_rules_kit import Page, broken, broken_edit, broken_store, memories_of
from memhtml_stores_kit import awkward_store
from memsleep.dialects.memhtml import MEMHTML
from memsleep.fold import Folded, fold
from memsleep.model import Unreadable
from memsleep.night import NightResult
from memsleep.proposals import Archive, Merge
from memsleep.readers.memhtml_paths import is_memory_path
from memsleep.settings import Settings, WriteSettings
from night_kit import FIXTURES, git_apply, request_for, run_night, seeded_state
from phases_kit import head_link, html
from stores_kit import snapshot_of
from truth_corpora import misleading_store

PROFILES = ("careful", "reference")
SEEDS = range(6)


def files_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def hold(root: Path, before: Mapping[str, bytes], result: NightResult) -> int:
    """Hold each changed file against the rules; return how many there were."""
    after = files_of(root)
    assert broken_store(before, after) == []
    origins = {new: old for old, new in result.moves.items()}
    kinds = {path: page.first("type") for path, page in memories_of(after).items()}
    changed = [p for p in memories_of(after) if after[p] != before.get(p)]
    told = [t for p in changed for t in broken_edit(p, before[origins.get(p, p)], after[p], kinds)]
    assert told == []
    now = result.start.now
    for old, new in result.moves.items():
        hold_move(old, new, after, now)
    return len(changed)


def hold_move(old: str, new: str, after: Mapping[str, bytes], now: str) -> None:
    """Hold one archived file against the archive mapping and its stamps."""
    folder, _, name = new.rpartition("/")
    stem = name.removesuffix(".html")
    assert new == f"archive/{now[:4]}/{old}" or (
        folder == f"archive/{now[:4]}/{old.rpartition('/')[0]}"
        and stem.rpartition("-")[0] == old.rpartition("/")[2].removesuffix(".html")
        and int(stem.rpartition("-")[2]) > 1
    )
    page = memories_of({new: after[new]})[new]
    assert (page.first("status"), page.first("archived")) == ("archived", now)
    successor = page.first("superseded-by")
    assert successor is None or (successor.startswith("/") and successor[1:] != new)


def night(root: Path, tmp_path: Path, profile: str, state: Path | None = None) -> NightResult:
    request = request_for(root, state_dir=state, options={"run.profile": profile})
    result, outcome = run_night(request)
    git_apply(root, outcome.artifacts["sleep.diff"])
    return result


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", ["html-store", "stores/memhtml"])
def test_fixture_stores(name: str, profile: str, tmp_path: Path) -> None:
    """A night over each store of the fixtures leaves it a store by the format's own rules."""
    root = tmp_path / "corpus"
    shutil.copytree(FIXTURES / name / "corpus", root)
    state = seeded_state(name, tmp_path) if name == "html-store" else None
    before = files_of(root)
    assert hold(root, before, night(root, tmp_path, profile, state)) > 0


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", SEEDS)
def test_generated_stores(seed: int, profile: str, tmp_path: Path) -> None:
    """So does a night over stores with heads of every kind, and the night after some of them."""
    root = tmp_path / "corpus"
    write(root, awkward_store(seed))
    for _ in range(1 + (seed < 2)):
        before = files_of(root)
        hold(root, before, night(root, tmp_path, profile))


@pytest.mark.parametrize("seed", range(20))
def test_both_writings_of_the_rules_agree(seed: int) -> None:
    """The reader refuses the files that break a rule, and hashes the others to the same digest."""
    for path, source in awkward_store(seed).items():
        if not is_memory_path(path):
            continue
        read = MEMHTML.read(path, source)
        assert isinstance(read, Unreadable) is bool(broken(path, source)), path
        assert isinstance(read, Unreadable) or read.content_hash == Page(source).digest


@pytest.mark.parametrize("seed", range(4))
def test_misleading_stores(seed: int, tmp_path: Path) -> None:
    """So does a night over a store of few names and many copies."""
    root = tmp_path / "corpus"
    write(root, misleading_store(seed))
    before = files_of(root)
    hold(root, before, night(root, tmp_path, "careful"))


TASK = html("Do it.", '<meta name="memhtml-task-status" content="todo">', kind="task")
ANCHOR = ' See <a href="/areas/t.html">it</a>.'
CARRIED = [
    (html("One two, three.", head_link("relates-to", "/areas/t.html")), False),
    (html("One two, three.", head_link("contradicts", "/areas/t.html?x=1")), False),
    (html("One two, three.", head_link("relates-to", "/areas/b.html")), True),
    (html("One two, three.", head_link("about-person", "/areas/t.html")), True),
    (html("One two, three.", head_link("blocks", "/areas/t.html")), True),
    (html("One two, three.", body=ANCHOR), True),
]


@pytest.mark.parametrize(("dropped", "lands"), CARRIED)
def test_no_memory_is_linked_to_a_task(dropped: str, lands: bool, tmp_path: Path) -> None:
    """A merge that would state a memory relation with a task at its end is refused, and says so."""
    done = merged(dropped, tmp_path)
    assert (not done.refused) is lands
    assert all("with a task at one end" in refusal.reason for refusal in done.refused)
    assert b'href="/areas/t.html' not in done.snapshot.files["areas/k.html"] or lands


def test_no_task_is_linked_to_a_memory(tmp_path: Path) -> None:
    """Nor does a task take a memory relation over."""
    done = merged(html("One two, three."), tmp_path, keeper=TASK)
    assert "with a task at one end" in done.refused[0].reason


def merged(dropped: str, tmp_path: Path, keeper: str = html("One two.")) -> Folded:
    files = {"areas/k.html": keeper, "areas/d.html": dropped, "areas/t.html": TASK}
    start = snapshot_of(tmp_path, files | {"areas/b.html": html("Bees.")})
    merge = Merge(
        phase="t", reason="r", keeper="areas/k.html", dropped="areas/d.html", similarity=1.0
    )
    return fold(start, [merge], Settings())


@pytest.mark.parametrize(("path", "source", "lands"), [
    ("areas/a.html", html("Bees."), False),
    ("a.md", "---\nstatus: active\n---\nBees.\n", True),
])  # fmt: skip
def test_a_flag_archives_where_it_is_read(
    path: str, source: str, lands: bool, tmp_path: Path
) -> None:
    """Where only the place tells what is archived, a flag would change nothing: it is refused."""
    start = snapshot_of(tmp_path, {path: source})
    gone = Archive(phase="t", reason="r", path=path, cause="evicted")
    done = fold(start, [gone], Settings(write=WriteSettings(archive="flag")))
    assert (not done.refused) is lands
    assert done.snapshot.memories[path].archived is lands
    assert lands or "by its place alone" in done.refused[0].reason
