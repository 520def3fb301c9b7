"""A folder as the signs of a store are looked for in it: names first, bytes only when asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

_HEAD_BYTES = 4096
MARKDOWN_ENDINGS = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder of the corpus."""

    path: str
    """Below the corpus root; empty for the root."""
    files: tuple[str, ...]
    """Names right in it, in order."""
    folders: frozenset[str]
    """Names of the folders right in it, hidden ones too."""
    exists: Callable[[str], bool]
    """Whether there is a path below this folder."""
    contents: Mapping[str, bytes]
    """Path below the corpus root -> bytes of the files that were read."""
    below: Callable[[], tuple[str, ...]]
    """Paths, below the corpus root, of the files that were read anywhere below."""

    def read(self, name: str) -> bytes:
        """Return the bytes of a file below this folder, none where it was not read."""
        return self.contents.get(f"{self.path}/{name}" if self.path else name, b"")

    def markdown(self) -> tuple[str, ...]:
        """Return the names of the Markdown files right in the folder."""
        return tuple(name for name in self.files if name.lower().endswith(MARKDOWN_ENDINGS))

    def inside(self, folder: str) -> Iterator[tuple[str, bytes]]:
        """Yield name and bytes of the Markdown files right in one of its folders."""
        start = f"{self.path}/{folder}/" if self.path else f"{folder}/"
        for path in self.below():
            name = path.removeprefix(start)
            if name != path and "/" not in name and name.lower().endswith(MARKDOWN_ENDINGS):
                yield name, self.contents[path]


def states_key(source: bytes, *keys: bytes) -> bool:
    """Return True when the first lines of a file state all of the keys, as front matter does."""
    head = source[:_HEAD_BYTES]
    if not head.lstrip(b"\xef\xbb\xbf").startswith(b"---"):
        return False
    closer = head.find(b"\n---", 3)
    block = head if closer < 0 else head[:closer]
    # Most files lack a key: looking for its bytes first saves a pattern for each of them.
    return all(key in block for key in keys) and all(_line_of(key).search(block) for key in keys)


@cache
def _line_of(key: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"^" + key + rb"[ \t]*:", re.MULTILINE)
