"""Where a corpus and what memsleep keeps of it lie."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

OWN_FOLDER = ".memsleep"
_IGNORE = (
    b"# What memsleep keeps beside the corpus: not for git, not for agents.\n*\n!config.toml\n"
)


@dataclass(frozen=True, slots=True)
class Place:
    """One corpus and the folder of its state."""

    corpus: Path
    folder: Path
    """`.memsleep/` of the corpus, or what `--state-dir` names."""

    @property
    def database(self) -> Path:
        """The state."""
        return self.folder / "state.db"

    @property
    def cache(self) -> Path:
        """Vectors by text."""
        return self.folder / "cache.db"

    @property
    def journal(self) -> Path:
        """The journal of a landing under way."""
        return self.folder / "journal" / "current.json"

    @property
    def runs(self) -> Path:
        """One folder a run."""
        return self.folder / "runs"

    @property
    def lock(self) -> Path:
        """Who holds the corpus."""
        return self.folder / "lock"

    def prepare(self) -> None:
        """Make the folder, and tell git once to leave it alone where it lies in the corpus."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.folder.name == OWN_FOLDER and not os.path.lexists(self.folder / ".gitignore"):
            write_whole(self.folder / ".gitignore", _IGNORE)


def place_of(corpus: Path, state_dir: Path | None = None) -> Place:
    """Return the place of a corpus."""
    return Place(corpus, corpus / OWN_FOLDER if state_dir is None else state_dir)


def write_whole(path: Path, content: bytes) -> None:
    """Write one of our own files whole or not at all, and have it on disk when this returns."""
    put_whole(path, content)
    sync_folder(path.parent)


def put_whole(path: Path, content: bytes) -> None:
    """Do as `write_whole` does, but the name is on disk only after `sync_folder`: for many."""
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = os.fspath(path)
        part.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Have the names of a folder on disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
