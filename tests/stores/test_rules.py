"""The rules that stores bring: limits, keys, pinned files, records, indexes, the archive's place."""

# ruff: noqa: E501 - a table reads better a row a line

from __future__ import annotations

from pathlib import Path

import pytest

from corpus_kit import write
from memsleep.corpus.findings import size_findings
from memsleep.fold import Folded, fold
from memsleep.limits import Limits, grows_over, over_limit
from memsleep.proposals import Archive, Merge, SetField
from memsleep.settings import CheckSettings, Settings, WriteSettings
from night_kit import request_for, run_night
from stores_kit import NOW, load, snapshot_of

BLOCK = "---\ndescription: d\nlimit: {}\n---\n\n{}\n"


def merged(start, keeper: str, dropped: str, carry: str, settings: Settings = Settings()) -> Folded:  # type: ignore[no-untyped-def]  # noqa: B008
    """Fold one merge that carries a sentence over."""
    merge = Merge(
        phase="t", reason="r", keeper=keeper, dropped=dropped, similarity=1.0, carry=(carry,),
        take_over=False,
    )  # fmt: skip
    return fold(start, [merge], settings)


LIMITS = [
    ("MEMORY.md", b"x\n" * 200, "claude", ""),
    ("MEMORY.md", b"x\n" * 201, "claude", "expected at most 200 lines, found 201"),
    ("MEMORY.md", b"x\n" * 200 + b"x", "claude", "expected at most 200 lines, found 201"),
    ("a/MEMORY.md", b"y" * 25_601, "plain", "expected at most 25600 bytes, found 25601"),
    ("a/MEMORY.md", b"y" * 25_600, "plain", ""),
    ("other.md", b"x\n" * 999, "claude", ""),
    ("b.md", BLOCK.format(5, "12345").encode(), "letta", ""),
    ("b.md", BLOCK.format(5, "123456").encode(), "letta", "expected at most 5 characters, found 6"),
    ("b.md", BLOCK.format(3, "\u00e9\u00e9\u00e9").encode(), "letta", ""),
    ("b.md", BLOCK.format("none", "123456").encode(), "letta", ""),
    ("b.md", BLOCK.format(5, "123456").encode(), "plain", ""),
    ("MEMORY.md", "\u00e9".encode() * 2200, "hermes", ""),
    ("MEMORY.md", b"x" * 2201, "hermes", "expected at most 2200 characters, found 2201"),
    ("USER.md", b"x" * 1376, "hermes", "expected at most 1375 characters, found 1376"),
    ("USER.md", b"x" * 1376, "plain", ""),
]


@pytest.mark.parametrize(("path", "source", "dialect", "reason"), LIMITS)
def test_limits(path: str, source: bytes, dialect: str, reason: str) -> None:
    """Lines, bytes and characters count as the store's program counts them."""
    assert over_limit(path, source, dialect, Limits()) == reason


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [(100, 200, False), (100, 201, True), (201, 202, True), (300, 299, False), (300, 300, False)],
)
def test_only_growth_is_refused(before: int, after: int, refused: bool) -> None:
    """A file that is over its limit already may still be edited, as long as it does not grow."""
    old, new = b"x\n" * before, b"x\n" * after
    assert bool(grows_over("MEMORY.md", old, new, "claude", Limits())) is refused


def test_limits_are_findings(tmp_path: Path) -> None:
    """The night names each file that is over its limit; the config says how much is too much."""
    root = tmp_path / "c"
    write(root, {"system/a.md": BLOCK.format(3, "12345"), "MEMORY.md": "- [a](system/a.md)\n" * 30})
    result, _ = run_night(request_for(root, options={"check.max_index_lines": 20}))
    found = {p.path for p in result.start.problems if p.code == "over-limit"}
    assert found == {"MEMORY.md", "system/a.md"}
    corpus = load(root)
    assert (
        size_findings(corpus.stores, corpus.memories, corpus.files, Limits(index_lines=30))[0].path
        == "system/a.md"
    )


