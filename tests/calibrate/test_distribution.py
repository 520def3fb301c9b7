"""Similarities of a corpus, and the floors they suggest."""

from __future__ import annotations

import phases_kit as kit
from memsleep.calibrate.distribution import distribution_of
from memsleep.embedders.hashgram import Hashgram

WORDS = "amber basil cedar delta ember fjord grove heron ivory jetty kiosk lotus".split()


def _texts(count: int) -> dict[str, str]:
    """Return texts of twelve words of which any two share few."""
    return {
        f"m{i:02}.md": " ".join(f"{word}{(i * 7 + j * j) % 97}" for j, word in enumerate(WORDS))
        for i in range(count)
    }


def test_floors_lie_between_strangers_and_rewordings() -> None:
    """The duplicate floor lies under what a reworded text reaches and above the mined floor."""
    found = distribution_of(kit.corpus(_texts(30)), Hashgram())
    assert found.memories == 30
    assert sum(found.histogram) == 30 * 29 // 2
    assert found.mined_floor is not None
    assert found.duplicate_floor is not None
    assert found.pairs[2] < found.mined_floor <= found.duplicate_floor <= found.reworded[1] + 1e-3
    assert distribution_of(kit.corpus(_texts(30)), Hashgram()) == found


def test_copies_do_not_lift_the_mined_floor() -> None:
    """A corpus full of duplicates still has its strangers to measure."""
    texts = _texts(30)
    doubled = texts | {f"copy-{path}": text for path, text in texts.items()}
    once = distribution_of(kit.corpus(texts), Hashgram())
    twice = distribution_of(kit.corpus(doubled), Hashgram())
    assert once.mined_floor is not None
    assert twice.mined_floor is not None
    assert abs(once.mined_floor - twice.mined_floor) < 0.05


def test_small_corpora_suggest_nothing() -> None:
    """None and one memory have no neighbours; a few tell nothing of the rest."""
    for count in (0, 1, 3):
        found = distribution_of(kit.corpus(_texts(count)), None)
        assert (found.memories, found.duplicate_floor, found.reworded) == (count, None, ())
