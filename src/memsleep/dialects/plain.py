"""Any other folder of Markdown."""

from __future__ import annotations

from memsleep.dialects.traits import DAILY_PAGES, Traits

TRAITS = Traits("plain", records=DAILY_PAGES)
