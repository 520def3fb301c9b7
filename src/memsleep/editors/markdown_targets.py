"""How a link's new target is written: in the style of the one that stands there."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

from memsleep.errors import EditRefused
from memsleep.model import Link
from memsleep.readers.linkscan_targets import MEMORY_ENDINGS

_REFERENCE = re.compile(r"&(?=#?\w+;)")
_PERCENT_BYTE = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")
_PERCENT_TRIPLE = re.compile(r"%(?=[0-9A-Fa-f]{2})")
_SAFE_BARE = "/:@!$'*+,;=~-._"
_NOT_IN_BRACKETS = re.compile(r"[\[\]|#\n\r]|\A\s|\s\Z")


def without_ending(path: str) -> str:
    """Return a path without `.md`, `.html` and the like."""
    stem, ending = posixpath.splitext(path)
    return stem if ending.lower() in MEMORY_ENDINGS else path


def target_text(
    path: str, link: Link, target_path: str, *, bracketed: bool, exact: bool = False
) -> str:
    """Return the decoded target that points at a path as the link did: by name, path or from root.

    Parameters
    ----------
    path : str
        Where the file with the link lies.
    link : Link
        The link, with `link.path` set where it resolves.
    target_path : str
        Corpus path it shall point at.
    bracketed : bool
        True for a target in `[[...]]`, which is looked up by name or from the root.
    exact : bool
        True where nothing but the whole path will do.
    """
    written = link.target
    new = target_path if written.lower().endswith(MEMORY_ENDINGS) else without_ending(target_path)
    if written.startswith("/"):
        return "/" + new
    if exact:
        if bracketed:
            return new
        beside = link.form in ("inline", "reference", "anchor")
        return _relative(path, new, dotted=False) if beside else f"/{new}"
    named = not written.lower().endswith(MEMORY_ENDINGS) and link.form == "front-matter"
    if "/" not in written and (bracketed or named):
        return posixpath.basename(new)
    if _is_relative(path, link, bracketed=bracketed):
        return _relative(path, new, dotted=written.startswith("./"))
    return new if "/" in written or _from_root(link) else posixpath.basename(new)


def _is_relative(path: str, link: Link, *, bracketed: bool) -> bool:
    if link.target.startswith(("./", "../")):
        return True
    if bracketed:
        return False
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), link.target))
    if link.path is None:
        return link.form in ("inline", "reference", "anchor")
    if joined in (link.path, without_ending(link.path)):
        return True
    return link.form in ("inline", "reference", "anchor") and not _from_root(link)


def _from_root(link: Link) -> bool:
    if link.path is None:
        return False
    return link.target in (link.path, without_ending(link.path))


def _relative(path: str, target_path: str, *, dotted: bool) -> str:
    relative = posixpath.relpath("/" + target_path, "/" + posixpath.dirname(path))
    return f"./{relative}" if dotted and not relative.startswith("../") else relative


def fits_brackets(text: str) -> bool:
    """Return True for a target that can stand in `[[...]]`."""
    return _NOT_IN_BRACKETS.search(text) is None


def encode_bracketed(text: str) -> str:
    """Return a target for `[[...]]`; what brackets cannot hold is refused."""
    if not fits_brackets(text):
        raise EditRefused("the new path holds a character that a wikilink cannot hold")
    return text


def encode_url(text: str, written: str, *, angle: bool) -> str:
    """Return a target for `[...](...)`, percent-encoded as far as the place or the style needs.

    Examples
    --------
    >>> encode_url("a b.md", "x.md", angle=False), encode_url("a b.md", "x y.md", angle=True)
    ('a%20b.md', 'a b.md')
    """
    if angle and "%" not in written:
        kept = _PERCENT_TRIPLE.sub("%25", text)
        for character in "#<>\\|&\n\r":
            kept = kept.replace(character, quote(character, safe=""))
        return kept
    everything = _PERCENT_BYTE.search(written) is not None
    parts = (
        character
        if character.isalnum() and (character.isascii() or not everything)
        else quote(character, safe=_SAFE_BARE)
        if character.isascii() or everything or not character.isprintable()
        else character
        for character in text
    )
    return _REFERENCE.sub("%26", "".join(parts))


def encode_shortcode(text: str) -> str:
    """Return a target for a Hugo shortcode; quotes and brackets are refused."""
    if re.search(r"[\"'`<>%\s#]", text):
        raise EditRefused("the new path holds a character that a shortcode cannot hold")
    return text


def encode_anchor(text: str) -> str:
    """Return a target for `<a href="...">`: percent-encoded, so that nothing needs escaping."""
    return quote(text, safe="/!$()*+,;=:@~-._")
