"""Append paragraphs to the article of a memhtml file and keep its stated content hash true."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.editors.html import set_meta
from memsleep.editors.html_document import Document, open_document
from memsleep.editors.html_lines import eol_after, indent_at, line_start
from memsleep.editors.html_text import escape_text
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.readers.memhtml_hash import hash_of
from memsleep.readers.memhtml_tree import Item, Tree, parse_article
from memsleep.readers.memhtml_values import collapse, is_hash, js_trim

_HASH = "memhtml-content-hash"


def append_paragraphs(source: bytes, texts: Sequence[str], markup: Sequence[str] = ()) -> bytes:
    """Add one paragraph per text at the end of the article; all other bytes of it stay.

    A content hash that the head states is made true again, if it was true before.

    Parameters
    ----------
    markup : sequence of str
        Each text as the inside of a paragraph, escaped; empty: the texts are escaped here.
    """
    inner = list(markup) or [escape_text(js_trim(collapse(text))) for text in texts]
    told = [(js_trim(collapse(text)), one) for text, one in zip(texts, inner, strict=True)]
    texts, inner = [text for text, _ in told if text], [one for text, one in told if text]
    if not texts:
        return source
    before = open_document(source)
    article = _article(before)
    end_tag = before.tree.end_tag(article)
    if end_tag is None:
        line = before.tree.line(article)
        raise EditRefused("expected an </article> tag to insert before, found none", line=line)
    changed = splice(source, [_insertion(source, end_tag[0], inner)])
    _check(before, changed, texts, inner)
    return _with_true_hash(before, changed)


def _insertion(source: bytes, end_tag: int, inner: Sequence[str]) -> Replacement:
    """Return the paragraphs, each on its own line, right before the end tag."""
    start, eol, indent = line_start(source, end_tag), eol_after(source, end_tag), b""
    lead = eol
    if not source[start:end_tag].strip(b" \t\f"):
        indent, lead = indent_at(source, end_tag), b""
    else:
        start = end_tag
    lines = [indent + b"<p>" + one.encode() + b"</p>" + eol for one in inner]
    return Replacement(start, start, lead + b"".join(lines))


def _article(document: Document) -> Item:
    """Return the one article."""
    articles = document.tree.named("article")
    if len(articles) != 1:
        raise EditRefused(f"expected one article, found {len(articles)}")
    return articles[0]


def _check(before: Document, changed: bytes, texts: Sequence[str], inner: Sequence[str]) -> None:
    """Refuse a result that is not the old article with the new paragraphs at its end."""
    after = open_document(changed)
    old, new = _article(before), _article(after)
    tail = [item for item in after.tree.children(new) if item.tag == "p"][-len(texts) :]
    said = [after.tree.text_of(item) for item in tail]
    whole = js_trim(" ".join([before.tree.text_of(old), *texts]))
    same_head = (before.metas, before.links) == (after.metas, after.links)
    wanted = [_marks(parse_article(one.encode())) for one in inner]
    held = [_marks(after.tree, item) for item in tail]
    if held != wanted:
        raise EditRefused("the markup of a paragraph would not be read as it is")
    if said != list(texts) or after.tree.text_of(new) != whole or not same_head:
        line = before.tree.line(old)
        raise EditRefused("no place for a paragraph at the end of the article", line=line)


def _marks(tree: Tree, within: Item | None = None) -> list[tuple[str, str | None]]:
    """Return the elements of a paragraph, in order, and where they lead."""
    items = tree.below(within or tree.items[0])
    return [(item.tag, item.attr("href")) for item in items]


def _with_true_hash(before: Document, changed: bytes) -> bytes:
    """Refresh the stated content hash if it was the hash of the article before."""
    stated = before.head.value(_HASH)
    if stated is None or not is_hash(stated) or stated != hash_of(before.tree, _article(before)):
        return changed
    after = open_document(changed)
    return set_meta(changed, _HASH, hash_of(after.tree, _article(after)))
