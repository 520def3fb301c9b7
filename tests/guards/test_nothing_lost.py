"""Whatever merges, nothing of the dropped text is lost: held, carried over, or equal by table."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.guards.claims import claim_of
from memsleep.guards.clauses import extends
from memsleep.guards.identity import identifier_set
from memsleep.guards.sameness import says_same
from memsleep.model import Pair
from memsleep.phases.dedup_judge import Judge
from memsleep.proposals import Merge
from memsleep.text import sentences

CLAIMS = [
    "The gateway drains idle sockets",
    "the gateway drains idle sockets.",
    "Idle sockets are drained by the gateway",
    "The gateway drains idle sockets, as seen in spring",
    "The gateway drains sockets",
    "The gateway does not drain idle sockets",
    "The ledger drains idle sockets",
    "Copies are kept for 90 seconds",
    "Copies are kept for 1.5 minutes",
    "Copies are kept for 9 seconds",
]
DETAILS = [
    "Joana wrote the test.",
    "Joana wrote the tests.",
    "It takes 5 minutes.",
    "It takes five minutes.",
    "It takes 9 minutes.",
    "The file src/a.py has the numbers.",
    "Cem read it on 2026-05-01.",
    "Cem read it on May 1st, 2026.",
    "That is wrong.",
    "Probably.",
    "It is not so on Linux.",
    "Tickets and logs are in the archive.",
    "Logs and tickets are in the archive.",
    "On Fridays the queue is empty.",
    "The queue is empty on Fridays.",
]
PASSIVE = {"is", "by", "drain", "drained"}
"""Words in which active and passive differ."""
TEXTS = st.builds(
    lambda claim, more: " ".join([f"{claim.rstrip('.')}.", *more]),
    st.sampled_from(CLAIMS),
    st.lists(st.sampled_from(DETAILS), max_size=4),
)


def _verdict(first: str, second: str) -> Any:
    keeper, dropped = kit.memory("a.md", body=first), kit.memory("b.md", body=second)
    keeper = kit.replaced(keeper, gist=sentences(first)[0])
    dropped = kit.replaced(dropped, gist=sentences(second)[0])
    pair = Pair("a.md", "b.md", 0.99, "vector")
    start = kit.snapshot([keeper, dropped], candidates=(pair,))
    return Judge(start, kit.CAREFUL).verdict(keeper, dropped)


def _tokens(text: str) -> set[str]:
    return set(claim_of(text).form) | identifier_set(text)


@given(TEXTS, TEXTS)
@settings(max_examples=400)
def test_every_sentence_is_held_or_carried(first: str, second: str) -> None:
    """Of a merge, each sentence of the dropped one is in the keeper, carried, or equal by table."""
    verdict = _verdict(first, second)
    if verdict.outcome != "merge" or says_same(first, second):
        return
    held = [*sentences(first), *verdict.carry]
    for sentence in sentences(second):
        assert any(says_same(mine, sentence) or extends(sentence, mine) for mine in held)


@given(TEXTS, TEXTS)
@settings(max_examples=400)
def test_every_token_is_held_or_carried(first: str, second: str) -> None:
    """Of a merge, each number, date, name and word of the dropped one stands in what is kept."""
    verdict = _verdict(first, second)
    if verdict.outcome == "merge":
        kept = set().union(*map(_tokens, [first, *sentences(first), *verdict.carry]))
        assert set().union(*map(_tokens, sentences(second))) - kept <= PASSIVE


@given(TEXTS, TEXTS)
@settings(max_examples=400)
def test_what_takes_back_is_never_carried(first: str, second: str) -> None:
    """No sentence that only doubts or denies what stands before it goes into another memory."""
    carried = _verdict(first, second).carry
    assert not {"That is wrong.", "Probably."} & set(carried)


LIMIT = "The API limit is 50 calls"
AMENDED = [
    (LIMIT, "Update: it is 80 now"),
    (LIMIT, "UPDATE 3 May: 80 calls"),
    (LIMIT, "Actually, it is 80"),
    (LIMIT, "In fact it is 80"),
    (LIMIT, "No, it is 80"),
    (LIMIT, "It is 80"),
    (LIMIT, "Later it was raised to 80"),
    (LIMIT, "This has changed to 80"),
    (LIMIT, "This is outdated"),
    (LIMIT, "Scratch that"),
    (LIMIT, "It turned out to be 80"),
    ("The office is in Bern", "Update: it moved to Basel"),
    ("The office is in Bern", "It closed in May"),
    ("The door is open", "It is closed again"),
    ("The meeting is on Monday", "It was moved to Tuesday"),
    ("The meeting is on Monday", "The meeting was postponed"),
    ("The meeting is on Monday", "The new date is Tuesday"),
    ("Das Treffen ist am Montag", "Es wurde verschoben"),
    ("Das B\u00fcro ist in Bern", "Korrektur: in Basel"),
    ("La r\u00e9union est lundi", "Elle est report\u00e9e"),
    ("La reuni\u00f3n es el lunes", "Fue aplazado"),
    ("A reuni\u00e3o \u00e9 na segunda", "Foi adiado"),
    ("La riunione \u00e8 luned\u00ec", "\u00c8 stata spostata"),
    (
        "\u041e\u0444\u0438\u0441 \u0432 \u0411\u0435\u0440\u043d\u0435",
        "\u0423\u0436\u0435 \u0437\u0430\u043a\u0440\u044b\u0442",
    ),
]


@pytest.mark.parametrize(("claim", "amendment"), AMENDED)
def test_what_amends_is_never_carried(claim: str, amendment: str) -> None:
    """A sentence that says otherwise what stands before it is a question."""
    assert _verdict(f"{claim}.", f"{claim}. {amendment}.").outcome == "review"


@pytest.mark.parametrize("detail", ["Ben measured it", "The vendor set it", "See the handbook"])
def test_what_adds_is_carried(detail: str) -> None:
    """A sentence that says more of it is carried over."""
    assert _verdict(f"{LIMIT}.", f"{LIMIT}. {detail}.").carry == (f"{detail}.",)


FILES = [
    (
        "Copper keeps slugs off the beds on the south side of the wall.",
        "Copper keeps slugs off the beds on the south side of the wall. Joana laid it.",
    ),
    ("Keys start with the tenant.", "Keys start with the tenant, then the region."),
    ("The probe waits 90 seconds for it.", "The probe waits 1.5 minutes for it."),
    ("Backups run every night in Oslo.", "Backups run nightly in Oslo."),
]


@pytest.mark.parametrize(("first", "second"), FILES)
@pytest.mark.parametrize("dialect", ["markdown", "memhtml"])
@pytest.mark.parametrize("turned", [False, True])
def test_after_a_night_it_is_in_the_live_file(
    first: str, second: str, dialect: str, turned: bool
) -> None:
    """In either dialect, and whichever is older, the live file says all that both said."""
    texts = (second, first) if turned else (first, second)
    if dialect == "markdown":
        files = {
            f"{name}.md": kit.markdown(text, type="semantic", created=f"2026-0{month}-01")
            for month, (name, text) in enumerate(zip("ab", texts, strict=True), 1)
        }
    else:
        files = {
            f"{name}.html": kit.html(
                sentences(text)[0],
                body="".join(f" {more}" for more in sentences(text)[1:]),
                created=f"2026-0{month}-01T00:00:00Z",
            )
            for month, (name, text) in enumerate(zip("ab", texts, strict=True), 1)
        }
    result = kit.night(kit.corpus(files), phases=("pairing", "dedup"))
    assert len(result.found(Merge)) == 1
    live = " ".join(memory.body for memory in result.end.active())
    assert _tokens(first) | _tokens(second) <= _tokens(live)
