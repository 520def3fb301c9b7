"""The gate by the command: `memsleep gate`, before a merge, and before a landing in a folder."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corpus_kit import commit, git
from git_night_kit import NOW, RUN, Repo, command
from landing_kit import set_identity, untouched
from memsleep.gate.twins import twins_of
from night_kit import CORPORA, copy_corpus, seeded_state, tree
from phases_kit import read


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_identity(tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def _spoilt(repo: Repo) -> str:
    """Let a night's branch overwrite the claim of a keeper by its twin; return its path."""
    repo.night()
    merges = [d for d in repo.plan()["decisions"] if d["kind"] == "merge"]
    git(repo.root, "checkout", "-q", RUN)
    for path in (str(decision["paths"][0]) for decision in merges):
        source = (repo.root / path).read_bytes()
        memory = read(path, source)
        twin = twins_of(memory.gist)[0]
        other = source.replace(memory.gist.encode(), twin.text.encode())
        if memory.gist not in read(path, other).body:
            commit(repo.root, {path: other})
            git(repo.root, "checkout", "-q", "main")
            return path
    raise AssertionError("no keeper of the fixture has a claim that stands in its body")


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_night_passes_before_and_after_its_merge(corpus: str, tmp_path: Path) -> None:
    """`memsleep gate` of a run says what it asked, whether the run has landed or not."""
    repo = Repo(tmp_path, corpus)
    repo.night()
    said = repo.run("gate", RUN)
    assert said.startswith("compared: commit ")
    assert "gate: passed" in said
    assert "gate: " in repo.run("merge")
    assert repo.run("gate") == said


def test_a_spoilt_branch_is_not_merged(repo: Repo) -> None:
    """The merge exits 5, names memory and decision, and changes nothing of the user's."""
    path = _spoilt(repo)
    before = untouched(repo.root)
    said = repo.run("merge", code=5)
    assert "error[gate-refused]" in said
    assert re.search(rf"inverted: {re.escape(path)}: .*\[[0-9a-f]{{12}}", said)
    assert "--despite-gate" in said
    assert untouched(repo.root) == before
    assert git(repo.root, "rev-parse", "HEAD").decode().strip() == repo.base


def test_a_spoilt_branch_can_be_merged_all_the_same(repo: Repo) -> None:
    """With the option it lands, and that is said out loud."""
    _spoilt(repo)
    said = repo.run("merge", "--despite-gate")
    assert "THE GATE REFUSED THIS" in said
    assert repo.tree("HEAD") == git(repo.root, "rev-parse", f"{RUN}^{{tree}}")


def test_two_commits_can_be_compared(repo: Repo) -> None:
    """`--base` and `--head` name any commits; the exit code says whether the gate passed."""
    path = _spoilt(repo)
    document = json.loads(repo.run("gate", "--base", "main", "--head", RUN, "--json", code=5))
    assert document["schema_version"] == 1
    assert document["passed"] is False
    assert path in [item["path"] for item in document["inversions"]]
    assert json.loads(repo.run("gate", "--base", "main", "--head", f"{RUN}~1", "--json"))["passed"]
    same = json.loads(repo.run("gate", "--base", "main", "--json"))
    assert (same["touched"]["facts"], same["passed"]) == (0, True)


def test_head_may_have_moved(repo: Repo) -> None:
    """What the user committed meanwhile is on both sides, and the merge passes."""
    repo.night()
    commit(repo.root, {"areas/new.md": "# A new memory\n\nNobody asked for it.\n"})
    assert "gate: " in repo.run("merge")


WRONG = [
    (["--head", "HEAD"], 2, "gate-two-questions"),
    ([RUN, "--base", "HEAD"], 2, "gate-two-questions"),
    (["--base", "nothing"], 2, "base-unknown"),
    (["sleep/1999-01-01"], 2, "run-unknown"),
    ([], 2, "run-unknown"),
]


