"""Changes of order that say nothing: an adjunct in front or at the end, an adverb moved."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_adverb, turned
from memsleep.guards.claims import Claim
from memsleep.guards.lists import is_permuted


def is_reordered(a: Claim, b: Claim) -> bool:
    """Return True when nothing but the order of an adjunct, a list or an adverb differs."""
    if a.language is not b.language:
        return False
    fronting = a.language.fronting
    if turned(a.form, b.form, fronting) or turned(b.form, a.form, fronting):
        return True
    return is_permuted(a, b) or (a.language.by_rule and _is_adverb_moved(a, b))


def _is_adverb_moved(a: Claim, b: Claim) -> bool:
    """Return True when one adverb stands elsewhere; a denial would say what it belongs to."""
    if "not" in a.words or len(a.form) != len(b.form):
        return False
    for adverb in sorted(a.words):
        if adverb not in (a.form[0], b.form[0]) or not is_adverb(adverb) or adverb in _FIXED:
            continue
        if a.form.count(adverb) == 1:
            one, other = list(a.form), list(b.form)
            one.remove(adverb)
            other.remove(adverb)
            if one == other:
                return True
    return False


_FIXED = frozenset({"only", "nearly", "early", "never", "hardly", "barely", "scarcely", "mainly"})
