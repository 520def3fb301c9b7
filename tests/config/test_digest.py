from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from config_kit import corpus_with, loaded
from memsleep.config import settings_digest
from memsleep.config.toml_text import settings_as_toml
from memsleep.settings import PROFILES


def test_equal_settings_have_one_digest(tmp_path: Path) -> None:
    """How a value was written, and where, does not matter."""
    plain = settings_digest(loaded(tmp_path).settings)
    corpus_with(tmp_path, toml="[graph]\ndamping = 0.850\nmax_sweeps = 0x64\ntolerance = 0\n")
    assert plain == settings_digest(loaded(tmp_path).settings)
    assert len(plain) == 64


@pytest.mark.parametrize(
    ("name", "value"),
    [("DECAY__ALPHA", "0.11"), ("RUN__PROFILE", "reference"), ("EMBEDDER__NAME", "none")],
)
def test_another_value_has_another_digest(tmp_path: Path, name: str, value: str) -> None:
    """A night with other settings can be told from its digest."""
    changed = loaded(tmp_path, environ={f"MEMSLEEP_{name}": value}).settings
    assert settings_digest(loaded(tmp_path).settings) != settings_digest(changed)


def test_where_the_vectors_lie_does_not_count(tmp_path: Path) -> None:
    """The digest is the same on a machine with other folders."""
    moved = loaded(tmp_path, environ={"MEMSLEEP_EMBEDDER__PATH": "/srv/v.npz"}).settings
    assert settings_digest(loaded(tmp_path).settings) == settings_digest(moved)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("path", ["", 'a"b\\c', "tab\tnew\nline\x7f", "\u8a18\u61b6\U0001f9e0"])
def test_settings_shown_as_toml_load_again(tmp_path: Path, profile: str, path: str) -> None:
    """What `config show` prints is a config that gives the same settings."""
    environ = {"MEMSLEEP_RUN__PROFILE": profile, "MEMSLEEP_EMBEDDER__PATH": path}
    first = loaded(tmp_path, environ=environ)
    text = settings_as_toml(first.settings, first.origins)
    assert path == tomllib.loads(text)["embedder"]["path"]
    own = tmp_path / "own.toml"
    own.write_bytes(text.encode("utf-8"))
    again = loaded(tmp_path, config_path=own).settings
    assert settings_digest(first.settings) == settings_digest(again)
