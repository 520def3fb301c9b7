"""Read a corpus for a check: list, read, tell memories from the rest, look at each file once.

A file that an earlier check looked at is not parsed again. Many new files are shared out among
processes; the result does not depend on how.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from memsleep.check.cache import Cache
from memsleep.check.corpus import CheckedCorpus, Home
from memsleep.check.facts import EMBEDDER, Facts, facts_from_json
from memsleep.check.looking import looked_at
from memsleep.check.pairs import PairFinder
from memsleep.corpus.detect import Detections, detect
from memsleep.corpus.flags import ledger_paths
from memsleep.corpus.select import LFS_POINTER, MAX_BYTES, Role, role_of, unwanted
from memsleep.corpus.source import Listing, Source
from memsleep.model import Problem
from memsleep.own_code import code_version
from memsleep.readers.entries import entry_path, split_entries
from memsleep.readers.markdown import text_problem
from memsleep.settings import Settings


@dataclass(frozen=True, slots=True)
class Raw:
    """A corpus whose bytes were read, and nothing more."""

    listing: Listing
    files: Mapping[str, bytes]
    roles: Mapping[str, Role]
    unread: tuple[Problem, ...]
    ledgers: Mapping[str, bytes]
    stores: Detections
    homes: Mapping[str, Home]
    """Entry of a file that holds several memories -> where it lies."""


def read_raw(source: Source, settings: Settings) -> Raw:
    """List and read a source."""
    listing = source.listing()
    wanted, unread = [], []
    for entry in listing.files:
        if unwanted(entry.path, settings.corpus):
            continue
        if entry.size > MAX_BYTES:
            unread.append(_too_large(entry.path, entry.size))
        else:
            wanted.append(entry.path)
    contents: dict[str, bytes] = {}
    for path, found in source.read_many(wanted):
        if isinstance(found, Problem):
            unread.append(found)
        elif len(found) > MAX_BYTES:
            unread.append(_too_large(path, len(found)))
        elif found.startswith(LFS_POINTER):
            message = "a pointer of Git LFS, not the file itself"
            unread.append(Problem(path, None, "lfs-pointer", message))
        else:
            contents[path] = found
    stores = detect(contents, listing.taken, settings.corpus.dialect)
    roles = _roles(contents, stores)
    homes = _part(contents, roles)
    ledgers = {
        path: found
        for path, found in source.read_many(ledger_paths(listing.taken))
        if isinstance(found, bytes)
    }
    files = {path: contents[path] for path in sorted(roles)}
    return Raw(listing, files, roles, tuple(unread), ledgers, stores, homes)


def _too_large(path: str, size: int) -> Problem:
    return Problem(path, None, "too-large", f"expected at most {MAX_BYTES} bytes, found {size}")


def _roles(contents: Mapping[str, bytes], stores: Detections) -> dict[str, Role]:
    roles = {path: role_of(path, contents[path], stores) for path in sorted(contents)}
    return {path: role for path, role in roles.items() if role.part != "left-out"}


def _part(contents: dict[str, bytes], roles: dict[str, Role]) -> dict[str, Home]:
    """Add the entries of files that hold several memories, each as a file of its own."""
    homes = {}
    for path in [path for path, role in roles.items() if role.part == "entries"]:
        if text_problem(path, contents[path]) is not None:
            continue
        for entry in split_entries(contents[path]):
            own = entry_path(path, entry.name)
            homes[own] = Home(path, entry.start)
            contents[own] = contents[path][entry.start : entry.end]
            roles[own] = Role("memory", roles[path].dialect)
    return homes


def gather(
    raw: Raw,
    settings: Settings,
    now: str,
    cache: Cache,
    jobs: int,
    *,
    like: CheckedCorpus | None = None,
) -> CheckedCorpus:
    """Look at every file, or take what the cache, or a corpus much `like` it, knows of it."""
    facts = {} if like is None else _shared(raw, like)
    paths = [path for path in raw.files if path not in facts]
    keys = {path: _key(path, raw.files[path], raw.roles[path]) for path in paths}
    known = cache.read("facts", list(keys.values()))
    missing = []
    for path, key in keys.items():
        found = _known(path, known.get(key))
        if found is None:
            missing.append(path)
        else:
            facts[path] = found
    tasks = [(path, raw.files[path], raw.roles[path]) for path in missing]
    day_first = settings.corpus.day_first_order
    for path, text, body, row in looked_at(tasks, settings.check, day_first, jobs):
        facts[path] = found = facts_from_json(path, text, body)
        cache.keep("facts", {keys[path]: text.encode()})
        if row:
            cache.keep(f"vector {EMBEDDER.identity}", {found.text: row})
    listing = raw.listing
    return CheckedCorpus(
        now=now,
        settings=settings,
        files=raw.files,
        roles=raw.roles,
        facts={path: facts[path] for path in raw.files},
        names=tuple(entry.path for entry in listing.files),
        taken=listing.taken,
        problems=listing.problems,
        unread=raw.unread,
        ledgers=raw.ledgers,
        stores=raw.stores,
        homes=raw.homes,
        pairs=PairFinder(settings, cache),
    )


def cache_context(settings: Settings) -> str:
    """Return the digest of all that facts depend on besides the files themselves.

    Other code is another cache, so nobody has to remember to raise a number.
    """
    text = f"{code_version()} {settings.check.model_dump_json()} {settings.corpus.day_first}"
    text += f" {settings.dedup.guards} {settings.pairing.duplicate_floor} {settings.embedder.name}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _shared(raw: Raw, like: CheckedCorpus) -> dict[str, Facts]:
    """Return the facts of files that are the very same in another corpus."""
    return {
        path: like.facts[path]
        for path, source in raw.files.items()
        if like.files.get(path) is source and like.roles[path] == raw.roles[path]
    }


def _key(path: str, source: bytes, role: Role) -> str:
    head = f"{role.dialect}\0{role.part}\0{path}\0".encode("utf-8", "surrogatepass")
    return hashlib.sha256(head + source).hexdigest()[:40]


def _known(path: str, value: bytes | None) -> Facts | None:
    if value is None:
        return None
    try:
        return facts_from_json(path, value.decode())
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
