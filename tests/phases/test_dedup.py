"""Dedup: one answer for every candidate, and only merges that nothing speaks against."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.model import Memory, Pair, Snapshot
from memsleep.phases import dedup
from memsleep.phases.dedup_judge import keeper_key
from memsleep.proposals import Merge, Proposal, Refuse, Review
from memsleep.settings import Settings

CLAIM = "Rollbacks drain the load balancer before the new version is taken away"
Told = list[tuple[str, ...]]


def _told(start: Snapshot, used: Settings = kit.CAREFUL) -> Told:
    """Return (kind, keeper, dropped, cause or question) of each proposal, in order."""
    return [_row(proposal) for proposal in dedup.propose(start, used)]


def _row(proposal: Proposal) -> tuple[str, ...]:
    row = (proposal.kind, *proposal.paths)
    if isinstance(proposal, Refuse):
        return (*row, proposal.cause)
    return (*row, proposal.question) if isinstance(proposal, Review) else row


def _aged(path: str, claim: str = CLAIM, *, month: int = 0, **fields: Any) -> Memory:
    created = {"created": f"2026-{month:02d}-01"} if month else {}
    return kit.memory(path, claim, **{"body": claim, **created, **fields})


def _all_pairs(memories: list[Memory], near: float = 0.99) -> tuple[Pair, ...]:
    paths = sorted(m.path for m in memories)
    return tuple(Pair(a, b, near, "vector") for i, a in enumerate(paths) for b in paths[i + 1 :])


def _near(memories: list[Memory], *pairs: tuple[str, str], **fields: Any) -> Snapshot:
    found = tuple(Pair(a, b, 0.99, "vector") for a, b in pairs) or _all_pairs(memories)
    return kit.snapshot(memories, candidates=found, **fields)


SPELT = "Rollbacks drain the load-balancer before the new version is taken away"
QUIET = [
    pytest.param(
        [_aged("a.md"), _aged("b.md", scope="x")], ("refuse", "a.md", "b.md", "scope"), id="scope"
    ),
    pytest.param(
        [_aged("a.md"), _aged("b.md", type="verdict")],
        ("refuse", "a.md", "b.md", "type"),
        id="type",
    ),
    pytest.param(
        [_aged("a.md"), _aged("b.md", pinned=True)],
        ("refuse", "a.md", "b.md", "pinned"),
        id="pinned",
    ),
    pytest.param(
        [_aged("a.md", protected=True), _aged("b.md")],
        ("refuse", "a.md", "b.md", "pinned"),
        id="protected",
    ),
    pytest.param(
        [_aged("a.md"), _aged("b.md", read_only="two keys")],
        ("refuse", "a.md", "b.md", "read-only"),
        id="read-only",
    ),
    pytest.param(
        [_aged("a.md"), _aged("b.md", valid_until="2027-01-01")],
        ("review", "a.md", "b.md", "duplicate"),
        id="validity",
    ),
    pytest.param(
        [_aged("a.md"), _aged("b.md", f"{CLAIM} in Oslo")],
        ("review", "a.md", "b.md", "duplicate"),
        id="a-word-more",
    ),
    pytest.param(
        [_aged("a.md", "It retries 3 times"), _aged("b.md", "It retries 5 times")],
        ("review", "a.md", "b.md", "contradiction"),
        id="number",
    ),
    pytest.param(
        [_aged("a.md", "It is safe"), _aged("b.md", "It is not safe")],
        ("review", "a.md", "b.md", "contradiction"),
        id="negation",
    ),
    pytest.param(
        [_aged("a.md", "Too short to tell"), _aged("b.md", "Too short to tell")],
        ("review", "a.md", "b.md", "duplicate"),
        id="short-copy",
    ),
    pytest.param(
        [
            _aged("a.md"),
            _aged(
                "b.md",
                body=f"{CLAIM}. Anna, Boris and Cem decided it long ago in spring, told us late.",
            ),
        ],
        ("review", "a.md", "b.md", "duplicate"),
        id="mostly-new",
    ),
]


@pytest.mark.parametrize(("memories", "expected"), QUIET)
def test_quiet(memories: list[Memory], expected: tuple[str, ...]) -> None:
    """What must not merge is refused or asked about, never merged and never passed over."""
    assert _told(_near(memories)) == [expected]


def test_no_candidates_no_proposals() -> None:
    """Without candidates dedup says nothing, however equal the memories are."""
    assert _told(kit.snapshot([_aged("a.md"), _aged("b.md")])) == []


LOUD = [
    pytest.param([_aged("a.md"), _aged("b.md")], (), id="word-for-word"),
    pytest.param([_aged("a.md"), _aged("b.md", SPELT)], (), id="other-spelling"),
    pytest.param(
        [_aged("a.md", "Use UTF-8."), _aged("b.md", "use utf-8")], (), id="short-but-written-anew"
    ),
    pytest.param(
        [_aged("a.md", body=f"{CLAIM}. Twice."), _aged("b.md")], (), id="keeper-says-more"
    ),
    pytest.param(
        [_aged("a.md"), _aged("b.md", body=f"{CLAIM}. Anna measured it.")],
        ("Anna measured it.",),
        id="details",
    ),
]


@pytest.mark.parametrize(("memories", "carry"), LOUD)
def test_loud(memories: list[Memory], carry: tuple[str, ...]) -> None:
    """What says the same merges into the first path when ages are unknown, details carried."""
    (proposal,) = dedup.propose(_near(memories), kit.CAREFUL)
    assert isinstance(proposal, Merge)
    assert (proposal.keeper, proposal.dropped, proposal.carry) == ("a.md", "b.md", carry)
    assert proposal.evidence == {"similarity": 0.99, "found by": "vector"}


AGES = [
    pytest.param({"month": 2}, {"month": 1}, "b.md", id="older-wins"),
    pytest.param({"month": 1}, {"month": 2}, "a.md", id="older-first"),
    pytest.param({}, {"month": 9}, "b.md", id="unknown-is-never-older"),
    pytest.param({}, {}, "a.md", id="both-unknown"),
    pytest.param({"month": 1}, {"month": 1}, "a.md", id="tie"),
    pytest.param(
        {"created": "2026-01-01T00:00:00Z"}, {"created": "2026-01-01"}, "b.md", id="finer"
    ),
    pytest.param(
        {"month": 2, "updated": "2020-01-01"}, {"month": 1}, "b.md", id="updated-is-no-age"
    ),
]


@pytest.mark.parametrize(("first", "second", "keeper"), AGES)
@pytest.mark.parametrize("profile", ["careful", "reference"])
def test_keeper_is_the_older(
    first: dict[str, Any], second: dict[str, Any], keeper: str, profile: str
) -> None:
    """The older by creation is kept, the smaller path on a tie, in either profile."""
    start = _near([_aged("a.md", **first), _aged("b.md", **second)])
    (proposal,) = dedup.propose(start, kit.settings(profile))
    assert isinstance(proposal, Merge)
    assert proposal.keeper == keeper


def test_a_group_folds_into_one_keeper_in_one_night() -> None:
    """Four tellings of one fact become one: a keeper keeps again, a dropped one does nothing."""
    told = [
        "The probe does not pass before three answers in 30s",
        "The probe doesn't pass before three answers in 30s",
        "The probe does not pass before 3 answers in 30s",
        "The probe does not pass before three answers in 30 s",
    ]
    memories = [_aged(f"{name}.md", claim) for name, claim in zip("abcd", told, strict=True)]
    found = _told(_near(memories))
    assert [row[:3] for row in found if row[0] == "merge"] == [
        ("merge", "a.md", "b.md"),
        ("merge", "a.md", "c.md"),
        ("merge", "a.md", "d.md"),
    ]
    assert [row[3] for row in found if row[0] != "merge"] == ["group"] * 3


def test_a_chain_is_held_against_the_keeper() -> None:
    """Of A ~ B ~ C, where A and C contradict, only B is taken: C stays, whatever B says."""
    memories = [
        _aged("a.md", "Tape keeps slugs off, on a frame", month=1),
        _aged("b.md", "Tape keeps slugs off", month=2),
        _aged("c.md", "Tape keeps slugs off, in a pot", month=3),
    ]
    start = _near(memories, ("a.md", "b.md"), ("b.md", "c.md"))
    assert _told(start) == [
        ("merge", "a.md", "b.md"),
        ("refuse", "b.md", "c.md", "group"),
    ]


def test_a_chain_is_closed_where_pairing_saw_only_its_links() -> None:
    """Of A ~ B ~ C, where A and C say the same too, both are taken the same night."""
    memories = [
        _aged("a.md", month=1),
        _aged("b.md", SPELT, month=2),
        _aged("c.md", f"{CLAIM}.", month=3),
    ]
    start = _near(memories, ("a.md", "b.md"), ("b.md", "c.md"))
    assert _told(start) == [
        ("merge", "a.md", "b.md"),
        ("refuse", "b.md", "c.md", "group"),
        ("merge", "a.md", "c.md"),
    ]


def test_what_one_member_brings_is_held_against_the_next() -> None:
    """The second to go is compared with the keeper as the first one leaves it."""
    memories = [
        _aged("a.md", month=1),
        _aged("b.md", month=2, body=f"{CLAIM}. It takes 5 minutes."),
        _aged("c.md", month=3, body=f"{CLAIM}. It takes 9 minutes."),
    ]
    assert _told(_near(memories)) == [
        ("merge", "a.md", "b.md"),
        ("refuse", "a.md", "c.md", "group"),
        ("review", "b.md", "c.md", "duplicate"),
    ]


def test_entities_that_one_member_brings_count_for_the_next() -> None:
    """A keeper that becomes about Anna takes nothing that is about Boris."""
    memories = [
        _aged("a.md", month=1),
        _aged("b.md", month=2, entities=("person:anna",)),
        _aged("c.md", month=3, entities=("person:boris",)),
    ]
    start = _near(memories, ("a.md", "b.md"), ("a.md", "c.md"))
    assert _told(start) == [("merge", "a.md", "b.md"), ("refuse", "a.md", "c.md", "group")]


def test_equal_details_are_carried_once() -> None:
    """Two members with the same detail leave it in the keeper once."""
    more = f"{CLAIM}. Anna measured it."
    memories = [
        _aged("a.md", month=1),
        _aged("b.md", month=2, body=more),
        _aged("c.md", month=3, body=more),
    ]
    carried = [p.carry for p in dedup.propose(_near(memories), kit.CAREFUL) if isinstance(p, Merge)]
    assert carried == [("Anna measured it.",), ()]


@pytest.mark.parametrize(("copies", "kind"), [(2, "merge"), (3, "merge"), (4, "review")])
def test_more_copies_than_allowed_are_a_template(copies: int, kind: str) -> None:
    """Up to three equal contents merge; from four on they are asked about."""
    memories = [_aged(f"{i}.md") for i in range(copies)]
    told = _told(_near(memories))
    kinds = {row[0] for row in told if row[-1] not in {"group", "same question"}}
    assert kinds == {kind}


def test_copies_that_left_tonight_still_count() -> None:
    """That copies expired earlier tonight is no reason to merge the rest in the same night."""
    memories = [_aged("a.md"), _aged("b.md")]
    memories += [_aged(f"archive/2026/{i}.md") for i in range(2)]
    for instant, kind in ((kit.NOW, "review"), ("2026-11-29T03:00:00Z", "merge")):
        start = kit.snapshot(
            memories,
            candidates=(Pair("a.md", "b.md", 0.99, "vector"),),
            past_archives=(instant,),
        )
        assert _told(start)[0][0] == kind


@pytest.mark.parametrize(("size", "merged"), [(64, 63), (65, 32)])
def test_only_groups_of_some_size_are_closed(size: int, merged: int) -> None:
    """Up to 64 members all pairs of a group are looked at, beyond that those that were found."""
    memories = [_aged(f"{i:02d}.md", CLAIM.replace(" ", " " * (i + 1))) for i in range(size)]
    memories = [kit.replaced(m, body=f"{m.body}{'!' * i}") for i, m in enumerate(memories)]
    pairs = [(f"{i:02d}.md", f"{i + 1:02d}.md") for i in range(size - 1)]
    used = kit.settings(dedup={"min_merges": 100, "max_copies": 100})
    found = _told(_near(memories, *pairs), used)
    assert sum(row[0] == "merge" for row in found) == merged


@pytest.mark.parametrize(("words", "kind"), [(7, "review"), (8, "merge")])
def test_copies_need_eight_words(words: int, kind: str) -> None:
    """Seven equal words are asked about, eight merge."""
    claim = " ".join("abcdefgh"[:words].upper())
    assert _told(_near([_aged("a.md", claim), _aged("b.md", claim)]))[0][0] == kind


def _many(count: int) -> tuple[list[Memory], tuple[Pair, ...]]:
    """Return pairs of memories that say the same, the nearest last in path order."""
    memories, pairs = [], []
    for i in range(count):
        claim = f"The gateway number {i} keeps its old version until three probes were answered"
        memories += [_aged(f"{i:03d}{side}.md", claim) for side in "ab"]
        pairs.append(Pair(f"{i:03d}a.md", f"{i:03d}b.md", 0.9 + i / 10_000, "vector"))
    return memories, tuple(sorted(pairs, key=lambda pair: -pair.similarity))


def test_the_cap_takes_the_nearest_pairs_first() -> None:
    """With room for five, the five nearest merge, wherever their paths sort; the rest is told."""
    memories, pairs = _many(9)
    found = _told(kit.snapshot(memories, candidates=pairs))
    assert [row[1] for row in found if row[0] == "merge"] == [
        f"{i:03d}a.md" for i in (8, 7, 6, 5, 4)
    ]
    assert [row[3] for row in found if row[0] == "refuse"] == ["cap"] * 4


GUARDED = [
    pytest.param({}, "numbers, substitution", id="review"),
    pytest.param({"scope": "other"}, "scope, numbers, substitution", id="refused"),
    pytest.param({"pinned": True}, "pinned, numbers, substitution", id="pinned"),
]


@pytest.mark.parametrize(("fields", "guards"), GUARDED)
@pytest.mark.parametrize("places", [50, 0])
def test_every_guard_that_fired_is_named(fields: dict[str, Any], guards: str, places: int) -> None:
    """In the order of the settings, whatever becomes of the pair: asked, waiting or refused."""
    one = "The gateway keeps idle sockets open for 30 seconds before it drains them"
    memories = [_aged("a.md", one), _aged("b.md", one.replace("30", "90"), **fields)]
    used = kit.settings(dedup={"max_reviews": places})
    (proposal,) = dedup.propose(_near(memories), used)
    assert isinstance(proposal, Review | Refuse)
    assert proposal.evidence["guards"] == guards


def test_a_merge_that_a_person_rejected_takes_no_place() -> None:
    """The five that are left are merged; in a group, nobody is folded into a rejected keeper."""
    memories, pairs = _many(9)
    no = frozenset({("pair", "008a.md", "008b.md"), ("pair", "005a.md", "005b.md")})
    found = _told(kit.snapshot(memories, candidates=pairs, rejected=no))
    assert [row[1] for row in found if row[0] == "merge"] == [
        f"{i:03d}a.md" for i in (7, 6, 4, 3, 2)
    ]
    assert [row[1] for row in found if row[-1] == "rejected"] == ["008a.md", "005a.md"]
    three = [_aged(f"{name}.md", claim, month=month) for month, (name, claim) in enumerate(
        zip("abc", (CLAIM, SPELT, f"{CLAIM}."), strict=True), 1
    )]  # fmt: skip
    no = frozenset({("pair", "a.md", "b.md")})
    found = _told(kit.snapshot(three, candidates=_all_pairs(three), rejected=no))
    assert ("merge", "a.md", "b.md") not in found
    assert ("merge", "a.md", "c.md") in found


@pytest.mark.parametrize(
    ("memories", "spent", "limit"),
    [(18, 0, 5), (100, 0, 5), (119, 0, 5), (120, 0, 6), (120, 4, 2), (120, 7, 0), (3000, 0, 100)],
)
def test_merge_limit(memories: int, spent: int, limit: int) -> None:
    """A night may merge 5 % of the active memories, at least 5, at most 100, less what it has."""
    active = [kit.memory(f"{i}.md", "x") for i in range(memories)]
    archived = [kit.memory(f"archive/2026/{i}.md", "x") for i in range(500)]
    start = kit.snapshot(active + archived, past_merges=(kit.NOW,) * spent)
    assert dedup.merge_limit(start, kit.CAREFUL) == limit


def test_only_merges_of_this_night_are_spent() -> None:
    """A merge of the night before does not count; one of two hours ago does."""
    memories = [kit.memory("a.md", "x")]
    start = kit.snapshot(memories, past_merges=("2026-11-29T03:00:00Z", "2026-11-30T01:00:00Z"))
    assert dedup.merge_limit(start, kit.CAREFUL) == 4


def test_threshold_is_strict() -> None:
    """A vector pair at exactly a threshold is refused under that name; above it, it merges."""
    memories = [_aged("a.md"), _aged("b.md", SPELT)]
    for threshold, kind in ((0.99, "refuse"), (0.98, "merge"), (-1.0, "merge")):
        found = _told(_near(memories), kit.settings(dedup={"threshold": threshold}))
        assert found[0][0] == kind
        assert kind == "merge" or found[0][3] == "threshold"


def test_a_pair_that_is_no_candidate_does_not_pass_a_threshold() -> None:
    """With a threshold, a chain is not closed by a pair whose similarity nobody measured."""
    memories = [
        _aged("a.md", month=1),
        _aged("b.md", SPELT, month=2),
        _aged("c.md", f"{CLAIM}.", month=3),
    ]
    start = _near(memories, ("a.md", "b.md"), ("b.md", "c.md"))
    merged = [
        row for row in _told(start, kit.settings(dedup={"threshold": 0.5})) if row[0] == "merge"
    ]
    assert merged == [("merge", "a.md", "b.md")]


def test_every_guard_of_the_settings_is_asked() -> None:
    """A guard that is taken out of the settings no longer speaks; all that speak are told."""
    start = _near([_aged("a.md", "It is safe"), _aged("b.md", "It is not safe", type="verdict")])
    (told,) = dedup.propose(start, kit.CAREFUL)
    assert isinstance(told, Refuse)
    assert told.reason.startswith("their types differ")
    assert "negated" in told.reason
    assert _told(start, kit.settings(dedup={"guards": ("negation",)})) == [
        ("review", "a.md", "b.md", "contradiction")
    ]


def test_a_flip_that_is_nearer_than_a_duplicate_stays() -> None:
    """The negation of a claim may be nearer than its copy: the copy merges, the flip does not."""
    memories = [
        _aged("a.md", "A blue-green cutover is safe"),
        _aged("b.md", "A blue-green cutover is not safe"),
        _aged("c.md", "a blue green cutover is safe."),
    ]
    pairs = (Pair("a.md", "b.md", 0.99, "vector"), Pair("a.md", "c.md", 0.95, "vector"))
    assert _told(kit.snapshot(memories, candidates=pairs)) == [
        ("review", "a.md", "b.md", "contradiction"),
        ("merge", "a.md", "c.md"),
    ]


# The reference profile ----------------------------------------------------------------------


def _reference(pairs: list[tuple[str, str, float]]) -> Told:
    """Return what reference makes of pairs of (keeper, dropped): keepers sort as they are named."""
    order = ["gf", "b", "a", "c", "x", "y", "q", "r"]
    age = {
        name: f"2026-01-{i + 1:02d}"
        for i, name in enumerate(["b", "x", "gf", "a", "c", "y", "q", "r"])
    }
    memories = [kit.memory(name, f"claim {name}", created=age[name]) for name in order]
    found = tuple(Pair(min(a, b), max(a, b), sim, "vector") for a, b, sim in pairs)
    return _told(kit.snapshot(memories, candidates=found), kit.REFERENCE)


def test_reference_roles() -> None:
    """A dropped memory never keeps or drops again, a keeper may keep again but is never dropped."""
    found = _reference(
        [
            ("gf", "a", 0.99),
            ("b", "gf", 0.98),
            ("gf", "c", 0.97),
            ("x", "a", 0.96),
            ("a", "y", 0.95),
            ("q", "r", 0.92),
        ]
    )
    assert found == [
        ("merge", "gf", "a"),
        ("refuse", "b", "gf", "role-guard"),
        ("merge", "gf", "c"),
        ("refuse", "x", "a", "role-guard"),
        ("refuse", "a", "y", "role-guard"),
        ("refuse", "q", "r", "threshold"),
    ]


@pytest.mark.parametrize(
    ("first", "second", "cause"),
    [
        ("we cannot merge", "we can merge", "negation"),
        ("use v2.1", "use v2.10", "numeric"),
        ("runs on the M1", "runs on the M1 Pro", "variant"),
    ],
)
def test_reference_vetoes(first: str, second: str, cause: str) -> None:
    """Each of the reference's guards stops a pair and is the cause that is counted."""
    start = _near([_aged("a.md", first), _aged("b.md", second)])
    assert _told(start, kit.REFERENCE) == [("refuse", "a.md", "b.md", cause)]


