"""Laws of the fold over random small corpora of both dialects, written to disk and read again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import phases_kit as kit
from corpus_kit import write
from memsleep.corpus.load import load_corpus
from memsleep.ledger import read_ledger
from memsleep.model import Memory, Snapshot, Standing
from memsleep.night import NightResult
from memsleep.proposals import Merge
from memsleep.settings import CorpusSettings
from truth_kit import lost_links, lost_texts, unlike_on_disk

NAMES = ("a", "b", "n/c", "n/d", "n/a", "m/e e", "m/f")
CLAIMS = (
    "The gateway keeps the old version until three probes were answered.",
    "The gateway keeps the old version until 3 probes were answered",
    "the gateway keeps the old version until three probes were answered.",
    "The gateway keeps the old version until five probes were answered.",
    "The gateway does not keep the old version until three probes were answered.",
    "Copper tape keeps slugs off the salad.",
    "Copper tape keeps slugs off the salad, on a wooden frame.",
)
DETAILS = ("", " Anna said so.", " It takes 5 minutes.", " It takes 9 minutes.", " It is late.")
LISTS = ((), ("x",), ("y", "z"))
DATES = ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")
ENDS = ("", "2026-11-01T00:00:00Z", "2027-01-01T00:00:00Z")
CONFIDENCES = ("", "0.9", "0.76", "0.3")

Row = tuple[str, str, str, str, str, tuple[str, ...], str | None]
ROW = st.tuples(
    st.sampled_from(CLAIMS),
    st.sampled_from(DETAILS),
    st.sampled_from(DATES),
    st.sampled_from(ENDS),
    st.sampled_from(CONFIDENCES),
    st.sampled_from(LISTS),
    st.sampled_from([None, *NAMES]),
)
CORPORA = st.dictionaries(st.sampled_from(NAMES), ROW, min_size=2, max_size=7)


def _html(row: Row) -> str:
    claim, detail, created, until, confidence, tags, target = row
    head = [f'<meta name="memhtml-confidence" content="{confidence}">'] if confidence else []
    head += [f'<meta name="memhtml-valid-until" content="{until}">'] if until else []
    head += [f'<meta name="memhtml-tag" content="{tag}">' for tag in tags]
    place = f"/areas/{target}.html".replace(" ", "%20")
    head += [kit.head_link("supports", place)] if target else []
    anchor = f'\n<a href="{place}#top">there</a>\n' if target else ""
    return kit.html(claim, *head, body=detail + anchor, created=created)


def _markdown(row: Row) -> str:
    claim, detail, created, until, confidence, tags, target = row
    fields = {"type": "semantic", "created": created}
    fields |= {"confidence": confidence} if confidence else {}
    fields |= {"valid_until": until} if until else {}
    fields |= {"tags": f"[{', '.join(tags)}]"} if tags else {}
    place = (target or "").replace(" ", "%20")
    more = f"\n\n[there](/{place}.md#top) and [[{target}|by name]]" if target else ""
    return kit.markdown(claim + detail + more, **fields)


def _files(rows: dict[str, Row], dialect: str) -> dict[str, str]:
    if dialect == "markdown":
        return {f"{name}.md": _markdown(row) for name, row in rows.items()}
    return {f"areas/{name}.html": _html(row) for name, row in rows.items()}


def _seen(path: str) -> Standing:
    return Standing(path, first_seen_at="2026-11-28T03:00:00Z")


def _start(files: dict[str, str]) -> Snapshot:
    return kit.corpus(files, usage={}, standing={path: _seen(path) for path in files})


def _night(files: dict[str, str]) -> NightResult:
    used = kit.settings(budget={"night_share": 0.5, "week_share": 0.5, "month_share": 0.5})
    return kit.night(_start(files), used)


_SLOW = settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@_SLOW
@given(CORPORA, st.sampled_from(["markdown", "memhtml"]))
def test_folding_then_reading_is_writing_then_loading(rows: dict[str, Row], dialect: str) -> None:
    """The snapshot after a night is what is read from the files that the night leaves."""
    result = _night(_files(rows, dialect))
    with tempfile.TemporaryDirectory() as folder:
        root = write(Path(folder), result.end.files)
        assert unlike_on_disk(root, result) == []
        loaded = load_corpus(root, CorpusSettings())
        assert loaded.digest == load_corpus(root, CorpusSettings()).digest
        assert {p: m.digest for p, m in loaded.memories.items()} == {
            p: m.digest for p, m in result.end.memories.items()
        }


@_SLOW
@given(CORPORA, st.sampled_from(["markdown", "memhtml"]))
def test_a_night_loses_nothing(rows: dict[str, Row], dialect: str) -> None:
    """Memories are conserved, links lead where they led or to what replaced it, texts are kept."""
    result = _night(_files(rows, dialect))
    assert len(result.end.memories) == len(result.start.memories)
    assert lost_links(result) == []
    assert lost_texts(result) == []
    ledger = result.end.files.get("archive/2026/ledger.jsonl", b"")
    entries = {entry.path: entry.to for entry in read_ledger(ledger, "ledger.jsonl")}
    assert entries == dict(result.moves)


@_SLOW
@given(CORPORA, st.sampled_from(["markdown", "memhtml"]))
def test_an_archived_file_is_its_original_but_for_stamps(
    rows: dict[str, Row], dialect: str
) -> None:
    """Without stamps and links, an archived file has the bytes it had."""
    result = _night(_files(rows, dialect))
    edited = {item.proposal.keeper for item in result.applied if isinstance(item.proposal, Merge)}
    for old in result.moves.keys() - edited:
        new = result.moves[old]
        assert _unstamped(result.end.files[new]) == _unstamped(result.start.files[old])


def _unstamped(source: bytes) -> list[bytes]:
    """Return the lines without stamps, and without links: they had followed what left before."""
    words = (b"archived", b"superseded", b"status", b"there", b"supports")
    return [line for line in source.split(b"\n") if not any(word in line for word in words)]


@_SLOW
@given(CORPORA, st.sampled_from(["markdown", "memhtml"]))
def test_a_second_night_at_the_same_instant_edits_nothing(
    rows: dict[str, Row], dialect: str
) -> None:
    """On its own result, with what the state knows by then, a night has nothing to edit."""
    result = _night(_files(rows, dialect))
    assert kit.night(_next(result)).decisions == ()


def _next(result: NightResult) -> Snapshot:
    """Return the same night's start once the first one has landed, embedded anew."""
    end = result.end
    entries = read_ledger(end.files.get("archive/2026/ledger.jsonl", b""), "ledger.jsonl")
    active: list[Memory] = end.active()
    return kit.snapshot(
        end.memories.values(),
        files=end.files,
        references=end.references,
        taken=end.taken,
        usage=end.usage,
        standing={path: (end.standing or {}).get(path, _seen(path)) for path in end.memories},
        vectors=kit.embedded(active),
        floors=end.floors,
        past_archives=tuple(e.when for e in entries if e.cause != "merged"),
        past_merges=tuple(e.when for e in entries if e.cause == "merged"),
    )


@_SLOW
@given(CORPORA, st.sampled_from(["markdown", "memhtml"]))
def test_the_same_corpus_gives_the_same_night(rows: dict[str, Row], dialect: str) -> None:
    """The order in which files are listed has no say."""
    files = _files(rows, dialect)
    turned = dict(reversed(list(files.items())))
    assert _night(files).end.files == _night(turned).end.files
