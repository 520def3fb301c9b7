"""Reading the ledger of the archive: one JSON object a line, for every archiving that landed."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One archiving."""

    path: str
    to: str
    when: str
    cause: str
    """`merged`, `evicted` or `expired`."""
    replaced_by: str | None = None


def read_ledger(source: bytes, path: str) -> list[LedgerEntry]:  # noqa: ARG001 (names the file)
    """Return the entries of a ledger in order; a line that is none is passed over.

    A merge of two branches may leave such lines; the entries around them still count.
    """
    entries = []
    for line in source.split(b"\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(value, dict):
            continue
        texts = {key: text for key, text in value.items() if isinstance(text, str)}
        if texts.keys() >= {"path", "to", "when", "cause"}:
            keys = (texts["path"], texts["to"], texts["when"], texts["cause"])
            entries.append(LedgerEntry(*keys, replaced_by=texts.get("replaced_by")))
    return entries
