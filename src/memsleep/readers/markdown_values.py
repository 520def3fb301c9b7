"""Single values of front matter: types, confidence, importance and lists from their text."""

from __future__ import annotations

import re
from types import MappingProxyType

from memsleep.readers.frontmatter import Mapping, Sequence, Value, bracketed

KNOWN_TYPES = (
    "episodic", "semantic", "procedural", "agent_insight", "user_preference", "error_pattern",
    "verdict", "precedent", "arc", "task",
)  # fmt: skip
_TYPE_WORDS = {
    "fact": "semantic", "knowledge": "semantic", "concept": "semantic", "definition": "semantic",
    "how_to": "procedural", "howto": "procedural", "procedure": "procedural",
    "runbook": "procedural", "workflow": "procedural", "skill": "procedural",
    "preference": "user_preference", "feedback": "user_preference", "user": "user_preference",
    "bug": "error_pattern", "error": "error_pattern", "failure": "error_pattern",
    "event": "episodic", "log": "episodic", "journal": "episodic", "episode": "episodic",
    "insight": "agent_insight", "todo": "task", "decision": "verdict",
}  # fmt: skip
CONFIDENCE_WORDS = MappingProxyType({"low": 0.3, "medium": 0.6, "high": 0.9})
IMPORTANCE_WORDS = MappingProxyType(
    {
        "lowest": 1.0, "trivial": 1.0, "minor": 3.0, "low": 3.0, "medium": 5.0, "normal": 5.0,
        "moderate": 5.0, "major": 8.0, "high": 8.0, "urgent": 9.0, "critical": 10.0,
        "highest": 10.0, "blocker": 10.0,
    }
)  # fmt: skip
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\Z", re.ASCII)
_BRACKETED = re.compile(r"\[\[([^\[\]]+)\]\]")
_PERCENT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))\s*%\Z", re.ASCII)


def parse_type(text: str) -> str:
    """Return the known type that a word names, the word itself where it names none."""
    name = "_".join(text.casefold().replace("-", " ").replace("_", " ").split())
    name = _TYPE_WORDS.get(name, name)
    return name if name in KNOWN_TYPES else text


def parse_number(text: str) -> float | None:
    """Return a decimal number, None for anything else (`nan`, `1_0`, `0x1`, words)."""
    return float(text) if _NUMBER.match(text) else None


def parse_confidence(text: str) -> float | None:
    """Return a confidence in [0, 1] from a number, a percentage or a word.

    Examples
    --------
    >>> parse_confidence("0.8"), parse_confidence("80 %"), parse_confidence("high")
    (0.8, 0.8, 0.9)
    >>> parse_confidence("80") is None
    True
    """
    word = CONFIDENCE_WORDS.get(text.casefold())
    percent = _PERCENT.match(text)
    number = float(percent[1]) / 100 if percent else parse_number(text)
    value = word if word is not None else number
    return value if value is not None and 0 <= value <= 1 else None


def parse_importance(text: str) -> float | None:
    """Return an importance in [1, 10] from a number or a word."""
    word = IMPORTANCE_WORDS.get(text.casefold())
    value = word if word is not None else parse_number(text)
    return value if value is not None and 1 <= value <= 10 else None


def list_texts(value: Value, source: bytes, *, words: bool) -> list[str]:
    """Return the texts of a list, a comma string or (with `words`) a space string."""
    plain = bracketed(value, source)
    if plain is not None:
        return [unbracketed(plain[0])]
    if isinstance(value, Sequence):
        nested = (list_texts(item, source, words=False) for item in value.items)
        return [text for texts in nested for text in texts]
    if isinstance(value, Mapping) or value.null:
        return []
    if "[[" in value.text:
        inside = _BRACKETED.findall(value.text)
        return [unbracketed(text) for text in (inside or [value.text])]
    parts = value.text.split(",") if "," in value.text or not words else value.text.split()
    return [part.strip() for part in parts]


def unbracketed(text: str) -> str:
    """Return the target inside `[[target|label]]`, other text as it is."""
    stripped = text.strip()
    if stripped.startswith("[[") and stripped.endswith("]]"):
        stripped = stripped[2:-2]
    return stripped.partition("|")[0].strip()
