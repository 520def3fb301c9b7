"""What the author of a provider needs: tests that every provider passes, and a service to look at.

    from memsleep.sync.testing import ProviderSuite

    class TestMyProvider(ProviderSuite):
        def make(self, tmp_path):
            return MyProvider(...)

The suite needs pytest, the server does not. See docs/sync-providers.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsleep.sync.testing.server import ReferenceServer
from memsleep.sync.testing.service import MemoryService

if TYPE_CHECKING:
    from memsleep.sync.testing.suite import ProviderSuite

__all__ = ["MemoryService", "ProviderSuite", "ReferenceServer"]


def __getattr__(name: str) -> object:
    if name != "ProviderSuite":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import pytest

    pytest.register_assert_rewrite("memsleep.sync.testing.suite")
    from memsleep.sync.testing.suite import ProviderSuite

    return ProviderSuite
