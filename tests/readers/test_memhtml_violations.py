"""Violations and warnings: each rule of the format fires, with its line, and only then."""

from __future__ import annotations

import pytest

from memhtml_kit import CLAIM, HEAD, codes, lines, memory, meta, page
from memhtml_rules_kit import broken
from memsleep.model import Unreadable
from memsleep.readers.memhtml import read

LINK = '<link rel="memhtml-part-of" href="/areas/arcs/x.html">'
TASK = tuple(entry.replace("semantic", "task") for entry in HEAD)


def without(name: str) -> tuple[str, ...]:
    return tuple(entry for entry in HEAD if f"memhtml-{name}" not in entry)


def valued(name: str, content: str) -> tuple[str, ...]:
    return (*without(name), meta(name, content))


# Source, code of its one violation, line. The claim is on line 12 of `page()`.
REFUSED = [
    pytest.param(page(head=HEAD[1:]), "title-count", 3, id="no-title"),
    pytest.param(page("<title>U</title>"), "title-count", 9, id="two-titles"),
    pytest.param(
        page(article=CLAIM + "<svg><title>u</title></svg>"), "title-count", 12, id="svg-title"
    ),
    pytest.param(page(head=("<title> </title>", *HEAD[1:])), "title-blank", 4, id="blank"),
    pytest.param(page(head=("<title>&nbsp;</title>", *HEAD[1:])), "title-blank", 4, id="nbsp"),
    pytest.param(page(head=without("type")), "meta-missing", 3, id="no-type"),
    pytest.param(page(head=without("status")), "meta-missing", 3, id="no-status"),
    pytest.param(page(head=without("created")), "meta-missing", 3, id="no-created"),
    pytest.param(page(head=without("updated")), "meta-missing", 3, id="no-updated"),
    pytest.param(page(meta("vibe", "x")), "meta-unknown", 9, id="unknown"),
    pytest.param(page(meta("vibe", "x"), meta("vibe", "y")), "meta-unknown", 9, id="unknown-twice"),
    pytest.param(page(meta("Tag", "x")), "meta-unknown", 9, id="wrong-case"),
    pytest.param(page(meta("", "x")), "meta-unknown", 9, id="prefix-alone"),
    pytest.param(page(meta("type", "semantic")), "meta-repeated", 9, id="second-type"),
    pytest.param(page(meta("due", "2026-01-01"), meta("due", "x")), "meta-repeated", 10, id="due"),
    pytest.param(
        page(article=CLAIM).replace(b"article", b"section"), "article-count", 1, id="none"
    ),
    pytest.param(page(article=CLAIM + "<article>x</article>"), "article-count", 12, id="nested"),
    pytest.param(page(article=CLAIM + "</article>\n<article>x"), "article-count", 13, id="two"),
    pytest.param(page(article="<p>x</p>"), "mark-count", 11, id="no-mark"),
    pytest.param(
        page(article="<p><mark>a</mark>\n<mark>b</mark></p>"), "mark-count", 13, id="two-marks"
    ),
    pytest.param(page(article="<p><mark> </mark></p>"), "mark-empty", 12, id="space"),
    pytest.param(
        page(article="<p><mark>&nbsp;&#160;</mark></p>"), "mark-empty", 12, id="nbsp-mark"
    ),
    pytest.param(page(article="<p><mark>\n\t</mark></p>"), "mark-empty", 12, id="newline"),
    pytest.param(page(article="<p><mark><code>x</code></mark></p>"), "mark-empty", 12, id="code"),
    pytest.param(page(article=f"<aside>{CLAIM}</aside>"), "mark-in-aside", 12, id="aside"),
    pytest.param(page(article=f"<details>{CLAIM}</details>"), "mark-in-details", 12, id="details"),
    pytest.param(
        page(article="<details><summary><mark>x</mark></summary></details>"),
        "mark-in-details",
        12,
        id="summary",
    ),
    pytest.param(page(article="<mark>x</mark>"), "no-paragraph", 11, id="bare-mark"),
    pytest.param(
        page(article="<p>a</p>\n<p><mark>b</mark></p>"), "mark-not-first", 13, id="second-p"
    ),
    pytest.param(
        page(article="<p>a</p><ul><li><mark>b</mark></ul>"), "mark-not-first", 12, id="li"
    ),
    pytest.param(page(article="<mark><p>a</p></mark>"), "mark-not-first", 12, id="around-p"),
    pytest.param(
        page(article=f"<aside><p>a</p></aside>{CLAIM}"), "mark-not-first", 12, id="after-aside"
    ),
    pytest.param(page(article=CLAIM + "\n<time>x</time>"), "time-without-datetime", 13, id="time"),
    pytest.param(page(article=CLAIM + "<time datetime>x</time>"), "time-malformed", 12, id="empty"),
    pytest.param(
        page(article=CLAIM + '<time\ndatetime="28 Feb">x</time>'),
        "time-malformed",
        13,
        id="bad-time",
    ),
    pytest.param(
        page(article=CLAIM + "</article>\n<time>x</time>"),
        "time-without-datetime",
        13,
        id="outside",
    ),
    pytest.param(page("<script>x</script>"), "element-forbidden", 9, id="script"),
    pytest.param(page(article=CLAIM + "<script></script>"), "element-forbidden", 12, id="in-body"),
    pytest.param(page("<style>x</style>"), "element-forbidden", 9, id="style"),
    pytest.param(page().replace(b"<html", b"<html class=x"), "attribute-forbidden", 2, id="html"),
    pytest.param(page().replace(b"<body", b"<body style=x"), "attribute-forbidden", 10, id="body"),
    pytest.param(page(article=CLAIM + "<p\nonclick=x>"), "attribute-forbidden", 13, id="onclick"),
    pytest.param(page(article=CLAIM + "<p one>"), "attribute-forbidden", 12, id="any-on"),
    pytest.param(page(LINK.replace("part-of", "likes")), "relation-unknown", 9, id="relation"),
    pytest.param(
        page(LINK.replace("part-of", "part-of x")), "relation-unknown", 9, id="two-tokens"
    ),
    pytest.param(page('<link rel="memhtml-part-of">'), "href-missing", 9, id="no-href"),
    pytest.param(page('<link rel="memhtml-part-of" href="">'), "href-missing", 9, id="empty-href"),
    pytest.param(
        page(LINK.replace("/areas", "../areas")), "href-not-root-relative", 9, id="relative"
    ),
    pytest.param(page(LINK.replace("/areas", "https://x")), "href-not-root-relative", 9, id="url"),
    pytest.param(page(head=valued("type", "note")), "type-unknown", 8, id="type"),
    pytest.param(page(head=valued("type", "Semantic")), "type-unknown", 8, id="type-case"),
    pytest.param(
        page(head=(*without("type"), '<meta name="memhtml-type">')), "type-unknown", 8, id="bare"
    ),
    pytest.param(page(head=valued("status", "gone")), "status-unknown", 8, id="status"),
    pytest.param(page(meta("task-status", "todo")), "task-status-misplaced", 9, id="no-task"),
    pytest.param(page(meta("task-status", "wip"), head=TASK), "task-status-unknown", 9, id="wip"),
    pytest.param(page(head=TASK), "task-status-missing", 5, id="task-without"),
    pytest.param(page(meta("due", "next friday")), "instant-malformed", 9, id="due"),
    pytest.param(page(meta("due", "2026-08-09T25:00:00Z")), "instant-malformed", 9, id="due-hour"),
    pytest.param(page(head=valued("created", "yesterday")), "instant-malformed", 8, id="created"),
    pytest.param(page(head=valued("updated", "2026-08-02 ")), "instant-malformed", 8, id="updated"),
    pytest.param(page(meta("valid-from", "")), "instant-malformed", 9, id="from"),
    pytest.param(page(meta("valid-until", "0099-01-01")), "instant-malformed", 9, id="until"),
    pytest.param(page(meta("archived", "2026-02-30")), "instant-malformed", 9, id="archived"),
]