def test_a_merge_keeps_lettas_limit(tmp_path: Path) -> None:
    """What would take a block over its limit is refused, with the figures."""
    files = {
        "system/p.md": BLOCK.format(99, "p"),
        "x/a.md": BLOCK.format(30, "Tea without milk."),
        "x/b.md": BLOCK.format(30, "Tea."),
    }
    start = snapshot_of(tmp_path, files)
    assert not merged(start, "x/a.md", "x/b.md", "Or so.").refused
    refused = merged(start, "x/a.md", "x/b.md", "And never with sugar.").refused
    assert [r.cause for r in refused] == ["edit-refused"]
    assert "over its limit: expected at most 30 characters" in refused[0].reason


def test_an_index_is_not_made_longer(tmp_path: Path) -> None:
    """A link of `MEMORY.md` that would grow past its bytes holds the move back."""
    index = "- [a](a.md) - hook [b](b.md)\n- [c](c.md) - hook\n"
    start = snapshot_of(
        tmp_path, {"MEMORY.md": index, "a.md": "A.\n", "b.md": "B.\n", "c.md": "C.\n"}
    )
    gone = Archive(phase="t", reason="r", path="b.md", cause="evicted")
    tight = Settings(check=CheckSettings(max_index_bytes=len(index)))
    assert fold(start, [gone], tight).refused
    assert not fold(start, [gone], Settings()).refused


def test_letta_takes_only_keys_it_knows(tmp_path: Path) -> None:
    """What it does not know stays out of the file; a key that is there is edited."""
    files = {
        "system/p.md": BLOCK.format(99, "p"),
        "x/a.md": BLOCK.format(99, "A."),
        "x/b.md": "---\ndescription: d\nconfidence: 0.9\n---\n\nB.\n",
    }
    start = snapshot_of(tmp_path, files)
    set_both = [
        SetField(phase="t", reason="r", path="x/a.md", values=(("confidence", "0.5"),)),
        SetField(phase="t", reason="r", path="x/b.md", values=(("confidence", "0.5"),)),
    ]
    done = fold(start, set_both, Settings())
    assert [r.path for r in done.refused] == ["x/a.md"]
    assert b"confidence: 0.5" in done.snapshot.files["x/b.md"]
    gone = fold(start, [Archive(phase="t", reason="r", path="x/a.md", cause="evicted")], Settings())
    assert gone.snapshot.files[".archive/2026/x/a.md"] == files["x/a.md"].encode()
    assert ".archive/2026/ledger.jsonl" in gone.snapshot.files


@pytest.mark.parametrize(
    ("dialect", "path", "pinned", "protected"),
    [
        ("letta", "system/a.md", True, False),
        ("letta", "other/a.md", False, False),
        ("openclaw", "SOUL.md", True, False),
        ("openclaw", "MEMORY.md", True, False),
        ("openclaw", "memory/2026-03-04.md", False, True),
        ("openclaw", "memory/2026-03-04-late.md", False, True),
        ("openclaw", "memory/topic.md", False, False),
        ("openclaw", "notes/2026-03-04.md", False, False),
        ("logseq", "journals/2026_03_04.md", False, True),
        ("logseq", "pages/journals.md", False, False),
        ("obsidian", "journals/2026_03_04.md", False, True),
    ],
)
def test_pinned_and_records(
    dialect: str, path: str, pinned: bool, protected: bool, tmp_path: Path
) -> None:
    """What a store always loads is pinned; the log of a day is a record."""
    write(tmp_path, {path: "Text.\n", "z.md": "Z.\n"})
    memory = load(tmp_path, dialect=dialect).memories[path]
    assert (memory.pinned, memory.protected) == (pinned, protected)


