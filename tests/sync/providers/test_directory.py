"""A folder as the service: what people do there is noticed, and nothing leads out of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_kit import as_nobody, needs_root
from memsleep.landing import renames
from memsleep.sync.protocol import DecisionRecord, Note, PushRejected, TransientError, WriteRequest
from memsleep.sync.providers.directory import DirectoryProvider
from memsleep.sync.providers.directory_files import MAX_NOTE_BYTES
from memsleep.sync.providers.slugs import unfit
from sync_provider_kit import forget, save

LOG = ".memsleep-sync/log.jsonl"


def _pulled(root: Path, cursor: str | None = None, scope: str = "project") -> dict[str, str | None]:
    """Return slug -> text, None for what is gone, as one pull of everything gives it."""
    page = DirectoryProvider(root).pull(scope, cursor, 1000)
    assert page.done
    return {note.slug: None if note.deleted else note.text for note in page.notes}


def _cursor(root: Path, scope: str = "project") -> str | None:
    return DirectoryProvider(root).pull(scope, None, 1000).next_cursor


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that a user without rights may enter and write to."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


# Where things lie --------------------------------------------------------------------------------


def test_a_note_is_a_plain_file(tmp_path: Path) -> None:
    """Its bytes are the text's, below the folder of its scope."""
    provider = DirectoryProvider(tmp_path)
    provider.push(save("areas/a.md", "\ufeffone\r\ntwo"))
    provider.push(save("b.md", "mine", scope="user", client_id="c9"))
    assert (tmp_path / "project/areas/a.md").read_bytes() == b"\xef\xbb\xbfone\r\ntwo"
    assert (tmp_path / "user/b.md").read_bytes() == b"mine"


def test_a_proposal_waits_as_a_document(tmp_path: Path) -> None:
    """The whole request lies there for a person, and no note is made."""
    request = save(mode="proposal")
    DirectoryProvider(tmp_path).push(request)
    kept = (tmp_path / ".memsleep-sync/proposals/c1.json").read_bytes()
    assert WriteRequest.model_validate_json(kept) == request
    assert not (tmp_path / "project").exists()


def test_what_a_write_replaces_or_takes_away_is_kept(tmp_path: Path) -> None:
    """An edit that nobody had pulled yet is not lost by a write over it."""
    provider = DirectoryProvider(tmp_path)
    provider.push(save(text="ours"))
    (tmp_path / "project/a.md").write_bytes(b"theirs")
    provider.push(save(text="ours again", client_id="c5"))
    provider.push(forget(client_id="c6"))
    kept = tmp_path / ".memsleep-sync/kept"
    assert (kept / "c5").read_bytes() == b"theirs"
    assert (kept / "c6").read_bytes() == b"ours again"
    assert not (tmp_path / "project/a.md").exists()


def test_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    """A replaced file is as open as it was."""
    provider = DirectoryProvider(tmp_path)
    provider.push(save(text="one"))
    (tmp_path / "project/a.md").chmod(0o640)
    provider.push(save(text="two", client_id="c5"))
    assert (tmp_path / "project/a.md").stat().st_mode & 0o777 == 0o640


def test_decisions_come_with_the_last_page(tmp_path: Path) -> None:
    """Lines that are none are passed over."""
    record = DecisionRecord(
        id="d1", subject="s", predicate="p", object="o", updated_at="2026-11-30", status="decided"
    )
    lines = [b"{not json", record.model_dump_json().encode(), b"", b'{"id": "half"}']
    (tmp_path / "decisions.jsonl").write_bytes(b"\n".join(lines))
    assert DirectoryProvider(tmp_path).pull("user", None, 10).decisions == (record,)


# What people do in the folder --------------------------------------------------------------------


