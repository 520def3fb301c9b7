"""A language's tables made ready: each word to the one that stands for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from memsleep.guards.adjuncts import any_dated, is_dated
from memsleep.guards.agent_rules import Agents
from memsleep.guards.clitics import Clitics
from memsleep.guards.datives import without_articles_of_dates, without_old_endings
from memsleep.guards.figures import Figures, short_names
from memsleep.guards.frames import Frames
from memsleep.guards.hours import Hours
from memsleep.guards.inflection import respelt, stem, z_spelling
from memsleep.guards.lexicon import Lexicon, any_of
from memsleep.guards.measured import Measured
from memsleep.guards.measures import Measures
from memsleep.guards.nominal_passive import NominalPassive
from memsleep.guards.numerals import NumberWords
from memsleep.guards.particles import GAP, Particles
from memsleep.guards.phrases import Phrases, Rule
from memsleep.guards.plain_words import PlainWords
from memsleep.guards.ranges import Ranges
from memsleep.guards.rule_words import rule_words
from memsleep.guards.sides import Sides
from memsleep.guards.spoken_hours import spoken_hours_of
from memsleep.guards.syntax import Syntax
from memsleep.guards.tables import Table, changes_of, genders_of, split_phrases, table_of
from memsleep.guards.timewords import calendar_of, clock_of, seasons_of, weekly_of
from memsleep.guards.tokens import split
from memsleep.guards.typography import fold_typography
from memsleep.guards.verbs import Passive, gerunds, verb_forms
from memsleep.guards.writing import Writing, alternation

CLASSES = (
    "quantifiers", "qualifiers", "hedges", "tense", "conditions", "directions", "variants",
)  # fmt: skip

PRONOUNS = rule_words("language.pronouns")
_NOTHING = re.compile(r"(?!)")
_FIGURED = re.compile("[a-z][0-9]|[0-9][a-z]")


class Language:
    """What one language's tables do to the tokens of a text. Built once, then only read."""

    def __init__(self, table: Table) -> None:
        self.code = table.code
        self.by_rule = table.code == "en"
        self.contractions = tuple(table.pairs("contractions"))
        short = alternation(table.words("abbreviations"))
        self.abbreviations = re.compile(rf"\b({short.pattern})\.(?=\s)") if short else None
        words = Lexicon(table)
        self.lists = words.sets()
        self.turned = words.pairs("passives")
        self.writing = Writing(table, words)
        table = replace(table, fold=lambda text: self.spelt_out(fold_typography(text)))
        self.day_first = table.group("calendar").get("order") == "day first"
        self.comma_decimal = table.group("number_style").get("decimal") == ","
        self._spelling = {
            alt: head for head, alts in table.alternatives("spelling") for alt in alts
        }
        self._forms = {alt: head for head, alts in table.alternatives("forms") for alt in alts}
        self._forms |= weekly_of(table)
        self.genders = genders_of(table)
        self.definite_articles = frozenset(table.words("definite", "genders"))
        self.turned_by_articles = frozenset(table.words("turned", "genders"))
        self.capital = frozenset(table.words("capital", "structure"))
        self.whole = frozenset(table.words("whole", "genders"))
        self.plural_verbs = table.words("plural_verbs", "genders")
        self._endings = changes_of(table, "endings")
        self._letters = changes_of(table, "letters")
        self._initials = changes_of(table, "initials")
        self._kept = frozenset(table.words("kept", "regular"))
        rules = (rule.partition(">") for rule in table.words("respelt", "regular"))
        self._british = {piece: instead for piece, _, instead in rules}
        self._single_l = frozenset(table.words("single_l", "regular"))
        self.known_gerunds = gerunds(table) if self.by_rule else {}
        self.nouns = frozenset(table.words("nouns", "regular"))
        self._memo: dict[str, str] = {}
        self._phrase_memo: dict[str, tuple[str, ...]] = {}
        self.numbers = NumberWords(table)
        self.bare = Phrases(
            (tuple(split(k)), tuple(split(v))) for k, v in table.pairs("bare_contractions")
        )
        self._prepare(table)

    def _prepare(self, table: Table) -> None:
        """Make the tables ready, each group after those that it needs."""
        self._know_times(table)
        self._know_equals(table)
        self._know_denials(table)
        self._know_grammar(table)
        self._know_places(table)
        self._know_parts(table)
        self._know_lists(table)
        self._know_verbs(table)
        self._phrase_memo.clear()

    def _know_times(self, table: Table) -> None:
        """Know dates, hours and amounts, which a phrase of any other table may hold."""
        self.clitics = Clitics(table)
        self.before_dates = frozenset(table.words("before_dates", "structure"))
        self.datives = frozenset(table.words("datives", "structure"))
        self.genitives = frozenset(table.words("genitives", "structure"))
        self.measures = Measures(table, self.base, self.numbers.applied)
        self.symbols = self.measures.symbols
        self.calendar = calendar_of(table, self.base)
        self.clock = clock_of(table, self.base)
        self.spoken_hours = spoken_hours_of(table, self.base)
        self.seasons = seasons_of(table, self.base)
        self.figures = Figures(table)
        self.ranges = Ranges(table, self.base)
        clock, seasons = self.clock, self.seasons
        signs = clock.signs | clock.to | self.calendar.signs | seasons.periods | seasons.naming
        self.timing = signs | self.ranges.signs
        """Words without one of which, or a date in figures, nothing around a time is told."""
        self.hours = Hours(dict(table.alternatives("calendar")).get("at", ()))
        self.quantities = Phrases(
            (self._counted(k), self._counted(v))
            for k, v in (*table.pairs("quantities"), *short_names(table))
        )

    def _know_equals(self, table: Table) -> None:
        """Know what stands for what; single words are what phrases leave over."""
        self.openers = self._phrases([("", table.phrases("openers"))])
        self.filling = frozenset(map(self._remembered, table.phrases("fillers")))
        self.verbs = verb_forms(table)
        self.nominal_passive = NominalPassive(table, self._remembered)
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
        self.frames = Frames(
            (*table.alternatives("synonyms"), *self.verbs),
            lambda part: tuple(self.synonyms.applied(list(self._remembered(part)))),
        )
        self.rewrites = self._phrases(((v, (k,)) for k, v in table.pairs("rewrites")), final=True)
        self.particles = Particles(
            (*table.alternatives("synonyms"), *self.verbs),
            self.final,
            lambda head: tuple(self.single.get(token, token) for token in self._remembered(head)),
        )
        self.figured = frozenset(
            other
            for _, others in table.alternatives("synonyms")
            for other in others
            if " " not in other and _FIGURED.search(other)
        )
        """Words with letters and figures that stand for others: k8s."""
        self.silent = frozenset(self.final(word) for word in table.words("silent"))
        self.common = self.silent | {self.final(word) for word in table.words("markers")}
        self.asides = self._phrases([("", table.phrases("asides"))])

    def _know_denials(self, table: Table) -> None:
        """Know opposites, denials and the words that turn a fact."""
        self.opposites = {
            self.final(word): self.final(base) for word, base in table.pairs("opposites")
        }
        turned_back = frozenset(table.words("reversed", "negation"))
        self.reversals = frozenset(
            self.final(word) for word, base in table.pairs("opposites") if base in turned_back
        )
        self.negation = frozenset(map(self.final, table.words("words", "negation")))
        self.negation |= {"not"} if self.code == "en" else set()
        self.denial = frozenset(map(self.final, table.words("denial", "negation"))) - {"not"}
        self.negative_pieces = alternation(table.words("pieces", "negation"))
        needing = table.phrases("needing", "negation")
        self.needing = re.compile(rf"\b(?:{any_of(needing)})\b") if needing else None
        self.classes = self._classes(table)
        self.antonyms = self._antonyms(table)
        told = (*self.negation, *self.denial, *self.antonyms, *self.classes)
        self.telling = frozenset(w for w in told if not ("0" <= w[:1] <= "9" or is_dated(w)))
        """Words that deny, have an opposite or are of a class, and are no number and no date."""
        self.not_denials = frozenset(table.words("exceptions", "negation"))
        self.turned_back = frozenset(table.words("reversed", "negation"))
        self.retracting = self._set(table.group("negation"), "retracting")
        self.amending = frozenset(table.words("amending", "negation"))
        self.amending |= frozenset(table.words("retracting", "negation"))
        self.denied_verbs = frozenset(table.words("verbs", "negation"))

    def _know_grammar(self, table: Table) -> None:
        """Know the order of a clause, the passive, and who does it."""
        self.syntax = Syntax(table, self.final, self.classes, self.negation)
        self.passive = Passive(table, self.final)
        self.measured = Measured(table, self.passive.modals)
        self.agents = Agents(table, self.final)
        self.unsaid = self.silent | self.syntax.copula
        """Words between two denials that do not keep them from being none."""
        self.known_verbs = frozenset(self.known_gerunds.values()) | self.passive.past.keys()

    def _know_places(self, table: Table) -> None:
        """Know the words that begin a part of a sentence, and what may stand where."""
        structure = table.group("structure")
        self.fronting = self._set(structure, "fronting")
        self.additions = self._set(structure, "additions")
        self.by = self._set(structure, "by")
        self.referring = self._set(structure, "referring")
        self.sequence = self._set(structure, "sequence")
        self.articles = self._set(structure, "articles")
        self.often = self._set(structure, "often")
        self.determiners = frozenset(table.words("determiners", "structure"))
        self.after_openers = self.articles | self.referring | self.determiners | PRONOUNS
        self.nominal = frozenset(map(self.base, table.words("nominal", "structure")))
        self.times = table.phrases("times", "structure")

    def _know_parts(self, table: Table) -> None:
        """Know what a word does to its sentence: it points, stresses, owns or happens."""
        structure = table.group("structure")
        self.pausing = self._set(structure, "pausing")
        self.focusing = self._set(structure, "focusing")
        self.definite = self._set(structure, "definite")
        self.two_way = self._set(structure, "two_way")
        self.distributing = self._set(structure, "distributing")
        self.indefinite = self._set(structure, "indefinite")
        self.not_agents = self._set(structure, "not_agents")
        self.fused = self._set(structure, "fused")
        self.stressing = self._set(structure, "stressing")
        self.events = self._set(structure, "events")
        self.properties = self._set(structure, "properties")
        self.impersonal = self._set(structure, "impersonal")
        self.adverbs = self._set(structure, "adverbs")

    def _know_lists(self, table: Table) -> None:
        """Know the words around the members of a list, and those by which its order counts."""
        structure = table.group("structure")
        self.scant = self._set(structure, "scant")
        self.ordering = self._set(structure, "ordering")
        self.conjunctions = self._set(structure, "conjunctions")
        self.either = self._set(structure, "either")
        self.list_before = self._set(structure, "list_before")
        self.list_leads = self._set(structure, "list_leads")
        self.list_after = self._set(structure, "list_after")
        self.steps = alternation(split_phrases(str(structure.get("steps", "")))) or _NOTHING

    def _know_verbs(self, table: Table) -> None:
        """Know verbs, and the words by which a claim is told more plainly."""
        structure = table.group("structure")
        self.sides = Sides(table, self.final, self._canonical)
        self.light = self._set(structure, "light") | self.sides.words
        verbs = (*table.words("verbs", "regular"), *dict(table.alternatives("participles")))
        self.verb_bases = frozenset(map(self.final, verbs))
        self.plain_words = PlainWords(table, self.final)
        self.verb_heads = frozenset(self.final(head.split()[0]) for head, _ in self.verbs)
        self.becoming = self._set(structure, "becoming")
        self.acting = self._set(structure, "acting")
        self.unchanging = frozenset(table.words("unchanging", "regular"))
        self.unchanging_heads = frozenset(map(self.final, self.unchanging))
        self.past_verbs = frozenset(table.words("verbs", "regular"))

    def spelt_out(self, folded: str) -> str:
        """Return a folded text without contractions, and each piece of its script in one form."""
        if self.abbreviations is not None and ". " in folded:
            folded = self.abbreviations.sub(r"\1", folded)
        if "'" in folded or not folded.isascii():
            for short, long in self.contractions:
                folded = folded.replace(short, long)
        elif "cannot" in folded:
            folded = folded.replace("cannot", "can not")
        folded = self.writing.folded(folded)
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
        if self.by_rule:
            word = respelt(word, self._british, self._single_l)
        elif token not in self._kept:
            word = self._respelt(word)
            word = self._spelling.get(word, word)
        if word in self.known_gerunds:
            return self._base(self.known_gerunds[word])
        if word in self._forms:
            return self._forms[word]
        if not self.by_rule:
            word = self._respelt(self._without_ending(word))
            return self._spelling.get(word, word)
        word = z_spelling(stem(word))
        return self._spelling.get(word, word)

    def _without_ending(self, word: str) -> str:
        if word in self._kept:
            return word
        for ending, instead in self._endings:
            if word.endswith(ending) and len(word) >= len(ending) + 3:
                return word[: -len(ending)] + instead
        return word

    def _respelt(self, word: str) -> str:
        """Return a word with the letters and the beginnings that a reform changed."""
        if word in self._kept:
            return word
        for old, new in self._letters:
            if old in word:
                word = word.replace(old, new)
        for old, new in self._initials:
            if word.startswith(old) and len(word) > len(old) + 1:
                return new + word[len(old) :]
        return word

    def final(self, word: str) -> str:
        """Return what a single word of a table becomes in a text."""
        base = self.base(self.numbers.applied([word])[0])
        return self.single.get(base, base)

    def prepared(self, phrase: str) -> tuple[str, ...]:
        """Return the tokens of a phrase up to where phrases are looked for."""
        return tuple(self.plain_tokens(split(phrase, marks=False)))

    def _remembered(self, phrase: str) -> tuple[str, ...]:
        """Return a phrase prepared, once for all tables: most stand in two or three."""
        found = self._phrase_memo.get(phrase)
        if found is None:
            found = self._phrase_memo[phrase] = self.prepared(phrase)
        return found

    def plain_tokens(self, tokens: list[str]) -> list[str]:
        """Return tokens with number words, units and dates in one form, each word in its base."""
        if self.clitics.are_known:
            tokens = self.clitics.climbed(tokens)
        tokens = self.numbers.applied(self.bare.applied(tokens))
        known, base = self._memo, self.base
        tokens = [known[token] if token in known else base(token) for token in tokens]
        tokens = self.quantities.applied(tokens)
        if self.datives and not (self.datives | self.genitives).isdisjoint(tokens):
            tokens = without_old_endings(tokens, self.datives, self.genitives)
        if self.spoken_hours.signs:
            tokens = self.spoken_hours.applied(tokens)
        if not self.timing.isdisjoint(tokens) or any_dated(tokens):
            tokens = self.calendar.applied(self.clock.applied(tokens))
            if self.before_dates:
                tokens = without_articles_of_dates(tokens, self.before_dates)
            tokens = self.ranges.applied(self.seasons.applied(tokens))
        return self.measures.applied(tokens)

    def _counted(self, phrase: str) -> tuple[str, ...]:
        if "timeq" in phrase or phrase.startswith(("dateq", "dayq")) or "#." in phrase:
            return tuple(map(self.base, phrase.split()))
        return tuple(self.base(token) for token in self.numbers.applied(split(phrase)))

    def _phrases(
        self, entries: Iterable[tuple[str, Sequence[str]]], *, final: bool = False
    ) -> Phrases:
        """Return rules from (what stands for it, phrases); single words too.

        A head of which a shorter phrase would take a part stands for itself.
        """
        rules, heads = list[Rule](), list[Rule]()
        for head, phrases in entries:
            if GAP in head:
                continue
            result = self._remembered(head)
            if final:
                result = tuple(self.single.get(token, token) for token in result)
            for phrase in phrases:
                if GAP in phrase:
                    continue
                pattern = self._remembered(phrase)
                if final:
                    pattern = tuple(self.single.get(token, token) for token in pattern)
                if pattern != result:
                    rules.append((pattern, result))
            if phrases and len(result) > 1 and not final:
                heads.append((result, result))
        found = Phrases(rules)
        taken = [rule for rule in heads if found.applied(list(rule[0])) != list(rule[0])]
        return Phrases([*rules, *taken]) if taken else found

    def _single(self, table: Table) -> dict[str, str]:
        """Return base word -> base word of every synonym of one word for one word."""
        found: dict[str, str] = {}
        for head, others in (*table.alternatives("synonyms"), *self.verbs):
            if GAP in head:
                continue
            result = self._remembered(head)
            for other in others:
                pattern = self._remembered(other)
                if len(pattern) == len(result) == 1 and pattern != result:
                    found.setdefault(pattern[0], result[0])
        return found

    def _set(self, group: Mapping[str, object], name: str) -> frozenset[str]:
        return frozenset(self.final(word) for word in str(group.get(name, "")).split())

    def _canonical(self, phrase: str) -> tuple[str, ...]:
        tokens = self.synonyms.applied(list(self.prepared(phrase)))
        return tuple(self.single.get(token, token) for token in tokens)

    def is_acting(self, word: str) -> bool:
        """Return True for a word that may be a verb."""
        return word in self.verb_bases or word in self.acting

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


@lru_cache(maxsize=32)
def language_named(code: str) -> Language:
    """Return a language made ready."""
    return Language(table_of(code))
