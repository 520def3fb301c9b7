"""Providers for tests: waits are counted and not waited."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from memsleep.sync.protocol import Note, WriteRequest
from memsleep.sync.providers.exchange import HttpLimits
from memsleep.sync.providers.http import HttpProvider
from memsleep.sync.providers.retrying import Backoff
from memsleep.sync.providers.timing import Timing
from memsleep.sync.providers.token import Token

LIMITS = HttpLimits(connect_s=20, read_s=20, total_s=40, max_answer_bytes=1_000_000)
"""For what answers at once: a busy machine must not look like a slow service."""
NOW = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)


class Waits(list):
    """The waits that were asked for, in seconds."""

    def sleep(self, seconds: float) -> None:
        self.append(seconds)


def http_provider(url, token=None, *, waits=None, jitter=0.5, limits=LIMITS, tries=3, **more):
    timing = Timing(
        monotonic=time.monotonic,
        sleep=(waits if waits is not None else Waits()).sleep,
        jitter=lambda: jitter,
        utc_now=lambda: NOW,
    )
    return HttpProvider(
        url,
        Token(token) if token else None,
        timing=timing,
        limits=limits,
        backoff=Backoff(tries=tries),
        **more,
    )


def save(slug="a.md", text="A fact.\n", *, client_id="c1", scope="project", mode="direct"):
    note = Note(scope=scope, slug=slug, text=text)
    return WriteRequest(
        kind="save", client_id=client_id, scope=scope, slug=slug, write_mode=mode, note=note,
        reason="merged",
    )  # fmt: skip


def forget(slug="a.md", *, client_id="c2", scope="project", mode="direct"):
    return WriteRequest(
        kind="forget", client_id=client_id, scope=scope, slug=slug, write_mode=mode,
        reason="expired",
    )  # fmt: skip
