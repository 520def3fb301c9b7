"""Property tests of the core: reproducible, and without a time limit on slow machines."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("core", deadline=None, derandomize=True)
settings.load_profile("core")
