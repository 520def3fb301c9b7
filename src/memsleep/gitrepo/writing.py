"""Writing to a repository: objects first, one ref last. Index, work tree and HEAD stay.

Every call here can fail, and until the ref is there a failure leaves nothing but loose objects
that nothing points to, which `git gc` takes away.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memsleep.errors import GitError
from memsleep.giterrors import (
    failed,
    identity_missing,
    ref_exists,
    ref_locked,
    shown,
    signing_failed,
    signing_program,
    unsafe_path,
)
from memsleep.gitrepo.process import Git
from memsleep.gitrepo.repository import Repository

SCRATCH_REF = "refs/memsleep/import"
"""Named to fast-import alone, which lets it go before it ends: it never exists on disk."""
FILE_MODE = 0o100644
_DURABLE = ("-c", "core.fsync=committed,reference")
_PLAIN = ("-c", "i18n.commitEncoding=UTF-8", "-c", "user.useConfigOnly=true")
_OWN_FOLDER = b".git"


@dataclass(frozen=True, slots=True)
class TreeChange:
    """What one step does to a tree, paths counted from the root of the repository."""

    files: Mapping[bytes, tuple[int, bytes | str]]
    """Path -> (mode, bytes of the file, or the id of a blob that the repository has)."""
    gone: Sequence[bytes] = ()
    """Paths that exist before the step and not after it."""


def write_trees(repository: Repository, base: str, steps: Iterable[TreeChange]) -> tuple[str, ...]:
    """Write the tree after each step, the first on top of a commit's, and return their ids.

    One `git fast-import` writes all of it; its memory does not grow with the history.

    Raises
    ------
    GitError
        `git-unsafe-path`, or what git said.
    """
    arguments = ("fast-import", "--quiet", "--done", "--date-format=raw")
    with subprocess.Popen(  # noqa: S603 (a list, never a shell)
        repository.git.command(arguments, extra=_DURABLE),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=repository.git.environment,
    ) as process:
        assert process.stdin is not None
        try:
            for piece in _stream(repository, base, steps):
                process.stdin.write(piece)
        except BrokenPipeError:
            pass  # git has ended; what it said is told below
        except BaseException:
            process.kill()
            raise
        out, err = process.communicate()
    if process.returncode:
        raise failed(repository.toplevel, arguments, process.returncode, err)
    return tuple(_tree_id(line) for line in out.split(b"\n") if line)


def clean_crash_reports(repository: Repository) -> None:
    """Take away what our own `fast-import` wrote about its end when a run was killed."""
    folder = repository.git.run("rev-parse", "--git-path", ".").out.removesuffix(b"\n")
    root = os.path.join(repository.toplevel, folder)  # noqa: PTH118 (bytes)
    for name in os.listdir(root):  # noqa: PTH208 (bytes)
        if name.startswith(b"fast_import_crash_"):
            place = os.path.join(root, name)  # noqa: PTH118 (bytes)
            with contextlib.suppress(OSError), open(place, "rb") as stream:  # noqa: PTH123
                told = stream.read(65536)
                if not told or SCRATCH_REF.encode("ascii") in told:
                    os.unlink(place)  # noqa: PTH108 (bytes)


def _stream(repository: Repository, base: str, steps: Iterable[TreeChange]) -> Iterator[bytes]:
    """Give what fast-import reads. The commit in it is never named by anything."""
    yield f"feature done\ncommit {SCRATCH_REF}\ncommitter m <m> 0 +0000\ndata 0\n".encode("ascii")
    yield f"from {base}\n".encode("ascii")
    for step in steps:
        for path in step.gone:
            yield b"D " + _quoted(repository, path) + b"\n"
        for path, (mode, content) in step.files.items():
            name = _quoted(repository, path)
            if isinstance(content, str):
                yield f"M {mode:o} {content} ".encode("ascii") + name + b"\n"
                continue
            yield f"M {mode:o} inline ".encode("ascii") + name + b"\n"
            yield f"data {len(content)}\n".encode("ascii")
            yield content
            yield b"\n"
        yield b'ls ""\n'
    yield f"reset {SCRATCH_REF}\ndone\n".encode("ascii")


def _quoted(repository: Repository, path: bytes) -> bytes:
    """Return a path in git's quotes.

    Raises
    ------
    GitError
        `git-unsafe-path`, for one that would leave the folder or reach the repository's own.
    """
    parts = path.split(b"/")
    if any(part in (b"", b".", b"..") or part.lower() == _OWN_FOLDER for part in parts):
        raise unsafe_path(repository.toplevel, path)
    special = b'"\\'
    body = b"".join(
        f"\\{byte:03o}".encode("ascii")
        if byte < 0x20 or byte == 0x7F or byte in special
        else bytes((byte,))
        for byte in path
    )
    return b'"' + body + b'"'


def _tree_id(line: bytes) -> str:
    """Read `040000 tree <id>TAB`; an empty tree is told as missing."""
    words = line.split()
    if len(words) < 3 or words[1] != b"tree":
        raise ValueError(f"expected a tree from fast-import, found {line[:80]!r}")
    return words[2].decode("ascii")


def write_blob(repository: Repository, content: bytes) -> str:
    """Write the bytes of a file as they are, and return their id."""
    arguments = ("hash-object", "-w", "--no-filters", "--stdin")
    return repository.git.run(*arguments, stdin=content, extra=_DURABLE).out.decode("ascii").strip()


def commit_tree(
    repository: Repository, tree: str, parents: Sequence[str], message: bytes, seconds: int
) -> str:
    """Write one commit as the user, at an instant, signed where the user signs; return its id.

    Raises
    ------
    GitError
        `git-identity-missing`, `git-signing-failed` or `git-signing-program`.
    """
    sign = ("-S",) if signs(repository) else ()
    parent_options = [word for parent in parents for word in ("-p", parent)]
    arguments = ("commit-tree", *sign, *parent_options, tree)
    dated = {f"GIT_{who}_DATE": f"@{seconds} +0000" for who in ("AUTHOR", "COMMITTER")}
    writer = replace(repository.git, environment={**repository.git.environment, **dated})
    done = writer.run(*arguments, stdin=message, accept=128, extra=(*_DURABLE, *_PLAIN))
    if done.code:
        check_identity(repository)
        if sign:
            raise signing_failed(repository.toplevel, done.err)
        raise failed(repository.toplevel, arguments, done.code, done.err)
    return done.out.decode("ascii").strip()


def check_identity(repository: Repository) -> None:
    """Refuse to write commits for somebody git has no name for; nothing is guessed.

    Raises
    ------
    GitError
        `git-identity-missing`.
    """
    for who in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        if repository.git.run("var", who, accept=128, extra=_PLAIN).code:
            raise identity_missing(repository.toplevel)


def signs(repository: Repository) -> bool:
    """Return True where the user signs commits.

    Raises
    ------
    GitError
        `git-signing-program`, when the repository itself names the program that would run.
    """
    wanted = ("config", "--type=bool", "--get", "commit.gpgSign")
    if repository.git.run(*wanted, accept=1).out.strip() != b"true":
        return False
    pattern = r"^gpg\.(.*\.)?(program|defaultkeycommand)$"
    asked = ("config", "-z", "--show-scope", "--get-regexp", pattern)
    fields = repository.git.run(*asked, accept=1).out.split(b"\0")
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        if scope in (b"local", b"worktree"):
            raise signing_program(repository.toplevel, setting.split(b"\n", 1)[0])
    return True


def create_ref(repository: Repository, ref: str, commit: str, why: str) -> None:
    """Make a ref that does not exist, in one step.

    Raises
    ------
    GitError
        `git-ref-exists`, when it exists by now; `git-ref-locked`, when somebody holds its lock.
    """
    zero = "0" * len(commit)
    _update(repository.git, ref, commit, zero, why, exists=True)


def move_ref(repository: Repository, ref: str, commit: str, expected: str, why: str) -> None:
    """Point a ref, or HEAD's branch, elsewhere if it still points where it is expected to.

    Raises
    ------
    GitError
        `git-ref-moved`.
    """
    _update(repository.git, ref, commit, expected, why, exists=False)


def delete_ref(repository: Repository, ref: str, expected: str) -> bool:
    """Delete a ref if it still points where it is expected to; False when it does not."""
    return not repository.git.run("update-ref", "-d", ref, expected, accept=128).code


def _update(git: Git, ref: str, commit: str, old: str, why: str, *, exists: bool) -> None:
    arguments = ("update-ref", "-m", why, ref, commit, old)
    done = git.run(*arguments, accept=128, extra=_DURABLE)
    if not done.code:
        return
    if exists and b".lock'" in done.err:
        raise ref_locked(git.folder, ref)
    now = git.run("rev-parse", "--verify", "--quiet", ref, accept=128).out.decode("ascii").strip()
    if exists and now:
        raise ref_exists(git.folder, ref)
    if not exists and now != old:
        raise GitError(
            "git-ref-moved",
            f"expected {ref} at {old[:12]}, found it at {now[:12] or 'nothing'}",
            context=[f"{shown(git.folder)}: somebody committed meanwhile; nothing was changed"],
            hint="run the same command again",
        )
    raise failed(git.folder, arguments, done.code, done.err)
