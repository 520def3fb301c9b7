"""Tests of memsleep.editors.frontmatter and of its lists: bytes before, edit, bytes after."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from markdown_kit import sources
from memsleep.editors.frontmatter import add_key, remove_key, set_scalar
from memsleep.editors.frontmatter_lists import add_item, add_text, remove_item
from memsleep.editors.frontmatter_text import encode_scalar
from memsleep.errors import EditRefused
from memsleep.readers.frontmatter import Entry, FrontMatter, Scalar, Sequence, read_front_matter


def block_of(source: bytes) -> FrontMatter:
    block = read_front_matter(source)
    assert isinstance(block, FrontMatter)
    return block


def entry_of(source: bytes, key: str) -> tuple[FrontMatter, Entry]:
    block = block_of(source)
    entry = block.find(key)
    assert entry is not None
    return block, entry


def wrap(block: str) -> bytes:
    return f"---\n{block}---\nbody\n".encode()


SETS = [
    ("k: a\n", "b", "k: b\n"),
    ("k:    a   # note\nl: x\n", "b", "k:    b   # note\nl: x\n"),
    ("k : a\n", "b", "k : b\n"),
    ("k: 'a'\n", "it's", "k: 'it''s'\n"),
    ('k: "a" # n\n', 'q"\\\t\u00e9', 'k: "q\\"\\\\\\t\u00e9" # n\n'),
    ("k: a\r\nl: x\r\n", "b", "k: b\r\nl: x\r\n"),
    ("k: a\n", "x: y", 'k: "x: y"\n'),
    ("k: a\n", "x #y", 'k: "x #y"\n'),
    ("k: a\n", "- x", 'k: "- x"\n'),
    ("k: a\n", "", 'k: ""\n'),
    ("k: a\n", "2024", 'k: "2024"\n'),
    ("k: a\n", "no", 'k: "no"\n'),
    ("k: a\n", "\u4e2d\u6587", "k: \u4e2d\u6587\n"),
    ("k:\nl: x\n", "b", "k: b\nl: x\n"),
    ("k: \nl: x\n", "b", "k: b \nl: x\n"),
    ("k: # c\nl: x\n", "b", "k: b # c\nl: x\n"),
    ("k: ~\n", "b", "k: b\n"),
    ("\u00e9: \U0001f642\nk: a\n", "b", "\u00e9: \U0001f642\nk: b\n"),
    ('"k": a\n', "b", '"k": b\n'),
    ("# c\n\nk: a\n\n", "b", "# c\n\nk: b\n\n"),
    ("a: &x 1\nb: *x\nk: a\n", "b", "a: &x 1\nb: *x\nk: b\n"),
    ("t: R&D and *stars*!\nk: a\n", "b", "t: R&D and *stars*!\nk: b\n"),
    ("j: |\n  k: a\nk: a\n", "b", "j: |\n  k: a\nk: b\n"),
    ("k: a\n  more\nx: 1\n", "new", "k: new\nx: 1\n"),
    ("k: 'a\n  b' # c\nx: 1\n", "it's", "k: 'it''s' # c\nx: 1\n"),
    ('k: "a\\\n  b"\n', "n", 'k: "n"\n'),
    ("k: >\n  a\n  b\nx: 1\n", "new: y", "k: >\n  new: y\nx: 1\n"),
    ("k: |-\n    a\n\n    b\n\n# c\nx: 1\n", "new", "k: |-\n    new\n\n# c\nx: 1\n"),
    ("k: |\n  a\n", "new", "k: |\n  new\n"),
    ("k: |+\n  a\n\n\nx: 1\n", "new", "k: |+\n  new\n\n\nx: 1\n"),
    ("k: >+\n  a\n  b\n\n", "new", "k: >+\n  new\n\n"),
    ("k: |2\n   a\n  b\n", "new", "k: |2\n  new\n"),
    ("k: >-4\n      a\nx: 1\n", "new", "k: >-4\n    new\nx: 1\n"),
    ("k: |2+\n   a\n\nx: 1\n", "new", "k: |2+\n  new\n\nx: 1\n"),
    ("k: | # why\n  a\n  # text\n", "new", "k: | # why\n  new\n"),
    ("k: |-  \r\n  a\r\nx: 1\r\n", "# no", "k: |-  \r\n  # no\r\nx: 1\r\n"),
    ("k:\n  a\n", "b", "k:\n  b\n"),
    ("k:\n  a\n  more\nx: 1\n", "b: c", 'k:\n  "b: c"\nx: 1\n'),
    ("k: # why\n    'a' # c\nx: 1\n", "b", "k: # why\n    'b' # c\nx: 1\n"),
    ("k :\r\n  a\r\n", "- b", 'k :\r\n  "- b"\r\n'),
]
SET_REFUSALS = [
    ("k: a\nk: b\n", "more than once"),
    ("k: &x a\nb: *x\n", "anchor"),
    ("b: &x a\nk: *x\n", "anchor"),
    ("k: !t a\n", "tag"),
    ("k: |\n\nx: 1\n", "several lines"),
    ("k: |2-\n\n", "several lines"),
    ("k: |\n\n  a\n", "meaning"),
    ("k: >\n  a\r  b\n", "line break"),
    ("k:\ta\n", "tab"),
    ("k:\n\n  a\n", "beside"),
    ("k:\n  # why\n  a\n", "beside"),
    ("k: &x\n  a\n", "anchor"),
    ("k: !!str\n  a\n", "tag"),
    ("k:\n  - a\n", "list or a mapping"),
    ("? k\n: a\n", "form"),
    ("k: [a]\n", "list or a mapping"),
    ("k: {a: b}\n", "list or a mapping"),
    ("{k: a}\n", "{...}"),
    ("k: a\nl: 'x\u2028y'\n", "line break"),
]


@pytest.mark.parametrize(("before", "text", "after"), SETS)
def test_set_scalar(before: str, text: str, after: str) -> None:
    """The value's own bytes change, in their quotes; nothing else does."""
    source = wrap(before)
    block, entry = entry_of(source, "k")
    assert set_scalar(source, block, entry, text) == wrap(after)


