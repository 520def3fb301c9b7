"""More rules that turn a fact by one word, one place or one ending, each a family of its own.

As in `pair_rules.py` a rule takes an English sentence and gives its twin, or None where the twin
might say the same after all. The tables are not those of the guards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

Rule = Callable[[str], str | None]
VERBS = (
    "uses supports requires returns provides contains includes allows accepts creates needs takes"
    " makes reads writes runs works handles defines expects produces prints stores checks sets"
    " adds calls holds keeps shows applies affects prevents depends covers matters exists appears"
).split()  # fmt: skip
VERB = re.compile(rf"(?<=\w )({'|'.join(VERBS)})(?= (?:a|an|the|all|any|on|for|with|to|in|from)\b)")
PAST = {"is": "was", "are": "were", "has": "had", "uses": "used", "supports": "supported"}
PAST |= {"requires": "required", "returns": "returned", "provides": "provided", "can": "could"}
PRESENT = re.compile(rf"(?<=[a-z] )({'|'.join(PAST)})(?= (?:a|an|the|not|no|only|[a-z]+ed)\b)")
MODALS = {"must": "may", "may": "must", "can": "must", "should": "will", "will": "might"}
MODAL = re.compile(rf"\b({'|'.join(MODALS)})(?= (?:be|have|not|use|also|only|[a-z]+e)\b)")
OTHER_NAMES = dict(
    pair.split("/")
    for pair in """
    Python/Ruby Linux/Windows Windows/Linux Rust/Haskell Unicode/Latin JSON/XML XML/JSON HTML/PDF
    HTTP/FTP GitHub/GitLab Microsoft/Oracle Google/Oracle Apache/Eclipse Debian/Fedora Java/Scala
    MIT/BSD BSD/MIT Cargo/Maven NumPy/Pandas POSIX/Win32 Unix/Windows ASCII/EBCDIC UTF-8/UTF-16
    Monday/Tuesday April/May June/July January/March America/Asia English/French London/Paris
    """.split()
)
OTHER_NAME = re.compile(rf"(?<![\w/.-])({'|'.join(map(re.escape, OTHER_NAMES))})(?![\w/'-]|\.\w)")
YEAR = re.compile(r"(?<![\w.,/:#'-])(19[5-9]\d|20[0-2]\d)(?![\w/:'-]|[.,]\d)")
PLACES = (
    (r"\b(?:before|prior to)\b", "after"), (r"\bafter\b", "before"), (r"\bwithin\b", "outside"),
    (r"\buntil\b", "since"), (r"\bup to (?=\d|the)", "more than "), (r"\bmore than\b", "less than"),
    (r"\bless than\b", "more than"), (r"\bfrom the (?=[a-z]+)", "to the "),
    (r"\bwith a\b", "without a"),
    (r"\bwithout a\b", "with a"), (r"\bwithout any\b", "with some"), (r"\babove\b", "below"),
)  # fmt: skip
AMOUNTS = (
    (r"\beach (?=[a-z]+ (?:is|has|must|can))", "no "), (r"\bboth\b", "neither"),
    (r"\bseveral\b", "two"),
    (r"\bmany (?=[a-z]+s\b)", "few "), (r"\bno (?=[a-z]+ (?:is|are|was|has|can))", "some "),
    (r"\bany of the\b", "none of the"), (r"\bsome (?=[a-z]+s\b)", "no "), (r"\bfew\b", "many"),
    (r"\busually\b", "rarely"), (r"\boften\b", "seldom"), (r"\balways\b", "sometimes"),
    (r"\ball other\b", "some other"), (r"\bevery\b", "not every"), (r"\bonly one\b", "any"),
)  # fmt: skip
TURNS = dict(
    pair.split("/")
    for pair in """
    good/bad new/old big/small large/small fast/slow simple/complex simple/complicated cheap/costly
    common/rare similar/different same/opposite strong/weak short/long wide/narrow full/empty
    first/second second/third last/first next/previous previous/next left/right right/left
    upper/lower top/bottom front/rear start/end begins/ends starts/stops allows/forbids
    encourage/discourage import/export accept/decline create/destroy creates/destroys
    read/write reads/writes client/server host/guest parent/child positive/negative stable/volatile
    explicit/implicit explicitly/implicitly static/dynamic automatic/manual automatically/manually
    available/missing recommended/discouraged permitted/forbidden experimental/mature single/double
    necessary/useless useful/useless correct/wrong deprecated/recommended mutable/immutable
    uppercase/lowercase horizontal/vertical odd/even active/idle primary/secondary
    """.split()
)
TURN = re.compile(rf"(?<![\w-])({'|'.join(TURNS)})(?![\w'-])")
NOUNS_SWAP = re.compile(
    r"\b([Tt]he) ([a-z]{3,}) ((?:is|was|are) (?:used|called|created|followed|replaced)"
    r" (?:by|before|after|from)|calls|contains|uses|owns|precedes|follows|replaces|points to|reads)"
    r" the ([a-z]{3,})\b(?! [a-z]+s\b)"
)
AND = re.compile(r"(?<=[a-z]) and (?=[a-z]+[ ,.])")
LIST = re.compile(r"(?<=[ ,])([a-z]{3,}), ([a-z]{3,}),? (and|or) ([a-z]{3,})\b")
PAIR = re.compile(
    r"\b([a-z]{4,}) and (?!also|then|thus)([a-z]{4,})(?= (?:are|were|can|must|have)\b)"
)
MY = {"your": "their", "Your": "Their", "its": "their", "his": "her", "my": "your", "our": "your"}
OWNER = re.compile(rf"\b({'|'.join(MY)}) (?=[a-z]+)")
CAN_START = re.compile(r"(?:The|This|These|A|An|It|There|You|We|All|Each|Every|Some)\b")


def _first(rules: Sequence[tuple[str, str]], text: str) -> str | None:
    for pattern, other in rules:
        if re.search(pattern, text):
            return re.sub(pattern, other, text, count=1)
    return None


def _table(pattern: re.Pattern[str], table: Mapping[str, str], text: str) -> str | None:
    found = pattern.search(text)
    if found is None or re.search(rf"\b{re.escape(table[found[1]])}\b", text, re.IGNORECASE):
        return None
    return text[: found.start(1)] + table[found[1]] + text[found.end(1) :]


def deny_verb(text: str) -> str | None:
    """Put `does not` before a verb."""
    found = VERB.search(text)
    if found is None or re.search(
        r"\b(?:what|which|that|who|whether) \w+ $", text[: found.start()]
    ):
        return None
    verb = found[1]
    base = verb[:-3] + "y" if verb == "applies" else verb.removesuffix("s")
    return f"{text[: found.start()]}does not {base}{text[found.end() :]}"


def put_past(text: str) -> str | None:
    """Tell of the past what is told of the present."""
    found = PRESENT.search(text)
    if found is None:
        return None
    return text[: found.start()] + PAST[found[1]] + text[found.end() :]


def change_modal(text: str) -> str | None:
    """Let what must be be what may be, and the other way round."""
    return _table(MODAL, MODALS, text)


def change_name(text: str) -> str | None:
    """Put another name of its kind for a name."""
    return _table(OTHER_NAME, OTHER_NAMES, text)


def shift_year(text: str) -> str | None:
    """Tell of the year after."""
    found = YEAR.search(text)
    if found is None or str(int(found[1]) + 1) in text:
        return None
    return text[: found.start()] + str(int(found[1]) + 1) + text[found.end() :]


def turn_place(text: str) -> str | None:
    """Put the other side of a place, a time or an amount."""
    return _first(PLACES, text)


def change_amount(text: str) -> str | None:
    """Speak of more or fewer of them."""
    return _first(AMOUNTS, text)


def turn_word(text: str) -> str | None:
    """Put the opposite of a word, with the article that it wants."""
    twin = _table(TURN, TURNS, text)
    return None if twin is None else re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", twin)


def swap_nouns(text: str) -> str | None:
    """Let what acts be acted upon."""
    found = NOUNS_SWAP.search(text)
    if found is None or found[2] == found[4]:
        return None
    swapped = f"{found[1]} {found[4]} {found[3]} the {found[2]}"
    return text[: found.start()] + swapped + text[found.end() :]


def one_or_other(text: str) -> str | None:
    """Put `or` for `and`."""
    return AND.sub(" or ", text, count=1) if AND.search(text) else None


def drop_member(text: str) -> str | None:
    """Leave out the second of three members of a list."""
    return LIST.sub(r"\1 \3 \4", text, count=1) if LIST.search(text) else None


def drop_one(text: str) -> str | None:
    """Say of one what is said of two."""
    return PAIR.sub(r"\1", text, count=1) if PAIR.search(text) else None


def add_hedge(text: str) -> str | None:
    """Doubt what is stated."""
    if not CAN_START.match(text):
        return None
    return f"It is not certain that {text[0].lower()}{text[1:]}"


def put_perhaps(text: str) -> str | None:
    """Put `probably` behind the first `is` or `are`."""
    found = re.search(r"\b(?:is|are)(?= (?:a|an|the|not|used|called|available|required)\b)", text)
    return f"{text[: found.end()]} probably{text[found.end() :]}" if found else None


def add_condition(text: str) -> str | None:
    """Let it hold only under a condition."""
    if not CAN_START.match(text) or re.search(r"\b(?:if|unless|when)\b", text):
        return None
    return f"{text.removesuffix('.')} unless the cache is cold."


def narrow(text: str) -> str | None:
    """Say of less what is said of all."""
    found = re.match(r"(The|These|All|Some) (?=[a-z]+s )", text)
    return f"{found[0]}oldest {text[found.end() :]}" if found else None


def add_only(text: str) -> str | None:
    """Let nothing else be so."""
    found = re.search(rf"(?<=\w )(?:{'|'.join(VERBS)})(?= (?:a|an|the) )", text)
    if found is None or " only " in text:
        return None
    return f"{text[: found.start()]}only {text[found.start() :]}"


def change_owner(text: str) -> str | None:
    """Let it be another's."""
    return _table(OWNER, MY, text)


