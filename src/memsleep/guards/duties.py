"""Duties that are denied: `no tiene que firmar` need not, `no debe firmar` must not.

Unless they are denied, such words say the same, and the tables hold them for one.
"""

from __future__ import annotations

from memsleep.guards.claims import Claim
from memsleep.guards.typography import fold_typography


def duties_part(a: Claim, b: Claim) -> bool:
    """Return True where one of two denied claims tells what need not be, the other one does not."""
    if a.language.needing is None or a.text == b.text or not (a.negations and b.negations):
        return False
    return _needs(a) != _needs(b)


def _needs(claim: Claim) -> bool:
    words = claim.language.needing
    text = claim.language.spelt_out(fold_typography(claim.text).lower())
    return words is not None and words.search(text) is not None
