"""Pairs made by rules: each alters what it says, and refuses what is unsure."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture(scope="module")
def rules():
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield importlib.import_module("pair_rules")
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def reader(rules):
    return importlib.import_module("rule_pairs")


CHANGED = [
    ("flip_negation", "The pump is old.", "The pump is not old."),
    ("flip_negation", "The pump is not old.", "The pump is old."),
    ("flip_negation", "It isn't used by the wiki.", "It is used by the wiki."),
    ("flip_negation", "They do not pay rent.", "They do pay rent."),
    ("flip_negation", "It has been moved to Oslo.", "It has been not moved to Oslo."),
    ("change_number", "Port 8080 is open.", "Port 8081 is open."),
    ("change_number", "It costs 1,299 a year.", "It costs 1,298 a year."),
    ("change_number_word", "It has three parts in all.", "It has four parts in all."),
    ("change_number_word", "It takes twelve weeks.", "It takes eleven weeks."),
    ("change_unit", "Wait for 30 minutes.", "Wait for 30 hours."),
    ("change_unit", "Up to 5 TB of data.", "Up to 5 KB of data."),
    ("swap_names", "Then Anna sent the file to Boris.", "Then Boris sent the file to Anna."),
    ("swap_names", "So New York wrote back to Oslo.", "So Oslo wrote back to New York."),
    ("put_opposite", "Call it before the merge.", "Call it after the merge."),
    ("put_opposite", "It is an unsafe call.", "It is a safe call."),
    ("change_quantifier", "It reads all files there.", "It reads some files there."),
    ("change_quantifier", "At night at least two run.", "At night at most two run."),
    ("lower_case", "The Old Pump is in Oslo.", "the old pump is in oslo."),
    ("drop_punctuation", "Stop it; then wait.", "Stop it, then wait"),
    ("add_markup", "The compressor is old.", "- The **compressor** is old."),
    ("contract", "It is not used.", "It isn't used."),
    ("contract", "They don't pay rent.", "They do not pay rent."),
    ("respell_number", "It has three parts.", "It has 3 parts."),
    ("respell_number", "It has 11 parts.", "It has eleven parts."),
    ("respell_number", "It costs 12,500 a year.", "It costs 12500 a year."),
    ("rewrite_date", "It began on 2024-03-05.", "It began on 5 March 2024."),
    ("rewrite_date", "It began on 5 March 2024.", "It began on March 5, 2024."),
    ("rewrite_date", "It began on March 5, 2024.", "It began on 2024-03-05."),
    ("set_type", 'It\'s the "old" pump - so far...', "It’s the “old” pump – so far…"),
    ("add_filler", "The pump is old.", "Note that the pump is old."),
    ("respell", "The color of the pump.", "The colour of the pump."),
    ("deny_verb", "The pump uses a valve.", "The pump does not use a valve."),
    ("deny_verb", "The rule applies to all.", "The rule does not apply to all."),
    ("put_past", "The pump is a loan.", "The pump was a loan."),
    ("change_modal", "Guests must be quiet.", "Guests may be quiet."),
    ("change_name", "It runs on Linux at night.", "It runs on Windows at night."),
    ("shift_year", "It was built in 1999.", "It was built in 2000."),
    ("turn_place", "Rinse it after use.", "Rinse it before use."),
    ("turn_place", "It takes up to 5 litres.", "It takes more than 5 litres."),
    ("change_amount", "It is usually shut.", "It is rarely shut."),
    ("turn_word", "It is a good idea.", "It is a bad idea."),
    ("turn_word", "It is a big, new pump.", "It is a small, new pump."),
    ("turn_word", "Use a static name.", "Use a dynamic name."),
    ("swap_nouns", "Here the pump calls the valve.", "Here the valve calls the pump."),
    ("one_or_other", "It has salt and water.", "It has salt or water."),
    ("drop_member", "Bring salt, oil and water.", "Bring salt and water."),
    ("drop_one", "The salt and water are here.", "The salt are here."),
    ("add_hedge", "The pump is old.", "It is not certain that the pump is old."),
    ("put_perhaps", "The pump is a loan.", "The pump is probably a loan."),
    ("add_condition", "The pump is old.", "The pump is old unless the cache is cold."),
    ("narrow", "All pumps are old.", "All oldest pumps are old."),
    ("add_only", "The pump uses a valve.", "The pump only uses a valve."),
    ("change_owner", "Shut your pump.", "Shut their pump."),
    ("end_it", "The pump is used here.", "The pump is no longer used here."),
    ("add_digit", "It has 12 valves.", "It has 120 valves."),
    ("move_adjunct", "In the last year, the pump ran well.", "The pump ran well in the last year."),
    ("reorder", "We sell pumps, valves and taps.", "We sell taps, pumps and valves."),
    ("oxford", "Bring salt, oil, and water.", "Bring salt, oil and water."),
    ("abbreviate", "Salt, for example, melts.", "Salt, e.g., melts."),
    ("abbreviate", "It lost 5 percent.", "It lost 5%."),
    ("write_unit", "It has 64 KB of it.", "It has 64 kilobytes of it."),
    ("write_ordinal", "See the first part of it.", "See the 1st part of it."),
    ("double_space", "The old pump runs.", "The old\n  pump runs."),
    ("quote_it", "The pump is old.", "> *The pump is old.*"),
    ("other_word", "We attempt it.", "We try it."),
    ("shout", "The pump is old.", "THE PUMP IS OLD."),
]
LEFT = [
    ("flip_negation", "Tell me whether it is old."),
    ("flip_negation", "It is only for guests."),
    ("flip_negation", "It is not only for guests."),
    ("flip_negation", "The pump runs at night."),
    ("change_number", "See v1.2/3 and RFC-2119 and a4."),
    ("change_number_word", "One of the two has left."),
    ("change_unit", "It is 0 days old."),
    ("change_unit", "It took 30 minutes-long breaks."),
    ("swap_names", "Then Anna and Boris left for home."),
    ("swap_names", "The match between Anna from Lund and Boris."),
    ("swap_names", "So Anna is the same as Boris."),
    ("swap_names", "Then Anna left. Then Boris."),
    ("swap_names", "It was May when the I was cut."),
    ("put_opposite", "Enable or disable: enabled is not disabled."),
    ("put_opposite", "It won't start."),
    ("change_quantifier", "It is not at all as bad."),
    ("change_quantifier", "With all its faults it works."),
    ("lower_case", "Use the API of the pump."),
    ("lower_case", "Use 5 pumps."),
    ("drop_punctuation", "No stop here"),
    ("contract", "It was used."),
    ("respell_number", "See Figure 3 on page 11."),
    ("rewrite_date", "It began on 2024-13-05."),
    ("rewrite_date", "It began in March 2024."),
    ("set_type", "A plain line."),
    ("add_filler", "Anna has left."),
    ("respell", "A plain line."),
    ("deny_verb", "This is what it uses for that."),
    ("put_past", "The pump is old."),
    ("change_modal", "It must, or it may not."),
    ("change_modal", "It must be so, but may be late."),
    ("change_name", "See the Linux-like page."),
    ("change_name", "It runs on Linux and Windows."),
    ("shift_year", "Built in 1999 and in 2000."),
    ("turn_place", "The pump is old."),
    ("change_amount", "The pump is old."),
    ("turn_word", "From left to right."),
    ("swap_nouns", "The pump calls the pump."),
    ("one_or_other", "Anna and Boris."),
    ("drop_member", "Bring salt and water."),
    ("drop_one", "The salt and also water are here."),
    ("add_hedge", "Anna has left."),
    ("put_perhaps", "The pump is old."),
    ("add_condition", "The pump stops if it is old."),
    ("narrow", "The old pump is here."),
    ("add_only", "The pump only uses a valve."),
    ("change_owner", "The pump is old."),
    ("end_it", "The pump is old."),
    ("add_digit", "See v1.2/3 and a4."),
    ("move_adjunct", "If it is old, the pump stops."),
    ("move_adjunct", "In a year, the pump stops and the valve leaks."),
    ("reorder", "In this order: pumps, valves and taps."),
    ("oxford", "Bring salt and water."),
    ("abbreviate", "The pump is old."),
    ("write_unit", "It has 1 KB of it."),
    ("write_ordinal", "He came first."),
    ("quote_it", "The *old* pump."),
    ("other_word", "The re-start."),
    ("shout", "Use the API."),
]


def rule_named(rules, name):
    return {rule.__name__: rule for *_, rule in rules.RULES}[name]


@pytest.mark.parametrize(("rule", "text", "new"), CHANGED)
def test_a_rule_changes_what_it_says(rules, rule, text, new):
    """The sentence is altered in the one place that the rule is about."""
    assert rule_named(rules, rule)(text) == new


@pytest.mark.parametrize(("rule", "text"), LEFT)
def test_a_rule_leaves_what_is_unsure(rules, rule, text):
    """Where the label might not hold, there is no pair."""
    assert rule_named(rules, rule)(text) is None


def test_every_rule_has_rows(rules):
    """A rule without a row that it changes is not shown to work."""
    assert {name for name, *_ in CHANGED} == {rule.__name__ for *_, rule in rules.RULES}


PAGE = """---
title: The Pump is not a sentence of the prose here.
---
# The Pump is not a Sentence of the Prose

