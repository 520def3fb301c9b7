"""What tells this code from other code: every byte of it, and all that it reads with."""

from __future__ import annotations

import compileall
import importlib.metadata
import shutil
import subprocess
import sys
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from memsleep import own_code
from memsleep.own_code import LIBRARIES, code_version, package_version

SRC = Path(own_code.__file__).parents[1]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with this package in it."""
    place = tmp_path / "copy"
    shutil.copytree(SRC, place, ignore=shutil.ignore_patterns("__pycache__"))
    return place


def version_in(place: Path) -> str:
    """Return what a process says that finds the package there."""
    code = "from memsleep.own_code import package_version; print(package_version())"
    environment = {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().strip()


def add(name: str) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        with (place / "memsleep" / name).open("ab") as file:
            file.write(b"#")

    return change


OTHER = [
    add("spelled.py"),  # readers use it
    add("core/frame.py"),
    add("readers/dates.py"),
    add("guards/data/en.toml"),
    add("new.py"),
    lambda place: (place / "memsleep" / "forecast.py").unlink(),
    lambda place: (place / "memsleep" / "forecast.py").rename(place / "memsleep" / "f.py"),
]
SAME = [
    lambda place: compileall.compile_dir(place, quiet=1),
    add("notes.txt"),
    lambda place: (place / "memsleep" / "text.py").touch(),
]


@pytest.mark.parametrize("change", OTHER)
def test_other_code_has_another_version(change: Callable[[Path], None], copy: Path) -> None:
    """In a module, a table, or by a name."""
    assert version_in(copy) == package_version()
    change(copy)
    assert version_in(copy) != package_version()


@pytest.mark.parametrize("change", SAME)
def test_what_says_nothing_changes_nothing(change: Callable[[Path], object], copy: Path) -> None:
    """Compiled files, texts and times."""
    change(copy)
    assert version_in(copy) == package_version()


def test_an_archive_is_as_good_as_a_folder(copy: Path, tmp_path: Path) -> None:
    """A program in one file keeps its caches, and loses them with the next version."""
    shutil.make_archive(str(tmp_path / "one"), "zip", copy)
    assert version_in(tmp_path / "one.zip") == package_version()
    with zipfile.ZipFile(tmp_path / "one.zip", "a") as archive:
        archive.writestr("memsleep/new.py", "")
    assert version_in(tmp_path / "one.zip") != package_version()


def test_code_without_sources_is_told_apart(copy: Path) -> None:
    """By what was compiled."""
    compileall.compile_dir(copy, quiet=1, legacy=True, invalidation_mode=None)
    for file in copy.rglob("*.py"):
        file.unlink()
    bare = version_in(copy)
    assert bare == version_in(copy) != package_version()
    (copy / "memsleep" / "forecast.pyc").unlink()
    assert version_in(copy) != bare


def test_another_python_or_library_is_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters, spaces and forms of text are what Python says they are."""
    found = {code_version()}
    for change in (
        lambda: monkeypatch.setattr(sys, "version", "9.9"),
        lambda: monkeypatch.setattr(unicodedata, "unidata_version", "99"),
        *(lambda name=name: _raise_version(monkeypatch, name) for name in LIBRARIES),
    ):
        change()
        package_version.cache_clear()
        code_version.cache_clear()
        found.add(code_version())
        monkeypatch.undo()
    package_version.cache_clear()
    code_version.cache_clear()
    assert len(found) == 3 + len(LIBRARIES)


def _raise_version(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    known = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata, "version", lambda asked: "9" if asked == name else known(asked)
    )
