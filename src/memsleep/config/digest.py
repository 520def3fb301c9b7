"""The digest of a config: it tells whether two nights were run with the same settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from memsleep.settings import Settings

_NOT_OF_A_NIGHT: Final[Mapping[str, Any]] = {
    "embedder": {"path"},
    "check": True,
    "search": True,
    "recall": True,
    "brief": True,
    "sync": True,
}


def settings_digest(settings: Settings) -> str:
    """Return the SHA-256 of the settings as hex, the same on every machine.

    `embedder.path` is left out: it says where vectors lie, and the night records whose they are.
    So are `check`, `search`, `recall`, `brief` and `sync`: no decision of a night rests on them.
    """
    values = settings.model_dump(mode="json", exclude=dict(_NOT_OF_A_NIGHT))
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
