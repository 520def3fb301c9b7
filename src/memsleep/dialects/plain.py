"""Any other folder of Markdown."""

from __future__ import annotations

from memsleep.dialects.traits import Traits

TRAITS = Traits("plain")
