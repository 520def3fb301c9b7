"""From what rules found to findings: severities, places, suppressions, fingerprints, order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from memsleep.check.cache import Cache
from memsleep.check.corpus import CheckedCorpus
from memsleep.check.gather import Raw
from memsleep.check.model import Finding, Found, Severity, fingerprints
from memsleep.check.places import LineIndex
from memsleep.check.registry import RULES
from memsleep.check.rules import duplicates, ids, links, names, time
from memsleep.check.suppress import Suppression
from memsleep.check.view import Span
from memsleep.settings import CheckSettings, Settings

CorpusRule = Callable[[CheckedCorpus], Iterator[tuple[str, Found]]]


def _in_files(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
    for path, facts in corpus.facts.items():
        yield from ((path, one) for one in facts.found)


LASTING: tuple[CorpusRule, ...] = (
    _in_files,
    names.find_in_corpus,
    ids.find_in_corpus,
    links.find_in_corpus,
    duplicates.find_in_corpus,
)
"""Rules whose answer depends on the corpus alone."""
TIMED: tuple[CorpusRule, ...] = (time.find_in_corpus,)
"""Rules that the instant of the check changes. No code is found by rules of both kinds."""


def everything_found(corpus: CheckedCorpus, rules: Sequence[CorpusRule]) -> list[tuple[str, Found]]:
    """Ask rules; what they found in the order of path, place and code."""
    return in_order(item for rule in rules for item in rule(corpus))


def in_order(found: Iterable[tuple[str, Found]]) -> list[tuple[str, Found]]:
    """Return what was found in the order of path, place and code."""
    return sorted(found, key=lambda item: (item[0], item[1].start, item[1].end, *item[1]))


def severities(settings: CheckSettings) -> Mapping[str, Severity | None]:
    """Return code -> severity, None for a rule that is off; the longer name counts."""
    named: dict[str, Severity | None] = {}
    lists: tuple[tuple[tuple[str, ...], Severity | None], ...] = (
        (settings.errors, "error"),
        (settings.warnings, "warning"),
        (settings.notes, "note"),
        (settings.off, None),
    )
    for codes, severity in lists:
        named.update(dict.fromkeys(codes, severity))
    return {
        code: named.get(code, named.get(code[:3], rule.severity)) for code, rule in RULES.items()
    }


def remembered(
    corpus: CheckedCorpus, raw: Raw, settings: Settings, cache: Cache
) -> list[tuple[str, Found]]:
    """Return what all rules find. What does not depend on the instant is looked up if it is known.

    The same bytes, names and settings have the same lasting findings, so a second check of a
    commit, or of a base, asks the rules about time alone.
    """
    key = digest_of(raw, settings)
    blob = cache.read("found", [key]).get(key)
    lasting = None if blob is None else _from_json(blob)
    if lasting is None:
        lasting = everything_found(corpus, LASTING)
        cache.keep("found", {key: json.dumps(lasting, separators=(",", ":")).encode()})
    return in_order([*lasting, *everything_found(corpus, TIMED)])


def digest_of(raw: Raw, settings: Settings) -> str:
    """Return the digest of all that lasting findings depend on besides the cache's context."""
    whole = hashlib.sha256(settings.model_dump_json().encode())
    names = (*sorted(raw.listing.taken), *(str(p) for p in (*raw.unread, *raw.listing.problems)))
    whole.update("\0".join(names).encode("utf-8", "surrogatepass"))
    for path, source in (*raw.files.items(), *raw.ledgers.items()):
        whole.update(f"\0{path}\0{len(source)}\0".encode("utf-8", "surrogatepass"))
        whole.update(source)
    return whole.hexdigest()[:40]


def _from_json(blob: bytes) -> list[tuple[str, Found]] | None:
    try:
        return [(path, Found(*one)) for path, one in json.loads(blob)]
    except (ValueError, TypeError, RecursionError):
        return None


def findings_of(
    corpus: CheckedCorpus,
    suppressions: tuple[Suppression, ...],
    found: Sequence[tuple[str, Found]],
) -> list[Finding]:
    """Return every finding, suppressed ones with their reason; see `located` for their places."""
    grave = severities(corpus.settings.check)
    told = []
    for (path, one), fingerprint in zip(found, fingerprints(found), strict=True):
        severity = grave[one.code]
        if severity is None and not one.unreadable:
            continue
        rule = RULES[one.code]
        finding = Finding(
            one.code,
            rule.name,
            "error" if one.unreadable or severity is None else severity,
            path,
            None,
            one.message,
            one.related,
            fingerprint,
            rule.fixable,
            one.unreadable,
            found=one,
        )
        told.append(_suppressed(corpus, finding, suppressions))
    return told


def located(corpus: CheckedCorpus, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with their places, in the order in which they are told."""
    indexes: dict[str, LineIndex] = {}
    found = [_located(corpus, finding, indexes) for finding in findings]
    return sorted(found, key=lambda finding: finding.order)


def _located(corpus: CheckedCorpus, finding: Finding, indexes: dict[str, LineIndex]) -> Finding:
    path = finding.path
    if finding.found is None:
        return finding
    start, end = corpus.span_of(path, finding.found)
    if path in corpus.homes:
        return _at_home(corpus, finding, (max(start, 0), max(end, 0)), indexes)
    source = corpus.files.get(path, corpus.ledgers.get(path))
    if start < 0 or source is None:
        return finding
    index = indexes.get(path) or indexes.setdefault(path, LineIndex(source))
    return replace(finding, place=index.place(start, end))


def _at_home(
    corpus: CheckedCorpus, finding: Finding, span: Span, indexes: dict[str, LineIndex]
) -> Finding:
    """Return a finding about an entry at its place in the file of all entries."""
    path, first = corpus.homes[finding.path]
    index = indexes.get(path) or indexes.setdefault(path, LineIndex(corpus.files[path]))
    place = index.place(span[0] + first, span[1] + first)
    return replace(finding, path=path, place=place, entry=finding.path)


def _suppressed(
    corpus: CheckedCorpus, finding: Finding, suppressions: tuple[Suppression, ...]
) -> Finding:
    reason = next(_reasons(corpus, finding, suppressions), "")
    return replace(finding, reason=reason) if reason else finding


def _line_of(corpus: CheckedCorpus, finding: Finding) -> int:
    """Return the line of a finding in its own file or entry, as a suppression there counts."""
    if finding.found is None or finding.path not in corpus.files:
        return 1
    start, _ = corpus.span_of(finding.path, finding.found)
    return LineIndex(corpus.files[finding.path]).line(max(start, 0))


def _reasons(
    corpus: CheckedCorpus, finding: Finding, suppressions: tuple[Suppression, ...]
) -> Iterator[str]:
    facts = corpus.facts.get(finding.path)
    ignores = facts.ignores if facts is not None else ()
    if ignores and finding.code != "MS115":  # a suppression cannot excuse itself
        line = _line_of(corpus, finding)
        yield from (one.reason for one in ignores if one.covers(finding.code, line))
    for suppression in suppressions:
        if suppression.covers(finding.code, corpus.home(finding.path)):
            yield suppression.reason
