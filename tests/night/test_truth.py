"""The patch is true, no link is lost, nothing is lost: over corpora that are made to mislead."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from corpus_kit import write
from memsleep.night import NightResult
from night_kit import git_apply, request_for, run_night, tree
from truth_corpora import misleading, misleading_store
from truth_kit import lost_links, lost_texts, unlike_on_disk

BOLD = {
    "dedup.min_merges": 1000, "dedup.max_copies": 20, "triage.apply": "always",
    "triage.first_night_advisory": False, "triage.grace_days": 0, "budget.enabled": False,
}  # fmt: skip
MANY = {"dedup.min_merges": 1000, "dedup.max_copies": 20}
REFERENCE = {"run.profile": "reference"}


def _held(root: Path, options: dict[str, object]) -> NightResult:
    """Run a night, hold it against what must be true, take it back."""
    before = tree(root)
    result, outcome = run_night(request_for(root, options=options))
    assert [phase.status for phase in result.phases] == ["ok"] * len(result.phases)
    assert tree(root) == before
    git_apply(root, outcome.artifacts["sleep.diff"])
    assert unlike_on_disk(root, result) == []
    assert lost_texts(result) == []
    if options.get("run.profile") != "reference":
        assert lost_links(result) == []
    return result


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("options", [MANY, BOLD, REFERENCE], ids=["many", "bold", "reference"])
def test_patch_is_true(seed: int, options: dict[str, object], tmp_path: Path) -> None:
    """Bytes, links and texts are as the fold says; a second night has nothing left to merge."""
    write(tmp_path / "corpus", misleading(seed))
    result = _held(tmp_path / "corpus", options)
    assert result.decisions
    refused = any(refusal.cause == "edit-refused" for refusal in result.refused)
    if options == MANY and not refused:  # what a file had no place for may fit into another one
        again, _ = run_night(request_for(tmp_path / "corpus", options=options))
        assert [item.proposal for item in again.decisions] == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [MANY, BOLD, REFERENCE], ids=["many", "bold", "reference"])
def test_patch_of_a_store_is_true(seed: int, options: dict[str, object], tmp_path: Path) -> None:
    """The same for HTML: typed links, anchors from the root and from the folder, listings."""
    write(tmp_path / "corpus", misleading_store(seed))
    result = _held(tmp_path / "corpus", options)
    assert result.decisions
    assert not result.start.unreadable


@pytest.mark.parametrize("profile", ["careful", "reference"])
@pytest.mark.parametrize("dialect", ["html", "markdown"])
def test_generated_corpus(profile: str, dialect: str, tmp_path: Path) -> None:
    """300 generated memories: as above, and careful is idempotent."""
    _benchmark_corpus().write(tmp_path / "corpus", 300, 11, dialect)
    result = _held(tmp_path / "corpus", {"run.profile": profile})
    assert result.decisions
    if profile == "careful":
        again, _ = run_night(request_for(tmp_path / "corpus"))
        assert [item.proposal for item in again.decisions] == []


def _benchmark_corpus() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "corpus.py"
    spec = importlib.util.spec_from_file_location("benchmark_corpus", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["benchmark_corpus"] = module
    spec.loader.exec_module(module)
    return module
