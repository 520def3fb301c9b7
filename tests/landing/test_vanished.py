"""Files that somebody takes away between the look at them and the writing beside them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus_kit import write
from git_night_kit import NOW
from memsleep.landing.directory import DirectorySink, Steps
from memsleep.landing.place import place_of
from memsleep.landing.sink import PhaseFold, RunMeta
from refold_kit import files_of

PHASE = PhaseFold(
    name="dedup",
    before={"a.md": b"alpha\n", "sub/b.md": b"beta\n"},
    after={"a.md": b"alpha beta\n", "archive/2026/b.md": b"beta\n"},
    moves={"sub/b.md": "archive/2026/b.md"},
    decisions=("d1",),
)
GONE: list[tuple[Callable[[Path], object], str]] = [
    (lambda root: (root / "a.md").unlink(), "a.md"),
    (lambda root: (root / "sub/b.md").rename(root / "sub/c.md"), "sub/b.md"),
    (lambda root: shutil.rmtree(root / "sub"), "sub/b.md"),
]


@pytest.mark.parametrize(("take", "named"), GONE)
def test_what_vanishes_before_it_is_staged_is_stale(
    take: Callable[[Path], object], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The landing names it, changes nothing and leaves nothing behind, to be tried without it."""
    root = write(tmp_path / "c", {"a.md": "alpha\n", "sub/b.md": "beta\n", "d.md": "delta\n"})
    stage = Steps.stage

    def late(steps: Steps, whole: PhaseFold) -> None:
        take(root)
        left.update(files_of(root))
        stage(steps, whole)

    left: dict[str, bytes] = {}
    monkeypatch.setattr(Steps, "stage", late)
    landing = DirectorySink(place_of(root)).land(RunMeta(run_id="sleep/x", now=NOW), (PHASE,))
    assert (landing.kind, landing.stale) == ("stale", (named,))
    assert files_of(root) == left
    assert not place_of(root).journal.exists()
    assert not (root / "archive").exists()
