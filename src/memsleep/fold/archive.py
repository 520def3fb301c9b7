"""Moving a memory to the archive: stamps and ledger line."""

from __future__ import annotations

import json
import posixpath

from memsleep.errors import EditRefused
from memsleep.fold.containers import archived_entry
from memsleep.fold.workspace import Transaction
from memsleep.model import Memory, digest_bytes
from memsleep.naming import too_long
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
    if replaced_by is not None and staged.exists(_beside(path, replaced_by)):
        # In its folder the path would name another file, or the memory itself.
        successor: str | None = f"/{replaced_by}"
    else:
        successor = replaced_by
    if settings.write.archive == "flag":
        to, stamped = path, _stamped(staged, memory, source, successor, settings)
        if stamped is source:
            raise EditRefused(f"{path}: the file has no place for an archived flag")
        staged.write(path, stamped, what="an archived flag")
        if not staged.memory(path).archived:
            raise EditRefused(f"{path}: its store knows what is archived by its place alone")
    elif memory.container:
        to = free_path(staged, f"{_place(staged)}/{memory.container}.d/{entry_file(path)}")
        stamped = _entry_with_facts(staged, memory, source, replaced_by)
        staged.move(path, to, stamped)
    else:
        to = free_path(staged, f"{_place(staged)}/{path}")
        stamped = _stamped(staged, memory, source, successor, settings)
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


def _beside(path: str, target: str) -> str:
    """Return what a path means when it is counted from a file's folder; empty at the root."""
    folder = posixpath.dirname(path)
    return f"{folder}/{target}" if folder else ""


def run_id(now: str) -> str:
    """Return the name of the night's run, which is also its branch: `sleep/<UTC date>`."""
    return f"sleep/{now[:10]}"


def _place(staged: Transaction) -> str:
    """Return the folder that the night archives to."""
    snapshot = staged.workspace.snapshot
    return f"{snapshot.archive_folder}/{snapshot.now[:4]}"


def entry_file(path: str) -> str:
    """Return the name of the file that an archived entry gets."""
    return f"{path.rpartition('#')[2]}.md"


def _entry_with_facts(
    staged: Transaction, memory: Memory, source: bytes, replaced_by: str | None
) -> bytes:
    """Return the file of an archived entry: when, from where, what replaced it, then its bytes."""
    facts = {
        "status": "archived",
        "archived_at": staged.workspace.snapshot.now,
        "from": memory.container,
        "position": str(staged.position(memory)),
    }
    if replaced_by is not None:
        facts["superseded_by"] = replaced_by
    return archived_entry(source, facts)


def _stamped(
    staged: Transaction, memory: Memory, source: bytes, replaced_by: str | None, settings: Settings
) -> bytes:
    """Return the file with the stamps that its dialect allows, in the order of the format."""
    dialect, now = staged.dialect(memory), staged.workspace.snapshot.now
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

    A name that another differs from only by case or Unicode form is not free.

    Raises
    ------
    EditRefused
        When a thousand of them are taken, or the name grows too long for a file system.
    """
    if too_long(path):
        raise EditRefused(f"{path}: its place in the archive would be longer than a path may be")
    if not staged.collides(path):
        return path
    stem, ending = posixpath.splitext(path)
    for number in range(2, MAX_SUFFIX + 1):
        candidate = f"{stem}-{number}{ending}"
        if too_long(candidate):
            break
        if not staged.collides(candidate):
            return candidate
    else:
        raise EditRefused(f"{path}: a thousand archived files of that name exist already")
    raise EditRefused(f"{path}: the archive holds that name, and a longer one is too long")


def _note_in_ledger(staged: Transaction, entry: dict[str, str | None]) -> None:
    path = f"{_place(staged)}/{LEDGER_NAME}"
    known = path in staged.files or path in staged.workspace.files
    source = staged.source(path) if known else b""
    if b"\0" in source:
        raise EditRefused(f"{path}: it holds a NUL byte, so it is no ledger that can be continued")
    if source and not source.endswith(b"\n"):
        source += b"\n"
    line = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    staged.write_page(path, source + line.encode("utf-8") + b"\n")
