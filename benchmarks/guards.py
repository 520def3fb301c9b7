"""How many pairs of memories the careful guards judge in a second, on one core.

    python benchmarks/guards.py [MEMORIES]

Each memory has 80 words in eight sentences, and lies near eight others, as pairing finds them:
some are the same told otherwise, most differ in a number, a name or a word. The first round reads
each memory's text; the second finds it read, as the groups of one night do.
"""

from __future__ import annotations

import random
import sys
import time

from memsleep.guards import fired
from memsleep.guards.claims import claim_in, claim_of
from memsleep.guards.identity import identifier_set
from memsleep.guards.sameness import relation
from memsleep.model import Memory
from memsleep.settings import CAREFUL_GUARDS

NEIGHBOURS = 8
WORDS = 80
SUBJECTS = "gateway ledger scheduler cache export importer probe worker mirror archive".split()
VERBS = "drains calls retries rotates checks copies deletes sends stores rebuilds".split()
OBJECTS = "queue index backup token invoice report session sample bucket replica".split()
ENDS = "every night, before the deploy, on Monday, in staging, after a restart, by hand".split(", ")


def _sentence(draw: random.Random, number: int) -> str:
    words = (draw.choice(SUBJECTS), draw.choice(VERBS), draw.choice(OBJECTS), draw.choice(ENDS))
    return "The {} {} the {} {} and waits {} seconds".format(*words, number)


def _memories(count: int) -> list[Memory]:
    draw = random.Random(7)
    found = []
    for i in range(count):
        claim = _sentence(draw, 30 + i % 3)
        body = ". ".join([claim, *(_sentence(draw, draw.randrange(90)) for _ in range(6))])
        padded = (body.split() + ["padding"] * WORDS)[:WORDS]
        text = " ".join(padded)
        found.append(Memory(f"{i}.md", "markdown", "semantic", claim, claim, text, WORDS, "", ""))
    return found


def _round(pairs: list[tuple[Memory, Memory]]) -> tuple[float, int]:
    start, apart = time.process_time(), 0
    for a, b in pairs:
        apart += bool(fired(CAREFUL_GUARDS, a, b))
    return time.process_time() - start, apart


def main() -> None:
    """Print pairs a second for texts seen first and for texts seen again."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    memories = _memories(count)
    pairs = [
        (memories[i], memories[(i + step * step) % count])
        for i in range(count)
        for step in range(1, NEIGHBOURS // 2 + 1)
    ]
    claim_of("warm the tables of the language")
    for name in ("texts seen first", "texts seen again"):
        seconds, apart = _round(pairs)
        print(f"{name}: {len(pairs)} pairs, {len(pairs) / seconds:,.0f} a second, {apart} apart")
    for cache in (claim_of, claim_in, relation, identifier_set):
        cache.cache_clear()
    start = time.process_time()
    for memory in memories:
        claim_of(memory.gist)
    spent = (time.process_time() - start) / count
    print(f"one claim of {len(memories[0].gist.split())} words is read in {1e6 * spent:.0f} us")


if __name__ == "__main__":
    main()