def end_it(text: str) -> str | None:
    """Say that it is no longer so."""
    found = re.search(
        r"(?<=[a-z] )(?:is|are|can)(?= (?:used|available|supported|called|a|the|be)\b)", text
    )
    return f"{text[: found.end()]} no longer{text[found.end() :]}" if found else None


def add_digit(text: str) -> str | None:
    """Make a number ten times as large."""
    found = re.search(r"(?<![\w.,/:#'-])[1-9]\d{0,2}(?![\w/:'-]|[.,]\d)", text)
    return f"{text[: found.end()]}0{text[found.end() :]}" if found else None


TWIN_RULES: tuple[tuple[str, str, Rule], ...] = (
    ("different", "denied-verb", deny_verb),
    ("different", "tense", put_past),
    ("different", "modal", change_modal),
    ("different", "entity", change_name),
    ("different", "year", shift_year),
    ("different", "direction", turn_place),
    ("different", "amount", change_amount),
    ("different", "opposite", turn_word),
    ("different", "roles", swap_nouns),
    ("different", "and-or", one_or_other),
    ("different", "member", drop_member),
    ("different", "one-of-two", drop_one),
    ("different", "hedge", add_hedge),
    ("different", "hedge-word", put_perhaps),
    ("different", "condition", add_condition),
    ("different", "narrowed", narrow),
    ("different", "only", add_only),
    ("different", "owner", change_owner),
    ("different", "currency", end_it),
    ("different", "magnitude", add_digit),
)
