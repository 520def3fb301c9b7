"""The one module that talks to git.

The repository is not trusted: its config must not make anything run. So no command is used that
calls a filter, a text converter or a hook; the file system monitor is off; a missing object of a
partial clone is not fetched, for a fetch runs what the config names. Names go in and come out
as NUL-separated bytes. No command writes: neither the index nor a lock is touched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from memsleep.errors import GitError
from memsleep.giterrors import damaged, failed, git_missing, shown

OPTIONS: tuple[str, ...] = (
    "--no-pager",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.quotePath=false",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.untrackedCache=false",
)
KEPT_VARIABLES = frozenset(
    {
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_NAME",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_EXEC_PATH",
    }
)
SET_VARIABLES: Mapping[str, str] = {
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone must not fetch behind our back
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
BATCH = 128
"""Object names sent at once: their bytes fit in the smallest pipe, so neither side can block."""

EntryKind = Literal["file", "symlink", "submodule"]
ObjectMode = Literal["--batch", "--batch-check"]
IndexTag = Literal["cached", "skip-worktree", "unmerged", "untracked"]
_KINDS: Mapping[bytes, EntryKind] = {b"120000": "symlink", b"160000": "submodule"}
_TAGS: Mapping[bytes, IndexTag] = {
    b"H": "cached",
    b"S": "skip-worktree",
    b"M": "unmerged",
    b"?": "untracked",
}


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One name in a commit's tree, `path` below the corpus root."""

    path: bytes
    mode: int
    kind: EntryKind
    oid: str


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One name that git tracks or sees in the work tree, `path` below the corpus root."""

    path: bytes
    tag: IndexTag


@dataclass(frozen=True, slots=True)
class Finished:
    """A git command that ended."""

    code: int
    out: bytes
    err: bytes


@dataclass(frozen=True, slots=True)
class Git:
    """Runs git in one folder, in an environment of its own."""

    folder: bytes
    environment: Mapping[str, str]

    def run(self, *arguments: str | bytes, stdin: bytes = b"", accept: int = 0) -> Finished:
        """Run one command; an exit code above `accept` is an error."""
        command = self._command(arguments)
        try:
            done = subprocess.run(  # noqa: S603 (a list, never a shell)
                command, input=stdin, capture_output=True, check=False, env=self.environment
            )
        except FileNotFoundError as error:
            raise git_missing(self.folder) from error
        finished = Finished(done.returncode, done.stdout, done.stderr)
        if not 0 <= finished.code <= accept:
            raise failed(self.folder, arguments, finished.code, finished.err)
        return finished

    def objects(self, mode: ObjectMode, oids: Sequence[str]) -> Iterator[tuple[int, bytes] | None]:
        """Give (size, bytes) of each object in the order asked; no bytes with `--batch-check`.

        None stands for an object that is missing or damaged. Git ends at a damaged one; then it
        is started again with the next. No filter is run on the bytes.
        """
        reached = 0
        while reached < len(oids):
            for found in self._one_process(mode, oids[reached:]):
                yield found
                reached += 1
            if reached < len(oids):
                yield None
                reached += 1

    def _one_process(
        self, mode: ObjectMode, oids: Sequence[str]
    ) -> Iterator[tuple[int, bytes] | None]:
        with subprocess.Popen(  # noqa: S603 (a list, never a shell)
            self._command(("cat-file", mode)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self.environment,
        ) as process:
            try:
                yield from _exchange(process, mode == "--batch", oids)
            except (BrokenPipeError, EOFError):
                return
            finally:
                process.kill()  # nothing is lost: git only read

    def _command(self, arguments: Sequence[str | bytes]) -> list[str | bytes]:
        literal = () if arguments[0] == "check-ignore" else ("--literal-pathspecs",)
        return ["git", *OPTIONS, *literal, "-C", self.folder, *arguments]


def _exchange(
    process: subprocess.Popen[bytes], contents: bool, oids: Sequence[str]
) -> Iterator[tuple[int, bytes] | None]:
    """Ask for a few objects, read all their answers, ask for the next few."""
    if process.stdin is None or process.stdout is None:
        raise EOFError
    for start in range(0, len(oids), BATCH):
        batch = oids[start : start + BATCH]
        process.stdin.write("".join(f"{oid}\n" for oid in batch).encode("ascii"))
        process.stdin.flush()
        for _ in batch:
            yield _answer(process.stdout, contents)


def _answer(stream: IO[bytes], contents: bool) -> tuple[int, bytes] | None:
    header = stream.readline()
    if not header.endswith(b"\n"):
        raise EOFError
    words = header.split()
    if len(words) != 3 or words[1] != b"blob":
        return None
    size = int(words[2])
    data = stream.read(size) if contents else b""
    if contents and (len(data) != size or stream.read(1) != b"\n"):
        raise EOFError
    return size, data


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository seen from a folder inside its work tree."""

    git: Git
    """Runs at the root of the work tree."""
    prefix: bytes
    """Path of the corpus below that root with a final slash; empty when it is the root."""

    @property
    def toplevel(self) -> bytes:
        """Root of the work tree."""
        return self.git.folder

    def head_commit(self) -> str | None:
        """Return the full id of HEAD's commit, None on a branch that has none yet."""
        asked = self.git.run("rev-parse", "--verify", "--quiet", "HEAD", accept=128)
        commit = asked.out.decode("ascii", "replace").strip()
        if asked.code or not commit:
            self._refuse_broken_branch()
            return None
        if self.git.run("cat-file", "-e", f"{commit}^{{tree}}", accept=128).code:
            raise damaged(self.toplevel, f"the commit {commit} of HEAD cannot be read")
        return commit

    def object_format(self) -> str:
        """Return the name of the hash, `sha1` or `sha256`."""
        return self.git.run("rev-parse", "--show-object-format").out.decode("ascii").strip()

    def tree(self, commit: str) -> tuple[TreeEntry, ...]:
        """Return every name of a commit below the corpus root, in byte order."""
        listed = self.git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *self._where())
        entries = [_tree_entry(record, self.prefix) for record in _records(listed.out)]
        return tuple(sorted(entries, key=lambda entry: entry.path))

    def index(self) -> tuple[IndexEntry, ...]:
        """Return the tracked names, and the untracked ones that git does not ignore.

        A folder that is a repository of its own stands with a final slash.
        """
        options = ("-z", "-t", "--cached", "--others", "--exclude-standard", "--full-name")
        listed = self.git.run("ls-files", *options, "--", *self._where())
        entries = {
            IndexEntry(record[2:].removeprefix(self.prefix), _TAGS[record[:1]])
            for record in _records(listed.out)
            if record[:1] in _TAGS
        }
        return tuple(sorted(entries, key=lambda entry: (entry.path, entry.tag)))

    def ignored(self, paths: Sequence[bytes]) -> frozenset[bytes]:
        """Return those paths below the corpus root that git ignores; a tracked one never is."""
        found = self._matching_ignore_rules([self.prefix + path for path in paths])
        tracked = {entry.path for entry in self.index() if entry.tag != "untracked"}
        return frozenset(path.removeprefix(self.prefix) for path in found) - tracked

    def ignores_corpus(self) -> bool:
        """Return True when git ignores the corpus folder itself."""
        return bool(self.prefix) and bool(self._matching_ignore_rules([self.prefix.rstrip(b"/")]))

    def _matching_ignore_rules(self, names: Sequence[bytes]) -> list[bytes]:
        """Return the names, given below the work tree's root, that an ignore rule matches.

        Without `--no-index` a name such as `*.md` would be taken for a pattern of tracked names;
        `./` keeps a colon from being in front, where it would be magic.
        """
        sent = b"".join(b"./" + name + b"\0" for name in names)
        asked = self.git.run("check-ignore", "--no-index", "-z", "--stdin", stdin=sent, accept=1)
        return [record.removeprefix(b"./") for record in _records(asked.out)]

    def is_partial(self) -> bool:
        """Return True for a partial clone, which may lack objects."""
        pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
        return bool(self.git.run("config", "-z", "--get-regexp", pattern, accept=1).out)

    def sizes(self, oids: Sequence[str]) -> Iterator[int | None]:
        """Give the size of each blob in the order asked, None where it is missing or damaged."""
        for found in self.git.objects("--batch-check", oids):
            yield None if found is None else found[0]

    def blobs(self, oids: Sequence[str]) -> Iterator[bytes | None]:
        """Give the bytes of each blob in the order asked, None where it is missing or damaged."""
        for found in self.git.objects("--batch", oids):
            yield None if found is None else found[1]

    def _where(self) -> tuple[bytes, ...]:
        return (self.prefix,) if self.prefix else ()

    def _refuse_broken_branch(self) -> None:
        """Tell a damaged branch file from a branch without a commit."""
        name = self.git.run("symbolic-ref", "--quiet", "HEAD", accept=128).out.strip()
        if not name:
            raise damaged(self.toplevel, "HEAD names neither a branch nor a commit")
        file = self.git.run("rev-parse", "--git-path", name).out.removesuffix(b"\n")
        if os.path.isfile(os.path.join(self.toplevel, file)):  # noqa: PTH113, PTH118 (bytes)
            raise damaged(self.toplevel, f"the branch {shown(name)} names no commit")


