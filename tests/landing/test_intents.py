from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.errors import UsageError
from memsleep.landing.intents import intent_of, proposal_of
from memsleep.plan import Plan, PlannedChange, PlannedDecision, json_schema
from memsleep.proposals import (
    AddLink,
    Archive,
    Decay,
    Merge,
    Proposal,
    RemoveLink,
    RetargetLink,
    SetField,
    Spare,
)

ROOT = Path(__file__).parents[2]
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
numbers = st.floats(0, 1, allow_nan=False)
shared = {
    "phase": st.sampled_from(["dedup", "triage", "reprieve", "decay", "integrity"]),
    "reason": names,
    "evidence": st.dictionaries(names, st.one_of(names, numbers, st.integers(0, 9)), max_size=2),
}


def _decay(path: str) -> st.SearchStrategy[Decay]:
    return st.builds(
        Decay, path=st.just(path), before=numbers, after=numbers, nights=st.integers(0, 9),
        phase=st.just("decay"), reason=names, evidence=shared["evidence"],
    )  # fmt: skip


def _set_field(path: str) -> st.SearchStrategy[Proposal]:
    pairs = st.lists(st.tuples(st.sampled_from(["confidence", "valid_until"]), names), min_size=1)
    other = {key: value for key, value in shared.items() if key != "phase"}
    return st.builds(
        SetField, path=st.just(path), values=pairs.map(tuple), phase=st.just("decay"),
        decayed=st.one_of(st.none(), _decay(path)), **other,
    )  # fmt: skip


proposals = st.one_of(
    names.flatmap(_set_field),
    st.builds(Archive, path=names, cause=st.sampled_from(["evicted", "expired"]), **shared),
    st.builds(
        Merge, keeper=names, dropped=names, similarity=numbers, take_over=st.booleans(),
        carry=st.lists(names, max_size=2).map(tuple), superseded=st.booleans(), **shared,
    ),
    st.builds(AddLink, path=names, target=names, relation=names, **shared),
    st.builds(RetargetLink, path=names, target=names, target_path=names, **shared),
    st.builds(RemoveLink, path=names, target=names, **shared),
)  # fmt: skip


def _planned(proposal: Proposal, **other: object) -> PlannedDecision:
    values: dict[str, object] = {
        "id": proposal.id, "phase": proposal.phase, "kind": proposal.kind,
        "paths": proposal.paths, "reason": proposal.reason, "evidence": dict(proposal.evidence),
        "intent": intent_of(proposal),
        "changes": (PlannedChange(path="a", action="create", after="0" * 64),),
    }  # fmt: skip
    return PlannedDecision.model_validate({**values, **other})


@given(proposals)
def test_there_and_back(proposal: Proposal) -> None:
    """A decision that went through JSON is the proposal that it was, field by field."""
    text = _planned(proposal).model_dump_json()
    assert proposal_of(PlannedDecision.model_validate_json(text)) == proposal


ARCHIVE = Archive(phase="triage", reason="r", path="a.md", cause="evicted")


@pytest.mark.parametrize(
    "forged",
    [
        pytest.param({"id": "0" * 12}, id="another id"),
        pytest.param({"paths": ("b.md",)}, id="another path"),
        pytest.param({"paths": ()}, id="no path"),
        pytest.param({"phase": "dedup"}, id="another phase"),
        pytest.param({"kind": "merge"}, id="another kind"),
        pytest.param({"intent": {}}, id="no intent"),
        pytest.param({"intent": {"cause": "evicted", "to": "/etc/x"}}, id="more than intended"),
        pytest.param({"intent": {"cause": 3}}, id="a number for a word"),
    ],
)
def test_a_decision_that_contradicts_itself_is_refused(forged: dict[str, object]) -> None:
    """What was written by hand into a plan never becomes another proposal."""
    with pytest.raises(UsageError) as caught:
        proposal_of(_planned(ARCHIVE, **forged))
    assert caught.value.reference == "plan-inconsistent"


def test_a_finding_has_no_intent() -> None:
    """What changes no file is no decision."""
    with pytest.raises(TypeError):
        intent_of(Spare(phase="reprieve", reason="r", path="a.md", until="2026-12-14"))


def test_the_published_schema_is_that_of_the_plan(update_golden: bool) -> None:
    """docs/schemas/plan.schema.json is what the model says, byte for byte."""
    path = ROOT / "docs" / "schemas" / "plan.schema.json"
    expected = json.dumps(json_schema(), indent=1, sort_keys=True).encode() + b"\n"
    if update_golden:
        path.write_bytes(expected)
    assert path.read_bytes() == expected


@pytest.mark.parametrize("instant", ["../../etc", "2026-11-30", "2026-11-30T03:00:00Z\n", ""])
def test_an_instant_that_could_name_a_folder_is_refused(instant: str) -> None:
    """The year of the instant becomes a folder: nothing but an instant gets in."""
    values = {
        "tool_version": "0", "run": "sleep/2026-11-30", "profile": "careful", "source": "folder",
        "corpus_digest": "0" * 64, "config_digest": "", "embedder": "none",
    }  # fmt: skip
    assert Plan.model_validate({**values, "instant": "2026-11-30T03:00:00Z"})
    with pytest.raises(ValueError, match="instant"):
        Plan.model_validate({**values, "instant": instant})
