"""Text of a corpus, made safe to look at."""

from __future__ import annotations

import pytest

from memsleep.report.shown import cut, flattened, markup, markup_path, markup_prose, shown

HIDDEN = [0x00, 0x07, 0x0B, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0xAD, 0x61C, 0x200B, 0x200E, 0x2028]
HIDDEN += [0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xFEFF, 0xE0041, 0xFFF9, 0x3164]
PLAIN = [
    "",
    "plain",
    "two\nlines\tand a tab",
    "日本語",
    "e\u0301",
    "\u0645\u200d\u0647",
    "\U0001f468\u200d\U0001f469",
    "❤\ufe0f",
]


@pytest.mark.parametrize("point", HIDDEN)
def test_hidden_characters_are_spelt_out(point: int) -> None:
    """What cannot be seen, or turns text round, is shown by its number."""
    assert shown(f"a{chr(point)}b") == f"a[U+{point:04X}]b"
    assert markup(f"a{chr(point)}b") == f'a<span class="esc">[U+{point:04X}]</span>b'


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays(text: str) -> None:
    """Letters, marks, joiners and emoji of any language are left alone."""
    assert shown(text) == text
    assert markup(text) == text


def test_line_ends() -> None:
    """CRLF is a line end; a lone carriage return is not and is shown."""
    assert shown("a\r\nb\rc") == "a\nb[U+000D]c"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a \n\t b", "a b"),
        ("x\x1b[2Jy", "xy"),
        ("x\x1b[1;31mred\x1b[0m", "xred"),
        ("x\x1b]0;title\x07y", "xy"),
        ("x\x1b]8;;http://e\x1b\\y", "xy"),
        ("x\x9b31my", "xy"),
        ("x\x1bcy", "xy"),
        ("x\x1b", "x"),
        ("x\x1b]0;no end", "x"),
        ("[2J", "[2J"),
    ],
)
def test_flattened(text: str, line: str) -> None:
    """One line remains, without the sequences that drive a terminal."""
    assert flattened(text) == line


def test_html_is_escaped() -> None:
    """Markup in a text is text."""
    assert markup("<b>&\"'") == "&lt;b&gt;&amp;&#34;&#39;"
    assert markup_prose("say `<b>` & go") == "say <code>&lt;b&gt;</code> &amp; go"
    assert markup_prose("one ` only") == "one ` only"


def test_paths_break_after_their_separators() -> None:
    """A long path can wrap, and an odd one stays on its line."""
    assert markup_path("a/b-c.md") == "a/<wbr>b-<wbr>c.<wbr>md"
    assert markup_path("a\n<b>") == 'a<span class="esc">[U+000A]</span>&lt;b&gt;'


@pytest.mark.parametrize(
    ("text", "limit", "head", "left"),
    [
        ("short", 5, "short", 0),
        ("one two three", 9, "one two", 6),
        ("x" * 200, 100, "x" * 100, 100),
        ("", 0, "", 0),
    ],
)
def test_cut(text: str, limit: int, head: str, left: int) -> None:
    """Long texts end before a word, and what is left out is counted."""
    assert cut(text, limit) == (head, left)
