"""What follows a merge and an undo of a branch: the brief, and a version for each change."""

from __future__ import annotations

import shutil
from pathlib import Path

from check_kit import note
from corpus_kit import commit, git, write
from git_night_kit import RUN, Repo
from memsleep.state.store import open_state

LATER = "2026-11-30T05:00:00Z"


TEXT = "Deploys run on Tuesday, in a window of two hours, and never before nine in the morning."
NOTES = {
    "a.md": note(TEXT, created="2026-11-05"),
    "b.md": note(TEXT, created="2026-11-20"),
    "c.md": note("Lanyards are blue and come in packs of fifty from the shop in Zurich."),
    "d.md": note("Backups run at night and are kept for three months in another region."),
    "memsleep.toml": "[brief]\nfile = 'BRIEF.md'\n",
}


def _repo(folder: Path) -> Repo:
    repo = Repo(folder)
    for path in repo.root.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    write(repo.root, NOTES)
    commit(repo.root)
    return repo


def _chain(repo: Repo, path: str) -> list[tuple[str, str | None]]:
    with open_state(repo.state / "state.db") as state:
        ids = {old: name for name in state.ids().values() for old in state.paths_of(name)}
        return [(version.cause, version.run_id) for version in state.versions(ids[path])]


def test_the_brief_follows_a_merge(tmp_path: Path) -> None:
    """It is written anew when the night's branch has landed, and tells of that corpus."""
    repo = _repo(tmp_path)
    repo.night()
    before = (repo.root / "BRIEF.md").read_bytes()
    said = repo.run("merge", "--now", "2026-11-30T03:00:00Z")
    after = (repo.root / "BRIEF.md").read_bytes()
    assert "the brief: written" in said
    assert (before.count(TEXT.encode()), after.count(TEXT.encode())) == (2, 1)
    repo.run("brief", "--write", "--now", "2026-11-30T03:00:00Z")
    assert (repo.root / "BRIEF.md").read_bytes() == after


def test_a_brief_without_a_place_costs_no_merge(tmp_path: Path) -> None:
    """A file without markers is named and left as it is; the merge has happened."""
    repo = _repo(tmp_path)
    repo.night()
    (repo.root / "BRIEF.md").write_bytes(b"mine\n")
    assert "the brief was not written" in repo.run("merge")
    assert (repo.root / "BRIEF.md").read_bytes() == b"mine\n"
    assert git(repo.root, "rev-parse", "HEAD") == git(repo.root, "rev-parse", RUN)


def test_versions_follow_a_git_merge_and_an_undo(tmp_path: Path) -> None:
    """No version tells of a run before it lands; then each memory has one, and one of its undo."""
    repo = _repo(tmp_path)
    repo.night()
    merge = next(one for one in repo.plan()["decisions"] if one["kind"] == "merge")
    keeper, dropped = merge["paths"]
    assert all(run != RUN for path in (keeper, dropped) for _, run in _chain(repo, path))
    git(repo.root, "merge", "--quiet", "--ff-only", RUN)  # as a person does, without our command
    repo.run("status")
    repo.run("run", ".", "--dry-run", "--now", LATER)
    repo.run("merge")
    for path in (keeper, dropped):
        assert ("merge", RUN) in _chain(repo, path), path
    repo.run("undo", RUN, merge["id"], "--now", LATER)
    assert all(cause != "rollback" for cause, _ in _chain(repo, dropped))
    repo.run("merge", "--now", LATER)
    for path in (keeper, dropped):
        assert "rollback" in [cause for cause, _ in _chain(repo, path)], path
    assert (repo.root / dropped).is_file()
