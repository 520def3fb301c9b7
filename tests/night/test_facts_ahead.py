"""Facts that other processes make save time; what pairing finds stays the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate_kit import TOPICS, say
from interpreter_kit import BAD_INTERPRETERS, be_interpreter
from memsleep.known import Known
from memsleep.model import Snapshot
from memsleep.night import facts_ahead
from memsleep.night.facts_ahead import make_facts
from memsleep.phases.pairing import duplicable
from memsleep.phases.pairing import propose as pair
from memsleep.phases.recall import facts_of
from memsleep.settings import Settings
from phases_kit import snapshot


def _snapshot() -> Snapshot:
    """Claims of several languages and kinds, equal ones among them."""
    texts = [*TOPICS, TOPICS[0], "The limit is 7", "\u7f13\u5b58\u7684\u4e0a\u9650\u662f 7", ""]
    return snapshot([say(f"{n:02}.md", text, "It holds.") for n, text in enumerate(texts)])


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts_ahead, "ENOUGH", 1)
    monkeypatch.setattr(facts_ahead, "BATCH", 5)
    monkeypatch.setattr(facts_ahead, "cores", lambda: 2)


def test_the_facts_are_those_that_pairing_makes() -> None:
    """Every fact comes from the other processes, none is made again, and all are the same."""
    ahead, settings = _snapshot(), Settings()
    make_facts(ahead, settings)
    table = ahead.known.tables["facts"]
    keys, made = len(table.used), table.made
    assert keys == made == len({*map(str, table.used)}) > len(TOPICS)
    memories = duplicable(ahead, settings)
    assert facts_of(memories, ahead.known) == facts_of(memories, Known())
    assert table.made == made
    assert list(pair(ahead, settings)) == list(pair(_snapshot(), settings))


@pytest.mark.parametrize("name", BAD_INTERPRETERS)
def test_processes_that_break_cost_nothing_but_time(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pairing makes the facts that it was not given."""
    be_interpreter(name, tmp_path, monkeypatch)
    ahead, settings = _snapshot(), Settings()
    make_facts(ahead, settings)
    assert list(pair(ahead, settings)) == list(pair(_snapshot(), settings))


@pytest.mark.parametrize(
    ("name", "value"), [("ENOUGH", 10_000), ("cores", lambda: 1)], ids=["few", "one core"]
)
def test_nothing_is_started_where_it_does_not_pay(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few facts are made sooner than a process starts."""
    monkeypatch.setattr(facts_ahead, name, value)
    monkeypatch.setattr(facts_ahead, "shared_answers", None)
    make_facts(_snapshot(), Settings())


def test_what_is_known_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night that knows all facts asks nobody."""
    ahead, settings = _snapshot(), Settings()
    facts_of(duplicable(ahead, settings), ahead.known)
    table = ahead.known.tables["facts"]
    table.kept = table.used
    monkeypatch.setattr(facts_ahead, "shared_answers", None)
    make_facts(ahead, settings)


def test_what_pairing_does_not_ask_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither without pairing nor where vectors alone decide."""
    monkeypatch.setattr(facts_ahead, "shared_answers", None)
    plain = Settings()
    vectors = {"content": False, "lexical": False, "frame": False}
    for settings in (
        plain.model_copy(update={"run": plain.run.model_copy(update={"phases": ("decay",)})}),
        plain.model_copy(update={"pairing": plain.pairing.model_copy(update=vectors)}),
    ):
        make_facts(_snapshot(), settings)
