"""Connected components of an undirected edge list."""

from __future__ import annotations

from collections.abc import Iterable

from memsleep.core.ordering import utf16_key


def connected_components(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the components of the graph that the pairs span.

    Parameters
    ----------
    pairs : iterable of (str, str)
        Undirected edges. A self-edge introduces its key.

    Returns
    -------
    list of list of str
        Each component sorted, the components ordered by their smallest member,
        both by UTF-16 code unit: the same for any order or orientation of the
        input.

    Examples
    --------
    >>> connected_components([("c", "b"), ("d", "d"), ("a", "b")])
    [['a', 'b', 'c'], ['d']]
    """
    parent: dict[str, str] = {}
    for a, b in pairs:
        root_a, root_b = _root(parent, a), _root(parent, b)
        parent[root_a] = root_b
    components: dict[str, list[str]] = {}
    # Members in order make each list sorted and the lists ordered by their first.
    for member in sorted(parent, key=utf16_key):
        components.setdefault(_root(parent, member), []).append(member)
    return list(components.values())


def _root(parent: dict[str, str], member: str) -> str:
    """Return the representative, halving the path to it; a new member is its own."""
    parent.setdefault(member, member)
    while parent[member] != member:
        parent[member] = member = parent[parent[member]]
    return member
