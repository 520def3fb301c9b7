"""Whole nights in git: run, merge, squash, discard, lose the state, undo, audit, by the command."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from corpus_kit import commit, git
from git_night_kit import NOW, RUN, Repo, command
from landing_kit import set_identity, tree_of
from night_kit import CORPORA, FIXTURES, git_apply, seeded_state, tree


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    set_identity(folder)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


@pytest.mark.parametrize("corpus", CORPORA)
def test_branch_directory_and_patch_are_byte_identical(tmp_path: Path, corpus: str) -> None:
    """The branch's tree, `git apply` of sleep.diff and a directory-mode run: the same files."""
    repo = Repo(tmp_path, corpus)
    patched, placed = tmp_path / "patched", tmp_path / "placed"
    for folder in (patched, placed):
        shutil.copytree(FIXTURES / corpus / "corpus", folder, symlinks=True)
    repo.night()
    patch = repo.state / "runs" / RUN.replace("/", "-") / "sleep.diff"
    git_apply(patched, patch.read_bytes())
    state = seeded_state(corpus, tmp_path / "other")
    words = ("run", placed, "--now", NOW, "--state-dir", state, "--quiet")
    assert command(*map(str, words))[0] == 0
    assert tree(placed, without=[".memsleep/"]) == tree(patched)
    branch = tree_of(repo.root, RUN)
    on_disk = {p: (patched / p).read_bytes() for p in branch if not (patched / p).is_symlink()}
    assert {p: branch[p] for p in on_disk} == on_disk
    assert len(branch) == len(tree(patched))
    assert git(repo.root, "status", "--porcelain") == b""


def test_merge_applies_the_effects_once(repo: Repo) -> None:
    """What the branch left pending is in the state after the merge, and not before it."""
    repo.night()
    before = repo.run("status", "--json")
    assert json.loads(before)["waiting"][0]["evidence"] == "not merged"
    repo.run("merge")
    assert (repo.status()["state"], json.loads(repo.run("status", "--json"))["waiting"]) == (
        "merged", [],
    )  # fmt: skip
    assert "landed already" in repo.run("merge")
    assert repo.tree("HEAD") == repo.tree(RUN)


def _moved(repo: Repo) -> bool:
    """Whether the state knows of a move that the night made."""
    import sqlite3

    moved = [e for e in repo.plan()["effects"] if e["kind"] == "move"]
    connection = sqlite3.connect(repo.state / "state.db")
    try:
        paths = {row[0] for row in connection.execute("SELECT path FROM memories")}
    finally:
        connection.close()
    return all(effect["values"]["new"] in paths for effect in moved)


@pytest.mark.parametrize("how", ["squash", "rebase", "edited after a squash"])
def test_landed_by_other_means(repo: Repo, how: str) -> None:
    """A squash, a rebase and a web merge are seen by what they brought, decision by decision."""
    repo.night()
    repo.run("status")
    assert not _moved(repo)
    if how == "rebase":
        commit(repo.root, {"notes.txt": "x"})
        git(repo.root, "cherry-pick", f"main~1..{RUN}")
    else:
        git(repo.root, "merge", "--squash", "--quiet", RUN)
        git(repo.root, "commit", "--quiet", "-m", "night")
    if how.startswith("edited"):
        changed = git(repo.root, "diff", "--name-only", "-z", "HEAD~1", "HEAD").decode().split("\0")
        path = next(p for p in changed if p.startswith("archive/2026") and p.endswith(".html"))
        text = (repo.root / path).read_bytes()
        commit(repo.root, {path: text.replace(b"</article>", b"<p>later</p></article>")})
    git(repo.root, "branch", "-D", RUN)
    repo.run("merge", code=3)
    assert repo.status()["state"] == "merged"
    assert len(repo.status()["landed"]) == len(repo.plan()["decisions"])
    assert _moved(repo)


def test_landed_in_part(repo: Repo) -> None:
    """One phase that was picked lands alone; what was left out has no effect."""
    repo.night()
    first = git(repo.root, "rev-list", "--reverse", f"main..{RUN}").decode().split()[0]
    git(repo.root, "cherry-pick", first)
    git(repo.root, "branch", "-D", RUN)
    repo.run("merge", code=3)
    wanted = [d["id"] for d in repo.plan()["decisions"] if d["phase"] == "dedup"]
    assert wanted
    assert repo.status()["landed"] == wanted
    assert not _moved(repo)


