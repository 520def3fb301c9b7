# ruff: noqa: E501 (a row of a table is one line)
"""MS6xx: tables of clean and of faulty names and sizes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from check_kit import Files, note, result_of, told

LONG_NAME = "n" * 201
FAULTY: list[tuple[str, Files, list[str]]] = [
    ("MS601", {"a.md": "word " * 14_000}, ["a.md:1:1"]),
    ("MS601", {"a.md": "line\n" * 14_000}, ["a.md:13108:1"]),
    ("MS601", {"a.md": note("x" * 101 + "\n", limit="100")}, ["a.md:2:8"]),
    ("MS602", {"MEMORY.md": "- one\n" * 201, "a.md": "x\n"}, ["MEMORY.md:201:1"]),
    ("MS602", {"MEMORY.md": f"- {'x' * 997}\n" * 26, "a.md": "x\n"}, ["MEMORY.md:26:1"]),
    ("MS603", {"a/B.md": "x\n", "a/b.md": "y\n"}, ["a/b.md"]),
    ("MS603", {"cafe\u0301.md": "x\n", "caf\u00e9.md": "y\n"}, ["caf\u00e9.md"]),
    ("MS604", {"what?.md": "x\n"}, ["what?.md"]),
    ("MS604", {"a/con.md": "x\n"}, ["a/con.md"]),
    ("MS604", {"a./b.md": "x\n"}, ["a./b.md"]),
    ("MS604", {"pic:1.png": "x\n", "a.md": "x\n"}, ["pic:1.png"]),
    ("MS605", {f"{LONG_NAME}.md": "x\n"}, [f"{LONG_NAME}.md"]),
    ("MS605", {"/".join(["folder" * 5] * 8) + "/a.md": "x\n"}, ["/".join(["folder" * 5] * 8) + "/a.md"]),
    ("MS608", {"cafe\u0301.md": "x\n"}, ["cafe\u0301.md"]),
]  # fmt: skip
CLEAN: list[tuple[str, Files]] = [
    ("MS601", {"a.md": "word " * 13_000}),
    ("MS601", {"a.md": note("x" * 100 + "\n", limit="100")}),
    ("MS601", {"a.md": note("A recipe for four.\n", limit="3")}),
    ("MS602", {"MEMORY.md": "- one\n" * 200, "a.md": "x\n"}),
    ("MS602", {"notes.md": "- one\n" * 300}),
    ("MS603", {"a/b.md": "x\n", "b/b.md": "y\n", "a/B/c.md": "z\n"}),
    ("MS603", {"strasse.md": "x\n", "strase.md": "y\n"}),
    ("MS604", {"a b (c) #1 'd' & e;.md": "x\n"}),
    ("MS604", {"conference.md": "x\n", "aux-pump.md": "y\n", "nulls/com10.md": "z\n"}),
    ("MS604", {"\U0001f331 seed.md": "x\n", ".hidden.md": "y\n"}),
    ("MS604", {"\u65e5\u672c\u8a9e\uff1f.md": "x\n"}),
    ("MS605", {"n" * 197 + ".md": "x\n"}),
    ("MS605", {"\u65e5" * 60 + ".md": "x\n"}),
    ("MS606", {"caf\u00e9.md": "x\n"}),
    ("MS607", {"a.md": "x\n", "b/a.md": "y\n"}),
    ("MS608", {"caf\u00e9.md": "x\n"}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "files", "places"), FAULTY)
def test_faulty(code: str, files: Files, places: list[str], tmp_path: Path) -> None:
    """The rule finds the fault once."""
    found = [line for line in told(result_of(tmp_path / "c", files)) if line.endswith(code)]
    assert found == [f"{place} {code}" for place in places]


@pytest.mark.parametrize(("code", "files"), CLEAN)
def test_clean(code: str, files: Files, tmp_path: Path) -> None:
    """The rule finds nothing."""
    found = [line for line in told(result_of(tmp_path / "c", files)) if line.endswith(code)]
    assert found == []


def test_names_that_are_not_utf_8_are_told(tmp_path: Path) -> None:
    """The bytes are spelt out."""
    root = tmp_path / "c"
    root.mkdir()
    with open(os.path.join(os.fsencode(root), b"caf\xe9.md"), "wb") as stream:  # noqa: PTH118, PTH123
        stream.write(b"x\n")
    assert told(result_of(root, {"a.md": "y\n"})) == ["caf\\xe9.md MS606"]


def test_what_is_no_plain_file_is_told_and_not_followed(tmp_path: Path) -> None:
    """Links, hard links and pipes are named; nothing is read through them."""
    root = tmp_path / "c"
    root.mkdir()
    (tmp_path / "secret.md").write_bytes(b"AKIA" + b"QYLPMN5HFIQR7XYA")
    (root / "link.md").symlink_to("../secret.md")
    (root / "folder").symlink_to("..")
    os.mkfifo(root / "pipe.md")
    (root / "a.md").write_bytes(b"Some text.\n")
    os.link(root / "a.md", root / "b.md")
    found = told(result_of(root))
    assert found == [f"{name} MS607" for name in ("b.md", "folder", "link.md", "pipe.md")]
