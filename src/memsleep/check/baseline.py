"""The baseline: findings that are accepted for now. It only ever shrinks, unless forced.

With `--base` only what the baseline held at the base counts too: a change cannot accept its own
faults.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memsleep.check.model import Finding
from memsleep.errors import CorpusError

SCHEMA_VERSION = 1
MAX_BYTES = 64_000_000
_FINGERPRINT = re.compile(r"[0-9a-f]{16}\Z")


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is accepted: fingerprint -> code and path, which are there for people."""

    entries: dict[str, tuple[str, str]]

    def accepts(self, finding: Finding) -> bool:
        """Return True for a finding that is known and may stay."""
        return finding.fingerprint in self.entries

    def shared_with(self, other: Baseline) -> Baseline:
        """Return what both hold."""
        kept = {key: value for key, value in self.entries.items() if key in other.entries}
        return Baseline(kept)

    def to_bytes(self) -> bytes:
        """Return the file: one finding a line, so that diffs and merges are small."""
        rows = sorted((path, code, key) for key, (code, path) in self.entries.items())
        lines = ",\n".join(
            "    " + json.dumps({"code": code, "path": path, "fingerprint": key})
            for path, code, key in rows
        )
        head = f'{{\n  "schema_version": {SCHEMA_VERSION},\n  "findings": ['
        return (head + (f"\n{lines}\n  " if lines else "") + "]\n}\n").encode()


EMPTY = Baseline({})


def read_baseline(path: Path, shown: str) -> Baseline | None:
    """Return the baseline of a file, None where there is none.

    Raises
    ------
    CorpusError
        `baseline-unreadable`.
    """
    try:
        if not os.path.lexists(path):
            return None
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise _unreadable(shown, "expected a JSON file of moderate size, found something else")
        source = path.read_bytes()
    except OSError as error:
        raise _unreadable(shown, f"it cannot be read: {error.strerror}") from error
    return parse_baseline(source, shown)


def parse_baseline(source: bytes, shown: str) -> Baseline:
    """Return the baseline that bytes hold. Raises `CorpusError`, `baseline-unreadable`."""
    try:
        document = json.loads(source)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        message = "expected JSON, found something else (a merge conflict?)"
        raise _unreadable(f"{shown}:{line}", message) from error
    if not isinstance(document, dict) or document.get("schema_version") != SCHEMA_VERSION:
        raise _unreadable(shown, f"expected schema_version {SCHEMA_VERSION}")
    rows = document.get("findings")
    if not isinstance(rows, list):
        raise _unreadable(shown, "expected a list of findings")
    entries: dict[str, tuple[str, str]] = {}
    for row in rows:
        texts = row if isinstance(row, dict) else {}
        key, code, path = (texts.get(name) for name in ("fingerprint", "code", "path"))
        if not (isinstance(key, str) and isinstance(code, str) and isinstance(path, str)):
            raise _unreadable(shown, "expected each finding to state fingerprint, code and path")
        if not _FINGERPRINT.match(key):
            raise _unreadable(shown, "expected fingerprints of 16 hexadecimal digits")
        entries[key] = (code, path)
    return Baseline(entries)


def _unreadable(where: str, message: str) -> CorpusError:
    return CorpusError(
        "baseline-unreadable",
        f"the baseline cannot be used: {message}",
        context=[where, "nothing was checked"],
        hint="restore it from the repository's history, or delete it and write a new one: "
        "memsleep check --update-baseline --force",
    )


def updated(old: Baseline | None, findings: Iterable[Finding], *, force: bool) -> Baseline:
    """Return the baseline less what is gone; with `force` also what is new."""
    present = {f.fingerprint: (f.code, f.path) for f in findings}
    if force:
        return Baseline(present)
    known = old or EMPTY
    return Baseline({key: present[key] for key in known.entries if key in present})
