from __future__ import annotations

import json
from pathlib import Path

import pytest

from memsleep.cli.app import main
from memsleep.proposals import Proposal
from memsleep.settings import CAREFUL_ORDER, REQUIRES

ROOT = Path(__file__).parents[2]


def _edit_kinds(family: type[Proposal] = Proposal) -> set[str]:
    kinds = {family.kind} if family.edits_files and family.kind else set()
    return kinds.union(*(_edit_kinds(child) for child in family.__subclasses__()), kinds)


def test_the_phases_are_listed_in_order(capfd: pytest.CaptureFixture[str]) -> None:
    """One line each, in the order of the default profile."""
    assert main(["phases"]) == 0
    out = capfd.readouterr().out
    assert [line.split()[0] for line in out.split("\n")[:-1]] == list(CAREFUL_ORDER)


def test_as_json_each_phase_tells_what_it_requires_and_may_edit(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Requirements are those that the config checks; edits are kinds that exist."""
    assert main(["phases", "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert document["schema_version"] == 1
    assert {phase["name"]: tuple(phase["requires"]) for phase in document["phases"]} == REQUIRES
    assert set().union(*(phase["may_edit"] for phase in document["phases"])) <= _edit_kinds()


def test_the_table_of_the_phase_pages_is_what_the_command_prints(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """`phases/README.md` holds the table of `memsleep phases --markdown`."""
    assert main(["phases", "--markdown"]) == 0
    table = capfd.readouterr().out
    assert table.count("\n") == 2 + len(CAREFUL_ORDER)
    assert table in (ROOT / "phases" / "README.md").read_bytes().decode("utf-8")
