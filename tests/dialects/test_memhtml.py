"""The memhtml dialect: fields, lists, links and details as the night writes them."""

from __future__ import annotations

import pytest

from memhtml_kit import CLAIM, WORKED_EXAMPLE, memory, meta, page
from memsleep.dialects.base import Dialect, FieldName
from memsleep.dialects.memhtml import MEMHTML, META_NAMES
from memsleep.errors import EditRefused
from memsleep.model import Link, Unreadable

DIALECT: Dialect = MEMHTML
HASH = "sha256:" + "0a" * 32
LINK = '<link rel="memhtml-part-of" href="/areas/b.html">'


def entry(source: bytes, name: str) -> str | None:
    return memory(source).raw.get(name)


FIELDS: list[tuple[FieldName, str, str]] = [
    ("status", "archived", 'memhtml-status" content="archived"'),
    ("updated", "2026-11-30T00:00:00Z", 'memhtml-updated" content="2026-11-30T00:00:00Z"'),
    ("created", "2026-11-30", 'memhtml-created" content="2026-11-30"'),
    ("valid_from", "2026-11-30", 'memhtml-valid-from" content="2026-11-30"'),
    ("valid_until", "2026-11-30", 'memhtml-valid-until" content="2026-11-30"'),
    ("archived_at", "2026-11-30", 'memhtml-archived" content="2026-11-30"'),
    ("confidence", "0.875", 'memhtml-confidence" content="0.875"'),
    ("importance", "7", 'memhtml-importance" content="7"'),
    ("reprieves", "2", 'memhtml-reprieves" content="2"'),
    ("superseded_by", "areas/b.html", 'memhtml-superseded-by" content="/areas/b.html"'),
    ("content_hash", HASH, f'memhtml-content-hash" content="{HASH}"'),
]


@pytest.mark.parametrize(("field", "value", "written"), FIELDS)
def test_fields(field: FieldName, value: str, written: str) -> None:
    """Each field is written to its meta, read back, and written again to no effect."""
    source = page()
    after = DIALECT.set_field(memory(source), source, field, value)
    assert after is not None
    assert f'<meta name="{written}>'.encode() in after
    assert (entry(after, field) or "").removeprefix("/") == value
    assert DIALECT.set_field(memory(after), after, field, value) is after


def test_every_field_has_a_row() -> None:
    """The table above leaves no field out."""
    assert {field for field, _, _ in FIELDS} == set(META_NAMES)


def test_event_time_is_not_a_head_field() -> None:
    """The dialect has no place for an event time."""
    source = page()
    assert DIALECT.set_field(memory(source), source, "event_time", "2026-01-01") is None
    assert DIALECT.remove_field(memory(source), source, "event_time") is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "gone"),
        ("updated", "yesterday"),
        ("valid_until", "2026-02-30"),
        ("confidence", "1.5"),
        ("confidence", "high"),
        ("importance", "11"),
        ("reprieves", "-1"),
        ("superseded_by", ""),
        ("superseded_by", "../x.html"),
        ("content_hash", "garbage"),
    ],
)
def test_values_that_would_break_the_file(field: FieldName, value: str) -> None:
    """A value that the format does not admit is not written."""
    source = page()
    with pytest.raises(EditRefused):
        DIALECT.set_field(memory(source), source, field, value)


def test_remove_field() -> None:
    """An optional field goes with its line, an absent one is nothing, a required one stays."""
    source = page()
    stamped = page(meta("valid-until", "2026-01-01"))
    assert DIALECT.remove_field(memory(stamped), stamped, "valid_until") == source
    assert DIALECT.remove_field(memory(source), source, "valid_until") is source
    with pytest.raises(EditRefused):
        DIALECT.remove_field(memory(source), source, "created")


def test_add_value() -> None:
    """A tag, an entity and an alias are added once."""
    source = page(meta("tag", "a"))
    for name in ("tags", "entities", "aliases"):
        after = DIALECT.add_value(memory(source), source, name, "x:y")
        assert after is not None
        assert getattr(memory(after), name)[-1] == "x:y"
        assert DIALECT.add_value(memory(after), after, name, "x:y") is after


def test_implied_entities_are_not_stated_again() -> None:
    """A defined term is an entity already; no line says so again."""
    source = page(article=CLAIM + "<p><dfn>wal</dfn></p>")
    assert DIALECT.add_value(memory(source), source, "entities", "concept:wal") is source


def test_add_link() -> None:
    """A link is stated once, with a leading slash."""
    source = page()
    after = DIALECT.add_link(memory(source), source, "part_of", "areas/b.html")
    assert after == page(LINK)
    assert DIALECT.add_link(memory(after), after, "part_of", "areas/b.html") is after
    underscored = page(LINK.replace("part-of", "part_of"))
    same = DIALECT.add_link(memory(underscored), underscored, "part_of", "areas/b.html")
    assert same is underscored


def test_links_that_say_nothing() -> None:
    """A link to itself is not written, and an unknown relation has no place."""
    source = page()
    itself = memory(source)
    assert DIALECT.add_link(itself, source, "part_of", itself.path) is source
    assert DIALECT.add_link(itself, source, "likes", "areas/b.html") is None
    assert DIALECT.add_link(itself, source, "part-of", "areas/b.html") is None


