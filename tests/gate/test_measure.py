"""The floors of the gate, each with a night that breaks it alone and one that does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_kit import GAUGE, TOPICS, WORDS_ONLY, changed, crowd, gate, line, say, shelved, side
from memsleep.gate import GateResult, Gauge, Side
from memsleep.gate.measure import is_lost
from memsleep.gate.told import as_document, headline, lines, refusal
from memsleep.gate.values import Inversion, Lost, Quality, quality
from memsleep.model import Memory

KILN = say("kiln.md", "The kiln of the studio fires clay at 1200 degrees")
TWICE = say("kiln-2.md", "The kiln of the studio fires clay at 1200 degrees",
            "Ines opens it after two days of cooling")  # fmt: skip
GROWN = changed(KILN, body=f"{KILN.body} Ines opens it after two days of cooling.")
WARM = say("warm.md", "The glaze store is heated in winter")


def _before(*more: Memory) -> Side:
    return side([*crowd(), *more])


def _merged(keeper: Memory, *more: Memory) -> Side:
    return side([*crowd(), keeper, shelved(TWICE), *more], line("kiln-2.md", "merged", keeper.path))


GOOD = [
    pytest.param(_before(KILN), _before(KILN), id="nothing happened"),
    pytest.param(_before(KILN, TWICE), _merged(GROWN), id="merged, the detail carried over"),
    pytest.param(
        _before(KILN), side([*crowd(), shelved(KILN)], line("kiln.md", "evicted")), id="evicted"
    ),
    pytest.param(
        _before(KILN), side([*crowd(), shelved(KILN)], line("kiln.md", "expired")), id="expired"
    ),
    pytest.param(_before(KILN), _before(changed(KILN, confidence=0.5, title="x")), id="a field"),
    pytest.param(_before(KILN), _before(changed(KILN, path="new/kiln.md")), id="moved"),
    pytest.param(_merged(GROWN), _before(KILN, TWICE), id="undone"),
    pytest.param(
        _before(WARM), _before(changed(WARM, body="The glaze store is heated in winter, by gas.")),
        id="a clause more",
    ),
    pytest.param(_before(), _before(KILN), id="a new memory"),
    pytest.param(side([]), side([]), id="an empty corpus"),
]  # fmt: skip


@pytest.mark.parametrize("gauge", [GAUGE, WORDS_ONLY], ids=["vectors", "words"])
@pytest.mark.parametrize(("before", "after"), GOOD)
def test_a_good_night_passes(before: Side, after: Side, gauge: Gauge) -> None:
    """What is still found, in its keeper, at its new place or in the archive, is not lost."""
    found = gate(before, after, gauge)
    assert found.passed, lines(found)
    assert (found.lost, found.inversions) == ((), ())


FLIPPED = changed(
    KILN, gist=KILN.gist.replace("1200", "1201"), body=KILN.body.replace("0 d", "1 d")
)
COLD = changed(WARM, gist="The glaze store is not heated in winter",
               body="The glaze store is not heated in winter.")  # fmt: skip
LOST = [
    pytest.param(
        _before(KILN, TWICE), _merged(KILN), "kiln-2.md", 2, "kiln.md",
        id="the keeper lost the dropped detail",
    ),
    pytest.param(
        _before(KILN), side([*crowd(), shelved(KILN)]), "kiln.md", 0, "kiln.md",
        id="archived without a line in the ledger",
    ),
    pytest.param(
        _before(KILN), side(crowd(), line("kiln.md", "evicted")), "kiln.md", 0,
        "archive/2026/kiln.md", id="evicted and gone",
    ),
    pytest.param(
        _before(TWICE), _merged(WARM), "kiln-2.md", 0, "warm.md", id="the wrong keeper"
    ),
    pytest.param(
        _before(KILN), _before(changed(KILN, gist=TOPICS[0], body=TOPICS[0])), "kiln.md", 0,
        "kiln.md", id="overwritten by another memory",
    ),
    pytest.param(_before(KILN), _before(), "kiln.md", 0, "kiln.md", id="deleted"),
]  # fmt: skip


@pytest.mark.parametrize("gauge", [GAUGE, WORDS_ONLY], ids=["vectors", "words"])
@pytest.mark.parametrize(("before", "after", "path", "sentence", "target"), LOST)
def test_a_lost_fact_is_named(
    before: Side, after: Side, path: str, sentence: int, target: str, gauge: Gauge
) -> None:
    """A fact that is found nowhere afterwards breaks the first floor, with its place."""
    found = gate(before, after, gauge)
    assert not found.passed
    assert (path, sentence, target) in {(x.path, x.sentence, x.target) for x in found.lost}
    assert found.floors()[0][1]


def test_a_touched_fact_that_sinks_below_the_first_ten_is_lost() -> None:
    """The keeper holds the words, and ten others come first: the fact is not found any more."""
    others = [say(f"a{n}.md", f"The kiln of the studio fires clay {n}") for n in range(10)]
    keeper = say("keeper.md", "Studio rules", "The kiln fires clay at 1200 degrees, says Ines")
    before, after = _before(TWICE, keeper), _merged(keeper, *others)
    (lost,) = [x for x in gate(before, after, WORDS_ONLY).lost if x.sentence == 0]
    assert lost == Lost("kiln-2.md", "found at place 1 before, at 11 after", "keeper.md")
    nine = _merged(keeper, *others[:9])
    assert [x for x in gate(before, nine, WORDS_ONLY).lost if x.sentence == 0] == []


@pytest.mark.parametrize(
    ("was", "now", "lost"),
    [
        (1, 10, False), (10, 10, False), (10, 11, False), (10, 15, False), (6, 11, False),
        (None, None, False), (11, None, False), (None, 3, False),
        (10, 16, True), (6, 12, True), (5, 11, True), (1, 11, True), (10, None, True),
        (1, None, True),
    ],
)  # fmt: skip
def test_a_step_over_the_edge_is_no_loss(was: int | None, now: int | None, lost: bool) -> None:
    """From the first ten to beyond them by more than five places, or out of sight."""
    assert is_lost(was, now) is lost


INVERTED = [
    pytest.param(KILN, FLIPPED, Inversion("kiln.md", "", "number"), id="another number"),
    pytest.param(WARM, COLD, Inversion("warm.md", "", "polarity"), id="denied"),
    pytest.param(COLD, WARM, Inversion("warm.md", "", "polarity"), id="no longer denied"),
]


@pytest.mark.parametrize("gauge", [GAUGE, WORDS_ONLY], ids=["vectors", "words"])
@pytest.mark.parametrize(("was", "now", "inversion"), INVERTED)
def test_a_claim_overwritten_by_its_twin_is_an_inversion(
    was: Memory, now: Memory, inversion: Inversion, gauge: Gauge
) -> None:
    """Where the twin stands afterwards, the second floor is broken, and the first is not."""
    found = gate(_before(was), _before(now), gauge)
    assert found.inversions == (inversion,)
    assert found.lost == ()
    assert [broken for _, broken in found.floors()] == [False, True, False, False]


def test_a_merge_into_the_opposite_is_an_inversion() -> None:
    """A memory that goes into its twin loses the correction, though every word is found."""
    cold = changed(COLD, path="cold.md")
    after = side([*crowd(), cold, shelved(WARM)], line("warm.md", "merged", "cold.md"))
    found = gate(_before(WARM, cold), after)
    assert found.inversions == (Inversion("warm.md", "", "polarity"),)


def test_a_real_twin_that_rises_is_an_inversion() -> None:
    """A memory that the guards hold apart must not come first where the true one did before."""
    twin = say("a-twin.md", "The kiln of the studio fires clay at 900 degrees")
    keeper = say("studio.md", "Studio rules", f"{KILN.gist}, says the potter who built it")
    after = side([*crowd(), twin, keeper, shelved(KILN)], line("kiln.md", "merged", "studio.md"))
    found = gate(_before(KILN, twin, keeper), after)
    assert Inversion("kiln.md", "a-twin.md") in found.inversions
    apart = replace(GAUGE, guards=())
    assert gate(_before(KILN, twin, keeper), after, apart).inversions == ()


def test_a_twin_that_came_first_before_is_no_new_inversion() -> None:
    """What stood above the true memory before the night is not the night's fault."""
    twin = say("a-twin.md", f"{KILN.gist}, not 900")
    was = changed(KILN, body="Ask Ines.")
    now = changed(was, body="Ask Ines. She opens it after two days of cooling.")
    found = gate(_before(was, twin), _before(now, twin), WORDS_ONLY)
    assert found.inversions == ()
    assert found.twins == 3  # two made-up ones and the real one


