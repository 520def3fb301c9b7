"""Integrity: what is repaired, what is named, what is left alone; over real files."""

from __future__ import annotations

import pytest

import phases_kit as kit
from memsleep.model import Snapshot
from memsleep.phases import integrity
from memsleep.proposals import Dangling, Proposal
from memsleep.settings import Settings


def _propose(start: Snapshot, used: Settings = kit.CAREFUL) -> list[Proposal]:
    return list(integrity.propose(start, used))


def _told(text: str, *others: str, **files: str) -> list[tuple[str, ...]]:
    """Return what is proposed for `notes/a.md` with this text, beside other Markdown files."""
    beside = {path: f"Text of {path}.\n" for path in others}
    return kit.told(_propose(kit.corpus({"notes/a.md": text, **beside, **files})))


ARCHIVED = "archive/2026/notes/limits.md"
QUIET = [
    pytest.param("No link at all.", [], id="no-link"),
    pytest.param("See [x](limits.md).", ["notes/limits.md"], id="it-is-there"),
    pytest.param("See [[limits]].", ["notes/limits.md"], id="wikilink-that-resolves"),
    pytest.param("See [[limits]].", [ARCHIVED], id="a-name-still-finds-the-archived"),
    pytest.param(f"See [x](/{ARCHIVED}).", [ARCHIVED], id="it-leads-to-the-archive"),
    pytest.param("See [x](limits.md).", ["notes/limits.md", ARCHIVED], id="came-back"),
    pytest.param("See [x](https://a.example/limits.md).", [ARCHIVED], id="url"),
    pytest.param("See [x](mailto:a@b.example).", [], id="mail"),
    pytest.param("See [x](#part).", [], id="fragment"),
    pytest.param("See [[{{title}}]] and [x](${name}.md).", [], id="placeholders"),
    pytest.param("Code `[[limits]]` only.", [ARCHIVED], id="code-span"),
    pytest.param("```\n[x](limits.md)\n```\n", [ARCHIVED], id="fence"),
]


@pytest.mark.parametrize(("text", "others"), QUIET)
def test_quiet(text: str, others: list[str]) -> None:
    """What leads somewhere, or was never meant as a link in the corpus, is left alone."""
    assert _told(text, *others) == []


MOVED = [
    pytest.param("See [x](limits.md).", "limits.md", id="inline"),
    pytest.param("See ![x](limits.md).", "limits.md", id="picture"),
    pytest.param("See [x](</notes/limits.md>).", "/notes/limits.md", id="from-the-root"),
    pytest.param("See [x](../notes/limits.md#part).", "../notes/limits.md", id="dots-and-fragment"),
    pytest.param("See [x][r].\n\n[r]: limits.md\n", "limits.md", id="reference"),
    pytest.param("See [[notes/limits]].", "notes/limits", id="wikilink-with-a-folder"),
    pytest.param("See [[notes/limits|the limits]].", "notes/limits", id="label"),
    pytest.param("---\nsupports: notes/limits.md\n---\nX.\n", "notes/limits.md", id="front-matter"),
    pytest.param(
        '---\nrelated: ["[[notes/limits]]"]\n---\nX.\n',
        "notes/limits",
        id="front-matter-list",
    ),
    pytest.param("X.\n\n- supports [[notes/limits]]\n", "notes/limits", id="relation-line"),
]


@pytest.mark.parametrize(("text", "target"), MOVED)
def test_moved(text: str, target: str) -> None:
    """A link to the old place of an archived memory is retargeted, whatever its form."""
    start = kit.corpus({"notes/a.md": text, ARCHIVED: "Limits.\n"})
    (found,) = _propose(start)
    assert kit.told([found]) == [("retarget-link", "notes/a.md", target)]
    assert getattr(found, "target_path", None) == ARCHIVED


def test_moved_in_html() -> None:
    """Head links and anchors are followed into the archive, each by its own target."""
    head = kit.head_link("supports", "/notes/limits.html")
    files = {
        "notes/a.html": kit.html("A is.", head, body=' See <a href="limits.html">it</a>.'),
        "archive/2026/notes/limits.html": kit.html("Limits are."),
    }
    found = _propose(kit.corpus(files))
    assert kit.told(found) == [
        ("retarget-link", "notes/a.html", "notes/limits.html"),
        ("retarget-link", "notes/a.html", "limits.html"),
    ]


def test_one_repair_for_all_links_of_one_target() -> None:
    """A target that a file names three times is one proposal, at its first line."""
    told = _propose(
        kit.corpus({"notes/a.md": "[x](limits.md)\n\n[y](limits.md#p)\n", ARCHIVED: "Limits.\n"})
    )
    assert kit.told(told) == [("retarget-link", "notes/a.md", "limits.md")]
    assert told[0].evidence == {"line": 1}