@pytest.mark.parametrize("target", ["", "../a.html", "a//b.html", "a/./b.html", "a?b.html", "a#b"])
def test_targets_without_an_href(target: str) -> None:
    """A path that an href cannot spell is refused."""
    source = page(LINK)
    found = memory(source)
    with pytest.raises(EditRefused):
        DIALECT.add_link(found, source, "supports", target)
    with pytest.raises(EditRefused):
        DIALECT.retarget_link(found.path, source, found.links[0], target)


def test_remove_link() -> None:
    """A link of the head goes with its line, however it is spelled; an anchor stays."""
    source = page(
        LINK.replace("part-of", "part_of"), article=CLAIM + '<a href="/areas/b.html">b</a>'
    )
    head, anchor = memory(source).links
    assert DIALECT.remove_link(source, head) == page(
        article=CLAIM + '<a href="/areas/b.html">b</a>'
    )
    with pytest.raises(EditRefused):
        DIALECT.remove_link(source, anchor)


ARCHIVED = "archive/2026/areas/b.html"


def test_retarget_head_link() -> None:
    """A head link is pointed elsewhere, keeping query and fragment."""
    source = page(LINK.replace("b.html", "b.html?x#y"))
    (link,) = memory(source).links
    assert link.target == "areas/b.html"
    after = DIALECT.retarget_link("areas/a.html", source, link, ARCHIVED)
    assert after == source.replace(b"/areas/b.html", b"/archive/2026/areas/b.html")
    assert memory(after).links[0].target == ARCHIVED


def test_retarget_collapses() -> None:
    """Where the link to the new place is stated already, one of the two goes."""
    kept = LINK.replace("areas", "archive/2026/areas")
    source = page(LINK, kept)
    assert DIALECT.retarget_link("areas/a.html", source, memory(source).links[0], ARCHIVED) == page(
        kept
    )


@pytest.mark.parametrize(
    ("path", "written", "target", "wanted"),
    [
        ("areas/a.html", '"/areas/b.html#x"', ARCHIVED, '"/archive/2026/areas/b.html#x"'),
        ("areas/a.html", '"b.html"', ARCHIVED, '"../archive/2026/areas/b.html"'),
        ("areas/x/a.html", "'../b.html?q'", ARCHIVED, "'../../archive/2026/areas/b.html?q'"),
        ("areas/a.html", "b.html", "areas/c.html", '"c.html"'),
        ("areas/a.html", '"b.html"', "areas/c d%.html", '"c%20d%25.html"'),
        ("areas/a.html", '"/areas/b%20c.html"', "areas/\u00e9.html", '"/areas/%C3%A9.html"'),
        ("areas/a.html", '"b.html"', "areas/c:d.html", '"./c:d.html"'),
        ("a.html", '"b.html"', "x/c.html", '"x/c.html"'),
    ],
)
def test_retarget_anchor(path: str, written: str, target: str, wanted: str) -> None:
    """An anchor keeps its form: root-relative or relative to where the file lies."""
    source = page(article=f"{CLAIM}<p><a href={written}>b</a></p>")
    (link,) = memory(source, path).links
    after = DIALECT.retarget_link(path, source, link, target)
    assert after == page(article=f"{CLAIM}<p><a href={wanted}>b</a></p>")


def test_stale_link_is_refused() -> None:
    """A link that was read from other bytes is not met."""
    source = page(LINK)
    stale = memory(page(meta("tag", "x"), LINK)).links[0]
    with pytest.raises(EditRefused):
        DIALECT.retarget_link("areas/a.html", source, stale, ARCHIVED)
    with pytest.raises(EditRefused):
        DIALECT.remove_link(source, stale)


def test_append_details() -> None:
    """Sentences become paragraphs at the end of the article."""
    source = page()
    after = DIALECT.append_details(memory(source), source, ("One.", "Two."), "areas/b.html")
    assert after == page(article=CLAIM + "\n<p>One.</p>\n<p>Two.</p>")
    assert DIALECT.append_details(memory(source), source, (), "areas/b.html") is source


def test_read() -> None:
    """A file is a memory or says why it is none."""
    assert DIALECT.read("areas/a.html", WORKED_EXAMPLE) == memory(WORKED_EXAMPLE)
    assert isinstance(DIALECT.read("areas/a.html", b""), Unreadable)
    assert memory(page()).dialect == DIALECT.name == "memhtml"


README = b'<p><a href="areas/a.html">a</a> <a href="https://x">x</a> <a href="#top">t</a></p>'


def test_links_of_other_pages() -> None:
    """A page that is no memory gives its anchors; a generated listing gives none."""
    found = DIALECT.read_links("README.html", README)
    assert [(link.target, link.external) for link in found] == [
        ("areas/a.html", False),
        ("https://x", True),
    ]
    after = DIALECT.retarget_link("README.html", README, found[0], "archive/2026/areas/a.html")
    assert after == README.replace(b"areas/a.html", b"archive/2026/areas/a.html")
    assert DIALECT.read_links("areas/index.html", README) == ()
    assert DIALECT.read_links("sitemap.xml", README) == ()
    assert DIALECT.read_links("README.html", b"\xff") == ()


def test_anchor_without_position_is_refused() -> None:
    """A link that has no span cannot be edited."""
    bare = Link("relates_to", "b.html", 1, "anchor")
    with pytest.raises(EditRefused):
        DIALECT.retarget_link("areas/a.html", page(), bare, "areas/c.html")
