"""Sentences of an HTML article with the inline markup that they are written in.

Only elements that say something are told, with the attributes that say it: what could run, and
what belongs to one place of one file (an id, a style, the mark of the claim), is never taken along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memsleep.editors.html_text import escape_attribute, escape_text
from memsleep.errors import EditRefused
from memsleep.readers.memhtml_tree import Item, Tree
from memsleep.readers.memhtml_values import ASCII_SPACE, JS_SPACE
from memsleep.spelled import Spelled, places, shared_count

_TOLD: dict[str, tuple[str, ...]] = {
    "a": ("href", "title"),
    "abbr": ("title",),
    "cite": (),
    "code": ("data-lang",),
    "data": ("value",),
    "dfn": ("title",),
    "em": (),
    "kbd": (),
    "q": ("cite",),
    "samp": (),
    "strong": (),
    "time": ("datetime",),
    "var": (),
}
_DIVISIBLE = frozenset({"a", "em", "strong"})
"""Elements that say the same of each part of their text."""
_PRECIOUS = frozenset(
    {"a", "abbr", "cite", "code", "data", "dfn", "kbd", "q", "samp", "time", "var"}
)
_NO_TEXT = {
    "blockquote": "a quotation",
    "dl": "a list of properties",
    "figure": "a figure",
    "pre": "code",
    "script": "a script",
    "style": "a style",
    "table": "a table",
}
_NOT_TOLD = frozenset({"audio", "button", "canvas", "embed", "form", "iframe", "img", "input"})
_NOT_TOLD |= {"math", "object", "ruby", "select", "sub", "sup", "svg", "video"}
"""Elements that say what no sentence can."""
_SAFE = re.compile(r"(?:https?|mailto|ftp|tel):|[^:]*\Z|[^:]*[/?#]", re.I)
_CONTROL = re.compile(r"[\x00-\x20\x7f]+")


def spell(tree: Tree, article: Item, wanted: Sequence[str]) -> tuple[Spelled, ...]:
    """Return the wanted sentences of an article with their inline markup, escaped anew.

    A sentence that the article does not hold is told as it is given.

    Raises
    ------
    EditRefused
        When a sentence stands in code, a table or a quotation, or holds what cannot be taken along.
    """
    chars = _characters(tree, article)
    text = "".join(char for char, _ in chars)
    around = _around(tree, article)
    found = []
    for sentence, place in zip(wanted, places([text], wanted), strict=True):
        if place is None:
            found.append(Spelled(sentence, escape_text(" ".join(sentence.split()))))
            continue
        _, start, end = place
        pieces = [piece for _, piece in chars[start:end]]
        _check(tree, article, chars, (start, end))
        found.append(_spelled(text[start:end], pieces, around))
    return tuple(found)


def _check(
    tree: Tree, article: Item, chars: Sequence[tuple[str, int]], span: tuple[int, int]
) -> None:
    """Refuse a stretch of an article that stands in, or holds, what no sentence can tell."""
    start, end = span
    outside = {piece for char, piece in (*chars[:start], *chars[end:]) if char != " "}
    for item in tree.below(article):
        if item.first > chars[end - 1][1] or item.last <= chars[start][1]:
            continue
        if item.tag in _NO_TEXT:
            raise EditRefused(f"a sentence to carry over stands in {_NO_TEXT[item.tag]}")
        if item.tag in _NOT_TOLD:
            raise EditRefused("a sentence to carry over holds what cannot be taken along")
        whole = outside.isdisjoint(range(item.first, item.last))
        if item.tag in _TOLD and item.tag not in _DIVISIBLE and not whole:
            raise EditRefused("a sentence to carry over ends within markup")


def _characters(tree: Tree, article: Item) -> list[tuple[str, int]]:
    """Return the characters of the article's text, each with the number of its piece."""
    chars: list[tuple[str, int]] = []
    for number in range(article.first, article.last):
        for char in tree.pieces[number]:
            if char not in ASCII_SPACE:
                chars.append((char, number))
            elif not chars or chars[-1][0] != " ":
                chars.append((" ", number))
    start, end = 0, len(chars)
    while start < end and chars[start][0] in JS_SPACE:
        start += 1
    while end > start and chars[end - 1][0] in JS_SPACE:
        end -= 1
    return chars[start:end]


def _around(tree: Tree, article: Item) -> dict[int, tuple[Item, ...]]:
    """Return number of a piece -> the elements around it, the outermost first."""
    around: dict[int, tuple[Item, ...]] = {}
    for item in tree.below(article):
        for number in range(item.first, item.last):
            around[number] = (*around.get(number, ()), item)
    return around


def _spelled(text: str, pieces: Sequence[int], around: dict[int, tuple[Item, ...]]) -> Spelled:
    out: list[str] = []
    open_items: tuple[Item, ...] = ()
    held = {item.index: item for number in pieces for item in around.get(number, ())}
    told = [item for item in held.values() if item.tag in _TOLD]
    for char, number in zip(text, pieces, strict=True):
        # A blank between two elements belongs to neither.
        mine = tuple(item for item in around.get(number, ()) if item in told)
        if mine != open_items:
            shared = shared_count(open_items, mine)
            out += [f"</{item.tag}>" for item in reversed(open_items[shared:])]
            out += [_start_tag(item) for item in mine[shared:]]
            open_items = mine
        out.append(escape_text(char))
    out += [f"</{item.tag}>" for item in reversed(open_items)]
    return Spelled(text, "".join(out), any(item.tag in _PRECIOUS for item in told))


def _start_tag(item: Item) -> str:
    out = [item.tag]
    for name in _TOLD[item.tag]:
        value = item.attr(name)
        if value is None:
            continue
        if name in ("href", "cite") and not _SAFE.match(_CONTROL.sub("", value)):
            raise EditRefused("a sentence to carry over holds a link that could run something")
        out.append(f'{name}="{escape_attribute(value)}"')
    return f"<{' '.join(out)}>"
