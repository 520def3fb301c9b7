"""Claims as people leave them: half deleted, bracketed, turned about. None stops a night."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.calibrate.judging import judged
from memsleep.calibrate.pairs import LabelledPair, read_pairs
from memsleep.guards.claims import claim_in
from memsleep.guards.sameness import readings, relation
from memsleep.guards.tables import CODES

TUNING = Path(__file__).resolve().parents[2] / "fixtures" / "pairs" / "tuning"
TEXTS = {
    code: [pair.text_a for pair in read_pairs((TUNING / f"{code}.jsonl").read_bytes())[0]]
    for code in CODES
}
SCRAPS = st.sampled_from(
    [
        "", "(obviously)", "(", ")", ",", ", said", "said", "not", "the", "who", "which", "is",
        "by", "before", "after", "only", "-", ":", '"', "2", "e.g.", "there", "it", "if", "'s",
        "and", "or", "to", "as", "no", "\u3001", "\u3002", "\u061f",
    ]
)  # fmt: skip
EDITS = st.lists(
    st.tuples(st.sampled_from(["drop", "put", "turn"]), st.integers(0, 40), SCRAPS), max_size=4
)
Edit = tuple[str, int, str]


def _damaged(text: str, edits: list[Edit]) -> str:
    words = text.split(" ")
    for what, place, scrap in edits:
        at = place % (len(words) + 1)
        if what == "put":
            words.insert(at, scrap)
        elif what == "drop":
            del words[at : at + 1]
        else:
            words[at : at + 2] = words[at : at + 2][::-1]
    return " ".join(words)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(CODES), st.integers(0, 10**6), EDITS, EDITS)
@example("en", 0, [("put", 40, "(obviously)")], [("turn", 0, "")])
def test_no_claim_is_too_damaged(
    code: str, number: int, one: list[Edit], other: list[Edit]
) -> None:
    """Any two are compared, with the same answer from either side."""
    text = TEXTS[code][number % len(TEXTS[code])]
    a, b = _damaged(text, one), _damaged(text, other)
    for left, right in readings(a, b):
        assert relation(left, right) == relation(right, left)


@pytest.mark.parametrize(
    "end", ["(obviously).", "(basically)", "(so to speak).", ", of course.", "-", ":", "(", '""']
)
def test_a_claim_that_ends_with_a_filler(end: str) -> None:
    """A sign is the last that is left of it: what stands behind the sign is nothing."""
    rows = [
        (
            f"The library can accept any data at all {end}",
            "The library can any data accept at all.",
        ),
        (f"Ida said it rains {end}", f"It rains {end}"),
        (f"It rains, Ida said {end}", f"Ida said it rains {end}"),
    ]
    for a, b in rows:
        pairs = [LabelledPair(1, a, b, "", ""), LabelledPair(2, b, a, "", "")]
        assert len({item.outcome for item in judged(pairs, kit.CAREFUL, None)}) == 1


@pytest.mark.parametrize("code", CODES)
def test_nothing_beside_a_word_or_two(code: str) -> None:
    """A claim that says nothing is less than any other, whatever that begins with."""
    nothing = claim_in("...", code)
    for text in dict.fromkeys(" ".join(text.split(" ")[:2]) for text in TEXTS[code]):
        for said in (text, text.split(" ")[0]):
            claim = claim_in(said, code)
            assert relation(nothing, claim) == relation(claim, nothing)
            assert claim.form == () or relation(nothing, claim) == "narrower"
