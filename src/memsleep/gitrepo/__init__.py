"""The one package that talks to git.

The repository is not trusted: its config must not make anything run. So no command is used that
calls a filter, a text converter or a hook; the file system monitor is off; a missing object of a
partial clone is not fetched, for a fetch runs what the config names. The one program that may run
is the one that signs, and only the user's own settings may name it. Names go in and come out as
NUL-separated bytes. Reading writes nothing: neither the index nor a lock is touched. What writes
is in `writing` alone.
"""

from __future__ import annotations

from memsleep.gitrepo.process import Finished, Git, clean_environment
from memsleep.gitrepo.repository import IndexEntry, Repository, TreeEntry, find_repository

__all__ = [
    "Finished",
    "Git",
    "IndexEntry",
    "Repository",
    "TreeEntry",
    "clean_environment",
    "find_repository",
]
