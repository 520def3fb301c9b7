"""Files of the work tree brought from one commit's state to another's, all or none.

What is written is what the run touched, in the journal of the directory mode, with the line ends
that the checkout gave each file. A file in another state than the old or the new one refuses all.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from memsleep.errors import MemsleepError
from memsleep.gitrepo import Repository, history, indexing
from memsleep.landing.directory import DirectorySink
from memsleep.landing.journal import Settlement
from memsleep.landing.place import Place
from memsleep.landing.sink import PhaseFold, RunMeta

MAX_NAMED = 20
HINT = "commit or put aside your changes of these files, then run the night again"
MERGE_ACTION: Literal["merge"] = "merge"


class MergeRefusedError(MemsleepError):
    """A branch cannot land as things stand: exit 3."""


def write_files(
    place: Place, repository: Repository, run_id: str, changes: Sequence[history.Difference]
) -> None:
    """Bring the touched files of the work tree to their new state.

    Raises
    ------
    MergeRefusedError
        `merge-dirty`: a touched path is neither as HEAD has it nor as it shall be.
    """
    whole = _as_fold(repository, changes)
    sink = DirectorySink(place, settlement=Settlement(run_id="", now="", action=MERGE_ACTION))
    landing = sink.land(RunMeta(run_id=run_id, now="", base_commit=None), (whole,))
    if landing.kind == "stale":
        paths = [*landing.stale, *(f"{r.path}: {r.reason}" for r in landing.refused)]
        raise _dirty([path.encode("utf-8", "surrogateescape") for path in paths])


def _as_fold(repository: Repository, changes: Sequence[history.Difference]) -> PhaseFold:
    """Return the changes as bytes of the work tree, without those that are there already.

    Raises
    ------
    MergeRefusedError
        `merge-dirty`: a touched path is neither as HEAD has it nor as it shall be.
    """
    paths = [change.path for change in changes]
    staged, disk = indexing.entries(repository, paths), indexing.on_disk(repository, paths)
    there = [c for c in changes if not (c.path in staged and staged[c.path].skipped)]
    blobs = _blobs(repository, there)
    index = {path: (entry.mode, entry.oid) for path, entry in staged.items()}
    dirty = _neither(there, lambda c, side: index.get(c.path) == side) | _neither(
        there, lambda c, side: _same(disk.get(c.path), _of(blobs, side))
    )
    if dirty:
        raise _dirty(sorted(dirty))
    changing = [c for c in there if not _same(disk.get(c.path), _of(blobs, c.after))]
    before = {c.path: disk[c.path] for c in changing if c.path in disk}
    after = {c.path: new for c in changing if (new := _of(blobs, c.after)) is not None}
    moves = _moves(before, after, repository.prefix)
    origin = {new: old for old, new in moves.items()}
    raw = {change.path: _of(blobs, change.before) for change in changes}
    created = {c.path: c.after[1] for c in changes if c.after is not None}
    for path, new in after.items():
        model = path if path in before else origin.get(path)
        if model is not None:
            after[path] = _ends_like(before[model], raw[model], new)
        else:
            after[path] = indexing.checked_out(repository, path, created[path])

    def name(path: bytes) -> str:
        return path.removeprefix(repository.prefix).decode("utf-8")

    return PhaseFold(
        name="merge",
        before={name(path): data for path, data in before.items()},
        after={name(path): data for path, data in after.items()},
        moves={name(old): name(new) for old, new in moves.items()},
    )


def _blobs(
    repository: Repository, changes: Sequence[history.Difference]
) -> Mapping[str, bytes | None]:
    oids = sorted({side[1] for c in changes for side in (c.before, c.after) if side is not None})
    return dict(zip(oids, repository.blobs(oids), strict=True))


def _of(blobs: Mapping[str, bytes | None], side: tuple[int, str] | None) -> bytes | None:
    return None if side is None else blobs[side[1]]


def _neither(
    changes: Sequence[history.Difference],
    found: Callable[[history.Difference, tuple[int, str] | None], bool],
) -> set[bytes]:
    """Return the paths that are not as before, unless all of them are as they shall be.

    All of them are when a merge was killed in between. A single one that happens to be so, such
    as a file that the user moved away, is the user's work.
    """
    if all(found(change, change.after) for change in changes):
        return set()
    return {change.path for change in changes if not found(change, change.before)}


def _same(found: bytes | None, wanted: bytes | None) -> bool:
    """Compare contents; a checkout that only turned line ends is no change."""
    if found is None or wanted is None:
        return found is wanted
    return found == wanted or found.replace(b"\r\n", b"\n") == wanted.replace(b"\r\n", b"\n")


def _ends_like(found: bytes, old: bytes | None, new: bytes) -> bytes:
    """Return the new bytes with the line ends that the checkout gave the file on disk."""
    if found == old:
        return new
    plain = new.replace(b"\r\n", b"\n")
    return plain.replace(b"\n", b"\r\n") if b"\r\n" in found else plain


def _moves(
    before: Mapping[bytes, bytes], after: Mapping[bytes, bytes], prefix: bytes
) -> dict[bytes, bytes]:
    """Return what moved to the archive under its own name, so that mode and owner go along."""
    new = {path for path in after if path not in before}
    found: dict[bytes, bytes] = {}
    for old in sorted(path for path in before if path not in after):
        stem, ending = posixpath.splitext(old.removeprefix(prefix))
        named = re.compile(
            re.escape(prefix) + rb"\.?archive/\d{4}/" + re.escape(stem) + rb"(?:-\d+)?"
            + re.escape(ending) + rb"\Z"
        )  # fmt: skip
        to = next((path for path in sorted(new) if named.match(path)), None)
        if to is not None:
            found[old] = to
            new.discard(to)
    return found


def _dirty(paths: Sequence[bytes]) -> MergeRefusedError:
    return MergeRefusedError(
        "merge-dirty",
        "files that the run touches have changes that are not committed",
        context=named(paths),
        hint=HINT,
    )


def named(paths: Sequence[bytes]) -> list[str]:
    """Return lines that name the paths in the way."""
    names = sorted({path.decode("utf-8", "backslashreplace") for path in paths})
    more = [f"and {len(names) - MAX_NAMED} more"] if len(names) > MAX_NAMED else []
    return [*names[:MAX_NAMED], *more, "nothing was changed"]
