"""Stores with rules of their own: closed keys, limits, files of several memories, other heads."""

# ruff: noqa: E501 (a row of a table is one line)

from __future__ import annotations

from pathlib import Path

import pytest

from check_kit import Files, note, result_of, told

BLOCK = note("The persona is calm.\n", description="Who I am.")
HERMES = "The shed has two keys.\n\u00a7\nSee [[gone]].\n\u00a7\nIt rained yesterday.\n"
LONG = "The compost heap behind the shed is turned every two weeks in summer by the keyholders."
FAULTY: list[tuple[Files, list[str]]] = [
    ({"system/a.md": BLOCK, "b.md": note("x\n", description="d", mood="good")}, ["b.md:3:1 MS105"]),
    ({"system/a.md": note("x" * 21 + "\n", description="d", limit="20")}, ["system/a.md:3:8 MS601"]),
    ({"MEMORY.md": HERMES}, ["MEMORY.md:3:7 MS201", "MEMORY.md:5:11 MS403"]),
    ({"MEMORY.md": f"{LONG}\n\u00a7\nOther.\n\u00a7\n{LONG}!\n"}, ["MEMORY.md:5:1 MS301"]),
    ({"MEMORY.md": "A.\n\u00a7\n" + "word " * 450 + "\n"}, ["MEMORY.md:3:1 MS602"]),
    ({"USER.md": "A.\n\u00a7\n" + "word " * 300 + "\n", "MEMORY.md": HERMES.replace("yesterday", "then").replace("[[gone]]", "it")}, ["USER.md:3:1 MS602"]),
    ({"a.md": '+++\ncreated = "2026-02-30"\n+++\nText.\n'}, ["a.md:2:11 MS104"]),
    ({"a.md": "<!-- created: 2026-02-30 -->\nText.\n"}, ["a.md:1:15 MS104"]),
    ({"x/a.html": "<html><head><title>today</title></head>\n<body><p>It rained yesterday.</p></body></html>\n", "x/b.html": "<html><head><title>T</title></head><body><p>It rained.</p></body></html>\n"}, ["x/a.html:2:20 MS403"]),
]  # fmt: skip
CLEAN: list[Files] = [
    {"system/a.md": BLOCK, "b.md": note("x\n", description="d", limit="200")},
    {"system/a.md": note("x" * 20 + "\n", description="d", limit="20")},
    {"MEMORY.md": "The shed has two keys.\n\u00a7\nThe hose is green.\n"},
    {"MEMORY.md": "A.\n\u00a7\nSee [[gone]]. <!-- memsleep: ignore MS201 planned -->\n"},
    {"MEMORY.md": "Hose.\n\u00a7\nHose.\n"},
    {"MEMORY.md": "A.\n\u00a7\n" + "word " * 430 + "\n"},
    {"a.md": '+++\ncreated = "2026-02-28"\ncolour = "red"\n+++\nText.\n'},
    {"a.md": "<!-- created: 2026-02-28 -->\nText.\n"},
    {"x/a.html": "<html><head><title>T</title></head><body><p>It rained.</p></body></html>\n"},
]


@pytest.mark.parametrize(("files", "places"), FAULTY)
def test_faulty(files: Files, places: list[str], tmp_path: Path) -> None:
    """The fault is found at its place in the file that holds it, and nothing else."""
    assert told(result_of(tmp_path / "c", files)) == places


@pytest.mark.parametrize("files", CLEAN)
def test_clean(files: Files, tmp_path: Path) -> None:
    """Nothing is found."""
    assert told(result_of(tmp_path / "c", files)) == []


def test_dates_are_read_as_the_config_says(tmp_path: Path) -> None:
    """An order of day and month that the config gives decides, with and without a cache."""
    files = {"a.md": note(valid_until="06/08/2026")}
    for order, found in (("yes", ["a.md:2:14 MS401"]), ("file", ["a.md:2:14 MS104"])):
        cache = tmp_path / "cache.db"
        result = result_of(tmp_path / "c", files, corpus__day_first=order, cache=cache)
        assert told(result) == found
