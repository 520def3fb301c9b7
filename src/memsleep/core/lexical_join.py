"""Self-join of word sets by Jaccard similarity, with prefix filtering."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

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
    index: dict[str, list[str]] = defaultdict(list)
    for key in sorted(sets):
        words = sets[key]
        size = len(words)
        if not size:
            continue
        ordered = sorted(words, key=lambda word: (frequency[word], word))
        prefix = ordered[: size - math.ceil(floor * size - 1e-9) + 1]
        seen: set[str] = set()
        for word in prefix:
            seen.update(index[word] if most is None else index[word][-LOOK_BACK * most :])
        alike = [other for other in sorted(seen) if _reaches(sets[other], words, floor)]
        for other in alike if most is None else alike[-most:]:
            yield other, key
        for word in prefix:
            index[word].append(key)


def _reaches(a: frozenset[str], b: frozenset[str], floor: float) -> bool:
    small, large = sorted((len(a), len(b)))
    if small < floor * large:
        return False
    shared = len(a & b)
    return shared >= floor * (small + large - shared)
