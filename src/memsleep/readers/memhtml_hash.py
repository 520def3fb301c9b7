"""The content hash: equal for articles that say the same words in the same order."""

from __future__ import annotations

import hashlib
import re

from memsleep.readers.memhtml_tree import Item, Tree, parse, parse_article

_ARTICLE = re.compile(rb"<article[ \t\n\f\r\v>]", re.IGNORECASE)


def hash_text(canonical: str) -> str:
    """Return `sha256:` and the hex digest of a canonical text."""
    # A parser never yields lone surrogates from UTF-8, so this cannot fail on a file.
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def hash_of(tree: Tree, article: Item) -> str:
    """Return the content hash of one article of a parsed document."""
    return hash_text(tree.canonical_text(article))


def content_hash(markup: str | bytes) -> str:
    """Return the content hash of a whole file or of the inner markup of an article.

    Raises `UnfitSourceError` for bytes that are not plain UTF-8.
    """
    data = markup if isinstance(markup, bytes) else markup.encode()
    if _ARTICLE.search(data):
        tree = parse(data)
        articles = tree.named("article")
        if articles:
            return hash_of(tree, articles[0])
    tree = parse_article(data)
    return hash_of(tree, tree.items[0])
