"""The gate over the nights of the fixtures, good ones and ones made to lose something."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gate_kit import changed, gate, night, sides
from memsleep.gate import Side, side_of
from memsleep.gate.probes import details_of
from memsleep.gate.twins import twins_of
from memsleep.night.gating import gauge_of
from memsleep.proposals import Archive, Merge
from night_kit import CORPORA, FIXTURES, request_for, run_night

STORES = sorted(p.parent.name for p in (FIXTURES / "stores").glob("*/corpus"))


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_golden_nights_pass(corpus: str) -> None:
    """A night that a person has read and found right keeps every fact where it is found."""
    found = gate(*sides(corpus))
    assert found.passed, (found.lost, found.inversions)
    assert found.touched > 5
    assert found.details > 5
    assert found.exempt > 0
    assert found.twins > 3


@pytest.mark.parametrize("store", STORES)
def test_the_nights_of_all_stores_pass(store: str, tmp_path: Path) -> None:
    """So it is for the thirteen stores, their entries, links and names."""
    root = tmp_path / "corpus"
    shutil.copytree(FIXTURES / "stores" / store / "corpus", root, symlinks=True)
    request = request_for(root)
    result, _ = run_night(request)
    found = gate(side_of(result.start), side_of(result.end), gauge_of(request.settings))
    assert found.passed, (found.lost, found.inversions)


@pytest.mark.parametrize(
    ("corpus", "inverted"),
    [
        ("html-store", {"areas/deploys/image-cleanup-is-not-safe.html"}),
        ("markdown-vault", {"garden/water-at-noon.md"}),
    ],
)
def test_the_reference_merges_opposites_and_is_found_out(corpus: str, inverted: set[str]) -> None:
    """The profile that merges by nearness alone puts twins on top; the gate names them."""
    found = gate(*sides(corpus, "reference"))
    assert not found.passed
    assert inverted <= {item.path for item in found.inversions}


def _with(end: Side, path: str, **fields: object) -> Side:
    return replace(end, memories={**end.memories, path: changed(end.memories[path], **fields)})


def _merges(corpus: str) -> list[Merge]:
    found = [item.proposal for item in night(corpus).decisions]
    return [proposal for proposal in found if isinstance(proposal, Merge)]


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_keeper_that_lost_the_detail(corpus: str) -> None:
    """The sentences that a merge carried over are missed when the keeper does not hold them."""
    start, end = sides(corpus)
    tried = 0
    for merge in _merges(corpus):
        details = [f.text for f in details_of(start.memories[merge.dropped])]
        carried = [text for text in merge.carry if text in details]
        if not carried:
            continue
        tried += 1
        old = start.memories[merge.keeper]
        found = gate(start, _with(end, merge.keeper, body=old.body))
        assert merge.dropped in {item.path for item in found.lost}
    assert tried > 0


@pytest.mark.parametrize("corpus", CORPORA)
def test_an_archiving_without_its_line(corpus: str) -> None:
    """Every archived memory is missed once its line is taken out of the ledger."""
    start, end = sides(corpus)
    fresh = [line for line in end.ledger if line not in start.ledger]
    assert {line.cause for line in fresh} >= {"merged", "expired"}
    for line in fresh:
        left = tuple(other for other in end.ledger if other != line)
        found = gate(start, replace(end, ledger=left))
        assert line.path in {item.path for item in found.lost}


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_wrong_keeper(corpus: str) -> None:
    """A merge whose line names a memory of something else loses the dropped one's claim."""
    start, end = sides(corpus)
    archived = [a.proposal for a in night(corpus).decisions if isinstance(a.proposal, Archive)]
    live = [p for p in end.active if p in start.active]
    taken = {p for merge in _merges(corpus) for p in merge.paths} | {a.path for a in archived}
    wrong = next(p for p in live if p not in taken and start.memories[p].gist)
    for merge in _merges(corpus):
        turned = tuple(
            replace(line, replaced_by=wrong) if line.path == merge.dropped else line
            for line in end.ledger
        )
        found = gate(start, replace(end, ledger=turned))
        assert merge.dropped in {item.path for item in found.lost}


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_claim_overwritten_by_its_twin(corpus: str) -> None:
    """A keeper that says the opposite, or another number, afterwards is an inversion."""
    start, end = sides(corpus)
    tried = 0
    for path in sorted({merge.keeper for merge in _merges(corpus)}):
        memory = end.memories[path]
        if memory.gist not in memory.body:
            continue
        for twin in twins_of(memory.gist):
            tried += 1
            body = memory.body.replace(memory.gist, twin.text)
            found = gate(start, _with(end, path, gist=twin.text, body=body))
            assert path in {item.path for item in found.inversions}
    assert tried > 0
