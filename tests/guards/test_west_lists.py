"""German, French, Spanish, Portuguese, Italian and Russian: no list of marks can be taken out.

Each list that tells claims apart is emptied in turn; then a row of the tables is judged by other
guards than before, or merges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.guards import claims, compared, fired, genders, language, polarity
from memsleep.guards.tables import Table, table_of
from memsleep.guards.typography import fold_typography
from memsleep.settings import CAREFUL_GUARDS

CODES = ("de", "fr", "es", "pt", "it", "ru")
GROUPS = ("classes", "negation", "antonyms", "genders")
UNTOLD = frozenset({"amending", "retracting", "exceptions", "reversed"})
"""Lists that no guard of claims asks for, and lists of what is no mark."""
LISTS = [
    (code, group, name)
    for code in CODES
    for group in GROUPS
    for name in table_of(code).group(group)
    if name not in UNTOLD
]


def _rows(code: str) -> list[tuple[str, str]]:
    path = Path(__file__).parent / "west" / f"{code}.tsv"
    rows = [line.split("\t") for line in path.read_bytes().decode().split("\n") if line]
    return [(one, other) for _, one, other in rows]


def _forget() -> None:
    for kept in (
        language.language_named, claims.claim_of, claims.claim_in, claims.languages_of,
        genders._read, polarity._prefixes,
    ):  # fmt: skip
        kept.cache_clear()
    compared._LAST.a = compared._LAST.b = compared._LAST.claims = None


def _judged(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    for one, other in rows:
        a, b = kit.memory("a.md", body=one), kit.memory("b.md", body=other)
        pair = kit.replaced(a, gist=one), kit.replaced(b, gist=other)
        yield tuple(name for name, _ in fired(CAREFUL_GUARDS, *pair))


@lru_cache(maxsize=8)
def _before(code: str) -> dict[tuple[str, str], tuple[str, ...]]:
    _forget()
    rows = _rows(code)
    return dict(zip(rows, _judged(rows), strict=True))


def _concerned(code: str, group: str, name: str) -> list[tuple[str, str]]:
    """Return the rows of a language, those first in which a piece of a list stands."""
    pieces = table_of(code).words(name, group)

    def has_none(row: tuple[str, str]) -> bool:
        text = fold_typography(" ".join(row))
        return not any(piece.strip(",") in text for piece in pieces)

    return sorted(_rows(code), key=has_none)


@pytest.fixture
def _fresh() -> Iterator[None]:
    yield
    _forget()


def _without(table: Table, group: str, name: str) -> Table:
    left = {key: text for key, text in table.group(group).items() if key != name}
    return replace(table, values={**table.values, group: left})


@pytest.mark.usefixtures("_fresh")
@pytest.mark.parametrize(("code", "group", "name"), LISTS, ids=map(".".join, LISTS))
def test_no_list_can_be_taken_out(
    code: str, group: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a list some row is judged by other guards."""
    before, rows = _before(code), _concerned(code, group, name)
    table = _without(table_of(code), group, name)
    for module in (language, polarity):
        monkeypatch.setattr(module, "table_of", lambda c: table if c == code else table_of(c))
    _forget()
    assert any(before[row] != found for row, found in zip(rows, _judged(rows), strict=True))
