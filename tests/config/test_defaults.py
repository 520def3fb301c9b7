from __future__ import annotations

import shutil
from pathlib import Path

from cli_kit import ROOT, memsleep


def test_an_installed_package_brings_its_defaults(tmp_path: Path) -> None:
    """Laid out as in the wheel, without the source tree, the file is found in the package."""
    site = tmp_path / "site"
    package = site / "memsleep"
    shutil.copytree(
        ROOT / "src" / "memsleep", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    (package / "config.toml").write_bytes(b"# shipped\n")
    process = memsleep("config", "defaults", home=tmp_path, PYTHONPATH=str(site))
    assert (process.returncode, process.stdout) == (0, b"# shipped\n")
