from __future__ import annotations

import pytest

from memsleep.errors import UsageError
from memsleep.search.scopes import Scopes, held_at, is_of
from usage_kit import memory

PLAIN = memory("a.md", tags=("ops",), entities=("Ada",), scope="shop", type="fact")
OLD = memory("archive/2025/b.md", status="archived", type="fact")
DONE = memory("c.md", status="superseded")


@pytest.mark.parametrize(
    ("scopes", "admitted"),
    [
        (Scopes(), [PLAIN]),
        (Scopes(types=("fact",)), [PLAIN]),
        (Scopes(types=("insight",)), []),
        (Scopes(types=("insight", "FACT")), [PLAIN]),
        (Scopes(types=("semantic",)), [PLAIN]),  # another word for a fact
        (Scopes(tags=("Ops",)), [PLAIN]),
        (Scopes(tags=("other",)), []),
        (Scopes(entities=("ada",)), [PLAIN]),
        (Scopes(entities=("ada",), tags=("other",)), []),
        (Scopes(scopes=("shop",)), [PLAIN]),
        (Scopes(scopes=("shopping",)), []),
        (Scopes(include_archived=True), [PLAIN, OLD]),
        (Scopes(as_of="2026-11-25T00:00:00Z"), [PLAIN, OLD, DONE]),
        (Scopes(as_of="2026-11-19T00:00:00Z"), []),
        (Scopes(as_of="2026-11-25"), [PLAIN, OLD, DONE]),
        (Scopes(as_of="2026-11-20T01:00:00+02:00"), []),
    ],
)
def test_scopes(scopes: Scopes, admitted: list[object]) -> None:
    """All kinds of condition must hold, any value of one kind suffices, case does not matter."""
    assert [each for each in (PLAIN, OLD, DONE) if scopes.admits(each)] == admitted


@pytest.mark.parametrize(
    ("instant", "held"),
    [
        ("2026-01-31T23:59:59Z", False),
        ("2026-02-01T00:00:00Z", True),
        ("2026-02-28T23:59:59Z", True),
        ("2026-03-01T00:00:00Z", False),
    ],
)
def test_held_at(instant: str, held: bool) -> None:
    """What begins at an instant holds at it; what ends at it does not."""
    bounded = memory("a.md", valid_from="2026-02-01", valid_until="2026-03-01")
    assert held_at(bounded, instant) is held


def test_event_and_creation_stand_in_for_a_beginning() -> None:
    """Without `valid_from` the event counts, then the creation; without any it always held."""
    event = memory("a.md", event_time="2026-05-01", created="2026-11-01")
    assert held_at(event, "2026-06-01T00:00:00Z")
    assert not held_at(memory("a.md", created="2026-11-01"), "2026-06-01T00:00:00Z")
    assert held_at(memory("a.md", created=None), "1999-01-01T00:00:00Z")


def test_an_instant_that_is_none_is_refused() -> None:
    """It must not count as no condition at all."""
    with pytest.raises(UsageError) as error:
        Scopes(as_of="yesterday")
    assert (error.value.reference, error.value.hint) == (
        "bad-instant",
        "pass --as-of 2026-11-30T03:00:00Z",
    )


@pytest.mark.parametrize(
    ("name", "wanted", "found"),
    [
        ("convention", ("convention",), True),
        ("Convention", ("convention",), True),
        ("semantic", ("Fact",), True),
        ("bug", ("error_pattern",), True),
        ("How to", ("procedural",), True),
        ("conventions", ("convention",), False),
        ("semantic", ("insight", "failure"), False),
        ("semantic", (), False),
    ],
)
def test_a_type_goes_by_any_of_its_names(name: str, wanted: tuple[str, ...], found: bool) -> None:
    """In settings and questions alike, whatever its case."""
    assert is_of(name, wanted) is found
