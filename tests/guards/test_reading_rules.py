"""Rules by which an English claim is read: each is needed, and data spread out as they say."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from memsleep.guards import claims, phrasal, restating, sameness, voice
from memsleep.guards.frames import Frames
from memsleep.guards.nominal_passive import NominalPassive
from memsleep.guards.sameness import says_same
from memsleep.guards.tables import spread_out

Case = tuple[object, str, Callable[..., object], str]
LEFT_OUT: list[Case] = [
    (NominalPassive, "applied", lambda _self, tokens: tokens, "light_verbs"),
    (voice, "_told_of", lambda _language, who, rest: [(*who, *rest)], "light_verbs"),
    (phrasal, "_ends", lambda tokens, place: place + 1 == len(tokens), "light_verbs"),
    (Frames, "applied", lambda _self, tokens: tokens, "frames"),
    (sameness, "is_adverb_moved", lambda _a, _b: False, "adverbs"),
]


def _rows(name: str, label: str) -> list[list[str]]:
    path = Path(__file__).parent / "english" / f"{name}.tsv"
    rows = [line.split("\t") for line in path.read_bytes().decode().splitlines()]
    return [pair for told, *pair in rows if told == label]


@pytest.mark.usefixtures("fresh_readings")
@pytest.mark.parametrize(
    ("owner", "name", "without", "table"), LEFT_OUT, ids=[f"{row[1]}-{row[3]}" for row in LEFT_OUT]
)
def test_no_rule_can_be_taken_out(
    owner: object,
    name: str,
    without: Callable[..., object],
    table: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without any one rule a pair of its table that says the same is a question."""
    monkeypatch.setattr(owner, name, without)
    assert not all(says_same(*row) for row in _rows(table, "same"))


lists = import_module("memsleep.guards.lists")  # the guard of that name hides it
LISTED: list[tuple[object, str, Callable[..., object]]] = [
    (lists, "tells_who", lambda _a, _b, _members: False),
    (lists, "moves_head", lambda _a, _b: False),
    (lists, "_order_is_said", lambda *_args, **_said: False),
    (restating, "determined", lambda _claim: frozenset()),
]


@pytest.mark.usefixtures("fresh_readings")
@pytest.mark.parametrize(("owner", "name", "without"), LISTED, ids=[row[1] for row in LISTED])
def test_no_rule_on_lists_can_be_taken_out(
    owner: object, name: str, without: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any one rule two lists that tell different things would say the same."""
    monkeypatch.setattr(owner, name, without)
    assert any(says_same(*row) for row in _rows("listed", "different"))


@pytest.mark.usefixtures("fresh_readings")
def test_a_change_is_no_denied_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the rule on what un- turns back, a door that was unlocked was not locked."""
    monkeypatch.setattr(claims, "is_change", lambda _language, _tokens, _place: False)
    assert any(says_same(*row) for row in _rows("reversals", "different"))


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("take out", ("take out",)),
        ("do|make a| test of", ("do a test of", "do test of", "make a test of", "make test of")),
        ("carry_out a test", ("carry_out a test",)),
        ("carry_out| a test", ("carry out a test", "a test")),
        ("a|a b", ("a b",)),
    ],
)
def test_choices_are_spread_out(phrase: str, found: tuple[str, ...]) -> None:
    """A phrase with a choice stands for each, once; without one it stands for itself."""
    assert spread_out(phrase) == found
