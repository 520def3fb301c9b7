"""Whole nights over the fixture corpora, against golden results that a person has read."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from memsleep.fold.archive import LEDGER_NAME
from memsleep.model import Snapshot, in_archive
from memsleep.night import NightResult, pipeline
from memsleep.phases import PHASES
from memsleep.proposals import Proposal, SetColumn, SetPairs
from memsleep.request import Outcome
from memsleep.settings import CAREFUL_ORDER, Settings
from night_kit import CORPORA, FIXTURES, copy_corpus, request_for, run_night, seeded_state

# name -> (options, whether the state of an earlier night is there)
SCENARIOS: dict[str, tuple[dict[str, object], bool]] = {
    "first": ({}, False),
    "later": ({}, True),
    "reference": ({"run.profile": "reference"}, True),
}
NIGHTS = [(corpus, scenario) for corpus in CORPORA for scenario in SCENARIOS]


def _night(corpus: str, scenario: str, tmp_path: Path) -> tuple[NightResult, Outcome]:
    options, with_state = SCENARIOS[scenario]
    state_dir = seeded_state(corpus, tmp_path) if with_state else None
    root = copy_corpus(corpus, tmp_path)
    return run_night(request_for(root, state_dir=state_dir, options=options))


def _told(result: NightResult) -> str:
    """Return every decision and finding in one line each, with no text of a memory in it."""
    lines = []
    for phase in result.phases:
        lines.append(f"# {phase.name}: {phase.status}")
        lines += [_line(item.proposal) for item in phase.applied]
        lines += [
            f"  refused ({r.cause}) {r.proposal.kind} {r.proposal.paths}" for r in phase.refused
        ]
    return "".join(f"{line}\n" for line in lines)


def _line(proposal: Proposal) -> str:
    if isinstance(proposal, SetPairs):
        pairs = [
            f"{p.origin} {p.similarity:.6f} {p.source} ~ {p.target}" for p in proposal.candidates
        ]
        edges = [f"mined {e.strength:.6f} {e.source} -> {e.target}" for e in proposal.mined]
        return "\n".join(f"  {line}" for line in pairs + edges)
    if isinstance(proposal, SetColumn):
        shown = [f"  {proposal.name} {path} {value}" for path, value in proposal.values.items()]
        return "\n".join(shown)
    cause = getattr(proposal, "cause", getattr(proposal, "question", ""))
    values = getattr(proposal, "values", getattr(proposal, "until", ""))
    head = f"  {proposal.kind} {' '.join(proposal.paths)}"
    return f"{head} [{cause}] {values or ''} {proposal.reason}".replace(" [] ", " ").rstrip()


def _golden(corpus: str, scenario: str) -> Path:
    return FIXTURES / corpus / "golden" / scenario


@pytest.mark.parametrize(("corpus", "scenario"), NIGHTS)
def test_night_is_as_it_was_read(
    corpus: str, scenario: str, tmp_path: Path, update_golden: bool
) -> None:
    """A night over a fixture decides, writes and reports exactly what its golden files hold."""
    result, outcome = _night(corpus, scenario, tmp_path)
    files = {
        "decisions.txt": _told(result).encode(),
        "sleep.diff": outcome.artifacts["sleep.diff"],
        "report.md": outcome.artifacts["report.md"],
    }
    folder = _golden(corpus, scenario)
    if update_golden:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    for name, content in files.items():
        assert (folder / name).read_bytes().decode() == content.decode(), name


@pytest.mark.parametrize("name", CAREFUL_ORDER)
@pytest.mark.parametrize("corpus", CORPORA)
def test_every_phase_shows_in_a_golden_night(
    corpus: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a phase's `propose` taken out, a golden night of each fixture comes out otherwise."""

    def silent(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
        return iter(())

    phases = {**PHASES, name: dataclasses.replace(PHASES[name], propose=silent)}
    monkeypatch.setattr(pipeline, "PHASES", phases)
    _, outcome = _night(corpus, "later", tmp_path)
    golden = (_golden(corpus, "later") / "sleep.diff").read_bytes()
    if name in {"pairing", "dedup", "reprieve", "decay", "integrity"}:
        assert outcome.artifacts["sleep.diff"] != golden
    assert outcome.artifacts["report.md"] != (_golden(corpus, "later") / "report.md").read_bytes()


@pytest.mark.parametrize(("corpus", "scenario"), NIGHTS)
def test_every_memory_is_kept(corpus: str, scenario: str, tmp_path: Path) -> None:
    """No night loses a file: each memory of the start is there at its place or in the archive."""
    result, _ = _night(corpus, scenario, tmp_path)
    moved = [result.moves.get(path, path) for path in result.start.files]
    ours = (LEDGER_NAME, "MEMORY.md")  # the archive's index takes the lines of what it holds
    ledgers = [p for p in result.end.files if in_archive(p) and p.endswith(ours)]
    assert sorted({*moved, *ledgers}) == sorted(result.end.files)
