"""Self-join of word sets by Jaccard similarity, with prefix filtering."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

LOOK_BACK = 8
"""Keys looked at for each pair that may be found, where pairs are limited."""


def similar_sets(
    sets: Mapping[str, frozenset[str]], floor: float, *, most: int | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of keys whose sets have a Jaccard similarity of at least `floor`.

    Parameters
    ----------
    sets : mapping of str to frozenset of str
        An empty set is similar to nothing.
    floor : float
        In (0, 1].
    most : int or None
        How many smaller keys one key is paired with at most, the nearest in key order; None finds
        every pair. With a limit the work grows with the keys, however alike the sets are.

    Yields
    ------
    (str, str)
        Keys with first < second, each pair once, in an order fixed by the keys.

    Notes
    -----
    Two sets that reach the floor share a word among the first `n - ceil(floor * n) + 1` of each,
    in any common order of words; the rarest come first, so few candidates are looked at.

    References
    ----------
    .. [1] R. Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", WWW 2007.

    Examples
    --------
    >>> words = {"a": frozenset("xyz"), "b": frozenset("xyzw"), "c": frozenset("q")}
    >>> list(similar_sets(words, 0.74))
    [('a', 'b')]
    """
    frequency = Counter(word for words in sets.values() for word in words)
    index: dict[str, list[int]] = defaultdict(list)
    keys = sorted(key for key in sets if sets[key])
    rows = [sets[key] for key in keys]
    for number, words in enumerate(rows):
        size = len(words)
        ordered = sorted(words, key=lambda word: (frequency[word], word))
        prefix = ordered[: size - math.ceil(floor * size - 1e-9) + 1]
        seen: set[int] = set()
        for word in prefix:
            seen.update(index[word] if most is None else index[word][-LOOK_BACK * most :])
        alike = _alike(rows, words, sorted(seen, reverse=True), floor, most)
        for other in reversed(alike):
            yield keys[other], keys[number]
        for word in prefix:
            index[word].append(number)


def _alike(
    rows: Sequence[frozenset[str]],
    words: frozenset[str],
    others: Iterable[int],
    floor: float,
    most: int | None,
) -> list[int]:
    """Return the first rows of an order that reach the floor, `most` of them at most."""
    size, found = len(words), []
    for other in others:
        length = len(rows[other])
        if length < floor * size or size < floor * length:
            continue
        shared = len(words & rows[other])
        if shared >= floor * (size + length - shared):
            found.append(other)
            if len(found) == most:
                break
    return found