@pytest.mark.parametrize(
    ("years", "found"),
    [
        (["2026", "2025"], "2026"),
        (["2024", "2025"], "2025"),
        (["2016"], "2016"),
        (["2015"], None),
        (["2027"], None),
        (["2015", "2020"], "2020"),
    ],
)
def test_the_newest_year_counts_and_ten_years_are_searched(
    years: list[str], found: str | None
) -> None:
    """Of several archivings the newest is meant; one older than ten years is too old to know."""
    head = kit.head_link("supports", "/notes/limits.html")
    others = {f"archive/{year}/notes/limits.html": kit.html(f"In {year}.") for year in years}
    told = _propose(kit.corpus({"notes/a.html": kit.html("A is.", head), **others}))
    expected = f"archive/{found}/notes/limits.html" if found else None
    assert [getattr(p, "target_path", None) for p in told] == [expected]


def test_a_place_that_was_archived_twice_is_not_ambiguous() -> None:
    """A link that names a place means the newest archiving, though the name is there twice."""
    others = {f"archive/{year}/notes/limits.md": f"Limits of {year}.\n" for year in (2025, 2026)}
    told = _propose(kit.corpus({"notes/a.md": "See [x](limits.md).", **others}))
    assert [getattr(p, "target_path", None) for p in told] == [ARCHIVED]
    told = _propose(kit.corpus({"notes/a.md": "See [[limits]].", **others}))
    assert [p.kind for p in told] == ["dangling"]


def test_how_many_years_is_a_setting() -> None:
    """With no years but this one, last year's archive is not searched."""
    head = kit.head_link("supports", "/notes/limits.html")
    files = {
        "notes/a.html": kit.html("A is.", head),
        "archive/2025/notes/limits.html": kit.html("Limits are."),
    }
    start = kit.corpus(files)
    used = kit.settings(integrity={"archive_years": 0})
    assert [p.kind for p in _propose(start, used)] == ["dangling"]


DANGLING = [
    pytest.param(
        "See [[Limts of the gateway]].",
        "Limts of the gateway",
        1,
        "notes/limits.md",
        id="near",
    ),
    pytest.param("One.\n\nSee [x](zzz.md).", "zzz.md", 3, None, id="nothing-like-it"),
    pytest.param("---\nsupports: gone.md\n---\nX.\n", "gone.md", 2, None, id="front-matter"),
]


@pytest.mark.parametrize(("text", "target", "line", "nearest"), DANGLING)
def test_dangling(text: str, target: str, line: int, nearest: str | None) -> None:
    """A link to nothing is named with its line and the nearest name, and stays."""
    other = "---\ntitle: Limits of the gateway\n---\nThey hold.\n"
    (found,) = _propose(kit.corpus({"notes/a.md": text, "notes/limits.md": other}))
    assert isinstance(found, Dangling)
    assert (found.target, found.line, found.nearest) == (target, line, nearest)
    assert not found.edits_files


def test_ambiguous() -> None:
    """A name that could mean two memories equally far is named as such, and stays."""
    files = {"a.md": "See [[watering]].", "n/watering.md": "North.\n", "s/watering.md": "South.\n"}
    (found,) = _propose(kit.corpus(files))
    assert isinstance(found, Dangling)
    assert found.reason == "it could mean 2 memories"
    assert (found.nearest, found.ambiguous) == (None, ("n/watering.md", "s/watering.md"))


def test_pages_that_are_no_memory_are_repaired_too() -> None:
    """An index page's broken links are repaired and named like a memory's."""
    start = kit.corpus(
        {ARCHIVED: "Limits.\n", "notes/b.md": "B.\n"},
        pages={"README.md": "[x](notes/limits.md) [y](notes/zzz.md) [z](notes/b.md)\n"},
    )
    assert kit.told(_propose(start)) == [
        ("retarget-link", "README.md", "notes/limits.md"),
        ("dangling", "README.md", "notes/zzz.md", "1"),
    ]


def test_archived_memories_are_not_searched_in_careful() -> None:
    """What is archived keeps its broken links: nobody reads it for them."""
    files = {"notes/b.md": "B.\n", "archive/2026/notes/a.md": "See [x](zzz.md)."}
    assert _propose(kit.corpus(files)) == []


def test_reference_drops_what_it_cannot_repair() -> None:
    """In reference a dangling head link is taken out, an anchor is only named."""
    head = kit.head_link("supports", "/notes/zzz.html")
    files = {"notes/a.html": kit.html("A is.", head, body=' See <a href="yyy.html">it</a>.')}
    assert kit.told(_propose(kit.corpus(files), kit.REFERENCE)) == [
        ("remove-link", "notes/a.html", "notes/zzz.html"),
        ("dangling", "notes/a.html", "yyy.html", "14"),
    ]
    assert {p.kind for p in _propose(kit.corpus(files))} == {"dangling"}


def test_a_repair_is_not_proposed_twice() -> None:
    """After the repair the same night finds nothing to do."""
    start = kit.corpus({"notes/a.md": "See [x](limits.md).", ARCHIVED: "Limits.\n"})
    result = kit.night(start, phases=("integrity",))
    assert result.end.files["notes/a.md"] == b"See [x](../archive/2026/notes/limits.md)."
    assert _propose(result.end) == []
