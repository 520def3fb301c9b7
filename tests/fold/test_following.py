"""Links follow what moves: to the right file, among others of the same name, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from corpus_kit import write
from memsleep.night import NightResult
from night_kit import git_apply, request_for, run_night
from truth_kit import lost_links, lost_texts, unlike_on_disk

TEXT = "The pump of the greenhouse was repaired by Anna Keller in spring and needs oil twice.\n"
OLD = f"---\ncreated: 2026-01-01\n---\n\n{TEXT}"
NEW = f"---\ncreated: 2026-01-02\n---\n\n{TEXT}"
EXPIRED = "---\nvalid_until: 2026-02-01\nimportance: 1\n---\n\nA parking permit for the mill.\n"
OTHER = "Bees swarm in May when the hive is too small for them.\n"


def _night(root: Path, files: Mapping[str, str]) -> NightResult:
    """Run a night, apply it, and hold it against what must always be true."""
    write(root, dict(files))
    result, outcome = run_night(request_for(root))
    git_apply(root, outcome.artifacts["sleep.diff"])
    assert unlike_on_disk(root, result) == []
    assert lost_links(result) == []
    assert lost_texts(result) == []
    return result


# Where the keeper and the dropped memory lie, where the link stands, the link before and after.
MERGED = [
    ("b/pump.md", "a/pump.md", "a/x.md", "[[pump]]", "[[pump]]"),
    ("b/pump.md", "a/pump.md", "a/x.md", "[[a/pump]]", "[[b/pump]]"),
    ("b/pump.md", "a/pump.md", "a/x.md", "[p](pump.md#oil)", "[p](../b/pump.md#oil)"),
    ("b/pump.md", "a/pump.md", "x.md", "[p](/a/pump.md)", "[p](/b/pump.md)"),
    ("b/pump.md", "a/water.md", "x.md", "[[water|w]]", "[[pump|w]]"),
    ("pump.md", "a/water.md", "a/x.md", "![[water]]", "![[pump]]"),
]


@pytest.mark.parametrize(("keeper", "dropped", "path", "before", "after"), MERGED)
def test_link_leads_to_the_keeper(
    keeper: str, dropped: str, path: str, before: str, after: str, tmp_path: Path
) -> None:
    """In its own form, by name where the name is enough."""
    result = _night(tmp_path, {keeper: OLD, dropped: NEW, path: f"{OTHER}\nSee {before}.\n"})
    assert result.moves[dropped]
    assert result.end.files[path].decode() == f"{OTHER}\nSee {after}.\n"


# As above, with a third file of the keeper's name.
AMBIGUOUS = [
    ("b/pump.md", "a/water.md", "c/pump.md", "c/x.md", "[[water]]", "[[b/pump]]"),
    ("pump.md", "a/water.md", "a/pump.md", "a/x.md", "[[water]]", "[[pump]]"),
    ("pump.md", "c/water.md", "a/pump.md", "a/x.md", "[p](c/water.md)", "[p](../pump.md)"),
]


@pytest.mark.parametrize(("keeper", "dropped", "other", "path", "before", "after"), AMBIGUOUS)
def test_namesake_does_not_catch_the_link(
    keeper: str, dropped: str, other: str, path: str, before: str, after: str, tmp_path: Path
) -> None:
    """Where the keeper's name means another file too, the whole path is written."""
    files = {keeper: OLD, dropped: NEW, other: f"{OTHER}", path: f"Ants.\n\nSee {before}.\n"}
    result = _night(tmp_path, files)
    assert result.moves[dropped]
    assert result.end.files[path].decode() == f"Ants.\n\nSee {after}.\n"


def test_link_by_name_to_what_is_archived_stays(tmp_path: Path) -> None:
    """It still leads there, and the file is not touched."""
    result = _night(tmp_path, {"a/permit.md": EXPIRED, "x.md": f"{OTHER}\n[[permit]]\n"})
    assert result.moves
    assert result.end.files["x.md"].decode() == f"{OTHER}\n[[permit]]\n"


