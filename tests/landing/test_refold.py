from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsleep.errors import UsageError
from memsleep.landing.refold import as_one, refold
from memsleep.landing.selection import select, with_dependents
from memsleep.model import Snapshot
from night_kit import CORPORA
from refold_kit import planned

PROFILES = ("careful", "reference")


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("profile", PROFILES)
def test_the_whole_plan_is_the_night(corpus: str, profile: str) -> None:
    """Folding all decisions again from the files alone gives the night's bytes."""
    night = planned(corpus, profile)
    folded = refold(night.base, night.plan, select(night.plan).accepted)
    assert folded.rejected == ()
    assert dict(folded.end.files) == dict(night.after)
    assert folded.landed == tuple(decision.id for decision in night.plan.decisions)


@pytest.mark.parametrize("corpus", CORPORA)
def test_phases_are_steps_from_the_base_to_the_end(corpus: str) -> None:
    """Each phase begins with the bytes that the one before it left; together they are one."""
    night = planned(corpus, "reference")
    folded = refold(night.base, night.plan, select(night.plan).accepted)
    files = dict(night.base.files)
    for phase in folded.phases:
        assert {path: files[path] for path in phase.before} == dict(phase.before)
        for path in phase.gone:
            del files[path]
        files.update(phase.after)
    assert files == dict(night.after)
    whole = as_one("all", folded.phases)
    assert {p: d for p, d in night.after.items() if night.base.files.get(p) != d} == whole.after
    assert set(night.base.files) - set(night.after) == set(whole.gone)


def _touched(base: Snapshot, path: str) -> Snapshot:
    return replace(base, files={**base.files, path: base.files[path] + b"\n"})


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_changed_file_rejects_its_decisions_only(corpus: str, profile: str) -> None:
    """For each file of the plan: what rests on it, and what requires that, is rejected by name."""
    night = planned(corpus, profile)
    plan = night.plan
    paths = sorted({path for d in plan.decisions for path in d.rests_on})
    for path in paths[:: len(paths) // 8]:
        folded = refold(_touched(night.base, path), plan, select(plan).accepted)
        resting = {d.id for d in plan.decisions if path in d.rests_on}
        assert {r.id for r in folded.rejected} == with_dependents(plan, resting)
        assert all(path in r.reason for r in folded.rejected if r.id in resting)
        assert folded.end.files[path] == _touched(night.base, path).files[path]


def test_a_file_that_is_gone_rejects_its_decisions() -> None:
    """A file that somebody took away is a reason, not a crash."""
    night = planned("html-store")
    path = next(iter(night.plan.decisions[0].rests_on))
    files = {key: data for key, data in night.base.files.items() if key != path}
    memories = {key: m for key, m in night.base.memories.items() if key != path}
    base = replace(night.base, files=files, memories=memories)
    folded = refold(base, night.plan, select(night.plan).accepted)
    assert night.plan.decisions[0].id in {r.id for r in folded.rejected}


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_subset_lands_with_what_it_requires(data: st.DataObject) -> None:
    """Whatever is wanted: it lands with all that it requires, and nothing else does."""
    night = planned(data.draw(st.sampled_from(CORPORA)), "reference")
    ids = [decision.id for decision in night.plan.decisions]
    wanted = data.draw(st.sets(st.sampled_from(ids), min_size=1))
    chosen = select(night.plan, only=sorted(wanted))
    folded = refold(night.base, night.plan, chosen.accepted)
    assert folded.rejected == ()
    assert set(folded.landed) == wanted | {name for name, _ in chosen.pulled}


def _one_that_is_required() -> tuple[str, str]:
    plan = planned("html-store").plan
    decision = next(d for d in plan.decisions if d.requires)
    return decision.requires[0], decision.id


def test_rejecting_one_rejects_what_requires_it_by_name() -> None:
    """The dependent is told which rejected decision it requires."""
    plan = planned("html-store").plan
    needed, dependent = _one_that_is_required()
    chosen = select(plan, reject=[needed])
    reasons = {r.id: r.reason for r in chosen.rejected}
    assert reasons[needed] == "it was rejected"
    assert reasons[dependent] == f"it requires {needed}, which was rejected"
    assert chosen.accepted.isdisjoint(reasons)


def test_only_pulls_in_what_is_required_and_says_so() -> None:
    """`--only B` lands A too when B requires it, and names the two."""
    needed, dependent = _one_that_is_required()
    chosen = select(planned("html-store").plan, only=[dependent])
    assert (needed, dependent) in chosen.pulled
    assert {needed, dependent} <= chosen.accepted


@pytest.mark.parametrize(
    ("only", "reject", "reference"),
    [
        (["nothing"], [], "decision-unknown"),
        ([], ["000000000000"], "decision-unknown"),
        ([1], [0], "conflicting-options"),
        ([0], [0], "conflicting-options"),
    ],
)
def test_what_cannot_be_selected(only: list[object], reject: list[object], reference: str) -> None:
    """An unknown id, and a wish for what requires the rejected, are usage errors."""
    both = _one_that_is_required()
    names = [[both[n] if isinstance(n, int) else str(n) for n in given] for given in (only, reject)]
    with pytest.raises(UsageError) as caught:
        select(planned("html-store").plan, only=names[0], reject=names[1])
    assert caught.value.reference == reference