def test_what_somebody_else_does_is_noticed(tmp_path: Path) -> None:
    """A file that is new, changed or gone comes with the next pull, and once."""
    DirectoryProvider(tmp_path).push(save("held.md"))
    (tmp_path / "project/changed.md").write_bytes(b"one")
    (tmp_path / "project/gone.html").write_bytes(b"<p>one</p>")
    assert _pulled(tmp_path).keys() == {"held.md", "changed.md", "gone.html"}
    cursor = _cursor(tmp_path)
    assert _pulled(tmp_path, cursor) == {}
    (tmp_path / "project/new.md").write_bytes(b"new")
    (tmp_path / "project/changed.md").write_bytes(b"two")
    (tmp_path / "project/gone.html").unlink()
    assert _pulled(tmp_path, cursor) == {"new.md": "new", "changed.md": "two", "gone.html": None}
    assert _pulled(tmp_path, _cursor(tmp_path)) == {}


def test_a_file_that_comes_back_is_noticed(tmp_path: Path) -> None:
    """Gone and back between two pulls, with the same text, is a change to who saw it go."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project/a.md").write_bytes(b"one")
    _cursor(tmp_path)
    (tmp_path / "project/a.md").unlink()
    cursor = _cursor(tmp_path)
    (tmp_path / "project/a.md").write_bytes(b"one")
    assert _pulled(tmp_path, cursor) == {"a.md": "one"}


def test_a_changed_file_is_what_it_is_now(tmp_path: Path) -> None:
    """What a write said of a note stands until another write; the text is the file's."""
    request = save()
    note = request.note.model_copy(update={"title": "A", "format": "memhtml"})
    DirectoryProvider(tmp_path).push(request.model_copy(update={"note": note}))
    (tmp_path / "project/a.md").write_bytes(b"edited")
    page = DirectoryProvider(tmp_path).pull("project", None, 10)
    assert [(found.text, found.format) for found in page.notes] == [("edited", "markdown")]


@pytest.mark.parametrize(
    ("slug", "kind"), [("a.md", "markdown"), ("b/c.HTML", "html"), ("d.markdown", "markdown")]
)
def test_the_format_of_a_file_is_that_of_its_name(tmp_path: Path, slug: str, kind: str) -> None:
    """Nobody said more of it."""
    path = tmp_path / "user" / slug
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x")
    (note,) = DirectoryProvider(tmp_path).pull("user", None, 10).notes
    assert note == Note(scope="user", slug=slug, format=kind, text="x")


def test_what_is_no_note_is_left_alone(tmp_path: Path) -> None:
    """Other files, links, hidden names, other encodings, huge files are not handed out."""
    project = tmp_path / "project"
    (project / "node_modules").mkdir(parents=True)
    (tmp_path / "outside.md").write_bytes(b"outside")
    (project / "link.md").symlink_to(tmp_path / "outside.md")
    (project / "folder-link").symlink_to(tmp_path)
    os.mkfifo(project / "pipe.md")
    (project / "latin.md").write_bytes(b"caf\xe9")
    (project / ".hidden.md").write_bytes(b"x")
    (project / "node_modules/x.md").write_bytes(b"x")
    (project / "image.png").write_bytes(b"x")
    (project / "a:b.md").write_bytes(b"x")
    with (project / "huge.md").open("wb") as stream:
        stream.truncate(MAX_NOTE_BYTES + 1)
    (project / os.fsdecode(b"\xff.md")).write_bytes(b"x")
    (project / "good.md").write_bytes(b"good")
    assert _pulled(tmp_path) == {"good.md": "good"}
    assert _pulled(tmp_path, _cursor(tmp_path)) == {}


@needs_root
def test_what_cannot_be_read_is_not_taken_for_gone(shared: Path) -> None:
    """A file or a folder without rights is what it was, and comes once it can be read."""
    project = shared / "project"
    (project / "inner").mkdir(parents=True)
    for name in ("a.md", "inner/b.md", "c.md"):
        (project / name).write_bytes(b"one")
    cursor = _cursor(shared)
    for path in (shared / ".memsleep-sync", *shared.glob(".memsleep-sync/*"), project):
        path.chmod(0o777)
    (project / "a.md").write_bytes(b"two")
    (project / "a.md").chmod(0)
    (project / "inner").chmod(0)
    (project / "c.md").unlink()
    said = as_nobody(lambda: json.dumps(_pulled(shared, cursor)))
    assert json.loads(said) == {"c.md": None}
    (project / "a.md").chmod(0o644)
    (project / "inner").chmod(0o755)
    assert _pulled(shared, cursor) == {"a.md": "two", "c.md": None}


