"""`--fix`: what is safe to put right, as edits that touch no other byte.

Every edit goes through the editors, which prove it. A file is then looked at again: the finding
must be gone and no other one may have come, or the file stays as it is.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memsleep.check.corpus import CheckedCorpus
from memsleep.check.facts import facts_of, view_of
from memsleep.check.model import Finding
from memsleep.check.rules.format_html import WORDS, canonical_word, repeated_entries
from memsleep.check.rules.format_markdown import LISTS, repeated_items
from memsleep.check.view import FileView
from memsleep.corpus.folder import read_file
from memsleep.dialects.registry import DIALECTS
from memsleep.diff import git_diff
from memsleep.editors.frontmatter_lists import remove_item
from memsleep.editors.html import set_meta
from memsleep.editors.html_lines import delete_lines
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.model import Link, Memory
from memsleep.readers.entries import split_entries


@dataclass(frozen=True, slots=True)
class Fixes:
    """Files with their new bytes, and what could not be fixed."""

    after: Mapping[str, bytes]
    fixed: tuple[Finding, ...]
    refused: tuple[tuple[Finding, str], ...]

    def diff(self, before: Mapping[str, bytes]) -> bytes:
        """Return the fixes as a git-format patch."""
        old = {path: before[path] for path in self.after}
        return git_diff(old, self.after, {})


def fixes_for(corpus: CheckedCorpus, findings: Sequence[Finding]) -> Fixes:
    """Return what `--fix` would do about findings."""
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        path = finding.entry or finding.path
        if finding.fixable and path in corpus.facts and (path not in corpus.homes or finding.entry):
            by_path[path].append(finding)
    after: dict[str, bytes] = {}
    fixed: list[Finding] = []
    refused: list[tuple[Finding, str]] = []
    for path in sorted(by_path):
        source = corpus.files[path]
        for code in dict.fromkeys(finding.code for finding in by_path[path]):
            mine = [finding for finding in by_path[path] if finding.code == code]
            try:
                changed = _FIXERS[code](corpus, corpus.read(path, source))
                _prove(corpus, path, source, changed, code)
            except EditRefused as error:
                refused += [(finding, error.reason) for finding in mine]
                continue
            source = changed
            fixed += mine
        if source != corpus.files[path]:
            after[path] = source
    return Fixes(_in_their_files(corpus, after), tuple(fixed), tuple(refused))


def _in_their_files(corpus: CheckedCorpus, after: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return whole files: entries go back to where they lay, the last one first."""
    whole = {path: source for path, source in after.items() if path not in corpus.homes}
    entries = [(corpus.homes[path], path) for path in after if path in corpus.homes]
    for home, path in sorted(entries, reverse=True):
        source = whole.get(home.path, corpus.files[home.path])
        end = home.start + len(corpus.files[path])
        whole[home.path] = splice(source, [Replacement(home.start, end, after[path])])
    return dict(sorted(whole.items()))


def _prove(corpus: CheckedCorpus, path: str, before: bytes, after: bytes, code: str) -> None:
    """Refuse an edit that changes nothing, or after which something new is wrong."""
    if after == before:
        raise EditRefused("nothing that could be edited safely was found")
    if path in corpus.homes and [(e.start, e.end) for e in split_entries(after)] != [
        (0, len(after))
    ]:
        raise EditRefused("the edit would part the entry")
    old, new = (facts_of(corpus.read(path, source)).found for source in (before, after))
    count = {one: sum(found.code == one for found in new) for one in {f.code for f in new}}
    for one, times in count.items():
        if times > sum(found.code == one for found in old) or one == code:
            raise EditRefused(f"the edit would leave or bring a finding of {one}")


# One function for each code ---------------------------------------------------------------------


def _stale_hash(corpus: CheckedCorpus, view: FileView) -> bytes:
    del corpus
    memory = _readable(view)
    dialect = DIALECTS[memory.dialect]
    edited = dialect.set_field(memory, view.source, "content_hash", memory.content_hash)
    if edited is None:
        raise EditRefused("the dialect has no place for a content hash")
    return edited


def _status_case(corpus: CheckedCorpus, view: FileView) -> bytes:
    del corpus
    source = view.source
    for name in WORDS:
        value = view.head.value(name) if view.head else None
        word = canonical_word(name, value or "")
        if word is not None:
            source = set_meta(source, name, word)
    return source


def _repeated_values(corpus: CheckedCorpus, view: FileView) -> bytes:
    del corpus
    return _without_entries(view) if view.is_html else _without_items(view)


def _without_entries(view: FileView) -> bytes:
    spans = [view.tree.span(entry.item) if view.tree else None for entry in repeated_entries(view)]
    edits = [delete_lines(view.source, span) for span in spans if span is not None]
    return splice(view.source, edits)


def _without_items(view: FileView) -> bytes:
    for field in LISTS:
        while True:
            repeated = next(iter(repeated_items(view, field)), None)
            if repeated is None or view.block is None:
                break
            source = remove_item(view.source, view.block, *repeated)
            view = view_of(view.path, source, view.role, view.settings)
    return view.source


def _moved_links(corpus: CheckedCorpus, view: FileView) -> bytes:
    """Point each link at where its target lies now, the last one first: spans stay right."""
    source = view.source
    if view.memory is not None and view.memory.read_only:
        raise EditRefused(view.memory.read_only)
    for link, target in sorted(_moved(corpus, view), key=lambda pair: -pair[0].start):
        source = DIALECTS[view.role.dialect].retarget_link(view.path, source, link, target)
    return source


def _moved(corpus: CheckedCorpus, view: FileView) -> Iterator[tuple[Link, str]]:
    for path, links in corpus.linking():
        if path != view.path:
            continue
        for link in links:
            target = corpus.moved_to(path, link)
            if target is not None and (link.path is None or corpus.is_archived(link.path)):
                yield link, target


def _readable(view: FileView) -> Memory:
    if view.memory is None:
        raise EditRefused("the file cannot be read as a memory")
    return view.memory


_FIXERS: Mapping[str, Callable[[CheckedCorpus, FileView], bytes]] = {
    "MS108": _stale_hash,
    "MS110": _status_case,
    "MS111": _repeated_values,
    "MS204": _moved_links,
}


# Writing ----------------------------------------------------------------------------------------


def write_fixes(root: Path, before: Mapping[str, bytes], fixes: Fixes) -> list[str]:
    """Replace each file whose bytes are still those that were checked; return the other paths."""
    kept = []
    for path, content in fixes.after.items():
        if read_file(os.fsencode(root), path) != before[path]:
            kept.append(path)
            continue
        _replace(root / path, content)
    return kept


def _replace(target: Path, content: bytes) -> None:
    """Write a file whole or not at all, with the mode that it had."""
    mode = stat.S_IMODE(target.lstat().st_mode)
    handle, part = tempfile.mkstemp(dir=target.parent, prefix=".memsleep-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(part).chmod(mode)
        Path(part).replace(target)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
