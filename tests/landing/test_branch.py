"""A run becomes a branch or nothing, and nothing of the user's is touched."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from corpus_kit import commit, git, init, write
from landing_kit import (
    FADED,
    FILES,
    MERGED,
    PHASES,
    applied,
    other_plan,
    run_meta,
    set_identity,
    untouched,
)
from landing_kit import tree_of as files_of
from memsleep.errors import GitError
from memsleep.landing.branch import BranchSink, branch_sink
from memsleep.landing.sink import PhaseFold

REF = "refs/heads/sleep/2026-11-30"
PLAN = hashlib.sha256(b"dedup d1\ndecay d2").hexdigest()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a name and no other setting."""
    folder = tmp_path / "home"
    set_identity(folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


def messages(root: Path, name: str = REF) -> list[str]:
    raw = git(root, "log", "-z", "--format=%B", f"main..{name}").decode()
    return [message for message in raw.split("\0") if message]


# One commit per phase


def test_one_commit_per_phase_that_changes_something(tmp_path: Path) -> None:
    """Phases in order, an empty one without a commit; the tree is the corpus after them."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    nothing = PhaseFold(name="graph", before={}, after={})
    landing = branch_sink(root).land(run_meta(base), (MERGED, nothing, FADED))
    assert (landing.kind, landing.ref, landing.landed_ids) == ("branch", REF, ("d1", "d2"))
    assert files_of(root, REF) == applied(FILES, PHASES)
    middle = git(root, "rev-parse", f"{REF}~1").decode().strip()
    assert files_of(root, middle) == applied(FILES, PHASES[:1])
    assert git(root, "rev-parse", f"{REF}~2").decode().strip() == base
    assert git(root, "fsck", "--strict", "--no-dangling") == b""


def test_nothing_to_land(tmp_path: Path) -> None:
    """A night without changes makes no branch."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    same = PhaseFold(name="decay", before={"a.md": b"x"}, after={"a.md": b"x"})
    assert branch_sink(root).land(run_meta(base), (same,)).kind == "nothing"
    assert git(root, "branch", "--list", "sleep/*") == b""


def test_commits_are_the_users_at_the_nights_instant(tmp_path: Path) -> None:
    """Author and committer are the user, both dates the run's, whatever the clock says."""
    root = init(tmp_path / "r")
    branch_sink(root).land(run_meta(commit(root, FILES)), PHASES)
    said = git(root, "log", "--format=%an|%ae|%cn|%ce|%aI|%cI", f"main..{REF}").decode().split()
    when = "2026-11-30T03:00:00+00:00"
    assert said == f"U Ser|u@example.org|U Ser|u@example.org|{when}|{when}".split() * 2


def test_the_same_run_gives_the_same_commit(tmp_path: Path) -> None:
    """Same base, same night, same decisions: the same ids in any clone."""
    tips = []
    for name in ("one", "two"):
        root = init(tmp_path / name)
        tips.append(branch_sink(root).land(run_meta(commit(root, FILES)), PHASES).tip)
    assert tips[0] == tips[1]


def test_message(tmp_path: Path) -> None:
    """Subject, indented lines, trailers that git reads as such."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    branch_sink(root).land(run_meta(base), PHASES)
    assert messages(root)[1] == (
        "memsleep(dedup): merge 1 memories\n\n  a.md <- b.md  similarity 0.98\n\n"
        f"Memsleep-Run: sleep/2026-11-30\nMemsleep-Phase: dedup\nMemsleep-Base: {base}\n"
        f"Memsleep-Settings: cfg\nMemsleep-Plan: {PLAN}\n"
        'Memsleep-Counts: {"merge": 1}\n'
    )
    read = git(root, "log", "-1", "--format=%(trailers:key=Memsleep-Phase,valueonly)", REF)
    assert read.decode().strip() == "decay"


def test_mode_of_a_file_is_kept_and_follows_it(tmp_path: Path) -> None:
    """An executable memory stays executable, edited or moved."""
    root = init(tmp_path / "r")
    write(root, FILES)
    (root / "b.md").chmod(0o755)
    (root / "c/c.md").chmod(0o755)
    branch_sink(root).land(run_meta(commit(root)), PHASES)
    listed = git(root, "ls-tree", "-r", REF, "archive/2026/b.md", "c/c.md", "a.md").decode()
    assert [row.split()[0] for row in listed.strip().split("\n")] == ["100644", "100755", "100755"]


def test_corpus_in_a_subfolder_changes_only_below_it(tmp_path: Path) -> None:
    """Paths outside the corpus are as they were, even those of the same name."""
    root = init(tmp_path / "r")
    files = {**FILES, **{f"notes/{path}": text for path, text in FILES.items()}}
    base = commit(root, files)
    branch_sink(root / "notes").land(run_meta(base), PHASES)
    assert files_of(root, REF) == applied(files, PHASES, "notes/")
    changed = git(root, "diff", "--name-only", base, REF).decode().split()
    assert changed
    assert all(path.startswith("notes/") for path in changed)


# Names of branches


def test_a_taken_name_gets_the_next_number(tmp_path: Path) -> None:
    """Two branches of a night with different plans stand side by side, each with its own name."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    sink = branch_sink(root)
    ids = [sink.land(run_meta(base), other_plan(f"p{count}")).run_id for count in range(3)]
    assert ids == ["sleep/2026-11-30", "sleep/2026-11-30-2", "sleep/2026-11-30-3"]
    assert sink.is_taken("sleep/2026-11-30-3")
    assert not sink.is_taken("sleep/2026-11-30-4")
    assert "Memsleep-Run: sleep/2026-11-30-3\n" in messages(root, ids[2])[0]


def test_the_number_goes_on_from_a_numbered_run(tmp_path: Path) -> None:
    """A run that was to be `-2` and lost the race becomes `-3`, an undo keeps its name."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    for name in ("sleep/2026-11-30-2", "sleep/undo-2026-11-30"):
        git(root, "branch", name)
    sink = branch_sink(root)
    first = sink.land(run_meta(base, run_id="sleep/2026-11-30-2"), PHASES)
    second = run_meta(base, run_id="sleep/undo-2026-11-30")
    assert first.run_id == "sleep/2026-11-30-3"
    assert sink.land(second, other_plan("undo")).run_id == "sleep/undo-2026-11-30-2"


def test_same_head_night_and_plan_make_no_second_branch(tmp_path: Path) -> None:
    """A second start in the same night finds its own branch."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    sink = branch_sink(root)
    tip = sink.land(run_meta(base), PHASES).tip
    later = run_meta(base, run_id="sleep/2026-11-30-2", now="2026-11-30T04:00:00Z")
    again = sink.land(later, PHASES)
    assert (again.kind, again.tip, again.run_id) == ("nothing", tip, "sleep/2026-11-30")
    other = sink.land(run_meta(commit(root, {"new.md": "n"})), PHASES)
    assert other.kind == "branch"


def test_older_branches_are_named_and_deleted_only_on_demand(tmp_path: Path) -> None:
    """What nobody touched is superseded; a branch with the user's commit on it is not."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    for day in ("27", "28", "29"):
        branch_sink(root).land(run_meta(base, run_id=f"sleep/2026-11-{day}"), other_plan(day))
    git(root, "checkout", "--quiet", "sleep/2026-11-28")
    commit(root, {"mine.md": "m"})
    git(root, "checkout", "--quiet", "sleep/2026-11-29")
    landing = branch_sink(root).land(run_meta(base), PHASES)
    line = f"git -C {root} branch -D sleep/2026-11-27"
    assert [m for m in landing.messages if "supersedes" in m] == [
        f"supersedes sleep/2026-11-27, which nobody merged; {line}"
    ]
    sink = branch_sink(root, delete_superseded=True)
    sink.land(run_meta(base, run_id="sleep/2026-12-01"), other_plan("z"))
    left = git(root, "branch", "--format=%(refname:short)").decode().split()
    assert left == ["main", "sleep/2026-11-28", "sleep/2026-11-29", "sleep/2026-12-01"]


# Nothing of the user's is touched


def _dirty(root: Path) -> None:
    write(root, {"a.md": "the user's own edit\n", "untracked.md": "u\n", "staged.md": "s\n"})
    git(root, "add", "staged.md")


def _detached(root: Path) -> None:
    git(root, "checkout", "--quiet", "--detach")


def _autocrlf(value: str) -> object:
    return lambda root: git(root, "config", "core.autocrlf", value)


def _hooks(root: Path) -> None:
    names = "pre-commit post-commit commit-msg prepare-commit-msg post-checkout update"
    for name in (*names.split(), "reference-transaction", "post-index-change", "pre-auto-gc"):
        hook = root / ".git/hooks" / name
        write(root, {f".git/hooks/{name}": f"#!/bin/sh\ntouch {root}/hook-ran-{name}\n"})
        hook.chmod(0o755)


def _hooks_path(root: Path) -> None:
    _hooks(root)
    git(root, "config", "core.hooksPath", str(root / ".git/hooks"))
    git(root, "config", "core.fsmonitor", f"touch {root}/fsmonitor-ran; false")


STATES = {
    "clean": lambda root: None,
    "dirty": _dirty,
    "detached": _detached,
    "autocrlf-true": _autocrlf("true"),
    "autocrlf-input": _autocrlf("input"),
    "autocrlf-false": _autocrlf("false"),
    "hooks": _hooks,
    "hooks-path": _hooks_path,
    "index-lock": lambda root: write(root, {".git/index.lock": ""}),
    "attributes": lambda root: write(root, {".git/info/attributes": "* text eol=crlf ident\n"}),
    "packed": lambda root: git(root, "gc", "--quiet"),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("hashed", ["sha1", "sha256"])
def test_same_bytes_and_nothing_touched(tmp_path: Path, state: str, hashed: str) -> None:
    """Whatever the repository looks like: the same tree, and every file of the user's as it was."""
    root = init(tmp_path / "r", f"--object-format={hashed}")
    base = commit(root, FILES)
    STATES[state](root)  # type: ignore[operator]
    before = untouched(root)
    sink = branch_sink(root)
    sink.check()
    landing = sink.land(run_meta(base), PHASES)
    assert untouched(root) == before
    assert files_of(root, landing.ref or "") == applied(FILES, PHASES)
    assert any("index.lock" in line for line in landing.messages) == (state == "index-lock")


def test_linked_worktree(tmp_path: Path) -> None:
    """A run in a linked work tree starts from that work tree's HEAD; the branch is everybody's."""
    root = init(tmp_path / "r")
    commit(root, {"other.md": "o"})
    git(root, "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    base = commit(tmp_path / "side", FILES)
    branch_sink(tmp_path / "side").land(run_meta(base), PHASES)
    assert files_of(root, REF) == applied({**FILES, "other.md": "o"}, PHASES)


def test_submodule_stays(tmp_path: Path) -> None:
    """A submodule in the tree keeps its commit, and a corpus that is one lands in its own repo."""
    inner = init(tmp_path / "inner")
    inner_base = commit(inner, FILES)
    root = init(tmp_path / "r")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    base = commit(root, FILES)
    branch_sink(root).land(run_meta(base), PHASES)
    assert git(root, "rev-parse", f"{REF}:sub").decode().strip() == inner_base
    branch_sink(root / "sub").land(run_meta(inner_base), PHASES)
    assert files_of(root / "sub", REF) == applied(FILES, PHASES)


def test_shallow_clone_says_what_it_cannot_know(tmp_path: Path) -> None:
    """A clone of depth 1 gets its branch, and a line on what is not known."""
    origin = init(tmp_path / "o")
    commit(origin, {"a.md": "old"})
    commit(origin, FILES)
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{origin}", str(tmp_path / "r"))
    root = tmp_path / "r"
    base = git(root, "rev-parse", "HEAD").decode().strip()
    landing = branch_sink(root).land(run_meta(base), PHASES)
    assert files_of(root, REF) == applied(FILES, PHASES)
    assert any("shallow" in line for line in landing.messages)


def test_another_process_commits_meanwhile(tmp_path: Path) -> None:
    """The branch starts where the run began, the user's commit stays, and a line says so."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    theirs = commit(root, {"a.md": "new\n"})
    landing = branch_sink(root).land(run_meta(base), PHASES)
    assert git(root, "rev-parse", "main").decode().strip() == theirs
    assert git(root, "merge-base", "main", REF).decode().strip() == base
    assert any("committed during the run" in line for line in landing.messages)


# Refusals


def _refusal(sink: BranchSink) -> GitError:
    with pytest.raises(GitError) as raised:
        sink.check()
    assert raised.value.hint
    return raised.value


def test_unborn_branch(tmp_path: Path) -> None:
    """Without a commit there is nothing to branch from; the hint is the line that makes one."""
    root = init(tmp_path / "r")
    write(root, FILES)
    error = _refusal(branch_sink(root))
    assert error.reference == "git-unborn-branch"
    subprocess.run(error.hint or "", shell=True, check=True, capture_output=True)
    branch_sink(root).check()


def test_a_branch_named_sleep(tmp_path: Path) -> None:
    """A branch in the way of the folder is named, with the line that renames it."""
    root = init(tmp_path / "r")
    commit(root, FILES)
    git(root, "branch", "sleep")
    error = _refusal(branch_sink(root))
    assert error.reference == "git-ref-in-the-way"
    subprocess.run(error.hint or "", shell=True, check=True, capture_output=True)
    branch_sink(root).check()


def test_a_tag_of_the_same_name_is_told(tmp_path: Path) -> None:
    """A tag is not in the way, but makes the short name ambiguous."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    git(root, "tag", "sleep/2026-11-30")
    landing = branch_sink(root).land(run_meta(base), PHASES)
    assert (landing.ref, [m for m in landing.messages if "tag" in m]) == (
        REF,
        ["a tag has the name of the branch too: say refs/heads/sleep/2026-11-30"],
    )


@pytest.mark.parametrize("missing", ["name", "email"])
def test_no_identity(tmp_path: Path, home: Path, missing: str) -> None:
    """No name is guessed from the machine; the hint gives the lines to paste."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    other = "email" if missing == "name" else "name"
    (home / ".gitconfig").write_bytes(f"[user]\n\t{other} = x@y.org\n".encode())
    assert _refusal(branch_sink(root)).reference == "git-identity-missing"
    with pytest.raises(GitError) as raised:
        branch_sink(root).land(run_meta(base), PHASES)
    assert raised.value.reference == "git-identity-missing"
    assert git(root, "branch", "--list", "sleep/*") == b""


def _signer(folder: Path, code: int) -> Path:
    program = folder / "signer"
    program.write_bytes(
        b"#!/bin/sh\ncat >/dev/null\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\n"
        b"printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n"
        + f"exit {code}\n".encode()
    )
    program.chmod(0o755)
    return program


def test_commits_are_signed_where_the_user_signs(tmp_path: Path, home: Path) -> None:
    """`commit-tree` does not look at commit.gpgSign by itself; we do."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    with (home / ".gitconfig").open("ab") as stream:
        stream.write(f"[commit]\n\tgpgSign = 1\n[gpg]\n\tprogram = {_signer(home, 0)}\n".encode())
    branch_sink(root).land(run_meta(base), PHASES)
    for name in (REF, f"{REF}~1"):
        assert b"gpgsig" in git(root, "cat-file", "commit", name)


def test_signing_fails(tmp_path: Path, home: Path) -> None:
    """No unsigned commit stands in for a signed one: there is no branch."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    with (home / ".gitconfig").open("ab") as stream:
        stream.write(f"[commit]\n\tgpgSign = 1\n[gpg]\n\tprogram = {_signer(home, 2)}\n".encode())
    with pytest.raises(GitError) as raised:
        branch_sink(root).land(run_meta(base), PHASES)
    assert raised.value.reference == "git-signing-failed"
    assert git(root, "branch", "--list", "sleep/*") == b""


def test_the_repository_may_not_name_the_signer(tmp_path: Path) -> None:
    """A program that the repository's own config names is never run."""
    root = init(tmp_path / "r")
    commit(root, FILES)
    git(root, "config", "commit.gpgSign", "true")
    git(root, "config", "gpg.program", f"touch {tmp_path}/ran;")
    assert _refusal(branch_sink(root)).reference == "git-signing-program"
    assert not (tmp_path / "ran").exists()


# Hostile names and text


HOSTILE = {
    'quo"te\\.md': b"q\n",
    "line\nfeed\n\nMemsleep-Phase: forged.md": b"Memsleep-Phase: forged\n",
    "-dash.md": b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n",
    "esc\x1b[2J.md": b"\x1b[31m\ndone\nM 100644 inline evil\ndata 0\n",
    "\u8a18\u61b6 \u202egnp.md": b"\xef\xbb\xbfbom\n",
    "sp ace.md": b"",
}


def test_hostile_names_and_text(tmp_path: Path) -> None:
    """Names and bytes come through as they are; none forges a trailer or steers a terminal."""
    root = init(tmp_path / "r")
    base = commit(root, dict(HOSTILE))
    moves = {path: f"archive/2026/{path}" for path in HOSTILE}
    phase = PhaseFold(
        name="dedup",
        before=HOSTILE,
        after={new: HOSTILE[old] + b"stamp" for old, new in moves.items()},
        moves=moves,
        lines=tuple(f"{path} evicted" for path in HOSTILE),
    )
    branch_sink(root).land(run_meta(base), (phase,))
    assert files_of(root, REF) == applied(HOSTILE, (phase,))
    (message,) = messages(root)
    assert message.replace("\n", "").isprintable()
    assert all(line.startswith("  ") for line in message.split("\n\n")[1].split("\n"))
    phases = git(root, "log", "-1", "--format=%(trailers:key=Memsleep-Phase,valueonly)", REF)
    assert phases.decode().strip() == "dedup"


@pytest.mark.parametrize("path", ["../out.md", "a/../../out.md", ".git/config", "a/.GIT/x", "/x"])
def test_a_path_that_leads_out_is_refused(tmp_path: Path, path: str) -> None:
    """Nothing is written for a run that would write outside, or into git's own folder."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    phase = PhaseFold(name="dedup", before={}, after={path: b"x"})
    with pytest.raises(GitError) as raised:
        branch_sink(root).land(run_meta(base), (MERGED, phase))
    assert raised.value.reference == "git-unsafe-path"
    assert git(root, "branch", "--list", "sleep/*") == b""


# Failing calls


def _failing_git(folder: Path, command: str, nth: int) -> str:
    """Return a PATH whose git fails at the nth call of one command."""
    folder.mkdir()
    real = subprocess.run(["which", "git"], capture_output=True, check=True).stdout.decode().strip()
    script = folder / "git"
    script.write_bytes(
        f'#!/bin/sh\nfor word; do if [ "$word" = {command} ]; then\n'
        f"echo x >> {folder}/calls; [ $(wc -l < {folder}/calls) -eq {nth} ] && exit 1\n"
        f'break; fi; done\nexec {real} "$@"\n'.encode()
    )
    script.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize(
    ("command", "nth"),
    [("fast-import", 1), ("commit-tree", 1), ("commit-tree", 2), ("update-ref", 1)],
)
def test_a_failing_call_leaves_no_branch_and_the_next_run_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, nth: int
) -> None:
    """No phase commits another one's files: all phases or no branch, then the same as ever."""
    root = init(tmp_path / "r")
    base = commit(root, FILES)
    before = untouched(root)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", _failing_git(tmp_path / "bin", command, nth))
        with pytest.raises(GitError):
            branch_sink(root).land(run_meta(base), PHASES)
    assert git(root, "branch", "--list", "sleep/*") == b""
    assert untouched(root) == before
    branch_sink(root).land(run_meta(base), PHASES)
    assert files_of(root, f"{REF}~1") == applied(FILES, PHASES[:1])
    assert files_of(root, REF) == applied(FILES, PHASES)
