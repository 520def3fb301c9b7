from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memsleep.errors import MemsleepError
from memsleep.sync.entries import Entry
from memsleep.sync.outbox import MAX_NOTE_BYTES, MAX_REASON, Outbox
from sync_kit import NOW, forget, note, outbox, save


def names(box: Outbox) -> list[str]:
    return sorted(p.name for p in box.path.iterdir())


def test_a_file_is_named_by_sequence_and_client_id(tmp_path: Path) -> None:
    """The name is eight digits, a hyphen, the client id; nothing else lies in the folder."""
    box = outbox(tmp_path)
    box.enqueue(save("c_1-X"), now=NOW)
    box.enqueue(forget("f-2"), now=NOW)

    assert names(box) == ["00000001-c_1-X.json", "00000002-f-2.json"]


def test_what_is_taken_is_what_is_read(tmp_path: Path) -> None:
    """Every character of a request comes back."""
    asked = save("c", note=note(text="\ufeffa\r\nb\u2028c\rd"), reason="merged \u00e4")
    box = outbox(tmp_path)
    box.enqueue(asked, now=NOW)

    assert [found.entry.request for found in Outbox(box.path).entries()] == [asked]


def test_a_missing_client_id_is_minted(tmp_path: Path) -> None:
    """A request without an id gets one, also in its file's name."""
    box = outbox(tmp_path)
    values: dict[str, Any] = save().model_dump() | {"note": note()}
    del values["client_id"]
    box.enqueue(now=NOW, **values)

    assert names(box) == ["00000001-minted-1.json"]
    assert box.entries()[0].entry.client_id == "minted-1"


def test_a_minted_id_is_no_other_one(tmp_path: Path) -> None:
    """Without a mint of ours, ids are random and of the allowed letters."""
    box = Outbox(tmp_path / "outbox")
    values: dict[str, Any] = {k: v for k, v in forget().model_dump().items() if k != "client_id"}
    first, second = box.enqueue(now=NOW, **values), box.enqueue(now=NOW, **values)

    assert first.entry.client_id != second.entry.client_id
    assert len(box.entries()) == 2


def test_one_client_id_is_one_entry(tmp_path: Path) -> None:
    """Who enqueues again after a crash finds the entry there, in any state."""
    box = outbox(tmp_path)
    first = box.enqueue(save("c"), now=NOW)
    box.reject("c", "no")

    again = box.enqueue(save("c"), now="2026-12-01T00:00:00Z")

    assert again.sequence == first.sequence
    assert again.entry.state == "rejected"
    assert len(box.entries()) == 1


def test_the_sequence_counts_from_the_highest_in_the_folder(tmp_path: Path) -> None:
    """Gaps are not filled, and what is no entry, refused or a link counts as well."""
    box = outbox(tmp_path)
    for number in range(3):
        box.enqueue(forget(f"f{number}"), now=NOW)
    box.acknowledge("f1")
    (box.path / "00000041-torn.json").write_bytes(b"{")
    assert box.enqueue(forget("next"), now=NOW).sequence == 42
    (box.path / "00000050-link.json").symlink_to("nowhere")
    assert box.enqueue(forget("after"), now=NOW).sequence == 51
    box.acknowledge("after")
    box.reject("next", "no")
    (box.path / "00000050-link.json").unlink()
    assert box.enqueue(forget("last"), now=NOW).sequence == 43


def test_entries_come_in_order_of_sequence_then_client_id(tmp_path: Path) -> None:
    """Numbers are compared as numbers, and equal ones by client id."""
    box = outbox(tmp_path)
    for number in range(11):
        box.enqueue(forget(f"f{10 - number}"), now=NOW)
    copy = box.path / "00000003-f8.json"
    other = json.loads(copy.read_bytes()) | {"client_id": "a"}
    (box.path / "00000003-a.json").write_bytes(json.dumps(other).encode())

    found = [(q.sequence, q.entry.client_id) for q in box.entries()]

    assert found == sorted(found)
    assert found[2:4] == [(3, "a"), (3, "f8")]