def test_link_by_name_is_not_left_to_an_active_namesake(tmp_path: Path) -> None:
    """An active file of that name would catch it once the other one is in the archive."""
    files = {"a/permit.md": EXPIRED, "b/permit.md": OTHER, "a/x.md": "Ants.\n\n[[permit]]\n"}
    result = _night(tmp_path, files)
    assert result.end.files["a/x.md"].decode() == "Ants.\n\n[[archive/2026/a/permit]]\n"


def test_links_taken_over_mean_the_same_file(tmp_path: Path) -> None:
    """A path that would be taken for one of the keeper's folder is written from the root."""
    dropped = NEW.replace("---\n\n", "relates_to: [bees.md]\n---\n\n")
    files = {"a/pump.md": OLD, "water.md": dropped, "bees.md": OTHER, "a/bees.md": "Ants only.\n"}
    result = _night(tmp_path, files)
    assert b"relates_to: [/bees.md]" in result.end.files["a/pump.md"]


def test_successor_of_a_memory_of_the_same_name_is_not_itself(tmp_path: Path) -> None:
    """`superseded_by: pump.md` in `archive/2026/a/pump.md` would name that very file."""
    result = _night(tmp_path, {"pump.md": OLD, "a/pump.md": NEW})
    archived = result.end.memories["archive/2026/a/pump.md"]
    assert archived.superseded_by == "pump.md"
    assert [link.path for link in archived.links] == ["pump.md"]


def test_memories_that_link_to_each_other(tmp_path: Path) -> None:
    """The dropped one's link to its keeper is not taken over; the keeper's leads to the archive."""
    files = {"a.md": OLD + "\nSee [[b]].\n", "b.md": NEW + "\nSee [[a]].\n"}
    write(tmp_path, dict(files))
    result, _ = run_night(request_for(tmp_path))
    links = {link.path for link in result.end.memories["a.md"].links}
    assert "a.md" not in links
    assert not links or links == {"archive/2026/b.md"} or not result.moves


def test_chain_of_takeovers_names_keepers(tmp_path: Path) -> None:
    """A link to a memory that was merged earlier in the night is taken over to its keeper."""
    lamp = TEXT.replace("pump", "lamp").replace("oil", "a bulb")
    files = {
        "keep1.md": OLD,
        "drop1.md": NEW,
        "keep2.md": OLD.replace(TEXT, lamp),
        "drop2.md": NEW.replace(TEXT, lamp).replace("---\n\n", "relates_to: [drop1.md]\n---\n\n"),
    }
    result = _night(tmp_path, files)
    assert set(result.moves) == {"drop1.md", "drop2.md"}
    assert b"relates_to: [keep1.md]" in result.end.files["keep2.md"]


@pytest.mark.parametrize(
    "page",
    ["---\nup: >\n  pump-2.md\n---\n\nAnts.\n", '---\nup: "pump\\x2d2.md"\n---\n\nAnts.\n'],
    ids=["folded", "escaped"],
)
def test_link_that_cannot_be_edited_stops_the_decision(page: str, tmp_path: Path) -> None:
    """Rather than leave a link that leads nowhere, the merge is refused and said so."""
    result = _night(tmp_path, {"pump.md": OLD, "pump-2.md": NEW, "x.md": page})
    assert not result.moves
    assert [r.path for r in result.refused] == ["x.md"]


def test_index_page_that_is_being_edited_stops_the_decision(tmp_path: Path) -> None:
    """Its link must follow, and somebody is writing in it."""
    from corpus_kit import commit, init

    init(tmp_path)
    commit(tmp_path, {"pump.md": OLD, "pump-2.md": NEW, "MEMORY.md": "- [P](pump-2.md) - oil\n"})
    (tmp_path / "MEMORY.md").write_bytes(b"- [P](pump-2.md) - oil\n- more\n")
    result, _ = run_night(request_for(tmp_path))
    assert not result.moves
    assert "left alone" in result.refused[0].reason
