"""Suppressions: in a file and in the config, with a reason; severities by code and family."""

from __future__ import annotations

from pathlib import Path

import pytest

from check_kit import Files, note, page, result_of, told
from memsleep.errors import ConfigError

I201 = "<!-- memsleep: ignore MS201 planned page -->"
SUPPRESSED: list[Files] = [
    {"a.md": f"See [[gone]]. {I201}\n"},
    {"a.md": f"{I201}\nSee [[gone]].\n"},
    {"a.md": f"Text.\n\n{I201}\n\nSee [[gone]].\n"},
    {"a.md": "<!-- memsleep: ignore MS2 planned pages -->\nSee [[gone]].\n"},
    {"a.md": "<!-- memsleep: ignore MS403, MS201 as told -->\nSee [[gone]].\n"},
    {"a.md": "Text.\n\n[[gone]]\n\n<!-- memsleep: ignore-file MS201 planned -->\n"},
    {"a.md": "---\nsupports: \"[[gone]]\"  # memsleep: ignore MS201 planned page\n---\nx\n"},
    {"a.md": "---\n# memsleep: ignore MS201 planned page\nsupports: \"[[gone]]\"\n---\nx\n"},
    {"areas/a.html": page(after=f'<p>{I201}<a href="gone.html">x</a></p>')},
    {"MEMORY.md": f"- [A](gone.md) {I201}\n", "a.md": "x\n"},
    {"a.md": f"\ufeff{I201}\r\nSee [[gone]].\r\n"},
]  # fmt: skip
NOT_SUPPRESSED: list[Files] = [
    {"a.md": f"{I201}\nText.\nSee [[gone]].\n"},
    {"a.md": "<!-- memsleep: ignore MS403 as told -->\nSee [[gone]].\n"},
    {"a.md": f"`{I201}`\nSee [[gone]].\n".replace("`", "```\n", 1).replace("`\nSee", "\n```\nSee")},
    {"a.md": "<!-- other: ignore MS201 planned -->\nSee [[gone]].\n"},
    {"a.md": f"Text. {I201}\nSee [[gone]].\n"},
    {"b.md": "<!-- memsleep: ignore-file MS201 planned -->\n", "a.md": "See [[gone]].\n"},
    {"a.md": note("See [[gone]].\n", title="x # memsleep: ignore-file-not MS201 x")},
    {"a.md": "<!-- memsleep: ignore-file MS1 all well -->\nSee [[gone]].\n"},
]  # fmt: skip


@pytest.mark.parametrize("files", SUPPRESSED)
def test_suppressed(files: Files, tmp_path: Path) -> None:
    """The finding is counted as suppressed, with the reason that was given."""
    result = result_of(tmp_path / "c", files)
    assert [line for line in told(result) if "MS201" in line] == []
    assert [f.reason for f in result.suppressed if f.code == "MS201"]


@pytest.mark.parametrize("files", NOT_SUPPRESSED)
def test_not_suppressed(files: Files, tmp_path: Path) -> None:
    """A suppression of another line, rule or file covers nothing."""
    result = result_of(tmp_path / "c", files)
    assert [f.code for f in result.findings if f.code == "MS201"] == ["MS201"]


def test_a_suppression_cannot_excuse_itself(tmp_path: Path) -> None:
    """A bad suppression is told whatever another one says."""
    text = "Text.\n<!-- memsleep: ignore-file MS115 no -->\n<!-- memsleep: ignore MS201 -->\n"
    assert told(result_of(tmp_path / "c", {"a.md": text})) == ["a.md:3:1 MS115"]


def test_the_config_suppresses_by_glob(tmp_path: Path) -> None:
    """The glob is counted from the corpus; the reason is kept."""
    files = {"garden/a.md": "See [[gone]].\n", "lab/b.md": "See [[gone]].\n"}
    rules = ("MS201 garden/**: planned pages",)
    result = result_of(tmp_path / "c", files, check__ignore=rules)
    assert told(result) == ["lab/b.md:1:7 MS201"]
    assert [f.reason for f in result.suppressed] == ["planned pages"]


@pytest.mark.parametrize(
    ("rule", "reference"),
    [
        ("MS201 garden/**", "bad-suppression-rule"),
        ("MS201 garden/**: ", "bad-suppression-rule"),
        ("garden/**: reason", "bad-suppression-rule"),
        ("", "bad-suppression-rule"),
        ("MS299 garden/**: reason", "unknown-rule"),
        ("MS9 garden/**: reason", "unknown-rule"),
    ],
)
def test_a_bad_suppression_of_the_config(rule: str, reference: str, tmp_path: Path) -> None:
    """It is a mistake of the config: nothing is checked."""
    with pytest.raises(ConfigError) as caught:
        result_of(tmp_path / "c", {"a.md": "x\n"}, check__ignore=(rule,))
    assert (caught.value.reference, caught.value.exit_code) == (reference, 2)


@pytest.mark.parametrize("key", ["errors", "warnings", "notes", "off"])
def test_an_unknown_code_in_the_config(key: str, tmp_path: Path) -> None:
    """The nearest code is named."""
    with pytest.raises(ConfigError) as caught:
        result_of(tmp_path / "c", {"a.md": "x\n"}, **{f"check__{key}": ("MS2011",)})
    assert caught.value.reference == "unknown-rule"
    assert caught.value.hint == "did you mean MS201?"


def test_severities_are_set_by_code_and_family(tmp_path: Path) -> None:
    """The longer name counts, whatever stands first."""
    files = {"a.md": "See [[gone]].\nIt rained yesterday.\n", "b/n.md": "x\n", "c/n.md": "y\n", "d/e.md": "[[n]]\n"}  # fmt: skip  # noqa: E501
    result = result_of(
        tmp_path / "c",
        files,
        check__errors=("MS201",),
        check__notes=("MS2",),
        check__off=("MS4",),
    )
    assert [(f.code, f.severity) for f in result.findings] == [
        ("MS201", "error"),
        ("MS202", "note"),
    ]


@pytest.mark.parametrize(
    ("fail_on", "fails"), [("error", False), ("warning", True), ("note", True), ("never", False)]
)
def test_the_floor_of_failing(fail_on: str, fails: bool, tmp_path: Path) -> None:
    """A warning fails a check from `warning` on."""
    result = result_of(tmp_path / "c", {"a.md": "See [[gone]].\n"})
    assert result.fails(fail_on) is fails  # type: ignore[arg-type]
