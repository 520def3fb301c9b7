"""A branch-mode run that is killed leaves no branch or a whole one, and nothing of the user's."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import branch_faults


@pytest.mark.skipif(
    shutil.which("strace") is None or sys.platform != "linux", reason="needs strace"
)
def test_killed_at_a_sample_of_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of the points of `python tests/branch_faults.py`, which tries all of them."""
    monkeypatch.setenv("HOME", str(tmp_path))
    tried = list(branch_faults.sweep(tmp_path, every=31, offset=7))
    assert len(tried) >= 9
    assert [(point, wrong) for point, wrong in tried if wrong] == []
