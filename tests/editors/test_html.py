"""Editing metas: the worked edits of the format, refusals on shared lines, and the byte promise."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memhtml_heads import FILE, Style, changed_line, file_of, heads, new_line
from memhtml_kit import WORKED_EXAMPLE, memory, meta, page
from memsleep.editors.html import add_meta, remove_meta, set_meta
from memsleep.errors import EditRefused
from memsleep.readers.memhtml_hash import content_hash
from memsleep.readers.memhtml_head import head_of
from memsleep.readers.memhtml_tree import parse
from memsleep.readers.memhtml_vocabulary import META_ORDER

FIRST_ENTRY = page()[: page().index(b"<title>")].count(b"\n") + 1
AWKWARD = "a\"b<c>&d\u00a0e\nf\rg\th'i"


def contents(source: bytes, name: str) -> list[str | None]:
    return [entry.value for entry in head_of(parse(source)).metas if entry.name == name]


SETS = [
    pytest.param(
        "updated", "2026-09-01", changed_line(3, meta("updated", "2026-09-01")), id="updated"
    ),
    pytest.param("confidence", "0.9", new_line(4, meta("confidence", "0.9")), id="confidence"),
    pytest.param("entity", "person:x", new_line(4, meta("entity", "person:x")), id="entity"),
    pytest.param("alias", "z", new_line(6, meta("alias", "z")), id="alias"),
    pytest.param("tag", "z", changed_line(4, meta("tag", "z")), id="first-tag"),
    pytest.param("vibe", "x", FILE, id="unknown-name"),
    pytest.param("tag", "a", FILE, id="same-value"),
    pytest.param(
        "author",
        AWKWARD,
        new_line(4, meta("author", "a&quot;b<c>&amp;d&nbsp;e&#10;f&#13;g\th'i")),
        id="escapes",
    ),
]


@pytest.mark.parametrize(("name", "value", "expected"), SETS)
def test_worked_sets(name: str, value: str, expected: bytes) -> None:
    """Setting a meta gives the bytes of the worked edits."""
    assert set_meta(FILE, f"memhtml-{name}", value) == expected


def test_set_a_name_without_prefix() -> None:
    """A meta that is not of the format is never touched."""
    assert set_meta(FILE, "description", "x") is FILE


ADDS = [
    pytest.param("tag", "c", new_line(6, meta("tag", "c")), id="after-the-last"),
    pytest.param("tag", "b", FILE, id="there-already"),
    pytest.param("updated", "2027-01-01", new_line(4, meta("updated", "2027-01-01")), id="scalar"),
    pytest.param("entity", "a:b", new_line(4, meta("entity", "a:b")), id="first-of-its-name"),
    pytest.param("vibe", "x", FILE, id="unknown-name"),
]


@pytest.mark.parametrize(("name", "value", "expected"), ADDS)
def test_worked_adds(name: str, value: str, expected: bytes) -> None:
    """Adding a meta gives the bytes of the worked edits."""
    assert add_meta(FILE, f"memhtml-{name}", value) == expected


def test_worked_remove() -> None:
    """Removing tag takes both lines; removing what is absent is nothing."""
    expected = FILE.replace(b'<meta name="memhtml-tag" content="a">\n', b"")
    expected = expected.replace(b'<meta name="memhtml-tag" content="b">\n', b"")
    assert remove_meta(FILE, "memhtml-tag") == expected
    assert remove_meta(FILE, "memhtml-alias") is FILE
    assert remove_meta(FILE, "description") is FILE


def test_first_duplicate_changes() -> None:
    """Of a meta stated twice the first takes the value."""
    twice = add_meta(FILE, "memhtml-updated", "2027-01-01")
    assert contents(set_meta(twice, "memhtml-updated", "X"), "memhtml-updated") == [
        "X",
        "2027-01-01",
    ]


def test_misplaced_type() -> None:
    """With the type after the link, confidence goes before tag a and alias after the type."""
    type_line = meta("type", "semantic").encode() + b"\n"
    moved = FILE.replace(type_line, b"").replace(b"</head>", type_line + b"</head>")
    confidence = meta("confidence", "1").encode() + b"\n"
    tag = b'<meta name="memhtml-tag" content="a">'
    assert set_meta(moved, "memhtml-confidence", "1") == moved.replace(tag, confidence + tag)
    alias = meta("alias", "z").encode() + b"\n"
    expected = moved.replace(b"</head>", alias + b"</head>")
    assert set_meta(moved, "memhtml-alias", "z") == expected


def test_reverse_order() -> None:
    """Setting every name in reverse leaves the metas in canonical order."""
    source = page(head=("<title>T</title>",))
    for name in reversed(META_ORDER):
        source = set_meta(source, name, "x")
    assert [entry.name for entry in head_of(parse(source)).metas] == list(META_ORDER)


def test_links_alone() -> None:
    """With links but no metas the first meta lands after the links."""
    link = '<link rel="memhtml-part-of" href="/a.html">'
    source = page(head=("<title>T</title>", link))
    expected = page(head=("<title>T</title>", link, meta("tag", "x")))
    assert set_meta(source, "memhtml-tag", "x") == expected


def test_unknown_names_come_last() -> None:
    """A name outside the format counts as greater than every other."""
    source = page(head=("<title>T</title>", meta("vibe", "x")))
    expected = page(head=("<title>T</title>", meta("alias", "y"), meta("vibe", "x")))
    assert set_meta(source, "memhtml-alias", "y") == expected


RESPELLED = [
    b"<META content='1' name=memhtml-updated />",
    b'<meta name="memhtml-updated" content="1"/>',
    b'<meta  name="memhtml-updated" content="1">',
    b"<meta name='memhtml-updated' content='1'>",
    b"<meta name=memhtml-updated content=1>",
    b'<meta content="1" name="memhtml-updated">',
    b'<meta\n name="memhtml-updated"\n content="1"\n>',
    b'<meta name="memhtml-updated" content=1">',
    b'<meta name="memhtml-updated" content="1" content="2">',
]


@pytest.mark.parametrize("written", RESPELLED)
def test_other_spellings_become_canonical(written: bytes) -> None:
    """An entry in another spelling is written anew, whatever stands beside it."""
    value = contents(page(written.decode()), "memhtml-updated")[-1]
    source = FILE.replace(meta("updated", "2026-08-02T00:00:00Z").encode(), b"  " + written + b" ")
    assert written in source
    wanted = source.replace(written, meta("updated", "1").encode())
    assert set_meta(source, "memhtml-updated", "1") == wanted
    if value == "1":
        assert set_meta(wanted, "memhtml-updated", "1") is wanted


@pytest.mark.parametrize(
    "written",
    [
        b'<meta name="memhtml-updated" content="&#49;">',
        b'<meta name="memhtml-updated" content="1" data-by="me">',
        b"<meta id=x name=memhtml-updated content=1>",
    ],
)
def test_equal_when_decoded(written: bytes) -> None:
    """A value that is equal when decoded changes nothing, nor do further attributes."""
    source = FILE.replace(meta("updated", "2026-08-02T00:00:00Z").encode(), written)
    assert set_meta(source, "memhtml-updated", "1") is source


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("<meta id=x name=memhtml-tag content=1>", '<meta id=x name=memhtml-tag content="2&amp;">'),
        (
            "<meta id=x name=memhtml-tag content='1'>",
            "<meta id=x name=memhtml-tag content='2&amp;'>",
        ),
        ("<meta id=x name=memhtml-tag content>", '<meta id=x name=memhtml-tag content="2&amp;">'),
        ("<meta id=x name=memhtml-tag>", '<meta content="2&amp;" id=x name=memhtml-tag>'),
        (
            '<meta name="memhtml-tag" content="1" id=x>',
            '<meta name="memhtml-tag" content="2&amp;" id=x>',
        ),
    ],
)
def test_further_attributes_stay(written: str, wanted: str) -> None:
    """An entry with further attributes keeps them; only its value is written."""
    assert set_meta(page(written), "memhtml-tag", "2&") == page(wanted)


def test_existing_value_on_a_shared_line() -> None:
    """The value of an existing meta can be set whatever else is on its line."""
    one_line = WORKED_EXAMPLE.replace(b"\n<", b"<")
    changed = set_meta(one_line, "memhtml-confidence", "0.5")
    assert changed == one_line.replace(b'content="0.80"', b'content="0.5"')


ONE_LINE = page(meta("tag", "a"), meta("tag", "b")).replace(b"\n", b"")
TAG = meta("tag", "a").encode()
INSERTIONS_REFUSED = [
    pytest.param(ONE_LINE, id="document-on-one-line"),
    pytest.param(FILE.replace(b"\n", b"\r"), id="lone-carriage-returns"),
    pytest.param(FILE.replace(b"\n" + TAG, TAG), id="entry-before"),
    pytest.param(FILE.replace(TAG, b"<title>x</title>" + TAG), id="title-before"),
    pytest.param(FILE.replace(TAG, b"<!--\n-->" + TAG), id="comment-over-two-lines"),
    pytest.param(FILE.replace(TAG, b"<!--\n<!-- -->" + TAG), id="line-starts-in-a-comment"),
]


@pytest.mark.parametrize("source", INSERTIONS_REFUSED)
def test_insertion_refused(source: bytes) -> None:
    """No line is inserted where the neighbour shares its line."""
    with pytest.raises(EditRefused) as refused:
        set_meta(source, "memhtml-confidence", "0.5")
    assert refused.value.line is not None


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(b"<title>T</title></head>\n<p>x", id="title-and-head-end"),
        pytest.param(b"<head><title>T</title></head>", id="head-on-one-line"),
        pytest.param(b"<title>T</title>\n<body>x", id="implied-head-end"),
        pytest.param(b"", id="empty"),
        pytest.param(b'<head>\n<meta name="memhtml-type" content="x">', id="no-line-end"),
        pytest.param(b'<head>\n<meta name="memhtml-type" content="x">y\n</head>', id="text-after"),
        pytest.param(b"\xef\xbb\xbf" + FILE, id="byte-order-mark"),
        pytest.param(FILE + b"\xff", id="not-utf8"),
    ],
)
def test_no_place_for_a_meta(source: bytes) -> None:
    """Where there is no line to stand on, a new meta is refused."""
    with pytest.raises(EditRefused):
        set_meta(source, "memhtml-alias", "x")


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(ONE_LINE, id="document-on-one-line"),
        pytest.param(FILE.replace(TAG + b"\n", TAG), id="two-of-one-name"),
        pytest.param(FILE.replace(TAG, TAG + b" <!-- why -->"), id="comment-would-go"),
        pytest.param(FILE.replace(b'"b">\n', b'"b">'), id="link-beside"),
        pytest.param(FILE.replace(b"<head>\n", b"<head>").replace(b"<title>", TAG), id="head"),
    ],
)
def test_deletion_refused(source: bytes) -> None:
    """No line is deleted that holds something else."""
    with pytest.raises(EditRefused):
        remove_meta(source, "memhtml-tag")


def test_refusal_names_the_line() -> None:
    """The refusal names the line that is shared."""
    with pytest.raises(EditRefused) as refused:
        remove_meta(FILE.replace(b'"a">\n', b'"a">'), "memhtml-tag")
    assert refused.value.line == FILE[: FILE.index(b'content="a"')].count(b"\n") + 1


def test_comments_beside_the_neighbour() -> None:
    """A complete comment beside the neighbour is no hindrance to an insertion."""
    tag = b'<meta name="memhtml-tag" content="b">'
    source = FILE.replace(tag, b"<!-- b --> " + tag + b" <!-- c -->")
    wanted = source.replace(b"<!-- c -->\n", b"<!-- c -->\n" + meta("tag", "c").encode() + b"\n")
    assert add_meta(source, "memhtml-tag", "c") == wanted


@pytest.mark.parametrize("indent", ["  ", "\t", " \t "])
def test_inserted_lines_are_indented_like_their_neighbour(indent: str) -> None:
    """A line above, below or alone in a head starts where the entry beside it does."""
    lines = [f"{indent}{line}" for line in (meta("status", "active"), meta("tag", "a"))]
    source = page(head=(f"{indent}<title>T</title>", *lines))
    above = page(head=(f"{indent}<title>T</title>", f"{indent}{meta('type', 'x')}", *lines))
    assert set_meta(source, "memhtml-type", "x") == above
    below = page(head=(f"{indent}<title>T</title>", *lines, f"{indent}{meta('alias', 'x')}"))
    assert set_meta(source, "memhtml-alias", "x") == below
    assert add_meta(source, "memhtml-tag", "x") == below.replace(b"alias", b"tag")


@pytest.mark.parametrize("value", ["\0", "a\0b"])
def test_values_that_html_cannot_hold(value: str) -> None:
    """A value that would not be read back is refused."""
    with pytest.raises(EditRefused):
        set_meta(FILE, "memhtml-author", value)


def test_hash_does_not_move() -> None:
    """No edit of the head moves the content hash."""
    before = content_hash(WORKED_EXAMPLE)
    edited = add_meta(set_meta(WORKED_EXAMPLE, "memhtml-due", "2026-01-01"), "memhtml-tag", "x")
    assert edited != WORKED_EXAMPLE
    assert content_hash(edited) == before
    assert memory(edited).tags == ("multi tenant", "x")


VALUES = st.text(
    st.sampled_from("ab\"'<>& \u00a0\t\n\r\u00e9\u2028\U0001f680;#=/-")
    | st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")),
    max_size=12,
)


def one_line_more(old: list[bytes], new: list[bytes]) -> bool:
    """Return True when the new lines are the old ones with one inserted."""
    return any(new[:place] + new[place + 1 :] == old for place in range(len(new)))


@given(heads(), st.sampled_from(META_ORDER), VALUES)
def test_set_is_minimal(style: Style, name: str, value: str) -> None:
    """After a set the value is read back, and no byte outside the entry's line has changed."""
    source = file_of(style)
    before = contents(source, name)
    after = set_meta(source, name, value)
    assert contents(after, name) == [value, *before[1:]]
    old, new = source.split(b"\n"), after.split(b"\n")
    if before:
        entry = next(i for i, written in enumerate(style.entries) if written.name == name)
        row = FIRST_ENTRY + entry
        assert [*new[:row], old[row], *new[row + 1 :]] == old
        assert new[row].startswith(style.indents[entry].encode() + b"<meta")
    else:
        assert one_line_more(old, new)
    assert after.count(b"\r\n") == (after.count(b"\n") if style.crlf else 0)
    assert set_meta(after, name, value) is after


