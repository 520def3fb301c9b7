"""The lexical merge arm: sameness of one-line summaries without embeddings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from memsleep.core.elementary import log
from memsleep.core.scripts import bigrams, runs

MERGE_MIN_WORD_LENGTH: Final = 3
POLARITY_PAIR_THRESHOLD: Final = 0.5
POLARITY_NEGATION_THRESHOLD: Final = 0.7
FUZZY_MERGE_THRESHOLD: Final = 0.74
SOURCE_REFS_CAP: Final = 50

POLARITY_PAIRS: Final = (
    ("prefers", "does not prefer"),
    ("likes", "dislikes"),
    ("wants", "does not want"),
    ("enabled", "disabled"),
)
NEGATION_PHRASES: Final = ("not", "never", "no longer", "avoid")


def _whole(*phrases: str) -> re.Pattern[str]:
    """Return a pattern for the phrases as whole words, the longest first."""
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b", re.ASCII)


_PAIR_PATTERNS: Final = tuple((_whole(one), _whole(other)) for one, other in POLARITY_PAIRS)
_NEGATION: Final = _whole(*NEGATION_PHRASES)
_POLAR: Final = _whole(*(form for pair in POLARITY_PAIRS for form in pair), *NEGATION_PHRASES)

MergeBranch: TypeAlias = Literal["exact", "polarity", "fuzzy", "none"]
MergeWinner: TypeAlias = Literal["existing", "incoming"]


@dataclass(frozen=True, slots=True)
class PolarityConflict:
    """Whether two texts say opposite things about one matter."""

    conflict: bool
    score: float  # Jaccard of the stripped texts, in [0, 1]; 0 if nothing was polar


@dataclass(frozen=True, slots=True)
class MergeSide:
    """A summary with the confidence in it."""

    summary: str
    confidence: float  # in [0, 1]


@dataclass(frozen=True, slots=True)
class MergeVerdict:
    """How two summaries relate."""

    branch: MergeBranch
    score: float  # in [0, 1]
    winner: MergeWinner | None = None  # only for a polarity conflict


@dataclass(frozen=True, slots=True)
class SourceRef:
    """One message that a memory rests on."""

    session_id: str
    seq: int  # number of the message in its session


def tokenize_for_merge(text: str) -> list[str]:
    r"""Return the tokens that sameness is judged by, in text order.

    Parameters
    ----------
    text : str
        A one-line summary in any script.

    Returns
    -------
    list of str
        Words of 3 or more letters and digits; for each run of ideographs, kana,
        hangul or a South-East Asian script its character bigrams, or the single
        character. Lower case, repeats kept.

    Examples
    --------
    >>> tokenize_for_merge("Use pnpm v10 caf\xe9")
    ['use', 'pnpm', 'v10', 'caf\xe9']
    >>> tokenize_for_merge("\u5305\u7ba1\u7406 is")
    ['\u5305\u7ba1', '\u7ba1\u7406']
    """
    tokens: list[str] = []
    for is_unspaced, run in runs(text):
        if is_unspaced:
            tokens += bigrams(run)
        elif len(run) >= MERGE_MIN_WORD_LENGTH:
            tokens.append(run)
    return tokens


def normalize_for_merge(text: str) -> str:
    """Return the merge tokens joined by one space.

    Examples
    --------
    >>> normalize_for_merge("Use  PNPM, always!")
    'use pnpm always'
    """
    return " ".join(tokenize_for_merge(text))


def jaccard(a: Iterable[str], b: Iterable[str]) -> float:
    """Return the Jaccard index of two token lists read as sets; 0 if one is empty.

    Examples
    --------
    >>> jaccard(["a", "b"], ["b", "c", "b"])
    0.3333333333333333
    """
    set_a, set_b = set(a), set(b)
    if not set_a or not set_b:
        return 0.0
    return len(set_a & set_b) / len(set_a | set_b)


def polarity_conflict(a: str, b: str) -> PolarityConflict:
    """Return whether two texts contradict each other.

    Parameters
    ----------
    a, b : str
        The order does not matter.

    Returns
    -------
    PolarityConflict
        A conflict if one text has one form of a polarity pair and the other text
        the other form, and the rest agrees with a Jaccard index of 0.5 or more;
        otherwise if exactly one has a negation phrase and the rest agrees with
        0.7 or more.

    Notes
    -----
    Forms are whole words, with single spaces. Source: spec "Lexical merge arm".

    Examples
    --------
    >>> polarity_conflict("User likes tea", "User dislikes tea")
    PolarityConflict(conflict=True, score=1.0)
    >>> polarity_conflict("User likes tea", "User likes tea")
    PolarityConflict(conflict=False, score=0.0)
    """
    a, b = a.lower(), b.lower()
    opposed = any(
        (one.search(a) and other.search(b)) or (other.search(a) and one.search(b))
        for one, other in _PAIR_PATTERNS
    )
    negated = bool(_NEGATION.search(a)) != bool(_NEGATION.search(b))
    if not opposed and not negated:
        return PolarityConflict(conflict=False, score=0.0)
    score = jaccard(_depolarised(a), _depolarised(b))
    conflict = (opposed and score >= POLARITY_PAIR_THRESHOLD) or (
        negated and score >= POLARITY_NEGATION_THRESHOLD
    )
    return PolarityConflict(conflict=conflict, score=score)


def decide_merge(target: MergeSide, candidate: MergeSide) -> MergeVerdict:
    """Return how an incoming summary relates to an existing one.

    Parameters
    ----------
    target : MergeSide
        The existing one.
    candidate : MergeSide
        The incoming one.

    Returns
    -------
    MergeVerdict
        The first that holds: ``exact`` (equal normal forms, score 1), ``polarity``
        (a conflict; the higher confidence wins, the incoming one on a tie),
        ``fuzzy`` (Jaccard index of 0.74 or more), ``none``. An empty normal form
        equals nothing.

    Examples
    --------
    >>> decide_merge(MergeSide("cache is warm", 0.5), MergeSide("cache is not warm", 0.5))
    MergeVerdict(branch='polarity', score=1.0, winner='incoming')
    """
    tokens = tokenize_for_merge(target.summary)
    other_tokens = tokenize_for_merge(candidate.summary)
    if tokens and tokens == other_tokens:
        return MergeVerdict("exact", 1.0)
    polarity = polarity_conflict(target.summary, candidate.summary)
    if polarity.conflict:
        keeps = target.confidence > candidate.confidence
        return MergeVerdict("polarity", polarity.score, "existing" if keeps else "incoming")
    score = jaccard(tokens, other_tokens)
    return MergeVerdict("fuzzy" if score >= FUZZY_MERGE_THRESHOLD else "none", score)


def utility_score(
    confidence: float, evidence_count: float, usage_count: float, corrected_count: float = 0
) -> float:
    """Return how useful a memory has proved.

    Parameters
    ----------
    confidence : float
        In [0, 1].
    evidence_count : float
        Sightings, >= 0.
    usage_count, corrected_count : float
        Citations, and those that the user put right; the difference counts, at
        least 0.

    Returns
    -------
    float
        confidence * ln(evidence + 1) * (1 + ln(net use + 1)).

    Examples
    --------
    >>> utility_score(1.0, 0, 5), utility_score(0.5, 1, 0) == 0.5 * log(2)
    (0.0, True)
    """
    net_use = max(usage_count - corrected_count, 0)
    return confidence * log(evidence_count + 1) * (1 + log(net_use + 1))


def union_source_refs(
    existing: Iterable[SourceRef],
    incoming: Iterable[SourceRef],
    *,
    cap: int = SOURCE_REFS_CAP,
    keep: Literal["newest", "oldest"] = "newest",
) -> list[SourceRef]:
    """Return the ordered union of two reference lists.

    Parameters
    ----------
    existing, incoming : iterable of SourceRef
        Oldest first; equal references count once, at their first place.
    cap : int, default 50
        How many are kept.
    keep : {"newest", "oldest"}, default "newest"
        Which end is kept when there are more.

    Examples
    --------
    >>> refs = [SourceRef("s", n) for n in (1, 2, 3)]
    >>> [ref.seq for ref in union_source_refs(refs, refs[:1], cap=2)]
    [2, 3]
    """
    union: Sequence[SourceRef] = list(dict.fromkeys([*existing, *incoming]))
    cap = max(cap, 0)
    start = max(len(union) - cap, 0) if keep == "newest" else 0
    return list(union[start : start + cap])


def _depolarised(text: str) -> list[str]:
    """Return the tokens of a lower-case text without polarity and negation words."""
    return tokenize_for_merge(_POLAR.sub(" ", text))
