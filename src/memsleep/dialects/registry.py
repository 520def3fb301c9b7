"""The dialects by name: dull, greppable, type-checked."""

from __future__ import annotations

from collections.abc import Mapping

from memsleep.dialects.base import Dialect
from memsleep.dialects.markdown import MARKDOWN
from memsleep.dialects.memhtml import MEMHTML

DIALECTS: Mapping[str, Dialect] = {"memhtml": MEMHTML, "markdown": MARKDOWN}


def dialect_for(path: str) -> Dialect:
    """Return the dialect of a file that is no memory, by the ending of its name."""
    return MEMHTML if path.lower().endswith((".html", ".htm")) else MARKDOWN