def find_repository(
    folder: Path, *, environment: Mapping[str, str] | None = None
) -> Repository | None:
    """Return the repository whose work tree holds a folder, None where there is none.

    Git is not run, and need not be installed, where no parent of the folder has a `.git`.

    Raises
    ------
    GitError
        Git is not installed, distrusts the owner of the repository, or cannot read it.
    """
    if not any(os.path.lexists(parent / ".git") for parent in _upwards(folder)):
        return None
    clean = clean_environment(os.environ if environment is None else environment)
    inside = Git(os.fsencode(folder), clean)
    try:
        toplevel = inside.run("rev-parse", "--show-toplevel").out.removesuffix(b"\n")
    except GitError as error:
        if error.reference == "git-no-repository":
            return None
        raise
    prefix = inside.run("rev-parse", "--show-prefix").out.removesuffix(b"\n")
    return Repository(Git(toplevel, clean), prefix)


def clean_environment(base: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which git sees the folder it is given and nothing else.

    Every `GIT_` variable goes (a hook that starts us sets GIT_DIR and GIT_INDEX_FILE), save the
    names that the user gave themselves.
    """
    kept = {
        name: value
        for name, value in base.items()
        if name in KEPT_VARIABLES or not name.startswith(("GIT_", "LC_", "LANGUAGE"))
    }
    return {**kept, **SET_VARIABLES}


def _upwards(folder: Path) -> tuple[Path, ...]:
    real = Path(os.path.realpath(folder))
    return (real, *real.parents)


def _records(out: bytes) -> list[bytes]:
    return [record for record in out.split(b"\0") if record]


def _tree_entry(record: bytes, prefix: bytes) -> TreeEntry:
    """Read `<mode> <type> <oid>TAB<path>`."""
    stated, path = record.split(b"\t", 1)
    mode, _, oid = stated.split(b" ")
    kind = _KINDS.get(mode, "file")
    return TreeEntry(path.removeprefix(prefix), int(mode, 8), kind, oid.decode("ascii"))
