"""Tests of memsleep.resolve: what a link means in a whole corpus."""

from __future__ import annotations

import pytest

from markdown_kit import read
from memsleep.model import Link, Memory
from memsleep.resolve import Resolution, Resolver, resolve_all

CORPUS = {
    "root.md": "x",
    "areas/a.md": "---\ntitle: Alpha Note\nname: alpha\npermalink: p/alpha\nalias: First\n---\n",
    "areas/b.md": "x",
    "areas/deep/c.md": "x",
    "areas/twin.md": "x",
    "other/twin.md": "x",
    "other/snake_case.md": "x",
    "other/Caf\u00e9.md": "x",
    "other/b c.md": "x",
    "page.html": "x",
    "archive/2026/areas/b.md": "x",
    "archive/2026/gone.md": "x",
    "proj/index.md": "x",
    "2026-03-04.md": "x",
}


def corpus() -> list[Memory]:
    return [read(text, path=path) for path, text in CORPUS.items()]


RESOLVER = Resolver(corpus(), ["README.md", "docs/README.md"], {"img/x.dat", "areas/a.md"})


def link(target: str, form: str = "wikilink") -> Link:
    return Link("relates_to", target, 1, form)  # type: ignore[arg-type]


RESOLVED = [
    ("a", "wikilink", "root.md", "areas/a.md"),
    ("a.md", "wikilink", "root.md", "areas/a.md"),
    ("areas/a", "wikilink", "other/twin.md", "areas/a.md"),
    ("/areas/a.md", "wikilink", "other/twin.md", "areas/a.md"),
    ("deep/c", "wikilink", "root.md", "areas/deep/c.md"),
    ("./b", "wikilink", "areas/a.md", "areas/b.md"),
    ("../root", "wikilink", "areas/a.md", "root.md"),
    ("Alpha Note", "wikilink", "root.md", "areas/a.md"),
    ("alpha", "wikilink", "root.md", "areas/a.md"),
    ("p/alpha", "wikilink", "root.md", "areas/a.md"),
    ("First", "wikilink", "root.md", "areas/a.md"),
    ("snake-case", "wikilink", "root.md", "other/snake_case.md"),
    ("snake case", "wikilink", "root.md", "other/snake_case.md"),
    ("SNAKE_CASE.md", "wikilink", "root.md", "other/snake_case.md"),
    ("ALPHA NOTE", "wikilink", "root.md", "areas/a.md"),
    ("cafe\u0301", "wikilink", "root.md", "other/Caf\u00e9.md"),
    ("twin", "wikilink", "areas/a.md", "areas/twin.md"),
    ("twin", "wikilink", "other/b c.md", "other/twin.md"),
    ("twin", "wikilink", "areas/twin.md", "other/twin.md"),
    ("b", "wikilink", "archive/2026/gone.md", "areas/b.md"),
    ("gone", "wikilink", "root.md", "archive/2026/gone.md"),
    ("2026-03-04", "wikilink", "areas/a.md", "2026-03-04.md"),
    ("b.md", "inline", "areas/a.md", "areas/b.md"),
    ("deep/c.md", "inline", "areas/a.md", "areas/deep/c.md"),
    ("../other/b c.md", "inline", "areas/a.md", "other/b c.md"),
    ("areas/b.md", "inline", "areas/a.md", "areas/b.md"),
    ("/areas/b", "inline", "other/twin.md", "areas/b.md"),
    ("twin.md", "inline", "other/b c.md", "other/twin.md"),
    ("proj/", "inline", "root.md", "proj/index.md"),
    ("../README.md", "inline", "areas/a.md", "README.md"),
    ("docs", "inline", "root.md", "docs/README.md"),
    ("areas/b.md", "front-matter", "areas/deep/c.md", "areas/b.md"),
    ("alpha", "front-matter", "root.md", "areas/a.md"),
    ("other/twin", "shortcode", "root.md", "other/twin.md"),
    ("areas/a.md", "head", "other/twin.md", "areas/a.md"),
    ("/page.html", "head", "other/twin.md", "page.html"),
    ("../page.html", "anchor", "other/twin.md", "page.html"),
]
DANGLING = [
    ("nowhere", "wikilink", "root.md"),
    ("./a", "wikilink", "root.md"),
    ("x/deep/c", "wikilink", "root.md"),
    ("p/c", "wikilink", "root.md"),
    ("../../../etc/passwd", "inline", "areas/a.md"),
    ("a.md", "head", "areas/b.md"),
    ("page", "head", "root.md"),
    ("Alpha Note", "head", "root.md"),
    ("page.html", "anchor", "areas/a.md"),
    ("", "wikilink", "root.md"),
]


@pytest.mark.parametrize(("target", "form", "from_path", "path"), RESOLVED)
def test_resolves(target: str, form: str, from_path: str, path: str) -> None:
    """Each step of the order finds its memory, the strictest first."""
    assert RESOLVER.resolve(link(target, form), from_path) == Resolution(path)


@pytest.mark.parametrize(("target", "form", "from_path"), DANGLING)
def test_dangling(target: str, form: str, from_path: str) -> None:
    """What names nothing resolves to nothing; HTML links are exact paths only."""
    assert RESOLVER.resolve(link(target, form), from_path) == Resolution()


def test_ambiguous() -> None:
    """Candidates that are equally near are named, in path order."""
    found = RESOLVER.resolve(link("twin"), "root.md")
    assert found == Resolution(ambiguous=("areas/twin.md", "other/twin.md"))


@pytest.mark.parametrize("target", ["../img/x.dat", "deep", "../img/"])
def test_what_exists_outside(target: str) -> None:
    """A file or folder that is no memory is no dangling target."""
    assert RESOLVER.resolve(link(target, "inline"), "areas/a.md").external