def test_a_file_that_vanishes_between_the_look_and_the_answer_comes_again(tmp_path: Path) -> None:
    """A page that leaves a note out does not lose it: it comes when it can be read."""
    provider = DirectoryProvider(tmp_path)
    for number in range(4):
        provider.push(save(f"n{number}.md", client_id=f"c{number}"))
    (tmp_path / "project/n0.md").write_bytes(b"\xff not utf-8")
    first = provider.pull("project", None, 2)
    assert [note.slug for note in first.notes] == ["n1.md"]
    (tmp_path / "project/n0.md").write_bytes(b"A fact.\n")
    rest = _pulled(tmp_path, first.next_cursor)
    assert rest == {"n2.md": "A fact.\n", "n3.md": "A fact.\n", "n0.md": "A fact.\n"}


# The folder itself -------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [lambda p: p.push(save()), lambda p: p.pull("user", None, 1)])
def test_a_folder_that_is_not_there_is_trouble_that_may_pass(
    tmp_path: Path, call: Callable
) -> None:
    """A disk that is not in place is not a service without notes; nothing is made there."""
    provider = DirectoryProvider(tmp_path / "disk")
    assert not provider.reachable()
    with pytest.raises(TransientError, match="not there"):
        call(provider)
    assert not (tmp_path / "disk").exists()


def test_an_empty_place_where_the_disk_was_is_told(tmp_path: Path) -> None:
    """Who has pulled before does not take an empty folder for a service that forgot everything."""
    provider = DirectoryProvider(tmp_path)
    with pytest.raises(TransientError, match="log is gone"):
        provider.pull("project", "12.0123456789abcdef", 10)
    with pytest.raises(TransientError, match="log is gone"):
        provider.push(save())  # it would be acknowledged, and lie under the disk
    assert not (tmp_path / "project").exists()


def test_a_scope_that_is_gone_as_a_whole_is_told(tmp_path: Path) -> None:
    """A folder that cannot be listed has not lost its notes, until somebody makes it anew."""
    DirectoryProvider(tmp_path).push(save())
    (tmp_path / "project/a.md").unlink()
    (tmp_path / "project").rmdir()
    with pytest.raises(TransientError, match="make it anew"):
        _pulled(tmp_path)
    (tmp_path / "project").mkdir()
    assert _pulled(tmp_path) == {"a.md": None}


def test_a_log_that_was_begun_anew_starts_a_pull_anew(tmp_path: Path) -> None:
    """A number of another log is not a place in this one."""
    for root in (tmp_path / "one", tmp_path / "two"):
        root.mkdir()
        DirectoryProvider(root).push(save(text=root.name))
        DirectoryProvider(root).push(save("b.md", client_id="c2"))
    cursor = _cursor(tmp_path / "one")
    assert _pulled(tmp_path / "two", cursor).keys() == {"a.md", "b.md"}


@pytest.mark.parametrize("where", ["project", ".memsleep-sync", ".memsleep-sync/log.jsonl",
                                   ".memsleep-sync/lock", ".memsleep-sync/proposals",
                                   "project/sub"])  # fmt: skip
