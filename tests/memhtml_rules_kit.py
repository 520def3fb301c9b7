"""The rules of the memhtml format once more, written down from its page and on another parser.

`broken(path, source)` names every rule that a file breaks, by the numbers of the format's own list
of violations; `broken_store` the rules that hold between files; `broken_edit` what a night may do
to a file. Nothing here is shared with the package, so that one error cannot hide another.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import justhtml

METAS = (
    "type status created updated confidence importance content-hash author session prompt turn"
    " valid-from valid-until reprieves archived superseded-by needs-revision task-status due"
    " entity tag alias"
).split()
REPEATABLE = ("entity", "tag", "alias")
TYPES = (
    "episodic semantic procedural agent_insight user_preference error_pattern verdict precedent"
    " arc task"
).split()
RELATIONS = (
    "supersedes contradicts caused_by leads_to part_of relates_to example_of supports"
    " laterally_related about_person authored_by from_session blocks subtask_of"
).split()
MEMORY_RELATIONS = RELATIONS[:9]
INLINE = "mark time data cite q dfn abbr code kbd samp var a strong em span".split()
BUCKETS = ("projects", "areas", "resources", "archive")
JS_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_STAMP = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?")
_META_LINE = re.compile(r'<meta name="memhtml-[a-z-]+" content="[^"\n\r]*">')
_LINK_LINE = re.compile(r'<link rel="memhtml-[a-z-]+" href="[^"\n\r]*">')
_PARAGRAPH = re.compile(r"<p>[^<>]*</p>")


class Page:
    """One document on a parser that the package does not use."""

    def __init__(self, source: bytes) -> None:
        text = source.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        self.all = list(_elements(justhtml.JustHTML(text, sanitize=False).root, ()))
        """(element, its ancestors) in document order."""
        self.head = [n for n, up in self.all if any(a.name == "head" for a in up)]
        self.articles = [n for n, _ in self.all if n.name == "article"]
        self.metas = [
            (attrs["name"][len("memhtml-") :], attrs.get("content") or "")
            for n in self.head
            if n.name == "meta" and ((attrs := dict(n.attrs)).get("name") or "").startswith(_P)
        ]
        self.links = [
            (attrs["rel"][len("memhtml-") :], attrs.get("href") or "")
            for n in self.head
            if n.name == "link" and ((attrs := dict(n.attrs)).get("rel") or "").startswith(_P)
        ]

    def first(self, name: str) -> str | None:
        return next((value for known, value in self.metas if known == name), None)

    def inside(self, tag: str, within: Any) -> list[tuple[Any, tuple[Any, ...]]]:
        return [(n, up) for n, up in self.all if n.name == tag and any(a is within for a in up)]

    @property
    def digest(self) -> str:
        text = canonical(self.articles[0])
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


_P = "memhtml-"


def _elements(node: Any, up: tuple[Any, ...]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    for child in node.children or ():
        if not child.name.startswith(("#", "!")):
            yield child, up
            yield from _elements(child, (*up, child))


def canonical(root: Any) -> str:
    """Return the text that is hashed, by the seven steps of the format."""
    segments: list[tuple[bool, str]] = []
    for verbatim, text in _segments(root, False):
        if segments and segments[-1][0] is verbatim:
            segments[-1] = (verbatim, segments[-1][1] + text)
        else:
            segments.append((verbatim, text))
    parts = [text if pre else re.sub(r"[ \t\n\f\r]+", " ", text) for pre, text in segments]
    if not segments[0][0]:
        parts[0] = parts[0].removeprefix(" ")
    if not segments[-1][0]:
        parts[-1] = parts[-1].removesuffix(" ")
    return "".join(parts)


def _segments(node: Any, pre: bool) -> Iterator[tuple[bool, str]]:
    """Yield (inside pre, text); a block element is a blank on either side of what it holds."""
    if node.name == "#text":
        yield pre, node.data
    elif not node.name.startswith(("#", "!")):
        edge = [] if node.name in INLINE else [(False, " ")]
        yield from edge
        for child in node.children or ():
            yield from _segments(child, pre or node.name == "pre")
        yield from edge


def is_stamp(text: str) -> bool:
    """Return True for a date or an instant to the second, of a day that exists."""
    match = _STAMP.fullmatch(text)
    if match is None or int(match[1]) < 100:
        return False
    try:
        date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return False
    clock = match[4]
    return clock is None or (clock[1:3] < "24" and clock[4:6] < "60" and clock[7:9] < "61")


def broken(path: str, source: bytes) -> list[str]:
    """Return the rules that a memory file breaks."""
    if source.startswith(b"\xef\xbb\xbf"):
        return ["byte order mark"]
    page = Page(source)
    found = [*_broken_place(path), *_broken_head(page), *_broken_article(page)]
    return [*found, *_broken_elements(page), *_broken_links(page), *_broken_values(page)]


def _broken_place(path: str) -> Iterator[str]:
    folders = path.split("/")
    if folders[0] not in BUCKETS or not path.endswith(".html"):
        yield "path outside the buckets"
    if any(part in ("", ".", "..") for part in folders) or folders[-1] == "index.html":
        yield "path that is not usable"


def _broken_head(page: Page) -> Iterator[str]:
    titles = [n for n, _ in page.all if n.name == "title"]
    if len(titles) != 1:
        yield "1 title count"
    elif not _direct(titles[0]).strip(JS_BLANKS):
        yield "2 blank title"
    names = Counter(name for name, _ in page.metas)
    yield from (f"3 missing {name}" for name in METAS[:4] if name not in names)
    yield from (f"4 unknown {name}" for name in names if name not in METAS)
    yield from (
        f"5 repeated {name}" for name, n in names.items() if n > 1 and name not in REPEATABLE
    )


def _direct(node: Any) -> str:
    return "".join(child.data for child in node.children or () if child.name == "#text")


def _broken_article(page: Page) -> Iterator[str]:
    if len(page.articles) != 1:
        yield "6 or 7 article count"
        return
    article = page.articles[0]
    marks = page.inside("mark", article)
    if len(marks) != 1:
        yield "8 or 9 mark count"
        return
    mark, up = marks[0]
    if not _spoken(mark).strip(JS_BLANKS):
        yield "10 empty mark"
    hidden = [f"{n} mark in {tag}" for n, tag in ((11, "aside"), (12, "details")) if _in(up, tag)]
    yield from hidden
    leads = [n for n, around in page.all if n.name in ("p", "li") and _is_in(around, article)]
    if not hidden and not leads:
        yield "13 no paragraph"
    elif not hidden and not _is_in(up, leads[0]):
        yield "14 mark not first"


def _in(up: tuple[Any, ...], tag: str) -> bool:
    return any(a.name == tag for a in up)


def _is_in(up: tuple[Any, ...], node: Any) -> bool:
    return any(a is node for a in up)


def _spoken(node: Any) -> str:
    if node.name == "#text":
        return str(node.data)
    return "".join(_spoken(c) for c in node.children or () if c.name not in ("pre", "code"))


def _broken_elements(page: Page) -> Iterator[str]:
    for node, _ in page.all:
        attrs = dict(node.attrs or {})
        if node.name == "time" and "datetime" not in attrs:
            yield "15 time without datetime"
        elif node.name == "time" and not is_stamp(attrs["datetime"] or ""):
            yield "16 time malformed"
        if node.name in ("script", "style"):
            yield f"17 {node.name}"
        for name in attrs:
            if name in ("class", "style"):
                yield f"18 {name}"
            elif name.startswith("on") and len(name) > 2:
                yield f"19 {name}"


def _broken_links(page: Page) -> Iterator[str]:
    for token, href in page.links:
        if token.replace("-", "_") not in RELATIONS:
            yield f"20 relation {token}"
        place = re.split(r"[?#]", href)[0]
        if not href:
            yield "21 no href"
        elif not re.match(r"/(?!/)", place) or {"", ".", ".."} & set(place[1:].split("/")):
            yield f"22 href {href}"


def _broken_values(page: Page) -> Iterator[str]:
    kind, status, task = page.first("type"), page.first("status"), page.first("task-status")
    if kind is not None and kind not in TYPES:
        yield "23 type"
    if status is not None and status not in ("active", "archived"):
        yield "24 status"
    if task is not None and kind != "task":
        yield "25 task-status on no task"
    if task is not None and task not in ("todo", "doing", "blocked", "done"):
        yield "26 task-status"
    if task is None and kind == "task":
        yield "27 task without task-status"
    for name in ("due", "created", "updated", "valid-from", "valid-until", "archived"):
        value = page.first(name)
        if value is not None and not is_stamp(value):
            yield f"28 or 29 {name}"


def memories_of(files: Mapping[str, bytes]) -> dict[str, Page]:
    """Return the files that are memories of the store, those with a broken rule left out."""
    return {
        path: Page(source)
        for path, source in files.items()
        if path.split("/")[0] in BUCKETS
        and "/" in path
        and path.endswith(".html")
        and path.rpartition("/")[2] != "index.html"
        and _decodes(source)
        and not broken(path, source)
    }


def _decodes(source: bytes) -> bool:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def twins(pages: Mapping[str, Page]) -> set[frozenset[str]]:
    """Return the sets of active files, tasks left out, that share a digest."""
    groups: dict[str, set[str]] = {}
    for path, page in pages.items():
        if not path.startswith("archive/") and page.first("type") != "task":
            groups.setdefault(page.digest, set()).add(path)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def broken_store(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[str]:
    """Return the rules between files that a night broke."""
    old, new = memories_of(before), memories_of(after)
    found = []
    for path, source in after.items():
        if source != before.get(path) and path.endswith(".html") and "/" in path:
            found += [f"{path}: {rule}" for rule in broken(path, source)]
    for group in twins(new):
        if not any(group <= known for known in twins(old)):
            found.append(f"one digest: {sorted(group)}")
    for path, source in before.items():
        opaque = path.startswith(".memhtml/") or path.endswith(("/index.html", "sitemap.xml"))
        if (opaque or path == "index.html") and after.get(path) != source:
            found.append(f"{path}: a page of the store's own program changed")
        if path not in old and path not in after:
            found.append(f"{path}: left its place though it is no memory")
    return found


def broken_edit(
    path: str, before: bytes, after: bytes, kinds: Mapping[str, str | None]
) -> list[str]:
    """Return what a night did to one file that no rule of the format or of ours allows.

    `kinds` tells the type of each file of the store, for the ends of links.
    """
    old, new = Page(before), Page(after)
    found = [f"{path}: new line {line!r}" for line in _odd_lines(before, after)]
    same = old.digest == new.digest
    if not same and not canonical(new.articles[0]).startswith(canonical(old.articles[0])):
        found.append(f"{path}: the article lost text")
    if old.first("content-hash") == old.digest and new.first("content-hash") != new.digest:
        found.append(f"{path}: a true content hash became false")
    old_ends, new_ends = (Counter(_ends(page)) for page in (old, new))
    for relation, place in new_ends - old_ends:
        if place == path and not any(_origin(path) == target for _, target in old_ends):
            found.append(f"{path}: it links to itself")
        if new_ends[relation, place] > max(1, old_ends[relation, place]):
            found.append(f"{path}: one link twice")
    found += [
        f"{path}: a new {relation} with a task at one end"
        for relation in MEMORY_RELATIONS
        if _tasks(new_ends, relation, path, kinds) > _tasks(old_ends, relation, path, kinds)
    ]
    return found + [f"{path}: {told}" for told in _broken_order(old, new)]


def _ends(page: Page) -> list[tuple[str, str]]:
    """Return (relation, target) of each link, as the store's index has them: query and all."""
    return [(relation.replace("-", "_"), href.strip("/")) for relation, href in page.links]


