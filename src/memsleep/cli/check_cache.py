"""Where `memsleep check` remembers what it found: never in a corpus that others can change."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def cache_file(corpus: Path, state_dir: Path | None) -> Path | None:
    """Return the file of a corpus, None where the user has no folder for it."""
    if state_dir is not None:
        return state_dir / "check.db"
    base = os.environ.get("XDG_CACHE_HOME") or ""
    if not Path(base).is_absolute():
        home = os.environ.get("HOME") or ""
        if not Path(home).is_absolute():
            return None
        base = str(Path(home) / ".cache")
    name = hashlib.sha256(os.fsencode(os.path.realpath(corpus))).hexdigest()[:24]
    return Path(base) / "memsleep" / "check" / f"{name}.db"


def forget_checks(corpus: Path, state_dir: Path | None) -> bool:
    """Remove what checks of a corpus remember: it holds claims, and is made anew at need."""
    gone = False
    for file in {cache_file(corpus, None), cache_file(corpus, state_dir)} - {None}:
        assert file is not None
        for suffix in ("", "-wal", "-shm", "-journal"):
            beside = file.with_name(file.name + suffix)
            gone |= beside.exists()
            beside.unlink(missing_ok=True)
    return gone
