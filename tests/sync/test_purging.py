"""A memory that is purged is purged from what waits, and the provider is asked to forget it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.landing.place import Place
from memsleep.sync.inbox import Inbox
from memsleep.sync.join import FOLDER, outbox_of
from memsleep.sync.locking import SyncHeldError, one_sync
from memsleep.sync.purging import purge_copies
from memsleep.sync.records import Mirror, Standing
from sync_kit import NOW, forget, note, records, save


def _place(root: Path, *, provider: str = "memory") -> Place:
    """A corpus whose sync holds `a.md` in every way, beside `b.md`."""
    place = Place(root, root / ".memsleep")
    folder = place.folder / FOLDER
    folder.mkdir(parents=True)
    held, box = records(folder), outbox_of(place)
    held.put(Standing(provider=provider, cursor={"project": "7"}))
    held.put_mirror(Mirror(known={"project": {"a.md": "1" * 64, "b.md": "2" * 64}}))
    box.enqueue(save("a1", "a.md"), now=NOW)
    box.enqueue(save("b1", "b.md"), now=NOW)
    box.enqueue(save("a2", "a.md"), now=NOW)
    box.reject("a2", "not here")
    Inbox(folder / "inbox").add([note("a.md", "fetched"), note("b.md", "fetched too")])
    return place


def _waiting(place: Place) -> list[tuple[str, str, str]]:
    return [(q.entry.kind, q.entry.slug, q.entry.scope) for q in outbox_of(place).entries()]


def test_its_copies_go_and_those_of_others_stay(tmp_path: Path) -> None:
    """Queued and refused saves, fetched notes, the digest; and one forget is queued."""
    place = _place(tmp_path)
    assert purge_copies(place, {"a.md"}, NOW) == 1
    assert _waiting(place) == [("save", "b.md", "project"), ("forget", "a.md", "project")]
    folder = place.folder / FOLDER
    assert [n.slug for n in Inbox(folder / "inbox").notes().values()] == ["b.md"]
    assert records(folder).mirror().known == {"project": {"b.md": "2" * 64}}
    assert records(folder).standing().cursor == {"project": "7"}


def test_where_the_mirror_does_not_know_it_both_scopes_are_asked(tmp_path: Path) -> None:
    """To forget what is not there is done already."""
    place = _place(tmp_path)
    assert purge_copies(place, {"c.md"}, NOW) == 2
    assert _waiting(place)[-2:] == [("forget", "c.md", "project"), ("forget", "c.md", "user")]


def test_nobody_is_asked_where_there_is_no_provider(tmp_path: Path) -> None:
    """What waits goes all the same; without a sync nothing is made."""
    place = _place(tmp_path / "one", provider="")
    assert purge_copies(place, {"a.md"}, NOW) == 0
    assert _waiting(place) == [("save", "b.md", "project")]
    assert purge_copies(Place(tmp_path, tmp_path / "none"), {"a.md"}, NOW) == 0
    assert not (tmp_path / "none").exists()


def test_a_forget_that_waits_already_stays(tmp_path: Path) -> None:
    """It holds nothing of the memory but its name."""
    place = _place(tmp_path)
    outbox_of(place).enqueue(forget("f1", "a.md"), now=NOW)
    purge_copies(place, {"a.md"}, NOW)
    assert [kind for kind, slug, _ in _waiting(place) if slug == "a.md"] == ["forget", "forget"]


def test_a_sync_under_way_is_not_disturbed(tmp_path: Path) -> None:
    """It would deliver what is being purged."""
    place = _place(tmp_path)
    with one_sync(place.folder / FOLDER), pytest.raises(SyncHeldError):
        purge_copies(place, {"a.md"}, NOW)
    assert len(_waiting(place)) == 3
