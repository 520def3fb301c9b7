from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.config.lines import key_lines

CASES = [
    pytest.param("", {}, id="empty"),
    pytest.param("# [a]\n#b = 1\n", {}, id="comments"),
    pytest.param("a = 1\nb = 2", {("a",): 1, ("b",): 2}, id="no-final-newline"),
    pytest.param("\r\n[a]\r\nb = 1\r\n", {("a",): 2, ("a", "b"): 3}, id="crlf"),
    pytest.param(
        "[a.b]\nc = 1\n[a]\nd = 2\n",
        {("a",): 1, ("a", "b"): 1, ("a", "b", "c"): 2, ("a", "d"): 4},
        id="table-below-another",
    ),
    pytest.param(
        "a.b = 1\na . c = 2\n", {("a",): 1, ("a", "b"): 1, ("a", "c"): 2}, id="dotted-keys"
    ),
    pytest.param(
        '"a.b" = 1\n\'c d\'.e = 2\n"\\u0041" = 3\n',
        {("a.b",): 1, ("c d",): 2, ("c d", "e"): 2, ("A",): 3},
        id="quoted-keys",
    ),
    pytest.param(
        "a = {b = 1, c = {d = 2}}\ne = 3\n",
        {("a",): 1, ("a", "b"): 1, ("a", "c"): 1, ("a", "c", "d"): 1, ("e",): 2},
        id="inline-tables",
    ),
    pytest.param(
        'a = [\n  "x = 1",\n  # b = 2\n  ["]"], # c\n]\nd = 1\n',
        {("a",): 1, ("d",): 6},
        id="array-over-lines",
    ),
    pytest.param(
        'a = """\n[b]\nc = 1\n"""\nd = 1\n', {("a",): 1, ("d",): 5}, id="string-over-lines"
    ),
    pytest.param("a = '''\nb = \"\"\"1\n'''\nc = 1\n", {("a",): 1, ("c",): 4}, id="literal-string"),
    pytest.param(
        'a = """x""""\nb = """y"""""\nc = 1\n',
        {("a",): 1, ("b",): 2, ("c",): 3},
        id="quotes-before-the-closing-ones",
    ),
    pytest.param(
        'a = "\\"b = 1 # \\\\"\nc = \'\\\'\nd = ""\n',
        {("a",): 1, ("c",): 2, ("d",): 3},
        id="escapes",
    ),
    pytest.param('a = "#"# b = 1\nc = 1 # d\n', {("a",): 1, ("c",): 2}, id="comment-after-value"),
    pytest.param(
        "a = 1979-05-27 07:32:00\nb = -1e3\nc = inf\n",
        {("a",): 1, ("b",): 2, ("c",): 3},
        id="bare-values",
    ),
    pytest.param(
        "[[a]]\nb = 1\n[[a]]\nb = 2\n", {("a",): 1, ("a", "b"): 2}, id="array-of-tables-first"
    ),
    pytest.param(
        "a = [{b = 1},\n{b = 2}]\nc = 1\n",
        {("a",): 1, ("a", "b"): 1, ("c",): 3},
        id="tables-in-an-array",
    ),
    pytest.param(
        'a = "x\u2028y\x0bz"\nb = 1\n'.replace("\x0b", "\u0085"),
        {("a",): 1, ("b",): 2},
        id="only-newline-ends-a-line",
    ),
]


@pytest.mark.parametrize(("text", "lines"), CASES)
def test_each_key_has_the_line_it_stands_on(text: str, lines: dict[tuple[str, ...], int]) -> None:
    """Tables, dotted keys, inline tables and values over several lines do not mislead it."""
    tomllib.loads(text)
    assert lines == key_lines(text)


VALUES = st.sampled_from(
    ['"""\n[x]\ny = 1\n"""', "'''\n\n'''", "[\n1,\n2,\n]", "{u = 1}", '"# ["', "true", "1_000"]
)


@given(st.lists(st.tuples(VALUES, st.integers(0, 3)), max_size=8))
def test_lines_survive_whatever_stands_between(parts: list[tuple[str, int]]) -> None:
    """The line of a key is one more than the newlines before it."""
    text, expected = "", {}
    for number, (value, blank_lines) in enumerate(parts):
        text += "\n" * blank_lines
        expected[f"k{number}",] = text.count("\n") + 1
        text += f"k{number} = {value}\n"
    found = {path: line for path, line in key_lines(text).items() if path[0] != "u"}
    assert expected == {path: line for path, line in found.items() if len(path) == 1}
