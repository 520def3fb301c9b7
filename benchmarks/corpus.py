"""A seeded corpus of believable size and shape: topics, near duplicates, links, expiries, usage.

Usage: python benchmarks/corpus.py DIR --n 10000 [--seed 7] [--format html|markdown]
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

ANCHOR = datetime(2026, 11, 30, tzinfo=UTC)
SYLLABLES = (
    "ba co di fu ga he ji ko lu me ni po qua ri so tu va we xi yo za bre cli dra flo".split()
)
FRAMES = (
    "the {a} {n} waits for the {m} before it {v}s the {o}",
    "every {n} that {v}s a {m} keeps the {a} {o} for {k} minutes",
    "the {n} limit of the {a} {m} is {k} requests",
    "after {k} tries the {n} hands the {o} over to the {a} {m}",
    "a {a} {n} may {v} the {m} while the {o} is open",
)
TYPES = ("semantic", "episodic", "procedural", "error_pattern", "precedent")
MEMORIES_PER_TOPIC = 40
NEAR_DUPLICATE_SHARE = 0.08


@dataclass
class Note:
    """One memory before it is written."""

    path: str
    type: str
    title: str
    sentences: list[str]
    created: datetime
    importance: int
    confidence: float
    links: list[tuple[str, str]] = field(default_factory=list)
    valid_until: datetime | None = None


def word(rng: random.Random) -> str:
    """Return a made-up word of two or three syllables."""
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 2, 3))))


def make(n: int, seed: int) -> list[Note]:
    """Return n notes, the same for the same seed."""
    rng = random.Random(seed)
    topics = [[word(rng) for _ in range(30)] for _ in range(max(4, n // MEMORIES_PER_TOPIC))]
    notes: list[Note] = []
    for number in range(n):
        twin = rng.choice(notes) if notes and rng.random() < NEAR_DUPLICATE_SHARE else None
        notes.append(_twin(rng, twin, number) if twin else _note(rng, topics, number))
    for note in notes:
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            relation = rng.choice(("relates_to", "supports", "part_of", "leads_to"))
            note.links.append((relation, rng.choice(notes).path))
    return notes


def _note(rng: random.Random, topics: list[list[str]], number: int) -> Note:
    place = rng.randrange(len(topics))
    words = topics[place]
    sentences = [_sentence(rng, words) for _ in range(rng.randint(4, 9))]
    created = ANCHOR - timedelta(days=rng.random() * 400, seconds=60)
    note = Note(
        path=f"resources/topic-{place}/{words[0]}-{number}",
        type=rng.choice(TYPES),
        title=f"{words[0]} {words[1]} {number}",
        sentences=sentences,
        created=created,
        importance=rng.randint(1, 10),
        confidence=round(rng.uniform(0.2, 1.0), 2),
    )
    if rng.random() < 0.06:
        note.valid_until = created + (ANCHOR - created) * rng.random()
    return note


def _sentence(rng: random.Random, words: list[str]) -> str:
    a, n, m, v, o = rng.sample(words, 5)
    text = rng.choice(FRAMES).format(a=a, n=n, m=m, v=v, o=o, k=rng.choice((3, 5, 10, 30, 60)))
    return f"{text[0].upper()}{text[1:]}."


def _twin(rng: random.Random, twin: Note, number: int) -> Note:
    """Return a later telling of a note: other case and order, sometimes another number."""
    sentences = list(twin.sentences)
    if rng.random() < 0.2:
        sentences[0] = sentences[0].replace("3", "13").replace("5", "15")
    tail = sentences[1:]
    rng.shuffle(tail)
    return Note(
        path=f"{twin.path}-again-{number}",
        type=twin.type,
        title=f"{twin.title} again",
        sentences=[sentences[0], *tail],
        created=min(twin.created + timedelta(days=rng.random() * 30), ANCHOR),
        importance=rng.randint(1, 10),
        confidence=twin.confidence,
    )


def stamp(instant: datetime) -> str:
    """Return an instant as the format writes it."""
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def as_html(note: Note) -> str:
    """Return a note as a memhtml file."""
    metas = {
        "type": note.type,
        "status": "active",
        "created": stamp(note.created),
        "updated": stamp(note.created),
        "confidence": f"{note.confidence:.2f}",
        "importance": str(note.importance),
    }
    if note.valid_until:
        metas["valid-until"] = stamp(note.valid_until)
    head = [f'<meta name="memhtml-{name}" content="{value}">' for name, value in metas.items()]
    head += [
        f'<link rel="memhtml-{relation.replace("_", "-")}" href="/{path}.html">'
        for relation, path in dict.fromkeys(note.links)
        if path != note.path
    ]
    body = " ".join(note.sentences[1:])
    article = f"<p><mark>{note.sentences[0]}</mark> {body}</p>"
    lines = ["<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">']
    lines += [f"<title>{note.title}</title>", *head, "</head>", "<body>", "<article>", article]
    return "\n".join([*lines, "</article>", "</body>", "</html>", ""])


def as_markdown(note: Note) -> str:
    """Return a note as Markdown with front matter."""
    lines = ["---", f"title: {note.title}", f"type: {note.type}", f"created: {stamp(note.created)}"]
    lines += [f"confidence: {note.confidence:.2f}", f"importance: {note.importance}"]
    if note.valid_until:
        lines.append(f"valid_until: {stamp(note.valid_until)}")
    lines.append("---")
    links = [f"- {relation} [[{path}]]" for relation, path in dict.fromkeys(note.links)]
    return "\n".join([*lines, "", " ".join(note.sentences), "", *links, ""])


def write(root: Path, n: int, seed: int, form: str = "html") -> Path:
    """Write a corpus below a folder, with its usage, and return the folder."""
    ending, render = (".html", as_html) if form == "html" else (".md", as_markdown)
    notes = make(n, seed)
    for note in notes:
        path = root / (note.path + ending)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(render(note).encode())
    rng = random.Random(seed + 1)
    rows = [
        {
            "path": note.path + ending,
            "accessCount": rng.randint(1, 20),
            "reinforcementCount": 0,
            "outcomeScore": 0,
            "lastAccessedAt": stamp(note.created),
            "lastReinforcedAt": None,
            "updatedAt": stamp(note.created),
        }
        for note in notes
        if rng.random() < 0.6
    ]
    usage = root / ".memhtml/state/access.jsonl"
    usage.parent.mkdir(parents=True, exist_ok=True)
    usage.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    return root


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--format", choices=("html", "markdown"), default="html")
    given = parser.parse_args()
    write(given.root, given.n, given.seed, given.format)
