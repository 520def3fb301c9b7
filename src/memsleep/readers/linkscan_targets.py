"""Targets of links as written: decoding them, and finding the bytes that hold them."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from urllib.parse import unquote_to_bytes

from memsleep.model import OtherTarget

MEMORY_ENDINGS = (".md", ".markdown", ".html", ".htm")
_ASSETS = (
    "png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "ico", "tif", "tiff", "avif", "heic",
    "pdf", "mp3", "mp4", "wav", "m4a", "ogg", "webm", "mov", "zip", "gz", "csv", "tsv", "xlsx",
    "xls", "docx", "doc", "pptx", "ppt", "txt", "json", "yaml", "yml", "toml", "xml", "py", "js",
    "ts", "css", "sh", "canvas", "base", "excalidraw", "rs", "go", "c", "h", "cpp", "java", "rb",
    "php", "lua", "sql", "db", "ipynb", "log", "lock", "cfg", "ini", "conf", "jsonl", "parquet",
    "npz", "npy", "tar", "tgz", "7z", "rar", "epub", "odt", "rtf", "tex", "bib", "tsx", "jsx",
)  # fmt: skip
_EXTERNAL = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]+:)?//|(?:mailto|tel|data|file|javascript|urn|doi|news|sms|about):",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,10})\Z")
_NUMBER = re.compile(r"[-+]?\d{1,7}(?:\.\d+)?(?:\s*,\s*[-+]?\d+(?:\.\d+)?)*\Z", re.ASCII)
_HTML_SUFFIX = re.compile(r"[?#].*", re.DOTALL)
_HASH = re.compile(r"(?<![&\\])#")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Written:
    """A target as written: its decoded path, and the bytes without fragment."""

    target: str
    start: int
    end: int
    external: bool
    other: OtherTarget | None = None
    """The other part of the link, where a store writes both orders."""


def is_external(target: str) -> bool:
    """Return True for a URL or mail address; `note: x.md` is a file name, not a scheme."""
    return _EXTERNAL.match(target) is not None


def wikilink_target(
    source: bytes, start: int, end: int, *, label_first: bool = False
) -> Written | None:
    """Return the target inside the brackets of a wikilink, None when it is no link.

    The part before the first pipe (escaped in tables) and before a fragment counts. With
    `label_first` it is the part after the pipe, and the first one is what else it may be.
    """
    inner = source[start:end]
    if b"\n" in inner or b"\r" in inner:
        return None
    pipe = inner.find(b"|")
    if pipe < 0:
        return _part(inner, start)
    first = _part(inner[:pipe].removesuffix(b"\\"), start)
    if not label_first:
        return first
    second = _part(inner[pipe + 1 :], start + pipe + 1)
    if second is None or first is None or second.external:
        return second or first
    return replace(second, other=OtherTarget(first.target, first.start, first.end))


def _part(inner: bytes, start: int) -> Written | None:
    """Return the target of one part of a wikilink that begins at a byte."""
    text = inner.decode("utf-8")
    external = is_external(text.strip())
    if not external:
        text = without_fragment(text)
    target = text.strip(" \t")
    if not target or _NUMBER.match(target) or "[" in target or "]" in target:
        return None
    begin = start + len(text[: len(text) - len(text.lstrip(" \t"))])
    return Written(target, begin, begin + len(target.encode("utf-8")), external or _asset(target))


def without_fragment(text: str) -> str:
    """Return a target without its `#heading`; a name that holds a `#` is kept whole.

    The ending of a memory tells: `a.md#b` has a fragment, `a #2.md` has none. Escapes of Markdown
    and HTML (`&#38;`) are no fragments.

    Examples
    --------
    >>> [without_fragment(text) for text in ("a#b", "a.md#b.md", "a #2.md", "a #2.md#b")]
    ['a', 'a.md', 'a #2.md', 'a #2.md']
    """
    places = [match.start() for match in _HASH.finditer(text)]
    if not places:
        return text
    for place in places:
        if text[:place].rstrip().lower().endswith(MEMORY_ENDINGS):
            return text[:place]
    whole = text.rstrip().lower().endswith(MEMORY_ENDINGS) and places[0] > 0
    return text if whole else text[: places[0]]


def _asset(target: str) -> bool:
    """Tell a file of another kind (`data.csv`) from a memory, which may come without its ending."""
    ending = _ENDING.search(target)
    return ending is not None and ending[1].lower() in _ASSETS


def destination(source: bytes, position: int, limit: int, dest_url: str) -> Written | None:
    """Return the destination that starts at a position, in angle brackets or bare."""
    if source[position : position + 1] == b"<":
        begin = position + 1
        stop = _closing_angle(source, begin, limit)
    else:
        begin = position
        stop = begin
        while stop < limit and source[stop] not in b" \t\r\n":
            stop += 1
    if stop < begin or _unescape(source[begin:stop]) != dest_url:
        return unplaced(dest_url)
    return placed_url(source, begin, stop)


def _closing_angle(source: bytes, begin: int, limit: int) -> int:
    position = begin
    while position < limit and source[position : position + 1] != b">":
        position += 2 if source[position : position + 1] == b"\\" else 1
    return position


def _unescape(raw: bytes) -> str:
    """Undo backslash escapes and character references, as a Markdown destination does."""
    if b"\\" not in raw and b"&" not in raw:
        return raw.decode("utf-8", "replace")
    parts = _ESCAPE.split(raw.decode("utf-8", "replace"))
    return "".join(part if i % 2 else _dereferenced(part) for i, part in enumerate(parts))


def _dereferenced(text: str) -> str:
    return _REFERENCE.sub(lambda match: html.unescape(match[0]), text)


def placed_url(source: bytes, begin: int, stop: int) -> Written | None:
    """Return a URL or path that stands at these bytes, None for a mere fragment."""
    raw = source[begin:stop]
    if not is_external(_unescape(raw)):
        raw = without_fragment(raw.decode("utf-8")).encode("utf-8")
    decoded = _decoded(_unescape(raw))
    return decoded and Written(decoded.target, begin, begin + len(raw), decoded.external)


def placed_html(value: str, raw: str, begin: int) -> Written | None:
    """Return the path of an href; its bytes are known only where nothing in it is escaped."""
    external = is_external(value)
    decoded = _decoded(value if external else _HTML_SUFFIX.sub("", value))
    if decoded is None:
        return None
    if value != raw:
        return decoded
    path = raw if external else _HTML_SUFFIX.sub("", raw)
    return Written(decoded.target, begin, begin + len(path.encode("utf-8")), decoded.external)


def unplaced(dest_url: str) -> Written | None:
    """Return a target whose bytes were not found: it can be followed, not edited."""
    external = is_external(dest_url)
    return _decoded(dest_url if external else without_fragment(dest_url))


def _decoded(url: str) -> Written | None:
    if not url:
        return None
    if is_external(url):
        return Written(url, -1, -1, external=True)
    try:
        target = unquote_to_bytes(url).decode("utf-8")
    except UnicodeDecodeError:
        target = url
    return Written(target, -1, -1, external=_asset(target))
