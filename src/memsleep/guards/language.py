"""A language's tables made ready: each word to the one that stands for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from memsleep.guards.calendar import Calendar
from memsleep.guards.clocks import Clock
from memsleep.guards.hangul import plain_endings
from memsleep.guards.inflection import gerund_of, past_of, stem, z_spelling
from memsleep.guards.kana import plain_verbs
from memsleep.guards.numerals import NumberWords
from memsleep.guards.phrases import Phrases, Rule
from memsleep.guards.quantities import SYMBOLS, measure
from memsleep.guards.scripts import language_of_script
from memsleep.guards.tables import CODES, Table, table_of
from memsleep.guards.tokens import split
from memsleep.guards.typography import fold_typography

_TIMES = frozenset("s min h d week month year".split())
CLASSES = (
    "quantifiers", "qualifiers", "hedges", "tense", "conditions", "directions", "variants",
)  # fmt: skip

_HANGUL_AFTER = re.compile("(?<=[a-z0-9])(?=[\uac00-\ud7a3])")
_ARABIC = str.maketrans(
    "\u0623\u0625\u0622\u0649\u0629",
    "\u0627\u0627\u0627\u064a\u0647",
    "\u0621\u0624\u0626\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652",
)
"""Arabic letters that are written in several ways, and vowel signs that are mostly left out."""


class Language:
    """What one language's tables do to the tokens of a text. Built once, then only read."""

    def __init__(self, table: Table) -> None:
        self.code = table.code
        self.by_rule = table.code == "en"
        self.contractions = tuple(table.pairs("contractions"))
        self.pieces = _replacer(dict(_flat(table.alternatives("pieces"))))
        table = replace(table, fold=lambda text: self.spelt_out(fold_typography(text)))
        self.day_first = table.group("calendar").get("order") == "day first"
        self.comma_decimal = table.group("number_style").get("decimal") == ","
        self._spelling = {
            alt: head for head, alts in table.alternatives("spelling") for alt in alts
        }
        self._forms = {alt: head for head, alts in table.alternatives("forms") for alt in alts}
        pairs = (rule.partition(">") for rule in table.words("endings", "regular"))
        self._endings = [(ending, instead) for ending, _, instead in pairs]
        self._gerunds = _gerunds(table) if self.by_rule else {}
        self.nouns = frozenset(table.words("nouns", "regular"))
        self._memo: dict[str, str] = {}
        self.numbers = NumberWords(table)
        self.bare = Phrases(
            (tuple(split(k)), tuple(split(v))) for k, v in table.pairs("bare_contractions")
        )
        self._prepare(table)

    def _prepare(self, table: Table) -> None:
        self.per = frozenset(str(table.group("structure").get("per", "")).split())
        self.ones = frozenset(str(table.group("structure").get("one", "")).split())
        self.units = self._units(table)
        self.calendar = self._calendar(table)
        self.clock = self._clock(table)
        self.quantities = Phrases(
            (self._counted(k), self._counted(v)) for k, v in table.pairs("quantities")
        )
        self.openers = self._phrases([("", table.phrases("openers"))])
        self.verbs = _verb_forms(table)
        self.synonyms = self._phrases(
            (
                *table.alternatives("synonyms"),
                *self.verbs,
                ("", table.phrases("fillers")),
            )
        )
        self.single = self._single(table)
        taken = self.single
        self.synonyms = self.synonyms.without(
            lambda rule: len(rule[0]) == 1 and rule[0][0] in taken
        )
        self.rewrites = self._phrases(((v, (k,)) for k, v in table.pairs("rewrites")), final=True)
        self.opposites = {
            self.final(word): self.final(base) for word, base in table.pairs("opposites")
        }
        self.silent = frozenset(self.final(word) for word in table.words("silent"))
        self.common = self.silent | {self.final(word) for word in table.words("markers")}
        self.negation = frozenset(map(self.final, table.words("words", "negation")))
        self.negation |= {"not"} if self.code == "en" else set()
        self.denial = frozenset(map(self.final, table.words("denial", "negation"))) - {"not"}
        self.negative_pieces = _alternation(table.words("pieces", "negation"))
        self.classes = self._classes(table)
        self.antonyms = self._antonyms(table)
        structure = table.group("structure")
        self.fronting = self._set(structure, "fronting")
        self.additions = self._set(structure, "additions")
        self.conjunctions = self._set(structure, "conjunctions")
        self.either = self._set(structure, "either")
        self.by = self._set(structure, "by")
        self.referring = self._set(structure, "referring")
        self.articles = self._set(structure, "articles")
        self.passive = Passive(self, table)

    def spelt_out(self, folded: str) -> str:
        """Return a folded text without contractions, and each piece of its script in one form."""
        if "'" in folded or not folded.isascii():
            for short, long in self.contractions:
                folded = folded.replace(short, long)
        elif "cannot" in folded:
            folded = folded.replace("cannot", "can not")
        if self.pieces is not None:
            pattern, table = self.pieces
            folded = pattern.sub(lambda match: table[match.group()], folded)
        if self.code == "ar":
            folded = folded.translate(_ARABIC)
        elif self.code == "ja":
            folded = plain_verbs(folded)
        elif self.code == "ko":
            folded = _HANGUL_AFTER.sub(" ", plain_endings(folded))
        return folded.replace("&", " and ") if "&" in folded else folded

    def base(self, token: str) -> str:
        """Return the form under which the tables know a word: spelling and ending only."""
        found = self._memo.get(token)
        if found is None:
            found = self._base(token)
            if len(self._memo) < 1 << 16:
                self._memo[token] = found
        return found

    def _base(self, token: str) -> str:
        word = self._spelling.get(token, token)
        if word in self._gerunds:
            return self._base(self._gerunds[word])
        if word in self._forms:
            return self._forms[word]
        if not self.by_rule:
            return self._without_ending(word)
        word = z_spelling(stem(word))
        return self._spelling.get(word, word)

    def _without_ending(self, word: str) -> str:
        for ending, instead in self._endings:
            if word.endswith(ending) and len(word) >= len(ending) + 3:
                return word[: -len(ending)] + instead
        return word

    def final(self, word: str) -> str:
        """Return what a single word of a table becomes in a text."""
        base = self.base(self.numbers.applied([word])[0])
        return self.single.get(base, base)

    def prepared(self, phrase: str) -> tuple[str, ...]:
        """Return the tokens of a phrase up to where phrases are looked for."""
        return tuple(self.plain_tokens(split(phrase, marks=False)))

    def plain_tokens(self, tokens: list[str]) -> list[str]:
        """Return tokens with number words, units and dates in one form, each word in its base."""
        tokens = self.numbers.applied(self.bare.applied(tokens))
        tokens = self.quantities.applied([self.base(token) for token in tokens])
        return self.measured(self.calendar.applied(self.clock.applied(tokens)))

    def _counted(self, phrase: str) -> tuple[str, ...]:
        if phrase.startswith(("timeq", "dateq")):
            return tuple(phrase.split())
        return tuple(self.base(token) for token in self.numbers.applied(split(phrase)))

    def measured(self, tokens: list[str]) -> list[str]:
        """Return tokens with each number and its unit as one, and `a week` as `per week`."""
        result: list[str] = []
        for token in self.units.applied(tokens):
            last = result[-1] if result else ""
            if last and last[0].isdigit() and "~" not in last and not last.endswith("th"):
                unit = SYMBOLS.get(token) or self.symbols.get(token)
                if unit is not None:
                    result[-1] = measure(last, unit)
                    continue
            if (
                last in self.ones
                and self.symbols.get(token) in _TIMES
                and (len(result) < 2 or not result[-2][0].isdigit())
            ):
                result[-1] = measure("1", self.symbols[token])
                continue
            if last in self.per and len(result) > 1 and result[-2][0].isdigit():
                unit = SYMBOLS.get(token) or self.symbols.get(token)
                if unit in _TIMES:
                    result[-1] = "per"
                    token = unit
            result.append(token)
        return result

    def _units(self, table: Table) -> Phrases:
        self.symbols: dict[str, str] = {}
        rules: list[Rule] = []
        for unit, names in (*table.alternatives("units"), ("°c", ("° c",)), ("°f", ("° f",))):
            for name in names:
                words = tuple(self.base(word) for word in split(name, marks=False))
                if not words:
                    continue
                if len(words) == 1:
                    self.symbols[words[0]] = unit
                else:
                    marker = f"unit~{unit}"
                    self.symbols[marker] = unit
                    rules.append((words, (marker,)))
        return Phrases(rules)

    def _calendar(self, table: Table) -> Calendar:
        names = dict(table.alternatives("calendar"))

        def numbered(prefix: str, count: int) -> dict[str, int]:
            return {
                self.base(name): number
                for number in range(1, count + 1)
                for name in names.get(f"{prefix}_{number}", ())
            }

        points = {self.base(w): "timeq12q0" for w in names.get("noon", ())}
        points |= {self.base(w): "timeq0q0" for w in names.get("midnight", ())}
        between = {self.base(w) for phrase in names.get("of", ()) for w in phrase.split()}
        hours = {token for w in names.get("clock", ()) for token in (self.base(w), w)}
        years = frozenset(self.base(w) for w in names.get("year_words", ()))
        months, days = numbered("month", 12), numbered("day", 7)
        return Calendar(months, days, frozenset(between), frozenset(hours), points, years)

    def _clock(self, table: Table) -> Clock:
        names = dict(table.alternatives("calendar"))

        def words(name: str) -> frozenset[str]:
            return frozenset(self.base(word) for word in names.get(name, ()))

        clocks = ("", *names.get("clock", ()))
        parts = {
            tuple(self.base(word) for word in f"{clock} {phrase}".split()): added
            for name, added in (("morning", 0), ("evening", 12))
            for phrase in names.get(name, ())
            for clock in clocks
        }
        return Clock(words("half"), words("quarter"), words("past"), words("to"), parts)

    def _phrases(
        self, entries: Iterable[tuple[str, Sequence[str]]], *, final: bool = False
    ) -> Phrases:
        """Return rules from (what stands for it, phrases); single words too."""
        rules: list[Rule] = []
        for head, phrases in entries:
            result = self.prepared(head)
            if final:
                result = tuple(self.single.get(token, token) for token in result)
            for phrase in phrases:
                pattern = self.prepared(phrase)
                if final:
                    pattern = tuple(self.single.get(token, token) for token in pattern)
                if pattern != result:
                    rules.append((pattern, result))
        return Phrases(rules)

    def _single(self, table: Table) -> dict[str, str]:
        """Return base word -> base word of every synonym of one word for one word."""
        found: dict[str, str] = {}
        for head, others in (*table.alternatives("synonyms"), *self.verbs):
            result = self.prepared(head)
            for other in others:
                pattern = self.prepared(other)
                if len(pattern) == len(result) == 1 and pattern != result:
                    found.setdefault(pattern[0], result[0])
        return found

    def _set(self, group: Mapping[str, object], name: str) -> frozenset[str]:
        return frozenset(self.final(word) for word in str(group.get(name, "")).split())

    def _classes(self, table: Table) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for name in CLASSES:
            for word in table.words(name, "classes"):
                names = found.setdefault(self.final(word), [])
                if name not in names:
                    names.append(name)
        return {word: tuple(names) for word, names in found.items()}

    def _antonyms(self, table: Table) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for pair in table.phrases("pairs", "antonyms"):
            words = pair.split()
            if len(words) == 2:
                one, other = map(self.final, words)
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
        return {word: frozenset(others) for word, others in found.items()}


