"""Neighbour lists in the vector cache: written whole, checked whole, never believed in part.

One row per embedder holds the arrays of `NearLists` and a SHA-256 over all of them. Whatever does
not add up, by its sum or by its shape, counts as absent and is said; the lists are made anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from memsleep.core.near_lists import DIGEST_BYTES, NearLists
from memsleep.state.database import foreseen, transaction

FORMAT: Final = 1
"""Of the arrays and of the rule they obey. A row of another format counts as absent, unsaid."""
KEPT_IDENTITIES: Final = 2
"""Whoever goes back to the embedder before finds its lists; older ones are cleared out."""

NEAR_LISTS = (
    """
    CREATE TABLE near_lists (
        number INTEGER PRIMARY KEY,    -- the newest is the largest
        identity TEXT NOT NULL UNIQUE, -- of the embedder
        format INTEGER NOT NULL,
        digests BLOB NOT NULL,         -- 16 bytes of BLAKE2b of each distinct vector
        sizes BLOB NOT NULL,           -- entries per vector, little-endian int32
        partners BLOB NOT NULL,        -- number of a vector per entry, little-endian int32
        similarities BLOB NOT NULL,    -- little-endian float64
        bounds BLOB NOT NULL,          -- all pairs above it are listed; little-endian float64
        sum BLOB NOT NULL              -- SHA-256 of identity, format and all of the above
    ) STRICT
    """,
)
_READ = (
    "SELECT format, digests, sizes, partners, similarities, bounds, sum"
    " FROM near_lists WHERE identity = ?"
)


@dataclass(frozen=True, slots=True)
class KeptLists:
    """What lay in the cache."""

    lists: NearLists
    damaged: bool = False
    """True when something lay there that is not what was written."""


def read_lists(path: Path, connection: sqlite3.Connection, identity: str) -> KeptLists:
    """Return the lists of one embedder, empty where there are none that are whole."""
    with foreseen(path):
        row = connection.execute(_READ, (identity,)).fetchone()
    if row is None or row[0] != FORMAT:
        return KeptLists(NearLists.empty())
    *blobs, written = row[1:]
    if written != _sum(identity, blobs):
        return KeptLists(NearLists.empty(), damaged=True)
    lists = _lists(blobs)
    return KeptLists(NearLists.empty() if lists is None else lists, damaged=lists is None)


def write_lists(
    path: Path, connection: sqlite3.Connection, identity: str, lists: NearLists
) -> None:
    """Keep the lists of one embedder in place of its earlier ones, and forget the oldest."""
    blobs = [
        b"".join(lists.digests),
        lists.sizes.astype("<i4").tobytes(),
        lists.partner.astype("<i4").tobytes(),
        lists.sim.astype("<f8").tobytes(),
        lists.bound.astype("<f8").tobytes(),
    ]
    with foreseen(path), transaction(connection):
        connection.execute("DELETE FROM near_lists WHERE identity = ?", (identity,))
        connection.execute(
            "INSERT INTO near_lists (identity, format, digests, sizes, partners, similarities,"
            " bounds, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (identity, FORMAT, *blobs, _sum(identity, blobs)),
        )
        connection.execute(
            "DELETE FROM near_lists WHERE number NOT IN"
            " (SELECT number FROM near_lists ORDER BY number DESC LIMIT ?)",
            (KEPT_IDENTITIES,),
        )


def _sum(identity: str, blobs: list[bytes]) -> bytes:
    whole = hashlib.sha256(f"{FORMAT}\0{identity}\0".encode("utf-8", "surrogatepass"))
    for blob in blobs:
        whole.update(len(blob).to_bytes(8, "big"))
        whole.update(blob)
    return whole.digest()


def _lists(blobs: list[bytes]) -> NearLists | None:
    """Return the arrays as lists, None where they contradict each other."""
    digests, *rest = blobs
    try:
        sizes, partner = (np.frombuffer(blob, "<i4").astype(np.int64) for blob in rest[:2])
        sim, bound = (np.frombuffer(blob, "<f8").astype(np.float64) for blob in rest[2:])
    except ValueError:
        return None
    n = len(sizes)
    fits = len(digests) == n * DIGEST_BYTES and len(bound) == n
    fits = fits and bool((sizes >= 0).all()) and int(sizes.sum()) == len(partner) == len(sim)
    if not fits or bool(((partner < 0) | (partner >= n)).any()) or np.isnan(bound).any():
        return None
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    names = tuple(digests[at : at + DIGEST_BYTES] for at in range(0, len(digests), DIGEST_BYTES))
    lists = NearLists(names, start, partner, sim, bound)
    whole = len(set(names)) == n and bool((sim > bound[lists.owners]).all())
    return lists if whole else None
