"""Read a corpus from a commit's tree, and tell what the work tree holds besides.

A memory whose bytes in the work tree differ from HEAD's is being edited by somebody: it is read
from HEAD and not edited tonight. Bytes are compared as they lie on disk, so that no filter of the
repository is run. Line ends are the exception: a checkout that only turned LF into CRLF
(`core.autocrlf`, `eol=crlf`) is no edit. What other filters made (LFS, `ident`) counts as an
edit, which costs nothing but a night.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memsleep.corpus.folder import read_file
from memsleep.corpus.source import (
    CORPUS,
    FileEntry,
    Listing,
    Notes,
    SourceKind,
    folder_cause,
    folders_above,
    is_text_name,
)
from memsleep.giterrors import partial_clone
from memsleep.gitrepo import IndexEntry, Repository, TreeEntry
from memsleep.model import Problem


@dataclass(slots=True)
class GitTreeSource:
    """The files of one commit below the corpus root."""

    repository: Repository
    commit: str
    reason: str = "the commit was asked for"
    _oids: dict[str, str] = field(default_factory=dict, repr=False)
    _sparse: set[str] = field(default_factory=set, repr=False)

    @property
    def kind(self) -> SourceKind:
        """Say where the bytes come from."""
        return "git"

    @property
    def root(self) -> bytes:
        """The corpus folder in the work tree."""
        return b"/".join((self.repository.toplevel, self.repository.prefix)).rstrip(b"/")

    def listing(self) -> Listing:
        """List the commit's tree, then what git sees in the work tree besides."""
        notes = Notes()
        blobs = {
            path: entry
            for entry in self.repository.tree(self.commit)
            if (path := notes.name(entry.path)) is not None and _note_kind(path, entry, notes)
        }
        self._oids = {path: entry.oid for path, entry in blobs.items()}
        seen = [path for path in blobs if not folder_cause(path)]
        sizes = self._sizes([path for path in seen if is_text_name(path)])
        notes.files = [FileEntry(p, sizes.get(p, -1), blobs[p].mode, "file") for p in seen]
        notes.taken |= self._oids.keys()
        self._note_work_tree(notes)
        notes.taken |= folders_above(notes.taken)
        return notes.listing()

    def read_many(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Problem]]:
        """Give the bytes of each path, in the order asked, or why there are none."""
        if not self._oids:
            self.listing()
        blobs = self.repository.blobs([self._oids[p] for p in paths if p in self._oids])
        for path in paths:
            if path not in self._oids:
                yield path, Problem(path, None, "vanished", "the commit does not hold it")
            elif (data := next(blobs)) is None:
                yield path, _missing(path)
            else:
                yield path, data

    def being_edited(self, path: str, source: bytes) -> str:
        """Compare the work tree's bytes with HEAD's."""
        if path in self._sparse:
            return ""
        found = read_file(self.root, path)
        if isinstance(found, Problem):
            gone = found.code == "vanished"
            return "being edited: " + ("deleted in the work tree" if gone else found.message)
        if found == source or _with_lf(found) == _with_lf(source):
            return ""
        return "being edited: the work tree differs from HEAD"

    def _sizes(self, paths: Sequence[str]) -> Mapping[str, int]:
        """Ask for the sizes of files that may be read.

        Raises
        ------
        GitError
            A partial clone lacks some of them.
        """
        found = self.repository.sizes([self._oids[path] for path in paths])
        sizes = {path: size for path, size in zip(paths, found, strict=True) if size is not None}
        lacking = len(paths) - len(sizes)
        if lacking and self.repository.is_partial():
            raise partial_clone(self.repository.toplevel, lacking)
        return sizes

    def _note_work_tree(self, notes: Notes) -> None:
        """Note what the commit does not hold, and what the checkout leaves out."""
        known = self._oids.keys() | notes.taken
        for entry in self.repository.index():
            path = _quiet_name(entry, notes)
            if path is None or _nested(path, entry, notes):
                continue
            if entry.tag == "skip-worktree":
                self._sparse.add(path)
            if path not in known:
                notes.taken.add(path)
                _note_unseen(path, notes)
        hidden = sum(is_text_name(path) for path in self._sparse & self._oids.keys())
        if hidden:
            message = f"a sparse checkout: {hidden} files were read from HEAD alone"
            notes.problems.append(Problem(CORPUS, None, "sparse-checkout", message))


def _note_kind(path: str, entry: TreeEntry, notes: Notes) -> bool:
    """Note a name of the tree; True for a regular file, whose bytes can be asked for."""
    if entry.kind == "symlink":
        notes.leave(path, "symlink", "symlink", "a symlink; not followed")
    elif entry.kind == "submodule":
        notes.leave(path, "submodule", "submodule", "a submodule; left alone")
    elif cause := folder_cause(path):
        notes.leave(path, cause)
        return True
    return entry.kind == "file"


def _quiet_name(entry: IndexEntry, notes: Notes) -> str | None:
    """Return the path of a name in the work tree. HEAD's names have been noted before."""
    try:
        return entry.path.decode("utf-8")
    except UnicodeDecodeError:
        if entry.tag == "untracked":
            notes.name(entry.path)
        return None


def _nested(path: str, entry: IndexEntry, notes: Notes) -> bool:
    """Note an untracked folder that is a repository of its own."""
    if entry.tag != "untracked" or not path.endswith("/"):
        return False
    message = "a repository of its own inside the corpus; left alone"
    notes.leave(path.rstrip("/"), "nested repository", "nested-repository", message)
    return True


def _note_unseen(path: str, notes: Notes) -> None:
    """Name a file that HEAD does not hold, if it could be a memory."""
    if is_text_name(path) and not folder_cause(path):
        message = "not committed, so this night does not see it"
        notes.leave(path, "not committed", "unseen", message)


def _with_lf(source: bytes) -> bytes:
    return source.replace(b"\r\n", b"\n")


def _missing(path: str) -> Problem:
    message = "the repository lacks its object, or it is damaged (git fsck tells)"
    return Problem(path, None, "object-missing", message)
