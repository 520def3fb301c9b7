"""The HTML form: whole, safe, self-contained, the same each time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import turbohtml

from memsleep.report.html import CARDS_UNFOLDED, to_html
from memsleep.report.words import ROWS_SHOWN
from report.sample import (
    DECISIONS,
    REVIEWS,
    WAL,
    empty_report,
    hostile_report,
    sample_report,
)

REPORTS = [sample_report, empty_report, hostile_report]
SECTIONS = ("needs-you", "changed", "waiting", "next", "apart", "corpus", "files", "night")


def page(report: object) -> str:
    return to_html(report).decode()  # type: ignore[arg-type]


def body_text(source: str) -> str:
    """Return the text of the page with white space made even."""
    return " ".join(turbohtml.parse(re.sub("<t[dh]", r" \g<0>", source)).text.split())


def test_every_part_is_there() -> None:
    """Whatever the report holds can be read on the page."""
    text = body_text(page(sample_report()))
    for part in (
        "2 pairs need you",
        "Dry run: nothing was written.",
        "1 file could not be read",
        "No usage data",
        "2 of 2",
        "Which of these is true?",
        "Stays areas/db/wal-retention.md",
        "Goes into it inbox/2026-02-11-wal.md",
        "Raised from 7 days in January",
        "Ask Ines before lowering it",
        "Same claim in other words",
        "similarity 0.961",
        "memsleep undo 2026-03-01-1 0000004f2c81",
        "Archived: its date has passed",
        "Given more time",
        "Faded a little 2",
        "Badge reader",
        "told, not done",
        "15 March 2026 Osaka move freeze",
        "numbers differ",
        "8080 against 8081, similarity 0.972",
        "3 merged + 2 for review + 18 refused = 23 candidate pairs",
        "Databases and backups 34 memories",
        "WAL retention, Backup retention, Osaka move freeze, Replica lag, and 30 more",
        "inbox/broken.md:3",
        "The link stands inside a comment.",
        "areas/db/osaka-mov.md",
        "Expected a date, found 2026-02-30",
        "23 candidates, 61 mined edges",
        "nothing lost: passed",
        "hashgram-512-v1",
        "2 index page, 1 template",
    ):
        assert part in text, part


@pytest.mark.parametrize("make", REPORTS)
def test_sections(make: object) -> None:
    """Each section is there on any night, reachable from the list of sections, named once."""
    source = page(make())  # type: ignore[operator]
    for section in SECTIONS:
        assert source.count(f'id="{section}"') == 1
        assert f'href="#{section}"' in source


@pytest.mark.parametrize("make", REPORTS)
def test_refers_to_nothing_outside(make: object) -> None:
    """No script, no source, no address but the page's own anchors, and each of those exists."""
    tree = turbohtml.parse(page(make()))  # type: ignore[operator]
    ids = {node.attrs["id"] for node in tree.find_all(True) if "id" in node.attrs}
    for node in tree.find_all(True):
        assert node.tag not in {"script", "img", "link", "iframe", "object", "form", "base", "use"}
        for name, value in node.attrs.items():
            assert not name.startswith("on"), (node.tag, name)
            assert name not in {"src", "srcset", "action", "data", "poster", "style"}
            if name in {"href", "aria-labelledby", "aria-describedby"}:
                assert str(value).removeprefix("#") in ids, value
                assert name != "href" or str(value).startswith("#")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert policy in page(make()).replace("&#39;", "'")  # type: ignore[operator]
    assert "url(" not in page(make())  # type: ignore[operator]
    assert "@import" not in page(make())  # type: ignore[operator]


@pytest.mark.parametrize("make", REPORTS)
def test_parses_without_errors(make: object) -> None:
    """The page is what HTML5 says a page is: nothing has to be repaired."""
    assert turbohtml.parse(page(make())).errors == []  # type: ignore[operator]


def test_every_id_is_unique() -> None:
    """No id occurs twice, so that names and anchors mean one thing."""
    ids = re.findall(r'\sid="([^"]*)"', page(sample_report()))
    assert len(ids) == len(set(ids))


def test_hostile_text_stays_text() -> None:
    """Tags, template marks, entities and control characters of a memory are shown, not obeyed."""
    source = page(hostile_report())
    assert "<img" not in source
    assert source.count("</style>") == 1
    assert "1337" not in source
    assert "{{ 7 * 191 }}" in source
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b\ufeff]", source)
    text = body_text(source)
    assert "<b>bold</b>" in text
    assert "&lt;b&gt;" in text
    assert "[U+202E]" in text


