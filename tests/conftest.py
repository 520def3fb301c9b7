"""Options shared by the whole suite."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

# A shell that starts the suite in the background has it ignore interrupts, and so would every
# process that the tests interrupt: they would wait for ever. A handler is not inherited.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run: a gate that fails by chance teaches nobody anything. New ones are
# looked for by hand, with `--hypothesis-profile=search`. Loaded before any test module is imported.
settings.register_profile("memsleep", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("memsleep")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden results of the fixtures; the git diff is the review",
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden results are rewritten instead of compared."""
    return bool(request.config.getoption("--update-golden"))
