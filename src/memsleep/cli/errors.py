"""The one handler around the app: any exception becomes lines, an exit code and no more."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence

import typer

from memsleep.cli.aiming import aimed
from memsleep.cli.crash import write_crash_log
from memsleep.cli.paths import corpus_size
from memsleep.cli.progress import step_in_use
from memsleep.cli.streams import flush_output, write_json, write_remarks
from memsleep.errors import MemsleepError, UsageError

SCHEMA_VERSION = 1
NOTHING_HALF = "nothing is half changed: memsleep status tells what has landed"
INTERRUPTED = 130
READER_GONE = 141
# The base of what the parser raises; the versions of typer keep it in different modules.
_PARSER_ERROR: type[Exception] = typer.BadParameter.__mro__[2]


class FailureError(MemsleepError):
    """The machine, not the corpus or the command, stands in the way: exit 3."""


def guarded(action: Callable[[], int], args: Sequence[str]) -> int:
    """Return the exit code of an action; whatever it raises is said on standard error."""
    with _no_traces_of_memory():
        return _guarded(action, args)


@contextlib.contextmanager
def _no_traces_of_memory() -> Iterator[None]:
    """Keep the interpreter from printing where else memory was missed: it is told once."""
    known = sys.unraisablehook

    def hook(missed: sys.UnraisableHookArgs) -> None:
        if not issubclass(missed.exc_type, MemoryError):
            known(missed)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = known


def _guarded(action: Callable[[], int], args: Sequence[str]) -> int:
    try:
        code = _outcome(action, args)
        flush_output()
    except BrokenPipeError:
        _silence_stdout()
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:  # standard output or error itself cannot be written
        _silence_stdout()
        return as_failure(error).exit_code
    return code


def _outcome(action: Callable[[], int], args: Sequence[str]) -> int:
    try:
        code = action()
        flush_output()  # here an error can still be told
    except BrokenPipeError:
        raise
    except (KeyboardInterrupt, typer.Abort):
        write_remarks(["interrupted"])
        return INTERRUPTED
    except typer.Exit as request:
        return request.exit_code
    except MemsleepError as error:
        return _tell(error, args)
    except OSError as error:
        return _tell(as_failure(error), args)
    except MemoryError:
        return _tell(out_of_memory(), args)
    except _PARSER_ERROR as error:
        return _tell(_as_usage(error), args)
    except Exception as error:
        return _tell(_as_crash(error), args)
    return code


def as_failure(error: OSError) -> MemsleepError:
    """Return what the system refused as an error that says what and where."""
    reason = os.strerror(error.errno) if error.errno else type(error).__name__
    path = error.filename
    where = [] if path is None else [os.fsdecode(path) if not isinstance(path, int) else str(path)]
    if isinstance(error, PermissionError):
        return FailureError("no-permission", f"the system refused: {reason}", context=where)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        again = "free some space and run it again"
        return FailureError("disk-full", reason, context=[*where, NOTHING_HALF], hint=again)
    if error.errno == errno.EFBIG:
        again = "raise the limit on the size of files (ulimit -f) and run it again"
        return FailureError("file-size-limit", reason, context=[*where, NOTHING_HALF], hint=again)
    if error.errno == errno.ENOMEM:
        return out_of_memory()
    if error.errno == errno.EROFS:
        again = "make it writable, or name a folder of yours: --state-dir, --out"
        return FailureError("input-output", reason, context=where, hint=again)
    if isinstance(error, (FileNotFoundError, NotADirectoryError, IsADirectoryError)):
        return FailureError("file-vanished", reason, context=where)
    return FailureError("input-output", reason, context=where)


def out_of_memory() -> MemsleepError:
    """Return that there is too little memory: what was being done, and how large the corpus is."""
    step = step_in_use.get()
    return FailureError(
        "out-of-memory",
        f"there is not enough memory for the step {step!r}" if step else "out of memory",
        context=[*corpus_size(), NOTHING_HALF],
        hint="free some memory, or raise the limit of the container or service, and run it again",
    )


def _tell(error: MemsleepError, args: Sequence[str]) -> int:
    write_remarks(error.lines())
    if wants_json(args):
        told = {
            "reference": error.reference,
            "message": error.message,
            "context": list(error.context),
            "hint": error.hint and aimed(error.hint),
        }
        write_json({"schema_version": SCHEMA_VERSION, "exit_code": error.exit_code, "error": told})
    return error.exit_code


def wants_json(args: Sequence[str]) -> bool:
    """Return True when the arguments hold `--json`: they may be too wrong to be parsed."""
    options = args[: args.index("--")] if "--" in args else args
    return "--json" in options


def _as_usage(error: Exception) -> UsageError:
    message = str(getattr(error, "format_message", error.__str__)())
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "memsleep")
    return UsageError("bad-usage", message.rstrip("."), hint=f"{command} --help")


def _as_crash(error: Exception) -> MemsleepError:
    log = write_crash_log(error)
    told = f"the details are in {log}" if log else "no log of it could be written"
    return FailureError(
        "internal",
        f"memsleep has a defect: {type(error).__name__}",
        context=[told, "nothing of the corpus was changed"],
        hint="report it with that file; it quotes no memory",
    )


def _silence_stdout() -> None:
    """Point standard output nowhere, so that the flush at exit cannot fail again."""
    if sys.stdout is None:
        return
    devnull = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
