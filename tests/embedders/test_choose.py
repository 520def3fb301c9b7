from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memsleep.embedders.choose import embedder_named
from memsleep.errors import ConfigError


@pytest.mark.parametrize(("name", "identity"), [("hashgram", "hashgram-512-v1"), ("none", "none")])
def test_built_in(name: str, identity: str) -> None:
    """A name gives its embedder."""
    assert embedder_named(name).identity == identity


def test_file(tmp_path: Path) -> None:
    """A file needs a path and a place for a copy."""
    np.savez(tmp_path / "v.npz", paths=["a"], vectors=np.ones((1, 2), np.float32), identity="x")
    assert embedder_named("file", path=tmp_path / "v.npz", scratch=tmp_path).identity == "x"
    with pytest.raises(ConfigError, match="needs a path"):
        embedder_named("file")


@pytest.mark.parametrize("name", ["", "openai", "Hashgram", "command"])
def test_unknown(name: str) -> None:
    """What is not built in is an error of the config."""
    with pytest.raises(ConfigError) as error:
        embedder_named(name)
    assert error.value.reference == "unknown-embedder"


def test_light_import() -> None:
    """Choosing `none` needs no SQLite."""
    script = (
        "import sys; from memsleep.embedders.choose import embedder_named;"
        "embedder_named('none'); print('sqlite3' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "False"
