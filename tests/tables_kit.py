"""What a word table may hold, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memsleep.guards.tables import WORD_TABLES, Table

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
        "retracting", "amending", "needing",
        "escort", "escorted",
    ),
    "number_style": ("joiners", "group", "decimal", "fused", "glued", "of", "ordinal"),
    "classes": (
        "quantifiers", "qualifiers", "hedges", "tense", "conditions", "directions", "variants",
    ),
    "antonyms": ("pairs",),
    "structure": (
        "list_leads", "capital",
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
        "before_clauses", "happening", "causing", "wishing", "manner", "periodic",
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
        "definite", "turned", "whole",
    ),
}  # fmt: skip
"""Tables whose keys are fixed."""
NUMBERS = ("numbers", "ordinals")


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