@pytest.mark.parametrize(("before", "reason"), SET_REFUSALS)
def test_set_scalar_refuses(before: str, reason: str) -> None:
    """What the editor does not fully understand is refused with reason and line."""
    source = wrap(before)
    block, entry = entry_of(source, "k")
    with pytest.raises(EditRefused) as caught:
        set_scalar(source, block, entry, "new")
    assert reason in caught.value.reason
    assert caught.value.line is not None


@pytest.mark.parametrize("before", ["k: a\n", "k: 'a'\n", 'k: "\\x61"\n', "k: a\nk: b\n"])
def test_equal_value_is_the_same_object(before: str) -> None:
    """Setting what a loader reads already changes nothing, whatever the style."""
    source = wrap(before)
    block, entry = entry_of(source, "k")
    assert set_scalar(source, block, entry, "a") is source


def test_set_nested_scalar() -> None:
    """A key of a nested mapping is edited in its place."""
    source = wrap("type: a\nmetadata:\n  node: type\n  kind: b # c\n")
    block, entry = entry_of(source, "metadata.kind")
    after = set_scalar(source, block, entry, "new")
    assert after == wrap("type: a\nmetadata:\n  node: type\n  kind: new # c\n")


@pytest.mark.parametrize("before", ["metadata: {type: b}\n", "metadata: {x: {y: 1}, type: b}\n"])
def test_set_nested_in_braces_is_refused(before: str) -> None:
    """A flow mapping is not edited."""
    source = wrap(before)
    block, entry = entry_of(source, "metadata.type")
    with pytest.raises(EditRefused, match="form"):
        set_scalar(source, block, entry, "new")


