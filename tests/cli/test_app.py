from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cli_kit import environment, memsleep
from memsleep import __version__
from memsleep.cli.app import main

COMMANDS = [[], ["run"], ["explain"], ["phases"], ["config"], ["config", "show"]]
HEAVY = ("networkx", "numpy", "turbohtml", "rich", "jinja2", "yaml", "sqlite3")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    """Help goes to standard output, is ASCII and says what each option is for."""
    assert main([*command, "--help"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert out.isascii()
    assert out.startswith(" ".join(["Usage: memsleep", *command]))
    options = [line for line in out.split("\n") if line.startswith("  -")]
    assert options
    assert all("  " in line.strip() or len(line) > 18 for line in options)


@pytest.mark.parametrize("group", [[], ["state"], ["config"]])
def test_a_list_of_commands_says_what_each_does(group: list[str], tmp_path: Path) -> None:
    """In eighty columns no line ends in the middle of its sentence."""
    listed = memsleep(*group, "--help", home=tmp_path, COLUMNS="80").stdout.decode()
    lines = listed[listed.index("Commands:") :].rstrip().split("\n")[1:]
    assert len(lines) > 1
    assert [line for line in lines if not line.endswith(".") or line.endswith("...")] == []


def test_the_version_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    """`--version` prints name and version, and nothing else."""
    assert main(["--version"]) == 0
    assert capfd.readouterr() == (f"memsleep {__version__}\n", "")


@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        (["--help"], (*HEAVY, "pydantic")),
        (["--version"], (*HEAVY, "pydantic")),
        (["run", "--help"], HEAVY),  # typer itself loads pydantic to parse options
    ],
)
def test_help_loads_nothing_heavy(
    tmp_path: Path, command: list[str], heavy: tuple[str, ...]
) -> None:
    """Start-up is cheap because what a command needs is imported by the command."""
    code = (
        "import sys; from memsleep.cli.app import main; main(sys.argv[1:]); "
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, *command],
        capture_output=True,
        env=environment(tmp_path),
        check=True,
    )
    assert process.stderr == b"[]\n"


def test_help_costs_little(tmp_path: Path) -> None:
    """The best of three starts takes less than 0.4 s of processor time."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'memsleep', '--help'], capture_output=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime)"
    )
    pytest.importorskip("resource")
    seconds = [
        float(
            subprocess.run(
                [sys.executable, "-c", code],
                capture_output=True,
                env=environment(tmp_path),
                check=True,
            ).stdout
        )
        for _ in range(3)
    ]
    assert min(seconds) < 0.4


def test_output_is_utf_8_whatever_the_terminal_says(tmp_path: Path) -> None:
    """An ASCII locale changes no byte of a result."""
    plain = memsleep("config", "defaults", home=tmp_path)
    ascii_only = memsleep(
        "config", "defaults", home=tmp_path, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0"
    )
    assert plain.returncode == ascii_only.returncode == 0
    assert plain.stdout == ascii_only.stdout


@pytest.mark.parametrize("name", ["numpy", "sqlite3", "json", "typer", "yaml", "mcp"])
def test_nothing_of_the_corpus_is_run(name: str, tmp_path: Path) -> None:
    """Called with `-m` in a corpus that holds a module, its name does not count."""
    (tmp_path / f"{name}.py").write_bytes(b"raise SystemExit('code of the corpus was run')\n")
    (tmp_path / "note.md").write_bytes(b"The gate service listens on port 8080.\n")
    done = memsleep("run", "--dry-run", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"code of the corpus" not in done.stderr
