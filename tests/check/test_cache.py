"""The cache changes no finding, and never stops a check."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from check_kit import copy_fixture, result_of, run_check, told
from corpus_kit import write
from interpreter_kit import BAD_INTERPRETERS, be_interpreter
from memsleep.check import facts, findings, looking
from memsleep.check.cache import Cache, _sum
from memsleep.check.corpus import CheckedCorpus
from memsleep.check.model import Found
from memsleep.check.rules import links


def _counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    original = looking.facts_of
    monkeypatch.setattr(looking, "facts_of", lambda view: seen.append(view.path) or original(view))
    return seen


@pytest.mark.parametrize("name", ["html-store", "markdown-vault"])
def test_warm_is_what_cold_is(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same findings, and only the changed file is looked at again."""
    root = copy_fixture(name, tmp_path)
    cache = tmp_path / "cache.db"
    cold = run_check(root, cache=cache).result
    seen = _counted(monkeypatch)
    assert run_check(root, cache=cache).result.findings == cold.findings
    assert seen == []
    path = next(f.path for f in cold.findings if f.code == "MS201")
    source = (root / path).read_bytes()
    (root / path).write_bytes(source.replace(b"gone", b"lost") + b"\n")
    run_check(root, cache=cache)
    assert seen == [path]
    (root / path).write_bytes(source)
    assert run_check(root, cache=cache).result.findings == cold.findings


def test_another_setting_is_another_cache(tmp_path: Path) -> None:
    """What depends on the config is looked at anew."""
    root = write(tmp_path / "c", {"a.md": "one two three\n"})
    cache = tmp_path / "cache.db"
    assert told(run_check(root, cache=cache).result) == []
    limited = run_check(root, cache=cache, check__max_file_bytes=5).result
    assert told(limited) == ["a.md:1:1 MS601"]
    assert told(run_check(root, cache=cache).result) == []


def _flip(path: Path) -> None:
    """Change one byte of each value, behind the back of its digest."""
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE entries SET value = CAST(replace(value, 'MS201', 'MS999') AS BLOB)"
        )
        connection.execute(
            "UPDATE entries SET value = zeroblob(length(value)) WHERE kind LIKE 'vector%'"
        )
    connection.close()


