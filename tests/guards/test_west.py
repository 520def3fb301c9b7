"""German, French, Spanish, Portuguese, Italian and Russian: what is one fact, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.calibrate.judging import judged
from memsleep.calibrate.pairs import LabelledPair
from memsleep.guards.claims import claim_in
from memsleep.guards.detection import likely_languages
from memsleep.guards.genders import agree
from memsleep.guards.language import language_named

TABLES = sorted(Path(__file__).with_name("west").glob("*.tsv"))


def _pairs(path: Path, expected: str) -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in path.read_bytes().decode().split("\n") if line]
    return [(one, other) for label, one, other in rows if label == expected]


@pytest.mark.parametrize("expected", ["same", "different"])
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_pair_is_judged_alike_from_either_side(path: Path, expected: str) -> None:
    """One fact in two wordings merges; what differs by a word, an ending or an order never does."""
    wanted = "merge" if expected == "same" else "review"
    both = [pair for one, other in _pairs(path, expected) for pair in ((one, other), (other, one))]
    pairs = [LabelledPair(line, *pair, expected) for line, pair in enumerate(both)]
    found = judged(pairs, kit.CAREFUL, None)
    wrong = [pair for pair, item in zip(both, found, strict=True) if item.outcome != wanted]
    assert wrong == []


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_language_has_both(path: Path) -> None:
    """Each language has many pairs that merge, and as many that do not."""
    assert len(_pairs(path, "same")) >= 60
    assert len(_pairs(path, "different")) >= 60


@pytest.mark.parametrize(
    ("code", "one", "other", "fits"),
    [
        ("it", "Marco lo chiama", "Marco la chiama", False),
        ("it", "Il gatto dorme", "Un gatto dorme", True),
        ("it", "L'amica dorme", "Una amica dorme", True),
        ("fr", "Le livre est sur la table", "La livre est sur la table", False),
        ("fr", "Il cite le fils", "Il cite les fils", False),
        ("fr", "La facture arrive", "Les factures arrivent", True),
        ("es", "Llega con Ana", "Llegan con Ana", False),
        ("es", "La factura llega", "Las facturas llegan", True),
        ("pt", "Ele cita o filho", "Ele cita os filhos", False),
        ("pt", "Ana paga Bruno", "Ana paga a Bruno", False),
        ("pt", "A Ana paga a conta", "Ana paga a conta", True),
        ("de", "Der Leiter steht da", "Die Leiter steht da", True),  # articles are words there
    ],
)
def test_articles_and_numbers_part(code: str, one: str, other: str, *, fits: bool) -> None:
    """Silent articles and endings part two claims where they make another person or thing of it."""
    language = language_named(code)
    assert agree(one, language, other, language) is fits
    assert agree(other, language, one, language) is fits


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Dopo la frana, la corriera si ferma al bivio", "it"),
        ("Tras el derrumbe, el autobús se para en el cruce", "es"),
        ("Depois do desabamento, o ônibus para no cruzamento", "pt"),
        ("Après l'éboulement, le car s'arrête au carrefour", "fr"),
        ("Nach dem Erdrutsch hält der Bus an der Kreuzung", "de"),
        ("After the landslide the bus stops at the junction", "en"),
        ("Due on October 15th", "en"),
        ("Pay 1.000 EUR", "en"),
    ],
)
def test_near_languages_are_told_apart(text: str, code: str) -> None:
    """Words of one language alone count more than those that its neighbours share."""
    assert likely_languages(text.lower())[0] == code


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        ("de", "zweihundertfünfzig", "250"),
        ("de", "dreiundzwanzigtausendvierhundertsechs", "23406"),
        ("de", "hundertwasser", "hundertwasser"),
        ("it", "duecentoquarantotto", "248"),
        ("it", "settecentosessantatré", "763"),
        ("it", "seicento", "600"),
        ("es", "dos mil quinientas treinta y una", "2531"),
        ("es", "cincuenta y siete", "57"),
        ("pt", "mil novecentos e noventa e nove", "1999"),
        ("fr", "quatre-vingt-dix-neuf", "99"),
        ("fr", "deux cent soixante et onze", "271"),
        ("fr", "quatre-vingt mille", "80000"),
        ("ru", "двухсот тридцати одного", "231"),
        ("ru", "тремя тысячами", "3000"),
    ],
)
def test_number_words(code: str, words: str, told: str) -> None:
    """Numbers of one word, of many and in any case are figures; other words stay."""
    assert " ".join(claim_in(words, code).marked) == told


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        ("de", "um halb acht", "timeq7q30"),
        ("de", "um Viertel vor eins", "timeq12q45"),
        ("de", "ein halber Acker", ""),
        ("es", "a las diez menos cuarto de la noche", "timeq21q45"),
        ("es", "cinco menos dos", ""),
        ("it", "alle otto e venti", "timeq8q20"),
        ("it", "otto e venti persone", ""),
        ("fr", "à sept heures moins le quart", "timeq6q45"),
        ("pt", "às sete e meia", "timeq7q30"),
        ("ru", "в половине восьмого", "timeq7q30"),
        ("ru", "без двадцати девять", "timeq8q40"),
        ("ru", "без девяти человек", ""),
    ],
)
def test_hours_told_another_way(code: str, words: str, told: str) -> None:
    """Hours are read as each language counts them, and other numbers are no hours."""
    assert " ".join(claim_in(words, code).dates) == told