@pytest.mark.parametrize(
    "dialect", ["plain", "claude", "letta", "openclaw", "basic-memory", "obsidian"]
)
def test_the_archive_is_found_again(dialect: str, tmp_path: Path) -> None:
    """Seen or hidden, what was archived is an archived memory the next night."""
    start = snapshot_of(tmp_path, {"a.md": "A.\n", "b.md": "B.\n"}, dialect=dialect)
    done = fold(start, [Archive(phase="t", reason="r", path="a.md", cause="evicted")], Settings())
    for path, data in done.snapshot.files.items():
        write(tmp_path, {path: data})
    (tmp_path / "a.md").unlink()
    again = load(tmp_path, dialect=dialect).memories
    hidden = dialect in ("letta", "openclaw", "basic-memory")
    place = f"{'.archive' if hidden else 'archive'}/2026/a.md"
    assert again.keys() == {place, "b.md"}
    assert again[place].archived


INDEX = "# Memory\n\n- [A](a.md) - hook a\n- [B](b.md) - hook b\n- [C](c.md), see [B](b.md)\n"
TOPICS = {f"{name}.md": f"---\nname: {name}\n---\n\nText of {name}.\n" for name in "abc"}


def test_an_index_line_leaves_with_its_memory(tmp_path: Path) -> None:
    """The line that lists one memory alone goes; a line with two links stays and its link follows."""
    start = snapshot_of(
        tmp_path, {"m/MEMORY.md": INDEX, **{f"m/{p}": t for p, t in TOPICS.items()}}
    )
    done = fold(start, [Archive(phase="t", reason="r", path="m/b.md", cause="evicted")], Settings())
    assert not done.refused
    files = done.snapshot.files
    assert files["m/MEMORY.md"].decode() == (
        "# Memory\n\n- [A](a.md) - hook a\n- [C](c.md), see [B](../archive/2026/m/b.md)\n"
    )
    assert files["archive/2026/m/MEMORY.md"] == b"- [B](b.md) - hook b\n"


@pytest.mark.parametrize(("keeper", "line"), [("a.md", ""), ("d.md", "- [B](d.md) - hook b\n")])
def test_the_line_of_a_merged_memory(keeper: str, line: str, tmp_path: Path) -> None:
    """It leaves where the index lists the keeper, else it leads there."""
    files = {"MEMORY.md": INDEX.replace(", see [B](b.md)", ""), **TOPICS, "d.md": "D.\n"}
    start = snapshot_of(tmp_path, files)
    done = merged(start, keeper, "b.md", "Said by b alone.")
    assert not done.refused
    text = done.snapshot.files["MEMORY.md"].decode()
    assert text == f"# Memory\n\n- [A](a.md) - hook a\n{line}- [C](c.md)\n"
    assert ("archive/2026/MEMORY.md" in done.snapshot.files) is (not line)


def test_front_matter_is_added_only_if_the_config_says_so(tmp_path: Path) -> None:
    """Its line ends are those of the file; a file that would be read otherwise is left alone."""
    files = {"a.md": "# A\r\n\r\nText.\r\n", "b.md": "---\n\nA rule, no head.\n"}
    start = snapshot_of(tmp_path, files)
    stamp = [
        SetField(phase="t", reason="r", path=p, values=(("confidence", "0.5"),)) for p in files
    ]
    assert len(fold(start, stamp, Settings()).refused) == 2
    done = fold(start, stamp, Settings(write=WriteSettings(add_front_matter=True)))
    assert done.snapshot.files["a.md"] == b"---\r\nconfidence: 0.5\r\n---\r\n# A\r\n\r\nText.\r\n"
    assert done.snapshot.files["b.md"].startswith(b"---\nconfidence: 0.5\n---\n---\n\nA rule")
    assert done.snapshot.memories["b.md"].body == start.memories["b.md"].body


COLLISIONS = [
    ("A.md", {"archive/2026/a.md": "Taken.\n"}, "archive/2026/A-2.md"),
    ("caf\u00e9.md", {"archive/2026/cafe\u0301.md": "Taken.\n"}, "archive/2026/caf\u00e9-2.md"),
    ("b.md", {"archive/2026/B.MD": "x", "archive/2026/b-2.md": "x"}, "archive/2026/b-3.md"),
    ("c.md", {"archive/2026/d.md": "x"}, "archive/2026/c.md"),
]


