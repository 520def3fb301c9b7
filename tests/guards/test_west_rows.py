"""German, French, Spanish, Portuguese, Italian and Russian: no row of a table can be taken out.

Half of the rows of a table are taken out at once, the even ones or the odd ones: each of them
then says another thing than it did, so that no row is dead, and none says what another one says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from memsleep.guards import claims, genders, sameness
from memsleep.guards.language import CLASSES, Language, language_named
from memsleep.guards.particles import GAP
from memsleep.guards.tables import Table, table_of

CODES = ("de", "fr", "es", "pt", "it", "ru")
FRAMES = {
    "de": "Der Bericht {} liegt im Büro",
    "fr": "Le rapport {} reste au bureau",
    "es": "El informe {} queda en casa",
    "pt": "O relatório {} fica em casa",
    "it": "Il rapporto {} resta in ufficio",
    "ru": "Отчёт {} лежит дома",
}
Row = tuple[str, str]
TWICE = {
    "de": "ca, sonnabend, circa, gross, nußschale",
    "fr": """
        patate, patates, tous les mois, tous les matins, toutes les semaines, toutes les années,
        toutes les nuits, ognons, cacahouètes, chariots, bugs, clefs, payent, relais
    """,
    "es": """
        quizá, quizás, todas las semanas, todas las mañanas, sólo, por ej, por hora, los sábados,
        los domingos, setiembre, quilos
    """,
    "pt": """
        no lugar de, em lugar de, pequeno almoço, pequeno-almoço, todos os dias, todos os anos,
        electrônico, idéias, camiões, utilizadores, económico, gémeos, gémeo, dezasseis, equipes,
        registros, factos, contactos, direcções, projectos, vôos, ténis, comboios, desportos,
        de fato, de facto, o facto é que, o fato é que
    """,
    "it": "in mattinata, nella mattinata, alle volte",
    "ru": "не меньше #, сразу же, нуль, само собой разумеется",
}
"""Rows that another row or a rule of endings tells as well: a plural beside its singular."""
READ_OTHERWISE = {
    "fr": "deux peut-être soi-disant éventuellement dès",
    "es": "debe deben",
    "pt": "frequentemente segundo pro",
    "it": "secondo prima",
}
"""Marks that are read as a number, a date or a phrase of several words before classes are told."""


def _forget() -> None:
    for step in (claims.claim_in, claims.claim_of, genders._read, sameness.relation):
        step.cache_clear()


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    _forget()
    yield
    _forget()


def _rows(table: Table, name: str) -> list[Row]:
    """Return each row of a table of equals as (head, what says the same)."""
    if name in {"fillers", "openers"}:
        return [("", phrase) for phrase in table.phrases(name)]
    return [(head, other) for head, others in table.alternatives(name) for other in others]


def _without(table: Table, name: str, rows: set[Row]) -> Table:
    """Return a table without rows of one of its tables of equals."""
    kept = [row for row in _rows(table, name) if row not in rows]
    if name in {"fillers", "openers"}:
        return replace(table, values={**table.values, name: ", ".join(p for _, p in kept)})
    left: dict[str, str] = {head: "" for head, _ in kept}
    for head, other in kept:
        left[head] = f"{left[head]}, {other}".strip(", ")
    return replace(table, values={**table.values, name: left})


def _is_read_alike(name: str, row: Row, code: str) -> bool:
    head, other = (part.replace("#", "5") for part in row)
    if name == "openers":
        sides = [f"{other}, qx qy qz", "qx qy qz"]
    else:
        sides = [f"qx {part.replace(GAP, 'qz qy')} qz qy" for part in (head, other)]
        if GAP in other and GAP not in head:
            sides[0] = f"qx {head} qz qy qz qy"
    return sameness.relation(*(claims.claim_in(text, code) for text in sides)) == "same"


def _squeezed(phrase: str) -> str:
    """Return a phrase without what parts its words: such a one is read alike without a row."""
    return phrase.replace(" ", "").replace("-", "")


def _survivors(code: str, name: str, monkeypatch: pytest.MonkeyPatch) -> list[Row]:
    """Return the rows that say the same without being there."""
    table = table_of(code)
    fillers = table.phrases("fillers") if name == "openers" else ()
    rows = [
        (head, other)
        for head, other in _rows(table, name)
        if GAP not in head + other and other not in fillers and _squeezed(other) != _squeezed(head)
    ]
    assert rows
    found = []
    for half in (set(rows[::2]), set(rows[1::2])):
        language = Language(_without(table, name, half))
        monkeypatch.setattr(claims, "language_named", lambda _code, told=language: told)
        _forget()
        found += [row for row in rows if row in half and _is_read_alike(name, row, code)]
    return found


@pytest.mark.parametrize("name", ["synonyms", "spelling", "fillers", "openers"])
@pytest.mark.parametrize("code", CODES)
def test_each_row_of_equals_is_needed(
    code: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that is taken out no longer says what its head says."""
    twice = {phrase.strip() for phrase in TWICE[code].split(",")}
    found = [row for row in _survivors(code, name, monkeypatch) if row[1] not in twice]
    assert found == []


@pytest.mark.parametrize("code", CODES)
def test_each_mark_is_seen_in_a_sentence(code: str) -> None:
    """Each word that turns a fact is told of its class, or as a denial, by the row that has it."""
    table, frame = table_of(code), FRAMES[code]
    dead = []
    for number, name in enumerate(CLASSES):
        dead += [
            (name, word)
            for word in table.words(name, "classes")
            if not claims.claim_in(frame.format(word), code).classes[number]
        ]
    plain = claims.claim_in(frame.format("qx"), code)
    for name in ("words", "denial"):
        for word in table.words(name, "negation"):
            claim = claims.claim_in(frame.format(word), code)
            if (claim.negations, claim.denials) == (plain.negations, plain.denials):
                dead.append((name, word))
    assert {word for _, word in dead} == set(READ_OTHERWISE.get(code, "").split())


@pytest.mark.parametrize("code", CODES)
def test_each_word_that_denies_another_does_so(code: str) -> None:
    """`Unmöglich` is `not möglich`, which no rule makes of its letters."""
    table, frame = table_of(code), FRAMES[code]
    blind = []
    for word, base in table.pairs("opposites"):
        one, other = (claims.claim_in(frame.format(text), code) for text in (word, base))
        if len(one.negations) != len(other.negations) + 1 or one.words - {"not"} != other.words:
            blind.append(word)
    assert blind == []
    assert language_named(code).opposites
