"""English orders that deny: `never push to main` is `do not push to main`."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_adverb, is_dated
from memsleep.guards.language import Language


def forbidden(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with `not` for the `never` of an order, where no day is told.

    `Never push to main` is `do not push to main`; `do not call on Monday` is another thing than
    `never call on Monday`.
    """
    if "never" not in tokens or any(map(is_dated, tokens)) or not _NOW.isdisjoint(tokens):
        return tokens
    return [
        "not" if token in _NEVER and _orders(language, tokens, place) else token
        for place, token in enumerate(tokens)
    ]


_NEVER = frozenset({"never"})
_NOW = frozenset("now today tonight tomorrow yesterday this yet again".split())


def _orders(language: Language, tokens: list[str], place: int) -> bool:
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if place:
        return tokens[place - 1] == "must"
    return language.is_acting(following) and not is_adverb(following)