class Passive:
    """What an English-like passive is made of; empty for a language whose file has none."""

    def __init__(self, language: Language, table: Table) -> None:
        self.be = frozenset(table.words("be", "passive"))
        self.have = frozenset(table.words("have", "passive"))
        self.modals = frozenset(table.words("modals", "passive"))
        self.past: dict[str, str] = {}
        self.bases: dict[str, tuple[str, ...]] = {}
        for base, (forms,) in table.alternatives("participles"):
            past, participle = forms.split()
            verb = language.final(base)
            found = self.bases.setdefault(language.final(participle), ())
            if verb not in found:
                self.bases[language.final(participle)] = (*found, verb)
            self.past.setdefault(language.final(participle), language.final(past))


def _flat(entries: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[tuple[str, str]]:
    for head, others in entries:
        for other in others:
            yield other, head


def _verb_forms(table: Table) -> list[tuple[str, tuple[str, ...]]]:
    """Return the verbs of a table in every form: base, past, participle, -ing."""
    if table.code != "en":
        return list(table.alternatives("verbs"))
    irregular = {base: tuple(forms[0].split()) for base, forms in table.alternatives("participles")}
    found: list[tuple[str, tuple[str, ...]]] = []
    for head, others in table.alternatives("verbs"):
        alternatives = (head, *others)
        columns = list(zip(*(_inflected(verb, irregular) for verb in alternatives), strict=True))
        found.extend((column[0], tuple(column[1:])) for column in columns)
    return found


def _gerunds(table: Table) -> dict[str, str]:
    """Return the -ing form of each known verb -> the verb; a noun of its own stays one."""
    verbs = [
        *table.words("verbs", "regular"),
        *(verb for verb, _ in table.alternatives("participles")),
    ]
    for head, others in table.alternatives("verbs"):
        verbs += [head.split()[0], *(other.split()[0] for other in others)]
    kept = set(table.words("nouns", "regular"))
    return {gerund_of(verb): verb for verb in verbs if gerund_of(verb) not in kept}


def _inflected(verb: str, irregular: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    first, *rest = verb.split()
    past, participle = irregular.get(first, (past_of(first), past_of(first)))
    forms = (first, past, participle, gerund_of(first))
    return tuple(" ".join((form, *rest)) for form in forms)


def _replacer(table: Mapping[str, str]) -> tuple[re.Pattern[str], Mapping[str, str]] | None:
    whole = {head: head for head in table.values()} | dict(table)
    pattern = _alternation(tuple(whole))
    return (pattern, whole) if pattern else None


def _alternation(pieces: Sequence[str]) -> re.Pattern[str] | None:
    if not pieces:
        return None
    ordered = sorted(pieces, key=lambda piece: (-len(piece), piece))
    return re.compile("|".join(map(re.escape, ordered)))


@lru_cache(maxsize=32)
def language_named(code: str) -> Language:
    """Return a language made ready."""
    return Language(table_of(code))


@lru_cache(maxsize=1)
def _signs() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], int]:
    """Return words and endings -> languages of Latin script that take them as a sign."""
    words: dict[str, list[str]] = {}
    endings: dict[str, list[str]] = {}
    for code in CODES:
        for word in table_of(code).words("markers"):
            words.setdefault(word, []).append(code)
        for ending in table_of(code).words("endings"):
            endings.setdefault(ending, []).append(code)
    longest = max(map(len, endings), default=0)
    return (
        {word: tuple(codes) for word, codes in words.items()},
        {ending: tuple(codes) for ending, codes in endings.items()},
        longest,
    )


