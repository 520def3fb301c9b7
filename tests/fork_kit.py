"""The command in a process of its own, without the cost of starting Python for each case."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

NOBODY_UID = 65534


@dataclass(frozen=True)
class Ended:
    """A process that ended."""

    code: int
    out: str
    err: str


def memsleep_forked(arguments: Sequence[str], cwd: Path, *, nobody: bool = False) -> Ended:
    """Run the command line in a forked child and return what it said.

    Parameters
    ----------
    nobody : bool
        As a user without rights: root ignores mode bits.
    """
    _load_everything()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            _be_the_command(arguments, cwd, out.fileno(), err.fileno(), nobody)
        _, status = os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        code = os.waitstatus_to_exitcode(status)
        return Ended(code, out.read().decode(), err.read().decode())


def _load_everything() -> None:
    """Import what a night imports late: a user without rights may not be able to read it."""
    import email.parser  # noqa: F401
    import encodings.utf_16_be  # noqa: F401

    import jinja2.nodes  # noqa: F401

    from memsleep.report.html import to_html
    from report.sample import sample_report

    to_html(sample_report())


def _be_the_command(arguments: Sequence[str], cwd: Path, out: int, err: int, nobody: bool) -> None:
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
        from memsleep.cli.app import main

        code = main(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # told to the parent by the code and the text
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)