def test_no_link_is_followed(tmp_path: Path, where: str) -> None:
    """A link in the way of a write is trouble, and nothing is written behind it."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / where).parent.mkdir(parents=True)
    outside.mkdir()
    (root / where).symlink_to(outside / "log" if "." in Path(where).name[1:] else outside)
    requests = [save("sub/a.md"), save("b.md", mode="proposal", client_id="c2")]
    failed = 0
    for request in requests:
        try:
            DirectoryProvider(root).push(request)
        except (TransientError, PushRejected):
            failed += 1
    assert failed >= 1
    assert list(outside.iterdir()) == []


@needs_root
@pytest.mark.parametrize("exists", [False, True])
def test_missing_rights_are_trouble_that_may_pass(shared: Path, exists: bool) -> None:
    """A write is not retired because somebody set a mode."""
    (shared / "project").mkdir()
    (shared / ".memsleep-sync").mkdir()
    (shared / ".memsleep-sync").chmod(0o777)
    if exists:
        (shared / "project/a.md").write_bytes(b"x")

    def push() -> str:
        try:
            DirectoryProvider(shared).push(save())
        except TransientError as error:
            return str(error)
        return "taken"

    assert "does not let us write" in as_nobody(push)


def test_a_scope_that_is_a_link_is_trouble_that_may_pass(tmp_path: Path) -> None:
    """Nothing is read behind it, and no write is retired for it."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.md").write_bytes(b"outside")
    (tmp_path / "root").mkdir()
    (tmp_path / "root/project").symlink_to(tmp_path / "outside")
    provider = DirectoryProvider(tmp_path / "root")
    with pytest.raises(TransientError, match="symlink"):
        provider.pull("project", None, 10)
    with pytest.raises(TransientError, match="symlink"):
        provider.push(save())
    assert (tmp_path / "outside/a.md").read_bytes() == b"outside"


# Slugs -------------------------------------------------------------------------------------------

FIT = [
    "a.md", "a/b/c.html", "A.MD", "with blank #2.md", "100%25.md", "caf\u00e9.md",
    "cafe\u0301.md", "\u6771\u4eac/\U0001f99d.md", "con1.md", "console.md", "a.con.md", "lpt.md",
    "archive/2026/a.md", "x" * 240 + ".md", "a..b.md", "~a.md", "-rf.md", "$(x).md",
]  # fmt: skip
UNFIT = [
    "", "/", "/a.md", "a//b.md", "a/", "../a.md", "a/../../b.md", "a/..", "./a.md", "..", ".",
    "\0.md", "a\0.md", "a\n.md", "a\\b.md", "..\\a.md", "C:\\a.md", "C:a.md", "a:b.md",
    "a?.md", "a*.md", 'a".md', "a<b.md", "a|b.md", "CON.md", "con .md", "a/NUL.md", "aux.html",
    "Com1.md", "lpt\u00b9.md", "CONIN$.md", "a /b.md", "a./b.md", " a.md", "a.md ", "a.md.",
    ".hidden.md", ".git/a.md", "a/.memsleep/b.md", ".memsleep-sync/log.md", "a", "a.txt",
    "a.md/b", "md", "\udc80.md", "node_modules/a.md", "x" * 260 + ".md",
    "/".join(["x" * 200] * 22) + ".md", "a\x7f.md",
]  # fmt: skip


@pytest.mark.parametrize("slug", FIT)
def test_a_slug_that_every_system_holds_is_taken(tmp_path: Path, slug: str) -> None:
    """It comes back as it was given."""
    assert unfit(slug) == ""
    DirectoryProvider(tmp_path).push(save(slug))
    assert _pulled(tmp_path).keys() == {slug}


@pytest.mark.parametrize("slug", UNFIT)
def test_a_slug_that_is_no_file_is_refused(tmp_path: Path, slug: str) -> None:
    """For good, for every kind of write, and without a trace."""
    assert unfit(slug)
    note = Note.model_construct(scope="project", slug=slug, text="x")
    for kind, held in (("save", note), ("forget", None)):
        for mode in ("direct", "proposal"):
            request = WriteRequest.model_construct(
                kind=kind, client_id="c1", scope="project", slug=slug, write_mode=mode, note=held,
                reason="r",
            )  # fmt: skip
            with pytest.raises(PushRejected):
                DirectoryProvider(tmp_path).push(request)
    assert list(tmp_path.iterdir()) == []


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).map(lambda t: t + ".md"))
def test_what_is_fit_stays_below_its_folder(slug: str) -> None:
    """No slug that passes leads anywhere else."""
    if not unfit(slug):
        assert os.path.normpath("/place/" + slug) == "/place/" + slug
        assert not any(part.startswith(".") for part in slug.split("/"))


