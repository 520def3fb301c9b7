"""More rules that say the same in other words, signs or order."""

from __future__ import annotations

import re
from collections.abc import Callable

Rule = Callable[[str], str | None]
FRONTED = re.compile(
    r"(In|On|At|During|For|With|After|Before|When|If) ([^,;:()]{4,50}), ([a-z][^,;:()]{8,90})\."
)
NO_PRONOUN = re.compile(
    r"\b(?:it|they|them|he|she|this|that|these|those|its|their|then|not|and|or)\b"
)
MEMBERS = re.compile(r"(?<=[a-z] )([a-z]{3,}s), ([a-z]{3,}s),? and ([a-z]{3,}s)(?=\.$)")
OXFORD = re.compile(r"(\w+, \w+), (and|or) (\w+)(?=[ .])")
SHORT = (
    (r"\bfor example,", "e.g.,"), (r"\be\.g\.,?", "for example,"), (r"\bi\.e\.,?", "that is,"),
    (r"\bthat is, ", "i.e. "), (r"\bapproximately (?=\d)", "approx. "), (r"\bversus\b", "vs."),
    (r"\band so on\b", "etc."), (r" percent\b", "%"), (r"(?<=\d)% ", " percent "),
)  # fmt: skip
UNITS = {"KB": "kilobytes", "MB": "megabytes", "GB": "gigabytes", "ms": "milliseconds"}
UNITS |= {"kg": "kilograms", "km": "kilometres", "mm": "millimetres", "cm": "centimetres"}
UNIT = re.compile(rf"(?<![\w.,])([2-9]|[1-9]\d+) ?({'|'.join(UNITS)})(?![\w/-])")
ORDINALS = {"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th"}
ORDINAL = re.compile(rf"(?<=the )({'|'.join(ORDINALS)})(?= [a-z]+(?: is| of| line| argument))")
ALIKE = dict(
    pair.split("/")
    for pair in """
    begin/start begins/starts started/begun assist/help purchase/buy therefore/hence obtain/get
    sufficient/enough utilize/use utilizes/uses demonstrate/show demonstrates/shows attempt/try
    attempts/tries frequently/often rapidly/quickly permits/allows permit/allow ensure/guarantee
    additional/extra entire/whole currently/now subsequently/later
    """.split()
)
ALIKES = re.compile(rf"(?<![\w-])({'|'.join(ALIKE)})(?![\w'-])")


def move_adjunct(text: str) -> str | None:
    """Move what stands in front before a comma to the end."""
    found = FRONTED.fullmatch(text)
    if found is None or NO_PRONOUN.search(found[2] + " " + found[3]):
        return None
    return f"{found[3][0].upper()}{found[3][1:]} {found[1].lower()} {found[2]}."


def reorder(text: str) -> str | None:
    """Turn round a list of three plurals at the end."""
    found = MEMBERS.search(text)
    if found is None or re.search(r"\b(?:between|order|respectively|from)\b", text):
        return None
    return MEMBERS.sub(r"\3, \1 and \2", text)


def oxford(text: str) -> str | None:
    """Leave out the comma before the last member."""
    return OXFORD.sub(r"\1 \2 \3", text, count=1) if OXFORD.search(text) else None


def abbreviate(text: str) -> str | None:
    """Abbreviate, or write an abbreviation out."""
    for pattern, other in SHORT:
        if re.search(pattern, text):
            return re.sub(pattern, other, text, count=1)
    return None


def write_unit(text: str) -> str | None:
    """Write the unit of a number out."""
    found = UNIT.search(text)
    return (
        None
        if found is None
        else (f"{text[: found.start()]}{found[1]} {UNITS[found[2]]}{text[found.end() :]}")
    )


def write_ordinal(text: str) -> str | None:
    """Write an ordinal in digits."""
    found = ORDINAL.search(text)
    return (
        None
        if found is None
        else (text[: found.start()] + ORDINALS[found[1]] + text[found.end() :])
    )


def double_space(text: str) -> str | None:
    """Break the line at the middle, and indent what follows."""
    words = text.split(" ")
    return " ".join(words[: len(words) // 2]) + "\n  " + " ".join(words[len(words) // 2 :])


def quote_it(text: str) -> str | None:
    """Make it a quotation in italics."""
    return None if re.search(r"[*_]", text) else f"> *{text}*"


def other_word(text: str) -> str | None:
    """Put a plain word for a learned one."""
    found = ALIKES.search(text)
    return None if found is None else text[: found.start()] + ALIKE[found[1]] + text[found.end() :]


def shout(text: str) -> str | None:
    """Write all in capitals, where no digit or capital inside tells a name of code."""
    return None if re.search(r"\d|[a-z][A-Z]|[A-Z]{2}|\u2019|'", text) else text.upper()


WORDING_RULES: tuple[tuple[str, str, Rule], ...] = (
    ("same", "adjunct", move_adjunct),
    ("same", "list-order", reorder),
    ("same", "oxford", oxford),
    ("same", "abbreviation", abbreviate),
    ("same", "unit-form", write_unit),
    ("same", "ordinal-form", write_ordinal),
    ("same", "line-break", double_space),
    ("same", "quotation", quote_it),
    ("same", "plain-word", other_word),
    ("same", "capitals", shout),
)
