"""The Markdown form: leads with what needs a person, and no memory can forge any of it."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from memsleep.report.markdown import to_markdown
from memsleep.report.markdown_text import code, fence, inline, prose, table
from report.sample import DECISIONS, HOSTILE, REVIEWS, empty_report, hostile_report, sample_report

HEADINGS = [
    "Needs you",
    "What changed",
    "Waiting",
    "Coming up",
    "Kept apart",
    "The corpus",
    "Files to look at",
    "The night itself",
]


def rendered(source: str) -> str:
    return (
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(source)
    )


def test_every_part_is_there() -> None:
    """Whatever the report holds can be read in the text."""
    text = to_markdown(sample_report()).decode()
    assert text.startswith("# 3 memories merged into 3 others")
    for part in (
        "> **Look:** 1 file could not be read",
        "- No usage data",
        "| Archived tonight | 2 | 2 |",
        "Which of these is true?",
        "Base backups are kept for 35 days.",
        "`areas/db/wal-retention.md` \u2190 `inbox/2026-02-11-wal.md`",
        "Raised from 7 days in January",
        "similarity 0.961",
        "undo with `memsleep undo 2026-03-01-1 0000004f2c81`",
        "### Faded a little (2)",
        "| `team/old-badge-reader.md` | waits for the budget |",
        "| 2026-03-15 | `areas/db/osaka-move.md` | expires |",
        "| numbers differ | 11 |",
        "3 merged + 2 for review + 18 refused = 23 candidate pairs.",
        "- Retention: 7 below 0.3",
        "`inbox/broken.md:3`",
        "The link stands inside a comment.",
        "| `areas/db/osaka-mov.md` | `people/ines.md:12` | nowhere; nearest: `areas/db/osaka-mov",
        "Expected a date",
        "| pairing | ok | 1 | 1 | 0 |",
        "nothing lost: passed",
        "hashgram-512-v1",
    ):
        assert part in text, part


@pytest.mark.parametrize("make", [sample_report, empty_report, hostile_report])
def test_sections_and_nothing_else(make: object) -> None:
    """The second-level headings are ours, in our order, on any night."""
    page = rendered(to_markdown(make()).decode())  # type: ignore[operator]
    assert re.findall("<h2>(.*?)</h2>", page) == HEADINGS
    assert page.count("<h1>") == 1


def test_hostile_text_forges_nothing() -> None:
    """Rendered, the page holds no tag, link, heading, table or task that a memory asked for."""
    source = to_markdown(hostile_report()).decode()
    page = rendered(source)
    tags = set(re.findall(r"<\s*/?\s*([a-zA-Z][a-zA-Z0-9]*)", page))
    ours = {"h1", "h2", "h3", "h4", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
    assert tags <= ours | {"code", "pre", "details", "summary", "blockquote", "strong"}
    assert page.count("<details>") == page.count("</details>") == source.count("\n<summary>")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufeff]", source)
    prose_only = re.sub(r"(?s)<pre>.*?</pre>|<code>.*?</code>", "", page)
    for call in ("@mara", "@evil", "#12", "GH-7", "https://", "www."):
        assert call in HOSTILE
        assert call not in prose_only


def test_every_row_has_the_cells_of_its_head() -> None:
    """A pipe in a text adds no cell."""
    for block in re.findall(r"(?m)(?:^\|.*\n)+", to_markdown(hostile_report()).decode()):
        counts = {len(re.findall(r"(?<!\\)\|", row)) for row in block.split("\n") if row}
        assert len(counts) == 1, block


@pytest.mark.parametrize(
    "text",
    [
        "plain words, 0.97 and 3.5 GB; a (b) 'c' \"d\" / e: f?",
        "日本語のメモ。",
        "-0.5 degrees",
        "2026-03-01",
        "e-mail, well-known",
        "50% off + tax = 7",
    ],
)
def test_plain_text_stays_readable(text: str) -> None:
    """Ordinary sentences are not littered with escapes."""
    assert inline(text) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", "a\\|b"),
        ("# x", "&#8203;#&#8203; x"),
        ("- x", "&#8203;- x"),
        ("1. x", "&#8203;1. x"),
        ("---", "&#8203;---"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("@mara", "&#8203;@&#8203;mara"),
        ("a#1", "a&#8203;#&#8203;1"),
        ("gh-1", "gh&#8203;-&#8203;1"),
        ("http://x", "http&#8203;:&#8203;//x"),
        ("[a](b)", "\\[a\\](b)"),
        ("![a](b)", "\\!\\[a\\](b)"),
        ("two\nlines", "two lines"),
        ("x\x1b[2Jy", "xy"),
        ("\u202ex", "\\[U+202E\\]x"),
    ],
)
def test_inline(text: str, escaped: str) -> None:
    """What could mean something to Markdown or GitHub means nothing any more."""
    assert inline(text) == escaped


def test_prose_keeps_commands_as_code() -> None:
    """What stands in backticks in a sentence of ours is code; a lone backtick is a sign."""
    assert prose("run `a_b` now_") == "run `a_b` now\\_"
    assert prose("one ` and_") == "one \\` and\\_"


@pytest.mark.parametrize("text", ["a", "`", "``a``", " a ", "a`b``c", "", "|", "a\nb"])
def test_code_shows_the_text(text: str) -> None:
    """Inline code comes out as the text itself, on one line."""
    shown = " ".join(text.split()) or ""
    assert f"<code>{shown}</code>" in rendered("x " + code(text)).replace(
        "<code> </code>", "<code></code>"
    )


@pytest.mark.parametrize("text", ["```", "````\n```", "~~~", "a\r\nb", "</details>", "`" * 9])
def test_fences_cannot_be_closed_from_inside(text: str) -> None:
    """However many backticks a text holds, the block ends where we end it."""
    page = rendered("\n".join([*fence(text), "", "after"]))
    assert page.endswith("</code></pre>\n<p>after</p>\n")
    assert page.count("<pre>") == 1


def test_table_aligns_figures() -> None:
    """Columns of figures stand right; a pipe in code is escaped there."""
    assert table(("a", "b"), [(code("x|y"), "1")], right=" r") == [
        "| a | b |",
        "| --- | --: |",
        "| `x\\|y` | 1 |",
    ]


def test_long_lists_are_folded() -> None:
    """More than ten decisions of a kind stand behind a summary."""
    many = tuple(DECISIONS[0].model_copy(update={"id": f"{n:012x}"}) for n in range(11))
    assert "<summary>All 11</summary>" in to_markdown(sample_report(decisions=many)).decode()
    few = to_markdown(sample_report(decisions=many[:10])).decode()
    assert "<summary>All 10</summary>" not in few
    doubts = tuple(REVIEWS[0].model_copy(update={"id": f"{n:012x}"}) for n in range(12))
    text = to_markdown(sample_report(reviews=doubts)).decode()
    assert text.index("`00000000000a`") > text.index("<summary>2 more pairs</summary>")


def test_a_list_of_a_hundred_thousand_ends_after_a_thousand_rows() -> None:
    """A pull request shows the first of each list, counts all, and says where the rest is."""
    report = sample_report()
    many = {
        "upcoming": report.upcoming[:1] * 100_000,
        "decayed": report.decayed[:1] * 100_000,
        "warnings": report.warnings[:1] * 1001,
        "deferred": (report.deferred or report.advisory)[:1] * 600,
        "advisory": (report.advisory or report.deferred)[:1] * 600,
    }
    text = to_markdown(report.model_copy(update=many)).decode()
    assert text.count("99,000 more, all of them in report.json.") == 2
    assert text.count("\n1 more, all of them in report.json.") == 1
    assert text.count("\n200 more, all of them in report.json.") == 1
    assert "Faded a little (100,000)" in text or "Faded a little (100000)" in text
    assert len(text) < 1_000_000
    assert "all of them in report.json" not in to_markdown(report).decode()
