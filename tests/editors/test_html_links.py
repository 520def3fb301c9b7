"""Editing links: the worked edits of the format, retargeting in place, refusals."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memhtml_heads import FILE, TITLE, Style, Written, file_of, heads, new_line
from memhtml_kit import CLAIM, memory, page
from memsleep.editors.html_links import (
    add_link,
    remove_link,
    remove_link_at,
    retarget_anchor,
    retarget_link,
)
from memsleep.errors import EditRefused
from memsleep.readers.memhtml_head import head_of
from memsleep.readers.memhtml_tree import parse

LINK = '<link rel="memhtml-part-of" href="/areas/arcs/x.html">'


def pairs(source: bytes) -> list[tuple[str, str | None]]:
    return [(entry.name, entry.value) for entry in head_of(parse(source)).links]


def starts(source: bytes) -> list[int]:
    """Return where each typed link's href value starts."""
    return [source.index(b"href=", at) + 6 for at in _found(source, b'<link rel="memhtml-')]


def _found(source: bytes, what: bytes) -> list[int]:
    return [at for at in range(len(source)) if source.startswith(what, at)]


ADDS = [
    pytest.param(
        "supports",
        "/areas/y.html",
        '<link rel="memhtml-supports" href="/areas/y.html">',
        id="other",
    ),
    pytest.param(
        "part_of",
        '/areas/arcs/z.html?x=1&y="2"',
        '<link rel="memhtml-part-of" href="/areas/arcs/z.html?x=1&amp;y=&quot;2&quot;">',
        id="escapes",
    ),
]


@pytest.mark.parametrize(("relation", "href", "line"), ADDS)
def test_worked_adds(relation: str, href: str, line: str) -> None:
    """A new link is a line after the last one."""
    assert add_link(FILE, relation, href) == new_line(7, line)


def test_add_twice() -> None:
    """The same pair is stated once, another href under the same relation is another line."""
    assert add_link(FILE, "part_of", "/areas/arcs/x.html") is FILE
    once = add_link(FILE, "part_of", "/a.html")
    assert add_link(once, "part_of", "/a.html") is once
    assert len(pairs(once)) == 2


def test_underscore_spelling_is_another_link() -> None:
    """A link with underscores is not recognised: the hyphenated one is added beside it."""
    source = FILE.replace(b"part-of", b"part_of")
    assert len(pairs(add_link(source, "part_of", "/areas/arcs/x.html"))) == 2
    assert remove_link(source, "part_of") is source


def test_first_link_goes_after_the_metas() -> None:
    """Without links the line goes after the last meta; without metas before the head's end."""
    bare = FILE.replace(LINK.encode() + b"\n", b"")
    assert add_link(bare, "part_of", "/areas/arcs/x.html") == FILE
    empty = page(head=(TITLE,))
    assert add_link(empty, "supports", "/a") == page(
        head=(TITLE, '<link rel="memhtml-supports" href="/a">')
    )


def test_worked_removals() -> None:
    """A removed link takes its line; another href is another link."""
    assert remove_link(FILE, "part_of") == FILE.replace(LINK.encode() + b"\n", b"")
    assert remove_link(FILE, "part_of", "/nope.html") is FILE
    assert remove_link(FILE, "supports") is FILE


def test_remove_then_add() -> None:
    """The other links keep their order and the new one comes last."""
    source = add_link(add_link(FILE, "supports", "/b"), "supports", "/c")
    source = add_link(remove_link(source, "supports", "/b"), "supports", "/b")
    assert [href for _, href in pairs(source)] == ["/areas/arcs/x.html", "/c", "/b"]


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ('href="/old.html"', 'href="/n&amp;w.html"'),
        ("href='/old.html'", "href='/n&amp;w.html'"),
        ("href = /old.html", 'href = "/n&amp;w.html"'),
        ('href="/old.html?a=1&b#c"', 'href="/n&amp;w.html?a=1&b#c"'),
        ('href="/old.html#&eacute;"', 'href="/n&amp;w.html#&eacute;"'),
        ('href="/ol&#100;.html#c"', 'href="/n&amp;w.html#c"'),
        ('href="/old.html&#35;c"', 'href="/n&amp;w.html#c"'),
        ("href=/old.html#c", 'href="/n&amp;w.html#c"'),
        ('href="/old.html" id=x class', 'href="/n&amp;w.html" id=x class'),
    ],
)
def test_retarget_is_a_splice(written: str, wanted: str) -> None:
    """Only the path of the href changes; query, fragment and further attributes stay."""
    source = FILE.replace(b'href="/areas/arcs/x.html"', written.encode())
    start = source.index(written.encode()) + written.index("/")
    expected = source.replace(written.encode(), wanted.encode())
    assert retarget_link(source, start, "/n&w.html") == expected


