"""The sizes that a store's program reads are budgets: a merge that would go past one is refused.

Whole nights, each at its limit and one below it: the refusal names the file and both figures, in
the result and in the report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from corpus_kit import write
from memsleep.limits import LIMITS, over_limit
from memsleep.night import NightResult
from night_kit import git_apply, request_for, run_night

Store = Callable[[int], dict[str, str]]
TEXT = (
    "The oven in the bakery on the corner of Mill Street is switched on at four in the morning by"
    " Anna, who also feeds the sourdough, counts the flour bags in the cellar and writes the number"
    " on the yellow board beside the door."
)
MORE = " It rests on Sundays."
SIGN = "\n\u00a7\n"
BLOCK = "---\ndescription: oven\nlimit: {}\n---\n\n{}\n"
GROWN = len(TEXT) + len("\n") + len(MORE)
"""Characters of the keeper once the sentence is carried over to it, in a paragraph of its own."""
KEPT = len(TEXT) + len(SIGN) + len("Tea.\n")


def letta(limit: int) -> dict[str, str]:
    return {
        "system/p.md": BLOCK.format(99, "p"),
        "x/a.md": BLOCK.format(limit, TEXT),
        "x/b.md": BLOCK.format(9000, TEXT + MORE),
    }


def hermes(_: int) -> dict[str, str]:
    return {
        "MEMORY.md": SIGN.join([TEXT, "Tea.\n"]),
        "USER.md": SIGN.join([TEXT + MORE, "Bees.\n"]),
        "z.md": "# Z\n",
    }


def claude(_: int) -> dict[str, str]:
    topic = "---\nname: {}\ndescription: d\ntype: project\ncreated: 2026-0{}-01\n---\n\n{}\n"
    index = "# Memory\n\n- [Oven](b.md) - hook\n- [Tea](tea.md) - hook\n"
    return {
        "MEMORY.md": index,
        "the-older-one-of-the-two.md": topic.format("oven", 1, TEXT),
        "b.md": topic.format("oven", 2, TEXT),
        "tea.md": topic.format("tea", 3, "Bees swarm in May, and tea is drunk at four."),
    }


INDEX = len(claude(0)["MEMORY.md"].encode())
PATH = len("the-older-one-of-the-two.md") - len("b.md")
NIGHTS = [
    pytest.param(letta, "x/a.md", "characters", GROWN, "", id="letta"),
    pytest.param(hermes, "MEMORY.md", "characters", KEPT + len(MORE), "memory_chars", id="hermes"),
    pytest.param(claude, "MEMORY.md", "bytes", INDEX + PATH, "index_bytes", id="claude"),
]


def night(root: Path, files: Mapping[str, str], options: Mapping[str, object]) -> NightResult:
    write(root, dict(files))
    result, outcome = run_night(request_for(root, options=options))
    git_apply(root, outcome.artifacts["sleep.diff"])
    for refusal in _refusals(result):
        assert refusal in outcome.artifacts["report.md"].decode()
    return result


def _refusals(result: NightResult) -> list[str]:
    return [r.reason for phase in result.phases for r in phase.refused]


@pytest.mark.parametrize(("store", "file", "unit", "needed", "setting"), NIGHTS)
def test_a_merge_keeps_the_budget(
    store: Store, file: str, unit: str, needed: int, setting: str, tmp_path: Path
) -> None:
    """At the limit the merge lands and the file is within it; one below, it is refused by name."""
    for limit, lands in ((needed, True), (needed - 1, False)):
        root = tmp_path / str(limit)
        options = {f"check.max_{setting}": limit} if setting else {}
        result = night(root, store(limit), options)
        told = [reason for reason in _refusals(result) if "over its limit" in reason]
        assert bool(result.moves) is lands
        if lands:
            assert told == []
            size = len((root / file).read_bytes() if unit == "bytes" else (root / file).read_text())
            assert unit == "characters" or size == limit
        else:
            expected = f"expected at most {limit} {unit}, found {needed}"
            assert told == [f"{file}: the file would grow over its limit: {expected}"]
            assert over_limit(file, (root / file).read_bytes(), store.__name__, LIMITS) == ""
