"""Several memories in one file: each is judged, merged and archived alone, its neighbours stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus_kit import write
from memsleep.fold import fold
from memsleep.landing.base import folder_source, load_base
from memsleep.landing.refold import refold
from memsleep.plan import from_json
from memsleep.proposals import Archive, Merge, RetargetLink
from memsleep.readers.entries import entry_name, match_entries, split_entries, without_entry
from memsleep.settings import Settings
from memsleep.state.identity import Assignments
from memsleep.state.store import State, open_state
from night_kit import git_apply, request_for, run_night
from stores_kit import NOW, load, snapshot_of

SIGN = "\u00a7"
PORT = "The staging database listens on port 5433 and nobody but the deploy job connects to it."
TEA = "Maren drinks her tea without milk."
BIKE = "The cargo bike stands in yard two. See [[rates]]."
FILE = f"{PORT}\n{SIGN}\n{TEA}\n{SIGN}\n{BIKE}\n"


def path_of(text: str, file: str = "MEMORY.md") -> str:
    """Return the path of the entry with this text."""
    return f"{file}#{entry_name(text.encode())}"


SPLITS = [
    (FILE, [PORT, TEA, BIKE]),
    (f"a\n{SIGN}\nb", ["a", "b"]),
    (f"a\r\n  {SIGN}  \r\nb\r\n", ["a", "b"]),
    (f"{SIGN}\na\n{SIGN}\n\n{SIGN}\nb\n{SIGN}\n", ["a", "b"]),
    (f"\ufeffa\n{SIGN}\nb\n", ["a", "b"]),
    (f"a {SIGN} b\n{SIGN}{SIGN}\nc\n", [f"a {SIGN} b\n{SIGN}{SIGN}\nc"]),
    ("", []),
    (f"{SIGN}\n", []),
    (f"a\n\nsecond part\n{SIGN}\nb", ["a\n\nsecond part", "b"]),
]


@pytest.mark.parametrize(("text", "parts"), SPLITS)
def test_split(text: str, parts: list[str]) -> None:
    """Only a line that holds the sign alone parts two entries."""
    source = text.encode()
    assert [source[e.start : e.end].decode() for e in split_entries(source)] == parts


def test_equal_entries_have_names_of_their_own() -> None:
    """The second of two with one first line gets a number."""
    names = [entry.name for entry in split_entries(f"a\n{SIGN}\nA \n{SIGN}\n- a\nmore\n".encode())]
    assert names == [names[0], f"{names[0]}-2", f"{names[0]}-3"]


WITHOUT = [
    (FILE, 0, f"{TEA}\n{SIGN}\n{BIKE}\n"),
    (FILE, 1, f"{PORT}\n{SIGN}\n{BIKE}\n"),
    (FILE, 2, f"{PORT}\n{SIGN}\n{TEA}\n"),
    (f"a\r\n{SIGN}\r\nb", 1, "a"),
    (f"a\r\n{SIGN}\r\nb", 0, "b"),
    ("a\n", 0, "\n"),
    (f"{SIGN}\na\n{SIGN}\nb\n", 1, f"{SIGN}\na\n"),
]


@pytest.mark.parametrize(("text", "place", "left"), WITHOUT)
def test_an_entry_leaves_with_one_separator(text: str, place: int, left: str) -> None:
    """Every byte of the neighbours stays."""
    source = text.encode()
    assert without_entry(source, split_entries(source)[place]).decode() == left


def test_archiving_one(tmp_path: Path) -> None:
    """Its bytes and its place go to a file of their own, the rest stays as it is."""
    start = snapshot_of(tmp_path, {"MEMORY.md": FILE, "rates.md": "# Rates\n"})
    tea = path_of(TEA)
    done = fold(start, [Archive(phase="t", reason="r", path=tea, cause="evicted")], Settings())
    assert not done.refused
    end = done.snapshot
    assert end.files["MEMORY.md"].decode() == f"{PORT}\n{SIGN}\n{BIKE}\n"
    to = f"archive/2026/MEMORY.md.d/{tea.rpartition('#')[2]}.md"
    assert end.files[to].decode() == (
        f"<!-- status: archived -->\n<!-- archived_at: {NOW} -->\n<!-- from: MEMORY.md -->\n"
        f"<!-- position: 1 -->\n{TEA}\n"
    )
    assert end.memories[to].archived
    assert (end.memories[to].title, end.memories[to].body) == (TEA, TEA)
    assert tea not in end.memories
    assert b'"to":"archive/2026/MEMORY.md.d/' in end.files["archive/2026/ledger.jsonl"]
    for path, data in end.files.items():
        if "#" not in path:
            write(tmp_path, {path: data})
    again = load(tmp_path)
    assert again.memories[to].archived
    assert again.memories.keys() == end.memories.keys()
    assert {p: m.title for p, m in again.memories.items()} == {
        p: m.title for p, m in end.memories.items()
    }


def test_a_merge_keeps_the_name_of_the_keeper(tmp_path: Path) -> None:
    """What is carried over stands on a line of its own below the entry."""
    other = f"{PORT} It restarts on Mondays."
    start = snapshot_of(tmp_path, {"MEMORY.md": f"{PORT}\n{SIGN}\n{TEA}\n{SIGN}\n{other}"})
    merge = Merge(
        phase="t", reason="r", keeper=path_of(PORT), dropped=path_of(other), similarity=1.0,
        carry=("It restarts on Mondays.",),
    )  # fmt: skip
    end = fold(start, [merge], Settings())
    assert not end.refused
    text = f"{PORT}\nIt restarts on Mondays.\n{SIGN}\n{TEA}"
    assert end.snapshot.files["MEMORY.md"].decode() == text
    first = split_entries(text.encode())[0]
    assert first.name == path_of(PORT).rpartition("#")[2]


def test_several_in_one_night(tmp_path: Path) -> None:
    """Positions follow what left before."""
    start = snapshot_of(tmp_path, {"MEMORY.md": FILE, "rates.md": "# Rates\n", "new.md": "# New\n"})
    proposals = [
        Archive(phase="t", reason="r", path=path_of(PORT), cause="evicted"),
        RetargetLink(
            phase="t", reason="r", path=path_of(BIKE), target="rates", target_path="new.md"
        ),
        Archive(phase="t", reason="r", path=path_of(TEA), cause="evicted"),
    ]
    end = fold(start, proposals, Settings())
    assert not end.refused
    left = BIKE.replace("rates", "new")
    assert end.snapshot.files["MEMORY.md"].decode() == f"{left}\n"


def test_an_inbound_link_follows_into_an_entry(tmp_path: Path) -> None:
    """An entry that links to what moves is edited in its file."""
    start = snapshot_of(
        tmp_path, {"MEMORY.md": FILE.replace("[[rates]]", "[r](rates.md)"), "rates.md": "# Rates\n"}
    )
    end = fold(
        start, [Archive(phase="t", reason="r", path="rates.md", cause="evicted")], Settings()
    )
    assert not end.refused
    assert b"[r](archive/2026/rates.md)" in end.snapshot.files["MEMORY.md"]


@pytest.mark.parametrize(("file", "limit"), [("MEMORY.md", 2200), ("USER.md", 1375)])
def test_the_character_limit_is_kept(tmp_path: Path, file: str, limit: int) -> None:
    """A merge that would take the file over its limit is refused; characters count, not bytes."""
    long = "\u00e9" * (limit - len(PORT) - len(SIGN) - 30)
    drop = "Z" * 20
    text = f"{PORT}\n{SIGN}\n{long}\n{SIGN}\n{drop}"
    start = snapshot_of(tmp_path, {file: text, "x.md": "# X\n"})
    for extra, fits in ((limit - len(text) + 20, True), (limit - len(text) + 400, False)):
        merge = Merge(
            phase="t", reason="r", keeper=path_of(PORT, file), dropped="x.md", similarity=1.0,
            carry=("y" * extra,) if extra > 0 else ("y",), take_over=False,
        )  # fmt: skip
        refused = fold(start, [merge], Settings()).refused
        assert bool(refused) is (len(text) + 1 + extra > limit), (fits, extra)
        if refused:
            assert "over its limit" in refused[0].reason


def test_a_separator_cannot_be_carried_in(tmp_path: Path) -> None:
    """A sentence that is the sign would part the entry."""
    start = snapshot_of(tmp_path, {"MEMORY.md": FILE, "x.md": "# X\n"})
    merge = Merge(
        phase="t", reason="r", keeper=path_of(TEA), dropped="x.md", similarity=1.0, carry=(SIGN,),
        take_over=False,
    )  # fmt: skip
    assert fold(start, [merge], Settings()).refused


@pytest.mark.parametrize(
    ("entry", "lands"),
    [("Tea.", True), ("Tea \\", False), ("Tea. \\\\", True), ("- Tea", True)],
)
def test_what_is_carried_over_changes_nothing_before_it(
    entry: str, lands: bool, tmp_path: Path
) -> None:
    """An entry that would be read otherwise with a line below it takes none."""
    start = snapshot_of(tmp_path, {"MEMORY.md": f"{PORT}\n{SIGN}\n{entry}\n", "x.md": "# X\n"})
    merge = Merge(
        phase="t", reason="r", keeper=path_of(entry), dropped="x.md", similarity=1.0,
        carry=("It is drunk at four.",), take_over=False,
    )  # fmt: skip
    done = fold(start, [merge], Settings())
    assert (not done.refused) is lands, done.refused
    assert (b"drunk at four" in done.snapshot.files["MEMORY.md"]) is lands


EXPIRING = "Parking permit of the mill.\nvalid_until:: 2026-02-01\nimportance:: 1"


def test_neighbours_edited_meanwhile_survive(tmp_path: Path) -> None:
    """Between plan and apply a neighbour is edited and one is added: the decision still stands."""
    root = tmp_path / "corpus"
    write(
        root,
        {"MEMORY.md": f"{PORT}\n{SIGN}\n{EXPIRING}\n{SIGN}\n{TEA}\n", "b.md": "# B\n\nBees.\n"},
    )
    _, outcome = run_night(request_for(root))
    plan = from_json(outcome.artifacts["plan.json"], "plan.json")
    wanted = [d for d in plan.decisions if d.kind == "archive"]
    assert [d.paths for d in wanted] == [(path_of(EXPIRING),)]
    assert list(wanted[0].rests_on) == [path_of(EXPIRING)]
    edited = f"New one.\n{SIGN}\n{PORT}!\n{SIGN}\n{EXPIRING}\n{SIGN}\n{TEA} Or with.\n"
    write(root, {"MEMORY.md": edited})
    done = refold(load_base(root, plan, folder_source(root)), plan, frozenset(d.id for d in wanted))
    assert not done.rejected
    assert done.end.files["MEMORY.md"].decode() == (
        f"New one.\n{SIGN}\n{PORT}!\n{SIGN}\n{TEA} Or with.\n"
    )
    write(root, {"MEMORY.md": edited.replace("permit", "ticket")})
    gone = refold(load_base(root, plan, folder_source(root)), plan, frozenset(d.id for d in wanted))
    assert [rejection.path for rejection in gone.rejected] == [path_of(EXPIRING)]


def test_the_patch_is_the_night(tmp_path: Path) -> None:
    """`git apply` of the diff gives what the fold has; only real files are in it."""
    root = tmp_path / "corpus"
    write(
        root,
        {"MEMORY.md": f"{PORT}\n{SIGN}\n{EXPIRING}\n{SIGN}\n{TEA}\n", "b.md": "# B\n\nBees.\n"},
    )
    result, outcome = run_night(request_for(root))
    assert b"#" not in b"".join(
        line for line in outcome.artifacts["sleep.diff"].split(b"\n") if line.startswith(b"diff ")
    )
    git_apply(root, outcome.artifacts["sleep.diff"])
    for path, data in result.end.files.items():
        if not result.end.is_entry(path):
            assert (root / path).read_bytes() == data, path


MATCHED = [
    ([("a", "tea with milk and honey")], [("b", "tea with milk")], {"a": "b"}),
    ([("a", "tea with milk")], [("b", "a bike in the yard")], {}),
    ([("a", "x y z"), ("k", "k")], [("k", "k"), ("b", "x y w")], {"a": "b"}),
    (
        [("a", "one two three"), ("b", "one two four")],
        [("c", "one two four five"), ("d", "one two three six")],
        {"a": "d", "b": "c"},
    ),
    (
        [("a", "same words here"), ("b", "same words here too")],
        [("c", "same words here")],
        {"a": "c"},
    ),
    ([("a", "x")], [("a", "y")], {}),
]


@pytest.mark.parametrize(("known", "present", "expected"), MATCHED)
def test_an_edited_entry_is_known_again(
    known: list[tuple[str, str]], present: list[tuple[str, str]], expected: dict[str, str]
) -> None:
    """By place and shared words, one to one."""
    assert match_entries(known, present) == expected


def test_an_edited_entry_keeps_its_id(tmp_path: Path) -> None:
    """Its first line is reworded: the state knows it by its words and place, usage and all."""
    texts = [PORT, TEA, BIKE]
    later = [PORT, "Maren drinks her tea with oat milk now.", BIKE, "A new one."]

    def observe(state: State, found: list[str]) -> Assignments:
        pairs = [(path_of(text), text) for text in found]
        files = {path: f"sha256:{text}" for path, text in pairs}
        return state.observe(files, NOW, entries={"MEMORY.md": pairs})

    with open_state(tmp_path / "state.db") as state:
        observe(state, texts)
        seen = observe(state, later)
        assert seen.moved == {path_of(TEA): path_of(later[1])}
        assert seen.new == (path_of(later[3]),)
        assert seen.ids[path_of(later[1])] == path_of(TEA)
        assert not seen.missing
        gone = observe(state, [PORT, BIKE, "Nothing alike."])
        assert set(gone.missing) == {path_of(TEA), path_of(later[3])}
