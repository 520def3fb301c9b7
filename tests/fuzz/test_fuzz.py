"""A sample of the made files, and every input that ever failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz_kit import Fuzzed, changed_span, check_corpus, check_file, made

KEPT = sorted((Path(__file__).parent / "kept").glob("*.bin"))
SAMPLE = 300


@pytest.mark.parametrize("first", range(0, SAMPLE, 100))
def test_sample(first: int) -> None:
    """Nothing crashes, and no byte outside an edit changes."""
    assert sum(check_file(made(number)) for number in range(first, first + 100)) > 50


@pytest.mark.parametrize("first", [0, 50])
def test_corpora(first: int, tmp_path: Path) -> None:
    """What chance decides over made files is written as it was folded, and no file is lost."""
    read, decided = check_corpus(tmp_path, first, 50)
    assert read > 20
    assert decided > 5


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_kept(path: Path) -> None:
    """An input that failed once never does again."""
    check_file(Fuzzed(path.name.rpartition("-")[0], path.read_bytes()))


def test_a_number_is_a_file() -> None:
    """The same number gives the same file, another one mostly another."""
    assert made(7) == made(7)
    assert len({made(number).source for number in range(100)}) > 80


@pytest.mark.parametrize(
    ("before", "after", "span"),
    [
        (b"abc", b"abc", (3, 3, 3)),
        (b"abc", b"axc", (1, 2, 2)),
        (b"aa", b"aaa", (2, 2, 3)),
        (b"", b"x", (0, 0, 1)),
    ],
)
def test_changed_span(before: bytes, after: bytes, span: tuple[int, int, int]) -> None:
    """What differs lies between what the two have in common at both ends."""
    assert changed_span(before, after) == span