def test_a_discarded_branch_has_no_effect(repo: Repo) -> None:
    """A branch that is deleted unmerged is forgotten, and the next night decides the same."""
    repo.night()
    decisions = [d["id"] for d in repo.plan()["decisions"]]
    git(repo.root, "branch", "-D", RUN)
    repo.run("run", ".", "--now", "2026-11-30T04:00:00Z", "--quiet")
    assert repo.status()["state"] == "discarded"
    again = repo.state / "runs" / f"{RUN}-2".replace("/", "-") / "plan.json"
    assert [d["id"] for d in json.loads(again.read_bytes())["decisions"]] == decisions


def test_a_lost_state_learns_again(repo: Repo) -> None:
    """When state.db is gone, the kept runs tell it what has landed."""
    repo.night()
    repo.run("merge")
    for file in repo.state.glob("state.db*"):
        file.unlink()
    repo.run("run", ".", "--now", "2026-12-01T03:00:00Z", "--quiet")
    assert _moved(repo)


def test_a_second_run_the_same_night_finds_its_branch(repo: Repo) -> None:
    """Same HEAD, night and plan: no second branch, an hour later either."""
    repo.night()
    repo.run("run", ".", "--now", "2026-11-30T04:00:00Z", "--quiet")
    assert git(repo.root, "branch", "--list", "sleep/*").decode().split() == [RUN]


def test_merge_rechecks_the_budgets(repo: Repo) -> None:
    """What others archived since counts: a branch that is too much by now is refused."""
    repo.night()
    ledger = "archive/2026/ledger.jsonl"
    line = {"path": "x", "to": "y", "when": "2026-11-29T23:00:00Z", "cause": "evicted"}
    known = (repo.root / ledger).read_bytes() if (repo.root / ledger).exists() else b""
    commit(repo.root, {ledger: known + json.dumps(line).encode() * 0 + b"".join(
        json.dumps({**line, "path": f"x{n}"}).encode() + b"\n" for n in range(20)
    )})  # fmt: skip
    assert "merge-over-budget" in repo.run("merge", "--now", NOW, code=3)


# Undo


def test_undo_of_a_merged_run_restores_the_tree(repo: Repo) -> None:
    """A commit on sleep/undo-<run> gives back the original tree; the state follows its merge."""
    repo.night()
    repo.run("merge")
    repo.run("undo", RUN)
    undo = "sleep/undo-2026-11-30"
    assert repo.tree(undo) == repo.tree(repo.base)
    assert _moved(repo)
    repo.run("merge")
    assert repo.tree("HEAD") == repo.tree(repo.base)
    assert repo.status()["state"] == "undone"
    assert not _moved(repo)
    assert git(repo.root, "status", "--porcelain") == b""
    repo.run("run", ".", "--now", "2026-12-01T03:00:00Z", "--quiet")
    later = repo.state / "runs/sleep-2026-12-01/plan.json"
    gone = {d["id"] for d in repo.plan()["decisions"] if d["kind"] == "merge"}
    assert gone.isdisjoint(d["id"] for d in json.loads(later.read_bytes())["decisions"])


def test_undo_of_one_decision_leaves_the_others(repo: Repo) -> None:
    """One archived memory comes back to its place; a later edit elsewhere stays."""
    repo.night()
    repo.run("merge")
    archive = next(d for d in repo.plan()["decisions"] if d["kind"] == "archive")
    commit(repo.root, {"areas/new.html": "x"})
    repo.run("undo", RUN, archive["id"])
    repo.run("merge")
    path = archive["paths"][0]
    assert (repo.root / path).read_bytes() == git(repo.root, "show", f"{repo.base}:{path}")
    assert (repo.root / "areas/new.html").exists()
    assert archive["id"] not in repo.status()["landed"]
    assert len(repo.status()["landed"]) == len(repo.plan()["decisions"]) - 1


