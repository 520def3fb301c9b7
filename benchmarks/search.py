"""How fast and how well memories are found: seconds per question, recall and MRR per arm.

Usage: python benchmarks/search.py [--n 10000] [--seed 7] [--probes 300] [--keep DIR]

Probes are made by rule from the corpus itself: the claim of a memory without every second content
word (articles and the like are no content), title unused, the memory is the one right answer;
memories whose claim another one repeats give no probe. A second kind asks with other endings of the
words, as people do. Chinese and Japanese memories are added, and
a word of two characters that only one of them holds is the question.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import corpus as generated
from memsleep.access.opened import OpenCorpus, open_corpus
from memsleep.brief import brief_of
from memsleep.brief.write import brief_now
from memsleep.model import Memory
from memsleep.search.fusion import ranked
from memsleep.search.results import ARMS
from memsleep.search.scopes import Scopes
from memsleep.settings import SearchSettings, Settings

NOW = "2026-11-30T03:00:00Z"
STOP_WORDS = frozenset(
    "a an and after before every for is it may of over that the to while".split()
)
UNSPACED_SHARE = 0.05
DEPTH = 20
HAN = "东西南北山水火土金木日月星云风雨雪花草树鸟鱼马牛羊门窗书笔纸墨桥路车船城市港湾田园春夏秋冬"
KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわ"


def write_unspaced(root: Path, count: int, seed: int) -> dict[str, str]:
    """Write Chinese and Japanese memories; return path -> a two-character word only it holds."""
    rng = random.Random(seed)
    pairs = {"zh": [a + b for a in HAN for b in HAN], "ja": [a + b for a in HAN for b in KANA]}
    texts: dict[str, tuple[str, str]] = {}
    for number in range(count):
        language = ("zh", "ja")[number % 2]
        words = rng.sample(pairs[language], 12)
        end, joint = ("。", "的") if language == "zh" else ("。", "の")
        texts[f"resources/{language}/note-{number}.md"] = (
            words[0],
            joint.join(words[:4]) + end + joint.join(words[4:]) + end,
        )
    held = Counter(
        t[i : i + 2] for _, text in texts.values() for t in [text] for i in range(len(t))
    )
    for path, (_word, text) in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        head = "---\ntype: fact\ncreated: 2026-10-01\n---\n\n"
        (root / path).write_bytes((head + text + "\n").encode())
    return {path: word for path, (word, _) in texts.items() if held[word] == 1}


def half_of(claim: str) -> str:
    """Return a claim without every second of its content words."""
    kept, content = [], 0
    for word in claim.split():
        if word.strip(".,").lower() in STOP_WORDS:
            continue
        content += 1
        if content % 2:
            kept.append(word.strip(".,"))
    return " ".join(kept)


def otherwise(question: str) -> str:
    """Return a question whose words end otherwise, as people ask: no stemming is done for them."""
    words = []
    for word in question.split():
        if len(word) > 3 and word.isascii() and word.isalpha():
            words.append(word[:-1] if word[-1] in "aeiosu" else f"{word}s")
        else:
            words.append(word)
    return " ".join(words)


def probes_of(memories: Sequence[Memory], count: int, seed: int) -> list[tuple[str, str]]:
    """Return (question, path) for memories that nobody else's claim could stand for."""
    claims = Counter(memory.gist for memory in memories)
    able = [m for m in memories if claims[m.gist] == 1 and "-again" not in m.path and m.gist]
    able = [m for m in able if m.path.endswith(".html")]
    chosen = random.Random(seed).sample(able, min(count, len(able)))
    return [(half_of(memory.gist), memory.path) for memory in chosen]


