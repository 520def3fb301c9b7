"""What a passive with its agent is made of, from a language's file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memsleep.guards.tables import Table

Rules = Sequence[tuple[str, str]]


class Agents:
    """What a language's passive is made of; empty for a language whose file has none."""

    def __init__(self, table: Table, final: Callable[[str], str]) -> None:
        def words(name: str) -> frozenset[str]:
            return frozenset(map(final, table.words(name, "agents")))

        def rules(name: str) -> Rules:
            parts = (rule.partition(">") for rule in table.words(name, "agents"))
            return [(old, new) for old, _, new in parts]

        self.by = words("by")
        self.have = words("have")
        self.personal = words("personal")
        self.kinds: dict[tuple[str, ...], str] = {
            tuple(map(final, phrase.split())): name
            for name in ("now", "past", "perfect")
            for phrase in table.phrases(name, "agents")
        }
        self.last = table.group("agents").get("participle") == "last"
        """The participle ends its clause."""
        self.worden = words("worden")
        self.prefixes = table.words("prefixes", "agents")
        self._endings: Mapping[str, Rules] = {n: rules(n) for n in ("now_endings", "past_endings")}
        self._agreeing = rules("agreeing")
        self._irregular: dict[str, tuple[str, str]] = {}
        for base, (forms,) in table.alternatives("participles") if self.by else ():
            past, participle = forms.split()
            self._irregular[participle] = (final(base), final(past))
        self.agent_cases = rules("agent_cases")
        self.patient_cases = rules("patient_cases")

    def plain(self, participle: str) -> str:
        """Return a participle without its gender and number."""
        for old, new in self._agreeing:
            if participle.endswith(old):
                return participle[: -len(old)] + new
        return participle

    def actives(self, participle: str, kind: str) -> frozenset[str]:
        """Return the verbs that a participle may be of, in the present or the past."""
        plain = self.plain(participle)
        known = self._irregular.get(plain)
        if known is not None:
            return frozenset(known[kind == "past" : (kind == "past") + 1])
        found = {
            plain[: len(plain) - len(old)] + new
            for old, new in self._endings[f"{kind}_endings"]
            if plain.endswith(old)
        }
        if self.last:
            found = {verb.removeprefix("ge") for verb in found} | found
        return frozenset(found)