ACCEPTED = [
    pytest.param(page(article="<ul><li><mark>x</mark></li></ul>"), id="first-li"),
    pytest.param(page(article=f"<section>{CLAIM}</section>"), id="section"),
    pytest.param(page(article="<ul><li><p><mark>x</mark></p></li></ul>"), id="li-p"),
    pytest.param(page(article=f"<aside>bare</aside>{CLAIM}"), id="bare-aside-before"),
    pytest.param(page(article=f"<details>bare</details>{CLAIM}"), id="bare-details-before"),
    pytest.param(page(article=CLAIM + "</article><mark>x</mark>"), id="mark-outside"),
    pytest.param(page(article=CLAIM + "<p on>x"), id="bare-on"),
    pytest.param(page(article=CLAIM + "<p data-class=x id=y>x"), id="other-attributes"),
    pytest.param(page(article=CLAIM + "<template><script></script></template>"), id="in-template"),
    pytest.param(page(meta("confidence", "1.5"), meta("importance", "99")), id="bad-numbers"),
    pytest.param(page(meta("content-hash", "garbage")), id="garbage-hash"),
    pytest.param(page(meta("tag", "a"), meta("tag", "a"), meta("tag", "")), id="repeatables"),
    pytest.param(page(LINK, LINK), id="same-link-twice"),
    pytest.param(page(LINK.replace("part-of", "part_of")), id="underscores"),
    pytest.param(page(meta("task-status", "todo"), head=TASK), id="task"),
    pytest.param(page(meta("due", "2026-01-01")), id="due-of-any-type"),
    pytest.param(page(meta("superseded-by", "anything")), id="free-text"),
    pytest.param(page('<link rel="stylesheet" href="../s.css">'), id="foreign-link"),
    pytest.param(page(article=CLAIM + '<link rel="memhtml-likes" href="x">'), id="link-in-body"),
    pytest.param(page(), id="nothing-wrong"),
]