def test_the_gate_does_not_refuse_an_undo(tmp_path: Path, home: Path) -> None:
    """Sentences that a keeper took over leave it again: they are where they were."""
    repo = Repo(tmp_path, "markdown-vault")
    repo.night()
    repo.run("merge")
    carried = [d for d in repo.plan()["decisions"] if "carried over" in d["reason"]]
    assert carried
    repo.run("undo", RUN)
    said = repo.run("merge")
    assert "an undo gives back what was there" in said
    assert repo.tree("HEAD") == repo.tree(repo.base)


@pytest.mark.parametrize("named", [True, False])
def test_undo_of_a_run_before_the_last_is_merged_as_it_says(repo: Repo, named: bool) -> None:
    """No later night stands before an undo: what it says to paste works, and so does no name."""
    repo.night()
    repo.run("merge")
    twin = b"<!DOCTYPE html><title>t</title><article><p>The spare kiln key hangs by the door.</p>"
    commit(repo.root, {"areas/kiln-a.html": twin, "areas/kiln-b.html": twin})
    repo.run("run", ".", "--now", "2026-12-01T03:00:00Z", "--quiet")
    repo.run("merge")
    assert repo.status("sleep/2026-12-01")["state"] == "merged"
    archive = next(d for d in repo.plan()["decisions"] if d["kind"] == "archive")
    said = repo.run("undo", RUN, archive["id"])
    undo = "sleep/undo-2026-11-30"
    where = f"--corpus {repo.root} --state-dir {repo.state}"
    assert f"it waits on {undo}: memsleep merge {where} {undo}" in said
    repo.run(*("merge", *([undo] if named else [])))
    assert archive["id"] not in repo.status()["landed"]
    assert (repo.root / archive["paths"][0]).exists()
    assert f"{undo} has landed already" in repo.run("merge", undo)


def _merge_and_undo_two(repo: Repo) -> list[str]:
    """Undo two decisions of a merged run, each on a branch of its own; return their ids."""
    repo.night()
    repo.run("merge")
    decisions = repo.plan()["decisions"]
    ids = [next(d["id"] for d in decisions if d["kind"] == kind) for kind in ("archive", "merge")]
    for name in ids:
        repo.run("undo", RUN, name)
    return ids


def test_two_undos_of_a_run_wait_side_by_side(repo: Repo) -> None:
    """Each is told as waiting until it is merged, and the state follows each."""
    ids = _merge_and_undo_two(repo)
    undos = ["sleep/undo-2026-11-30", "sleep/undo-2026-11-30-2"]
    waiting = json.loads(repo.run("status", "--json"))["waiting"]
    assert [one["run"] for one in waiting] == undos
    assert f"waiting: {undos[1]}" in repo.run("status")
    for undo, name in zip(undos, ids, strict=True):
        repo.run("merge", undo)
        assert name not in repo.status()["landed"]
        assert name in repo.status()["undone"]
    assert json.loads(repo.run("status", "--json"))["waiting"] == []


def test_an_undo_that_others_require_says_what_to_paste(repo: Repo) -> None:
    """The line is the same undo, with what requires it."""
    repo.night()
    archives = [d["id"] for d in repo.plan()["decisions"] if d["kind"] == "archive"]
    name = archives[1]
    said = repo.run("undo", name, code=2)
    hint = re.search(r"hint: memsleep (undo .*)", said)
    assert hint is not None
    assert command(*shlex.split(hint[1]))[0] == 0
    assert name in repo.status(f"{RUN}-2")["undone"]


def test_an_undo_that_is_thrown_away_leaves_the_other(repo: Repo) -> None:
    """Only that one is forgotten."""
    ids = _merge_and_undo_two(repo)
    git(repo.root, "branch", "-D", "sleep/undo-2026-11-30")
    said = repo.run("merge", "sleep/undo-2026-11-30-2")
    assert "the branch sleep/undo-2026-11-30 of its undo is gone; the run stands" in said
    assert repo.status()["undone"] == [ids[1]]
    assert ids[0] in repo.status()["landed"]