@pytest.mark.parametrize(
    ("there", "slug"),
    [("a.md", "A.md"), ("sub/a.md", "SUB/b.md"), ("caf\u00e9.md", "cafe\u0301.md"),
     ("stra\u00dfe.md", "STRASSE.md")],
)  # fmt: skip
def test_names_that_are_one_elsewhere_are_refused(tmp_path: Path, there: str, slug: str) -> None:
    """Two notes that are one file on another system would overwrite each other there."""
    provider = DirectoryProvider(tmp_path)
    provider.push(save(there))
    for mode in ("direct", "proposal"):
        with pytest.raises(PushRejected, match="case or form"):
            provider.push(save(slug, client_id="c5", mode=mode))
    assert _pulled(tmp_path).keys() == {there}
    assert provider.push(forget(slug, client_id="c6")).status == "applied"
    assert _pulled(tmp_path) == {there: "A fact.\n"}


@pytest.mark.parametrize("client_id", ["", "a/b", "..", "a.b", "a\n", "\u00e9", "x" * 129])
def test_a_client_id_that_is_no_name_is_refused(tmp_path: Path, client_id: str) -> None:
    """It is the name of files."""
    request = save().model_copy(update={"client_id": client_id})
    with pytest.raises(PushRejected, match="client id"):
        DirectoryProvider(tmp_path).push(request)


def test_what_is_in_the_way_of_a_note_is_refused(tmp_path: Path) -> None:
    """A folder where the file would be, a file where a folder would be."""
    (tmp_path / "project/a.md").mkdir(parents=True)
    (tmp_path / "project/b.md").write_bytes(b"x")
    for slug in ("a.md", "b.md/c.md"):
        with pytest.raises(PushRejected):
            DirectoryProvider(tmp_path).push(save(slug))
    with pytest.raises(PushRejected):
        DirectoryProvider(tmp_path).push(forget("a.md"))


def test_a_note_that_is_too_large_is_refused(tmp_path: Path) -> None:
    """The limit is the last size that passes."""
    provider = DirectoryProvider(tmp_path)
    provider.push(save(text="x" * MAX_NOTE_BYTES))
    with pytest.raises(PushRejected, match="larger"):
        provider.push(save(text="x" * (MAX_NOTE_BYTES - 1) + "\u00e9", client_id="c2"))


# The log -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tail",
    [b"", b'{"seq": 9', b"garbage", b"garbage\n", b"\n\n", b'{"seq":99}\n', b"\xff\xfe\n", b"[]\n"],
)
def test_a_torn_or_foreign_line_acknowledges_nothing(tmp_path: Path, tail: bytes) -> None:
    """What a crash left of a line is passed over, and the next line is a line of its own."""
    DirectoryProvider(tmp_path).push(save())
    with (tmp_path / LOG).open("ab") as stream:
        stream.write(tail)
    before = (tmp_path / LOG).read_bytes()
    provider = DirectoryProvider(tmp_path)
    provider.push(save(text="other"))  # the same client id: nothing happens
    provider.push(save("b.md", client_id="c2"))
    assert (tmp_path / LOG).read_bytes().startswith(before)
    assert _pulled(tmp_path) == {"a.md": "A fact.\n", "b.md": "A fact.\n"}
    assert DirectoryProvider(tmp_path).push(save("b.md", "third", client_id="c2")).id == "c2"
    assert _pulled(tmp_path)["b.md"] == "A fact.\n"


def test_a_provider_that_is_kept_sees_what_others_wrote(tmp_path: Path) -> None:
    """Its view of the log is brought up to date before each call, or read anew."""
    one, other = DirectoryProvider(tmp_path), DirectoryProvider(tmp_path)
    one.push(save())
    assert other.push(save(text="x")).id == "c1"
    assert [note.text for note in other.pull("project", None, 9).notes] == ["A fact.\n"]


