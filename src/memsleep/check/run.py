"""One check from a request to its result."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memsleep.check.baseline import EMPTY, Baseline, parse_baseline, read_baseline
from memsleep.check.cache import Cache
from memsleep.check.changes import Compared, compared
from memsleep.check.corpus import CheckedCorpus
from memsleep.check.findings import findings_of, located, remembered
from memsleep.check.gather import Raw, cache_context, gather, read_raw
from memsleep.check.model import PAIRED, Finding
from memsleep.check.places import quoted
from memsleep.check.registry import RULES
from memsleep.check.registry_codes import exists
from memsleep.check.request import CheckRequest, CheckResult
from memsleep.check.sharing import SharingSource
from memsleep.check.suppress import Suppression, nearest_code, parse_rules
from memsleep.corpus.choose import check_root
from memsleep.corpus.globs import first_match
from memsleep.errors import ConfigError, CorpusError
from memsleep.settings import Settings


@dataclass(frozen=True, slots=True)
class Checked:
    """A result together with the corpus it is about, which `--fix` needs."""

    result: CheckResult
    corpus: CheckedCorpus


def check(request: CheckRequest) -> Checked:
    """Check a corpus.

    Raises
    ------
    ConfigError
        `unknown-rule` or `bad-suppression-rule`: the config names what does not exist.
    UsageError, GitError
        See `changes.compared`.
    CorpusError
        `baseline-unreadable`, or `nothing-checked` where no file was looked at.
    """
    check_root(request.corpus)
    suppressions = _checked_rules(request)
    baseline = _baseline(request)
    what = compared(request)
    with contextlib.closing(Cache(request.cache, cache_context(request.settings))) as cache:
        raw = read_raw(what.source, request.settings)
        corpus = gather(raw, request.settings, request.now, cache, request.jobs)
        found = remembered(corpus, raw, request.settings, cache)
        told = findings_of(corpus, suppressions, found)
        remarks: tuple[str, ...] = ()
        if what.base is not None:
            base_raw = read_raw(SharingSource(what.base, raw.files), request.settings)
            before = _known_before(request, base_raw, corpus, suppressions, cache)
            baseline, remarks = _trusted_baseline(request, what, baseline)
            changed = _changed(raw, base_raw)
            new = [_turned(f, changed) for f in told if f.fingerprint not in before]
        else:
            new = told
    checked = _selected_paths(corpus, request.patterns)
    if not checked and not request.allow_empty:
        raise _nothing(request)
    return Checked(_result(request, corpus, what, told, new, baseline, checked, remarks), corpus)


def _result(
    request: CheckRequest,
    corpus: CheckedCorpus,
    what: Compared,
    told: Sequence[Finding],
    new: Sequence[Finding],
    baseline: Baseline | None,
    checked: tuple[str, ...],
    remarks: tuple[str, ...],
) -> CheckResult:
    accepted = baseline or EMPTY
    asked = [f for f in new if _selects(request.patterns, f, corpus)]
    open_ones = [f for f in asked if not f.reason]
    findings = located(corpus, [f for f in open_ones if not accepted.accepts(f)])
    paths = {f.path for f in findings}
    bytes_of = {**corpus.ledgers, **corpus.files}
    return CheckResult(
        findings=tuple(findings),
        suppressed=tuple(located(corpus, [f for f in asked if f.reason])),
        accepted=tuple(f for f in open_ones if accepted.accepts(f)),
        checked=len(checked),
        checked_paths=checked,
        files={path: bytes_of[path] for path in sorted(paths) if path in bytes_of},
        prefix=what.prefix,
        remarks=remarks,
        everything=tuple(f for f in told if not f.reason),
    )


# What a change brings --------------------------------------------------------------------------


def _known_before(
    request: CheckRequest,
    raw: Raw,
    corpus: CheckedCorpus,
    suppressions: tuple[Suppression, ...],
    cache: Cache,
) -> frozenset[str]:
    """Return the fingerprints of the base's findings, less those that it excused."""
    old = gather(raw, request.settings, request.now, cache, request.jobs, like=corpus)
    told = findings_of(old, suppressions, remembered(old, raw, request.settings, cache))
    return frozenset(f.fingerprint for f in told if not f.reason)