def test_a_twin_lies_close() -> None:
    """What only shares some words with a fact is no twin, whatever the guards say."""
    other = say("prices.md", "Kiln, clay and degrees in prices of 900 shops")
    keeper = say("studio.md", "Studio rules", f"{KILN.gist}, says the potter who built it")
    after = side([*crowd(), other, keeper, shelved(KILN)], line("kiln.md", "merged", "studio.md"))
    found = gate(_before(KILN, other, keeper), after, WORDS_ONLY)
    assert found.twins == 2  # the made-up ones
    assert found.inversions == ()


def test_a_denied_claim_over_a_body_that_affirms_is_an_inversion() -> None:
    """Where the claim turns and a sentence of the body stays, the twin is no longer below."""
    now = changed(WARM, gist=COLD.gist)
    assert gate(_before(WARM), _before(now)).inversions == (Inversion("warm.md", "", "polarity"),)


def test_what_is_not_in_its_answer_is_lost_though_nobody_found_it() -> None:
    """Behind ten equal claims it was not found; that its keeper does not hold it is still told."""
    copies = [say(f"a{n}.md", KILN.gist, f"Copy {n}") for n in range(10)]
    before = side([KILN, WARM, *copies])
    after = side([WARM, *copies, shelved(KILN)], line("kiln.md", "merged", "warm.md"))
    (lost,) = gate(before, after, WORDS_ONLY).lost
    assert lost == Lost("kiln.md", "what was asked for is not in it", "warm.md")


