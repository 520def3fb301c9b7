"""Each rule that finds a hidden difference is needed: without it a pair that differs merges."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from memsleep.guards.claims import claim_of
from memsleep.guards.sameness import relation

TABLE = Path(__file__).with_name("english") / "twins.tsv"


def _no(*_: Any, **__: Any) -> bool:
    return False


def _yes(*_: Any, **__: Any) -> bool:
    return True


RULES: list[tuple[str, str, Callable[..., bool]]] = [
    ("lists", "narrows", _no),
    ("lists", "ends_narrowly", _no),
    ("lists", "moves_head", _no),
    ("list_heads", "_leads_on", _yes),
    ("surfaces", "tenses_part", _no),
    ("surfaces", "_is_led", _no),
    ("receivers", "_are_given", _no),
    ("restating", "ends_noun", _yes),
    ("restating", "begins_noun", _yes),
]


def _differing() -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in TABLE.read_bytes().decode().split("\n")]
    return [(row[1], row[2]) for row in rows if row[0] == "different"]


def _merging() -> int:
    """Return how many pairs that differ are held for one, nothing remembered."""
    found = 0
    for pair in _differing():
        found += relation.__wrapped__(*map(claim_of, pair)) == "same"
    return found


@cache
def _as_they_are() -> int:
    return _merging()


def test_all_together_hold_every_pair() -> None:
    """With every rule in place no pair of the table is taken for one fact."""
    assert _as_they_are() == 0


@pytest.mark.parametrize(("module", "name", "instead"), RULES, ids=[name for _, name, _ in RULES])
def test_without_a_rule_something_merges(
    module: str, name: str, instead: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taking one rule out lets a pair of the table pass."""
    monkeypatch.setattr(import_module(f"memsleep.guards.{module}"), name, instead)
    assert _merging() > 0
