"""Words stand in tables: what a module of the guards lists by itself is told here, with a reason.

One word or two belong to the rule beside them. A list of three is one that a speaker would extend,
so it stands in `guards/data`, unless it is one of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memsleep import guards
from memsleep.guards.tables import read_file

MOST = 2
FOLDER = Path(guards.__file__).parent
WORDS = re.compile(r"[a-z]+(?: +[a-z]+)*")
CODES = "names that the program gives, to guards, tables, languages or parts of a sentence"
SYMBOLS = "symbols of units, and letters behind a figure, the same in every language"
AFFIXES = "beginnings and ends of words, by rules that are code"
ALLOWED = {
    "__init__.CONTRADICTING": CODES,
    "__init__.GUARDS": CODES,
    "__init__.POLICY": CODES,
    "arrangement._RULES": CODES,
    "clause_order.AT_FRONT": CODES,
    "clause_order.LEADING": CODES,
    "detection._CLASSES": CODES,
    "genders._EXCLUSIVE": CODES,
    "hangul._ROLES": CODES,
    "hangul_order._ROLE_MARKS": CODES,
    "kana._ENDINGS": CODES,
    "kana._RU": CODES,
    "kana._SURU": CODES,
    "language.CLASSES": CODES,
    "sameness.Relation": CODES,
    "scripts._BY_SCRIPT": CODES,
    "syntax._FOCUSING": CODES,
    "tables.CODES": CODES,
    "tables.WORD_TABLES": CODES,
    "times._RANK": CODES,
    "times._STARTS": CODES,
    "figures._SCALES": SYMBOLS,
    "measures._PARTS": SYMBOLS,
    "measures._RANGES": SYMBOLS,
    "measures._TIMES": SYMBOLS,
    "quantities.SYMBOLS": SYMBOLS,
    "quantities._BINARY": SYMBOLS,
    "quantities._BITS": SYMBOLS,
    "quantities._BIT_RATE": SYMBOLS,
    "quantities._ENERGY": SYMBOLS,
    "quantities._FAMILIES": SYMBOLS,
    "quantities._HERTZ": SYMBOLS,
    "quantities._LENGTH": SYMBOLS,
    "quantities._MASS": SYMBOLS,
    "quantities._POWER": SYMBOLS,
    "quantities._PRESSURE": SYMBOLS,
    "quantities._TIME": SYMBOLS,
    "quantities._VOLTAGE": SYMBOLS,
    "quantities._VOLUME": SYMBOLS,
    "tokens._SCALES": SYMBOLS,
    "inflection._BEHIND_L": AFFIXES,
    "restating._ENDINGS": AFFIXES,
    "rewording._ADJECTIVES": AFFIXES,
    "rewording._DENYING": AFFIXES,
    "typography._TYPOGRAPHY": "signs in another form: ligatures, the sign of a number",
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


def test_lists_of_words_stand_in_tables() -> None:
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


def test_every_list_of_the_rules_is_asked_for() -> None:
    """A list that nobody reads, or a module that is gone, does not stay in `rules.toml`."""
    told = {f"{module}.{name}" for module, found in read_file("rules").items() for name in found}
    source = "".join(path.read_bytes().decode() for path in FOLDER.glob("*.py"))
    asked = set(re.findall(r'rule_(?:words|pairs|phrases)\(\s*"([a-z_.]+)"', source))
    assert asked == told
    assert {name.partition(".")[0] for name in told} <= {path.stem for path in FOLDER.glob("*.py")}
