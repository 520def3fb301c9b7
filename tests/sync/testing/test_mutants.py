"""The kit can fail: each test of it catches a service with the fault that it is there for."""

from __future__ import annotations

import pytest

from memsleep.sync.testing import ProviderSuite, ReferenceServer
from memsleep.sync.testing.mutants import MUTANTS, Mutant
from sync_provider_kit import http_provider

TESTS = sorted(name for name in vars(ProviderSuite) if name.startswith("test_"))


def _rows(name: str) -> list[dict[str, object]]:
    """Return the arguments of a test beside the provider, one row for each time that it runs."""
    for mark in getattr(getattr(ProviderSuite, name), "pytestmark", ()):
        return [{mark.args[0]: value} for value in mark.args[1]]
    return [{}]


def _fails(name: str, mutant: Mutant) -> bool:
    return any(_failure(name, row, mutant) for row in _rows(name))


def _failure(name: str, row: dict[str, object], mutant: Mutant) -> BaseException | None:
    with mutant.serve() as server:
        provider = http_provider(server.url)
        try:
            getattr(ProviderSuite(), name)(mutant.wrap(provider), **row)
        except (Exception, pytest.fail.Exception) as error:
            return error
        finally:
            provider.close()
    return None


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.fault)
def test_each_mutant_is_caught_by_its_test(mutant: Mutant) -> None:
    """The test that is named fails with the mutant."""
    assert _fails(mutant.caught_by, mutant)


@pytest.mark.parametrize("name", TESTS)
def test_the_same_test_passes_without_the_fault(name: str) -> None:
    """What fails with a mutant fails because of it."""
    whole = Mutant("none", name, ReferenceServer)
    assert not _fails(name, whole)


def test_each_mutant_has_a_test_of_its_own() -> None:
    """No two mutants name one test, and no test of the kit is without a mutant."""
    assert sorted(mutant.caught_by for mutant in MUTANTS) == TESTS
    assert len({mutant.fault for mutant in MUTANTS}) == len(MUTANTS) >= 8
