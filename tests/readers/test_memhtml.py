"""Reading memhtml files: what each field comes from, and that nothing makes the reader fail."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memhtml_kit import CLAIM, HEAD, WORKED_EXAMPLE, codes, memory, meta, page
from memsleep.model import Citation, Facet, Memory, Unreadable, digest_bytes
from memsleep.readers.memhtml import read


def test_worked_example() -> None:
    """The whole-file example reads as the format says."""
    found = memory(WORKED_EXAMPLE, "projects/shop/keys.html")
    assert found.type == "procedural"
    assert found.title == "Cache keys carry the tenant"
    assert found.gist == "Every cache key starts with the tid."
    assert found.event_time == "2026-02-28"
    assert found.facets == (Facet("Prefix length", "a dozen bytes", 12.0),)
    assert found.citations == (Citation("incident 41"),)
    assert found.entities == ("service:cache", "lang:py")
    assert found.tags == ("multi tenant",)
    assert found.word_count == 34
    assert found.confidence == 0.8
    assert found.digest == digest_bytes(WORKED_EXAMPLE)
    assert found.scope == "shop"
    assert found.stated["confidence"] == "memhtml-confidence"
    assert found.raw["confidence"] == "0.80"
    assert found.warnings == ()
    (link,) = found.links
    assert (link.relation, link.target, link.line) == ("part_of", "areas/arcs/isolation.html", 13)
    assert WORKED_EXAMPLE[link.start : link.end] == b"/areas/arcs/isolation.html"


def test_defaults() -> None:
    """What a file does not state has the default of the format and is not among `stated`."""
    found = memory(page())
    assert (found.confidence, found.importance, found.reprieves) == (1.0, 5.0, 0)
    assert (found.author, found.valid_from, found.valid_until) == ("agent", None, None)
    assert (found.tags, found.entities, found.aliases, found.links) == ((), (), (), ())
    assert sorted(found.stated) == ["created", "status", "type", "updated"]
    assert not found.states("confidence")


@pytest.mark.parametrize(
    ("field", "name", "content", "expected"),
    [
        ("confidence", "confidence", "0.5", 0.5),
        ("confidence", "confidence", "0", 0.0),
        ("confidence", "confidence", "1.5", 1.0),
        ("confidence", "confidence", "", 1.0),
        ("importance", "importance", "7.0", 7.0),
        ("importance", "importance", "99", 5.0),
        ("importance", "importance", "7.5", 5.0),
        ("reprieves", "reprieves", "2", 2),
        ("reprieves", "reprieves", "-1", 0),
        ("author", "author", "human:ada", "human:ada"),
        ("author", "author", "", ""),
        ("valid_from", "valid-from", "2026-01-01", "2026-01-01"),
        ("valid_until", "valid-until", "2026-01-01", "2026-01-01"),
        ("archived_at", "archived", "2026-01-01", "2026-01-01"),
        ("superseded_by", "superseded-by", "/areas/b.html", "areas/b.html"),
        ("superseded_by", "superseded-by", "areas/b.html", "areas/b.html"),
        ("superseded_by", "superseded-by", "", None),
        ("tags", "tag", " a\u00a0", ("a",)),
        ("tags", "tag", "", ()),
        ("tags", "tag", " ", ()),
        ("aliases", "alias", "b", ("b",)),
        ("entities", "entity", " person:Ada ", ("person:Ada",)),
        ("entities", "entity", "sanju", ("sanju",)),
    ],
)
def test_metas(field: str, name: str, content: str, expected: object) -> None:
    """Each meta fills its field; a number that is none leaves the default."""
    found = memory(page(meta(name, content)))
    assert getattr(found, field) == expected
    assert found.states(field)


@pytest.mark.parametrize("name", ["session", "prompt", "turn", "needs-revision", "due"])
def test_metas_without_a_field(name: str) -> None:
    """What the model has no field for is kept as it is stated."""
    found = memory(page(meta(name, "2026-01-01")))
    assert found.raw[name.replace("-", "_")] == "2026-01-01"


def test_numbers_are_kept_as_written() -> None:
    """A dropped number is still in `raw`."""
    assert memory(page(meta("confidence", "1.5"))).raw["confidence"] == "1.5"


def test_lists() -> None:
    """Lists are in document order, cleaned of blanks and exact duplicates."""
    found = memory(page(*(meta("tag", tag) for tag in ("b", "a", "", "b", " a", "B"))))
    assert found.tags == ("b", "a", "B")
    assert found.raw["tags"] == "b\na\nb\n a\nB"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("  A\n  title &amp; more", "A title & more"),
        ("&lt;pre&gt; &amp; not &quot;code&quot;", '<pre> & not "code"'),
        ("\u00a0A\u00a0b ", "A\u00a0b"),
        ("A<b>c", "A<b>c"),
    ],
)
def test_title(title: str, expected: str) -> None:
    """A title is its text on one line, references decoded."""
    assert memory(page(head=(f"<title>{title}</title>", *HEAD[1:]))).title == expected


@pytest.mark.parametrize(
    ("path", "status", "archived"),
    [
        ("archive/2026/areas/a.html", "active", True),
        ("archive/2026/areas/a.html", "archived", True),
        ("archive/a.html", "active", True),
        ("areas/a.html", "archived", False),
        ("areas/a.html", "active", False),
    ],
)
def test_path_decides_what_is_archived(path: str, status: str, archived: bool) -> None:
    """A memory is archived when it lies in the archive, whatever its meta says."""
    source = page().replace(b'content="active"', f'content="{status}"'.encode())
    found = memory(source, path)
    assert found.archived is archived
    assert found.raw["status"] == status


GISTS = [
    ("<p><mark>A <strong>bold</strong> claim.</mark></p>", "A bold claim."),
    ("<p><mark>Run <code>rm -rf /</code> never.</mark></p>", "Run never."),
    ("<p><mark>Run<code>x</code>now</mark></p>", "Runnow"),
    ("<p><mark>a<br>b</mark></p>", "a b"),
    ("<p><mark>A <dfn>term</dfn>.</mark></p>", "A term."),
    ("<p><mark>&lt;script&gt;x&lt;/script&gt;</mark></p>", "<script>x</script>"),
    ("<p><mark>a <code>b <code>c</code> d</code> e</mark></p>", "a e"),
    ("<ul><li><mark>a <pre>b <i>c</i></pre> d</mark></ul>", "a d"),
]


@pytest.mark.parametrize(("article", "gist"), GISTS)
def test_gist(article: str, gist: str) -> None:
    """The gist is the claim without code."""
    assert memory(page(article=article)).gist == gist


BODIES = [
    (CLAIM + "<dl><dt>Applies to</dt><dd>ALB</dd></dl>", "A claim. Applies to ALB"),
    ("<p><mark>Run <code>ls</code> first.</mark></p>", "Run ls first."),
    ("<section><p><mark>A claim.</mark></p><p>Detail.</p></section>", "A claim. Detail."),
    (CLAIM + "<pre>a\n  b</pre>", "A claim. a b"),
    (CLAIM + "<aside>x</aside><details><summary>y</summary>z</details>", "A claim. x y z"),
    (CLAIM + "<table><tr><td>1<td>2</table>", "A claim. 1 2"),
    (CLAIM + "<!-- no -->", "A claim."),
    (CLAIM + "\u3000x\u00a0", "A claim. \u3000x"),
    (CLAIM + "<template>no</template>", "A claim."),
]


@pytest.mark.parametrize(("article", "body"), BODIES)
def test_body(article: str, body: str) -> None:
    """The body is all text of the article on one line."""
    assert memory(page(article=article)).body == body


@pytest.mark.parametrize(
    ("article", "expected"),
    [
        (CLAIM, None),
        (CLAIM + '<time datetime="2026-01-01">x</time><time datetime="2025-01-01">', "2026-01-01"),
        (CLAIM + '<aside><time datetime="2026-01-01">x</time></aside>', "2026-01-01"),
        (CLAIM + '</article><time datetime="2026-01-01">x</time>', None),
    ],
)
def test_event_time(article: str, expected: str | None) -> None:
    """The event time is the first time of the article; its human text is never used."""
    assert memory(page(article=article)).event_time == expected


FACETS = [
    ("<dt>a</dt><dd>1</dd><dd>2</dd>", [("a", "1"), ("a", "2")]),
    ("<dd>0</dd><dt>a</dt><dd>1</dd>", [("a", "1")]),
    ("<dt>a</dt><dt>b</dt><dd>1</dd>", [("b", "1")]),
    ("<div><dt>a</dt><dd>1</dd></div>", []),
    ("<dt></dt><dd></dd>", [("", "")]),
    ("<dt>a</dt><dd>1</dd><dd>1</dd>", [("a", "1")]),
    (
        "<dt>a</dt><dd>x<dl><dt>b</dt><dd>2</dd></dl></dd>",
        [("a", "x b 2"), ("b", "2")],
    ),
]


@pytest.mark.parametrize(("dl", "expected"), FACETS)
def test_facets(dl: str, expected: list[tuple[str, str]]) -> None:
    """Facets are the direct dt and dd of each list."""
    found = memory(page(article=f"{CLAIM}<dl>{dl}</dl>"))
    assert [(facet.name, facet.value) for facet in found.facets] == expected


def test_the_first_of_equal_facets_gives_its_number() -> None:
    """Facets of one name and value are one, and a later number of it does not count."""
    rows = '<dt>a</dt><dd><data value="1">x</data></dd><dd><data value="2">x</data></dd>'
    (facet,) = memory(page(article=f"{CLAIM}<dl>{rows}</dl>")).facets
    assert (facet.name, facet.value, facet.number) == ("a", "x", 1.0)


@pytest.mark.parametrize(
    ("dd", "number"),
    [
        ('<data value="12">x</data>', 12.0),
        ('<data value="0x10">x</data>', 16.0),
        ('<data value="soon">x</data>', None),
        ('<data value=" ">x</data><data value="3">y</data>', 3.0),
        ('<data value="Infinity">x</data><em><data value="4">y</data></em>', 4.0),
        ("<data>x</data>", None),
    ],
)
def test_facet_number(dd: str, number: float | None) -> None:
    """The number is the first finite one that a data element states."""
    found = memory(page(article=f"{CLAIM}<dl><dt>n</dt><dd>{dd}</dd></dl>"))
    assert [facet.number for facet in found.facets] == [number]


def test_citations() -> None:
    """Citations are cite and q in document order, one per text, blank ones left out."""
    article = CLAIM + (
        '<p><q cite="/x">one</q> <cite>two</cite> <q>three</q> <cite cite="/y">four</cite>'
        '<q cite="">five</q><cite> </cite><cite>one</cite></p>'
    )
    assert memory(page(article=article)).citations == (
        Citation("one", "/x"),
        Citation("two"),
        Citation("three"),
        Citation("four"),
        Citation("five", ""),
    )


def test_implied_entities() -> None:
    """Terms and code languages follow the stated entities; each row once, first wins."""
    article = (
        "<p><mark>A <dfn title='t'>water  mark</dfn>.</mark> <dfn>x</dfn><dfn> </dfn></p>"
        '<pre><code data-lang=" C++ ">x</code></pre><pre data-lang="no"></pre>'
        '<code data-lang="not a lang">y</code>'
    )
    found = memory(page(meta("entity", "concept:x"), meta("entity", "url:a"), article=article))
    assert found.entities == (
        "concept:x",
        "url:a",
        "concept:water mark",
        "lang:c++",
        "lang:not a lang",
    )


def test_unknown_entities_are_one_row() -> None:
    """A value without a type and its `unknown:` form are one row."""
    found = memory(page(meta("entity", "sanju"), meta("entity", "unknown:sanju")))
    assert found.entities == ("sanju",)


def test_head_items_after_the_head() -> None:
    """A meta between head and body counts, one in the body does not."""
    late = page().replace(b"</head>\n", b"</head>\n" + meta("tag", "late").encode() + b"\n")
    inside = page(article=CLAIM + meta("vibe", "x"))
    assert memory(late).tags == ("late",)
    assert memory(inside).raw.get("vibe") is None


@pytest.mark.parametrize(
    "entry",
    [
        '<META NAME="memhtml-tag" CONTENT="x">',
        "<meta name=memhtml-tag content=x>",
        "<meta content='x' name='memhtml-tag' />",
        '<meta\n  name="memhtml-tag"\n  content="x"\n>',
        '<meta name="memhtml-tag" content="&#120;">',
    ],
)
def test_spellings(entry: str) -> None:
    """Any spelling of a meta that HTML admits is read."""
    assert memory(page(entry)).tags == ("x",)


@pytest.mark.parametrize(
    "entry",
    [
        '<meta name="Memhtml-tag" content="x">',
        '<meta name="memhtml" content="x">',
        '<meta name="description" content="x"><meta name="description" content="y">',
        '<meta content="x">',
        '<link rel="stylesheet" href="../s.css">',
        '<link rel="Memhtml-part-of" href="../x">',
        '<!-- <meta name="memhtml-tag" content="x"> -->',
        '<noscript><meta name="memhtml-tag" content="x"></noscript>',
        '<template><meta name="memhtml-tag" content="x"></template>',
    ],
)
def test_invisible_entries(entry: str) -> None:
    """What does not carry the exact prefix, or is no element of the head, is not read."""
    found = memory(page(entry))
    assert (found.tags, found.links) == ((), ())


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        (b"\xef\xbb\xbf" + page(), "byte-order-mark", 1),
        (page().replace(b"A claim", b"A \xff"), "not-utf-8", 12),
        (b"\xff\xfe<\x00", "not-utf-8", 1),
    ],
)
def test_unfit_bytes(source: bytes, code: str, line: int) -> None:
    """A byte order mark or bytes that are not UTF-8 refuse the file and name the line."""
    result = read("areas/a.html", source)
    assert isinstance(result, Unreadable)
    assert [(problem.code, problem.line) for problem in result.problems] == [(code, line)]


@pytest.mark.parametrize("source", [b"", b"not html", b"\0", b"<", b"<!--", b"{}", b"<html class>"])
def test_non_documents(source: bytes) -> None:
    """What is no document is a list of violations."""
    assert "meta-missing" in codes(source)


@pytest.mark.parametrize(
    "source",
    [page(), WORKED_EXAMPLE, page(meta("tag", "\u65e5 \U0001f680"), article=CLAIM + "\u00e9")],
)
def test_line_ends_do_not_matter(source: bytes) -> None:
    """LF, CRLF and no final newline read alike, digest and spans apart."""
    wanted = dataclasses.replace(memory(source), digest="", links=())
    for other in (source.replace(b"\n", b"\r\n"), source.rstrip()):
        assert dataclasses.replace(memory(other), digest="", links=()) == wanted


SOUP = st.lists(
    st.sampled_from(
        [
            "<head>", "</head>", "<body>", "<article>", "</article>", "<p>", "</p>", "<mark>",
            "</mark>", "<pre>", "<table>", "<tr>", "<td>", "</table>", "<svg>", "<title>", "x",
            "</title>", "<template>", "</template>", "<select>", "<dl>", "<dt>", "<dd>", "<b>",
            "</b>", "<a href=/x>", "<a href='y'", "<li>", "<!--", "-->", "<![CDATA[", "]]>", "&",
            "<math>", "<time datetime=2026-01-01>", "<code data-lang=x>", "<data value=1>", "\r\n",
            "<meta name=memhtml-type content=task>", "<meta name='memhtml-tag' content='\u00e9'>",
            "<link rel=memhtml-part-of href=/a>", "<link rel=memhtml-", "\u2028", "\0", "\ufeff",
            "<frameset>", "<plaintext>", "<noscript>", "</noscript>", "<p class=a onclick=b>", "\r",
        ]
    )
)  # fmt: skip


@given(SOUP.map("".join))
@example("<article>" * 600)
@settings(max_examples=300)
def test_tag_soup_is_read_or_refused(soup: str) -> None:
    """No markup makes the reader fail, and refused files name a line that exists."""
    result = read("areas/a.html", soup.encode())
    if isinstance(result, Unreadable):
        last = soup.count("\n") + 1
        assert result.problems
        assert all(problem.line and 1 <= problem.line <= last for problem in result.problems)


@given(st.binary(max_size=60))
def test_bytes_are_read_or_refused(source: bytes) -> None:
    """No bytes make the reader fail."""
    assert isinstance(read("areas/a.html", source), Unreadable)


@given(SOUP.map("".join))
def test_soup_in_an_article(soup: str) -> None:
    """A sound file with soup after its claim is read or refused, and its gist stays."""
    result = read("areas/a.html", page(article=CLAIM + soup))
    if isinstance(result, Memory):
        assert result.gist == "A claim."
        assert result.body.startswith("A claim.")
