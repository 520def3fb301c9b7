"""A person is asked what can be answered in one night, the likeliest first."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memsleep.phases.review_queue import QUESTIONS_A_MEMORY, asked, urgency
from memsleep.proposals import Merge, Proposal, Refuse, Review


def _review(keeper: str, dropped: str, near: float = 0.9, cause: str = "numbers") -> Review:
    return Review(
        phase="dedup", reason="r", evidence={"similarity": near, "cause": cause},
        keeper=keeper, dropped=dropped, question="contradiction",
    )  # fmt: skip


def _told(proposals: list[Proposal], limit: int = 50) -> list[tuple[str, str]]:
    found = list(asked(proposals, limit))
    assert [p.paths for p in found] == [p.paths for p in proposals]
    return [(p.kind, p.cause if isinstance(p, Refuse) else "") for p in found]


def test_few_are_all_asked() -> None:
    """Below every limit nothing changes."""
    reviews: list[Proposal] = [_review("a", "b"), _review("c", "d", cause="substitution")]
    assert list(asked(reviews, 2)) == reviews


def test_likeliest_come_first() -> None:
    """Near before far, and a changed number before a changed word, however near."""
    far, near = _review("a", "b", 0.7), _review("c", "d", 0.8)
    weak = _review("e", "f", 0.99, "substitution")
    assert sorted([weak, far, near], key=urgency) == [near, far, weak]
    assert _told([weak, far, near], 1) == [
        ("refuse", "waiting"), ("refuse", "waiting"), ("review", ""),
    ]  # fmt: skip


def test_a_form_filled_in_often_asks_little() -> None:
    """Of 40 memories of one form each is asked about a few times, and the rest is counted."""
    names = [f"{number:02}" for number in range(40)]
    reviews: list[Proposal] = [_review(a, b) for a, b in combinations(names, 2)]
    found = list(asked(reviews, 1000))
    asked_about = [path for p in found if isinstance(p, Review) for path in p.paths[:2]]
    assert max(asked_about.count(name) for name in names) == QUESTIONS_A_MEMORY
    assert len(found) == len(reviews)


def test_copies_are_asked_about_beside_the_oldest() -> None:
    """Four equal texts are three questions, not six."""
    pairs = [_review(a, b, 1.0, "copies") for a, b in combinations("abcd", 2)]
    told = _told(list(pairs))
    assert told == [("review", "")] * 3 + [("refuse", "same question")] * 3


def test_other_doubts_of_copies_are_asked() -> None:
    """That two memories differ from a third says nothing of those two."""
    pairs: list[Proposal] = [_review(a, b) for a, b in combinations("abc", 2)]
    assert _told(pairs) == [("review", "")] * 3


def test_what_is_no_review_passes() -> None:
    """Merges and refusals keep their places."""
    merge = Merge(phase="dedup", reason="r", evidence={}, keeper="a", dropped="b", similarity=1.0)
    assert next(iter(asked([merge, _review("c", "d")], 0))) is merge
    assert _told([merge, _review("c", "d")], 0) == [("merge", ""), ("refuse", "waiting")]


def test_a_question_has_one_id_whichever_is_older() -> None:
    """The id is that of the pair: it stays when a date comes to be known and the two change places.

    Another pair, and another kind of proposal about the same two, have others.
    """
    assert _review("a", "b").id == _review("b", "a").id
    assert _review("a", "b").id == _review("a", "b", 0.5, "negation").id
    merge = Merge(phase="dedup", reason="r", keeper="a", dropped="b", similarity=1.0)
    assert len({_review("a", "b").id, _review("a", "c").id, merge.id}) == 3


PAIRS = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("ijklmnop"), st.integers(0, 99)),
    max_size=30, unique_by=lambda pair: pair[:2],
)  # fmt: skip


def _kept(reviews: list[Review], limit: int) -> set[str]:
    return {p.id for p in asked(reviews, limit) if isinstance(p, Review)}


@given(PAIRS, st.randoms(use_true_random=False), st.integers(0, 12))
def test_the_order_in_which_pairs_were_found_has_no_say(
    pairs: list[tuple[str, str, int]], random: st.randoms, limit: int
) -> None:
    """The same doubts make the same queue, found in any order."""
    reviews = [_review(a, b, near / 100) for a, b, near in pairs]
    turned = list(reviews)
    random.shuffle(turned)  # type: ignore[attr-defined]
    assert _kept(reviews, limit) == _kept(turned, limit)


@given(PAIRS, st.integers(1, 12))
def test_a_lesser_doubt_takes_no_place(pairs: list[tuple[str, str, int]], limit: int) -> None:
    """What was asked last night is asked tonight, however many less likely pairs are new."""
    reviews = [_review(a, b, 0.5 + near / 200) for a, b, near in pairs]
    lesser = [_review(a, b, 0.1) for a, b in combinations("abcdqrs", 2)]
    assert _kept(reviews, limit) <= _kept([*lesser, *reviews], limit)


@given(PAIRS, PAIRS, st.integers(1, 12))
def test_the_oldest_questions_stay(
    pairs: list[tuple[str, str, int]], more: list[tuple[str, str, int]], limit: int
) -> None:
    """What was asked last night is asked tonight, however likely the doubts are that are new."""
    reviews = [_review(a, b, 0.5 + near / 200) for a, b, near in pairs]
    known = {review.id for review in reviews}
    likelier = [_review(a, b, 1 + near) for a, b, near in more if _review(a, b).id not in known]
    before = _kept(reviews, limit)
    since = dict.fromkeys(before, "2026-11-29T03:00:00Z")
    tonight = {p.id for p in asked([*likelier, *reviews], limit, since=since) if p.kind == "review"}
    assert before <= tonight
    assert len(tonight) <= limit


@given(PAIRS, st.integers(1, 12), st.data())
def test_what_is_answered_takes_no_place(
    pairs: list[tuple[str, str, int]], limit: int, data: st.DataObject
) -> None:
    """The others are asked as if it were not there; it passes, for its answer to be told."""
    reviews = [_review(a, b, near / 100) for a, b, near in pairs]
    done = set(data.draw(st.lists(st.sampled_from([r.id for r in reviews])))) if reviews else set()
    found = {p.id for p in asked(reviews, limit, answered=done) if isinstance(p, Review)}
    assert found == done | _kept([review for review in reviews if review.id not in done], limit)


@given(PAIRS, st.integers(1, 12))
def test_what_waits_takes_no_place(pairs: list[tuple[str, str, int]], limit: int) -> None:
    """A pair that is not asked changes nothing for the others when it goes away."""
    reviews = [_review(a, b, near / 100) for a, b, near in pairs]
    before = _kept(reviews, limit)
    assert len(before) <= limit
    for waiting in reviews:
        if waiting.id not in before:
            others = [review for review in reviews if review.id != waiting.id]
            assert _kept(others, limit) == before
