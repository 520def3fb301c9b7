"""The base of a comparison: most of its files are the same as now, so git is not asked for them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memsleep.corpus.source import Listing, Source, SourceKind
from memsleep.gitrepo import Repository
from memsleep.model import Problem


@dataclass(slots=True)
class SharingSource:
    """A source of blobs that takes those it can from files that were read already."""

    base: Source
    files: Mapping[str, bytes]
    _same: set[str] = field(default_factory=set, repr=False)

    @property
    def kind(self) -> SourceKind:
        """Bytes come from git."""
        return self.base.kind

    @property
    def commit(self) -> str | None:
        """Ask the base."""
        return self.base.commit

    @property
    def reason(self) -> str:
        """Ask the base."""
        return self.base.reason

    @property
    def repository(self) -> Repository | None:
        """Ask the base."""
        return self.base.repository

    def listing(self) -> Listing:
        """List the base, and find out which of its files are those that were read."""
        listing = self.base.listing()
        oids: Mapping[str, str] = getattr(self.base, "oids", {})
        self._same = {
            path
            for path, data in self.files.items()
            if path in oids and oids[path] == _blob_id(data, len(oids[path]))
        }
        return listing

    def read_many(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Problem]]:
        """Give the bytes of each path, in the order asked."""
        asked = self.base.read_many([path for path in paths if path not in self._same])
        for path in paths:
            yield (path, self.files[path]) if path in self._same else next(asked)

    def being_edited(self, path: str, source: bytes) -> str:
        """Ask the base."""
        return self.base.being_edited(path, source)


def _blob_id(data: bytes, digits: int) -> str:
    head = b"blob %d\0" % len(data)
    if digits == 64:
        return hashlib.sha256(head + data).hexdigest()
    return hashlib.sha1(head + data, usedforsecurity=False).hexdigest()
