from __future__ import annotations

from pathlib import Path

import pytest

from cli_kit import memsleep
from corpus_kit import write
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


def test_the_brief_is_no_memory(tmp_path: Path) -> None:
    """A file for the brief inside the corpus is not read back as a memory of its own."""
    root = tmp_path / "corpus"
    write(
        root, {"a.md": note("Deploys run on Tuesday."), "memsleep.toml": "[brief]\nfile = 'X.md'\n"}
    )
    for _ in range(2):
        done = memsleep("brief", "--corpus", root, "--write", "--now", NOW, home=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (root / "X.md").read_text().count("[m:") == 2  # the citation line and one memory


def test_a_night_writes_it_and_the_chain(tmp_path: Path) -> None:
    """A real run ends with the brief in its file and a version for each file it changed."""
    text = "Deploys run on Tuesday, in a window of two hours, and never before nine in the morning."
    root = write(
        tmp_path / "corpus",
        {
            "a.md": note(text, created="2026-11-05"),
            "b.md": note(text, created="2026-11-20"),
            "c.md": note("Lanyards are blue and come in packs of fifty from the shop in Zurich."),
            "d.md": note("Backups run at night and are kept for three months in another region."),
            "memsleep.toml": "[brief]\nfile = 'X.md'\n",
        },
    )
    first = memsleep("run", root, "--now", NOW, home=tmp_path)
    assert first.returncode == 0, first.stderr
    assert b"the brief: created" in first.stderr
    assert text in (root / "X.md").read_text()
    with corpus_of(root, {}) as corpus:
        chain = corpus.state.versions("b.md")
        assert [version.cause for version in chain] == ["insert", "merge"]
        assert [version.run_id for version in chain] == [None, "sleep/2026-11-30"]
        assert [version.content.path for version in chain] == ["b.md", "archive/2026/b.md"]
    undone = memsleep("undo", "sleep/2026-11-30", "--corpus", root, home=tmp_path)
    assert undone.returncode == 0, undone.stderr
    with corpus_of(root, {}) as corpus:
        chain = corpus.state.versions("b.md")
        assert [version.cause for version in chain] == ["insert", "merge", "rollback"]


def test_a_night_goes_on_without_a_place(tmp_path: Path) -> None:
    """A file without markers costs the brief, not the night."""
    files = {"a.md": note("Deploys run on Tuesday."), "memsleep.toml": "[brief]\nfile = 'X.md'\n"}
    root = write(tmp_path / "corpus", {**files, "X.md": "mine\n"})
    done = memsleep("run", root, "--now", NOW, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"the brief was not written" in done.stderr
    assert (root / "X.md").read_text() == "mine\n"
