"""The gate in words and as JSON values: paths and figures, never the text of a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memsleep.errors import MemsleepError
from memsleep.gate.values import DEPTH, GateResult, Inversion, Lost, Quality

MAX_NAMED = 20
Decisions = Mapping[str, Sequence[str]]
"""Path of a memory -> ids of the decisions about it."""


class GateRefusedError(MemsleepError):
    """The corpus would answer worse: exit 5."""

    exit_code = 5


def refusal(result: GateResult, what: str, decisions: Decisions, hint: str) -> GateRefusedError:
    """Return the error that names each broken floor and the facts that broke it."""
    broken = [f"broken: {floor}" for floor, is_broken in result.floors() if is_broken]
    named = _named(result, decisions)
    more = len(named) - MAX_NAMED
    return GateRefusedError(
        "gate-refused",
        f"{what} would make the corpus answer worse",
        context=[
            *broken,
            *named[:MAX_NAMED],
            *([f"and {more} more"] if more > 0 else []),
            "nothing was changed",
        ],
        hint=hint,
    )


def headline(result: GateResult) -> str:
    """Return the whole finding in one sentence."""
    if result.passed:
        return (
            f"{result.touched} touched facts, {result.details} of their sentences and a sample of "
            f"{result.sample_after.questions} are found as well as before"
        )
    broken = [floor for floor, is_broken in result.floors() if is_broken]
    return (
        f"{_count(len(result.lost), 'fact')} lost, "
        f"{_count(len(result.inversions), 'twin')} on top; "
        f"broken: {', '.join(broken)}"
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def lines(result: GateResult) -> list[str]:
    """Return the finding for a terminal."""
    told = [
        f"gate: {'passed' if result.passed else 'REFUSED'}: {headline(result)}",
        f"  active memories before: {result.memories}",
        f"  touched: {result.touched}, with {result.details} more sentences",
        f"  went to the archive: {result.exempt}",
        _quality("  touched facts", result.touched_before, result.touched_after),
        _quality("  sample of the rest", result.sample_before, result.sample_after),
        f"  twins compared: {result.twins}",
    ]
    if result.degraded:
        told.append(f"  degraded: {result.degraded}: questions were asked by words only")
    told += [f"  {'BROKEN' if broken else 'held'}: {floor}" for floor, broken in result.floors()]
    return told + [f"  {line}" for line in _named(result, {})]


def _quality(what: str, before: Quality, after: Quality) -> str:
    return (
        f"{what} ({before.questions}): recall@{DEPTH} {before.recall:.3f} -> {after.recall:.3f}, "
        f"MRR {before.mrr:.3f} -> {after.mrr:.3f}"
    )


def _named(result: GateResult, decisions: Decisions) -> list[str]:
    return [_lost(item, decisions) for item in result.lost] + [
        _inversion(item, decisions) for item in result.inversions
    ]


def _lost(item: Lost, decisions: Decisions) -> str:
    part = f", sentence {item.sentence}" if item.sentence else ""
    where = f" in {item.target}" if item.target and item.target != item.path else ""
    return f"lost: {item.path}{part}: {item.reason}{where}{_ids(item.path, decisions)}"


def _inversion(item: Inversion, decisions: Decisions) -> str:
    twin = item.twin or f"a twin of other {item.flipped}"
    return f"inverted: {item.path}: {twin} stands above it{_ids(item.path, decisions)}"


def _ids(path: str, decisions: Decisions) -> str:
    ids = decisions.get(path, ())
    return f"  [{', '.join(ids)}]" if ids else ""


def as_document(result: GateResult) -> dict[str, object]:
    """Return the finding as JSON values."""
    return {
        "schema_version": 1,
        "passed": result.passed,
        "floors": [{"floor": floor, "held": not broken} for floor, broken in result.floors()],
        "memories": result.memories,
        "touched": {
            "facts": result.touched,
            "sentences": result.details,
            "archived": result.exempt,
            "before": _values(result.touched_before),
            "after": _values(result.touched_after),
        },
        "sample": {"before": _values(result.sample_before), "after": _values(result.sample_after)},
        "twins": result.twins,
        "degraded": result.degraded,
        "lost": [
            {"path": x.path, "sentence": x.sentence, "target": x.target, "reason": x.reason}
            for x in result.lost
        ],
        "inversions": [
            {"path": x.path, "twin": x.twin, "flipped": x.flipped} for x in result.inversions
        ],
    }


def _values(found: Quality) -> dict[str, float | int]:
    return {
        "questions": found.questions,
        f"recall_at_{DEPTH}": round(found.recall, 6),
        "mrr": round(found.mrr, 6),
    }
