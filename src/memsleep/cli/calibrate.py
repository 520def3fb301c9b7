"""`memsleep calibrate`: measure guards on labelled pairs, and floors on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.opening import bytes_of
from memsleep.cli.paths import check_corpus
from memsleep.cli.settings import load, option_layer
from memsleep.cli.streams import printable, write_json, write_remarks, write_text
from memsleep.errors import UsageError

if TYPE_CHECKING:
    from memsleep.calibrate.distribution import Distribution
    from memsleep.calibrate.judging import JudgedPair
    from memsleep.calibrate.totals import Row, Share, Totals
    from memsleep.embedders.base import TextEmbedder
    from memsleep.settings import Settings

Corpus = Annotated[
    Path | None,
    typer.Argument(
        metavar="CORPUS",
        help="Folder of memories whose similarities to look at.",
        show_default="here, without --pairs",
        parser=opt.given_path,
    ),
]
Pairs = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        metavar="FILE",
        help="JSON Lines with text_a, text_b and maybe label and kind; - is standard input.",
        parser=opt.given_path,
    ),
]
TotalsOnly = Annotated[bool, typer.Option("--totals", help="Only the totals, not each pair.")]


def calibrate(
    corpus: Corpus = None,
    pairs: Pairs = None,
    totals: TotalsOnly = False,
    now: opt.Now = None,
    profile: opt.Profile = None,
    config: opt.Config = None,
    embedder: opt.Embedder = None,
    vectors: opt.Vectors = None,
    as_json: opt.Json = False,
) -> int:
    """Measure the guards on pairs of texts, or floors for a corpus.

    For each pair: similarity, lexical verdict, guards, and whether it would merge, be reviewed or
    be refused. For a corpus: how near its memories lie, and which floors that suggests.
    """
    root = Path() if corpus is None else corpus
    check_corpus(root)
    layer = option_layer(profile=profile, embedder=embedder, vectors=vectors)
    settings = load(root, config, layer).settings
    told: dict[str, Any] = {}
    code = 0
    if pairs is not None:
        code = _measure_pairs(pairs, settings, told, as_json=as_json, only_totals=totals)
    if corpus is not None or pairs is None:
        _measure_corpus(root, settings, instant_of(now), told, as_json=as_json)
    if as_json:
        from memsleep.documents import document

        write_json(document(None, **told))
    return code


def _measure_pairs(
    file: Path, settings: Settings, told: dict[str, Any], *, as_json: bool, only_totals: bool
) -> int:
    """Tell of each pair and of all; return 1 where a line was no pair."""
    from memsleep.calibrate.judging import judged
    from memsleep.calibrate.pairs import read_pairs
    from memsleep.calibrate.totals import totals_of
    from memsleep.documents import plain

    found, bad = read_pairs(bytes_of(file))
    write_remarks(f"{file}:{line.line}: skipped: {line.message}" for line in bad)
    if not found:
        raise UsageError(
            "no-pairs",
            f"expected a line with text_a and text_b in {str(file)!r}, found none",
            hint='give lines such as {"text_a": "...", "text_b": "...", "label": "same"}',
        )
    results = list(judged(found, settings, _text_embedder(settings)))
    counts = totals_of(results)
    if as_json:
        told["bad_lines"] = plain(bad)
        if not only_totals:
            told["pairs"] = plain(results)
        told["totals"] = plain(counts)
    else:
        lines = [] if only_totals else [_pair_line(result) for result in results]
        write_text("".join(f"{printable(line)}\n" for line in [*lines, *_total_lines(counts)]))
    return 1 if bad else 0


def _text_embedder(settings: Settings) -> TextEmbedder | None:
    """Return the configured embedder, or None where it has no vector for a new text."""
    from memsleep.embedders.base import StoredVectors
    from memsleep.embedders.choose import embedder_named

    if settings.embedder.name == "file":
        return None
    found = embedder_named(settings.embedder.name)
    return None if isinstance(found, StoredVectors) else found


def _measure_corpus(
    root: Path, settings: Settings, now: str, told: dict[str, Any], *, as_json: bool
) -> None:
    from memsleep.calibrate.distribution import distribution_of
    from memsleep.documents import plain
    from memsleep.night.prepare import prepare
    from memsleep.request import RunRequest
    from memsleep.scratch import scratch_folder

    request = RunRequest(corpus=root, settings=settings, now=now)
    with scratch_folder(root) as scratch:
        snapshot = prepare(request, scratch).snapshot
        found = distribution_of(snapshot, _text_embedder(settings))
    if as_json:
        told["corpus"] = plain(found)
    else:
        write_text("".join(f"{line}\n" for line in _distribution_lines(found)))


def _pair_line(result: JudgedPair) -> str:
    near = "-" if result.similarity is None else f"{result.similarity:.3f}"
    guards = ",".join(result.guards) or result.cause or "-"
    label = " ".join(filter(None, (result.label, result.kind)))
    return (
        f"{result.line:>6}  {result.outcome:<6}  {near:>6}  {result.lexical:<8}  {guards}  {label}"
    )


def _total_lines(totals: Totals) -> list[str]:
    lines = [f"{totals.pairs} pairs", _row_line("label", "kind", "pairs", "merge [95 %]")]
    lines += [_counts(row, "all") for row in totals.by_label]
    if any(row.kind for row in totals.by_kind):
        lines += [_counts(row, row.kind or "-") for row in totals.by_kind]
    lines.append(f"must not merge, and merge: {_told(totals.wrong)}")
    lines.append(f"precision {_told(totals.precision)}, recall {_told(totals.recall)}")
    return lines


def _counts(row: Row, kind: str) -> str:
    shares = f"{_told(row.merge)}  review {row.review.count}  refuse {row.refuse.count}"
    return _row_line(row.label or "-", kind, str(row.pairs), shares)


def _row_line(label: str, kind: str, pairs: str, shares: str) -> str:
    return f"{label:<12}  {kind:<20}  {pairs:>6}  {shares}"


def _told(share: Share) -> str:
    if share.share is None or share.low is None or share.high is None:
        return "- (0 of 0)"
    interval = f"[{share.low:.2%}, {share.high:.2%}]"
    return f"{share.share:.2%} {interval} ({share.count} of {share.of})"


def _distribution_lines(found: Distribution) -> list[str]:
    lines = [f"{found.memories} memories, vectors of {found.embedder}"]
    for name, numbers in (
        ("two memories", found.pairs),
        ("nearest neighbour", found.nearest),
        ("every eighth word gone", found.reworded),
    ):
        told = "  ".join(f"{number:.3f}" for number in numbers) or "-"
        lines.append(f"{name:<24}  {told}")
    lines.append("(least, 5 %, median, 95 %, greatest cosine)")
    if found.duplicate_floor is None or found.mined_floor is None:
        return [*lines, "too few memories to suggest a floor"]
    lines.append(f"pairing.duplicate_floor = {found.duplicate_floor}")
    return [*lines, f"pairing.mined_floor = {found.mined_floor}"]
