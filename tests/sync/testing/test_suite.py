"""The two providers that come with memsleep pass the conformance kit."""

from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.sync.protocol import Provider
from memsleep.sync.providers.directory import DirectoryProvider
from memsleep.sync.testing import ProviderSuite, ReferenceServer
from sync_provider_kit import http_provider


class TestDirectory(ProviderSuite):
    def make(self, tmp_path: Path) -> Provider:
        return DirectoryProvider(tmp_path)


class TestHttp(ProviderSuite):
    @pytest.fixture(autouse=True)
    def _server(self):
        with ReferenceServer(token="a-token") as self.server:
            yield

    def make(self, tmp_path: Path) -> Provider:
        return http_provider(self.server.url, token="a-token")
