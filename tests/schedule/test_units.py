"""Each unit passes the validator of its scheduler, whatever the names are."""

from __future__ import annotations

import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from memsleep.schedule import KINDS, Job, unit
from memsleep.schedule.units import service, timer

NAMES = ["/srv/notes", "/srv/my notes", "/srv/100% $HOME \"q\" 'x'", "/srv/a;b&c|d", "/srv/\u8a18"]


def job(corpus: str = "/srv/notes", **values: Any) -> Job:
    return Job(
        program="/usr/bin/true", corpus=corpus, **{"hour": 3, "minute": 5, **values}
    )  # fmt: skip


@pytest.mark.parametrize("corpus", NAMES)
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_verifies(tmp_path: Path, corpus: str) -> None:
    """`systemd-analyze verify` has nothing to say about service and timer."""
    one = job(corpus)
    (tmp_path / f"{one.name}.service").write_bytes(service(one).encode())
    (tmp_path / f"{one.name}.timer").write_bytes(timer(one).encode())
    units = [str(tmp_path / f"{one.name}.{ending}") for ending in ("service", "timer")]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True
    )
    told = [line for line in done.stderr.split("\n") if str(tmp_path) in line or one.name in line]
    assert (done.returncode, told) == (0, [])


def test_a_broken_unit_does_not_verify(tmp_path: Path) -> None:
    """The validator that the other test trusts can say no."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze")
    (tmp_path / "x.service").write_bytes(service(job()).replace("ExecStart=", "Exec=").encode())
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "x.service")], capture_output=True
    )
    assert done.returncode != 0


def test_the_timer_catches_up() -> None:
    """A night that was missed while the machine was off runs after the next boot."""
    assert "\nPersistent=true\n" in timer(job())
    assert "\nOnCalendar=*-*-* 03:05:00\n" in timer(job())


@pytest.mark.parametrize("corpus", NAMES)
def test_launchd_is_a_property_list(corpus: str) -> None:
    """The list parses, and its words are the command."""
    read = plistlib.loads(unit("launchd", job(corpus)).encode())
    assert read["ProgramArguments"] == ["/usr/bin/true", "run", corpus, "--quiet"]
    assert read["StartCalendarInterval"] == {"Hour": 3, "Minute": 5}
    assert re.fullmatch(r"org\.memsleep\.[a-z0-9-]*", read["Label"])


_FIELD = r"(\*|\d+)"
_LINE = re.compile(rf"(@reboot|{_FIELD} {_FIELD} {_FIELD} {_FIELD} {_FIELD}) (.+)\Z")


@pytest.mark.parametrize("corpus", NAMES)
def test_cron_lines(corpus: str) -> None:
    """Each line is a comment or a job; the shell gets the words back after cron's own rule."""
    lines = unit("cron", job(corpus)).rstrip("\n").split("\n")
    jobs = [match for line in lines if (match := _LINE.match(line))]
    assert len(jobs) == len([line for line in lines if not line.startswith("#")]) == 2
    assert jobs[0][1] == "5 3 * * *"
    for match in jobs:
        command = match[7]
        assert not re.search(r"(?<!\\)%", command)
        assert corpus in shlex.split(command.replace(r"\%", "%"))


@pytest.mark.parametrize("corpus", NAMES)
def test_the_shell_runs_the_cron_line(tmp_path: Path, corpus: str) -> None:
    """The command really gets the corpus as one word."""
    program = tmp_path / "program"
    program.write_bytes(b'#!/bin/sh\nprintf "%s\\n" "$@" > "$0.out"\n')
    program.chmod(0o755)
    one = Job(program=str(program), corpus=corpus, hour=3, minute=5)
    line = next(x for x in unit("cron", one).split("\n") if x.startswith("5 3"))
    command = line.split(" ", 5)[5].replace(r"\%", "%")
    subprocess.run(command, shell=True, check=True)
    assert (tmp_path / "program.out").read_bytes().decode().split("\n")[:3] == [
        "run", corpus, "--quiet",
    ]  # fmt: skip


# The parts of the schema of GitHub workflows that ours uses; keys beyond these are refused there.
_TOP = {"name", "on", "permissions", "concurrency", "jobs"}
_JOB = {"runs-on", "timeout-minutes", "steps", "permissions", "env", "needs", "if"}
_STEP = {"uses", "with", "run", "name", "env", "id", "if", "shell", "working-directory"}


def test_github_is_a_workflow() -> None:
    """The YAML keeps to the schema of workflows; the schedule is a cron of five fields."""
    read = yaml.safe_load(unit("github", job(options=("--profile", "careful"))))
    read["on"] = read.pop(True)  # YAML 1.1 takes the key `on` for a truth value
    assert read.keys() <= _TOP
    (cron,) = (row["cron"] for row in read["on"]["schedule"])
    assert re.fullmatch(rf"{_FIELD} {_FIELD} \* \* \*", cron)
    for one in read["jobs"].values():
        assert one.keys() <= _JOB
        for step in one["steps"]:
            assert step.keys() <= _STEP
            assert ("uses" in step) != ("run" in step)
            if "run" in step:
                subprocess.run(["sh", "-n"], input=step["run"].encode(), check=True)
    assert any("memsleep run . --quiet --profile careful" in str(s) for s in one["steps"])


_WORKFLOW = "vendor.github-workflows"


def test_github_by_its_published_schema(tmp_path: Path) -> None:
    """A validator that carries the published schema agrees."""
    file = tmp_path / "memsleep.yml"
    file.write_bytes(unit("github", job()).encode())
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", _WORKFLOW, file],
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_units_end_with_a_line_feed_and_hold_no_control_character(kind: Any) -> None:
    """They are text to paste."""
    text = unit(kind, job(NAMES[2]))
    assert text.endswith("\n")
    assert text.replace("\n", "").isprintable()