def test_differences_are_marked_on_both_sides() -> None:
    """What only the keeper says is inserted text, what only the dropped one says deleted text."""
    source = page(sample_report(decisions=DECISIONS[:1]))
    assert "before the <ins>nightly</ins> prune." in source
    assert "before the prune <del>each night</del>." in source


def test_what_is_the_same_in_both_is_shown_once() -> None:
    """Two bodies that go on alike are folded into one text."""
    body = WAL.body.replace(WAL.gist, "Other claim.")
    twin = WAL.model_copy(update={"path": "twin.md", "gist": "Other claim.", "body": body})
    source = page(sample_report(decisions=(DECISIONS[0].model_copy(update={"dropped": twin}),)))
    assert "The rest, the same in both" in source
    assert source.count("Raised from 7 days in January") == 1


def test_withheld_text_is_not_shown() -> None:
    """A memory that holds a secret is named with the kind of secret, without its text."""
    secret = WAL.model_copy(
        update={"title": "", "gist": "", "body": "", "withheld": "an access key"}
    )
    source = page(sample_report(decisions=(DECISIONS[0].model_copy(update={"keeper": secret}),)))
    assert "The text is withheld: an access key" in source


def test_long_texts_are_cut_and_say_so() -> None:
    """Of a body of 10 MB the page shows the beginning and says how much is left."""
    long = WAL.model_copy(update={"gist": "g", "body": "word " * 2_000_000})
    source = page(sample_report(decisions=(DECISIONS[0].model_copy(update={"dropped": long}),)))
    assert len(source) < 200_000
    assert "more characters in the file." in source


def test_long_groups_are_folded() -> None:
    """A hundred decisions under one heading do not bury the rest of the page."""
    many = tuple(DECISIONS[2].model_copy(update={"id": f"{n:012x}"}) for n in range(100))
    source = page(sample_report(decisions=many))
    assert f"{100 - CARDS_UNFOLDED} more decisions" in source
    assert source.count('<article class="card" ') == 100
    doubts = tuple(REVIEWS[1].model_copy(update={"id": f"{n:012x}"}) for n in range(30))
    source = page(sample_report(reviews=doubts))
    assert f"{30 - CARDS_UNFOLDED} more pairs in doubt" in source
    assert source.count('<article class="card doubt" ') == 30


def test_a_list_of_a_hundred_thousand_ends_after_a_thousand_rows() -> None:
    """The page shows the first of each list, counts all, and says where the rest is."""
    report = sample_report()
    fading = tuple(report.upcoming[:1]) * 100_000
    decayed = tuple(report.decayed[:1]) * 100_000
    many = tuple(DECISIONS[2].model_copy(update={"id": f"{n:012x}"}) for n in range(1001))
    source = page(report.model_copy(update={"upcoming": fading, "decayed": decayed}))
    assert source.count("99,000 more, all of them in report.json.") == 2
    assert len(source) < 1_500_000
    assert "100,000 memories" in source
    cards = page(sample_report(decisions=many))
    assert cards.count("1 more, all of them in report.json.") == 1
    assert cards.count('<article class="card" ') == ROWS_SHOWN
    assert "all of them in report.json" not in page(sample_report(decisions=many[:ROWS_SHOWN]))


def test_same_report_same_bytes() -> None:
    """Two processes with different hash seeds write the same page."""
    root = Path(__file__).resolve().parents[2]
    code = (
        "import sys, hashlib; from report.sample import *;"
        "from memsleep.report.html import to_html; from memsleep.report.json import to_json;"
        "from memsleep.report.markdown import to_markdown;"
        "r = sample_report(); h = hostile_report();"
        "print(hashlib.sha256(b''.join(f(x) for f in (to_html, to_markdown, to_json)"
        " for x in (r, h))).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root / 'tests'}",
            },
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_a_thousand_decisions_take_seconds() -> None:
    """The page of a very busy night is written fast enough to wait for."""
    many = tuple(DECISIONS[0].model_copy(update={"id": f"{n:012x}"}) for n in range(1000))
    assert len(to_html(sample_report(decisions=many))) < 8_000_000
