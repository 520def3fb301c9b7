from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli_kit import environment, error_document, memsleep
from corpus_kit import write
from memsleep.cli.app import main
from memsleep.cli.errors import as_failure, guarded, wants_json
from memsleep.cli.paths import check_corpus
from memsleep.cli.progress import shown_progress
from memsleep.errors import EmbedderError, MemsleepError

RAISED = [
    pytest.param(EmbedderError("one-thing", "text", context=["a:1"], hint="do"), 3, id="family"),
    pytest.param(KeyboardInterrupt(), 130, id="interrupt"),
    pytest.param(PermissionError(errno.EACCES, "no", "f"), 3, id="permission"),
    pytest.param(ZeroDivisionError("secret words of a memory"), 3, id="defect"),
    pytest.param(RecursionError("secret words of a memory"), 3, id="recursion"),
    pytest.param(MemoryError("secret words of a memory"), 3, id="memory"),
]


def _raising(error: BaseException) -> int:
    raise error


@pytest.fixture(autouse=True)
def _state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize(("error", "code"), RAISED)
def test_every_exception_has_its_exit_code_and_no_traceback(
    error: BaseException, code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing but lines for a person reaches standard error, and nothing standard output."""
    assert code == guarded(lambda: _raising(error), [])
    out, err = capfd.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert "secret" not in err


def test_an_error_is_told_with_place_and_hint(capfd: pytest.CaptureFixture[str]) -> None:
    """Head, context and hint, one line each."""
    error = EmbedderError("one-thing", "text", context=["a:1", "b:2"], hint="do this")
    guarded(lambda: _raising(error), [])
    lines = "error[one-thing]: text\n  a:1\n  b:2\nhint: do this\n"
    assert lines == capfd.readouterr().err


def test_a_control_character_in_a_name_does_not_reach_the_terminal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A file name may hold an escape sequence, a line break or no text at all."""
    name = "a\x1b[2J\n\u202eb\udcff"
    guarded(lambda: _raising(MemsleepError("one-thing", name)), [])
    assert capfd.readouterr().err == "error[one-thing]: a\\x1b[2J\\n\\u202eb\\udcff\n"


FAILURES = [
    (errno.EACCES, "no-permission"),
    (errno.EPERM, "no-permission"),
    (errno.EROFS, "input-output"),
    (errno.EFBIG, "file-size-limit"),
    (errno.ENOSPC, "disk-full"),
    (errno.EDQUOT, "disk-full"),
    (errno.ENOENT, "file-vanished"),
    (errno.ENOTDIR, "file-vanished"),
    (errno.EISDIR, "file-vanished"),
    (errno.EIO, "input-output"),
    (errno.EMFILE, "input-output"),
]


@pytest.mark.parametrize(("number", "reference"), FAILURES)
def test_what_the_system_refuses_is_named_with_its_path(number: int, reference: str) -> None:
    """Each foreseeable cause has a reference, exit code 3, and says which path."""
    error = as_failure(OSError(number, "other words", b"some/file"))
    assert (error.reference, error.exit_code) == (reference, 3)
    assert error.context[0] == "some/file"
    assert os.strerror(number) in error.message


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.ENOMEM, "no")])
def test_too_little_memory_is_no_defect(
    error: Exception, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is told with the step, the size of the corpus, what is undone, and one next step."""
    write(tmp_path / "c", {"a.md": "x" * 60_000, "b/c.md": "y" * 40_000, ".git/x": "z" * 900_000})

    def fail() -> int:
        check_corpus(tmp_path / "c")
        with shown_progress(quiet=True) as progress:
            progress.start("pairing")
            raise error

    assert guarded(fail, []) == 3
    first, *rest = capfd.readouterr().err.splitlines()
    assert first == "error[out-of-memory]: there is not enough memory for the step 'pairing'"
    assert rest[0] == f"  the corpus {tmp_path / 'c'} has 2 files with 0.1 MB"
    assert "nothing is half changed" in rest[1]
    assert rest[2].startswith("hint: free some memory")
    assert not (tmp_path / "state").exists()  # nothing to report


@pytest.mark.parametrize(
    ("args", "wanted"),
    [([], False), (["--json"], True), (["run", "x", "--json"], True), (["--", "--json"], False)],
)
def test_json_is_wanted_where_the_option_stands(args: list[str], wanted: bool) -> None:
    """Also when the arguments cannot be parsed; not when it is a file's name."""
    assert wanted == wants_json(args)


def test_a_defect_leaves_a_log_without_messages(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The log says where it happened, with all causes, but not what was said."""

    def fail() -> int:
        words = "secret words of a memory"
        try:
            return {"other": 0}[words]
        except KeyError as error:
            raise RuntimeError(f"more {words}") from error

    assert guarded(fail, ["--json"]) == 3
    (log,) = (tmp_path / "state" / "memsleep" / "logs").iterdir()
    out, err = capfd.readouterr()
    assert str(log) in err
    assert str(log) in out
    text = log.read_text("utf-8")
    assert "secret words" not in text
    assert "test_errors.py" in text
    assert text.index("KeyError\n") < text.index("RuntimeError\n")


def test_the_log_is_never_written_into_the_corpus(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the state folder inside the corpus the log goes to the folder for temporary files."""
    from memsleep.cli.paths import corpus_in_use

    corpus = tmp_path / "corpus"
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    corpus.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(corpus / "state"))
    monkeypatch.setenv("TMPDIR", str(elsewhere))
    monkeypatch.setattr("memsleep.scratch.USUAL", ())
    token = corpus_in_use.set(corpus)
    try:
        guarded(lambda: _raising(ZeroDivisionError()), [])
        monkeypatch.setenv("TMPDIR", str(corpus))
        guarded(lambda: _raising(ZeroDivisionError()), [])
    finally:
        corpus_in_use.reset(token)
    assert list(corpus.iterdir()) == []
    assert len(list(elsewhere.iterdir())) == 1
    assert "no log of it could be written" in capfd.readouterr().err


USAGE = [
    pytest.param([], "Missing command", "memsleep --help", id="nothing"),
    pytest.param(["rum"], "No such command 'rum'", "memsleep --help", id="command"),
    pytest.param(["run", "--dry"], "No such option", "memsleep run --help", id="option"),
    pytest.param(["run", "--now"], "requires an argument", "memsleep --help", id="no-value"),
    pytest.param(["run", "a", "b"], "unexpected extra argument", "memsleep run --help", id="extra"),
    pytest.param(["config"], "Missing command", "memsleep config --help", id="group"),
    pytest.param(["explain"], "Missing argument", "memsleep explain --help", id="argument"),
]


@pytest.mark.parametrize(("args", "message", "hint"), USAGE)
def test_wrong_usage_exits_2_and_names_the_help(
    args: list[str], message: str, hint: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The parser's own errors look like all others."""
    assert main(args) == 2
    err = capfd.readouterr().err
    assert err.startswith("error[bad-usage]: ")
    assert message.lower() in err.lower()
    assert f"hint: {hint}\n" in err


def test_wrong_usage_is_a_json_document_where_that_is_wanted(tmp_path: Path) -> None:
    """A program that asked for JSON gets JSON, whatever is wrong."""
    process = memsleep("run", "--json", "--nonsense", home=tmp_path)
    assert process.returncode == 2
    assert error_document(process)["reference"] == "bad-usage"
    assert process.stderr.startswith(b"error[bad-usage]: ")


def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path) -> None:
    """Nothing is said on standard error when `head` has seen enough."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = subprocess.run(
        [sys.executable, "-m", "memsleep", "config", "defaults"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        check=False,
    )
    os.close(write_end)
    assert (process.returncode, process.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("args", [["config", "defaults"], ["--help"], ["--version"]])
def test_output_that_cannot_be_written_is_a_failure(tmp_path: Path, args: list[str]) -> None:
    """A full disk is not taken for success."""
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            [sys.executable, "-m", "memsleep", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
            check=False,
        )
    assert process.returncode == 3
    assert process.stderr.startswith(b"error[disk-full]: ")
    assert b"Exception" not in process.stderr


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")
def test_closed_streams_are_no_defect(tmp_path: Path) -> None:
    """Without standard error nothing is said; without standard output that is an error."""
    run = f'"{sys.executable}" -m memsleep'
    codes = [
        subprocess.run(
            ["sh", "-c", f"{run} {rest}"],
            env=environment(tmp_path),
            check=False,
            capture_output=True,
        )
        for rest in ("rum 2>&-", "config defaults >&-", "rum >&- 2>&-")
    ]
    assert [process.returncode for process in codes] == [2, 3, 2]
    assert codes[1].stderr.startswith(b"error[input-output]: ")
    assert not (tmp_path / "state").exists()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interrupt_exits_130(tmp_path: Path) -> None:
    """Ctrl-C while a config is read ends with one word and no traceback."""
    fifo = tmp_path / "wait"
    os.mkfifo(fifo)
    code = (
        "import sys; from memsleep.cli.errors import guarded; "
        "sys.exit(guarded(lambda: len(open(sys.argv[1]).read()), []))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, fifo], stderr=subprocess.PIPE, env=environment(tmp_path)
    )
    with fifo.open("wb"):  # opened by the process: it is waiting to read
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"interrupted\n")
