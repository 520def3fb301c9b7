"""The command in a process of its own, without the cost of starting Python for each case."""

from __future__ import annotations

import io
import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corpus_kit import write
from memsleep.cli.app import main

NOBODY_UID = 65534


@dataclass(frozen=True)
class Ended:
    """A process that ended."""

    code: int
    out: str
    err: str


def memsleep_forked(
    arguments: Sequence[str], cwd: Path, *, nobody: bool = False, processes: int | None = None
) -> Ended:
    """Run the command line in a forked child and return what it said.

    Parameters
    ----------
    nobody : bool
        As a user without rights: root ignores mode bits.
    processes : int or None
        How many processes and threads that user may have; there are no bounds for root.
    """
    _load_everything()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            _be_the_command(arguments, cwd, out.fileno(), err.fileno(), nobody, processes)
        _, status = os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        code = os.waitstatus_to_exitcode(status)
        return Ended(code, out.read().decode(), err.read().decode())


@cache
def _load_everything() -> None:
    """Import what a night imports late: a user without rights may not be able to read it.

    A night over two memories that say the same does it, whatever is imported late next year.
    """
    import email.parser  # noqa: F401
    import encodings.utf_16_be  # noqa: F401

    import jinja2.nodes  # noqa: F401

    from memsleep.report.html import to_html
    from report.sample import sample_report

    to_html(sample_report())
    text = "The kettle in the shed of the second garden holds two litres of water.\n"
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()) as out:
        out.buffer = io.BytesIO()  # type: ignore[attr-defined]
        with redirect_stderr(io.StringIO()):
            write(Path(folder) / "c", {"a.md": text, "b.md": text})
            main(["run", "--dry-run", f"{folder}/c", "--now", "2026-11-30T03:00:00Z"])


def _be_the_command(
    arguments: Sequence[str], cwd: Path, out: int, err: int, nobody: bool, processes: int | None
) -> None:
    code = 99
    try:
        os.chdir(cwd)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        if nobody:
            os.setgroups([])
            os.setgid(NOBODY_UID)
            os.setuid(NOBODY_UID)
        if processes is not None:
            resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
        code = main(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # told to the parent by the code and the text
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)
