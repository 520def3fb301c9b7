"""What may stand elsewhere in Chinese, Japanese, Korean and Arabic without saying another thing.

Where particles tell who does what, the parts of one clause may change places; the reason and its
effect may; the members of one list may, unless they are steps. Each rule asks that nothing else
differs. What it cannot be sure of it leaves, and a person is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memsleep.guards.arabic_order import adjunct_turned, arabic_voice, verb_moved
from memsleep.guards.claims import Claim
from memsleep.guards.clause_order import clauses_swapped
from memsleep.guards.free_lists import members_moved
from memsleep.guards.han_order import adjunct_moved, mark_moved, turned_voice
from memsleep.guards.hangul_order import condition_moved, korean_parts_moved, korean_voice
from memsleep.guards.kana_order import japanese_parts_moved, japanese_voice

MOST_TOKENS = 80
MOST_UNLIKE = 14
"""Words in which two claims may differ for a change of voice to be looked for."""


def is_rearranged(a: Claim, b: Claim) -> bool:
    """Return True when the order of the words, or the voice, is all in which two claims differ."""
    if (
        a.language is not b.language
        or not (a.form and b.form)  # signs alone have no order
        or max(len(a.form), len(b.form)) > MOST_TOKENS
        or len(a.words ^ b.words) > MOST_UNLIKE
    ):
        return False
    rules = _RULES.get(a.language.code)
    return rules is not None and any(rule(a, b) for rule in rules)


_RULES: Mapping[str, Sequence[Callable[[Claim, Claim], bool]]] = {
    "zh": (clauses_swapped, members_moved, adjunct_moved, mark_moved, turned_voice),
    "ja": (clauses_swapped, members_moved, japanese_parts_moved, japanese_voice),
    "ko": (clauses_swapped, members_moved, korean_parts_moved, condition_moved, korean_voice),
    "ar": (members_moved, adjunct_turned, verb_moved, arabic_voice),
}
ARRANGED = frozenset(_RULES)
"""Languages whose words may change places by these rules."""
BY_PARTS = ARRANGED - {"ar"}
"""Languages of which the rules of languages with articles know nothing."""
