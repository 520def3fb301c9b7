"""English restrictions in one form: only if, unless, only after, only with.

`P if not Q` is `P unless Q`; `not P if not Q` and `not P unless Q` are `P only if Q`; `not P until
Q` is `P only after Q`. `Only` goes before the condition that it speaks of. Each rule looks at one
sentence in which nothing else denies; what it cannot place stays as it is.
"""

from __future__ import annotations

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.language import Language
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_phrases, rule_words
from memsleep.guards.tokens import MARK

ONLY_AFTER = "onlyafter"
_OTHER_VERB = RELATIVES | rule_words("restrictions.other_verb")
"""Words behind which another verb may be meant: do not object to it staying until June."""
_IFS = rule_words("restrictions.ifs")
_DENIALS = rule_words("rule_words.denials")
_RESTRICTING = _DENIALS | {"only"}
_NOT_ALLOWED = list(rule_phrases("restrictions.not_allowed"))
_AUXILIARY = frozenset({"do", "does"})
_ORDERS = rule_words("restrictions.orders")
_GROUPING = rule_words("restrictions.grouping")
_WHERE = rule_words("restrictions.where")
_BOUND = rule_words("restrictions.bound")


def restricted(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with each restriction in its one form."""
    if _RESTRICTING.isdisjoint(tokens):
        return tokens
    if "allowed" in tokens:
        tokens = _not_allowed(tokens)
    if not _DENIALS.isdisjoint(tokens):
        tokens = _unless(_only_if(_only_after(tokens)))
    if "only" in tokens:
        tokens = _beside_condition(language, tokens)
    return tokens


def _not_allowed(tokens: list[str]) -> list[str]:
    """Return `must not` for `is not allowed to`; `it is not allowed to park` speaks of parking."""
    place = tokens.index("allowed")
    start = place - 2
    if start > 0 and tokens[start - 1] != "it" and tokens[start : place + 2] == _NOT_ALLOWED:
        return [*tokens[:start], "must", "not", *tokens[place + 2 :]]
    return tokens


def _only_after(tokens: list[str]) -> list[str]:
    """Return `deliver only after` for `do not deliver until`, `call only after` too."""
    denied = [i for i, token in enumerate(tokens) if token in _DENIALS]
    if len(denied) != 1 or tokens[denied[0]] not in {"not", "never"}:
        return tokens
    place = denied[0]
    if not _GROUPING.isdisjoint(tokens[place + 1 : place + 2]) or "did" in tokens:
        return tokens
    if tokens[0] == "until" and MARK in tokens[:place]:
        where = 0
    else:
        end = next((i for i in range(place, len(tokens)) if tokens[i] == MARK), len(tokens))
        found = [i for i in range(place + 2, end) if tokens[i] in {"until", "before"}]
        if len(found) != 1 or not _OTHER_VERB.isdisjoint(tokens[place : found[0]]):
            return tokens
        where = found[0]
        if tokens[where] == "before" and not _is_order(tokens, place, where):
            return tokens
    result = [*tokens[:where], ONLY_AFTER, *tokens[where + 1 :]]
    start = place - (place > 0 and result[place - 1] in _AUXILIARY)
    return [*result[:start], *result[place + 1 :]]


def _is_order(tokens: list[str], place: int, where: int) -> bool:
    """Return True for `do not call before somebody has`: an order, and no date behind it."""
    told = place == 0 or tokens[place - 1] in _ORDERS
    return told and where + 2 < len(tokens) and not is_dated(tokens[where + 1])


def _only_if(tokens: list[str]) -> list[str]:
    """Return `P only if Q` for `not P if not Q`; `if` and both denials stand in one sentence."""
    denied = [i for i, token in enumerate(tokens) if token in _DENIALS]
    if len(denied) != 2 or any(tokens[i] not in {"not", "never"} for i in denied):
        return tokens
    first, second = denied
    if MARK in tokens[first:second] or "did" in tokens:
        return tokens
    ifs = [i for i in range(first, second) if tokens[i] in _IFS]
    if len(ifs) != 1 or not _GROUPING.isdisjoint(tokens[first:]):
        return tokens
    start = first - (first > 0 and tokens[first - 1] in _AUXILIARY)
    rest = [*tokens[ifs[0] : second], *tokens[second + 1 :]]
    return [*tokens[:start], *tokens[first + 1 : ifs[0]], "only", *rest]


def _unless(tokens: list[str]) -> list[str]:
    """Return `P unless Q` for `P if not Q`."""
    if tokens.count("if") != 1 or "unless" in tokens or "only" in tokens:
        return tokens
    start = tokens.index("if")
    end = next((i for i in range(start, len(tokens)) if tokens[i] == MARK), len(tokens))
    denied = [i for i in range(start, end) if tokens[i] in _DENIALS]
    if len(denied) != 1 or tokens[denied[0]] != "not" or "did" in tokens[start:end]:
        return tokens
    place = denied[0]
    if place + 1 == end or place < start + 2 or not _GROUPING.isdisjoint(tokens[start:end]):
        return tokens
    kept = place - (tokens[place - 1] in _AUXILIARY)
    return [*tokens[:start], "unless", *tokens[start + 1 : kept], *tokens[place + 1 :]]


def _beside_condition(language: Language, tokens: list[str]) -> list[str]:
    """Return `deliver only when` for `only deliver when`, and `only on weekdays` for `... only`.

    Where more than one thing could be meant, the word stays where it is.
    """
    if tokens.count("only") != 1:
        return tokens
    place = tokens.index("only")
    head = next((i + 1 for i in range(place - 1, -1, -1) if tokens[i] == MARK), 0)
    end = next((i for i in range(place, len(tokens)) if tokens[i] == MARK), len(tokens))
    if place == end - 1 and place > head + 1:
        where = [i for i in range(head + 1, place) if _is_where(tokens[i])]
        target = where[0] if len(where) == 1 and _is_time(tokens[where[0]]) else -1
    elif _is_verb(language, tokens, place):
        where = [i for i in range(place + 2, end) if _is_where(tokens[i])]
        target = where[0] if where and tokens[where[0]] in _IFS | {"after"} else -1
        if len(where) == 1 and (where[0] == place + 2 or tokens[where[0]] == "with"):
            target = where[0]  # behind an object it may speak of that: she only drinks tea at noon
    else:
        return _joined(tokens)
    if target < 0 or (tokens[target] not in _BOUND and not is_dated(tokens[target])):
        return tokens
    rest = [*tokens[:place], *tokens[place + 1 :]]
    target -= target > place
    return _joined([*rest[:target], "only", *rest[target:]])


def _is_time(token: str) -> bool:
    return token == "weekday" or is_dated(token)  # noqa: S105 (a word)


def _is_where(token: str) -> bool:
    return token in _WHERE or is_dated(token)


def _is_verb(language: Language, tokens: list[str], place: int) -> bool:
    """Return True where `only` stands before a verb, behind a subject or a modal."""
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if place == 0:
        return False
    if tokens[place - 1] in language.passive.modals:
        return following not in language.articles
    before = tokens[place - 1]
    bare = place > 1 and tokens[place - 2] not in language.determiners
    if bare and before in language.verb_bases:
        return False  # she reads only books at night
    return following in language.verb_bases and before not in _WHERE


def _joined(tokens: list[str]) -> list[str]:
    """Return the tokens with `only after` as the one word that stands for it."""
    place = tokens.index("only")
    if tokens[place + 1 : place + 2] == ["after"]:
        return [*tokens[:place], ONLY_AFTER, *tokens[place + 2 :]]
    return tokens
