"""Accents, which English leaves out: `the café` is `the cafe`, but `pago` is not `pagó`."""

from __future__ import annotations

from memsleep.guards.claims import Claim, languages_of
from memsleep.guards.typography import fold_typography, without_accents


def accents_part(a: Claim, b: Claim) -> bool:
    """Return True where words of two claims read as English differ in accents alone.

    In an English text they say nothing. One that no little word tells to be English may be in a
    language of which the guards know too little: there `firmará` is no `firmara`.
    """
    if not a.language.by_rule or a.text == b.text or (a.text.isascii() and b.text.isascii()):
        return False
    mine, theirs = (set(fold_typography(c.text).lower().split()) for c in (a, b))
    plain = set(map(without_accents, mine - theirs))
    if plain.isdisjoint(map(without_accents, theirs - mine)):
        return False
    return not all(
        languages_of(claim.text)[0] == "en" and not claim.language.common.isdisjoint(words)
        for claim, words in ((a, mine), (b, theirs))
    )