DAMAGES: list[Callable[[Path], object]] = [
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(b"no database at all" * 100),
    lambda path: path.write_bytes(path.read_bytes()[:5000]),
    lambda path: path.write_bytes(path.read_bytes()[:100] + b"\xff" * 8000),
    _flip,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_is_ignored(damage: Callable[[Path], object], tmp_path: Path) -> None:
    """It is begun anew, and the findings are right."""
    files = {
        "a.md": "See [[gone]].\n",
        "b.md": "The probe waits 30 s before it reports.\n",
        "c.md": "The probe waits 30s before it reports.\n",
    }
    root = write(tmp_path / "c", files)
    cache = tmp_path / "cache.db"
    expected = run_check(root, cache=cache).result.findings
    damage(cache)
    assert run_check(root, cache=cache).result.findings == expected
    assert run_check(root, cache=cache).result.findings == expected


def test_a_folder_in_its_place_costs_the_cache_alone(tmp_path: Path) -> None:
    """The check goes on without a cache."""
    root = write(tmp_path / "c", {"a.md": "See [[gone]].\n"})
    cache = tmp_path / "cache.db"
    cache.mkdir()
    assert told(run_check(root, cache=cache).result) == ["a.md:1:7 MS201"]
    assert cache.is_dir()


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """Not a byte of it changes, and the check goes on without a cache."""
    root = write(tmp_path / "c", {"a.md": "See [[gone]].\n"})
    cache = tmp_path / "cache.db"
    with sqlite3.connect(cache) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = cache.read_bytes()
    assert told(run_check(root, cache=cache).result) == ["a.md:1:7 MS201"]
    assert cache.read_bytes() == before


def test_it_does_not_grow_for_ever(tmp_path: Path) -> None:
    """What was not needed for long is cleared out."""
    cache = tmp_path / "cache.db"
    for number in range(30):
        one = Cache(cache, f"context {number}")
        one.keep("facts", {f"{n}": b"x" for n in range(100)})
        one.close()
    with sqlite3.connect(cache) as connection:
        (count,) = connection.execute("SELECT count(*) FROM entries").fetchone()
    connection.close()
    assert count <= 1000


def test_facts_survive_a_round_trip(tmp_path: Path) -> None:
    """What goes to another process or to the cache comes back, less the body."""
    root = copy_fixture("html-store", tmp_path)
    checked = run_check(root)
    for path, one in checked.corpus.facts.items():
        assert facts.facts_from_json(path, one.to_json(), one.body) == one


def made_elsewhere(monkeypatch: pytest.MonkeyPatch, *, small: bool = True) -> list[int]:
    """Share out few files as well; count those that are looked at here."""
    here: list[int] = []
    look = looking.look_at

    def counting(tasks: Sequence[looking.Task], *rest: Any) -> list[looking.Looked]:
        here.append(len(tasks))
        return look(tasks, *rest)

    monkeypatch.setattr(looking, "look_at", counting)
    monkeypatch.setattr(looking, "CHUNK", 7)
    if small:
        monkeypatch.setattr(looking, "ENOUGH_TO_SHARE", 1)
    return here


@pytest.mark.parametrize("name", ["markdown-vault", "html-store"])
def test_many_processes_find_what_one_finds(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How the work is shared out does not show."""
    root = copy_fixture(name, tmp_path)
    write(root, {"a\u00e9\u7f13.md": "\u7f13\u5b58\n", "empty.md": "", "bad.md": b"\xff\xfe\n"})
    here = made_elsewhere(monkeypatch)
    shared = run_check(root, jobs=2)
    assert here == []
    monkeypatch.undo()
    alone = run_check(root)
    assert shared.result.findings == alone.result.findings
    assert shared.corpus.facts == alone.corpus.facts


@pytest.mark.parametrize("name", BAD_INTERPRETERS)
def test_a_process_that_breaks_costs_nothing_but_time(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a machine that gives none."""
    root = copy_fixture("markdown-vault", tmp_path)
    alone = run_check(root)
    here = made_elsewhere(monkeypatch)
    be_interpreter(name, tmp_path, monkeypatch)
    broken = run_check(root, jobs=2)
    assert sum(here) == len(alone.corpus.facts)
    assert broken.result.findings == alone.result.findings


def test_few_files_start_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are looked at before one is there."""
    here = made_elsewhere(monkeypatch, small=False)
    be_interpreter("hangs", tmp_path, monkeypatch)
    monkeypatch.setattr(looking, "shared_answers", partial(nobody, looking.shared_answers))
    run_check(copy_fixture("markdown-vault", tmp_path), jobs=2)
    assert sum(here) > 10


def nobody(share: Callable[..., Any], module: str, batches: Any, ask: Any, count: int) -> Any:
    assert count == 0
    return share(module, batches, ask, count)


WORDS = st.lists(
    st.sampled_from("the pump valve hose tap shed 30 40 not is waits".split()), max_size=8
)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    first=st.lists(WORDS, max_size=6),
    second=st.lists(WORDS, max_size=6),
)
def test_pairs_are_the_same_however_they_were_found(
    first: list[list[str]], second: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Near pairs found step by step are those of a check from nothing."""
    folder = tmp_path_factory.mktemp("p")
    cache = folder / "cache.db"
    root = write(folder / "c", _files("a", first))
    root.mkdir(exist_ok=True)
    run_check(root, cache=cache)
    for path in list(root.iterdir())[::2]:
        path.unlink()
    write(root, _files("b", second))
    assert run_check(root, cache=cache).result.findings == result_of(root).findings


def _files(prefix: str, texts: list[list[str]]) -> dict[str, str]:
    return {f"{prefix}{n}.md": f"{' '.join(words)}.\n" for n, words in enumerate(texts)}


TAIL = """

It lies behind the shed, on the north side, where the hose does not reach. Leaves go in first, then
grass, then what the kitchen gives; bones and bread stay out of it, for rats come. A board
keeps the rain off, and a stone keeps the board down when the wind blows.
"""
HEAP = f"The compost heap is turned.{TAIL}"
FORK = f"The compost heap is turned, with the long fork that hangs beside the door.{TAIL}"


def test_a_pair_that_only_vectors_find_is_found_step_by_step(tmp_path: Path) -> None:
    """The second file comes when the cache knows the first; their claims are not near."""
    root = write(tmp_path / "c", {"a.md": HEAP})
    cache = tmp_path / "cache.db"
    assert told(run_check(root, cache=cache).result) == []
    write(root, {"b.md": FORK})
    for _ in range(2):
        assert told(run_check(root, cache=cache).result) == ["b.md:1:1 MS302"]
    assert told(run_check(root, embedder__name="none").result) == []


# Findings of a whole corpus --------------------------------------------------------------------

REMEMBERED = {
    "a.md": "---\nvalid_until: 2026-12-05\n---\n\nThe kettle holds two litres. See [[nowhere]].\n",
    "b.md": "The port of the gateway is 8080.\n",
    "sub/c.md": "The port of the gateway is 8443.\n",
}


def _rules_asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets a word each time the rules about links are asked."""
    asked: list[str] = []

    def find(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
        asked.append("links")
        return links.find_in_corpus(corpus)

    rules = tuple(find if rule is links.find_in_corpus else rule for rule in findings.LASTING)
    monkeypatch.setattr(findings, "LASTING", rules)
    return asked


def test_lasting_findings_are_asked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same corpus asks no rule twice; a name, a byte or a setting more asks all again."""
    asked = _rules_asked(monkeypatch)
    root, cache = write(tmp_path / "c", REMEMBERED), tmp_path / "cache.db"
    first = told(run_check(root, cache=cache).result)
    assert first == ["a.md:5:36 MS201", "sub/c.md:1:1 MS303"]
    assert told(run_check(root, cache=cache).result) == first
    assert asked == ["links"]
    (root / "nowhere.txt").write_bytes(b"")  # no memory, but a name
    run_check(root, cache=cache)
    assert asked == ["links"] * 2
    assert told(run_check(root, cache=cache, check__off=["MS303"]).result) == ["a.md:5:36 MS201"]
    assert asked == ["links"] * 3
    (root / "b.md").write_bytes(b"The port of the gateway is 8443.\n")
    assert told(run_check(root, cache=cache).result) == ["a.md:5:36 MS201"]
    assert asked == ["links"] * 4


def test_time_goes_on_beside_a_cache(tmp_path: Path) -> None:
    """What depends on the instant is never remembered."""
    root, cache = write(tmp_path / "c", REMEMBERED), tmp_path / "cache.db"
    early = told(run_check(root, cache=cache).result)
    late = told(run_check(root, cache=cache, now="2027-01-20T03:00:00Z").result)
    assert set(late) - set(early) == {"a.md:2:14 MS401"}
    assert told(run_check(root, cache=cache).result) == early


@pytest.mark.parametrize("value", [b"", b"[1]", b'[["a.md"]]', b'{"a": 1}', b"[[1, [2]]]", b"\xff"])
def test_findings_that_are_none_are_found_anew(value: bytes, tmp_path: Path) -> None:
    """An entry of another shape counts as absent."""
    root, path = write(tmp_path / "c", REMEMBERED), tmp_path / "cache.db"
    first = told(run_check(root, cache=path).result)
    with sqlite3.connect(path) as plain:
        kinds = plain.execute("SELECT kind, key FROM entries WHERE kind LIKE 'found %'").fetchall()
        assert len(kinds) == 1
        (kind, key) = kinds[0]
        row = (value, _sum(kind, key, value), kind, key)
        plain.execute("UPDATE entries SET value = ?, sum = ? WHERE kind = ? AND key = ?", row)
    assert told(run_check(root, cache=path).result) == first
