from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from cli_kit import error_document, memsleep
from config_kit import corpus_with
from memsleep.cli.app import main
from memsleep.config import default_config_text, settings_digest
from memsleep.settings import Settings


def test_the_defaults_are_printed_as_they_ship(capfd: pytest.CaptureFixture[str]) -> None:
    """`config defaults` is the annotated file."""
    assert main(["config", "defaults"]) == 0
    assert capfd.readouterr() == (default_config_text(), "")


def test_origins_tell_file_line_variable_and_option(tmp_path: Path) -> None:
    """Each value in force is followed by the layer and the place it came from."""
    corpus_with(tmp_path, toml="[decay]\n\nalpha = 0.2\n")
    own = tmp_path / "own.toml"
    own.write_bytes(b"graph.damping = 0.5\n")
    process = memsleep(
        *("config", "show", tmp_path, "--origin", "--profile", "reference", "--config", "own.toml"),
        home=tmp_path,
        MEMSLEEP_TRIAGE__GRACE_DAYS="9",
    )
    assert (process.returncode, process.stderr) == (0, b"")
    lines = process.stdout.decode().split("\n")
    assert "alpha = 0.2  # corpus memsleep.toml:3" in lines
    assert "damping = 0.5  # file own.toml:1" in lines
    assert "grace_days = 9  # environment MEMSLEEP_TRIAGE__GRACE_DAYS" in lines
    assert 'profile = "reference"  # option --profile' in lines
    assert 'clock = "runs"  # profile reference' in lines
    assert "max_steps = 7  # default" in lines


def test_without_origins_it_is_the_settings_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is printed is TOML, and no comment stands in it."""
    assert main(["config", "show", str(tmp_path)]) == 0
    out = capfd.readouterr().out
    assert "#" not in out
    assert tomllib.loads(out) == Settings().model_dump(mode="json")


def test_as_json_it_has_a_schema_version(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One document: settings, their digest, and the origin of each."""
    assert main(["config", "show", str(tmp_path), "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert document["schema_version"] == 1
    assert document["digest"] == settings_digest(Settings())
    assert document["settings"] == Settings().model_dump(mode="json")
    assert document["origins"]["decay.alpha"] == {"kind": "default", "where": ""}


def test_a_wrong_config_exits_2_with_its_place(tmp_path: Path) -> None:
    """On standard error for a person, on standard output for a program."""
    corpus_with(tmp_path, toml="[decay]\nalpa = 0.2\n")
    process = memsleep("config", "show", tmp_path, "--json", home=tmp_path)
    assert process.returncode == 2
    error = error_document(process)
    assert (error["reference"], error["hint"]) == ("unknown-setting", "did you mean alpha?")
    assert error["context"][0] == "memsleep.toml:2: [decay] alpa = 0.2"
    assert process.stderr.decode().split("\n")[1] == "  memsleep.toml:2: [decay] alpa = 0.2"
