"""Each rule of other languages that finds a hidden difference is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memsleep.guards import claims, genders, hangul_verbs, language, sameness
from memsleep.guards.sameness import says_same

HERE = Path(__file__).parent
RULES: list[tuple[str, object, str, Callable[..., Any]]] = [
    ("de", sameness, "capitals_part", lambda _a, _b: False),
    ("es", sameness, "accents_part", lambda _a, _b: False),
    ("fr", genders, "_known", lambda _tokens, _language: {}),
    ("es", genders, "_known", lambda _tokens, _language: {}),
    ("pt", genders, "_known", lambda _tokens, _language: {}),
    ("it", genders, "_known", lambda _tokens, _language: {}),
    ("es", sameness, "duties_part", lambda _a, _b: False),
    ("it", sameness, "duties_part", lambda _a, _b: False),
    ("ar", sameness, "duties_part", lambda _a, _b: False),
    ("ko", hangul_verbs.KoreanVerbs, "_is_done_to", lambda _self, _stem: False),
]


def _differing(code: str) -> list[tuple[str, str]]:
    west = HERE / "west" / f"{code}.tsv"
    lines = (west if west.exists() else HERE / "pairs_east.tsv").read_bytes().decode().split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [
        (row[-2], row[-1]) for row in rows if row[0] in {code, "different"} and row[-3] != "same"
    ]


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    kept = (language.language_named, claims.claim_in, claims.claim_of, genders._read)
    for step in (*kept, sameness.relation):
        step.cache_clear()
    yield
    for step in (*kept, sameness.relation):
        step.cache_clear()


@pytest.mark.parametrize(
    ("code", "owner", "name", "without"), RULES, ids=[f"{row[0]}-{row[2]}" for row in RULES]
)
def test_without_a_rule_something_merges(
    code: str,
    owner: object,
    name: str,
    without: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Taking one rule out lets a pair of the language's table pass; with it none does."""
    monkeypatch.setattr(owner, name, without)
    assert any(says_same(*pair) for pair in _differing(code))
