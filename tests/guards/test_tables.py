"""The word tables of each language: well formed, consistent, and used as they are written."""

from __future__ import annotations

from importlib.resources import files

import pytest

from memsleep.guards.claims import claim_in
from memsleep.guards.detection import likely_languages
from memsleep.guards.language import CLASSES, language_named
from memsleep.guards.particles import GAP
from memsleep.guards.sameness import relation
from memsleep.guards.tables import CODES, MORE, Table, table_of
from tables_kit import faults_of


@pytest.mark.parametrize("code", CODES)
def test_tables_are_well_formed(code: str) -> None:
    """A file has known tables only, numbers as keys where they belong, and one head a word."""
    assert faults_of(table_of(code)) == []


def test_every_file_is_a_language_that_is_known() -> None:
    """No file is forgotten, and the page that tells how to extend them ships with them."""
    names = {item.name for item in files("memsleep.guards").joinpath("data").iterdir()}
    more = {f"{name}.toml" for found in MORE.values() for name in found}
    assert names == {"README.md", "rules.toml", *(f"{code}.toml" for code in CODES)} | more


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"language": "en", "synonymes": {}}, "no table 'synonymes'"),
        ({"language": "de"}, "expected language = 'en'"),
        ({"language": "en", "negation": {"word": ""}}, "no list 'word' in 'negation'"),
        ({"language": "en", "numbers": {"three": "drei"}}, "'three' is no number"),
        ({"language": "en", "synonyms": {"a": "x", "b": "x"}}, "'x' stands under 'a'"),
        ({"language": "en", "verbs": {"a": "b", "b": "c"}}, "has words of its own"),
    ],
)
def test_faults_are_told(values: dict[str, object], fault: str) -> None:
    """Whoever writes a table is told what is wrong with it."""
    assert any(fault in told for told in faults_of(Table("en", values)))


@pytest.mark.parametrize("code", CODES)
def test_every_synonym_says_the_same(code: str) -> None:
    """Each word and phrase of the tables of equals is read as its head."""
    table = table_of(code)
    unlike = []
    for head, others in (*table.alternatives("synonyms"), *table.alternatives("verbs")):
        for other in others:
            first, gap, last = (part.strip() for part in other.partition(GAP))
            behind = f"qz qy {last}" if gap else "qz qy"
            frame = f"qx {head.replace(GAP, 'qz qy')}"
            heads = (frame if GAP in head else f"qx {head} qz qy", f"qx {first} {behind}")
            sides = (text.replace("#", "5") for text in heads)
            if relation(*(claim_in(text, code) for text in sides)) != "same":
                unlike.append((head, other))
    assert unlike == []


@pytest.mark.parametrize("name", sorted(name for names in MORE.values() for name in names))
def test_more_words_clash_with_nothing(name: str) -> None:
    """No word of a further file stands in two sets, is another's opposite, or denies alone."""
    code = name.partition("-")[0]
    language, table = language_named(code), table_of(code)
    rivals = {frozenset(pair.split()) for pair in table.phrases("pairs", "antonyms")}
    denying = {*table.words("words", "negation"), *table.words("denial", "negation")}
    owner: dict[tuple[str, ...], str] = {}
    clashes = []
    for kind in ("synonyms", "verbs"):
        for head, others in table.alternatives(kind):
            members = [head, *others]
            for one in members:
                reading = language.prepared(one) if GAP not in one else (one,)
                if owner.setdefault((kind, *reading), head) != head:
                    clashes.append((one, head, owner[kind, *reading]))
            clashes += [
                (one, other, "opposites")
                for one in members
                for other in members
                if frozenset((one, other)) in rivals
            ]
            if head not in denying and any(other in denying for other in others):
                clashes.append((head, "denies", ""))
    assert set(clashes) <= {("fall", "denies", ""), ("deactivate", "denies", "")}


@pytest.mark.parametrize("code", [code for code in CODES if code != "en"])
def test_what_commas_set_apart_is_left_out_there_alone(code: str) -> None:
    """Each such word says nothing behind a comma; without one it may tell how, where or what."""
    told = table_of(code).phrases("asides")
    assert told

    def is_said(text: str) -> bool:
        return relation(claim_in(text, code), claim_in("qx qy qz", code)) != "same"

    assert [word for word in told if is_said(f"qx qy qz, {word}")] == []
    assert [word for word in told if not is_said(f"qx {word} qy qz")] == []
    assert [word for word in told if not is_said(f"qx qy qz {word}")] == []


@pytest.mark.parametrize("code", CODES)
def test_no_mark_is_silent(code: str) -> None:
    """No word that turns a fact is left out as one that says nothing."""
    language = language_named(code)
    marks = language.negation | language.denial | language.antonyms.keys()
    kept = {word for word, names in language.classes.items() if "tense" not in names}
    assert language.silent & marks == set()
    assert language.silent & kept == set()


@pytest.mark.parametrize("code", [code for code in CODES if code not in {"zh", "ja", "ko"}])
def test_every_mark_is_seen(code: str) -> None:
    """Each negation and each word of a class, added to a claim, changes what guards compare."""
    language, table = language_named(code), table_of(code)
    plain = claim_in("qx qy", code)
    blind = []
    for word in (*table.words("words", "negation"), *table.words("denial", "negation")):
        claim = claim_in(f"qx {word} qy", code)
        if (claim.negations, claim.denials) == (plain.negations, plain.denials) and (
            claim.form == plain.form or not claim.negations + claim.denials + claim.antonyms
        ):
            blind.append(word)
    assert len(blind) <= 3, blind
    assert set(CLASSES) >= {name for names in language.classes.values() for name in names}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("the backup runs every night", "en"),
        ("Qwx zrt", "en"),
        ("das Backup läuft jede Nacht", "de"),
        ("la sauvegarde tourne chaque nuit dans le cloud", "fr"),
        ("la copia se hace cada noche con el servidor", "es"),
        ("a cópia é feita todas as noites", "pt"),
        ("il backup viene fatto ogni notte", "it"),
        ("Резервное копирование", "ru"),
        ("النسخ الاحتياطي", "ar"),
        ("每天备份", "zh"),
        ("毎日バックアップする", "ja"),
        ("매일 백업한다", "ko"),
    ],
)
def test_the_language_of_a_text(text: str, code: str) -> None:
    """Scripts tell at once; in Latin script the little words do, and nothing at all is English."""
    assert likely_languages(text.lower())[0] == code


@pytest.mark.parametrize("code", [code for code in CODES if code not in {"zh", "ja", "ko"}])
def test_every_pair_of_opposites_is_seen(code: str) -> None:
    """The one word in place of its opposite is opposed, or denied where that is how it is read."""
    opposed = language_named(code).antonyms
    blind = []
    for pair in table_of(code).phrases("pairs", "antonyms"):
        one, other = (claim_in(f"qx {word} qy", code) for word in pair.split())
        meets = any(
            not opposed.get(word, frozenset()).isdisjoint(other.words) for word in one.words
        )
        if not meets and (one.negations, one.denials) == (other.negations, other.denials):
            blind.append(pair)
            assert relation(one, other) != "same"
    assert set(blind) <= _READ_OTHERWISE


_READ_OTHERWISE = frozenset({"online offline", "ja nein", "максимум минимум"})
"""One of these is told by other words before opposites are looked for: on the internet, at most."""
