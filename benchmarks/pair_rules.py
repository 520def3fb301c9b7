"""Rules that make, of one English sentence, another of the same or of a different meaning.

Each takes a sentence and gives the altered one, or None where it does not apply or where the
result might not be what its label says. The tables are this module's own: a measure that shared
its words with what it measures would only find what is known already.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable

from twin_rules import TWIN_RULES
from wording_rules import WORDING_RULES

Rule = Callable[[str], str | None]

AUX = r"(?:is|are|was|were|can|could|will|would|should|must)"
ODD_NEXT = r"(?:not|n't|never|no|only|nothing|none|nobody|any|either|even|just|also|hardly)\b"
ADD_NOT = re.compile(rf"\b({AUX}|ha[sd] been|have been) (?!{ODD_NEXT})(?=[a-z])")
DROP_NOT = re.compile(rf"\b({AUX}|do|does|did|has|have|had) not (?!only\b|just\b)(?=[a-z])")
DROP_CONTRACTED = re.compile(
    r"\b(is|are|was|were|could|would|should|do|does|did)n['\u2019]t (?=[a-z])"
)
NEGATION_UNSAFE = re.compile(r"whether|\bor not\b|\bthat is,|\bas is\b", re.IGNORECASE)
NUMBER = re.compile(r"(?<![\w.,/:#'-])\d+(?:[.,]\d+)*(?![\w/:'-]|[.,]\d)")
NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
NO_PLURAL = r"(?!(?:its|this|as|is|was|has|does|others)\b)"
NUMBER_WORD = re.compile(rf"(?<![\w-])({'|'.join(NUMBER_WORDS)})(?= {NO_PLURAL}[a-z]+s\b)")
COUNT = re.compile(rf"(?<![\w.,/:#'-])([2-9]|1[0-2])(?= {NO_PLURAL}[a-z]{{3,}}s\b)")
THOUSANDS = re.compile(r"(?<![\w.,/:#'-])(\d{1,3}),(\d{3})(?![\w,]|\.\d)")
UNITS = tuple(
    words.split()
    for words in (
        "seconds minutes hours days weeks months years", "KB MB GB TB", "ms s", "mm cm km", "kg g",
        "bytes kilobytes megabytes gigabytes",
    )
)  # fmt: skip
UNIT = re.compile(
    rf"(?<![\w.,])([1-9]\d*) ({'|'.join(unit for row in UNITS for unit in row)})(?![\w/-])"
)
MONTHS = (
    "January February March April May June July August September October November December".split()
)
DAY_MONTH = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)}),? (\d{{4}})\b")
MONTH_DAY = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}),? (\d{{4}})\b")
ISO_DAY = re.compile(r"(?<![\w-])(\d{4})-(\d\d)-(\d\d)(?![\w-])")
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NO_NAME = frozenset(
    [*MONTHS, *DAYS, *"I If In It A An The This That Note See Also For When".split()]
)
NAME = re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z0-9]+(?: [A-Z][A-Za-z0-9]+)*\b(?![-/'\u2019]| [0-9])")
SYMMETRIC = re.compile(
    r"\b(?:and|or|is|are|was|were|equals?|vs|versus|with|like|called|than|as|near)\b|[,;:()/\".!?'\u2019\u201c\u201d]"
)
NAMES_UNSAFE = re.compile(r"\b(?:between|both|either|respectively|differ\w*|together|compatible)\b")

OPPOSITES = dict(
    pair.split("/")
    for pair in """
    increase/decrease increases/decreases increased/decreased increasing/decreasing
    enable/disable enables/disables enabled/disabled enabling/disabling maximum/minimum
    before/after above/below always/never true/false oldest/newest earlier/later earliest/latest
    success/failure succeeds/fails succeeded/failed add/remove adds/removes added/removed
    include/exclude includes/excludes included/excluded internal/external public/private
    higher/lower larger/smaller faster/slower longer/shorter greater/smaller stronger/weaker
    required/optional input/output incoming/outgoing synchronous/asynchronous ascending/descending
    local/remote accept/reject accepts/rejects accepted/rejected inside/outside safe/unsafe
    valid/invalid supported/unsupported known/unknown possible/impossible visible/hidden
    more/fewer better/worse easy/hard strict/lenient open/closed buy/sell won/lost
    """.split()
)
OPPOSITES |= {
    right: left for left, right in OPPOSITES.items() if right not in OPPOSITES and left != "greater"
}
OPPOSITE = re.compile(rf"\b({'|'.join(OPPOSITES)})\b(?!['\u2019-])")
QUANTIFIERS = (
    (r"\ball of the\b", "some of the"),
    (rf"(?<!at )(?<!not )\ball {NO_PLURAL}(?=[a-z]+s\b)", "some "),
    (r"\bat least\b", "at most"),
    (r"\bat most\b", "at least"),
    (r"\bmust be(?! noted)\b", "may be"),
    (r"\bevery (?=[a-z])", "almost every "),
    (r"\bmost of the\b", "none of the"),
)
CONTRACTIONS = dict(
    pair.split("/")
    for pair in """
    is_not/isn't are_not/aren't was_not/wasn't were_not/weren't do_not/don't does_not/doesn't
    did_not/didn't cannot/can't could_not/couldn't will_not/won't would_not/wouldn't
    should_not/shouldn't has_not/hasn't have_not/haven't had_not/hadn't you_are/you're we_are/we're
    they_are/they're you_will/you'll we_will/we'll
    """.replace("_", " ").split("\n")[1:-1]
    for pair in re.findall(r"[a-z]+(?: [a-z]+)?/[a-z']+", pair)
)
CONTRACTIONS |= {short: long for long, short in CONTRACTIONS.items()}
CONTRACTION = re.compile(rf"(?<!\w)({'|'.join(CONTRACTIONS)})(?= [a-z])")
SPELLINGS = dict(
    pair.split("/")
    for pair in """
    color/colour colors/colours behavior/behaviour center/centre favorite/favourite gray/grey
    initialize/initialise initialized/initialised organize/organise organized/organised
    normalize/normalise normalized/normalised recognize/recognise recognized/recognised
    optimize/optimise optimized/optimised canceled/cancelled labeled/labelled catalog/catalogue
    """.split()
)
SPELLINGS |= {right: left for left, right in SPELLINGS.items()}
SPELLING = re.compile(rf"\b({'|'.join(SPELLINGS)})\b")


def _once(pattern: re.Pattern[str], table: dict[str, str], text: str) -> str | None:
    found = pattern.search(text)
    return text[: found.start()] + table[found[1]] + text[found.end() :] if found else None


def flip_negation(text: str) -> str | None:
    """Take out the first "not" after an auxiliary verb, or put one in."""
    if NEGATION_UNSAFE.search(text):
        return None
    for pattern in (DROP_NOT, DROP_CONTRACTED):
        if pattern.search(text):
            return pattern.sub(r"\1 ", text, count=1)
    return ADD_NOT.sub(r"\1 not ", text, count=1) if ADD_NOT.search(text) else None


def change_number(text: str) -> str | None:
    """Change the last digit of the first number that stands alone."""
    found = NUMBER.search(text)
    if found is None:
        return None
    digit = int(found[0][-1])
    other = digit - 1 if digit == 9 else digit + 1
    return f"{text[: found.end() - 1]}{other}{text[found.end() :]}"


def change_number_word(text: str) -> str | None:
    """Put the next number word for the first one that counts something."""
    following = dict(zip(NUMBER_WORDS, [*NUMBER_WORDS[1:], "eleven"], strict=True))
    return _once(NUMBER_WORD, following, text)


def change_unit(text: str) -> str | None:
    """Put another unit of the same quantity behind a number."""
    found = UNIT.search(text)
    if found is None:
        return None
    row = next(units for units in UNITS if found[2] in units)
    other = row[(row.index(found[2]) + 1) % len(row)]
    return text[: found.start(2)] + other + text[found.end(2) :]


def swap_names(text: str) -> str | None:
    """Swap two names that a verb or a preposition stands between, never two of a list."""
    if NAMES_UNSAFE.search(text):
        return None
    names = [found for found in NAME.finditer(text) if found[0].split()[0] not in NO_NAME]
    for left, right in itertools.pairwise(names):
        between = text[left.end() : right.start()]
        if left[0] != right[0] and len(between.split()) >= 2 and not SYMMETRIC.search(between):
            return text[: left.start()] + right[0] + between + left[0] + text[right.end() :]
    return None


def put_opposite(text: str) -> str | None:
    """Put the opposite for the first word that has one, unless both are there."""
    found = OPPOSITE.search(text)
    if found is None or re.search(rf"\b{OPPOSITES[found[1]]}\b", text, re.IGNORECASE):
        return None
    article = "an" if OPPOSITES[found[1]][0] in "aeiou" else "a"
    start = re.sub(r"\b([Aa])n? $", rf"\1{article[1:]} ", text[: found.start()])
    return start + OPPOSITES[found[1]] + text[found.end() :]


def change_quantifier(text: str) -> str | None:
    """Put another amount for all, every, at least and their like."""
    for pattern, other in QUANTIFIERS:
        if re.search(pattern, text):
            return re.sub(pattern, other, text, count=1)
    return None


def lower_case(text: str) -> str | None:
    """Write all in small letters, where no capital tells an abbreviation."""
    return None if re.search(r"[A-Z]{2}|\d", text) else text.lower()


def drop_punctuation(text: str) -> str | None:
    """Leave out the full stop, and put a comma for each semicolon."""
    return text.removesuffix(".").replace("; ", ", ") if text.endswith(".") else None


def add_markup(text: str) -> str | None:
    """Make it a list item with its longest word in bold."""
    longest = max(re.findall(r"[A-Za-z]+", text), key=len)
    return "- " + re.sub(rf"\b{longest}\b", f"**{longest}**", text, count=1)


def contract(text: str) -> str | None:
    """Contract the first words that can be, or write a contraction out."""
    return _once(CONTRACTION, CONTRACTIONS, text)


def respell_number(text: str) -> str | None:
    """Write a small count in digits or as a word, and a large one without its comma."""
    digits = {word: str(value) for value, word in enumerate(NUMBER_WORDS, 2)}
    if NUMBER_WORD.search(text):
        return _once(NUMBER_WORD, digits, text)
    if COUNT.search(text):
        return _once(COUNT, {value: word for word, value in digits.items()}, text)
    return THOUSANDS.sub(r"\1\2", text, count=1) if THOUSANDS.search(text) else None


def rewrite_date(text: str) -> str | None:
    """Write the first full date in another form."""
    if found := ISO_DAY.search(text):
        year, month, day = (int(part) for part in found.groups())
        if not 1 <= month <= 12 or not 1 <= day <= 31:
            return None
        new = f"{day} {MONTHS[month - 1]} {year}"
    elif found := DAY_MONTH.search(text):
        new = f"{found[2]} {found[1]}, {found[3]}"
    elif found := MONTH_DAY.search(text):
        new = f"{found[3]}-{MONTHS.index(found[1]) + 1:02}-{int(found[2]):02}"
    else:
        return None
    return text[: found.start()] + new + text[found.end() :]


def set_type(text: str) -> str | None:
    """Put the marks of a typesetter: curly quotes, dashes, an ellipsis."""
    new = re.sub(r"(?<=\w)'(?=\w)", "\u2019", text)
    new = (
        re.sub(r'"([^"]+)"', "\u201c\\1\u201d", new)
        .replace(" - ", " \u2013 ")
        .replace("...", "\u2026")
    )
    return None if new == text else new


def add_filler(text: str) -> str | None:
    """Open with words that say nothing, where the sentence begins with a common word."""
    if not re.match(r"(?:The|This|These|A|An|It|There|You|We|All|Each|Every|Some)\b", text):
        return None
    return f"Note that {text[0].lower()}{text[1:]}"


def respell(text: str) -> str | None:
    """Put the British for the American spelling, or the other way round."""
    return _once(SPELLING, SPELLINGS, text)


RULES: tuple[tuple[str, str, Rule], ...] = (
    ("different", "negation", flip_negation),
    ("different", "number", change_number),
    ("different", "number-word", change_number_word),
    ("different", "unit", change_unit),
    ("different", "voice", swap_names),
    ("different", "antonym", put_opposite),
    ("different", "quantifier", change_quantifier),
    ("same", "case", lower_case),
    ("same", "punctuation", drop_punctuation),
    ("same", "markup", add_markup),
    ("same", "contraction", contract),
    ("same", "number-form", respell_number),
    ("same", "date-form", rewrite_date),
    ("same", "typography", set_type),
    ("same", "filler", add_filler),
    ("same", "spelling", respell),
    *TWIN_RULES,
    *WORDING_RULES,
)


def pairs_of(sentences: Iterable[str]) -> list[tuple[str, str, str, str]]:
    """Return label, kind and both texts of every pair that a rule makes of a sentence."""
    made = [
        (label, kind, text, new)
        for text in sorted(set(sentences))
        for label, kind, rule in RULES
        if (new := rule(text)) is not None and new != text
    ]
    return sorted(made)
