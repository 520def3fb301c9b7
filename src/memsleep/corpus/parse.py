"""What the dialects make of the files: each content once, on all cores when it pays.

The bytes are read and hashed every night; only what a dialect made of the very same bytes at the
same path is taken from the night before. The order of the files and the number of processes have
no say in the result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from memsleep.corpus.codec import Parsed, decode, encode
from memsleep.corpus.workers import shared_parses, workers_for
from memsleep.dialects.base import Dialect, Options
from memsleep.dialects.registry import dialects_with
from memsleep.model import Memory
from memsleep.own_code import code_version


class ParseStore(Protocol):
    """Where parsed files are kept from one night to the next."""

    @property
    def keeps(self) -> bool:
        """False where nothing is kept, so that nothing need be encoded."""
        ...

    def read_parses(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return what is there and whole."""
        ...

    def keep_parses(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep rows; those that were neither read nor kept this night may go."""
        ...


class Task(NamedTuple):
    """One file that a dialect reads."""

    dialect: str
    path: str
    source: bytes
    digest: str
    """SHA-256 of the source, hex."""


def parse_all(
    tasks: Sequence[Task],
    options: Options,
    *,
    store: ParseStore | None = None,
    workers: int | None = None,
) -> Iterator[Parsed]:
    """Give what the dialects make of files, in the order of the tasks.

    Parameters
    ----------
    options : Options
        What the config says of reading.
    store : ParseStore or None
        What earlier nights made of the same bytes; takes what was made tonight.
    workers : int or None
        Processes besides this one; None: as many as the number of files is worth.
    """
    dialects = dialects_with(options)
    keys = [_key(task, options) for task in tasks] if store is not None else []
    known = dict(store.read_parses(keys)) if store is not None else {}
    found: dict[int, Parsed] = {}
    for at, key in enumerate(keys):
        if (parsed := _known(known.get(key), tasks[at])) is not None:
            found[at] = parsed
    lacking = [at for at in range(len(tasks)) if at not in found]
    made: dict[bytes, bytes] = {}
    fresh = _made([tasks[at] for at in lacking], dialects, options, workers)
    for at in range(len(tasks)):
        if at in found:
            yield found.pop(at)
            continue
        result, encoded = next(fresh)
        if store is not None and store.keeps:
            made[keys[at]] = encoded or encode(result)
        yield result
    if store is not None and store.keeps:
        store.keep_parses(made)  # nothing new as well: it clears out


def _made(
    tasks: Sequence[Task], dialects: Mapping[str, Dialect], options: Options, workers: int | None
) -> Iterator[tuple[Parsed, bytes]]:
    """Parse files here or in other processes; the bytes are empty where nobody encoded."""
    count = workers_for(len(tasks)) if workers is None else workers
    if count < 2:
        for task in tasks:
            yield dialects[task.dialect].read(task.path, task.source), b""
        return
    plain = [(task.dialect, task.path, task.source) for task in tasks]
    for task, encoded in zip(tasks, shared_parses(plain, options, count), strict=True):
        parsed = decode(encoded) if encoded is not None else None
        if parsed is None or encoded is None:
            yield dialects[task.dialect].read(task.path, task.source), b""
        else:
            yield parsed, encoded


def _key(task: Task, options: Options) -> bytes:
    """Return the key of all that a parse depends on."""
    text = f"{code_version()}\0{options.day_first}\0{task.dialect}\0{task.digest}\0{task.path}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _known(encoded: bytes | None, task: Task) -> Parsed | None:
    """Return a kept parse if it is of this file: its own words must agree with the bytes."""
    found = decode(encoded) if encoded is not None else None
    if found is None or found.path != task.path:
        return None
    if isinstance(found, Memory) and found.digest != task.digest:
        return None
    return found