@pytest.mark.parametrize(("path", "others", "to"), COLLISIONS)
def test_no_name_is_made_that_is_one_elsewhere(
    path: str, others: dict[str, str], to: str, tmp_path: Path
) -> None:
    """Neither case nor Unicode form alone parts two names of ours."""
    start = snapshot_of(tmp_path, {path: "Text.\n", "z.md": "Z.\n", **others})
    done = fold(start, [Archive(phase="t", reason="r", path=path, cause="evicted")], Settings())
    assert [c.to for a in done.applied for c in a.changes if c.to] == [to]


def test_a_name_that_would_be_too_long(tmp_path: Path) -> None:
    """252 bytes and an ending fit; a number more does not, and nothing is written."""
    name = "n" * 252 + ".md"
    start = snapshot_of(tmp_path, {name: "Text.\n", "z.md": "Z.\n"})
    gone = [Archive(phase="t", reason="r", path=name, cause="evicted")]
    assert not fold(start, gone, Settings()).refused
    taken = snapshot_of(tmp_path, {f"archive/2026/{name}": "Taken.\n"})
    refused = fold(taken, gone, Settings()).refused
    assert "too long" in refused[0].reason


NAMES = [
    "a b.md", "a#b.md", "%3F.md", "a?.md", "a:b.md", "\U0001f642.md", "trailing .md", "cafe\u0301.md",
    "\u2028.md", "'q\".md", "-n.md", "*.md", "[x].md", "\\.md", "n" * 216 + ".md", ".md", "a.MD", "tab\t.md",
    "line\nfeed.md", " .md", "con.md", "~.md", "$HOME.md", "{{x}}.md",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str, tmp_path: Path) -> None:
    """A file of any name is read, archived, written by the patch and read again."""
    from night_kit import git_apply

    root = tmp_path / "c"
    expired = "---\nvalid_until: 2026-02-01\nimportance: 1\n---\n\nA parking permit of the mill.\n"
    write(root, {f"d/{name}": expired, "keep.md": "Bees swarm in May.\n"})
    result, outcome = run_night(request_for(root))
    assert result.moves == {f"d/{name}": f"archive/2026/d/{name}"}
    git_apply(root, outcome.artifacts["sleep.diff"])
    assert load(root).memories[f"archive/2026/d/{name}"].archived
    assert NOW in (root / "archive/2026/d" / name).read_text()


BYTES = [
    b"---\r\nconfidence: 0.9\r\n---\r\n\r\nText.\r\n",
    b"---\nconfidence: 0.9\r\n---\nmixed\r\nends\rand lone\n",
    b"\xef\xbb\xbf---\nconfidence: 0.9\n---\n\nMarked.\n",
    "---\nconfidence: 0.9\n---\n\ncafe\u0301 \u2028 \u2029 \x85 \x0b \x0c end".encode(),
    b"---\nconfidence: 0.9\n---\nno final newline",
    b"---\nconfidence: 0.9  \n---  \n\n" + b"x" * 87_000 + b"\n",
    b"---\nconfidence: 0.9 # why\nx: y\n...\n\nText.\n",
    b"---\n\n# a comment\n\n  confidence  :   0.9\n  y: 1\n---\n",
]


@pytest.mark.parametrize("source", BYTES)
def test_bytes(source: bytes, tmp_path: Path) -> None:
    """One value changes, and nothing else."""
    start = snapshot_of(tmp_path, {"a.md": source, "b.md": "B.\n"})
    done = fold(
        start,
        [SetField(phase="t", reason="r", path="a.md", values=(("confidence", "0.5"),))],
        Settings(),
    )
    assert not done.refused
    assert done.snapshot.files["a.md"] == source.replace(b"0.9", b"0.5")