def _drowned(count: int) -> tuple[Side, Side]:
    """Return sides in which a sampled memory falls behind others, none of which was touched."""
    before = side([KILN])
    others = [say(f"a{n:02}.md", KILN.gist, f"Copy {n}") for n in range(count)]
    return before, side([KILN, *others])


def test_the_sample_must_be_found_as_often() -> None:
    """Ten copies of equal claims that come first push the sample out of the first ten."""
    found = gate(*_drowned(10), WORDS_ONLY)
    assert (found.sample_before.recall, found.sample_after.recall) == (1.0, 0.0)
    assert [broken for _, broken in found.floors()] == [False, False, True, True]


def test_the_sample_must_stand_as_high() -> None:
    """Three of them leave it among the first ten, and lower than it was."""
    found = gate(*_drowned(3), WORDS_ONLY)
    assert found.sample_after == Quality(1, 1.0, 0.25)
    assert [broken for _, broken in found.floors()] == [False, False, False, True]


WHOLE = GateResult(10, 0, 0, 0, 0, Quality(), Quality(), Quality(200), Quality(200))
FLOORS = [
    (Quality(200), Quality(200), True),
    (Quality(200), Quality(200, 0.995, 1.0), True),
    (Quality(200), Quality(200, 0.994, 1.0), False),
    (Quality(200), Quality(200, 1.0, 0.99), True),
    (Quality(200), Quality(200, 1.0, 0.989), False),
    (Quality(200, 0.5, 0.5), Quality(200, 0.9, 0.9), True),
    (Quality(200, 0.9, 0.5), Quality(200, 0.894, 0.9), False),
]


