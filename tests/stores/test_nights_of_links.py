"""Whole nights over made corpora full of links: nothing that led somewhere may lead elsewhere."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus_kit import write
from night_kit import git_apply, request_for, run_night
from truth_kit import lost_links, lost_texts, unlike_on_disk

STORES = ("plain", "obsidian", "dendron", "logseq", "basic-memory", "foam", "letta", "claude")
TEXTS = (
    "The van for the market stall is parked behind the old bakery.",
    "The ramp to the cellar was rebuilt in oak by the two brothers.",
    "Oil the pump of the fountain before the first frost of the year.",
    "A permit for the summer fair is asked for at the town hall in May.",
)
NAMES = ("van", "ramp", "pump", "oil can", "caf\u00e9", "x.y", "Permit", "index")
FOLDERS = ("", "deep/", "deep/er/", "b c/")
FORMS = (
    "[[{name}]]", "[[{stem}|l]]", "![[{stem}#h]]", "[t]({url}#f)", "[t](<{path}>)", "[t](/{url})",
    "- supports [[{stem}]]", "key:: [[{stem}]]", "- part of [[{name}]] (c)",
    '<a href="{url}">t</a>', "| [[{stem}\\|l]] |", "text [[{stem}]] and [u]({url})",
)  # fmt: skip


def _link(chance: random.Random, paths: list[str]) -> str:
    path = chance.choice([*paths, "lost.md"])
    stem = path.removesuffix(".md")
    name, url = stem.rpartition("/")[2], path.replace(" ", "%20")
    return chance.choice(FORMS).format(name=name, stem=stem, path=path, url=url)


def _head(chance: random.Random, paths: list[str]) -> str:
    lines = []
    if chance.random() < 0.3:
        lines.append(f"related: ['{chance.choice(paths)}']")
    if chance.random() < 0.2:
        lines.append("valid_until: 2026-08-01")
    if chance.random() < 0.7 or lines:
        return (
            "---\n" + "".join(f"{line}\n" for line in ("created: 2026-01-05", *lines)) + "---\n\n"
        )
    return ""


def _corpus(chance: random.Random) -> dict[str, str]:
    paths = sorted({chance.choice(FOLDERS) + name + ".md" for name in NAMES for _ in range(2)})
    files = {}
    for path in paths:
        links = [_link(chance, paths) for _ in range(chance.randint(0, 3))]
        ending = chance.choice(("\n", "\n", "\r\n"))
        text = _head(chance, paths) + "\n\n".join((chance.choice(TEXTS), *links)) + "\n"
        files[path] = text.replace("\n", ending)
    files["MEMORY.md"] = "".join(f"- [{p}](<{p}>) - hook\n" for p in paths if chance.random() < 0.6)
    return files


def _check_nights(root: Path, seed: int, dialect: str) -> int:
    """Land two nights; return how many files moved."""
    chance = random.Random(seed)
    write(root, _corpus(chance))
    moved = 0
    for now in ("2026-11-30T03:00:00Z", "2026-12-20T03:00:00Z"):
        request = request_for(root, now=now, options={"corpus.dialect": dialect})
        result, outcome = run_night(request)
        assert lost_links(result) == []
        assert lost_texts(result) == []
        git_apply(root, outcome.artifacts["sleep.diff"])
        assert unlike_on_disk(root, result, dialect) == []
        moved += len(result.moves)
    return moved


@example(1_000_000, "plain")  # the keeper's dangling link spells what the dropped one links to
@given(st.integers(0, 10**6), st.sampled_from(STORES))
@settings(max_examples=12 if settings.default.derandomize else 400, deadline=None)
def test_a_night_keeps_every_link(seed: int, dialect: str) -> None:
    """After any night each link leads where it led, or to what replaced that; twice in a row."""
    with tempfile.TemporaryDirectory() as folder:
        _check_nights(Path(folder), seed, dialect)


@pytest.mark.parametrize("dialect", STORES)
def test_the_made_nights_move_files(dialect: str, tmp_path: Path) -> None:
    """The law above is not empty: nights over such corpora do merge and archive."""
    assert sum(_check_nights(tmp_path / str(seed), seed, dialect) for seed in range(3)) > 0
