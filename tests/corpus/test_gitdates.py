"""Dates from git: one pass, renames followed, and nothing told where nothing is known."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from corpus_kit import init, write
from memsleep.corpus.load import LoadedCorpus, load_corpus
from memsleep.settings import CorpusSettings

HEAD = "---\ntitle: T\nstatus: {}\n---\n\n"


def at(root: Path, day: str, files: Mapping[str, str | None], message: str = "m") -> None:
    """Commit files on a day; None takes one out."""
    for path, text in files.items():
        if text is None:
            (root / path).unlink()
        else:
            write(root, {path: text})
    stamp = f"{day}T12:00:00Z"
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env = {**clean, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    run = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*run, "add", "-A"], check=True, env=env)
    subprocess.run([*run, "commit", "-q", "--allow-empty", "-m", message], check=True, env=env)


def dates(corpus: LoadedCorpus) -> dict[str, tuple[str | None, str | None]]:
    """Return path -> days of making and last change."""
    return {
        path: ((memory.created or "")[:10] or None, (memory.updated or "")[:10] or None)
        for path, memory in corpus.memories.items()
    }


def load(root: Path, **fields: object) -> LoadedCorpus:
    return load_corpus(root, CorpusSettings(**fields))  # type: ignore[arg-type]


def codes(corpus: LoadedCorpus) -> set[str]:
    return {problem.code for problem in corpus.problems}


def test_first_and_last_commit(tmp_path: Path) -> None:
    """Created by the first commit; updated by the last that changed the body, not the head."""
    root = init(tmp_path / "r")
    at(root, "2026-01-01", {"a.md": HEAD.format("x") + "One.\n", "b.md": "B.\n"})
    at(root, "2026-02-01", {"a.md": HEAD.format("x") + "Two.\n"})
    at(root, "2026-03-01", {"a.md": HEAD.format("y") + "Two.\n"})
    at(root, "2026-04-01", {"c.md": "---\ncreated: 2020-05-05\n---\n\nC.\n"})
    corpus = load(root)
    assert dates(corpus) == {
        "a.md": ("2026-01-01", "2026-02-01"),
        "b.md": ("2026-01-01", "2026-01-01"),
        "c.md": ("2020-05-05", "2026-04-01"),
    }
    assert corpus.memories["a.md"].from_history == {"created", "updated"}
    assert corpus.memories["c.md"].from_history == {"updated"}
    assert not corpus.memories["a.md"].states("created")
    assert codes(corpus) == set()


def test_a_rename_is_no_making(tmp_path: Path) -> None:
    """The past goes with the bytes to another path; a copy has none."""
    root = init(tmp_path / "r")
    at(root, "2026-01-01", {"a.md": "A memory.\n", "k.md": "K.\n"})
    at(root, "2026-02-01", {"a.md": None, "deep/b.md": "A memory.\n"})
    at(root, "2026-03-01", {"copy.md": "K.\n"})
    found = dates(load(root))
    assert found["deep/b.md"] == ("2026-01-01", "2026-01-01")
    assert found["copy.md"] == ("2026-03-01", "2026-03-01")


def test_a_bulk_import_tells_nothing(tmp_path: Path) -> None:
    """Unknown, which is not old; what was made after it is known, and so are edits."""
    root = init(tmp_path / "r")
    at(root, "2020-01-01", {f"{n}.md": f"Memory {n}.\n" for n in range(30)})
    at(root, "2026-02-01", {"new.md": "New.\n", "3.md": "Memory 3, edited.\n"})
    corpus = load(root)
    found = dates(corpus)
    assert (found["1.md"], found["3.md"]) == ((None, None), (None, "2026-02-01"))
    assert found["new.md"] == ("2026-02-01", "2026-02-01")
    assert codes(corpus) == {"bulk-import"}
    assert "30 memories is unknown, not old" in corpus.problems[0].message


def test_a_few_files_are_no_import(tmp_path: Path) -> None:
    """Nineteen at once are; twenty are not, and twenty among many are not one either."""
    root = init(tmp_path / "r")
    at(root, "2026-01-01", {f"{n}.md": f"Memory {n}.\n" for n in range(19)})
    assert dates(load(root))["1.md"][0] == "2026-01-01"
    for step in range(4):
        at(
            root,
            f"2026-02-{step + 1:02}",
            {f"x{step}-{n}.md": f"M {step} {n}.\n" for n in range(19)},
        )
    at(root, "2026-03-01", {f"y{n}.md": f"Y {n}.\n" for n in range(20)})
    assert dates(load(root))["y1.md"][0] == "2026-03-01"


def test_a_mass_edit_is_no_change(tmp_path: Path) -> None:
    """A commit that edits most bodies at once says of none when it changed."""
    root = init(tmp_path / "r")
    for step in range(3):
        at(
            root,
            f"2026-01-{step + 1:02}",
            {f"{step}-{n}.md": f"M {step} {n}.\n" for n in range(10)},
        )
    at(root, "2026-05-01", {f"{s}-{n}.md": f"M {s} {n}!\n" for s in range(3) for n in range(10)})
    assert dates(load(root))["1-1.md"] == ("2026-01-02", None)


def test_a_shallow_clone_says_so(tmp_path: Path) -> None:
    """What lies beyond its edge is unknown."""
    root = init(tmp_path / "r")
    at(root, "2020-01-01", {"a.md": "A.\n"})
    at(root, "2026-02-01", {"b.md": "B.\n"})
    at(root, "2026-03-01", {"c.md": "C.\n"})
    clone = tmp_path / "clone"
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    command = ["git", "clone", "-q", "--depth", "2", root.as_uri(), str(clone)]
    subprocess.run(command, check=True, env=env)
    corpus = load(clone)
    assert dates(corpus) == {
        "a.md": (None, None),
        "b.md": (None, None),
        "c.md": ("2026-03-01", "2026-03-01"),
    }
    assert codes(corpus) == {"shallow-clone"}


def test_below_a_repository_and_odd_names(tmp_path: Path) -> None:
    """A corpus in a subfolder counts its own files; names are not quoted."""
    root = init(tmp_path / "r")
    at(root, "2026-01-01", {"out.md": "O.\n", 'in/a \u00e9"#.md': "A.\n", "in/:b.md": "B.\n"})
    at(root, "2026-02-01", {"in/:b.md": "B, again.\n"})
    assert dates(load(root / "in")) == {
        ":b.md": ("2026-01-01", "2026-02-01"),
        'a \u00e9"#.md': ("2026-01-01", "2026-01-01"),
    }


def test_a_merge_commit_is_passed_over(tmp_path: Path) -> None:
    """What came on a branch has the day of its own commit."""
    root = init(tmp_path / "r")
    at(root, "2026-01-01", {"a.md": "A.\n"})
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "checkout", "-q", "-b", "side"], check=True)
    at(root, "2026-02-01", {"b.md": "B.\n"})
    subprocess.run([*git, "checkout", "-q", "-"], check=True)
    at(root, "2026-03-01", {"c.md": "C.\n"})
    subprocess.run([*git, "merge", "-q", "--no-edit", "side"], check=True)
    assert dates(load(root))["b.md"] == ("2026-02-01", "2026-02-01")


def test_off(tmp_path: Path) -> None:
    """The config may do without, and a folder outside git has none."""
    root = init(tmp_path / "r")
    at(root, "2026-01-01", {"a.md": "A.\n"})
    assert dates(load(root, git_dates=False)) == {"a.md": (None, None)}
    write(tmp_path / "plain", {"a.md": "A.\n"})
    assert dates(load(tmp_path / "plain")) == {"a.md": (None, None)}
