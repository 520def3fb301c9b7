"""Reading an export of use, ours or that of a memhtml store: their keys tell them apart."""

from __future__ import annotations

from memsleep.state.access_jsonl import UsageFile, read_access
from memsleep.state.export import read_export
from memsleep.state.jsonl import objects


def read_any_export(source: bytes, path: str) -> UsageFile:
    """Return the usage in an export; the first line with a path decides whose it is."""
    for _, value in objects(source):
        if value is not None and "path" in value:
            return (read_access if "accessCount" in value else read_export)(source, path)
    return read_export(source, path)