def _turned(finding: Finding, changed: frozenset[str]) -> Finding:
    """Return a finding about two memories alike as one of the memory that changed."""
    if finding.code not in PAIRED or finding.path in changed or finding.related not in changed:
        return finding
    message = finding.message.replace(quoted(finding.related), quoted(finding.path))
    return replace(finding, path=finding.related, related=finding.path, message=message)


def _changed(now: Raw, before: Raw) -> frozenset[str]:
    return frozenset(p for p, data in now.files.items() if before.files.get(p) != data)


# Baseline --------------------------------------------------------------------------------------


def _baseline(request: CheckRequest) -> Baseline | None:
    if request.baseline is None:
        return None
    return read_baseline(request.baseline, _shown(request))


def _shown(request: CheckRequest) -> str:
    path = request.baseline
    if path is None:
        return ""
    return (
        str(path.relative_to(request.corpus)) if path.is_relative_to(request.corpus) else str(path)
    )


def _trusted_baseline(
    request: CheckRequest, what: Compared, baseline: Baseline | None
) -> tuple[Baseline | None, tuple[str, ...]]:
    """Return what of the baseline the base held too, and a remark when that is less."""
    path = request.baseline
    if baseline is None or path is None or what.base is None:
        return baseline, ()
    if not path.is_relative_to(request.corpus):
        return baseline, ()
    name = path.relative_to(request.corpus).as_posix()
    what.base.listing()
    found = next((data for _, data in what.base.read_many([name])), None)
    before = parse_baseline(found, f"{name} at the base") if isinstance(found, bytes) else EMPTY
    kept = baseline.shared_with(before)
    added = len(baseline.entries) - len(kept.entries)
    remark = f"{name}: {added} entries are new since the base and accept nothing yet"
    return kept, (remark,) if added else ()


# Selection -------------------------------------------------------------------------------------


def _selects(patterns: Sequence[str], finding: Finding, corpus: CheckedCorpus) -> bool:
    if not patterns:
        return True
    about = (corpus.home(path) for path in (finding.path, finding.related) if path)
    return any(first_match(path, patterns) for path in about)


def _selected_paths(corpus: CheckedCorpus, patterns: Sequence[str]) -> tuple[str, ...]:
    unread = [problem.path for problem in corpus.unread]
    paths = sorted({*(path for path in corpus.facts if path not in corpus.homes), *unread})
    return tuple(path for path in paths if not patterns or first_match(path, patterns))


def _nothing(request: CheckRequest) -> CorpusError:
    asked = f"expected files to check in {request.corpus}, found none"
    if request.patterns:
        asked = f"expected files that match {', '.join(request.patterns)[:200]}, found none"
    return CorpusError(
        "nothing-checked",
        asked,
        context=[str(request.corpus)],
        hint="name the folder that holds the memories (--corpus DIR), or pass --allow-empty",
    )


# Config ----------------------------------------------------------------------------------------


def _checked_rules(request: CheckRequest) -> tuple[Suppression, ...]:
    """Return the suppressions of the config; refuse rules that do not exist."""
    for key, code in _named_codes(request.settings):
        if not exists(code):
            raise _unknown_rule(request, key, f"there is no rule {code!r}", code)

    def refuse(line: str, message: str, nearest: str | None) -> ConfigError:
        if nearest is not None or message.startswith("there is no rule"):
            return _unknown_rule(request, "ignore", message, nearest or "")
        return ConfigError(
            "bad-suppression-rule",
            f"check.ignore: {message}, found {line[:80]!r}",
            context=[request.origins.get("ignore", "config")],
            hint='write the reason, as in "MS201 garden/**: pages that are planned"',
        )

    return parse_rules(request.settings.check.ignore, refuse)


def _named_codes(settings: Settings) -> Iterator[tuple[str, str]]:
    for key in ("errors", "warnings", "notes", "off"):
        yield from ((key, code) for code in getattr(settings.check, key))


def _unknown_rule(request: CheckRequest, key: str, message: str, code: str) -> ConfigError:
    nearest = nearest_code(code) if code else None
    known = f"did you mean {nearest}?" if nearest else "memsleep check --list names the rules"
    return ConfigError(
        "unknown-rule",
        f"check.{key}: {message}",
        context=[request.origins.get(key, "config"), f"rules: {len(RULES)}, from MS101 on"],
        hint=known,
    )
