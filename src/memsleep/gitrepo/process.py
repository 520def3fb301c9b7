"""Running git: its options, its environment, one command, many objects."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Literal

from memsleep.giterrors import failed, git_missing

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


ObjectMode = Literal["--batch", "--batch-check"]


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

    def run(
        self,
        *arguments: str | bytes,
        stdin: bytes = b"",
        accept: int = 0,
        extra: Sequence[str] = (),
    ) -> Finished:
        """Run one command; an exit code above `accept` is an error.

        `extra` are options of git itself, such as `-c` and a setting.
        """
        command = self.command(arguments, extra=extra)
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
            self.command(("cat-file", mode)),
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

    def command(
        self, arguments: Sequence[str | bytes], *, extra: Sequence[str] = ()
    ) -> list[str | bytes]:
        """Return the words that start git with these arguments."""
        literal = () if arguments[0] == "check-ignore" else ("--literal-pathspecs",)
        return ["git", *OPTIONS, *extra, *literal, "-C", self.folder, *arguments]


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