def test_reference_reads_numbers_in_claims_only() -> None:
    """Dates and exit codes in two bodies do not keep them apart; a typographic flip is not seen."""
    memories = [
        _aged("a.md", body=f"{CLAIM}. Seen 2026-01-01."),
        _aged("b.md", body=f"{CLAIM}. Exit code 3."),
    ]
    assert _told(_near(memories), kit.REFERENCE) == [("merge", "a.md", "b.md")]
    flipped = [_aged("a.md", "It isn\u2019t safe"), _aged("b.md", "It is safe")]
    assert _told(_near(flipped), kit.REFERENCE) == [("merge", "a.md", "b.md")]


def test_reference_takes_nothing_over() -> None:
    """In reference a merge carries no detail and leaves the keeper's metadata."""
    memories = [_aged("a.md"), _aged("b.md", body=f"{CLAIM}. Anna measured it.")]
    (proposal,) = dedup.propose(_near(memories), kit.REFERENCE)
    assert isinstance(proposal, Merge)
    assert (proposal.carry, proposal.take_over) == ((), False)


def test_reference_cap() -> None:
    """A hundred merges a run, and the causes with the merges add up to the candidates."""
    memories, pairs = _many(103)
    found = _told(
        kit.snapshot(memories, candidates=pairs),
        kit.settings("reference", dedup={"threshold": 0.9}),
    )
    counts = Counter(row[0] if row[0] == "merge" else row[3] for row in found)
    assert counts == {"merge": 100, "cap": 3}
    assert sum(counts.values()) == len(pairs)


