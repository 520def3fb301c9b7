"""What a scan finds: a kind and a place. Never the text."""

from __future__ import annotations

from typing import NamedTuple


class Hit(NamedTuple):
    """One find in a text."""

    kind: str
    """Kebab-case kind, such as `aws-access-key`."""
    start: int
    """First character."""
    end: int
    """One past the last character."""
