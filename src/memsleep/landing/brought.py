"""State that a repository brings along: whoever can send it a change would be believed.

What git tracks of our folder is not read. The state lies in git's own folder meanwhile, where
nothing comes from a clone or a pull.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memsleep.errors import GitError
from memsleep.gitrepo import Repository, find_repository
from memsleep.landing.place import OWN_FOLDER

_DATABASES: Final = ("state.db", "cache.db")
BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""Whoever opens a database takes over what lies in the files beside it."""
BELIEVED: Final = frozenset(
    {
        *(name + suffix for name in _DATABASES for suffix in BESIDE),
        *("heartbeat.json", "journal", "lock", "purges.jsonl", "runs", "sync"),
    }
)
"""What is read back from our folder; a config and reports may be anybody's."""
SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Brought:
    """What a repository brings of a corpus's state."""

    names: tuple[str, ...]
    """Below the corpus; `.memsleep` alone where that is a link, or a repository of its own."""
    instead: Path
    """Where the state lies meanwhile."""
    remedy: str
    """The line to paste."""

    @property
    def note(self) -> str:
        """What the night has to do without, the same on every machine."""
        more = len(self.names) - SHOWN
        listed = ", ".join(self.names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
        return f"the repository brings its own state ({listed}): it is not believed"

    @property
    def line(self) -> str:
        """The same with the next step, for the person at this machine."""
        return f"{self.note}; {self.instead} is used meanwhile. If it is your own: {self.remedy}"


def brought_by(corpus: Path) -> Brought | None:
    """Return what the repository brings of the state of a corpus, None where it is the user's own.

    Git is asked only where there is a folder of ours. Where it does not answer there is None: who
    needs it says so.
    """
    if not os.path.lexists(corpus / OWN_FOLDER):
        return None
    try:
        repository = find_repository(corpus)
        return None if repository is None else _brought(corpus, repository)
    except GitError:
        return None


def _brought(corpus: Path, repository: Repository) -> Brought | None:
    names = tuple(dict.fromkeys(_names(repository)))
    root = shlex.quote(str(corpus))
    remedy = f"git -C {root} rm -r -q --cached -- {shlex.join(names)}"
    if not names:
        if not leads_inside(corpus / OWN_FOLDER, repository):
            return None
        names, remedy = (OWN_FOLDER,), f"rm {shlex.quote(str(corpus / OWN_FOLDER))}"
    which = hashlib.sha256(repository.prefix).hexdigest()[:12]
    return Brought(names, repository.own_folder() / "memsleep" / which, remedy)


def _names(repository: Repository) -> Iterator[str]:
    """Yield what is tracked of our folder and would be believed, a folder as one name."""
    for path in repository.tracked_under(os.fsencode(OWN_FOLDER)):
        steps = os.fsdecode(path).split("/")
        if len(steps) == 1 or steps[1].casefold() in BELIEVED:
            yield "/".join(steps[:2])


def leads_inside(folder: Path, repository: Repository) -> bool:
    """Return True where a folder of ours is a link to what the repository may bring."""
    if not folder.is_symlink():
        return False
    return folder.resolve().is_relative_to(Path(os.fsdecode(repository.toplevel)).resolve())