def test_an_undo_lands_by_a_squash_after_a_later_night_too(repo: Repo) -> None:
    """The ledger has more lines by then, and the files are what the undo made them."""
    first, _ = _merge_and_undo_two(repo)
    ledger = repo.root / "archive/2026/ledger.jsonl"
    git(repo.root, "merge", "--quiet", "--squash", "sleep/undo-2026-11-30")
    ledger.write_bytes(ledger.read_bytes() + b'{"path":"x.html"}\n')
    git(repo.root, "commit", "--quiet", "--all", "-m", "squashed, with a later line")
    repo.run("run", ".", "--now", "2026-12-01T03:00:00Z", "--quiet")
    assert repo.status()["undone"] == [first]


def test_an_undo_supersedes_no_night(repo: Repo) -> None:
    """A night that waits goes on waiting: the undo does not hold what it decides."""
    repo.night()
    repo.run("merge")
    twin = b"<!DOCTYPE html><title>t</title><article><p>The spare kiln key hangs by the door.</p>"
    commit(repo.root, {"areas/kiln-a.html": twin, "areas/kiln-b.html": twin})
    repo.run("run", ".", "--now", "2026-12-01T03:00:00Z", "--quiet")
    archive = next(d for d in repo.plan()["decisions"] if d["kind"] == "archive")
    assert "which nobody merged" not in repo.run("undo", RUN, archive["id"])


def test_undo_refuses_where_a_later_edit_stands_in_the_way(repo: Repo) -> None:
    """The file is named, and nothing of that decision is taken back."""
    repo.night()
    repo.run("merge")
    archive = next(d for d in repo.plan()["decisions"] if d["kind"] == "archive")
    to = next(c["to"] for c in archive["changes"] if c["to"])
    commit(repo.root, {to: "somebody wrote this since\n"})
    said = repo.run("undo", RUN, archive["id"], code=3)
    assert to in said
    assert git(repo.root, "branch", "--list", "sleep/undo*") == b""


def test_undo_of_an_unmerged_run_builds_it_again(repo: Repo) -> None:
    """The branch without the decision, under the next name; the old one is gone."""
    repo.night()
    plan = repo.plan()
    archive = next(d for d in plan["decisions"] if d["kind"] == "archive")
    (repo.root / "README.html").write_bytes(b"the user is writing\n")
    repo.run("undo", RUN, archive["id"])
    assert git(repo.root, "branch", "--list", "--format=%(refname:short)", "sleep/*").decode() == (
        f"{RUN}-2\n"
    )
    path = archive["paths"][0]
    assert git(repo.root, "show", f"{RUN}-2:{path}") == git(repo.root, "show", f"main:{path}")
    assert repo.status(f"{RUN}-2")["state"] == "branch"
    repo.run("undo", f"{RUN}-2")
    assert git(repo.root, "branch", "--list", "sleep/*") == b""
    assert repo.status(f"{RUN}-2")["state"] == "undone"


# Audit


def test_audit_of_a_branch(repo: Repo) -> None:
    """The proof holds before the merge and after it, and after later edits of the user."""
    repo.night()
    assert "is there after" in repo.run("audit")
    repo.run("merge")
    commit(repo.root, {"areas/new.html": "x", "README.html": "rewritten\n"})
    assert json.loads(repo.run("audit", RUN, "--json"))["holds"] is True