def test_retarget_to_where_it_points() -> None:
    """A link that points there already stays, however it is written."""
    source = FILE.replace(b"/areas/arcs/x.html", b"/areas/arcs/&#120;.html")
    assert retarget_link(source, starts(source)[0], "/areas/arcs/x.html") is source


def test_retarget_collapses() -> None:
    """Where the new link stands already, the old line goes instead."""
    source = add_link(FILE, "part_of", "/b.html")
    assert pairs(retarget_link(source, starts(source)[0], "/b.html")) == [
        ("memhtml-part-of", "/b.html")
    ]
    other = add_link(FILE, "supports", "/b.html")
    assert len(pairs(retarget_link(other, starts(other)[0], "/b.html"))) == 2


@pytest.mark.parametrize("start", [0, -1, 10_000])
def test_links_are_met_where_they_were_read(start: int) -> None:
    """A position without a link is refused."""
    for edit in (
        lambda: retarget_link(FILE, start, "/b.html"),
        lambda: retarget_anchor(FILE, start, "/b.html"),
        lambda: remove_link_at(FILE, start),
    ):
        with pytest.raises(EditRefused):
            edit()


@pytest.mark.parametrize(
    "source",
    [
        FILE.replace(b"\n", b""),
        FILE.replace(LINK.encode() + b"\n", LINK.encode()),
        FILE.replace(b"\n" + LINK.encode(), LINK.encode()),
        FILE.replace(LINK.encode(), LINK.encode() + b"<!-- c -->"),
    ],
)
def test_shared_lines_are_not_deleted(source: bytes) -> None:
    """A link that shares its line is not removed."""
    with pytest.raises(EditRefused):
        remove_link(source, "part_of")


ANCHOR = (
    CLAIM
    + '\n<p>See <a class="" href="/areas/b.html#top" title=t>b</a> and <a href=c.html>c</a>.</p>'
)


def test_retarget_anchor() -> None:
    """An anchor's path changes in place."""
    source = page(article=ANCHOR)
    start = source.index(b"/areas/b.html")
    assert retarget_anchor(source, start, "/x&y.html") == source.replace(
        b"/areas/b.html", b"/x&amp;y.html"
    )
    start = source.index(b"c.html>")
    assert retarget_anchor(source, start, "d.html") == source.replace(b"=c.html", b'="d.html"')
    assert retarget_anchor(source, start, "c.html") is source


def test_open_anchor_is_refused() -> None:
    """An anchor that the parser repeats is not edited."""
    source = page(article=CLAIM + "<p><a href='/b.html'>x<p>y")
    with pytest.raises(EditRefused):
        retarget_anchor(source, source.index(b"/b.html"), "/c.html")


def test_unclosed_head_entry_is_not_met() -> None:
    """A link in the article is no link of the head."""
    source = page(article=CLAIM + LINK)
    assert memory(source).links == ()
    with pytest.raises(EditRefused):
        remove_link_at(source, source.index(b"/areas/arcs"))


PATHS = st.sampled_from(
    ["/areas/n.html", "/a b.html", "/&.html", "/\u00e9'\".html", "/areas/a.html"]
)


@given(heads(), st.data(), PATHS)
def test_retarget_is_minimal(style: Style, data: st.DataObject, path: str) -> None:
    """After retargeting the head states the new link once, and every other line is as before."""
    source = file_of(style)
    links = [entry for entry in style.entries if entry.link]
    assume(links)
    index = data.draw(st.integers(0, len(links) - 1))
    before = pairs(source)
    after = retarget_link(source, starts(source)[index], path)
    suffix = "?x=1&y#z" if "?" in (before[index][1] or "") else ""
    asked = (before[index][0], path + suffix)
    alike = {pair[0].replace("_", "-") for pair in before if pair[1] == asked[1]}
    if before[index] == asked:
        assert after is source
    elif asked[0].replace("_", "-") in alike:
        assert pairs(after) == before[:index] + before[index + 1 :]
        assert after == file_of(style, without(style, links[index]))
    else:
        assert pairs(after) == [*before[:index], asked, *before[index + 1 :]]
        old, new = source.split(b"\n"), after.split(b"\n")
        assert sum(a != b for a, b in zip(old, new, strict=True)) == 1


def without(style: Style, gone: Written) -> list[Written]:
    return [entry for entry in style.entries if entry is not gone]


@given(heads(), st.sampled_from(["part_of", "supports", "leads_to"]), PATHS)
def test_add_is_minimal(style: Style, relation: str, href: str) -> None:
    """Adding a link twice is adding it once, and removing it gives the file back."""
    source = file_of(style)
    before = pairs(source)
    after = add_link(source, relation, href)
    pair = ("memhtml-" + relation.replace("_", "-"), href)
    if pair in before:
        assert after is source
        return
    assert pairs(after) == [*before, pair]
    assert add_link(after, relation, href) is after
    assert remove_link(after, relation, href) == source
