"""A night over a store of each dialect: what was seen, decided and written, as a person read it."""

# ruff: noqa: E501 - a table reads better a row a line

from __future__ import annotations

import importlib.util
import shutil
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from check_kit import run_check
from memsleep.audit import prove, recorded_by
from memsleep.night import NightResult
from memsleep.proposals import Proposal, SetColumn, SetPairs
from memsleep.request import Outcome
from night_kit import git_apply, request_for, run_night, tree
from stores_kit import load, real_files
from truth_kit import lost_links, unlike_on_disk

STORES = Path(__file__).parents[2] / "fixtures" / "stores"
NAMES = (
    "basic-memory", "claude", "dendron", "evernote", "foam", "hermes", "html", "letta", "logseq",
    "memhtml", "obsidian", "openclaw", "plain",
)  # fmt: skip
READ_ONLY = ("evernote", "html")


@cache
def build() -> ModuleType:
    """Return the script that wrote the stores."""
    spec = importlib.util.spec_from_file_location("build_stores", STORES / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _night(name: str, tmp_path: Path, **options: object) -> tuple[Path, NightResult, Outcome]:
    root = tmp_path / "corpus"
    shutil.copytree(STORES / name / "corpus", root)
    result, outcome = run_night(request_for(root, options=options))
    return root, result, outcome


def _told(result: NightResult) -> str:
    """Return what was read, remarked, decided and refused: paths and figures, no text."""
    start = result.start
    lines = [
        f"memories {len(start.memories)}, protected {sum(m.protected for m in start.memories.values())}"
    ]
    lines += [f"unreadable {item.path}: {item.reason}" for item in start.unreadable]
    lines += [f"remark {p.path}:{p.line or 0} {p.code}" for p in start.problems]
    for phase in result.phases:
        lines.append(f"# {phase.name}: {phase.status}")
        told = [_line(item.proposal) for item in phase.applied]
        lines += [line for line in told if line]
        lines += [f"  refused ({r.cause}) {r.proposal.kind} {r.reason}" for r in phase.refused]
    return "".join(f"{line}\n" for line in lines)


def _line(proposal: Proposal) -> str:
    if isinstance(proposal, SetColumn):
        return ""
    if isinstance(proposal, SetPairs):
        return f"  {len(proposal.candidates)} pairs, {len(proposal.mined)} mined edges"
    cause = getattr(proposal, "cause", getattr(proposal, "question", ""))
    return f"  {proposal.kind} {' '.join(proposal.paths)} [{cause}] {proposal.reason}"


def _detected(root: Path) -> str:
    return "".join(f"{line}\n" for line in load(root).stores.lines())


@pytest.mark.parametrize("name", NAMES)
def test_store_is_as_it_was_read(name: str, tmp_path: Path, update_golden: bool) -> None:
    """The store is detected, and its night is exactly what the golden files hold."""
    root, result, outcome = _night(name, tmp_path)
    files = {
        "detected.txt": _detected(root).encode(),
        "decisions.txt": _told(result).encode(),
        "sleep.diff": outcome.artifacts["sleep.diff"],
    }
    golden = STORES / name / "golden"
    if update_golden:
        golden.mkdir(parents=True, exist_ok=True)
        for file, content in files.items():
            (golden / file).write_bytes(content)
    for file, content in files.items():
        assert (golden / file).read_bytes().decode() == content.decode(), file


@pytest.mark.parametrize("name", NAMES)
def test_store_is_what_it_claims(name: str) -> None:
    """At least 30 files, as the script writes them, bytes and all."""
    root = STORES / name / "corpus"
    made = build().STORES[name]()
    assert len(made) >= 30
    assert {
        p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()
    } == made


@pytest.mark.parametrize("name", NAMES)
def test_store_has_faults(name: str, tmp_path: Path) -> None:
    """At least five faults of different kinds, as a check or the night itself names them."""
    root, night, _ = _night(name, tmp_path)
    kinds = {finding.code for finding in run_check(root).result.findings}
    remarked = {problem.code for problem in night.start.problems if problem.code == "bad-date"}
    assert len(kinds | remarked) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost(name: str, tmp_path: Path) -> None:
    """The patch is the night, every link leads where it led or to what replaced it, no text goes."""
    root, result, outcome = _night(name, tmp_path)
    git_apply(root, outcome.artifacts["sleep.diff"])
    for path, data in real_files(result.end).items():
        assert (root / path).read_bytes() == data, path
    if name != "hermes":
        assert unlike_on_disk(root, result) == []
    assert lost_links(result) == []
    proof = prove(result.start, result.end, recorded_by(result.decisions))
    assert proof.holds, proof.told


@pytest.mark.parametrize("name", READ_ONLY)
def test_read_only(name: str, tmp_path: Path) -> None:
    """Not a byte of a read-only store changes, though decisions about it were proposed."""
    root, result, outcome = _night(name, tmp_path)
    before = tree(root)
    assert outcome.artifacts["sleep.diff"] == b""
    assert result.decisions == ()
    assert all(memory.read_only for memory in result.start.memories.values())
    git_apply(root, outcome.artifacts["sleep.diff"])
    assert tree(root) == before
    assert real_files(result.end) == real_files(result.start)


@pytest.mark.parametrize("name", READ_ONLY)
def test_a_config_may_allow_it(name: str, tmp_path: Path) -> None:
    """`corpus.read_only_dialects = []` lets pages move, and their links follow."""
    root, result, outcome = _night(name, tmp_path, **{"corpus.read_only_dialects": []})
    assert result.moves
    git_apply(root, outcome.artifacts["sleep.diff"])
    assert unlike_on_disk(root, result) == []
    assert lost_links(result) == []


@pytest.mark.parametrize("name", NAMES)
def test_forced_by_the_config(name: str, tmp_path: Path) -> None:
    """The config's dialect counts, whatever the signs say."""
    root = tmp_path / "corpus"
    shutil.copytree(STORES / name / "corpus", root)
    other = "plain" if name != "plain" else "obsidian"
    assert load(root, dialect=name).detection.dialect == name
    forced = load(root, dialect=other, allow_empty=True)
    assert forced.detection.dialect == other
    assert {m.dialect for m in forced.memories.values()} <= {other}
