"""Moving a memory to the archive: stamps, ledger line, and the links that follow."""

from __future__ import annotations

import json
import posixpath

from memsleep.dialects.registry import DIALECTS, dialect_for
from memsleep.errors import EditRefused
from memsleep.fold.workspace import Transaction
from memsleep.model import Link, Memory, digest_bytes
from memsleep.proposals import Proposal
from memsleep.settings import Settings

MAX_SUFFIX = 1000
LEDGER_NAME = "ledger.jsonl"


def archive(
    staged: Transaction,
    path: str,
    proposal: Proposal,
    settings: Settings,
    *,
    cause: str,
    replaced_by: str | None = None,
) -> str:
    """Stage the archiving of one memory and return where it lies then.

    The file says when and by what it was replaced as far as its dialect has a place for that;
    the ledger of the year says it for every dialect.
    """
    memory, source = staged.memory(path), staged.source(path)
    before = digest_bytes(staged.workspace.files.get(path, source))
    now = staged.workspace.snapshot.now
    if settings.write.archive == "flag":
        to, stamped = path, _stamped(memory, source, now, replaced_by, settings)
        if stamped is source:
            raise EditRefused(f"{path}: the file has no place for an archived flag")
        staged.write(path, stamped, what="an archived flag")
    else:
        to = free_path(staged, f"archive/{now[:4]}/{path}")
        stamped = _stamped(memory, source, now, replaced_by, settings)
        staged.move(path, to, stamped)
    _note_in_ledger(
        staged,
        {
            "id": _identity(staged, path),
            "path": path,
            "to": to,
            "when": now,
            "run": run_id(now),
            "phase": proposal.phase,
            "decision": proposal.id,
            "cause": cause,
            "reason": proposal.reason,
            "replaced_by": replaced_by,
            "before": before,
            "after": digest_bytes(stamped),
        },
    )
    return to


def run_id(now: str) -> str:
    """Return the name of the night's run, which is also its branch: `sleep/<UTC date>`."""
    return f"sleep/{now[:10]}"


def _stamped(
    memory: Memory, source: bytes, now: str, replaced_by: str | None, settings: Settings
) -> bytes:
    """Return the file with the stamps that its dialect allows, in the order of the format."""
    dialect = DIALECTS[memory.dialect]
    stamps = [("status", "archived"), ("archived_at", now)]
    if settings.write.stamp_updated:
        stamps.insert(1, ("updated", now))
    if replaced_by is not None:
        stamps.append(("superseded_by", replaced_by))
    for field, value in stamps:
        # The memory's own offsets are not used by set_field, so one reading serves all stamps.
        stamped = dialect.set_field(memory, source, field, value)  # type: ignore[arg-type]
        source = source if stamped is None else stamped
    return source


def _identity(staged: Transaction, path: str) -> str:
    standing = (staged.workspace.snapshot.standing or {}).get(path)
    return standing.memory_id if standing else path


def free_path(staged: Transaction, path: str) -> str:
    """Return the path itself or the lowest free `-2`, `-3` ... inside its stem.

    Raises
    ------
    EditRefused
        When a thousand of them are taken.
    """
    if not staged.exists(path):
        return path
    stem, ending = posixpath.splitext(path)
    for number in range(2, MAX_SUFFIX + 1):
        candidate = f"{stem}-{number}{ending}"
        if not staged.exists(candidate):
            return candidate
    raise EditRefused(f"{path}: a thousand archived files of that name exist already")


def _note_in_ledger(staged: Transaction, entry: dict[str, str | None]) -> None:
    path = f"archive/{entry['when'][:4] if entry['when'] else ''}/{LEDGER_NAME}"
    known = path in staged.files or path in staged.workspace.files
    source = staged.source(path) if known else b""
    if source and not source.endswith(b"\n"):
        source += b"\n"
    line = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    staged.write_page(path, source + line.encode("utf-8") + b"\n")


def follow_links(staged: Transaction, old: str, new: str, archived: str | None = None) -> None:
    """Point every inbound link of `old` at `new`, in active memories and index pages.

    Parameters
    ----------
    archived : str or None
        Where the file itself went, if that is another place than `new` (a merge): the links of
        `new` to the memory that it swallowed follow there, since a memory links not itself.
    """
    names = _names(staged, archived or new)
    for source in staged.workspace.inbound(old):
        if source in staged.moves:
            continue
        memory = staged.memories.get(source) or staged.workspace.memories.get(source)
        if memory is not None and memory.archived:
            continue
        target = archived if archived and source == new else new
        keeps_name = archived is None  # a moved file keeps its name; a swallowed one does not
        _retarget(staged, source, old, target, names if keeps_name else frozenset())


def _names(staged: Transaction, path: str) -> frozenset[str]:
    memory = staged.memory(path)
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return frozenset(name.casefold() for name in (stem, memory.title, *memory.aliases) if name)


def _retarget(
    staged: Transaction, source: str, old: str, target: str, names: frozenset[str]
) -> None:
    """Rewrite the links of one file one by one, since each edit moves the others' places."""
    while True:
        link = next((x for x in _links(staged, source) if _is_due(x, old, names)), None)
        if link is None:
            return
        before = staged.source(source)
        memory = staged.memories.get(source) or staged.workspace.memories.get(source)
        if memory is None:
            staged.write_page(
                source, dialect_for(source).retarget_link(source, before, link, target)
            )
        elif memory.read_only:
            raise EditRefused(
                f"{source}: its link must follow, but the file is read-only", line=link.line
            )
        else:
            dialect = DIALECTS[memory.dialect]
            staged.write(source, dialect.retarget_link(source, before, link, target), what="a link")
        if staged.source(source) == before:
            raise EditRefused(f"{source}: a link could not be rewritten", line=link.line)


def _links(staged: Transaction, source: str) -> tuple[Link, ...]:
    memory = staged.memories.get(source)
    if memory is not None:
        return memory.links
    staged_page = staged.references.get(source)
    return staged.workspace.links_of(source) if staged_page is None else staged_page


def _is_due(link: Link, old: str, names: frozenset[str]) -> bool:
    if link.path != old or link.start < 0:
        return False
    by_name = link.form in {"wikilink", "embed"} and "/" not in link.target
    return not (by_name and link.target.casefold().removesuffix(".md") in names)
