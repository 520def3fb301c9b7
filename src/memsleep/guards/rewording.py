"""Endings, denying prefixes and genitives that explain a difference of words."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_adverb
from memsleep.guards.claims import Claim, Form
from memsleep.guards.inflection import gerund_of
from memsleep.guards.language import Language
from memsleep.guards.tokens import MARK
from memsleep.guards.typography import plain_typography

MOST_REWORDED = 4
"""Words of either claim that the other lacks, above which no rule of the ending is tried."""


def is_reworded(a: Claim, b: Claim) -> bool:
    """Return True when an ending, a denying prefix or a genitive explains all that differs.

    It is the same from either side.
    """
    if not a.language.by_rule:
        return False
    mine = a.words - b.words
    if len(mine) > MOST_REWORDED:
        return False
    theirs = b.words - a.words
    if len(theirs) > MOST_REWORDED or not (mine or theirs):
        return False
    return _explains(a, b, mine, theirs) or _explains(b, a, theirs, mine)


def _explains(a: Claim, b: Claim, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    if len(mine) == len(theirs) and len(a.form) == len(b.form):
        for x, y in zip(a.form, b.form, strict=True):
            if x != y and not _is_gerund(x, y, a.language):
                return False
        return True
    if "of" in mine and _is_genitive(a, b):
        return True
    # Without such a prefix what comes out is the claim as it is, or nothing.
    denies = not b.form or any(word.startswith(_DENYING) for word in mine)
    return denies and _denied(a, b, mine) == b.form


def _is_gerund(word: str, verb: str, language: Language) -> bool:
    """Return True for the -ing form of a verb that is no noun of its own."""
    if len(verb) < 3 or not word.endswith("ing"):
        return False
    if gerund_of(verb) != word or word in language.nouns:
        return False
    return verb not in language.classes


def _denied(a: Claim, b: Claim, mine: frozenset[str]) -> Form:
    """Return a claim whose words with a denying prefix are `not` and the rest; none in pairs."""
    silent, result, before = a.language.silent, list[str](), ""
    for token in a.marked:
        if token == MARK or token in silent:
            before = token
            continue
        base = _denied_by(token, before, a.language) if token in mine else ""
        if base and base in b.words:
            if result[-1:] == ["not"]:
                result[-1] = base
            else:
                result += ["not", base]
        else:
            result.append(token)
        if not is_adverb(token) or token in mine:
            before = token
    return tuple(result)


def _denied_by(token: str, before: str, language: Language) -> str:
    """Return what a word with a denying prefix denies, empty where it may say another thing.

    Behind a form of `be` it is an adjective, and few of those are no denials. A verb with the
    same letters in front rather turns back what was done (uninstall) or denies nothing (import).
    """
    if token in language.not_denials:
        return ""
    prefix = next((p for p in _DENYING if token.startswith(p)), "")
    base = token[len(prefix) :]
    if len(base) <= 3 or not prefix or base in language.turned_back:
        return ""
    if prefix == "dis" and base in language.denied_verbs:
        return base
    if prefix in ("un", "non"):
        adjective = before in language.passive.be or base.endswith(_ADJECTIVES)
        return base if adjective else ""
    verbal = base.endswith(("ed", "ing")) or base in language.known_verbs
    return base if before in language.passive.be and not verbal else ""


_DENYING = ("un", "non", "in", "im", "ir", "il", "dis")
_ADJECTIVES = ("ed", "able", "ible", "ful", "ent", "ant", "ive", "al", "ic", "ous", "y", "en")


def _is_genitive(a: Claim, b: Claim) -> bool:
    """Return True when `the lid of the pot` in the one is `the pot's lid` in the other."""
    if not a.language.two_way.isdisjoint(a.form):
        return False
    if (
        "'" in plain_typography(a.text)
        or "'" not in plain_typography(b.text)
        or a.words - b.words != {"of"}
        or b.words - a.words
    ):
        return False
    form = a.form
    bare = tuple(token for token in a.marked if token not in a.language.articles)
    for place in (i for i, token in enumerate(form) if token == "of"):  # noqa: S105 (a word)
        for left in range(1, min(place, 3) + 1):
            for right in range(1, min(len(form) - place - 1, 3) + 1):
                start, stop = place - left, place + 1 + right
                turned = form[place + 1 : stop] + form[start:place]
                if not _holds(bare, form[start:stop]):
                    continue  # Ben is the helper of Ida
                if form[:start] + turned + form[stop:] == b.form:
                    return True
    return False


def _holds(words: Form, run: Form) -> bool:
    return any(words[i : i + len(run)] == run for i in range(len(words) - len(run) + 1))