@pytest.mark.parametrize(("source", "code", "line"), REFUSED)
def test_refused(source: bytes, code: str, line: int) -> None:
    """The file is refused for exactly this, on this line."""
    assert codes(source) == [code]
    assert lines(source) == [line]
    assert broken("areas/a.html", source)


@pytest.mark.parametrize("source", ACCEPTED)
def test_accepted(source: bytes) -> None:
    """The file is read."""
    assert codes(source) == []
    assert broken("areas/a.html", source) == []


def test_order_and_completeness() -> None:
    """All violations come at once: head, article, time, presentation, links, values."""
    source = page(
        meta("vibe", "x"),
        meta("due", "soon"),
        meta("due", "later"),
        '<link rel="memhtml-likes">',
        '<link rel="memhtml-part-of" href="x">',
        meta("task-status", "wip"),
        head=(meta("status", "gone"), meta("created", "x")),
        article='<aside><p class="a"><mark> </mark></p></aside><details></details><time></time>'
        "<script></script>",
    )
    assert codes(source) == [
        "title-count",
        "meta-missing",
        "meta-missing",
        "meta-unknown",
        "meta-repeated",
        "mark-empty",
        "mark-in-aside",
        "time-without-datetime",
        "attribute-forbidden",
        "element-forbidden",
        "relation-unknown",
        "href-missing",
        "href-not-root-relative",
        "status-unknown",
        "task-status-misplaced",
        "task-status-unknown",
        "instant-malformed",
        "instant-malformed",
    ]


def test_missing_metas_are_named_in_order() -> None:
    """Each missing meta is named, in the order of the format."""
    result = read("a.html", b"<title>x</title>")
    assert isinstance(result, Unreadable)
    named = [p.message.split()[-1] for p in result.problems if p.code == "meta-missing"]
    assert named == ["memhtml-type", "memhtml-status", "memhtml-created", "memhtml-updated"]
    assert result.reason.count("; ") == len(result.problems) - 1


def test_in_aside_and_details() -> None:
    """A mark in both is told for both, and its paragraph is not asked about."""
    source = page(article="<details><aside><mark>x</mark></aside></details>")
    assert codes(source) == ["mark-in-aside", "mark-in-details"]


def test_empty_mark_is_told_with_its_place() -> None:
    """An empty mark in the wrong place is two violations."""
    assert codes(page(article="<p>a</p><p><mark></mark></p>")) == ["mark-empty", "mark-not-first"]


def test_first_occurrence_is_examined() -> None:
    """Of a scalar stated twice only the first value is judged."""
    assert codes(page(meta("updated", "garbage"))) == ["meta-repeated"]


def test_each_script_is_told() -> None:
    """Two scripts are two violations."""
    assert codes(page("<script></script>", "<script></script>")) == ["element-forbidden"] * 2


def test_no_text_of_the_memory_in_messages() -> None:
    """Messages name names and closed values, never the text of a memory."""
    source = page(meta("created", "SECRET"), meta("tag", "SECRET"), article="<p>SECRET</p>")
    result = read("a.html", source)
    assert isinstance(result, Unreadable)
    assert "SECRET" not in result.reason


def test_lines_count_line_feeds() -> None:
    """A CRLF is one line end and a lone CR none."""
    source = page("<script></script>")
    assert lines(source.replace(b"\n", b"\r\n")) == lines(source) == [9]
    assert lines(source.replace(b"\n", b"\r", 2)) == [7]


WARNED = [
    ("<blink>a</blink><blink>b</blink><marquee>c</marquee>", ["element-unknown"] * 2),
    ("<h2>a</h2>", ["element-unknown"]),
    ("<br>", ["element-unknown"]),
    ("<div>a</div><div>b</div>", ["box-outside-figure"]),
    ("<div>a</div><span>b</span>", ["box-outside-figure"] * 2),
    ("<figure><div>a <span>b</span></div></figure>", []),
    ("<figure><div>a</div></figure><div>b</div>", ["box-outside-figure"]),
    ("<address>x</address>", []),
    ('<code data-lang="c++">x</code>', []),
    ('<code data-lang="not a lang">x</code><p data-lang="not a lang">', ["language-malformed"]),
    ('<pre data-lang="">x</pre>', ["language-malformed"]),
    ('<code data-lang="a\n">x</code>', ["language-malformed"]),
    ('<code data-lang="-a">x</code><code data-lang="b!">x</code>', ["language-malformed"] * 2),
]


@pytest.mark.parametrize(("markup", "expected"), WARNED)
def test_warnings(markup: str, expected: list[str]) -> None:
    """The file is read, and warned about once per name or value."""
    found = memory(page(article=CLAIM + markup))
    assert [warning.code for warning in found.warnings] == expected


def test_base_warns() -> None:
    """An unknown element of the head warns with its line."""
    (warning,) = memory(page("<base href=/>")).warnings
    assert (warning.code, warning.line, warning.path) == ("element-unknown", 9, "areas/a.html")


def test_warned_text_is_read() -> None:
    """What an unknown element says is part of the body."""
    assert memory(page(article=CLAIM + "<h2>More</h2>")).body == "A claim. More"