@pytest.mark.parametrize(("before", "after", "passes"), FLOORS)
def test_the_floors_are_exact(before: Quality, after: Quality, passes: bool) -> None:
    """Half a point of recall and a hundredth of MRR may be lost, and no more."""
    assert replace(WHOLE, sample_before=before, sample_after=after).passed == passes


def test_quality_counts_the_first_ten() -> None:
    """The tenth place counts, the eleventh and none do not; nothing asked is nothing missed."""
    assert quality([1, 10, 11, None]) == Quality(4, 0.5, (1 + 1 / 10) / 4)
    assert quality([]) == Quality(0, 1.0, 1.0)


def test_the_sample_is_a_tenth_of_the_rest_and_two_hundred_at_most() -> None:
    """One in ten, rounded up, of what was not touched."""
    few = gate(_before(KILN), _before(GROWN), WORDS_ONLY)
    assert (few.touched, few.sample_before.questions) == (1, 2)
    many = side([say(f"m{n:04}.md", f"word{n} other{n} third{n}") for n in range(2200)])
    assert gate(many, many, WORDS_ONLY).sample_before.questions == 200


def test_an_evicted_memory_must_be_found_with_the_archive() -> None:
    """It is exempt from the live ranking; with the archive included it must be found as before."""
    shelf = [shelved(say(f"a{n}.md", KILN.gist, f"Copy {n}")) for n in range(10)]
    gone = line("kiln.md", "evicted")
    quiet = gate(_before(KILN), side([*crowd(), shelved(KILN)], gone))
    assert (quiet.exempt, quiet.passed) == (1, True)
    crowded = gate(_before(KILN), side([*crowd(), shelved(KILN), *shelf], gone), WORDS_ONLY)
    assert [x.path for x in crowded.lost] == ["kiln.md"]
    known = gate(_before(KILN, *shelf), side([*crowd(), shelved(KILN), *shelf], gone), WORDS_ONLY)
    assert known.passed


SMALL = st.lists(
    st.tuples(st.sampled_from(TOPICS), st.sampled_from(["", *TOPICS])), max_size=6, unique=True
)


@settings(max_examples=30)
@given(SMALL)
def test_a_night_that_does_nothing_passes(told: list[tuple[str, str]]) -> None:
    """No corpus answers worse than itself, whatever it says twice."""
    same = side([say(f"m{n}.md", claim, more) for n, (claim, more) in enumerate(told)])
    found = gate(same, same)
    assert found.passed
    assert found.touched == 0


@settings(max_examples=30)
@given(st.permutations(range(len(TOPICS))))
def test_the_order_of_memories_has_no_say(order: list[int]) -> None:
    """The same sides in any order of their files give the same result."""
    before, after = _before(KILN, TWICE), _merged(KILN)

    def turned(one: Side) -> Side:
        names = sorted(one.memories)
        turn = [names[n % len(names)] for n in order] + names
        return Side({name: one.memories[name] for name in turn}, one.ledger)

    assert gate(turned(before), turned(after)) == gate(before, after)


def test_what_is_told_names_paths_and_no_text() -> None:
    """Lines, error and document name what broke, and hold no word of a memory's text."""
    found = gate(_before(KILN, TWICE), _merged(changed(FLIPPED, title="secretive")))
    decisions = {"kiln-2.md": ["0123456789ab"]}
    error = refusal(found, "the night", decisions, "memsleep gate")
    told = "\n".join([*lines(found), *error.lines(), headline(found), str(as_document(found))])
    assert error.exit_code == 5
    assert "[0123456789ab]" in told
    assert "kiln-2.md, sentence 2" in told
    assert not {"clay", "1200", "1201", "cooling", "secretive"} & set(told.split())


def test_a_long_list_is_cut() -> None:
    """Twenty facts are named, the others counted."""
    found = replace(WHOLE, lost=tuple(Lost(f"m{n:02}.md", "gone") for n in range(25)))
    context = refusal(found, "the night", {}, "").context
    assert sum(text.startswith("lost:") for text in context) == 20
    assert "and 5 more" in context