def test_dates_and_numbers_stay_plain() -> None:
    """A value that is no text keeps its missing quotes."""
    source = wrap("k: 2026-01-01\n")
    block, entry = entry_of(source, "k")
    assert set_scalar(source, block, entry, "2026-02-02", textual=False) == wrap("k: 2026-02-02\n")


ADDS = [
    ("a: b\n", "new: v\n"),
    ("a: b\r\n", "new: v\r\n"),
    ("  a: b\n", "  new: v\n"),
    ("a:     b\nlong:  c\n", "new:   v\n"),
    ("a    : b\nlong : c\n", "new  : v\n"),
    ("a: b\nlonger: c\n", "new: v\n"),
    ('a: "b"\nc: "d"\n', 'new: "v"\n'),
    ("a: 'b'\nc: d\n", "new: v\n"),
    ("a:\n  - x\n", "new: v\n"),
    ("a: |\n  text\n\n", "new: v\n"),
    ("a: b\n# comment\n\n", "new: v\n"),
    ("a: &x b\nc: *x\n", "new: v\n"),
]


@pytest.mark.parametrize(("before", "line"), ADDS)
def test_add_key(before: str, line: str) -> None:
    """A new key is one line before the closer in the style of its neighbours."""
    source = wrap(before)
    assert add_key(source, block_of(source), "new", "v") == wrap(before + line)


@pytest.mark.parametrize("before", ["{a: b}\n", "b: &x {c: d}\n<<: *x\n", "New: x\n"])
def test_add_key_refuses(before: str) -> None:
    """No key is added to a flow block, beside a merge key, or where it is there already."""
    source = wrap(before)
    with pytest.raises(EditRefused):
        add_key(source, block_of(source), "new", "v")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: b\nk: v # c\nc: d\n", "a: b\nc: d\n"),
        ("a: b\r\nk: v\r\n", "a: b\r\n"),
        ("k:\na: b\n", "a: b\n"),
        ("k: # c\n  v\na: b\n", "a: b\n"),
        ("k:\n  [v,\n   w] # c\n# kept\na: b\n", "# kept\na: b\n"),
        ("k: [a,\n  b]\na: b\n", "a: b\n"),
        ("k:\n- a\n- b # c\n\n# kept\na: b\n", "\n# kept\na: b\n"),
    ],
)
def test_remove_key(before: str, after: str) -> None:
    """A key goes with its lines, comments beside it included; others stay."""
    source = wrap(before)
    block, entry = entry_of(source, "k")
    assert remove_key(source, block, entry) == wrap(after)


@pytest.mark.parametrize("before", ["k: v\n", "k: |\n  v\na: b\n", "k: 1\nk: 2\na: b\n"])
def test_remove_key_refuses(before: str) -> None:
    """The last key of a block, and one that is not understood, stay."""
    source = wrap(before)
    block, entry = entry_of(source, "k")
    with pytest.raises(EditRefused):
        remove_key(source, block, entry)


LISTS = [
    ("k: [a, b]\n", "k: [a, b, new]\n"),
    ("k: [a,b]\n", "k: [a,b,new]\n"),
    ("k: ['a'] # c\n", "k: ['a', 'new'] # c\n"),
    ('k: [ "a" ]\n', 'k: [ "a", "new" ]\n'),
    ("k: []\n", "k: [new]\n"),
    ("k: [\n  a,\n  b,\n]\n", "k: [\n  a,\n  b,\n  new,\n]\n"),
    ("k: [a, # c\n  b]\n", "k: [a, # c\n  b, new]\n"),
    ("k:\n  - a\n  - b # c\nl: x\n", "k:\n  - a\n  - b # c\n  - new\nl: x\n"),
    ("k:\n-   'a'\n", "k:\n-   'a'\n-   'new'\n"),
    ("k:\r\n- a\r\n\r\nl: x\r\n", "k:\r\n- a\r\n- new\r\n\r\nl: x\r\n"),
    ("k: a, b\n", "k: a, b, new\n"),
    ("k: a,b\n", "k: a,b,new\n"),
    ("k: 'a, b' # c\n", "k: 'a, b, new' # c\n"),
    ("k: a b\n", "k: a b new\n"),
    ("k: a\n", "k: a, new\n"),
    ("k: '#a #b'\n", "k: '#a #b #new'\n"),
    ("k:\n", "k: [new]\n"),
    ("k: ~\n", "k: [new]\n"),
    ("k:\n  [a, b]\nl: x\n", "k:\n  [a, b, new]\nl: x\n"),
    ("k: # c\n  []\n", "k: # c\n  [new]\n"),
    ("k:\n  a, b\n", "k:\n  a, b, new\n"),
]
LIST_REFUSALS = [
    "k: [[a]]\n",
    "k: {a: b}\n",
    "k: [&x a]\n",
    "k:\n  - a\n  - |\n    b\n",
    "k:\n  - a\n  -\n    b\n",
    "k:\n\t- a\n",
    "k: [a,\tb]\n",
    "k: [a]\nk: [b]\n",
    "k: >\n  a\n",
]


