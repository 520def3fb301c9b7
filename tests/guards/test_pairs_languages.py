"""Each language other than English has every family, in sentences of its own."""

from __future__ import annotations

import importlib.util
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

PAIRS = Path(__file__).resolve().parents[2] / "fixtures" / "pairs"

# Families that a language may have no form for: contractions, and what is of its script.
OF_SOME_LANGUAGES = {
    "negated-contraction",
    "contraction",
    "width",
    "spacing",
    "spelling",
    "script",
    "politeness",
    "article",
}

# What a language writes in more than one way, so that both must be known as one.
OF_ITS_OWN = {
    "ar": {"spacing", "spelling"},
    "it": {"contraction", "spacing", "spelling", "article"},
    "de": {"contraction", "spacing", "spelling", "article"},
    "es": {"contraction", "spacing", "spelling", "article"},
    "pt": {"contraction", "spacing", "spelling", "article"},
    "fr": {"contraction", "spacing", "spelling", "article"},
    "zh": {"width", "spacing", "script"},
    "ja": {"width", "spacing", "spelling", "politeness"},
    "ko": {"width", "spacing", "spelling", "politeness"},
    "ru": {"spacing", "spelling"},
}

SCRIPTS = {
    "ar": "ARABIC",
    "zh": "CJK UNIFIED",
    "ja": "HIRAGANA",
    "ko": "HANGUL",
    "ru": "CYRILLIC",
}


def load_split():
    spec = importlib.util.spec_from_file_location("pairs_split", PAIRS / "split.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


split = load_split()
LANGS = sorted(OF_ITS_OWN)
BY_LANG = {lang: split.read_language(lang) for lang in LANGS}


@pytest.mark.parametrize("lang", LANGS)
def test_a_language_has_every_family(lang):
    """No family is left out, and those that are of the language's own are there too."""
    needed = {
        (label, kind)
        for label, kinds in split.KINDS.items()
        for kind in kinds
        if kind not in OF_SOME_LANGUAGES
    }
    needed |= {("same", kind) for kind in OF_ITS_OWN[lang]}
    there = {(pair["label"], pair["kind"]) for pair in BY_LANG[lang]}
    assert sorted(needed - there) == []


@pytest.mark.parametrize("lang", LANGS)
def test_a_language_has_enough_pairs_of_each_label(lang):
    """At least 120 pairs: about half are different, a third the same, the rest the other two."""
    labels = Counter(pair["label"] for pair in BY_LANG[lang])
    total = sum(labels.values())
    shares = {label: count / total for label, count in labels.items()}
    assert total >= 120
    assert 0.45 <= shares["different"] <= 0.6
    assert 0.25 <= shares["same"] <= 0.4
    assert 0.07 <= shares["complements"] <= 0.14
    assert 0.05 <= shares["supersedes"] <= 0.12


@pytest.mark.parametrize("lang", sorted(SCRIPTS))
def test_a_language_is_in_its_script(lang):
    """Each text has a letter of the language's script."""
    for pair in BY_LANG[lang]:
        for text in (pair["text_a"], pair["text_b"]):
            assert any(unicodedata.name(c, "").startswith(SCRIPTS[lang]) for c in text), pair["id"]


@pytest.mark.parametrize("lang", LANGS)
def test_negation_is_in_more_than_one_form(lang):
    """What one side of a negated pair adds or changes is not one word over and over."""
    kinds = {"negation", "negated-prefix", "denial-verb", "denial-adjective", "double-negation"}
    negated = [pair for pair in BY_LANG[lang] if pair["kind"] in kinds]
    assert len(negated) >= 12
    assert len(Counter(difference(pair) for pair in negated)) >= 8


def difference(pair: dict[str, str]) -> tuple[str, str]:
    """Return what is between the common start and the common end of the two texts."""
    a, b = pair["text_a"], pair["text_b"]
    start = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(map(len, (a, b)))
    )
    a, b = a[start:], b[start:]
    end = next(
        (n for n, (x, y) in enumerate(zip(a[::-1], b[::-1], strict=False)) if x != y),
        min(map(len, (a, b))),
    )
    return a[: len(a) - end], b[: len(b) - end]


@pytest.mark.parametrize("lang", LANGS)
def test_a_language_does_not_repeat_its_openings(lang):
    """No pair is another with a word exchanged: beginnings are not shared by many."""
    openings = Counter(pair["text_a"][:8] for pair in BY_LANG[lang])
    assert [(text, count) for text, count in openings.items() if count > 3] == []


def test_the_page_tells_the_counts_of_today():
    """The table in the README is what split.py would write there now."""
    page = (PAIRS / "README.md").read_bytes()
    assert split.with_counts(page) == page


def test_adding_and_dropping_write_the_table_anew(tmp_path, monkeypatch):
    """Both commands leave a page that tells the pairs there are, and its other lines alone."""
    monkeypatch.setattr(split, "HERE", tmp_path)
    page = tmp_path / "README.md"
    page.write_bytes(b"before\n" + split.TABLE_BEGINS + b"old\n" + split.TABLE_ENDS + b"after\n")
    (tmp_path / "new.txt").write_bytes(b"= different unit\nfive miles\nfive knots\n")
    split.add("it", [str(tmp_path / "new.txt")])
    added = page.read_bytes()
    split.drop([pair["id"] for pair in split.read_language("it")])
    dropped = page.read_bytes()
    assert added != dropped
    for told in (added, dropped):
        assert told.startswith(b"before\n")
        assert told.endswith(b"after\n")
        assert b"| different | unit |" in told
    assert b"old\n" not in added