The **pump** runs for
30 minutes each [night](https://pump.example/a_b). It is not used on Sundays, e.g. in May!
Is it ever used on any Sunday of the year?

- Then Anna sent the two keys to Boris.
- a fragment of an item

```
The code is not a sentence of the prose here.
```

    The code is not a sentence of the prose either.

| The table is | not a sentence of the prose. |
"""
HTML = """<p>The <b>pump</b> runs for 30 minutes &amp; more.</p><p>It is not used on\n Sundays
at all.<script>It is not used by the script.</script></p><pre>It is not used in the code.</pre>"""


def test_prose_is_read_and_the_rest_is_not(reader):
    """Sentences come from paragraphs and items; headings, code, tables, questions stay out."""
    assert list(reader.sentences(PAGE, ".md")) == [
        "The pump runs for 30 minutes each night.",
        "Then Anna sent the two keys to Boris.",
    ]


def test_html_is_read_without_its_tags(reader):
    """Tags and what is no prose are gone, entities are read."""
    assert list(reader.sentences(HTML, ".html")) == ["It is not used on Sundays at all."]


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-B", str(BENCHMARKS / "rule_pairs.py"), *arguments]
    return subprocess.run(command, capture_output=True, check=False)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "b" / "pump.md").write_bytes(PAGE.encode())
    (tmp_path / "page.html").write_bytes(HTML.encode())
    (tmp_path / "bad.md").write_bytes(b"The pump is \xff not old, they say.")
    (tmp_path / ".hidden" / "c.md").write_bytes(b"The hidden pump is not old, they say.")
    return tmp_path


def test_the_command_writes_pairs_that_calibrate_reads(folder):
    """One object a line, with both texts and a label; the same bytes again."""
    once, again = run(str(folder)), run(str(folder))
    assert (once.returncode, once.stdout) == (0, again.stdout)
    pairs = [json.loads(line) for line in once.stdout.decode().split("\n")[:-1]]
    assert {tuple(pair) for pair in pairs} == {
        ("id", "lang", "kind", "label", "text_a", "text_b"),
    }
    assert len({pair["id"] for pair in pairs}) == len(pairs)
    different = {(pair["kind"], pair["text_b"]) for pair in pairs if pair["label"] == "different"}
    assert different == {
        ("number", "The pump runs for 31 minutes each night."),
        ("unit", "The pump runs for 30 hours each night."),
        ("negation", "It is used on Sundays at all."),
        ("number-word", "Then Anna sent the three keys to Boris."),
        ("voice", "Then Boris sent the two keys to Anna."),
        ("condition", "The pump runs for 30 minutes each night unless the cache is cold."),
        ("condition", "It is not used on Sundays at all unless the cache is cold."),
        ("denied-verb", "The pump does not run for 30 minutes each night."),
        ("hedge", "It is not certain that it is not used on Sundays at all."),
        ("hedge", "It is not certain that the pump runs for 30 minutes each night."),
        ("hedge-word", "It is probably not used on Sundays at all."),
        ("magnitude", "The pump runs for 300 minutes each night."),
        ("tense", "It was not used on Sundays at all."),
    }
    assert b"hidden" not in once.stdout


def test_no_kind_is_filled_beyond_what_is_asked(folder):
    """`--most` bounds each kind, and `--ending` chooses the files."""
    pairs = [json.loads(line) for line in run(str(folder), "--most", "1").stdout.splitlines()]
    assert len({pair["kind"] for pair in pairs}) == len(pairs)
    only = run(str(folder), "--ending", ".html").stdout
    assert b"Anna" not in only
    assert b"Sundays" in only


def test_a_folder_without_prose_is_a_failure(tmp_path):
    """No pair is no measure: exit 1, nothing on standard output."""
    result = run(str(tmp_path))
    assert (result.returncode, result.stdout) == (1, b"")
