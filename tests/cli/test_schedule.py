"""`memsleep schedule` prints units and installs nothing."""

from __future__ import annotations

import json
import plistlib
from pathlib import Path

import pytest

from cli_kit import error_document, memsleep


@pytest.mark.parametrize("kind", ["cron", "systemd", "launchd", "github"])
def test_prints_a_unit(tmp_path: Path, kind: str) -> None:
    """Each scheduler's unit names the corpus by its absolute path, or the checkout."""
    (tmp_path / "notes").mkdir()
    done = memsleep("schedule", kind, "--corpus", "notes", "--at", "4:05", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert ("run ." if kind == "github" else str(tmp_path / "notes")) in text
    if kind == "launchd":
        assert plistlib.loads(done.stdout)["StartCalendarInterval"] == {"Hour": 4, "Minute": 5}


def test_json(tmp_path: Path) -> None:
    """With --json the unit is one value of a document."""
    done = memsleep("schedule", "cron", "--json", "--option=--profile=careful", home=tmp_path)
    document = json.loads(done.stdout)
    assert document["kind"] == "cron"
    assert "--profile=careful" in document["unit"]


@pytest.mark.parametrize(
    ("arguments", "reference"),
    [
        (("anacron",), "schedule-unknown"),
        (("cron", "--at", "25:00"), "schedule-bad-time"),
        (("cron", "--at", "3"), "schedule-bad-time"),
        (("cron", "--option", "a\nb"), "schedule-bad-name"),
        (("cron", "--corpus", "missing"), "corpus-missing"),
    ],
)
def test_refusals(tmp_path: Path, arguments: tuple[str, ...], reference: str) -> None:
    """What cannot become a unit is refused; a line feed could smuggle a line into one."""
    done = memsleep("schedule", *arguments, "--json", home=tmp_path)
    assert (done.returncode, error_document(done)["reference"]) == (2, reference)
