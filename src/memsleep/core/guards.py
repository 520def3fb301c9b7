"""Guards against a false merge.

Embeddings are weakest exactly where a fact turns: "safe" and "NOT safe", "retry 3"
and "retry 13", "M1" and "M1 Pro" lie closer than two honest tellings of one fact.
A merge keeps the older file, so a blind one folds a correction into the error.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

NEGATION_MARKERS: Final = frozenset(
    (
        *("not", "no", "never", "none", "cannot", "without", "neither", "nor", "avoid"),
        *("disallow", "disallowed", "forbidden", "unsafe", "invalid", "false"),
        *("fail", "fails", "failed", "deny", "denied", "reject", "rejected"),
    )
)
VARIANT_QUALIFIERS: Final = frozenset(
    ("pro", "max", "beta", "alpha", "rc", "preview", "legacy", "deprecated", "experimental")
)
# Applied one after the other as plain substrings, so the order is part of the rule.
CONTRACTIONS: Final = (
    ("isn't", "is not"),
    ("aren't", "are not"),
    ("wasn't", "was not"),
    ("weren't", "were not"),
    ("don't", "do not"),
    ("doesn't", "does not"),
    ("didn't", "did not"),
    ("won't", "will not"),
    ("can't", "can not"),
    ("cannot", "can not"),
    ("couldn't", "could not"),
    ("shouldn't", "should not"),
    ("wouldn't", "would not"),
    ("mustn't", "must not"),
    ("haven't", "have not"),
    ("hasn't", "has not"),
    ("hadn't", "had not"),
    ("n't", " not"),
)
_TOKEN: Final = re.compile(r"[a-z0-9]+(?:\.[0-9]+)*")
_DIGIT: Final = re.compile("[0-9]")

VetoReason: TypeAlias = Literal["negation", "numeric", "variant"]


@dataclass(frozen=True, slots=True)
class MergeText:
    """What the guards read of one memory."""

    gist: str  # the one-line claim
    body: str  # the whole article


def negation_divergent(a: str, b: str) -> bool:
    """Return whether exactly one text holds a negation marker.

    Examples
    --------
    >>> negation_divergent("we can't merge", "we can merge")
    True
    >>> negation_divergent("it never fails", "it is not safe")
    False
    """
    return NEGATION_MARKERS.isdisjoint(_tokens(a)) != NEGATION_MARKERS.isdisjoint(_tokens(b))


def numeric_token_divergent(a: str, b: str) -> bool:
    """Return whether the sets of tokens that contain a digit differ.

    Examples
    --------
    >>> numeric_token_divergent("retry 3 times", "retry 13 times")
    True
    >>> numeric_token_divergent("retry", "try again")
    False
    """
    return _numeric(a) != _numeric(b)


def variant_qualifier_divergent(a: str, b: str) -> bool:
    """Return whether the sets of variant qualifiers differ.

    Examples
    --------
    >>> variant_qualifier_divergent("M1", "M1 Pro")
    True
    >>> variant_qualifier_divergent("profile", "product")
    False
    """
    return VARIANT_QUALIFIERS & _tokens(a) != VARIANT_QUALIFIERS & _tokens(b)


def join_merge_text(text: MergeText) -> str:
    r"""Return gist, newline, body.

    Examples
    --------
    >>> join_merge_text(MergeText("a", "b"))
    'a\nb'
    """
    return f"{text.gist}\n{text.body}"


def merge_veto_reasons(a: MergeText, b: MergeText) -> tuple[VetoReason, ...]:
    """Return why two memories must not merge, in the order negation, numeric, variant.

    Parameters
    ----------
    a, b : MergeText
        The order does not matter.

    Returns
    -------
    tuple of str
        Empty if nothing forbids the merge.

    Notes
    -----
    Numbers are compared over the gists alone: the bodies of two honest tellings
    of one fact differ in citations, dates and ticket ids. Source: spec "Merge".

    Examples
    --------
    >>> merge_veto_reasons(MergeText("port 80", ""), MergeText("not port 81", ""))
    ('negation', 'numeric')
    """
    joined_a, joined_b = join_merge_text(a), join_merge_text(b)
    found: tuple[tuple[VetoReason, bool], ...] = (
        ("negation", negation_divergent(joined_a, joined_b)),
        ("numeric", numeric_token_divergent(a.gist, b.gist)),
        ("variant", variant_qualifier_divergent(joined_a, joined_b)),
    )
    return tuple(reason for reason, diverges in found if diverges)


def merge_vetoed(a: MergeText, b: MergeText) -> bool:
    """Return whether any guard forbids the merge.

    Examples
    --------
    >>> merge_vetoed(MergeText("v2.1", ""), MergeText("v2.10", ""))
    True
    """
    return bool(merge_veto_reasons(a, b))


def _tokens(text: str) -> frozenset[str]:
    """Return the guard tokens: ASCII words and numbers with their dotted tail.

    NFC, not NFKC: a full-width or superscript digit must not become a number.
    """
    normal = unicodedata.normalize("NFC", text).lower()
    for contraction, expansion in CONTRACTIONS:
        normal = normal.replace(contraction, expansion)
    return frozenset(_TOKEN.findall(normal))


def _numeric(text: str) -> frozenset[str]:
    """Return the guard tokens that contain a digit."""
    return frozenset(token for token in _tokens(text) if _DIGIT.search(token))
