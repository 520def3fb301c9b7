"""The digest of a config: it tells whether two nights were run with the same settings."""

from __future__ import annotations

import hashlib
import json

from memsleep.settings import Settings


def settings_digest(settings: Settings) -> str:
    """Return the SHA-256 of the settings as hex, the same on every machine.

    `embedder.path` is left out: it says where vectors lie, and the night records whose they are.
    So is `check`: no night reads it.
    """
    values = settings.model_dump(mode="json", exclude={"embedder": {"path"}, "check": True})
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
