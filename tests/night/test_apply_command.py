"""The command that a dry run prints does what it says, wherever the corpus lies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from corpus_kit import git, write
from night_kit import request_for, run_night, tree

ODD = 'two words/\u00e9 "quoted" $HOME'
STATES = ["no-repository", "tracked", "untracked", "ignored", "no-commit"]
TEXT = "The pump of the greenhouse was repaired by Anna Keller in spring and needs oil twice. \n"
FILES = {
    "pump.md": f"---\ncreated: 2026-01-01\n---\n\n{TEXT}",
    "a pump #2.md": f"---\ncreated: 2026-01-02\n---\n\n{TEXT}",
    "crlf.md": "---\r\ncreated: 2026-01-03\r\n---\r\n\r\nSee [it](<a pump %232.md>). \r\n",
}


def _make(state: str, top: Path) -> None:
    """Put a corpus into a repository, as far as the state says so."""
    if state == "no-repository":
        return
    git(top, "init", "--quiet")
    git(top, "config", "apply.whitespace", "fix")
    if state == "ignored":
        (top / ".gitignore").write_bytes(b"agent\n")
    if state == "tracked":
        git(top, "add", "--all")
    if state != "no-commit":
        git(top, "commit", "--quiet", "--allow-empty", "--message=m")


@pytest.mark.parametrize(
    ("place", "state"),
    [("", "no-repository"), ("", "tracked"), (ODD, "tracked"), (ODD, "no-repository")]
    + [("agent", state) for state in STATES],
)
def test_printed_command_applies_the_night(
    place: str, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pasted into a shell in any folder, it leaves the corpus as the night decided."""
    root = tmp_path / "top" / place
    write(root, FILES)
    _make(state, tmp_path / "top")
    monkeypatch.chdir(tmp_path)
    out = Path("o t")
    result, outcome = run_night(request_for(Path("top") / place, out=out))
    write(out, outcome.artifacts)
    line = next(x for x in outcome.messages if x.startswith("to apply it: "))
    before = tree(root, without=[".git"])
    subprocess.run(line.removeprefix("to apply it: "), shell=True, cwd="/", check=True)
    assert tree(root, without=[".git"]) != before
    assert {path: (root / path).read_bytes() for path in result.end.files} == result.end.files


def test_nothing_to_apply_is_not_offered(tmp_path: Path) -> None:
    """A night without a decision prints no command."""
    write(tmp_path, {"pump.md": FILES["pump.md"]})
    _, outcome = run_night(request_for(tmp_path))
    assert not [line for line in outcome.messages if "apply" in line]