@given(heads(), st.sampled_from(META_ORDER), VALUES)
def test_add_is_minimal(style: Style, name: str, value: str) -> None:
    """After an add the value stands last of its name, and no other byte has changed."""
    source = file_of(style)
    before = contents(source, name)
    after = add_meta(source, name, value)
    if value in before:
        assert after is source
        return
    assert contents(after, name) == [*before, value]
    assert one_line_more(source.split(b"\n"), after.split(b"\n"))
    assert after.count(b"\r\n") == (after.count(b"\n") if style.crlf else 0)
    assert add_meta(after, name, value) is after


@given(heads(), st.sampled_from(META_ORDER))
def test_remove_is_minimal(style: Style, name: str) -> None:
    """After a removal nothing of the name is left, and everything else is."""
    source = file_of(style)
    after = remove_meta(source, name)
    assert contents(after, name) == []
    others = [entry for entry in style.entries if entry.name != name]
    assert after == file_of(style, others)
    assert remove_meta(after, name) is after


@given(heads(), st.sampled_from(META_ORDER), VALUES)
def test_set_then_remove_is_nothing(style: Style, name: str, value: str) -> None:
    """Setting a meta that was absent and removing it gives the file back."""
    source = file_of(style)
    assume(not contents(source, name))
    assert remove_meta(set_meta(source, name, value), name) == source


