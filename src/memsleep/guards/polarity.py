"""Guards on negation: a fact and its opposite sit close together in any vector space."""

from __future__ import annotations

import re
from functools import lru_cache

from memsleep.core import MergeText, join_merge_text, negation_divergent
from memsleep.guards.tokens import canonical_tokens, fold_typography, plain_typography
from memsleep.model import Memory

# Whole words, by language; counted in the claim.
_WORDS = frozenset(
    # English, with the verbs and adjectives that deny without a "not"
    "not no never none neither nor without nobody nothing nowhere hardly scarcely avoid avoids "
    "disallow disallowed forbid forbids forbidden forbade ban bans banned prohibit prohibits "
    "prohibited prevent prevents prevented refuse refuses refused reject rejects rejected deny "
    "denies denied fail fails failed stop stops stopped stopping exclude excludes excluded lack "
    "lacks lacking unable incapable absent outside unsafe invalid false disable disables disabled "
    "except unless non un "
    # German, French, Spanish, Portuguese, Italian
    "nicht kein keine keinen keinem keiner keines nie niemals nichts ohne weder "
    "ne pas jamais aucun aucune sans rien ni "
    "nunca ning\u00fan ninguna ninguno sin tampoco jam\u00e1s nada "
    "n\u00e3o nenhum nenhuma sem nem "
    "non mai nessun nessuno nessuna senza n\u00e9 "
    # Russian, Arabic
    "\u043d\u0435 \u043d\u0435\u0442 \u043d\u0438 \u0431\u0435\u0437 \u043d\u0438\u043a\u043e"
    "\u0433\u0434\u0430 \u043d\u0435\u043b\u044c\u0437\u044f "
    "\u0644\u0627 \u0644\u064a\u0633 \u0644\u064a\u0633\u062a \u0644\u0645 \u0644\u0646 "
    "\u063a\u064a\u0631 \u0628\u062f\u0648\u0646".split()
)
# Substrings, for scripts without spaces and for Korean endings; longest first.
_PIECES = re.compile(
    "|".join(
        (
            # Chinese
            "\u5e76\u975e|\u4e0d|\u6ca1|\u65e0|\u975e|\u672a|\u522b|\u52ff|\u7981\u6b62|\u6c92|\u7121",
            # Japanese: nai forms, masen, zu, nashi
            "\u307e\u305b\u3093|\u306a\u3044|\u306a\u304b\u3063|\u306a\u304f|\u305a\u306b|\u7981\u6b62",
            # Korean
            "\uc54a|\ubabb|\uc548 |\uc5c6|\uc544\ub2c8",
        )
    )
)
_FRENCH_ELISION = re.compile(r"\b[nN]'(?=[^\W\d_])")


def negation(a: Memory, b: Memory) -> str | None:
    """Refuse where exactly one side holds an English negation word, over gist and body.

    The rule of the reference, but `isn't` is `is not` with any apostrophe.
    """
    sides = [plain_typography(join_merge_text(MergeText(m.gist, m.body))) for m in (a, b)]
    return "exactly one side is negated" if negation_divergent(*sides) else None


@lru_cache(maxsize=65536)
def negation_count(text: str) -> int:
    """Return how many marks of negation a claim holds, in any of the languages known here."""
    folded = fold_typography(text)
    words = sum(token in _WORDS for token in canonical_tokens(text))
    return words + len(_PIECES.findall(folded)) + len(_FRENCH_ELISION.findall(folded))


def negation_words(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims hold a different number of negations, typographic ones included.

    The count matters, not mere presence: two negations against one is a flip as well.
    """
    if negation_count(a.gist) == negation_count(b.gist):
        return None
    return "the claims are negated differently"
