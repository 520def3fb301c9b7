# ruff: noqa: E501 (a row of a table is one line)
"""MS3xx: tables of clean and of faulty corpora."""

from __future__ import annotations

from pathlib import Path

import pytest

from check_kit import Files, note, result_of, told

LONG = "The compost heap behind the shed is turned every two weeks in summer by the keyholders.\n"
OLD, NEW = {"created": "2026-01-01"}, {"created": "2026-05-01"}
PORT, OTHER_PORT = "The port of the gateway is 8080.\n", "The port of the gateway is 8443.\n"
NEARLY = LONG.replace("every two weeks", "every 2 weeks")

FAULTY: list[tuple[str, Files, list[str]]] = [
    ("MS301", {"a.md": note(LONG, **OLD), "b.md": note(LONG, **NEW)}, ["b.md:4:1"]),
    ("MS301", {"a.md": note(LONG, **NEW), "b.md": note(LONG, **OLD)}, ["a.md:4:1"]),
    ("MS301", {"a.md": LONG, "b.md": LONG, "c/d.md": f"\n{LONG}"}, ["b.md:1:1", "c/d.md:2:1"]),
    ("MS302", {"a.md": note(LONG, **OLD), "b.md": note(NEARLY, **NEW)}, ["b.md:4:1"]),
    ("MS302", {"a.md": note("The probe waits 30 s before it reports.\n", **OLD), "b.md": note("The probe waits 30s before it reports.\n", **NEW)}, ["b.md:4:1"]),
    ("MS303", {"a.md": note(PORT, **OLD), "b.md": note(OTHER_PORT, **NEW)}, ["b.md:4:1"]),
    ("MS303", {"a.md": note("An update over the air is safe on battery.\n", **OLD), "b.md": note("An update over the air is not safe on battery.\n", **NEW)}, ["b.md:4:1"]),
]  # fmt: skip
CLEAN: list[tuple[str, Files]] = [
    ("MS301", {"a.md": "Hose leaks again.\n", "b.md": "Hose leaks again.\n"}),
    ("MS301", {"agents/x/a.md": LONG, "agents/y/a.md": LONG}),
    ("MS301", {"a.md": note(LONG, type="fact"), "b.md": note(LONG, type="procedure")}),
    ("MS301", {"a.md": note(LONG, type="task"), "b.md": note(LONG, type="task")}),
    ("MS301", {"a.md": note(LONG, pinned="true"), "b.md": note(LONG)}),
    ("MS301", {"a.md": LONG, "archive/2026/b.md": note(LONG, archived_at="2026-05-01")}),
    ("MS302", {"a.md": LONG, "b.md": LONG.replace("two weeks", "three weeks")}),
    ("MS302", {"a.md": LONG, "b.md": LONG.replace("is turned", "is never turned")}),
    ("MS302", {"a.md": "The gateway polls the node.\n", "b.md": "The node polls the gateway.\n"}),
    ("MS302", {"a.md": "Only keyholders may open the shed.\n", "b.md": "Keyholders may open the shed.\n"}),
    ("MS302", {"a.md": LONG, "b.md": "Slugs come out after a warm rain in May.\n"}),
    ("MS303", {"a.md": note(PORT), "b.md": note(PORT, title="Again")}),
    ("MS303", {"a.md": PORT, "b.md": "The port of the printer is 9100.\n"}),
    ("MS303", {"a.md": PORT, "b.md": note(OTHER_PORT, supersedes="[[a]]")}),
    ("MS303", {"a.md": PORT, "b.md": note(OTHER_PORT, contradicts="a")}),
    ("MS303", {"a.md": note(PORT, valid_until="2026-03-01"), "b.md": note(OTHER_PORT, valid_from="2026-03-01")}),
    ("MS303", {"projects/x/a.md": PORT, "projects/y/b.md": OTHER_PORT}),
    ("MS303", {f"{n}.md": f"The port of the gateway is {8000 + n}.\n" for n in range(9)}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "files", "places"), FAULTY)
def test_faulty(code: str, files: Files, places: list[str], tmp_path: Path) -> None:
    """The rule finds the fault in the younger memory, once, and no other rule does."""
    assert told(result_of(tmp_path / "c", files)) == [f"{place} {code}" for place in places]


@pytest.mark.parametrize(("code", "files"), CLEAN)
def test_clean(code: str, files: Files, tmp_path: Path) -> None:
    """The rule finds nothing."""
    found = [line for line in told(result_of(tmp_path / "c", files)) if line.endswith(code)]
    assert found == []


def test_equal_claims_with_other_details_are_near(tmp_path: Path) -> None:
    """Memories of one claim are compared though their texts differ."""
    files = {
        "a.md": note(LONG, **OLD),
        "b.md": note(f"{LONG}\nThe fork hangs at the door.\n", **NEW),
    }
    assert told(result_of(tmp_path / "c", files)) == ["b.md:4:1 MS302"]


def test_many_equal_texts_do_not_multiply(tmp_path: Path) -> None:
    """Forty copies are 39 findings, not 780."""
    files = {f"{n:02}.md": LONG for n in range(40)}
    assert len(result_of(tmp_path / "c", files).findings) == 39
