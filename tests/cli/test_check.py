"""`memsleep check` and `memsleep init` as processes: streams, exit codes, files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from check_kit import run_check
from cli_kit import error_document, memsleep
from corpus_kit import as_nobody, commit, git, init, needs_root, write
from night_kit import tree

NOW = ("--now", "2026-11-30T03:00:00Z")
FAULT = {"a.md": "See [[gone]].\n"}


def _check(home: Path, *arguments: str | Path, cwd: Path | None = None, **variables: str):  # type: ignore[no-untyped-def]
    return memsleep("check", *arguments, home=home, cwd=cwd, **variables)


def test_all_is_well_and_quiet(tmp_path: Path) -> None:
    """Nothing on either stream, exit 0."""
    root = write(tmp_path / "c", {"a.md": "All is well.\n"})
    done = _check(tmp_path, root)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_findings(tmp_path: Path) -> None:
    """The finding on standard output, the count on standard error, exit 1."""
    done = _check(tmp_path, write(tmp_path / "c", FAULT))
    assert done.returncode == 1
    assert done.stdout.startswith(b"a.md:1:7: warning: gone leads nowhere [MS201 dangling-link]\n")
    assert done.stderr == b"1 file checked: 1 warning\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--fail-on", "error"), 0),
        (("--fail-on", "never"), 0),
        (("--fail-on", "note"), 1),
        (("--fail-on", "sometimes"), 2),
        (("--format", "xml"), 2),
        (("--report", "sarif"), 2),
        (("--diff",), 2),
        (("--force",), 2),
        (("--fix", "--staged"), 2),
        (("--base", "main"), 2),
        (("--explain", "MS999"), 2),
        (("--explain", "MS104"), 0),
        (("--list",), 0),
        (("--baseline", "nowhere.json"), 1),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, tmp_path: Path) -> None:
    """0 nothing that fails, 1 findings, 2 usage."""
    root = write(tmp_path / "c", FAULT)
    assert _check(tmp_path, root, *arguments).returncode == code


def test_no_file_is_a_failure(tmp_path: Path) -> None:
    """Zero files checked exits 3, unless that is allowed."""
    (tmp_path / "c").mkdir()
    done = _check(tmp_path, tmp_path / "c", "--json")
    assert (done.returncode, error_document(done)["reference"]) == (3, "nothing-checked")
    assert _check(tmp_path, tmp_path / "c", "--allow-empty").returncode == 0
    root = write(tmp_path / "d", FAULT)
    assert _check(tmp_path, "--corpus", root, "b*.md").returncode == 3


@needs_root
def test_a_file_that_may_not_be_read_fails(tmp_path: Path) -> None:
    """It is named, the rest is checked, exit 1; nothing is followed."""
    root = write(tmp_path / "c", {**FAULT, "b.md": "x\n"})
    (root / "b.md").chmod(0)
    tmp_path.chmod(0o755)

    def check() -> str:
        return "\n".join(f"{f.path} {f.code} {f.message}" for f in run_check(root).result.findings)

    run_check(write(tmp_path / "other", FAULT))  # imports what nobody may not read
    for folder in (root, *list(tmp_path.parents)[:3]):
        folder.chmod(0o755)
    said = as_nobody(check)
    assert said == "a.md MS201 gone leads nowhere\nb.md MS101 no permission to read it"


def test_an_unknown_rule_in_the_config(tmp_path: Path) -> None:
    """Exit 2, with the file and line, and the nearest rule."""
    root = write(tmp_path / "c", {**FAULT, "memsleep.toml": '[check]\noff = ["MS2011"]\n'})
    error = error_document(_check(tmp_path, root, "--json"))
    assert error["reference"] == "unknown-rule"
    assert error["context"][0] == "memsleep.toml:2"
    assert error["hint"] == "did you mean MS201?"


def test_a_broken_baseline(tmp_path: Path) -> None:
    """Exit 3: it could not be checked."""
    root = write(tmp_path / "c", {**FAULT, "memsleep-baseline.json": "{"})
    assert error_document(_check(tmp_path, root, "--json"))["reference"] == "baseline-unreadable"
    assert _check(tmp_path, root).returncode == 3


def test_the_baseline_by_command(tmp_path: Path) -> None:
    """Made by force, used, shrunk, never grown."""
    root = write(tmp_path / "c", FAULT)
    first = _check(tmp_path, root, "--update-baseline")
    assert (first.returncode, b"--force accepts them" in first.stderr) == (0, True)
    assert not (root / "memsleep-baseline.json").exists()
    _check(tmp_path, root, "--update-baseline", "--force")
    assert _check(tmp_path, root).returncode == 0
    write(root, {"a.md": "See [[lost]].\n"})
    _check(tmp_path, root, "--update-baseline")
    assert json.loads((root / "memsleep-baseline.json").read_bytes())["findings"] == []
    assert _check(tmp_path, root).returncode == 1


def test_paths_and_globs(tmp_path: Path) -> None:
    """Files, folders and globs choose what is told; links are still known."""
    root = write(
        tmp_path / "c", {**FAULT, "x/b.md": "See [[a]] and [[lost]].\n", "y.md": "[[no]]\n"}
    )
    for argument in (
        "x/b.md",
        "x",
        "x/",
        "./x/b.md",
        "x/*.md",
        "**/b.md",
        str(root / "x" / "b.md"),
    ):
        done = _check(tmp_path, "--corpus", ".", argument, cwd=root)
        assert done.stdout.decode().count("MS201") == 1, argument
        assert done.stdout.startswith(b"x/b.md:1:17"), argument
    assert _check(tmp_path, "a.md", "y.md", cwd=root).stdout.count(b"MS201") == 2
    outside = _check(tmp_path, "--corpus", root, "/etc/hostname")
    assert (outside.returncode, b"path-outside" in outside.stderr) == (2, True)


def test_reports_are_written_beside_the_output(tmp_path: Path) -> None:
    """One check, several forms."""
    root = write(tmp_path / "c", FAULT)
    out = tmp_path / "out"
    done = _check(
        tmp_path,
        root,
        "--format",
        "github",
        "--report",
        f"sarif={out}/c.sarif",
        "--report",
        f"markdown={out}/c.md",
    )
    assert done.stdout.startswith(b"::warning file=a.md,line=1,")
    assert json.loads((out / "c.sarif").read_bytes())["version"] == "2.1.0"
    assert (out / "c.md").read_bytes().startswith(b"<!-- memsleep-check -->")


def test_json_is_one_document(tmp_path: Path) -> None:
    """`--json` is `--format json`."""
    root = write(tmp_path / "c", FAULT)
    document = json.loads(_check(tmp_path, root, "--json").stdout)
    assert (document["checked"], document["counts"]["warning"]) == (1, 1)


def test_fix_as_a_diff_first(tmp_path: Path) -> None:
    """`--diff` writes nothing; then `--fix` writes what it showed."""
    root = write(tmp_path / "c", {"a.md": "---\ntags: [x, x]\n---\nText.\n"})
    before = tree(root)
    shown = _check(tmp_path, root, "--fix", "--diff")
    assert (shown.returncode, tree(root)) == (1, before)
    assert b"-tags: [x, x]\n+tags: [x]\n" in shown.stdout
    done = _check(tmp_path, root, "--fix")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"1 fixed, in 1 files\n")
    assert (root / "a.md").read_bytes() == b"---\ntags: [x]\n---\nText.\n"


def test_nothing_is_written_into_the_corpus(tmp_path: Path) -> None:
    """A check leaves the corpus as it is; the cache is elsewhere."""
    root = init(tmp_path / "c")
    commit(root, FAULT)
    before = tree(root)
    _check(tmp_path, root, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert tree(root) == before
    assert list((tmp_path / "cache" / "memsleep" / "check").iterdir())
    _check(tmp_path, root, "--state-dir", tmp_path / "state")
    assert (tmp_path / "state" / "check.db").is_file()


def test_a_hook_of_a_partial_commit_sees_its_index(tmp_path: Path) -> None:
    """`git commit FILE` gives hooks another index, and that one is checked."""
    root = init(tmp_path / "c")
    commit(root, {"a.md": "x\n"})
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(b'#!/bin/sh\nprintf %s "$GIT_INDEX_FILE" > "$OUT"\n')
    hook.chmod(0o755)
    write(root, {"a.md": "See [[gone]].\n", "b.md": "See [[lost]].\n"})
    git(root, "add", "b.md")
    os.environ["OUT"] = str(tmp_path / "named")
    done = _check(tmp_path, "--staged", cwd=root, GIT_INDEX_FILE=".git/index")
    assert done.stdout.startswith(b"b.md:1:7")


# init -------------------------------------------------------------------------------------------


def test_init_writes_a_config_that_loads(tmp_path: Path) -> None:
    """A commented config that changes nothing, and an ignore file that git obeys."""
    root = init(tmp_path / "c")
    commit(root, FAULT)
    done = memsleep("init", root, home=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"memsleep.toml\n.memsleep/.gitignore\n")
    config = (root / "memsleep.toml").read_bytes().decode()
    assert "taken for: plain" in config
    assert _check(tmp_path, root).returncode == 1
    write(root, {".memsleep/state.db": "x"})
    assert git(root, "status", "--porcelain").split() == [b"??", b"memsleep.toml"]


def test_init_touches_nothing_that_is_there(tmp_path: Path) -> None:
    """Run twice, or over a config of the user's, it leaves every byte."""
    root = write(tmp_path / "c", {**FAULT, "memsleep.toml": "[check]\n"})
    memsleep("init", root, home=tmp_path)
    before = tree(root)
    again = memsleep("init", root, home=tmp_path)
    assert (again.returncode, again.stdout, tree(root)) == (0, b"", before)
    assert b"is there already" in again.stderr


def test_init_does_not_write_through_links(tmp_path: Path) -> None:
    """A corpus may be somebody else's: its links are not followed."""
    root = write(tmp_path / "c", FAULT)
    (tmp_path / "elsewhere").mkdir()
    (root / ".memsleep").symlink_to("../elsewhere")
    done = memsleep("init", root, home=tmp_path)
    assert (done.returncode, b"init-through-link" in done.stderr) == (2, True)
    assert list((tmp_path / "elsewhere").iterdir()) == []
