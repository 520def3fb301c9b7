"""Gates: a quick look before slow rules passes over nothing that the rules would change.

Each gate is held open and shut over texts made of the pieces that the rules look for: what comes
out must be equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsleep.core import frame
from memsleep.guards import (
    alike,
    calendar,
    claims,
    clocks,
    figures,
    hours,
    identity,
    language,
    logic,
    rewording,
    seasons,
    tokens,
    typography,
)
from memsleep.guards.adjuncts import any_dated, is_dated
from memsleep.guards.frames import Frames
from memsleep.guards.language import language_named
from memsleep.guards.measures import Measures
from memsleep.guards.phrases import Phrases

OPEN = SimpleNamespace(search=lambda _text: True)
"""Stands for the pattern of a gate, and lets everything through."""
FIGURES = "0 1 3 12 45 1234 2026 1/2 3.5 1,500 8:00 14.30 2026-05-03 3/5/26 '26 1e3 5k".split()
SIGNS = ". , ; : / ' \" # $ @ % - ( ) \u20ac \u00a3 \u00a5 \u00b0 \u00ba \u00e9 \u663c \n \t".split(
    " "
)
UNITS = (
    "h hrs uhr z s a p am pm p.m a.m. m d k mn bn min mins minutes day days hours hour year oclock "
    "o'clock utc gmt utc+1 eur usd gbp czk euros no nr number version release ch. p. q v t "
    "000 euros million s's"
).split()
WORDS = (
    "to and or until till from by at before after between in of every out one five ten calls fail "
    "cents per cent percent pounds pound lb midnight the month monthly last is are users"
).split()
CAPITALS = (
    "A S I V X IV XI U.S. I.T. W.H.O U S. US IT WHO US$ Mb Kb GBps MB T 5M Plan A: NOT".split()
)
JOINTS = (
    "-> <- => <= != >= =/= +/- &amp; & + ! _ ` * [ ] { } \u2019 \u00a0 \u3000 \uff35\uff33".split()
)
EVERYTHING = SimpleNamespace(isdisjoint=lambda _words: False)
"""Stands for a set of words that a gate asks for."""
PIECES = st.sampled_from([" "] * 12 + FIGURES + SIGNS + UNITS + WORDS)
TEXTS = st.lists(PIECES, max_size=12).map("".join)
LOUD = st.lists(
    st.sampled_from([" "] * 6 + FIGURES + SIGNS + CAPITALS + JOINTS + WORDS), max_size=12
).map("".join)
CODES = ["en", "de", "fr", "ja"]
GATES: dict[str, tuple[ModuleType, str, Callable[[str, str], str]]] = {
    "figures": (figures, "_ODD", lambda code, text: language_named(code).figures.plain(text)),
    "numbers": (tokens, "_FIGURED", lambda code, text: _numbers(code, text)),
    "dates": (calendar, "_FIGURE", lambda code, text: _dates(code, text)),
    "hours": (hours, "_SIGNS", lambda code, text: language_named(code).hours.plain(text)),
}
"""Name -> where the pattern is, and what it stands before; all of them read folded texts."""


def _numbers(code: str, text: str) -> str:
    text = text.replace("\u20ac/", "/").replace("$/", "/").replace("\u00a3/", "/")
    return tokens.plain_figures(text, comma_decimal=language_named(code).comma_decimal)


def _dates(code: str, text: str) -> str:
    return calendar.with_dates(text, day_first=language_named(code).day_first)


@pytest.mark.parametrize("name", GATES)
@settings(max_examples=400, deadline=None)
@given(text=TEXTS, code=st.sampled_from(CODES))
def test_what_a_pattern_passes_over_would_stay_as_it_is(name: str, text: str, code: str) -> None:
    """A text is the same whether or not the rules behind the gate are tried on it."""
    module, attribute, told = GATES[name]
    shut = told(code, text)
    with patch.object(module, attribute, OPEN):
        assert told(code, text) == shut


@pytest.mark.parametrize(
    ("module", "attribute", "told"),
    [
        (typography, "_SIGN", typography.plain_typography),
        (claims, "_BIT", claims._plain.__wrapped__),
        (claims, "_CAPITALS", claims._plain.__wrapped__),
        (identity, "_CAPITALS", identity._shouted.__wrapped__),
        (frame, "_OTHER_SPACE", frame.frame_key),
    ],
)
@settings(max_examples=400, deadline=None)
@given(text=LOUD)
def test_what_has_no_capitals_or_signs_would_stay_as_it_is(
    module: ModuleType, attribute: str, told: Callable[[str], object], text: str
) -> None:
    """A text is the same whether or not the rules behind the gate are tried on it."""
    shut = told(text)
    with patch.object(module, attribute, OPEN):
        assert told(text) == shut


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("5Gb links", "5 Gbit links"),
        ("5 Mb of it", "5 Mbit of it"),
        ("the U.S. office", "the US office"),
        ("Chapter IV", "Chapter 4"),
        ("Chapter VI", "Chapter 6"),
        ("Chapter XX", "Chapter 20"),
        ("Chapter I", "Chapter I"),
        ("a Mb of it", "a Mb of it"),
        ("A -> B &amp; C <= D != E", "A \u2192 B & C \u2264 D \u2260 E"),
        ("5 +/- 1 and !ok", "5 \u00b1 1 and \u00acok"),
    ],
)
def test_capitals_and_signs_in_one_form(text: str, told: str) -> None:
    """Bits, initials, Roman numerals and signs are found where they stand."""
    assert claims._plain(text) == told


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ask the US office", {"US"}),
        ("Ask the U.S. office", {"US"}),
        ("Ask IT, WHO or us", {"IT", "WHO"}),
        ("Ask the W.H.O", {"WHO"}),
        ("Ask \uff35\uff33 first", {"US"}),
        ("Pay US$ 5", set()),
        ("ASK US", set()),
        ("Ask us, it and who", set()),
        ("Ask U S", set()),
    ],
)
def test_names_in_capitals(text: str, found: set[str]) -> None:
    """Names that are words in small letters are seen with points and in wide letters too."""
    assert identity._shouted(text) == found


@settings(max_examples=400, deadline=None)
@given(text=LOUD)
def test_a_text_without_blanks_and_silent_signs(text: str) -> None:
    """What is left of a text are letters, figures and signs that turn a fact."""
    folded = typography.plain_typography(text).lower()
    left = re.sub(r"[\s;!\"'()\[\]{}_*`]+|[-.,:](?![0-9])", "", folded)
    assert claims.claim_in(text, "en").squeezed == left


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("figures", "v2 is out"),
        ("figures", "see ticket #5"),
        ("figures", "see ticket # 5"),
        ("figures", "see ticket no. 5"),
        ("figures", "see ticket number 5"),
        ("figures", "see ch. 3"),
        ("figures", "eur 5 thousand"),
        ("figures", "usd 5 thousand"),
        ("figures", "gbp 5 thousand"),
        ("figures", "chf 5 thousand"),
        ("figures", "version 2.1"),
        ("figures", "release 2.1"),
        ("figures", "5 h 30 min"),
        ("figures", "2 days 3 hours"),
        ("figures", "1 to 3 am"),
        ("figures", "1 - 3 am"),
        ("figures", "from 9:30 to 5 p.m"),
        ("figures", "8 to 9 o'clock"),
        ("figures", "at 8 utc"),
        ("figures", "at 8 gmt"),
        ("figures", "1 1/2 pages"),
        ("figures", "pay @ 5"),
        ("numbers", "-5 degrees"),
        ("numbers", "1,500 files"),
        ("numbers", ".5 of it"),
        ("numbers", "$5"),
        ("numbers", "$ 5"),
        ("numbers", "eur5"),
        ("numbers", "czk 5"),
        ("numbers", "5e3 rows"),
        ("numbers", "3-5 rows"),
        ("numbers", "3 - 5 rows"),
        ("numbers", "1/2 of it"),
        ("numbers", "the 3\u00ba floor"),
        ("numbers", "5 m euros"),
        ("numbers", "5k usd"),
        ("numbers", "requests/s"),
        ("dates", "2026-05-03"),
        ("dates", "20260503"),
        ("dates", "8:05"),
        ("dates", "8 am"),
        ("dates", "8 p. m"),
        ("dates", "14 h 30"),
        ("dates", "0800 hours"),
        ("dates", "14.30 uhr"),
        ("dates", "5\u67083\u65e5"),
        ("hours", "may '26"),
        ("hours", "the 1990's"),
        ("hours", "09/2027"),
        ("hours", "2027-09"),
        ("hours", "8:00z"),
        ("hours", "at 8.05"),
    ],
)
def test_what_a_rule_changes_is_let_through(name: str, text: str) -> None:
    """Each form that a gate looks for reaches its rule."""
    assert GATES[name][2]("en", text) != text


@settings(max_examples=600, deadline=None)
@given(one=TEXTS, other=TEXTS)
def test_what_has_one_reading_is_not_read_again(one: str, other: str) -> None:
    """Two texts in which no form with two readings stands are left as they are."""
    one, other = f"the {one}", f"The {other}"
    with patch.object(alike, "_may_be", lambda _text: True):
        told = alike.alike(one, other)
    assert alike.alike(one, other) == told


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pay at 8", True),
        ("Pay BEFORE 12.", True),
        ("Pay at 123", False),
        ("Pay what 8", False),
        ("5 CT a piece", True),
        ("a ct a piece", False),
        ("It lasts 1h30", True),
        ("It lasts 1:30 h", True),
        ("It lasts 1:30", False),
        ("Half Per Cent", True),
        ("A percentage", False),
        ("A century", False),
        ("A pounding head", False),
        ("Two Out Of ten", True),
        ("Two out often", False),
        ("The first of the month", True),
        ("The first of the months", False),
        ("90 %", True),
        ("90 percen\u0165", False),
        ("Five cent\u017f", True),
    ],
)
def test_what_may_have_two_readings(text: str, found: bool) -> None:
    """Shares, coins, weights, lengths and bare hours are seen in small and in capital letters."""
    assert alike._may_be(text) is found


def _rows() -> list[str]:
    """Return a text of each row of the tables of pairs."""
    folder = Path(__file__).parent
    files = [*sorted(folder.glob("english/*.tsv")), *sorted(folder.glob("west/*.tsv"))]
    files += [folder / "pairs.tsv", folder / "pairs_east.tsv"]
    lines = [line for file in files for line in file.read_bytes().decode().split("\n")]
    return sorted({line.rpartition("\t")[2] for line in lines if line and line[0] != "#"})


def _fields(text: str) -> list[object]:
    claim = claims.claim_in.__wrapped__(text, claims.languages_of(text)[0])
    return [getattr(claim, field.name) for field in fields(claim)]


@pytest.mark.parametrize("cut", range(4))
def test_claims_are_read_alike_with_all_gates_open(cut: int) -> None:
    """Every row of the tables is one claim whether or not a step that changes nothing is tried."""
    rows = _rows()[cut::4]
    assert len(rows) > 400
    shut = [_fields(text) for text in rows]
    with ExitStack() as opened:
        for module, attribute, _ in GATES.values():
            opened.enter_context(patch.object(module, attribute, OPEN))
        for module in (claims, seasons, logic, language):
            opened.enter_context(patch.object(module, "any_dated", lambda _tokens: True))
        opened.enter_context(
            patch.object(Measures, "_start", lambda _self, tokens: min(len(tokens), 1))
        )
        opened.enter_context(patch.object(clocks, "_holds_hour", lambda _tokens: True))
        for code in CODES:
            opened.enter_context(patch.object(language_named(code).particles, "_ends", EVERYTHING))
        opened.enter_context(patch.object(Phrases, "_may_apply", lambda _self, _tokens: True))
        assert [_fields(text) for text in rows] == shut


@pytest.mark.parametrize("code", ["en", "de", "ru", "ja"])
def test_words_that_tell_nothing_are_of_no_kind(code: str) -> None:
    """Each word that denies, has an opposite or is of a class tells something, numbers apart."""
    known = language_named(code)
    kinds = (known.negation, known.denial, known.antonyms, known.classes)
    for word in {word for kind in kinds for word in kind}:
        assert (word in known.telling) is not (word[0].isdigit() or is_dated(word)), word


TOKENS = st.lists(st.sampled_from("a b c d 1 2 10".split()), max_size=8)
RULES = st.lists(
    st.tuples(
        st.lists(st.sampled_from("a b c #".split()), min_size=1, max_size=3).map(tuple),
        st.lists(st.sampled_from("x y #".split()), max_size=2).map(tuple),
    ),
    max_size=6,
)


@settings(max_examples=600, deadline=None)
@given(rules=RULES, tokens=TOKENS)
def test_phrases_are_found_where_they_stand(
    rules: list[tuple[tuple[str, ...], tuple[str, ...]]], tokens: list[str]
) -> None:
    """Skipping tokens at which no rule can begin finds what trying each of them finds."""
    phrases = Phrases(rules)
    told, place = list[str](), 0
    while place < len(tokens):
        used, made = phrases._found(tokens, place) or (1, (tokens[place],))
        told += made
        place += used
    assert phrases.applied(list(tokens)) == told


@settings(max_examples=300, deadline=None)
@given(tokens=st.lists(st.sampled_from("dayq1 dayq holidayq dateq timeq9q0 may q ,".split())))
def test_dates_among_tokens(tokens: list[str]) -> None:
    """The quick look at the letters of all tokens finds what looking at each one finds."""
    assert any_dated(tokens) is any(map(is_dated, tokens))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("the limits are 1 hour and 30 minutes", "the limits are 1 hour and also 30 minutes"),
        ("the limits were 1 hour and 3 months", "the limits were 1 hour and also 3 months"),
        ("it is of 5 min and 30 s", "it is of 5 min and also 30 s"),
        ("limits of 1 hour and 30 minutes", "limits of 1 hour and also 30 minutes"),
        ("a limit of 1 hour and 30 minutes", "a limit of 1 hour and 30 minutes"),
        ("a glass of 1 hour and 30 minutes", "a glass of 1 hour and 30 minutes"),
    ],
)
def test_two_amounts(text: str, told: str) -> None:
    """Two of them are told apart from one of two parts."""
    assert figures._with_also(text) == told


MEASURED = (
    "5 3 1/2 kg h min week a an per of ~ unit~kmh pound to from x by at and the dollars th".split()
)


@settings(max_examples=600, deadline=None)
@given(told=st.lists(st.sampled_from(MEASURED), max_size=8), code=st.sampled_from(CODES))
def test_what_stands_before_a_figure_has_no_unit(told: list[str], code: str) -> None:
    """Units are the same whether or not the tokens before the first figure are looked at."""
    measures = language_named(code).measures
    shut = measures.applied(list(told))
    with patch.object(Measures, "_start", lambda _self, tokens: min(len(tokens), 1)):
        assert measures.applied(list(told)) == shut


def _english_pairs() -> list[tuple[claims.Claim, claims.Claim]]:
    """Return both sides of each row of the English tables, from either side."""
    files = sorted((Path(__file__).parent / "english").glob("*.tsv"))
    lines = [line for file in files for line in file.read_bytes().decode().split("\n")]
    rows = [line.split("\t")[1:] for line in lines if line and line[0] != "#"]
    pairs = [(claims.claim_in(one, "en"), claims.claim_in(other, "en")) for one, other in rows]
    return pairs + [(b, a) for a, b in pairs]


def test_a_claim_without_a_denying_prefix_denies_no_word_of_the_other() -> None:
    """Where no word of its own begins so, a claim told without prefixes is not the other one."""
    tried = 0
    for a, b in _english_pairs():
        mine = a.words - b.words
        if a.form != b.form and not any(word.startswith(rewording._DENYING) for word in mine):
            tried += 1
            assert rewording._denied(a, b, mine) != b.form, (a.text, b.text)
    assert tried > 1000


TIMES = (
    "dayq1 dayq2 dayq01 dateqq5q dateqq5q3 dateq2026q5q4 dateq2026q5q timeq8q0 dayq2026q3 on at in "
    "the of and to , between every from until 2026 mid middle end month may monday 8 12 3th noon"
).split()


@settings(max_examples=600, deadline=None)
@given(told=st.lists(st.sampled_from(TIMES), max_size=8), code=st.sampled_from(CODES))
def test_days_and_dates_are_looked_for_where_they_stand(told: list[str], code: str) -> None:
    """Without a day, or without a date, the rules for them change nothing."""
    known = language_named(code).seasons
    days = [token for token in told if not token.startswith("dateq")]
    dates = [token for token in told if not token.startswith("dayq")]
    assert seasons._ranges(known._weekly(dates)) == dates
    assert seasons._without_weekdays(days) == days
    assert known._parted(days) == days


@settings(max_examples=600, deadline=None)
@given(told=st.lists(st.sampled_from(TIMES), max_size=8), code=st.sampled_from(CODES))
def test_words_that_name_no_time_stay_as_they_are(told: list[str], code: str) -> None:
    """What is no sign of a date and no figure is told again behind whatever stands before it."""
    known = language_named(code).calendar
    for place, token in enumerate(told):
        before = told[:place]
        if token not in known.signs and not token[0].isdigit():
            assert known._behind(before, told, place) == 1
            assert before == told[: place + 1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Call Anna at 20 to 7", "Call Anna timeq6q40"),
        ("Call Anna on 2026-05-03", "Call Anna dateq2026q5q3"),
        ("Call Anna in the year 2026", "Call Anna in 2026"),
        ("Call Anna in 2026 q3", "Call Anna in q3 2026"),
        ("See ticket (no. 5)", "See ticket (number 5)"),
        ("Tune the piano. 5 keys stick", "Tune the piano, 5 keys stick"),
    ],
)
def test_times_and_numbers_reach_their_rules(text: str, told: str) -> None:
    """A time is told without a word that only times have, a number behind any sign."""
    assert claims.claim_in(text, "en").form == claims.claim_in(told, "en").form


SOME = st.lists(st.sampled_from("a b c".split()), min_size=1, max_size=3)
BETWEEN = st.lists(st.sampled_from("a b c d ,".split()), max_size=6)


@settings(max_examples=600, deadline=None)
@given(first=SOME, last=SOME, front=BETWEEN, middle=BETWEEN, end=BETWEEN)
def test_a_frame_is_found_where_it_stands(
    first: list[str], last: list[str], front: list[str], middle: list[str], end: list[str]
) -> None:
    """A frame is told by its head where all of its words stand around one to five others."""
    told = [*front, *first, *middle, *last, *end]
    entry = ("x ... y", (f"{' '.join(first)} ... {' '.join(last)}",))
    frames = Frames([entry], lambda part: tuple(part.split()))
    for words in (told, told[: -len(end) or None]):
        assert frames.applied(list(words)) == _framed(tuple(first), tuple(last), words)


def _framed(first: tuple[str, ...], last: tuple[str, ...], told: list[str]) -> list[str]:
    for place in range(len(told)):
        start = place + len(first)
        for end in range(start, min(start + 6, len(told) - len(last) + 1)):
            if tuple(told[place:start]) != first or "," in told[start:end]:
                break
            if tuple(told[end : end + len(last)]) == last:
                if end == start:
                    break
                rest = _framed(first, last, told[end + len(last) :])
                return [*told[:place], "x", *told[start:end], "y", *rest]
    return told