@pytest.mark.parametrize(("words", "code", "reference"), WRONG)
def test_what_cannot_be_compared_is_an_error(
    repo: Repo, words: list[str], code: int, reference: str
) -> None:
    """Each mistake has its own reference."""
    assert f"error[{reference}]" in repo.run("gate", *words, code=code)


def test_commits_need_a_repository(tmp_path: Path) -> None:
    """In a plain folder there are no commits."""
    root = copy_corpus("html-store", tmp_path)
    code, said = command("gate", "--corpus", str(root), "--base", "HEAD")
    assert (code, "error[no-repository]" in said) == (2, True)


def test_a_branch_without_its_record(repo: Repo) -> None:
    """Where the record of a run is gone, its branch is compared with where it left HEAD."""
    repo.night()
    said = repo.run("gate")
    folder = repo.state / "runs" / RUN.replace("/", "-")
    folder.rename(repo.home / "elsewhere")
    assert repo.run("gate", RUN) == said


# In a folder ---------------------------------------------------------------------------------


def _folder(tmp_path: Path, *lines: str) -> tuple[Path, tuple[str, ...]]:
    root, state = copy_corpus("html-store", tmp_path), seeded_state("html-store", tmp_path)
    config = tmp_path / "config.toml"
    config.write_bytes("\n".join(lines).encode())
    return root, ("--config", str(config), "--state-dir", str(state))


OPPOSITES = ('[run]\nprofile = "reference"', "[gate]\nenforce = true")


def test_a_failing_night_lands_nothing(tmp_path: Path) -> None:
    """In a folder the gate stands before the landing: exit 5, no byte changed, and it is told."""
    root, options = _folder(tmp_path, *OPPOSITES)
    before = tree(root)
    code, said = command("run", str(root), "--now", NOW, *options)
    assert code == 5, said
    assert tree(root, without=[".memsleep/"]) == before
    assert "error[gate-refused]" in said
    assert "inverted: areas/deploys/image-cleanup-is-not-safe.html" in said
    (run,) = (tmp_path / "state" / "runs").iterdir()
    assert json.loads((run / "status.json").read_bytes())["state"] == "refused"
    checks = json.loads((run / "report.json").read_bytes())["checks"]
    assert [c["passed"] for c in checks if "answers" in c["name"]] == [False]
    code, told = command("status", "--corpus", str(root), *options[2:])
    assert "the gate refused it" in told
    code, again = command("gate", "--corpus", str(root), *options[2:])
    assert code == 5
    assert "has not landed" in again


def test_a_person_may_land_the_rest(tmp_path: Path) -> None:
    """The plan of a refused night is kept; without the decisions that were named it lands."""
    root, options = _folder(tmp_path, *OPPOSITES)
    _, said = command("run", str(root), "--now", NOW, *options)
    named = {name for line in said.split("\n") if line.strip().startswith(("inverted", "lost"))
             for name in re.findall(r"[0-9a-f]{12}", line)}  # fmt: skip
    (run,) = (tmp_path / "state" / "runs").iterdir()
    reject = [word for name in sorted(named) for word in ("--reject", name)]
    code, _ = command("apply", str(run / "plan.json"), *reject, "--corpus", str(root), *options)
    assert code == 0
    code, after = command("gate", "--corpus", str(root), *options[2:])
    assert code == 0, after
    assert "kept with the folder" in after


def test_the_gate_can_be_told_only(tmp_path: Path) -> None:
    """With `gate.enforce` off the night lands, and the report says what the gate found."""
    root, options = _folder(tmp_path, OPPOSITES[0])
    code, _ = command("run", str(root), "--now", NOW, *options)
    assert code == 0
    (run,) = (tmp_path / "state" / "runs").iterdir()
    checks = json.loads((run / "report.json").read_bytes())["checks"]
    (told,) = [c for c in checks if "answers" in c["name"]]
    assert not told["passed"]
    assert "told only" in told["detail"]
