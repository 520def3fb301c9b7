"""The review queue from night to night: answers, renames, edits, and more doubts than places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from git_night_kit import command

TOPICS = (
    "The gateway keeps idle sockets open for {} seconds before it drains them.",
    "The backup of the ledger runs on host {} after the evening batch has ended.",
    "The parser reads at most {} lines of each header before it gives up.",
    "The greenhouse pump starts at {} degrees and stops when the soil is wet.",
    "The release train leaves {} days after the branch has been cut by Joana.",
    "The cache in front of search holds {} thousand pages of the public site.",
)


class Queue:
    """A folder with a doubtful pair for each topic, and room for two questions a night."""

    def __init__(self, root: Path, topics: int = len(TOPICS), places: int = 2) -> None:
        self.root = root
        root.mkdir()
        (root / "memsleep.toml").write_text(f"[dedup]\nmax_reviews = {places}\n")
        for number in range(topics):
            self.add(number)

    def add(self, number: int) -> None:
        """Write the two memories of one topic."""
        for month, (side, value) in enumerate((("a", 30), ("b", 90)), 1):
            head = f"---\ntype: semantic\ncreated: 2026-0{month}-0{number + 1}\n---\n"
            text = f"{head}{TOPICS[number].format(value)}\n"
            (self.root / f"t{number}-{side}.md").write_bytes(text.encode())

    def run(self, *words: str, code: int = 0) -> str:
        corpus = (str(self.root),) if words[0] == "run" else ("--corpus", str(self.root))
        found, said = command(words[0], *corpus, *words[1:])
        assert found == code, said
        return said

    def night(self, day: int) -> list[str]:
        """Run a night and return the topics that it asks about, sorted."""
        self.run("run", "--now", f"2026-11-{day:02}T03:00:00Z", "--quiet")
        return self.asked()

    def items(self) -> list[dict[str, Any]]:
        found = json.loads(self.run("review", "--list", "--json"))["items"]
        assert isinstance(found, list)
        return found

    def asked(self) -> list[str]:
        heads = (item["head"] for item in self.items() if not item["closed"])
        return sorted(head.split()[1].removesuffix("-a.md") for head in heads)

    def answer(self, topic: str, how: str, day: int) -> str:
        name = next(item["id"] for item in self.items() if f"{topic}-" in item["head"])
        self.run("review", how, name, "--now", f"2026-11-{day:02}T09:00:00Z")
        assert isinstance(name, str)
        return name


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    return Queue(tmp_path / "c")


def test_every_doubt_has_its_turn(queue: Queue) -> None:
    """What is answered makes room: after three nights of two answers all six were asked."""
    seen: list[str] = []
    for day in (1, 2, 3):
        found = queue.night(day)
        assert len(found) == 2
        for topic in found:
            queue.answer(topic, "--different", day)
        seen += found
    assert sorted(seen) == [f"t{number}" for number in range(len(TOPICS))]
    assert queue.night(4) == []


def test_what_waits_for_an_answer_keeps_its_place(tmp_path: Path) -> None:
    """However near the pairs are that come later, the oldest questions stay until answered."""
    queue = Queue(tmp_path / "c", topics=0)
    queue.add(1)
    queue.add(2)
    assert queue.night(1) == ["t1", "t2"]
    for number in (0, 3, 4, 5):
        queue.add(number)
    assert queue.night(2) == ["t1", "t2"]
    queue.answer("t1", "--different", 2)
    (new,) = set(queue.night(3)) - {"t2"}
    assert set(queue.night(4)) == {"t2", new}
    queue.answer("t2", "--different", 4)
    assert new in queue.night(5)


def test_a_dry_run_asks_what_the_night_asks(queue: Queue) -> None:
    """The places are those of the state, and looking takes none."""
    asked = queue.night(1)
    queue.answer(asked[0], "--different", 1)
    dry = queue.run("run", "--dry-run", "--now", "2026-11-02T03:00:00Z")
    found = queue.night(2)
    assert all(f"{topic}-a.md <> {topic}-b.md" in dry for topic in found)


def test_a_question_that_is_settled_gives_its_place_away(queue: Queue) -> None:
    """A side that is gone, or says the same by now, is no question; back again, it is a new one."""
    first, second = queue.night(1)
    path = queue.root / f"{first}-a.md"
    kept = path.read_bytes()
    path.unlink()
    other = queue.night(2)
    assert second in other
    assert first not in other
    path.write_bytes(kept)
    assert queue.night(3) == other


def test_an_answer_survives_a_rename(queue: Queue) -> None:
    """Two different facts stay two when one of the files has another name."""
    first, second = queue.night(1)
    queue.answer(first, "--different", 1)
    (queue.root / f"{first}-a.md").rename(queue.root / "renamed.md")
    found = queue.night(2)
    assert second in found
    assert not any("renamed.md" in item["head"] for item in queue.items())
    (queue.root / f"{first}-b.md").rename(queue.root / "renamed-too.md")
    assert queue.night(3) == found
    assert not any("renamed" in item["head"] for item in queue.items())


def test_an_open_question_follows_a_rename(queue: Queue) -> None:
    """It keeps its place, under the new name."""
    first, second = queue.night(1)
    (queue.root / f"{first}-b.md").rename(queue.root / f"{first}-x.md")
    assert queue.night(2) == [first, second]


def test_a_no_can_be_withdrawn(queue: Queue) -> None:
    """The question comes again, and its old run shows it as open; twice is a mistake."""
    first, second = queue.night(1)
    for topic in (first, second):
        name = queue.answer(topic, "--different", 1)
    assert queue.asked() == []
    assert set(queue.night(2)).isdisjoint({first, second})
    said = queue.run("review", "--withdraw", name)
    assert "the answer is withdrawn" in said
    older = json.loads(queue.run("review", "sleep/2026-11-01", "--list", "--json"))["items"]
    assert {item["id"]: item["closed"] for item in older}[name] == ""
    assert "answer-unknown" in queue.run("review", "--withdraw", name, code=2)
    queue.run("review", "sleep/2026-11-01", "--different", name)
    told = queue.run("review", "--withdraw", name, "--json", "--quiet")
    assert json.loads(told) == {"schema_version": 1, "withdrawn": [name]}
    for topic in queue.asked():
        queue.answer(topic, "--different", 2)
    assert second in queue.night(3)
