from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.brief.place import BEGIN, END, place_brief
from memsleep.brief.write import write_brief_file
from memsleep.errors import UsageError
from memsleep.settings import BriefSettings, Settings
from usage_kit import NOW, corpus_of, note


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"# A\n{BEGIN}\n{END}\nend", f"# A\n{BEGIN}\nx\ny\n{END}\nend"),
        (f"{BEGIN}\nold\nold\n{END}", f"{BEGIN}\nx\ny\n{END}"),
        (f"a\r\n{BEGIN}\r\nold\r\n{END}\r\nb\r\n", f"a\r\n{BEGIN}\r\nx\r\ny\r\n{END}\r\nb\r\n"),
        (
            f"\ufeffa\u2028b\n  {BEGIN}  \n  {END}\n",
            f"\ufeffa\u2028b\n  {BEGIN}  \nx\ny\n  {END}\n",
        ),
    ],
)
def test_only_what_lies_between(tmp_path: Path, before: str, after: str) -> None:
    """Every byte outside the two lines stays, in the line ends of the file."""
    file = tmp_path / "AGENTS.md"
    file.write_bytes(before.encode())
    file.chmod(0o640)
    assert place_brief(file, "x\ny\n") == "written"
    assert file.read_bytes() == after.encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert place_brief(file, "x\ny\n") == "unchanged"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no markers",
        BEGIN,
        END,
        f"{END}\n{BEGIN}",
        f"{BEGIN}\n{END}\n{BEGIN}\n{END}",
        f"a {BEGIN}\n{END}",
    ],
)
def test_a_file_without_a_place_is_left_alone(tmp_path: Path, content: str) -> None:
    """Not exactly one pair of lines in order: an error that names both, and no byte changes."""
    file = tmp_path / "AGENTS.md"
    file.write_bytes(content.encode())
    with pytest.raises(UsageError) as error:
        place_brief(file, "x\n")
    assert error.value.reference == "brief-markers"
    assert file.read_bytes() == content.encode()


def test_a_missing_file_is_made(tmp_path: Path) -> None:
    """The first night makes the file with its two lines."""
    file = tmp_path / "sub" / "AGENTS.md"
    assert place_brief(file, "x\n") == "created"
    assert file.read_bytes() == f"{BEGIN}\nx\n{END}\n".encode()
    assert place_brief(file, "") == "written"
    assert file.read_bytes() == f"{BEGIN}\n{END}\n".encode()
    assert [path.name for path in file.parent.iterdir()] == ["AGENTS.md"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    """The file behind a link is written, and the link stays one."""
    (tmp_path / "real.md").write_bytes(f"{BEGIN}\n{END}\n".encode())
    (tmp_path / "link.md").symlink_to("real.md")
    place_brief(tmp_path / "link.md", "x\n")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_bytes() == f"{BEGIN}\nx\n{END}\n".encode()


def test_at_a_nights_end(tmp_path: Path) -> None:
    """The configured file gets the brief of the folder; without one nothing is written."""
    root, file = tmp_path / "corpus", tmp_path / "AGENTS.md"
    with corpus_of(root, {"a.md": note("Deploys run on Tuesday.")}):
        pass
    settings = Settings(brief=BriefSettings(file=str(file)))
    assert write_brief_file(root, Settings(), NOW) is None
    assert write_brief_file(root, settings, NOW) == "created"
    assert "Deploys run on Tuesday." in file.read_text()
    assert write_brief_file(root, settings, NOW) == "unchanged"
