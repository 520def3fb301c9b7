"""The content hash: the worked examples of the format, what moves it and what does not."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml_kit import HEAD, WORKED_EXAMPLE, memory, meta, page
from memsleep.readers.memhtml_hash import content_hash
from memsleep.readers.memhtml_source import UnfitSourceError
from memsleep.readers.memhtml_tree import parse_article

A_CLAIM = "f3fa612a6e04172bd4227beb7b9cf290784d05bc5181e1ddb985ccc01e3aa10c"
LIST = "8b35848019523496459ceec2906dfd188738244ad119175e7c7508991fcf0f5b"
A_B_C = "0e9f64031fcb2bc708b531c2a20441580425d151a38503f38592a7dd36019d3b"
PRE_AB = "7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78"

# Markup, canonical text as JSON (None: not given by the format), digest.
WORKED = [
    ("", '""', "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("<p><mark>A claim.</mark></p>", '"A claim."', A_CLAIM),
    ("<p><mark>A<br>claim.</mark></p>", '"A claim."', A_CLAIM),
    ("<p><mark>A cla<!-- x -->im.</mark></p>", '"A claim."', A_CLAIM),
    ("<p><mark>A\r\nclaim.</mark></p>", '"A claim."', A_CLAIM),
    (
        "<p><mark>A&nbsp;claim.</mark></p>",
        '"A\\u00a0claim."',
        "27d841f2b42630d5ec8e393f1f45a8be6d49e3099a52ab90ff0bbe5c5bab7b57",
    ),
    (
        "<p><mark>A claim.</mark></p><ul><li>one</li><li>two</li></ul>",
        '"A claim. one two"',
        LIST,
    ),
    (
        "\n  <p>\n <mark>A claim.</mark>\n </p>\n <ul>\n  <li>one</li>\n  <li>two</li>\n </ul>\n",
        '"A claim. one two"',
        LIST,
    ),
    (
        "<p><mark>Run <code>ls</code> first.</mark></p>",
        '"Run ls first."',
        "d1f4a1228f631059132778c840c084b497c16d25306f4580222ec6351dff45c5",
    ),
    (
        "<pre>  code</pre><p><mark>A claim.</mark></p>",
        '"  code A claim."',
        "322184c7512d5b095bf227c072facde135ba91aed7f416b778d16a838ad4320d",
    ),
    (
        "<pre>code</pre><p><mark>A claim.</mark></p>",
        '"code A claim."',
        "525a64cedf9ea86c57e63d98a5a9ffe6414109756b31fc94947e0ceb27ac91f2",
    ),
    (
        "<p>a </p><pre> b</pre>",
        '"a  b"',
        "6e12db73209a66d147a67a15868bdb4b8ae57b884d4731310b62f82a7d67611e",
    ),
    (
        "<pre>\nfoo</pre>",
        '"foo"',
        "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    ),
    (
        "<pre>\n\nfoo</pre>",
        '"\\nfoo"',
        "1a85a94977689957c5c2d5d053b423f4c70641ffb6c166a5b4f447de4c83039e",
    ),
    ("<pre>a\r\nb</pre>", '"a\\nb"', PRE_AB),
    ("<pre>a\nb</pre>", '"a\\nb"', PRE_AB),
    (
        "<pre>  </pre>",
        '"  "',
        "6c179f21e6f62b629055d8ab40f454ed02e48b68563913473b857d3638e23b28",
    ),
    ("<p><mark>a<b>b</b>c</mark></p>", '"a b c"', A_B_C),
    (
        "<p><mark>a<span>b</span>c</mark></p>",
        '"abc"',
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ),
    ("<pre>a<p>b</p>c</pre>", '"a b c"', A_B_C),
    (
        "<p><mark>3 &lt; 5 &amp;&amp; 7 &gt; 2</mark></p>",
        '"3 < 5 && 7 > 2"',
        "aaff16149316324f2ffbac2b97779f92c5f1ecd13a67bb718da4a96c7051b0a5",
    ),
    (
        "<p><mark>Caf&#xE9;</mark></p>",
        '"Caf\\u00e9"',
        "73473dcc12b763085904a5279d048c4d5b3b008c46f1f32443b99de04aa83a14",
    ),
    (
        "<p><mark>Cafe&#x301;</mark></p>",
        '"Cafe\\u0301"',
        "c42cc7a1ca08364b6fd859fa50d2454730a8236290a423373cc630da77c6d711",
    ),
    (
        "<p><mark>Ship it &#x1F680;</mark></p>",
        '"Ship it \\ud83d\\ude80"',
        "36cfc5e8d2c6ec8ef5dc69c24b49c8fe2966e8c9b78ddb7d8d517fb7ee35bfbf",
    ),
    (
        "<p><mark>&nbsp;A claim.&nbsp;</mark></p>",
        '"\\u00a0A claim.\\u00a0"',
        "ee048e5ec9bd9647d762df30f65f70b71bd513a8e9f7fffb16f52f5c94b27b6b",
    ),
    (
        "<p><mark>Claim.</mark></p>",
        '"Claim."',
        "d48a8bf876cdfe543713024b321d9c0ea9f2e797f248b6d592e0985f3c600c0d",
    ),
]

CANONICAL = (
    "Every cache key starts with the tid. Learned on 28 Feb from incident 41. Prefix length a "
    'dozen bytes def key(t, k):\n    return f"{t}:{k}"\n The helper. Background Two tenants '
    "collided. Local caches are exempt."
)
WORKED_DIGEST = "sha256:701e2eb3dd50f790b7b16b403a2719d8da21799f2043edb0f77e7ca2b50e38a8"

SAME = [
    pytest.param(b'value="12"', b'value="13"', id="data-value"),
    pytest.param(b'datetime="2026-02-28"', b'datetime="2026-03-01"', id="datetime"),
    pytest.param(b'data-lang="Py"', b'data-lang="js"', id="language"),
    pytest.param(b"tenant identifier", b"other", id="abbreviation"),
    pytest.param(b"Learned on\n  ", b"Learned on ", id="line-break-in-prose"),
    pytest.param(b"<title>Cache", b"<title>Other", id="title"),
    pytest.param(b'content="0.80"', b'content="0.10"', id="head"),
    pytest.param(b"\n", b"\r\n", id="line-ends"),
    pytest.param(b"\n", b"\r", id="lone-carriage-returns"),
    pytest.param(b"<aside>", b"<!-- c --><aside>", id="comment"),
    pytest.param(b"<cite>", b"<em>", id="inline-element"),
    pytest.param(b"<aside>", b"\0<aside>", id="nul-is-dropped"),
]

OTHER = [
    pytest.param(b"    return", b"  return", id="code-indent"),
    pytest.param(b"\n</code>", b"</code>", id="newline-in-code"),
    pytest.param(b"dozen", b"score", id="word"),
    pytest.param(b"dozen", b"Dozen", id="case"),
    pytest.param(b"incident 41", b"incident&nbsp;41", id="no-break-space"),
    pytest.param(b"<p>Two", b"<p>T<br>wo", id="block-between-words"),
]


@pytest.mark.parametrize(("markup", "canonical", "digest"), WORKED)
def test_worked_examples(markup: str, canonical: str, digest: str) -> None:
    """Canonical text and digest are those of the format."""
    tree = parse_article(markup.encode())
    assert tree.canonical_text(tree.items[0]) == json.loads(canonical)
    assert content_hash(markup) == f"sha256:{digest}"


def test_worked_file() -> None:
    """The whole-file example has the digest and canonical text of the format."""
    assert content_hash(WORKED_EXAMPLE) == WORKED_DIGEST
    assert hashlib.sha256(CANONICAL.encode()).hexdigest() == WORKED_DIGEST.removeprefix("sha256:")


@pytest.mark.parametrize(
    ("old", "new", "digest"),
    [
        (
            b"    return",
            b"  return",
            "391024a41413a4908ae58094f4a5396b6558b3656550ebc43f278e8827081e82",
        ),
        (
            b"\n</code>",
            b"</code>",
            "c697c625c551557b9b4cf48853987447b1c14186669ef1cf46c0e7cc32e0bee6",
        ),
    ],
)
def test_worked_variations(old: bytes, new: bytes, digest: str) -> None:
    """The variations that the format gives a digest for have it."""
    assert content_hash(WORKED_EXAMPLE.replace(old, new)) == f"sha256:{digest}"


@pytest.mark.parametrize(("old", "new"), SAME)
def test_what_does_not_move_it(old: bytes, new: bytes) -> None:
    """Head, attributes, comments and white space outside pre do not matter."""
    assert old in WORKED_EXAMPLE
    assert content_hash(WORKED_EXAMPLE.replace(old, new)) == WORKED_DIGEST


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_moves_it(old: bytes, new: bytes) -> None:
    """Each word, and white space inside pre, matters."""
    assert old in WORKED_EXAMPLE
    assert content_hash(WORKED_EXAMPLE.replace(old, new, 1)) != WORKED_DIGEST


def test_file_and_article_markup_agree() -> None:
    """Whole file, memory and bare article markup give one digest."""
    inner = WORKED_EXAMPLE.split(b"<article>")[1].split(b"</article>")[0]
    assert content_hash(inner) == content_hash(inner.decode()) == WORKED_DIGEST
    assert memory(WORKED_EXAMPLE).content_hash == WORKED_DIGEST


def test_first_article_counts() -> None:
    """Of two articles the first one is hashed, and text outside does not matter."""
    assert content_hash("x<article>a</article><article>b</article>y") == content_hash("a")


def test_a_word_that_only_looks_like_a_file() -> None:
    """Markup whose only article tag is in a comment is hashed as a fragment."""
    assert content_hash("<!-- <article> -->a") == content_hash("a")


@pytest.mark.parametrize("tag", ["<article>", "<article lang=en>", "<ARTICLE\nid=x>"])
def test_an_article_makes_markup_a_file(tag: str) -> None:
    """However its tag is written, what stands outside of it does not matter."""
    assert content_hash(f"<p>x</p>{tag}a</article>y") == content_hash("a")


def test_articles_element_name_is_whole() -> None:
    """A longer element name does not make a fragment a file."""
    assert content_hash("<articles>a</articles>") == content_hash(" a ")


@pytest.mark.parametrize(
    ("markup", "canonical"),
    [
        ("<pre><thead>\nx</pre>", "\nx"),  # the ignored tag stands between pre and line feed
        ("<b><summary>x</b>y</summary>", "x y"),  # summary is special: b is opened again in it
        ("<pre><code>\nx</code></pre>", "\nx"),
        ("<table><tr><td>a<td>b</table>", "a b"),
        ("a<img>b<wbr>c", "a b c"),
        ("a<svg><text>b</text></svg>c", "a b c"),
        ("a\vb\u2028c\u2003d", "a\vb\u2028c\u2003d"),
    ],
)
def test_trees_decide(markup: str, canonical: str) -> None:
    """The text follows the tree that a conforming parser builds, not the source."""
    tree = parse_article(markup.encode())
    assert tree.canonical_text(tree.items[0]) == canonical


def test_pre_above_the_article_does_not_count() -> None:
    """Only a pre at or below the article keeps white space."""
    assert content_hash("<pre><article>a  b</article></pre>") == content_hash("a b")
    assert content_hash("<pre><article><pre>a  b</pre></article></pre>") != content_hash("a b")


def test_template_content_is_not_read() -> None:
    """What a template holds is no text, but the element is a block."""
    assert content_hash("a<template>b</template>c") == content_hash("a c")
    shadow = b"a<template shadowrootmode=open>b</template>c"
    assert content_hash(b"<article>" + shadow + b"</article>") == content_hash("a c")


def test_bytes_that_are_not_utf8() -> None:
    """There is no hash for bytes that are not UTF-8."""
    with pytest.raises(UnfitSourceError):
        content_hash(b"\xff")


def test_stated_hash_is_not_trusted() -> None:
    """The memory carries the computed hash; the stated one is in `raw`."""
    found = memory(page(meta("content-hash", "garbage")))
    assert found.raw["content_hash"] == "garbage"
    assert found.content_hash == f"sha256:{A_CLAIM}"


BLOCKS = st.sampled_from(["p", "li", "section", "aside", "pre", "figure"])
INLINES = st.sampled_from(["em", "strong", "code", "span", "a"])
WORDS = st.text(st.sampled_from("ab \n\t\f\u00a0\u3000"), max_size=6)


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> str:
    parts = [draw(WORDS)]
    for _ in range(draw(st.integers(0, 2)) if depth else 0):
        tag = draw(st.one_of(BLOCKS, INLINES))
        inner = draw(trees(depth=depth - 1))
        parts += [f"<{tag}>{inner}</{tag}>", draw(WORDS)]
    return "".join(parts)


@given(trees())
def test_head_never_matters(article: str) -> None:
    """Whatever the article, a head with another title and one more meta gives the same hash."""
    other = page(meta("tag", "x"), head=("<title>Other</title>", *HEAD[1:]), article=article)
    assert content_hash(page(article=article)) == content_hash(other)


@given(trees())
def test_line_ends_never_matter(article: str) -> None:
    """LF and CRLF files have one hash, inside pre too."""
    source = page(article=article)
    assert content_hash(source) == content_hash(source.replace(b"\n", b"\r\n"))
