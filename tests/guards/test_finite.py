"""What the form of an English word tells of it, and what it does not."""

from __future__ import annotations

import pytest

from memsleep.guards.finite import is_auxiliary, is_finite, is_past, may_be_predicate
from memsleep.guards.language import language_named

ENGLISH = language_named("en")
TESTS = (is_auxiliary, is_past, is_finite, may_be_predicate)
AUXILIARY, PAST, BARE, NOTHING = "1011", "0111", "0001", "0000"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        *((word, AUXILIARY) for word in ("is", "have", "must", "can", "will")),
        *((word, PAST) for word in ("deployed", "went", "wrote", "sent", "did")),
        *((word, BARE) for word in ("deploy", "write", "send", "does", "writing")),
        *((word, NOTHING) for word in ("server", "daily", "the", "not", "5", "")),
    ],
)
def test_what_a_form_tells(word: str, told: str) -> None:
    """Auxiliary, past, finite, predicate: a past is finite, and what is finite may be predicate."""
    word = ENGLISH.final(word) if word else word
    assert "".join(str(int(test(ENGLISH, word))) for test in TESTS) == told
