"""What the author of a provider needs: tests that every provider passes, and a service to look at.

    from memsleep.sync.testing import ProviderSuite

    class TestMyProvider(ProviderSuite):
        def make(self, tmp_path):
            return MyProvider(...)

Needs pytest. See docs/sync-providers.md.
"""

from memsleep.sync.testing.server import ReferenceServer
from memsleep.sync.testing.service import MemoryService
from memsleep.sync.testing.suite import ProviderSuite

__all__ = ["MemoryService", "ProviderSuite", "ReferenceServer"]
