"""Words stand in tables: what a module of the guards lists by itself is told here, with a reason.

Short lists belong to the rule beside them. A list of ten words is one that a speaker would extend,
so it is a table of `guards/data`, unless it is one of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memsleep import guards

MOST = 9
FOLDER = Path(guards.__file__).parent
WORDS = re.compile(r"[a-z]+(?: +[a-z]+)*")
GRAMMAR = "pronouns, conjunctions, prepositions and the like, which a language has once and for all"
CODES = "names that the program gives"
SYMBOLS = "symbols of units, the same in every language"
AFFIXES = "beginnings and ends of words, by rules that are code"
LEFT = "words that a table should hold"
ALLOWED = {
    "__init__.GUARDS": CODES,
    "tables.CODES": CODES,
    "hangul._ROLES": CODES,
    "hangul_order._ROLE_MARKS": CODES,
    "measures._PARTS": SYMBOLS,
    "quantities._LENGTH": SYMBOLS,
    "quantities._FAMILIES": SYMBOLS,
    "quantities.SYMBOLS": SYMBOLS,
    "inflection._BEHIND_L": AFFIXES,
    "rewording._ADJECTIVES": AFFIXES,
    "commonplaces._DOUBT": GRAMMAR,
    "complements._TIMED": GRAMMAR,
    "logic._SET_PHRASES": GRAMMAR,
    "nominal_passive._OPENING": GRAMMAR,
    "phrasal._OBJECT": GRAMMAR,
    "plainly._BEHIND_VERBS": GRAMMAR,
    "restrictions._GROUPING": GRAMMAR,
    "restrictions._WHERE": GRAMMAR,
    "restrictions._BOUND": GRAMMAR,
    "reversals._HAPPENING": GRAMMAR,
    "side_by_side._LINKS": GRAMMAR,
    "taken_up._LEADS": GRAMMAR,
    "adjuncts._ADVERBS": LEFT,
    "adverbs._DEGREES": LEFT,
    "alike._PIECES": LEFT,
    "logic._TIMES": LEFT,
    "logic._WHOLE": LEFT,
    "phrasal._BEHIND": LEFT,
    "phrasal._TIMES": LEFT,
}


def listed(source: str) -> Iterator[tuple[str, int]]:
    """Yield the names that a module gives to literals, and how many words of letters each holds."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign):
            name, value = ast.unparse(node.targets[0]), node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            name, value = ast.unparse(node.target), node.value
        else:
            continue
        texts = [n.value for n in ast.walk(value) if isinstance(n, ast.Constant)]
        told = (" ".join(text.split()) for text in texts if isinstance(text, str))
        yield name, sum(len(text.split()) for text in told if WORDS.fullmatch(text))


def test_long_lists_of_words_stand_in_tables() -> None:
    """Nobody adds a list to the code, and what moves to a table leaves this list too."""
    found = {
        f"{path.stem}.{name}"
        for path in FOLDER.glob("*.py")
        for name, size in listed(path.read_bytes().decode())
        if size > MOST
    }
    assert found == ALLOWED.keys()


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ('A = frozenset("one two three".split())', 3),
        ('A: frozenset[str] = frozenset({"one", "two"}) | B', 2),
        ('A = """one two\n    three""".split()', 3),
        ('A = {"one": ("two", "three")}', 3),
        ('A = re.compile(r"\\b(?:one|two)\\b")', 0),
        ('A = "1 2 3"', 0),
    ],
)
def test_what_counts_as_a_list(source: str, size: int) -> None:
    """Sets, mappings and texts that are split, in one line or in several."""
    assert list(listed(source)) == [("A", size)]
