"""Digests of files that grow by a line with every decision, such as the archive's ledger."""

from __future__ import annotations

import hashlib
from typing import Final

from memsleep.model import digest_bytes

LARGE: Final = 1 << 14
"""Bytes from which on a file's digest is remembered."""


class Digests:
    """Digests by path; what was only added to is not read again from its beginning.

    Each of a thousand archivings names the ledger before and after: read whole, a ledger of some
    megabytes would take longer than the archivings.

    Examples
    --------
    >>> digests = Digests()
    >>> digests.of("a", b"x" * LARGE) == digest_bytes(b"x" * LARGE)
    True
    >>> digests.of("a", b"x" * LARGE + b"y") == digest_bytes(b"x" * LARGE + b"y")
    True
    """

    def __init__(self) -> None:
        self._held: dict[str, tuple[bytes, hashlib._Hash]] = {}

    def of(self, path: str, source: bytes) -> str:
        """Return the SHA-256 of what a file holds, as hex."""
        if len(source) < LARGE:
            return digest_bytes(source)
        held = self._held.get(path)
        if held is None or not source.startswith(held[0]):
            whole = hashlib.sha256(source)
        elif held[0] is source:
            return held[1].hexdigest()
        else:
            whole = held[1].copy()
            whole.update(memoryview(source)[len(held[0]) :])
        self._held[path] = source, whole
        return whole.hexdigest()
