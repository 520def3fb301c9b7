"""What the tests of the guards share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memsleep.guards import claims, plainly, sameness

_REMEMBERED = (claims.claim_in, claims.claim_of, plainly._plain, sameness.relation)


@pytest.fixture
def fresh_readings() -> Iterator[None]:
    """Forget what was read before and after a test that takes a rule out."""
    for step in _REMEMBERED:
        step.cache_clear()
    yield
    for step in _REMEMBERED:
        step.cache_clear()