@given(heads(plain=True), st.sampled_from(META_ORDER), st.sampled_from('ab"<&'))
def test_like_the_rules(style: Style, name: str, value: str) -> None:
    """On plain heads, set and add write what the rules of the format say, line by line."""
    source = file_of(style)
    names = [entry.name for entry in style.entries]
    line = meta(name.removeprefix("memhtml-"), value.replace("&", "&amp;").replace('"', "&quot;"))
    lines = [entry.written for entry in style.entries]
    ranks = [META_ORDER.index(n) if n in META_ORDER else -1 for n in names]
    rank = META_ORDER.index(name)
    metas = [i for i, r in enumerate(ranks) if r >= 0]
    later = [i for i in metas if ranks[i] > rank]
    place = later[0] if later else metas[-1] + 1 if metas else len(lines)
    if name in names:
        wanted_set = [*lines[: names.index(name)], line, *lines[names.index(name) + 1 :]]
        place = len(names) - names[::-1].index(name)
        wanted_add = lines if line in lines else [*lines[:place], line, *lines[place:]]
    else:
        wanted_set = wanted_add = [*lines[:place], line, *lines[place:]]
    assert set_meta(source, name, value) == page(head=("<title>T</title>", *wanted_set))
    assert add_meta(source, name, value) == page(head=("<title>T</title>", *wanted_add))
