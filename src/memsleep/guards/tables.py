"""The words of each language, from the data files beside this module.

A file is `data/<code>.toml`; `data/README.md` says what each table means. What is not in a file
is empty, so a language may begin with ten words. Nothing here knows a word of any language.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import product
from typing import Any

from memsleep.guards.typography import fold_typography

CODES = ("en", "de", "fr", "es", "pt", "it", "ru", "ar", "zh", "ja", "ko")
"""Languages with a table, in the order in which they are tried."""
MORE: Mapping[str, tuple[str, ...]] = {"en": ("en-words", "en-phrases")}
"""Further files of a language."""
WORD_TABLES = (
    "forms",
    "spelling",
    "synonyms",
    "verbs",
    "units",
    "calendar",
    "participles",
    "deeds",
    "doers",
)
PLAIN_TABLES = (
    "contractions",
    "bare_contractions",
    "rewrites",
    "quantities",
    "pieces",
    "characters",
    "opposites",
    "numbered",
    "measured",
)
LISTS = ("fillers", "openers", "asides")
WORDS = ("language", "name", "markers", "endings", "letters", "silent", "abbreviations")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "negation": (
        "words", "denial", "prefixes", "pieces", "elision", "exceptions", "reversed", "verbs",
        "retracting", "amending",
        "escort", "escorted",
    ),
    "number_style": ("joiners", "group", "decimal", "fused", "glued", "of", "ordinal"),
    "classes": (
        "quantifiers", "qualifiers", "hedges", "tense", "conditions", "directions", "variants",
    ),
    "antonyms": ("pairs",),
    "structure": (
        "list_leads",
        "conjunctions", "either", "fronting", "additions", "by", "per", "one", "articles",
        "referring", "determiners", "nominal", "ordering", "pausing", "scant", "focusing",
        "impersonal", "light", "adverbs", "definite", "of", "two_way", "not_agents", "fused",
        "distributing", "indefinite",
        "money", "weight", "acting", "belonging", "properties",
        "giving", "making", "particles", "sequenced", "stated", "counterparts", "doers", "converse",
        "stressing", "events", "changing", "apart", "often", "becoming",
        "verb_second", "movable", "alone", "then", "copula", "initial", "before_dates",
        "free_order", "oblique", "weekly", "datives", "genitives", "concord",
        "feminine", "feminine_verbs",
        "glue", "verbal", "duties", "doing", "done", "demanding", "staying", "standing", "where",
        "chained", "holders", "recurring", "tended", "pace", "lasting", "moving", "reasons",
        "modifying", "felt", "creating", "coming", "granting", "twofold", "remaining", "tooled",
        "referring", "steps", "times", "list_before", "list_after", "sequence",
    ),
    "regular": (
        "verbs", "unchanging", "nouns", "endings", "letters", "initials", "kept", "respelt",
        "single_l",
    ),
    "reading": (
        "eras", "week", "weekdays", "not_weekday", "morning", "noon", "afternoon", "night",
        "told_day", "hours", "minutes", "seconds", "joins", "before_half", "behind_half",
        "half_words", "no_half", "percent", "tenths", "of_tenths", "pointed", "persons",
        "not_counted", "counters", "behind_counters", "currency", "currency_units", "owners",
        "please_words", "subject_stops", "not_in_place", "not_in_time", "before_days", "adverbs",
        "native_counts", "loose_counters", "counter_spelling", "parents", "agents",
        "agent_verbs", "given", "honorifics", "one_step", "one_step_kanji", "irregular",
        "b_stems", "eo_stems", "yeo_stems", "keeps_i", "not_polite", "lives", "lives_at",
        "whole_words", "describing", "describing_ends", "pronouns", "noun_ends", "verb_ends",
        "passives", "by_persons", "months", "days", "behind_days", "sino_units", "apart_units",
        "glued_units", "spans", "counted", "after_ten", "not_clock", "not_half", "not_persons",
        "times_counted", "day_names", "duals", "units_with_halves", "names_like_verbs",
    ),
    "passive": ("be", "have", "modals"),
    "agents": (
        "by", "have", "personal", "now", "past", "perfect", "participle", "worden", "prefixes",
        "now_endings", "past_endings", "agreeing", "agent_cases", "patient_cases",
    ),
    "clitics": ("infinitives", "added", "pronouns", "apart", "modals"),
    "genders": (
        "masculine", "feminine", "singular", "plural", "preposition", "contracted", "plural_verbs",
    ),
}  # fmt: skip
"""Tables whose keys are fixed."""
NUMBERS = ("numbers", "ordinals")


@dataclass(frozen=True)
class Table:
    """One language's file as it is written, folded but for nothing else."""

    code: str
    values: Mapping[str, Any] = field(repr=False)
    fold: Callable[[str], str] = fold_typography
    """How a text of this language is folded before its words are looked up: tables likewise."""

    def words(self, name: str, group: str = "") -> tuple[str, ...]:
        """Return the words of a list that blanks part."""
        text = self.group(group).get(name, "") if group else self.values.get(name, "")
        return tuple(self.fold(str(text)).split())

    def phrases(self, name: str, group: str = "") -> tuple[str, ...]:
        """Return the phrases of a list that commas part."""
        text = self.group(group).get(name, "") if group else self.values.get(name, "")
        return split_phrases(self.fold(str(text)))

    def group(self, name: str) -> Mapping[str, Any]:
        """Return a table of a file; an absent one is empty."""
        found: Mapping[str, Any] = self.values.get(name, {})
        return found

    def pairs(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield (key, value) of a table of texts, folded."""
        for key, value in self.group(name).items():
            yield self.fold(str(key)), self.fold(str(value))

    def alternatives(self, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield (key, phrases) of a table of lists."""
        for key, value in self.group(name).items():
            phrases = split_phrases(self.fold(str(value)))
            yield self.fold(str(key)), tuple(one for told in phrases for one in spread_out(told))


def split_phrases(text: str) -> tuple[str, ...]:
    """Return the phrases between commas, white space collapsed."""
    parts = (" ".join(part.split()) for part in text.split(","))
    return tuple(part for part in parts if part)


def spread_out(phrase: str) -> tuple[str, ...]:
    """Return every phrase that one with a choice stands for.

    `|` parts what may stand in one place, nothing too; `_` is a blank inside a choice.

    Examples
    --------
    >>> spread_out("do|carry_out a| test")
    ('do a test', 'do test', 'carry out a test', 'carry out test')
    """
    if "|" not in phrase:
        return (phrase,)
    told = (" ".join(choice) for choice in product(*(w.split("|") for w in phrase.split())))
    return tuple(dict.fromkeys(" ".join(text.replace("_", " ").split()) for text in told))


@lru_cache(maxsize=32)
def table_of(code: str) -> Table:
    """Return the table of a language."""
    values = _read(code)
    for name in MORE.get(code, ()):
        values = _joined(values, _read(name))
    return Table(code, values)


def _read(name: str) -> dict[str, Any]:
    source = files("memsleep.guards").joinpath("data", f"{name}.toml").read_bytes()
    return tomllib.loads(source.decode("utf-8"))


def _joined(values: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return a language's tables with more of them; what both have says both."""
    found = dict(values)
    for name, table in more.items():
        if not isinstance(table, dict):
            continue
        stop = ", " if name in WORD_TABLES else " "
        found[name] = {**found.get(name, {}), **table} | {
            key: f"{found[name][key]}{stop}{text}"
            for key, text in table.items()
            if key in found.get(name, {})
        }
    return found


def genders_of(table: Table) -> dict[str, frozenset[str]]:
    """Return each article or pronoun -> its gender and number."""
    found: dict[str, frozenset[str]] = {}
    for name in ("masculine", "feminine", "singular", "plural", "preposition", "contracted"):
        for word in table.words(name, "genders"):
            found[word] = found.get(word, frozenset()) | {name}
    return found


def changes_of(table: Table, name: str) -> list[tuple[str, str]]:
    """Return the rules `old>new` of a list."""
    pairs = (rule.partition(">") for rule in table.words(name, "regular"))
    return [(old, new) for old, _, new in pairs]


def faults_of(table: Table) -> list[str]:
    """Return what is wrong with a table, in words for whoever wrote it; empty for a good one."""
    known = {*WORDS, *LISTS, *WORD_TABLES, *PLAIN_TABLES, *NUMBERS, *GROUPS}
    faults = [
        f"no table {name!r}; there are {sorted(known)}"
        for name in table.values
        if name not in known
    ]
    for group, keys in GROUPS.items():
        faults += [
            f"no list {key!r} in {group!r}; there are {sorted(keys)}"
            for key in table.group(group)
            if key not in keys
        ]
    if table.values.get("language") != table.code:
        faults.append(f"expected language = {table.code!r}")
    for name in NUMBERS:
        faults += [
            f"{name}: {key!r} is no number" for key in table.group(name) if not key.isdecimal()
        ]
    for name in ("synonyms", "verbs"):
        faults += _repeated(table, name)
    return faults


def _repeated(table: Table, name: str) -> Iterator[str]:
    """Yield each word that is told to be two things at once."""
    heads = dict(table.alternatives(name))
    owner: dict[str, str] = {}
    for head, others in heads.items():
        for other in others:
            if other in heads:
                yield f"{name}: {other!r} stands under {head!r} and has words of its own"
            if owner.setdefault(other, head) != head:
                yield f"{name}: {other!r} stands under {owner[other]!r} and under {head!r}"
