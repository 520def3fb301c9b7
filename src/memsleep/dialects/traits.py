"""What parts one store from another: a table of small facts that readers and the fold look up."""

from __future__ import annotations

import re
from dataclasses import dataclass

DAY_FILE = re.compile(r"(?:\A|/)\d{4}[-_]\d\d[-_]\d\d(?:[-_ ][^/]*)?\.(?:md|markdown)\Z", re.I)
"""A file whose name begins with a day."""
DAILY_PAGES = re.compile(r"(?:\A|/)\d{4}[-_.]?\d\d[-_.]?\d\d\.(?:md|markdown)\Z", re.I)
"""A file whose whole name is a day: the page of a journal, in any folder."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The facts of one dialect. Paths are below the folder in which the store was detected."""

    name: str
    html: bool = False
    """True where the memories are HTML files."""
    editable: bool = True
    """False for a store that is read only unless the config says otherwise."""
    archive: str = "archive"
    """Folder of the archive below the corpus root, hidden where the store's own program loads
    every folder that it sees."""
    label_first: bool = False
    """True where `[[label|target]]` is the order of a link's parts."""
    inline_tags: bool = False
    """True where `#tag` in the text is a tag."""
    known_keys: frozenset[str] = frozenset()
    """The only keys that the store's program accepts; empty: any."""
    records: re.Pattern[str] | None = None
    """Files that are kept as a record of their day: never merged, evicted or archived."""
    pinned: re.Pattern[str] | None = None
    """Files that are always loaded, hence never touched by a judgement."""
    outline: bool = False
    """True where every line of a page is an item of one list."""
    keeps_index: bool = False
    """True where `MEMORY.md` lists the memories: the line of an archived one leaves with it."""
    entries: frozenset[str] = frozenset()
    """Names of the files that hold several memories each."""

    def is_record(self, path: str) -> bool:
        """Return True for a file that is a record of its day."""
        return self.records is not None and self.records.search(path) is not None

    def is_pinned(self, path: str) -> bool:
        """Return True for a file that the store always loads."""
        return self.pinned is not None and self.pinned.search(path) is not None
