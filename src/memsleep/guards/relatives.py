"""English relative pronouns: function words of the grammar, a closed class and no vocabulary."""

from __future__ import annotations

from memsleep.guards.rule_words import rule_words

RELATIVES = rule_words("relatives.relatives")
"""Words that begin a relative clause; two of them ask or point as well."""
LOOSE = frozenset({"whoever", "whichever"})
"""What stands in a claim for `, who` and `, which`: such a clause narrows nothing."""
ANY_RELATIVE = RELATIVES | LOOSE
RELATIVE_WORDS = ANY_RELATIVE | {"whose"}
"""Also the one that says whose: where none of them stands, nothing is told by a relative."""
