"""Pages of a journal are records of their day, in any kind of folder."""

from __future__ import annotations

import pytest

from memsleep.dialects import foam, obsidian, plain


@pytest.mark.parametrize("store", [foam, obsidian, plain])
@pytest.mark.parametrize(
    ("path", "record"),
    [
        ("2026-08-01.md", True),
        ("Daily/2026_08_01.md", True),
        ("a/b/20260801.markdown", True),
        ("2026.08.01.MD", True),
        ("2026-08-01 Sync.md", False),
        ("Sync 2026-08-01.md", False),
        ("202403011030.md", False),
        ("2026-08.md", False),
        ("2026-08-01/notes.md", False),
    ],
)
def test_name_that_is_a_day(store: object, path: str, record: bool) -> None:
    """The whole name is the day; a page about a meeting on a day is a memory like others."""
    assert store.TRAITS.is_record(path) == record  # type: ignore[attr-defined]
