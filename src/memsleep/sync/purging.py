"""A memory that is forgotten for good: here in every copy of the sync, there by a request."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from memsleep.landing.place import Place
from memsleep.sync.inbox import Inbox
from memsleep.sync.join import FOLDER, outbox_of
from memsleep.sync.locking import one_sync
from memsleep.sync.protocol import SCOPES, Scope
from memsleep.sync.records import Mirror, Records

REASON = "purged"


def purge_copies(place: Place, slugs: Collection[str], now: str) -> int:
    """Remove what waits of a memory, and queue that the provider forgets it; return how many ask.

    Its queued saves and its fetched notes go, with the digest that the mirror keeps of it. What
    waits of other memories stays: it is theirs, though it may quote this one.

    Raises
    ------
    SyncError
        `sync-held`, while a sync is under way.
    """
    folder = place.folder / FOLDER
    if not folder.is_dir():
        return 0
    with one_sync(folder):
        records, outbox, inbox = (
            Records(folder, _unheard),
            outbox_of(place),
            Inbox(folder / "inbox"),
        )
        known = records.mirror().known
        keys = _keys(known, slugs)
        for found in outbox.entries():
            if found.entry.slug in slugs and found.entry.kind == "save":
                outbox.drop(found.entry.client_id)
        notes = inbox.notes()
        if any(slug in slugs for _, slug in notes):
            inbox.keep([note for (_, slug), note in notes.items() if slug not in slugs])
        records.put_mirror(
            Mirror(
                known={
                    scope: {slug: digest for slug, digest in held.items() if slug not in slugs}
                    for scope, held in known.items()
                }
            )
        )
        if not records.standing().provider:
            return 0
        for scope, slug in keys:
            outbox.enqueue(
                now=now, kind="forget", scope=scope, slug=slug, write_mode="direct", reason=REASON
            )
        return len(keys)


def _keys(
    known: Mapping[Scope, Mapping[str, str]], slugs: Collection[str]
) -> list[tuple[Scope, str]]:
    """Return where the provider may hold it: in the scope that is known, else in either."""
    return [
        (scope, slug)
        for slug in sorted(slugs)
        for scope in SCOPES
        if slug in known.get(scope, {}) or not any(slug in held for held in known.values())
    ]


def _unheard(_: str) -> None:
    """Let a bad line of the records be: the next sync names it."""