@pytest.mark.parametrize("how", ["replaced", "overwritten"])
def test_a_log_of_another_history_is_read_anew(tmp_path: Path, how: str) -> None:
    """A backup that is put back, or another disk, is seen under a provider that is kept."""
    here, there = tmp_path / "here", tmp_path / "there"
    for root, name in ((here, "c1"), (there, "c2")):
        root.mkdir()
        DirectoryProvider(root).push(save(f"{name}.md", client_id=name))
    kept = DirectoryProvider(here)
    assert kept.push(save("c1.md", client_id="c1")).id == "c1"
    if how == "replaced":
        (there / LOG).replace(here / LOG)
    else:
        (here / LOG).write_bytes((there / LOG).read_bytes())
    kept.push(save("c2.md", "not taken twice", client_id="c2"))
    assert not (here / "project/c2.md").exists()


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    """Four processes, one folder: each write is there, and one client id is one write."""
    children = []
    for worker in range(4):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                provider = DirectoryProvider(tmp_path)
                for number in range(8):
                    provider.push(save(f"w{worker}-{number}.md", client_id=f"w{worker}-{number}"))
                    provider.push(save("one.md", str(worker), client_id=f"shared-{number}"))
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    lines = [json.loads(line) for line in (tmp_path / LOG).read_bytes().splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, 41))
    assert len({line["client_id"] for line in lines}) == 40
    assert len(_pulled(tmp_path)) == 33


# Killed at any step ------------------------------------------------------------------------------

STEPS = (
    "link",
    "open",
    "write",
    "fsync",
    "mkdir",
    "unlink",
    "rename",
    "replace",
    "lseek",
    "ftruncate",
)


def _killed_at(step: int, action: Callable[[], object]) -> bool:
    """Do something in a child that is killed at its n-th system call; False when it ended before.

    A killed write has written half.
    """
    child = os.fork()
    if child == 0:
        try:
            _arm(step)
            action()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def _arm(step: int) -> None:
    left = [step]

    def counted(real: Callable, *, is_write: bool = False) -> Callable:
        def call(*args: object, **named: object) -> object:
            left[0] -= 1
            if left[0] == 0:
                if is_write:
                    real(args[0], args[1][: len(args[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **named)

        return call

    for name in STEPS:
        setattr(os, name, counted(getattr(os, name), is_write=name == "write"))
    if renames._CALL is not None:
        renames._CALL = counted(renames._CALL)


CRASHES = {
    "a new note": save("new/n.md", "new", client_id="x1"),
    "a changed note": save("a.md", "new", client_id="x1"),
    "the same note": save("a.md", "old", client_id="x1"),
    "a forget": forget("a.md", client_id="x1"),
    "a forget of nothing": forget("n.md", client_id="x1"),
    "a proposal": save("a.md", "new", client_id="x1", mode="proposal"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize(
    ("name", "emulated"), [*((name, False) for name in CRASHES), ("a changed note", True)]
)
def test_killed_at_any_step_a_write_is_whole_when_it_comes_again(
    tmp_path: Path, name: str, emulated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In between the note is the old or the new one; after the second try all is as after one.

    Emulated: where the system cannot exchange two names in one call.
    """
    if emulated:
        monkeypatch.setattr(renames, "_CALL", None)
    request = CRASHES[name]

    (tmp_path / "made").mkdir()
    DirectoryProvider(tmp_path / "made").push(save("a.md", "old"))

    def prepared(root: Path) -> Path:
        return Path(shutil.copytree(tmp_path / "made", root))

    whole = prepared(tmp_path / "whole")
    result = DirectoryProvider(whole).push(request)
    expected = _pulled(whole)
    step, old = 0, {"a.md": "old"}
    while True:
        step += 1
        root = prepared(tmp_path / str(step))
        killed = _killed_at(step, lambda root=root: DirectoryProvider(root).push(request))
        assert _pulled(root) in (old, expected), step
        assert DirectoryProvider(root).push(request) == result
        assert _pulled(root) == expected
        assert DirectoryProvider(root).push(save("later.md", client_id="x2")).id == "x2"
        leftovers = [path for path in (root / "project").rglob(".*") if path.is_file()]
        assert leftovers == [], step
        if not killed:
            break
    assert step > 5