def _origin(path: str) -> str:
    return re.sub(r"^archive/[0-9]{4}/", "", path)


def _tasks(
    ends: Mapping[tuple[str, str], int], relation: str, path: str, kinds: Mapping[str, str | None]
) -> int:
    """Count the links of a relation that have a task at one end."""
    return sum(
        count
        for (name, place), count in ends.items()
        if name == relation and "task" in (kinds.get(re.split(r"[?#]", place)[0]), kinds.get(path))
    )


def _odd_lines(before: bytes, after: bytes) -> Iterator[str]:
    """Yield new lines that are no head entry of the canonical spelling and no paragraph.

    A line that was there may differ in an address or a value alone.
    """
    gone = Counter(before.decode().split("\n"))
    gone.subtract(after.decode().split("\n"))
    shapes = {re.sub(r"(href|content)=(\"[^\"]*\"|'[^']*'|[^\s>]*)", r"\1", line) for line in gone}
    for line, count in gone.items():
        plain = line.removesuffix("\r").strip(" \t\f")
        shape = re.sub(r"(href|content)=(\"[^\"]*\"|'[^']*'|[^\s>]*)", r"\1", line)
        known = any(
            form.fullmatch(re.sub(r"^(<!--.*?-->\s*)*|(\s*<!--.*?-->)*$", "", plain))
            for form in (_META_LINE, _LINK_LINE, _PARAGRAPH)
        )
        if count < 0 and not known and (shape not in shapes or gone.get(line, 0) == 0):
            yield line


def _broken_order(old: Page, new: Page) -> Iterator[str]:
    """Yield new metas that stand where the format's own editor would not have put them."""
    names = [name for name, _ in new.metas]
    known = [name for name, _ in old.metas]
    if known == sorted(known, key=METAS.index) and names != sorted(names, key=METAS.index):
        yield f"its metas left the canonical order: {names}"
