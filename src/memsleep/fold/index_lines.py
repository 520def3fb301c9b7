"""The line of an index that lists a memory leaves with it, to the index of the archive.

An agent loads its index at each start: a line about what was archived costs room and leads it
there. The archive's own index keeps the line, with its hook, and leads to the archived file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from memsleep.dialects.claude import INDEX, INDEX_LINE
from memsleep.dialects.registry import TRAITS
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.fold.workspace import Transaction
from memsleep.model import Link


def leave_index(staged: Transaction, page: str, old: str, to: str, keeper: str | None) -> None:
    """Stage the move of the lines that list one memory alone.

    Parameters
    ----------
    page : str
        A file that links to the memory; nothing happens where it is no index of a store.
    old, to : str
        Where the memory was, and where it lies in the archive.
    keeper : str or None
        What it was merged into. Where the index does not list that yet, the line stays: it
        follows to the keeper as any link does.
    """
    if not _is_index(staged, page) or page in staged.workspace.snapshot.locked:
        return
    if keeper is not None and not any(link.path == keeper for link in staged.links(page)):
        return
    while True:
        source = staged.source(page)
        found = next(_lines_of(staged, page, source, old), None)
        if found is None:
            return
        start, stop, link = found
        line = source[start:stop]
        staged.write_page(page, splice(source, [Replacement(start, stop, b"")]))
        _keep_line(staged, page, line, link, to)


def _is_index(staged: Transaction, page: str) -> bool:
    if staged.find(page) is not None or posixpath.basename(page) != INDEX:
        return False
    name = staged.workspace.snapshot.page_dialects.get(page, "plain")
    return TRAITS[name].keeps_index


def _lines_of(
    staged: Transaction, page: str, source: bytes, old: str
) -> Iterator[tuple[int, int, Link]]:
    """Yield the bytes of each line whose only link leads to a memory."""
    links = staged.links(page)
    for link in links:
        if link.path != old or link.start < 0:
            continue
        start = source.rfind(b"\n", 0, link.start) + 1
        stop = source.find(b"\n", link.end) + 1 or len(source)
        alone = sum(start <= other.start < stop for other in links) == 1
        if alone and INDEX_LINE.fullmatch(source[start:stop].rstrip(b"\r\n")):
            yield start, stop, link


def _keep_line(staged: Transaction, page: str, line: bytes, link: Link, to: str) -> None:
    """Add a line to the index of the archive, its link leading to the archived file."""
    snapshot = staged.workspace.snapshot
    path = f"{snapshot.archive_folder}/{snapshot.now[:4]}/{page}"
    there = staged.exists(path)
    if there and path not in staged.files and path not in staged.workspace.files:
        raise EditRefused(f"{path}: the archive's index cannot be read")
    source = staged.source(path) if there else b""
    gap = b"\n" if source and not source.endswith(b"\n") else b""
    added = source + gap + line + (b"" if line.endswith(b"\n") else b"\n")
    dialect = staged.page_dialect(path)
    links = dialect.read_links(path, added)
    if not links:
        raise EditRefused(f"{page}: the line would not be read in the archive's index")
    last = links[-1]
    for exact in (False, True):
        result = dialect.retarget_link(path, added, last, to, exact=exact)
        new = dialect.read_links(path, result)[-1]
        if staged.later().resolve(new, path).path == to:
            staged.write_page(path, result, linked=True)
            return
    raise EditRefused(f"{page}: the line cannot lead to the archive", line=link.line)