@pytest.mark.parametrize("kind", ["number", "sentence", "link", "code block", "file"])
def test_audit_finds_what_a_branch_lost(repo: Repo, kind: str) -> None:
    """A branch that somebody made worse fails the audit: exit 1, and the place."""
    name = "areas/seeded.html"
    text = (
        (FIXTURES / "html-store/corpus/README.html").parent.joinpath(_any_memory(repo)).read_bytes()
    )
    body = (
        b"<p>Seeded 4711 in the text.</p>\n<p>Sentence that will go.</p>\n"
        b'<p><a href="/README.html">seeded link</a></p>\n<pre><code>seeded --code\n</code></pre>\n'
        b"</article>"
    )
    commit(repo.root, {name: text.replace(b"</article>", body)})
    repo.night()
    git(repo.root, "checkout", "--quiet", RUN)
    takes = {
        "number": (b" 4711", b""),
        "sentence": (b"<p>Sentence that will go.</p>\n", b""),
        "link": (b'<a href="/README.html">seeded link</a>', b"seeded link"),
        "code block": (b"seeded --code", b"seeded"),
    }
    if kind == "file":
        git(repo.root, "rm", "--quiet", name)
    else:
        old, new = takes[kind]
        source = (repo.root / name).read_bytes()
        (repo.root / name).write_bytes(source.replace(old, new))
    git(repo.root, "add", "--all")
    git(repo.root, "commit", "--quiet", "--amend", "--no-edit")
    file = repo.state / "runs" / RUN.replace("/", "-") / "status.json"
    status = json.loads(file.read_bytes())
    status["tip"] = git(repo.root, "rev-parse", "HEAD").decode().strip()
    file.write_bytes(json.dumps(status).encode())
    found = json.loads(repo.run("audit", "--json", code=1))
    losses = [(loss["path"], loss["kind"]) for loss in found["losses"]]
    assert (name, kind) in losses


def _any_memory(repo: Repo) -> str:
    listed = git(repo.root, "ls-files", "areas/inbox").decode().split("\n")
    return next(path for path in listed if "low-but-used" in path)


def test_audit_of_a_folder(tmp_path: Path) -> None:
    """In directory mode kept bytes are compared with the folder; what was edited since is told."""
    root = tmp_path / "c"
    shutil.copytree(FIXTURES / "markdown-vault/corpus", root, symlinks=True)
    state = seeded_state("markdown-vault", tmp_path)
    words = ("--state-dir", str(state))
    assert command("run", str(root), "--now", NOW, "-q", *words)[0] == 0
    code, said = command("audit", "--corpus", str(root), *words)
    assert (code, "is there after" in said) == (0, True), said
    status = json.loads((state / "runs/sleep-2026-11-30/status.json").read_bytes())
    files = [path for path in status["files"] if path.startswith("archive/2026/")]
    moved = next(path for path in files if path.endswith(".md"))
    (root / moved).write_bytes(b"edited since\n")
    _, said = command("audit", "--corpus", str(root), *words, "--json")
    assert json.loads(said)["unproven"] == [moved]


def test_a_night_that_would_lose_something_does_not_land(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof is made before anything lands: an editor that drops a tag stops the night."""
    from memsleep.dialects.memhtml import Memhtml

    good = Memhtml.add_link

    def bad(self: Memhtml, memory: Any, source: bytes, *rest: Any, **more: Any) -> bytes | None:
        result = good(self, memory, source, *rest, **more)
        tag = rb'<meta name="memhtml-tag" content="[^"]*">\n'
        return None if result is None else re.sub(tag, b"", result, count=1)

    monkeypatch.setattr(Memhtml, "add_link", bad)
    said = repo.run("run", ".", "--now", NOW, "--quiet", code=1)
    assert "audit-loss" in said
    assert re.search(r"areas/deploys/health-check-four-a.html:\d+: sentence", said)
    assert git(repo.root, "branch", "--list", "sleep/*") == b""


def test_the_report_of_a_night_holds_the_proof(repo: Repo) -> None:
    """Beside the counts stands that nothing was lost, and it is no dry run."""
    repo.night()
    report = json.loads((repo.state / "runs/sleep-2026-11-30/report.json").read_bytes())
    checks = {check["name"]: check["passed"] for check in report["checks"]}
    assert checks["nothing that they say is lost"] is True
    assert report["header"]["dry_run"] is False


def test_superseded_branches_go_where_the_config_says_so(repo: Repo) -> None:
    """`write.delete_superseded` deletes the older branch; its run is then forgotten."""
    repo.night()
    commit(repo.root, {"memsleep.toml": (repo.root / "memsleep.toml").read_bytes()
           + b"\n[write]\ndelete_superseded = true\n"})  # fmt: skip
    repo.run("run", ".", "--now", "2026-12-01T03:00:00Z", "--quiet")
    left = git(repo.root, "branch", "--list", "--format=%(refname:short)", "sleep/*").decode()
    assert left == "sleep/2026-12-01\n"
    repo.run("merge")
    assert repo.status()["state"] == "discarded"