def quality(opened: OpenCorpus, probes: Sequence[tuple[str, str]], settings: SearchSettings):
    """Return recall@1, recall@5 and MRR of one setting of the arms."""
    usage = opened.usage()
    places = []
    for question, path in probes:
        hits, _ = ranked(opened.index, question, Scopes(), usage, NOW, settings, DEPTH)
        order = [hit.path for hit in hits]
        places.append(order.index(path) + 1 if path in order else 0)
    total = max(1, len(places))
    return {
        "recall@1": round(sum(place == 1 for place in places) / total, 4),
        "recall@5": round(sum(0 < place <= 5 for place in places) / total, 4),
        "mrr": round(sum(1 / place for place in places if place) / total, 4),
    }


def alone(settings: SearchSettings, arm: str) -> SearchSettings:
    """Return settings in which one arm does the work; salience and links need one that reads."""
    weights = {name: 1.0 if name == arm else 0.0 for name in ARMS}
    return settings.model_copy(update={**weights, "relevance": 1.0})


def table(opened: OpenCorpus, probes: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Return the quality of each arm that reads the question, and of all of them fused."""
    settings = opened.settings.search
    rows = {arm: quality(opened, probes, alone(settings, arm)) for arm in ARMS[:3]}
    return {**rows, "fused": quality(opened, probes, settings)}


def milliseconds(action: Callable[[], object], times: int) -> dict[str, float]:
    """Return the median and the worst of several runs, after one to warm up."""
    action()
    spent, worked = [], time.process_time()
    for _ in range(times):
        start = time.perf_counter()
        action()
        spent.append((time.perf_counter() - start) * 1000)
    cpu = (time.process_time() - worked) * 1000 / times
    return {
        "median_ms": round(statistics.median(spent), 2),
        "worst_ms": round(max(spent), 2),
        "cpu_ms": round(cpu, 2),
    }


def speed(opened: OpenCorpus, probes: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Return how long a question, a brief and a change of one file take, all warm in process."""
    usage, standing = opened.usage(), opened.standing()
    settings = opened.settings
    asked = iter(probes * 50)

    def ask() -> None:
        ranked(opened.index, next(asked)[0], Scopes(), usage, NOW, settings.search, 10)

    paths = iter(sorted(opened.memories) * 5)

    def change() -> None:
        memory = opened.index.memories[next(paths)]
        text = f"{memory.body} changed"
        opened.index.write(replace(memory, body=text, content_hash=f"sha256:{len(text)}"))

    return {
        "search": milliseconds(ask, 100),
        "brief": milliseconds(
            lambda: brief_of(opened.memories, usage, standing, NOW, settings.brief), 20
        ),
        "brief with the reading of the state": milliseconds(lambda: brief_now(opened, NOW), 20),
        "update": milliseconds(change, 50),
    }


def measure(root: Path, n: int, seed: int, count: int) -> dict[str, object]:
    """Return all figures for a corpus made below a folder."""
    unspaced = write_unspaced(root, max(2, int(n * UNSPACED_SHARE)), seed)
    generated.write(root, n - len(unspaced), seed)
    start = time.perf_counter()
    with open_corpus(root, Settings(), NOW) as opened:
        read = time.perf_counter()
        assert len(opened.index.memories) >= n - len(unspaced)
        made = time.perf_counter()
        probes = probes_of(list(opened.memories.values()), count, seed)
        others = probes_of(list(opened.memories.values()), count // 2, seed + 1)
        others = [(otherwise(question), path) for question, path in others]
        short = [(word, path) for path, word in sorted(unspaced.items())][: max(1, count // 3)]
        mixed = probes + others + short
        return {
            "memories": len(opened.memories),
            "open_s": round(read - start, 2),
            "index_s": round(made - read, 2),
            "probes": {
                "claims": len(probes),
                "other endings": len(others),
                "two characters": len(short),
            },
            "speed": speed(opened, mixed),
            "quality": {
                "all": table(opened, mixed),
                "claims": table(opened, probes),
                "other endings": table(opened, others),
                "two characters": table(opened, short),
            },
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--probes", type=int, default=300)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memsleep-bench-") as folder:
        figures = measure(Path(folder) / "corpus", given.n, given.seed, given.probes)
    print(json.dumps(figures, indent=1))
