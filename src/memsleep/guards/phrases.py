"""Runs of tokens that stand for others, found longest first from left to right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

NUMBER = "#"
"""In a phrase, any token that begins with a digit."""
Rule = tuple[tuple[str, ...], tuple[str, ...]]


class Phrases:
    """Rules `these tokens` -> `those`, by first token."""

    __slots__ = ("_by_first",)

    def __init__(self, rules: Iterable[Rule]) -> None:
        by_first: dict[str, list[Rule]] = {}
        for pattern, result in rules:
            if pattern:
                by_first.setdefault(pattern[0], []).append((pattern, result))
        for found in by_first.values():
            found.sort(key=lambda rule: (-len(rule[0]), rule[0], rule[1]))
        self._by_first: Mapping[str, Sequence[Rule]] = by_first

    def without(self, unwanted: Callable[[Rule], bool]) -> Phrases:
        """Return the rules but for some."""
        rules = (rule for found in self._by_first.values() for rule in found)
        return Phrases(rule for rule in rules if not unwanted(rule))

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with every rule applied once, the longest that fits first."""
        firsts = self._by_first
        if firsts.keys().isdisjoint(tokens) and NUMBER not in firsts:
            return tokens
        result: list[str] = []
        index, count = 0, len(tokens)
        while index < count:
            token = tokens[index]
            rules = firsts.get(token)
            if rules is None and NUMBER in firsts and token[0].isdigit():
                rules = firsts[NUMBER]
            found = self._match(rules, tokens, index) if rules else None
            if found is None:
                result.append(token)
                index += 1
            else:
                result.extend(found[1])
                index += found[0]
        return result

    def at_start(self, tokens: list[str]) -> list[str]:
        """Return the tokens with what stands at their start replaced, as often as it does."""
        while tokens:
            rules = self._by_first.get(tokens[0])
            found = self._match(rules, tokens, 0) if rules else None
            if found is None or found[0] == len(tokens):
                return tokens
            tokens = [*found[1], *tokens[found[0] :]]
        return tokens

    def at_end(self, tokens: list[str], mark: str) -> list[str]:
        """Return the tokens without a last clause that a rule replaces by nothing."""
        places = [i for i, token in enumerate(tokens) if token == mark and i]
        if places:
            last = tokens[places[-1] + 1 :]
            found = self._match(self._by_first.get(last[0], ()), last, 0) if last else None
            if found is not None and found[0] == len(last):
                return tokens[: places[-1]]
        return tokens

    @staticmethod
    def _match(
        rules: Sequence[Rule], tokens: Sequence[str], start: int
    ) -> tuple[int, tuple[str, ...]] | None:
        for pattern, result in rules:
            if start + len(pattern) > len(tokens):
                continue
            number = ""
            for offset, wanted in enumerate(pattern):
                token = tokens[start + offset]
                if wanted == NUMBER:
                    if not token[0].isdigit():
                        break
                    number = token
                elif token != wanted:
                    break
            else:
                filled = tuple(t.replace(NUMBER, number) for t in result) if number else result
                return len(pattern), filled
        return None
