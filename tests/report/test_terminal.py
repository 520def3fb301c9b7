"""The summary on standard output."""

from __future__ import annotations

import re

from memsleep.report.terminal import LINES_A_KIND, summary_lines
from report.sample import DECISIONS, HOSTILE, empty_report, hostile_report, sample_report


def test_says_what_matters() -> None:
    """The sentence comes first; each part of the night has its lines."""
    lines = summary_lines(sample_report())
    assert lines[0] == (
        "3 memories merged into 3 others, 2 archived, 1 reprieved, 1 spared; 2 pairs need you."
    )
    whole = "\n".join(lines)
    for part in (
        "Dry run: nothing was written.",
        "! 1 file could not be read and was left alone.",
        "- No usage data",
        "Needs you (2)",
        "Merged (3)",
        "  0000004f2c81  areas/db/wal-retention.md <- inbox/2026-02-11-wal.md",
        "Faded a little (2), 1 written to the file",
        "Waiting (2)",
        "Coming up (2)",
        "  inbox/broken.md:3  The front matter",
        "Proposed but not done (1)",
        "nearest: areas/db/osaka-move.md",
        "could mean: a/pump.md, b/pump.md",
        "Remarks on files (1)",
        "3 merged + 2 for review + 18 refused = 23 candidate pairs",
        "  11 numbers differ",
        "Archived tonight: 2 of 2",
    ):
        assert part in whole


def test_a_quiet_night_is_short() -> None:
    """Empty parts are not mentioned."""
    lines = summary_lines(empty_report())
    assert lines[0] == "A quiet night: nothing changed; nothing needs you."
    assert len(lines) == 6


def test_long_lists_are_cut() -> None:
    """More than a dozen of a kind are counted, not listed."""
    many = tuple(DECISIONS[0].model_copy(update={"id": f"{n:012x}"}) for n in range(40))
    lines = summary_lines(sample_report(decisions=many))
    at = lines.index("Merged (40)")
    assert lines[at + LINES_A_KIND].startswith("  00000000000b")
    assert lines[at + LINES_A_KIND + 1] == "  ... and 28 more, see the report"


def test_nothing_drives_the_terminal() -> None:
    """No text of a corpus starts a line of its own or carries a control character."""
    assert "\x1b" in HOSTILE
    for line in summary_lines(hostile_report()):
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202e\u200b]", line)