# Laws ---------------------------------------------------------------------------------------

CLAIMS = st.sampled_from(
    [
        "It is safe to retry here",
        "it is safe to retry here.",
        "It isn't safe to retry here",
        "It is not safe to retry here",
        "It is safe to retry here, in the cache",
        "It is safe to retry here, on the host",
        "Retry 3 times",
        "Retry three times",
        "Retry 5 times",
    ]
)
MEMORIES = st.lists(
    st.tuples(
        CLAIMS,
        st.sampled_from(["", " Anna measured it.", " It takes 5 s.", " It takes 9 s."]),
        st.integers(0, 3),
    ),
    min_size=2,
    max_size=9,
)


def _grown(rows: list[tuple[str, str, int]]) -> list[Memory]:
    return [
        _aged(f"{i}.md", claim, month=month, body=claim + more)
        for i, (claim, more, month) in enumerate(rows)
    ]


@given(MEMORIES)
def test_every_candidate_is_answered_once(rows: list[tuple[str, str, int]]) -> None:
    """Each candidate has one proposal, and each memory one role."""
    start = _near(_grown(rows))
    found: list[Proposal] = list(dedup.propose(start, kit.CAREFUL))
    asked = [frozenset((pair.source, pair.target)) for pair in start.candidates]
    assert Counter(frozenset(p.paths) for p in found) == Counter(asked)
    merges = [p for p in found if isinstance(p, Merge)]
    dropped = [p.dropped for p in merges]
    assert len(set(dropped)) == len(dropped)
    assert not {p.keeper for p in merges} & set(dropped)
    assert all(
        keeper_key(start.memories[p.keeper]) < keeper_key(start.memories[p.dropped]) for p in merges
    )


@given(MEMORIES, st.randoms(use_true_random=False))
def test_order_of_candidates_of_equal_nearness_does_not_matter(
    rows: list[tuple[str, str, int]], random: Any
) -> None:
    """The same pairs in another order give the same merges."""
    start = _near(_grown(rows))
    turned = list(start.candidates)
    random.shuffle(turned)
    used = kit.settings(dedup={"min_merges": 100})
    first, second = (
        {(p.paths, p.carry) for p in dedup.propose(s, used) if isinstance(p, Merge)}
        for s in (start, kit.snapshot(start.memories.values(), candidates=tuple(turned)))
    )
    assert first == second


@pytest.mark.parametrize(
    ("keeper", "dropped"),
    [
        ("Deep Work.md", "Deep Work (copy).md"),
        ("test-db.md", "test-db-2.md"),
        ("Note.md", "Note 1.md"),
        ("a/b.md", "a/b+.md"),
    ],
)
def test_plainer_name_is_kept_on_a_tie(keeper: str, dropped: str) -> None:
    """Of two memories of one age, or of none, the copy goes."""
    start = _near([_aged(dropped), _aged(keeper)])
    assert _told(start) == [("merge", keeper, dropped)]