TORN = [
    pytest.param(b"", id="empty"),
    pytest.param(b"{", id="torn"),
    pytest.param(b"[]", id="another document"),
    pytest.param(b"{}", id="without values"),
    pytest.param(b"\xff\xfe", id="no text"),
    pytest.param(None, id="a half of an entry"),
]


@pytest.mark.parametrize("content", TORN)
def test_a_torn_file_is_named_and_never_dropped(tmp_path: Path, content: bytes | None) -> None:
    """What has an entry's name and not its content is kept as it is and told."""
    box = outbox(tmp_path)
    box.enqueue(save("good"), now=NOW)
    whole = (box.path / "00000001-good.json").read_bytes()
    torn = whole[: len(whole) // 2] if content is None else content
    (box.path / "00000002-torn.json").write_bytes(torn)

    assert box.invalid() == ("00000002-torn.json",)
    assert [q.entry.client_id for q in box.entries()] == ["good"]
    box.acknowledge("good")
    box.enqueue(forget("next"), now=NOW)
    assert (box.path / "00000002-torn.json").read_bytes() == torn


@pytest.mark.parametrize(
    "change",
    [
        {"client_id": "other"},
        {"schema_version": 2},
        {"newer": True},
        {"state": "done"},
        {"kind": "forget"},
        {"scope": "team"},
        {"reason": 1},
    ],
)
def test_what_a_newer_version_or_another_wrote_is_no_entry(
    tmp_path: Path, change: dict[str, object]
) -> None:
    """A file that we would not write back as it was is named, not delivered."""
    box = outbox(tmp_path)
    box.enqueue(save("good"), now=NOW)
    path = box.path / "00000001-good.json"
    path.write_bytes(json.dumps(json.loads(path.read_bytes()) | change).encode())

    assert box.invalid() == ("00000001-good.json",)
    assert box.entries() == ()


@pytest.mark.parametrize(
    "name",
    [
        "1-a.json", "000000001-a.json", "00000001-.json", "00000001-a.b.json", "00000001-a.json~",
        "00000001-a.json\n", "x00000001-a.json", "notes.txt", "00000001-\u00e4.json",
        "\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661-a.json",
    ],
)  # fmt: skip
def test_other_names_are_left_alone(tmp_path: Path, name: str) -> None:
    """A file of another name is neither an entry nor told, and stays."""
    box = outbox(tmp_path)
    box.enqueue(save("good"), now=NOW)
    whole = (box.path / "00000001-good.json").read_bytes()
    (box.path / name).write_bytes(whole)

    assert len(box.entries()) == 1
    assert box.invalid() == ()
    assert box.enqueue(forget("next"), now=NOW).sequence == 2
    assert (box.path / name).read_bytes() == whole


@pytest.mark.parametrize("target", ["entry", "outside", "nowhere", "itself", "folder"])
def test_links_are_never_followed(tmp_path: Path, target: str) -> None:
    """A link of an entry's name is told, wherever it leads, and what it leads to is not touched."""
    box = outbox(tmp_path)
    box.enqueue(save("good"), now=NOW)
    outside = tmp_path / "outside.json"
    whole = (box.path / "00000001-good.json").read_bytes().replace(b'"good"', b'"link"')
    outside.write_bytes(whole)
    (box.path / "real").write_bytes(whole)
    places = {
        "entry": "real",
        "outside": str(outside),
        "nowhere": "gone",
        "itself": "00000002-link.json",
        "folder": ".",
    }
    (box.path / "00000002-link.json").symlink_to(places[target])

    assert box.invalid() == ("00000002-link.json",)
    assert [q.entry.client_id for q in box.entries()] == ["good"]
    with pytest.raises(MemsleepError, match="no entry of the outbox"):
        box.reject("link", "no")
    assert outside.read_bytes() == whole


def test_a_folder_or_a_pipe_is_no_entry(tmp_path: Path) -> None:
    """What cannot be read as a file is told and keeps nobody waiting."""
    box = outbox(tmp_path)
    box.enqueue(save("good"), now=NOW)
    (box.path / "00000002-a.json").mkdir()
    os.mkfifo(box.path / "00000003-b.json")

    assert box.invalid() == ("00000002-a.json", "00000003-b.json")


def test_an_outbox_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """Nothing is written through a link that stands where the folder should."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "outbox").symlink_to("elsewhere")

    with pytest.raises(MemsleepError, match="found a link"):
        outbox(tmp_path).enqueue(save(), now=NOW)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_link_where_the_temporary_file_goes_is_replaced(tmp_path: Path) -> None:
    """Nobody is led outside by a name that is laid in our way."""
    box = outbox(tmp_path)
    box.path.mkdir()
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    (box.path / ".00000001-c1.json.part").symlink_to(outside)
    box.enqueue(save(), now=NOW)

    assert outside.read_bytes() == b"mine"
    assert names(box) == ["00000001-c1.json"]


def test_a_dead_writers_temporary_file_goes(tmp_path: Path) -> None:
    """What a killed process left half written is cleared by the next one, and only that."""
    box = outbox(tmp_path)
    box.path.mkdir()
    (box.path / ".00000007-dead.json.part").write_bytes(b"{")
    (box.path / ".mine.part").write_bytes(b"x")

    assert box.enqueue(save(), now=NOW).sequence == 1
    assert names(box) == [".mine.part", "00000001-c1.json"]


def test_reading_makes_nothing(tmp_path: Path) -> None:
    """Whoever only looks leaves no folder behind."""
    box = outbox(tmp_path)

    assert (box.entries(), box.invalid(), box.held_keys()) == ((), (), frozenset())
    with pytest.raises(MemsleepError):
        box.requeue("c")
    assert list(tmp_path.iterdir()) == []


def test_a_refused_entry_keeps_both_reasons_through_a_second_refusal(tmp_path: Path) -> None:
    """The refusal is the reason, the request's own survives every refusal."""
    box = outbox(tmp_path)
    box.enqueue(save("c", reason="merged by the night"), now=NOW)

    first = box.reject("c", "too long").entry
    again = box.requeue("c").entry
    second = box.reject("c", "still\ntoo long").entry
    third = box.reject("c", "really").entry

    assert (first.state, first.reason) == ("rejected", "too long")
    assert again.state == "queued"
    assert (second.state, second.reason) == ("rejected", "still too long")
    assert third.reason == "really"
    asked = {e.request_reason for e in (first, again, second, third)}
    assert asked == {"merged by the night"}
    assert {e.request.reason for e in (first, again, second, third)} == {"merged by the night"}
    assert [q.entry for q in Outbox(box.path).entries()] == [third]


def test_a_refusal_without_words_has_a_reason_all_the_same(tmp_path: Path) -> None:
    """An entry never loses its reason to an empty refusal."""
    box = outbox(tmp_path)
    box.enqueue(save("c"), now=NOW)

    assert box.reject("c", " \n\x1b ").entry.reason == "no reason was given"


LIMITS = [
    ({"reason": ""}, "1 to 500"),
    ({"reason": "x" * (MAX_REASON + 1)}, "1 to 500"),
    ({"reason": "one\ntwo"}, "1 to 500"),
    ({"reason": "one\u2028two"}, "1 to 500"),
    ({"reason": "one\rtwo"}, "1 to 500"),
    ({"client_id": "c" * 129}, "client id"),
    ({"slug": "s" * 1001, "note": note("s" * 1001)}, "slug"),
    ({"note": note(text="\u00e4" * (MAX_NOTE_BYTES // 2 + 1))}, "bytes"),
]


@pytest.mark.parametrize(("changes", "told"), LIMITS)
def test_limits_hold_where_an_entry_is_taken(
    tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    """What is over a limit is not taken, and nothing is written."""
    box = outbox(tmp_path)
    with pytest.raises(MemsleepError, match=told) as caught:
        box.enqueue(save(**changes), now=NOW)

    assert caught.value.exit_code == 2
    assert not box.path.exists()


@pytest.mark.parametrize("reason", ["x", "x" * MAX_REASON, "tab\there", "\u4e2d" * MAX_REASON])
def test_limits_let_pass_what_is_within_them(tmp_path: Path, reason: str) -> None:
    """The edges of a limit are inside it; characters count, not bytes."""
    assert outbox(tmp_path).enqueue(save(reason=reason), now=NOW).entry.reason == reason


@pytest.mark.parametrize(("changes", "_told"), [row for row in LIMITS if "client_id" not in row[0]])
def test_limits_are_not_asked_where_an_entry_is_read(
    tmp_path: Path, changes: dict[str, object], _told: str
) -> None:
    """An entry of older days, over today's limits, is still an entry and still delivered."""
    box = outbox(tmp_path)
    box.path.mkdir()
    values = {name: getattr(save("old", **changes), name) for name in type(save()).model_fields}
    entry = Entry(**values, taken_at=NOW)
    (box.path / "00000001-old.json").write_bytes(entry.model_dump_json().encode())

    assert [q.entry for q in box.entries()] == [entry]
    assert box.invalid() == ()
    assert box.reject("old", "no").entry.request.reason == entry.reason


@pytest.mark.parametrize("missing", ["kind", "scope", "slug", "note", "reason", "write_mode"])
def test_a_request_that_is_not_whole_is_not_taken(tmp_path: Path, missing: str) -> None:
    """What is missing is named, and the text of the memory is not."""
    values = save().model_dump() | {"note": note(text="a private thing")}
    del values[missing]
    with pytest.raises(MemsleepError) as caught:
        outbox(tmp_path).enqueue(now=NOW, **values)

    told = "\n".join(caught.value.lines())
    assert missing in told
    assert "private" not in told
    assert caught.value.__cause__ is None


def test_held_keys_are_those_of_queued_entries(tmp_path: Path) -> None:
    """A refused entry holds nothing back; kinds and scopes are told apart."""
    box = outbox(tmp_path)
    box.enqueue(save("s", "a.md"), now=NOW)
    box.enqueue(forget("f", "b.md"), now=NOW)
    box.enqueue(save("u", "a.md", scope="user"), now=NOW)
    box.enqueue(save("r", "c.md"), now=NOW)
    box.reject("r", "no")

    assert box.held_keys("save") == {("project", "a.md"), ("user", "a.md")}
    assert box.held_keys("forget") == {("project", "b.md")}
    assert box.held_keys() == {("project", "a.md"), ("user", "a.md"), ("project", "b.md")}


def test_drop_and_acknowledge_remove_one_entry(tmp_path: Path) -> None:
    """What is given up must be there; what is acknowledged may be gone already."""
    box = outbox(tmp_path)
    for name in ("a", "b", "c"):
        box.enqueue(forget(name), now=NOW)
    box.drop("b")
    box.acknowledge("a")
    box.acknowledge("a")

    assert names(box) == ["00000003-c.json"]
    with pytest.raises(MemsleepError, match="no entry"):
        box.drop("b")


def test_numbers_that_are_spent_refuse(tmp_path: Path) -> None:
    """The ninth digit never comes: that is an error which says so."""
    box = outbox(tmp_path)
    box.path.mkdir()
    (box.path / "99999999-x.json").write_bytes(b"")
    with pytest.raises(MemsleepError, match="numbers of the outbox are spent"):
        box.enqueue(save(), now=NOW)


_WRITER = """
import sys
from pathlib import Path
from memsleep.sync.outbox import Outbox
from sync_kit import NOW, forget
box = Outbox(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    box.enqueue(forget(f"{sys.argv[2]}-{number}", f"{number}.md"), now=NOW)
"""


def test_processes_that_enqueue_at_once_take_numbers_apart(tmp_path: Path) -> None:
    """Every process keeps its order, no number is given twice, and nothing is lost."""
    box = Outbox(tmp_path / "outbox")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _WRITER, str(box.path)]
    running = [
        subprocess.Popen([*command, f"p{number}", "25"], env=environment) for number in range(4)
    ]
    assert [process.wait(60) for process in running] == [0] * 4

    found = box.entries()
    assert sorted(q.sequence for q in found) == list(range(1, 101))
    for number in range(4):
        own = [q.entry.client_id for q in found if q.entry.client_id.startswith(f"p{number}-")]
        assert own == [f"p{number}-{turn}" for turn in range(25)]
    assert box.invalid() == ()