def language_of(folded: str) -> Language:
    """Return the language of a folded text: by script, else by its little words and endings.

    English where nothing tells: its tables know no word that another language's text would need.
    """
    return language_named(likely_languages(folded)[0])


def likely_languages(folded: str) -> tuple[str, ...]:
    """Return the languages that a folded text may be in, the likeliest first."""
    by_script = language_of_script(folded)
    return (by_script,) if by_script else _by_words(folded)


def _by_words(folded: str) -> tuple[str, ...]:
    words, endings, longest = _signs()
    counts: dict[str, int] = {}
    others: list[str] = []
    for word in folded.replace("'", "' ").split():
        codes = words.get(word)
        if codes:
            for code in codes:
                counts[code] = counts.get(code, 0) + 3
        else:
            others.append(word)
    first, second = sorted((0, 0, *counts.values()))[:-3:-1]
    if first - second < 6:
        _count_endings(others, endings, longest, counts)
    best = max(counts.values(), default=0)
    near = [code for code in CODES if counts.get(code, 0) > best - 3 and code in counts]
    return tuple(sorted(near, key=lambda code: -counts[code])) or ("en",)


def _count_endings(
    words: Sequence[str],
    endings: Mapping[str, tuple[str, ...]],
    longest: int,
    counts: dict[str, int],
) -> None:
    for word in words:
        bare = word.rstrip(".,;:!?")
        for size in range(min(longest, len(bare) - 1), 0, -1):
            for code in endings.get(bare[-size:], ()):
                counts[code] = counts.get(code, 0) + 1
