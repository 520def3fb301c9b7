from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli_kit import CORPUS, environment, error_document, memsleep
from config_kit import corpus_with
from corpus_kit import needs_root
from memsleep.cli.app import main
from memsleep.request import ARTIFACTS

NOW = "2026-11-30T03:00:00Z"


def _digest(root: Path) -> str:
    """Return a digest of every path, mode and byte below a folder."""
    found = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        found.update(f"{path.relative_to(root)}\0{path.lstat().st_mode}\0".encode())
        found.update(path.read_bytes() if path.is_file() else b"")
    return found.hexdigest()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Give a small corpus of its own: 40 memories of the reference store."""
    root = tmp_path / "corpus"
    for path in sorted(CORPUS.rglob("*.html"))[:40]:
        copy = root / path.relative_to(CORPUS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return root


REFUSED = [
    pytest.param(["nowhere", "--dry-run"], 2, "corpus-missing", id="missing"),
    pytest.param(["a-file", "--dry-run"], 2, "corpus-is-a-file", id="file"),
    pytest.param(["a-file/x", "--dry-run"], 2, "corpus-missing", id="below-a-file"),
    pytest.param(["empty", "--dry-run"], 3, "corpus-empty", id="empty"),
    pytest.param([".", "--dry-run", "--now", "tomorrow"], 2, "bad-instant", id="now"),
    pytest.param([".", "--dry-run", "--now", ""], 2, "bad-instant", id="now-empty"),
    pytest.param([".", "--dry-run", "--profile", "x"], 2, "bad-setting", id="profile"),
    pytest.param([".", "--dry-run", "--phases", "x"], 2, "bad-setting", id="phase"),
    pytest.param([".", "--dry-run", "--phases", ""], 2, "bad-setting", id="phase-empty"),
    pytest.param([".", "--dry-run", "--phases", "dedup"], 2, "bad-phase-order", id="order"),
    pytest.param([".", "--dry-run", "--embedder", "x"], 2, "bad-setting", id="embedder"),
    pytest.param([".", "--dry-run", "--config", "no"], 2, "config-not-found", id="config"),
    pytest.param([".", "--dry-run", "--out", "./r"], 2, "out-inside-corpus", id="out"),
    pytest.param(["empty", "--dry-run", "--out", "a-file"], 2, "out-not-a-folder", id="out-file"),
    pytest.param(["empty", "--dry-run", "--out", "other"], 2, "out-not-ours", id="out-other"),
    pytest.param(
        ["empty", "--dry-run", "--state-dir", "a-file"], 2, "state-not-a-folder", id="state"
    ),
    pytest.param(
        [".", "--dry-run", "--embedder", "none", "--vectors", "v"],
        2,
        "conflicting-options",
        id="vectors",
    ),
]


@pytest.mark.parametrize(("args", "code", "reference"), REFUSED)
def test_what_cannot_be_is_refused_before_anything_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    args: list[str],
    code: int,
    reference: str,
) -> None:
    """A clear error, its exit code, nothing on standard output and no file anywhere."""
    (tmp_path / "a-file").write_bytes(b"")
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "plan.json").write_bytes(b"theirs")
    monkeypatch.chdir(tmp_path)
    before = _digest(tmp_path)
    assert main(["run", *args]) == code
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"error[{reference}]: ")
    assert _digest(tmp_path) == before


def test_a_wrong_config_of_the_corpus_stops_the_run(corpus: Path, tmp_path: Path) -> None:
    """With its file and line; for a program as JSON."""
    corpus_with(corpus, toml="[decay]\n\nalpha = 7\n")
    process = memsleep("run", corpus, "--dry-run", "--json", home=tmp_path)
    assert process.returncode == 2
    error = error_document(process)
    assert error["reference"] == "bad-setting"
    assert error["context"][0] == "memsleep.toml:3: [decay] alpha = 7"


def test_a_dry_run_prints_summary_and_diff(corpus: Path, tmp_path: Path) -> None:
    """On standard output, while the corpus stays as it was."""
    before = _digest(corpus)
    process = memsleep("run", corpus, "--dry-run", "--now", NOW, home=tmp_path)
    assert process.returncode == 0, process.stderr
    assert b"Traceback" not in process.stderr
    assert process.stdout
    quiet = memsleep("run", corpus, "--dry-run", "--now", NOW, "--quiet", home=tmp_path)
    assert (quiet.returncode, quiet.stderr) == (0, b"")
    assert process.stdout.endswith(quiet.stdout)
    assert _digest(corpus) == before


def test_with_out_the_five_artifacts_are_written(corpus: Path, tmp_path: Path) -> None:
    """They are the same the second time, timings stand beside them, and no diff is printed."""
    out = tmp_path / "deep" / "out"
    command = ("run", corpus, "--dry-run", "--now", NOW, "--profile", "reference", "--out", out)
    first = memsleep(*command, "--exit-code", home=tmp_path)
    assert first.returncode == 1, first.stderr
    assert sorted([*ARTIFACTS, "timings.json"]) == sorted(path.name for path in out.iterdir())
    told = json.loads((out / "timings.json").read_bytes())
    assert told["pairing"]["pairs"] > 0  # counts, for those who wonder where the time went
    contents = {name: (out / name).read_bytes() for name in ARTIFACTS}
    assert contents["sleep.diff"].startswith(b"diff --git ")
    assert b"diff --git " not in first.stdout
    second = memsleep(*command, home=tmp_path)
    assert (second.returncode, second.stdout) == (0, first.stdout)
    assert {name: (out / name).read_bytes() for name in ARTIFACTS} == contents


def test_the_diff_on_standard_output_is_that_of_the_file(corpus: Path, tmp_path: Path) -> None:
    """Not a byte is translated on the way: the corpus has CRLF and other line ends."""
    for path in sorted(corpus.rglob("*.html")):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    out = tmp_path / "out"
    common = ("run", corpus, "--dry-run", "--now", NOW, "--profile", "reference", "--quiet")
    memsleep(*common, "--out", out, home=tmp_path)
    diff = (out / "sleep.diff").read_bytes()
    assert b"\r\n" in diff
    assert memsleep(*common, home=tmp_path).stdout == diff


def test_json_is_one_document(corpus: Path, tmp_path: Path) -> None:
    """With a schema version, and nothing beside it."""
    process = memsleep("run", corpus, "--dry-run", "--now", NOW, "--json", home=tmp_path)
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout)["schema_version"] == 1


def test_verbose_tells_instant_and_settings(corpus: Path, tmp_path: Path) -> None:
    """Who set what is on standard error."""
    corpus_with(corpus, toml="[decay]\nalpha = 0.2\n")
    process = memsleep("run", corpus, "--dry-run", "--now", NOW, "-v", home=tmp_path)
    lines = process.stderr.decode().split("\n")
    assert f"now: {NOW}" in lines
    assert "decay.alpha: corpus memsleep.toml:2" in lines


def test_an_empty_corpus_is_fine_where_that_is_said(tmp_path: Path) -> None:
    """`--allow-empty` turns the error into a quiet night."""
    (tmp_path / "empty").mkdir()
    process = memsleep("run", "empty", "--dry-run", "--allow-empty", home=tmp_path)
    assert process.returncode == 0, process.stderr


@needs_root
def test_a_folder_that_may_not_be_listed_is_said_so(tmp_path: Path) -> None:
    """Root ignores mode bits, so the command runs as nobody."""
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o700)
    script = (
        "import os, sys\n"
        "from memsleep.cli.app import main\n"
        "import memsleep.config, memsleep.corpus.choose, memsleep.errors\n"
        f"fd = os.open({str(tmp_path)!r}, os.O_RDONLY)\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "os.fchdir(fd)\n"
        "sys.exit(main(['run', 'locked', '--dry-run']))\n"
    )
    tmp_path.chmod(0o755)
    process = _python(script, tmp_path)
    assert process.returncode == 3
    assert process.stderr.startswith(b"error[corpus-unreadable]: ")


def _python(script: str, home: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(home), check=False
    )