@pytest.mark.parametrize(("before", "after"), LISTS)
def test_add_text(before: str, after: str) -> None:
    """A list grows by one element in its own style."""
    source = wrap(before)
    block, entry = entry_of(source, "k")
    assert add_text(source, block, entry, "new", words=True) == wrap(after)


@pytest.mark.parametrize("before", LIST_REFUSALS)
def test_add_text_refuses(before: str) -> None:
    """A list in a form that is not understood is refused, or is no front matter at all."""
    source = wrap(before)
    block = read_front_matter(source)
    if isinstance(block, FrontMatter):
        entry = block.find("k")
        assert entry is not None
        with pytest.raises(EditRefused):
            add_text(source, block, entry, "new", words=True)


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ("k: [a]\n", "2024", 'k: [a, "2024"]\n'),
        ("k: [a]\n", "b, c", 'k: [a, "b, c"]\n'),
        ("k:\n- a\n", "b: c", 'k:\n- a\n- "b: c"\n'),
        ("k:\n- a\n", "#b", 'k:\n- a\n- "#b"\n'),
    ],
)
def test_add_text_quotes_what_must_be(before: str, text: str, after: str) -> None:
    """A text that would load as something else is quoted."""
    source = wrap(before)
    block, entry = entry_of(source, "k")
    assert add_text(source, block, entry, text, words=True) == wrap(after)


def test_a_comma_cannot_enter_a_comma_string() -> None:
    """An element that would be read as two is refused."""
    source = wrap("k: a, b\n")
    block, entry = entry_of(source, "k")
    with pytest.raises(EditRefused, match="one element"):
        add_text(source, block, entry, "c, d", words=False)


@pytest.mark.parametrize(
    ("before", "position", "after"),
    [
        ("k: [a, b, c]\nl: x\n", 0, "k: [b, c]\nl: x\n"),
        ("k: [a, b, c]\nl: x\n", 1, "k: [a, c]\nl: x\n"),
        ("k: [a, b, c]\nl: x\n", 2, "k: [a, b]\nl: x\n"),
        ("k: [a]\nl: x\n", 0, "k: []\nl: x\n"),
        ("k:\n- a\n- b\nl: x\n", 0, "k:\n- b\nl: x\n"),
        ("k:\n- a\n- b # c\nl: x\n", 1, "k:\n- a\nl: x\n"),
        ("k:\n- a\nl: x\n", 0, "l: x\n"),
        ("k:\n- {rel: a, to: b}\n- c\n", 0, "k:\n- c\n"),
        ("k:\n- rel: a\n  to: b\n- c\n", 0, "k:\n- c\n"),
    ],
)
def test_remove_item(before: str, position: int, after: str) -> None:
    """One item goes; a block list's last item takes its key along."""
    source = wrap(before)
    block, entry = entry_of(source, "k")
    assert isinstance(entry.value, Sequence)
    assert remove_item(source, block, entry, entry.value.items[position]) == wrap(after)


