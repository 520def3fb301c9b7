"""Nights in a git repository, by the command line in this process."""

from __future__ import annotations

import io
import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from corpus_kit import commit, git, init
from memsleep.cli.app import main
from night_kit import FIXTURES, seeded_state

NOW = "2026-11-30T03:00:00Z"
RUN = "sleep/2026-11-30"


def command(*words: str) -> tuple[int, str]:
    """Run a command in this process, which saves its start, and return its exit code and words."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    out.flush()
    return code, out.buffer.getvalue().decode() + err.getvalue()  # type: ignore[attr-defined]


class Repo:
    """A fixture in a repository, with the state of an earlier night."""

    def __init__(self, folder: Path, corpus: str = "html-store") -> None:
        self.home = folder / "home"
        self.state = seeded_state(corpus, folder)
        self.root = init(folder / "r")
        shutil.copytree(FIXTURES / corpus / "corpus", self.root, symlinks=True, dirs_exist_ok=True)
        self.base = commit(self.root)

    def run(self, *words: str, code: int = 0) -> str:
        corpus = () if words[0] == "run" else ("--corpus", str(self.root))
        words = tuple(str(self.root) if word == "." else word for word in words)
        found, said = command(*words, *corpus, "--state-dir", str(self.state))
        assert found == code, said
        return said

    def night(self) -> str:
        self.run("run", ".", "--now", NOW, "--quiet")
        return RUN

    def status(self, run: str = RUN) -> dict[str, Any]:
        file = self.state / "runs" / run.replace("/", "-") / "status.json"
        found = json.loads(file.read_bytes())
        assert isinstance(found, dict)
        return found

    def plan(self) -> dict[str, Any]:
        found = json.loads((self.state / "runs" / RUN.replace("/", "-") / "plan.json").read_bytes())
        assert isinstance(found, dict)
        return found

    def tree(self, name: str) -> bytes:
        return git(self.root, "rev-parse", f"{name}^{{tree}}")
