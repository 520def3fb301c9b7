"""A digest that goes on from an earlier one is the digest of the whole file."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.fold import digests as module
from memsleep.fold.digests import LARGE, Digests
from memsleep.model import digest_bytes

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.sampled_from(["append", "cut", "anew", "same", "equal"]),
        st.binary(max_size=6),
    ),
    max_size=12,
)


@given(STEPS)
def test_whatever_becomes_of_a_file_its_digest_is_that_of_its_bytes(
    steps: list[tuple[str, str, bytes]],
) -> None:
    """Appended to, cut, written anew, equal to before, and two files in turns."""
    digests, held = Digests(), {"a": b"", "b": b""}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LARGE", 1)
        for path, kind, more in steps:
            old = held[path]
            made = {
                "append": old + more,
                "cut": old[: len(more)],
                "anew": more,
                "same": old,
                "equal": bytes(bytearray(old)),
            }
            held[path] = made[kind]
            assert digests.of(path, held[path]) == digest_bytes(held[path])


def test_what_was_only_added_to_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand lines in a ledger cost a thousand lines, not a thousand ledgers."""
    digests = Digests()
    source = b"x" * LARGE
    digests.of("ledger", source)
    monkeypatch.setattr(hashlib, "sha256", None)  # whoever begins anew finds out
    for number in range(9):
        source += b"line %d\n" % number
        assert digests.of("ledger", source) == digests.of("ledger", source)