def test_add_item_as_yaml() -> None:
    """A map can be added to a list of maps."""
    source = wrap("k:\n- {rel: a, to: b}\n")
    block, entry = entry_of(source, "k")
    after = add_item(source, block, entry, "{rel: c, to: d}")
    assert after == wrap("k:\n- {rel: a, to: b}\n- {rel: c, to: d}\n")


def test_an_item_that_is_no_single_value_is_refused() -> None:
    """The proof compares what a loader reads, so that a slip cannot land."""
    source = wrap("k: [a]\n")
    block, entry = entry_of(source, "k")
    with pytest.raises(EditRefused, match="meaning"):
        add_item(source, block, entry, "b] # ")


@example(text="0?", style="", flow=True)
@given(st.text(max_size=30), st.sampled_from(["", "'", '"']), st.booleans())
def test_encoded_text_loads_as_itself(text: str, style: str, flow: bool) -> None:
    """Whatever is written loads as exactly that text."""
    assume(not any(0xD800 <= ord(character) <= 0xDFFF for character in text))
    encoded = encode_scalar(text, style, textual=True, flow=flow)
    loaded = yaml.safe_load(f"k: [{encoded}]" if flow else f"k: {encoded}")
    assert loaded["k"] == ([text] if flow else text)


VALUES = st.text(alphabet="ab 1-:#'\"\\,[]{}&*!|>%@`~?\u00e9\U0001f642", max_size=12)


@given(sources(), VALUES, st.data())
def test_only_the_value_changes(source: bytes, text: str, data: st.DataObject) -> None:
    """After an edit the value is read, all other bytes are the same, and a second edit is none."""
    block = read_front_matter(source)
    assume(isinstance(block, FrontMatter))
    assert isinstance(block, FrontMatter)
    entry = data.draw(st.sampled_from(block.entries))
    try:
        after = set_scalar(source, block, entry, text)
    except EditRefused:
        return
    value = entry.value
    assert isinstance(value, Scalar)
    assert after[: value.start] == source[: value.start]
    assert after.endswith(source[value.end :])
    again = block_of(after)
    changed = again.entries[block.entries.index(entry)]
    assert isinstance(changed.value, Scalar)
    # A block scalar ends with the line feed that its indicator keeps.
    kept = (
        changed.value.text.removesuffix("\n") if value.style in ("|", ">") else changed.value.text
    )
    assert kept == text
    assert after[again.body_start :] == source[block.body_start :]
    assert set_scalar(after, again, changed, text) is after


@given(sources(), VALUES.filter(lambda text: bool(text.strip())), st.data())
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_lists_grow_by_one(source: bytes, text: str, data: st.DataObject) -> None:
    """Extending a list inserts bytes and removes none."""
    block = read_front_matter(source)
    assume(isinstance(block, FrontMatter))
    assert isinstance(block, FrontMatter)
    entry = data.draw(st.sampled_from(block.entries))
    try:
        after = add_text(source, block, entry, text, words=True)
    except EditRefused:
        return
    again = block_of(after)
    assert [e.key for e in again.entries] == [e.key for e in block.entries]
    assert after[again.body_start :] == source[block.body_start :]
    if isinstance(entry.value, Sequence):
        grown = again.entries[block.entries.index(entry)].value
        assert isinstance(grown, Sequence)
        assert len(grown.items) == len(entry.value.items) + 1


@given(sources())
def test_added_keys_are_one_line(source: bytes) -> None:
    """Adding a key inserts one line before the closer; removing it gives the bytes back."""
    block = read_front_matter(source)
    assume(isinstance(block, FrontMatter))
    assert isinstance(block, FrontMatter)
    try:
        after = add_key(source, block, "zz", "v")
    except EditRefused:
        return
    grown = len(after) - len(source)
    assert after[: block.end] == source[: block.end]
    assert after[block.end + grown :] == source[block.end :]
    assert after[block.end : block.end + grown].count(b"\n") == 1
    again, entry = entry_of(after, "zz")
    assert remove_key(after, again, entry) == source