def test_external_links_stay() -> None:
    """A URL is never looked up."""
    outside = Link("relates_to", "https://example.org", 1, "inline", external=True)
    assert RESOLVER.resolve(outside, "root.md") == Resolution(external=True)


def test_a_path_beats_a_title() -> None:
    """A file of that very name wins over another one's title."""
    memories = [read("x", path="b/one.md"), read("---\ntitle: one\n---\n", path="a.md")]
    assert Resolver(memories).resolve(link("one"), "a.md").path == "b/one.md"


def test_a_title_beats_an_alias() -> None:
    """A title wins over an alias, whatever the paths are."""
    memories = [
        read("---\naliases: [one]\n---\n", path="a.md"),
        read("---\ntitle: one\n---\n", path="z.md"),
    ]
    assert Resolver(memories).resolve(link("one"), "x/y.md").path == "z.md"


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("snake_cases", "other/snake_case.md"),
        ("x/Alpha Notes.md", "areas/a.md"),
        ("zzzzzz", None),
        ("", None),
    ],
)
def test_nearest(target: str, path: str | None) -> None:
    """The most similar name is offered, or none."""
    assert RESOLVER.nearest(target) == path


def test_resolve_all() -> None:
    """Every link has its path, pages included; a memory without links is the same object."""
    sources = {
        "a.md": "[[b]] [x](https://example.org)",
        "b.md": "---\nsuperseded_by: '[[c]]'\n---\n[[none]]",
        "dir/c.md": "x",
    }
    memories = {path: read(text, path=path) for path, text in sources.items()}
    page = (link("a.md", "inline"),)
    resolved, pages = resolve_all(memories, {"MEMORY.md": page})
    assert list(resolved) == ["a.md", "b.md", "dir/c.md"]
    assert [(one.path, one.external) for one in resolved["a.md"].links] == [
        ("b.md", False),
        (None, True),
    ]
    assert [one.path for one in resolved["b.md"].links] == ["dir/c.md", None]
    assert resolved["b.md"].superseded_by == "dir/c.md"
    assert resolved["dir/c.md"] is memories["dir/c.md"]
    assert pages["MEMORY.md"][0].path == "a.md"


def test_order_of_files_does_not_matter() -> None:
    """The same corpus in another order resolves every link alike."""
    other = Resolver(reversed(corpus()), ["docs/README.md", "README.md"], {"img/x.dat"})
    for target, form, from_path, _ in RESOLVED:
        assert other.resolve(link(target, form), from_path) == RESOLVER.resolve(
            link(target, form), from_path
        )
    assert other.nearest("snake_cases") == RESOLVER.nearest("snake_cases")


def test_asking_twice_gives_the_same() -> None:
    """What is remembered for one file of a folder is not given to a file that it names."""
    for from_path in ("areas/a.md", "areas/twin.md", "areas/a.md"):
        expected = "other/twin.md" if from_path == "areas/twin.md" else "areas/twin.md"
        assert RESOLVER.resolve(link("twin"), from_path).path == expected


def test_many_files_of_one_name() -> None:
    """Thousands of files with one name are one case: a few of them are named, none is walked."""
    memories = [read("[[index]] [[d7/index]]", path=f"x/d{i}/index.md") for i in range(3_000)]
    resolved, _ = resolve_all({memory.path: memory for memory in memories}, {})
    for memory in resolved.values():
        first, second = memory.links
        assert 2 <= len(first.ambiguous) <= 8
        assert memory.path not in first.ambiguous
        assert second.path == "x/d7/index.md"


STRANGE = Resolver(corpus(), taken={"bad bytes.md", "s/link.MD", "s/page.html", "data.csv"})


@pytest.mark.parametrize(
    ("target", "form"),
    [
        ("bad bytes", "wikilink"),
        ("bad bytes.md", "wikilink"),
        ("link", "wikilink"),
        ("s/link", "wikilink"),
        ("link", "inline"),
        ("/s/page", "front-matter"),
    ],
)
def test_file_that_could_not_be_read_exists(target: str, form: str) -> None:
    """A link by name to an unreadable file, a symlink or a second name leads somewhere."""
    assert STRANGE.resolve(link(target, form), "s/x.md") == Resolution(external=True)


@pytest.mark.parametrize(
    ("target", "form"),
    [("data", "wikilink"), ("t/link", "wikilink"), ("bad bytes", "head"), ("link", "anchor")],
)
def test_other_names_lead_nowhere(target: str, form: str) -> None:
    """Names are completed by the ending of a memory only, and only where names are looked up."""
    assert STRANGE.resolve(link(target, form), "x.md") == Resolution()


ZETTEL = Resolver(
    read("x", path=path)
    for path in (
        "202403011030 Recall.md", "box/20240301103059-curve.md", "202403011045.md",
        "202403021200 a.md", "old/202403021200 b.md", "20240303 day.md", "2024030410301 odd.md",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("202403011030", "202403011030 Recall.md"),
        ("20240301103059", "box/20240301103059-curve.md"),
        ("202403011045", "202403011045.md"),
        ("202403021200", "202403021200 a.md"),
        ("20240303", None),
        ("202403041030", None),
        ("202403019999", None),
    ],
)
def test_id_that_a_name_begins_with(target: str, path: str | None) -> None:
    """A Zettelkasten links by the time in front of the title, to the minute or the second."""
    assert ZETTEL.resolve(link(target), "x.md").path == path


@pytest.mark.parametrize("target", ["2026-03-05", "202403011031", "7", "..."])
def test_number_is_near_to_nothing(target: str) -> None:
    """The next day is no better name for a day without a page."""
    assert RESOLVER.nearest(target) is None
