from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.sync.protocol import DecisionRecord, PendingForget
from memsleep.sync.records import DECISIONS, FORGETS, MIRROR, SYNC, Mirror, Standing
from sync_kit import NOW, records


def decision(name: str = "d1", when: str = NOW, what: str = "tea") -> DecisionRecord:
    return DecisionRecord(
        id=name, subject="user", predicate="drinks", object=what, updated_at=when, status="active"
    )


def pending(client_id: str = "f1", slug: str = "a.md") -> PendingForget:
    return PendingForget(client_id=client_id, scope="project", slug=slug, reason="old")


def test_missing_files_are_empty_records_and_make_nothing(tmp_path: Path) -> None:
    """Whoever reads leaves no file and no folder behind, and is not warned."""
    warnings: list[str] = []
    kept = records(tmp_path / "sync", warnings)

    assert kept.decisions() == {}
    assert kept.forgets() == ()
    assert kept.standing() == Standing()
    assert kept.mirror() == Mirror()
    assert kept.add_decisions([]) == 0
    kept.end_forgets(client_id="f1")
    assert list(tmp_path.iterdir()) == []
    assert warnings == []


def test_records_come_back(tmp_path: Path) -> None:
    """What is written is what is read."""
    kept = records(tmp_path / "sync")
    kept.add_decisions([decision("b", what="a\u2028b"), decision("a")])
    kept.add_forget(pending())
    kept.put(Standing(provider="p", cursor={"user": "7"}, last_pull_at=NOW, last_error="x"))
    kept.put_mirror(Mirror(known={"project": {"a.md": "0"}}))

    again = records(tmp_path / "sync")
    assert list(again.decisions().values()) == [decision("a"), decision("b", what="a\u2028b")]
    assert again.forgets() == (pending(),)
    assert again.standing().cursor == {"user": "7"}
    assert again.mirror().known == {"project": {"a.md": "0"}}


@pytest.mark.parametrize(
    "bad", [b"{", b"[]", b'{"id": "x"}', b"\xff", b'"text"', b'{"id": 1, "subject": "s"}']
)
def test_a_bad_line_is_passed_over_with_its_number(tmp_path: Path, bad: bytes) -> None:
    """One warning names it; the lines around it still count, and it is kept when we write."""
    warnings: list[str] = []
    kept = records(tmp_path, warnings)
    good = [decision(name).model_dump_json().encode() for name in ("a", "b")]
    (tmp_path / DECISIONS).write_bytes(b"\n".join([good[0], bad, b"", good[1]]))

    assert list(kept.decisions()) == ["a", "b"]
    assert warnings == [f"{DECISIONS}:2: it is no record and was passed over"]
    kept.add_decisions([decision("c")])
    assert bad in (tmp_path / DECISIONS).read_bytes().split(b"\n")
    assert list(kept.decisions()) == ["a", "b", "c"]


def test_each_bad_line_is_told_once(tmp_path: Path) -> None:
    """Two bad lines are two warnings, however many good ones stand between."""
    warnings: list[str] = []
    lines = [b"{", pending().model_dump_json().encode(), b"}"]
    (tmp_path / FORGETS).write_bytes(b"\r\n".join(lines))

    assert len(records(tmp_path, warnings).forgets()) == 1
    assert [w.split(": ")[0] for w in warnings] == [f"{FORGETS}:1", f"{FORGETS}:3"]


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"cursor": 3}', b"\xff"])
@pytest.mark.parametrize("name", [SYNC, MIRROR])
def test_a_record_that_is_none_is_empty_and_told(tmp_path: Path, name: str, content: bytes) -> None:
    """A file that cannot be understood stops nobody."""
    if name == MIRROR and b"cursor" in content:
        content = b'{"known": 3}'
    warnings: list[str] = []
    (tmp_path / name).write_bytes(content)
    kept = records(tmp_path, warnings)

    assert (kept.standing(), kept.mirror()) == (Standing(), Mirror())
    assert len(warnings) == 1
    assert warnings[0].startswith(name)


@pytest.mark.parametrize("name", [DECISIONS, FORGETS, SYNC, MIRROR])
def test_a_link_is_not_followed(tmp_path: Path, name: str) -> None:
    """A record that is a link is told, read as empty, and what it leads to stays."""
    outside = tmp_path / "outside"
    outside.write_bytes(decision().model_dump_json().encode())
    (tmp_path / "sync").mkdir()
    (tmp_path / "sync" / name).symlink_to(outside)
    warnings: list[str] = []
    kept = records(tmp_path / "sync", warnings)
    kept.decisions(), kept.forgets(), kept.standing(), kept.mirror()
    kept.add_decisions([decision("n")])
    kept.add_forget(pending())
    kept.put(Standing())
    kept.put_mirror(Mirror())

    assert any(w.startswith(name) for w in warnings)
    assert outside.read_bytes() == decision().model_dump_json().encode()


@pytest.mark.parametrize(
    ("old", "new", "stands", "count"),
    [
        ("2026-01-01", "2026-01-02", "new", 1),
        ("2026-01-02", "2026-01-01", "old", 0),
        ("2026-01-01", "2026-01-01", "new", 1),
    ],
)
def test_the_newest_decision_of_an_id_stands(
    tmp_path: Path, old: str, new: str, stands: str, count: int
) -> None:
    """An older one never takes the place of a newer; the provider's word wins a tie."""
    kept = records(tmp_path)
    kept.add_decisions([decision("d", old, "old")])

    assert kept.add_decisions([decision("d", new, "new")]) == count
    assert kept.decisions()["d"].object == stands


def test_the_same_decision_again_writes_nothing(tmp_path: Path) -> None:
    """A page that is pulled twice changes nothing the second time."""
    kept = records(tmp_path)
    kept.add_decisions([decision()])
    before = (tmp_path / DECISIONS).stat()

    assert kept.add_decisions([decision()]) == 0
    assert (tmp_path / DECISIONS).stat() == before


def test_forgets_end_by_id_or_by_memory(tmp_path: Path) -> None:
    """Only the meant ones end."""
    kept = records(tmp_path)
    for name, slug in (("f1", "a.md"), ("f2", "b.md"), ("f3", "b.md"), ("f4", "c.md")):
        kept.add_forget(pending(name, slug))
    kept.add_forget(pending("f1", "a.md"))
    kept.end_forgets(client_id="f4")
    assert [f.client_id for f in kept.forgets()] == ["f2", "f3", "f1"]
    kept.end_forgets(key=("user", "b.md"))
    kept.end_forgets(key=("project", "b.md"))

    assert [f.client_id for f in kept.forgets()] == ["f1"]


def test_what_is_agreed_on_is_added_changed_and_taken_out(tmp_path: Path) -> None:
    """The rest of the mirror's record stays, and nothing new writes nothing."""
    kept = records(tmp_path)
    kept.agree({("project", "b.md"): "1", ("project", "a.md"): "2", ("user", "a.md"): "3"})
    kept.agree({("project", "a.md"): "4", ("user", "a.md"): "", ("user", "never.md"): ""})
    before = (tmp_path / MIRROR).stat()
    kept.agree({("project", "a.md"): "4", ("user", "a.md"): ""})

    assert kept.mirror().known == {"project": {"a.md": "4", "b.md": "1"}, "user": {}}
    assert (tmp_path / MIRROR).stat() == before
