"""Runs of tokens that stand for others, found longest first from left to right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

NUMBER = "#"
"""In a phrase, any token that begins with a digit."""
Rule = tuple[tuple[str, ...], tuple[str, ...]]


class Phrases:
    """Rules `these tokens` -> `those`, by their first two tokens."""

    __slots__ = ("_behind_number", "_by_first", "_starts_with_number")

    def __init__(self, rules: Iterable[Rule]) -> None:
        by_first: dict[str, dict[str, list[Rule]]] = {}
        for pattern, result in rules:
            if pattern:
                second = pattern[1] if len(pattern) > 1 else ""
                by_first.setdefault(pattern[0], {}).setdefault(second, []).append((pattern, result))
        for by_second in by_first.values():
            for found in by_second.values():
                found.sort(key=lambda rule: -len(rule[0]))  # of equals the first told
        self._by_first: Mapping[str, Mapping[str, Sequence[Rule]]] = by_first
        self._starts_with_number = NUMBER in by_first
        self._behind_number = frozenset(by_first.get(NUMBER, ()))
        """Second tokens of the rules that begin with a number; empty if one has any or none."""
        if not self._behind_number.isdisjoint({"", NUMBER}):
            self._behind_number = frozenset()

    def without(self, unwanted: Callable[[Rule], bool]) -> Phrases:
        """Return the rules but for some."""
        rules = (
            r for seconds in self._by_first.values() for found in seconds.values() for r in found
        )
        return Phrases(rule for rule in rules if not unwanted(rule))

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with every rule applied once, the longest that fits first."""
        if not self._may_apply(tokens):
            return tokens
        firsts, numbered = self._by_first, self._starts_with_number
        result: list[str] = []
        done, last = 0, len(tokens) - 1
        for place, token in enumerate(tokens):
            if place < done:
                continue
            seconds = firsts.get(token)
            known = seconds is not None and (
                (place < last and tokens[place + 1] in seconds)
                or "" in seconds
                or NUMBER in seconds
            )
            if known or (numbered and "0" <= token[0] <= "9"):
                found = self._found(tokens, place)
                if found is not None:
                    result += tokens[done:place]
                    result.extend(found[1])
                    done = place + found[0]
        return [*result, *tokens[done:]] if done else tokens

    def _may_apply(self, tokens: Sequence[str]) -> bool:
        """Return False where no token begins a rule: none is a first one, or behind a number."""
        if not self._by_first.keys().isdisjoint(tokens):
            return True
        if not self._starts_with_number:
            return False
        return not self._behind_number or not self._behind_number.isdisjoint(tokens)

    def at_start(self, tokens: list[str], fits: Callable[[Sequence[str], str], bool]) -> list[str]:
        """Return the tokens with what stands at their start replaced, as often as it does.

        `fits` tells from a phrase and the token behind it whether the phrase is meant at all.
        """
        rest = tokens
        while rest:
            found = self._found(rest, 0)
            if found is None or found[0] == len(rest):
                return tokens
            meant = fits(rest[: found[0]], rest[found[0]])
            rest = [*found[1], *rest[found[0] :]]
            tokens = rest if meant else tokens
        return tokens

    def set_apart(self, tokens: list[str], mark: str) -> list[str]:
        """Return the tokens without what stands alone between two marks, or at an end."""
        if mark not in tokens or self._by_first.keys().isdisjoint(tokens):
            return tokens
        result: list[str] = []
        index = 0
        while index < len(tokens):
            if not index or tokens[index - 1] == mark:
                found = self._found(tokens, index)
                stop = index + found[0] if found else 0
                if stop and (stop == len(tokens) or tokens[stop] == mark):
                    index = stop + 1
                    continue
            result.append(tokens[index])
            index += 1
        while result and result[-1] == mark:
            result.pop()
        return result or tokens

    def at_end(self, tokens: list[str], mark: str) -> list[str]:
        """Return the tokens without a last clause that a rule replaces by nothing."""
        if mark in tokens:
            place = len(tokens) - 1 - tokens[::-1].index(mark)
            last = tokens[place + 1 :]
            found = self._found(last, 0) if place and last else None
            if found is not None and found[0] == len(last):
                return tokens[:place]
        return tokens

    def _found(self, tokens: Sequence[str], start: int) -> tuple[int, tuple[str, ...]] | None:
        """Return (tokens used, what stands for them) of the longest rule that fits here."""
        token = tokens[start]
        seconds = self._by_first.get(token)
        best = _longest(seconds, tokens, start) if seconds is not None else None
        if self._starts_with_number and "0" <= token[0] <= "9":
            found = _longest(self._by_first[NUMBER], tokens, start)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
        return best


def _longest(
    seconds: Mapping[str, Sequence[Rule]], tokens: Sequence[str], start: int
) -> tuple[int, tuple[str, ...]] | None:
    """Return what the longest rule makes that fits here; all of them begin with the same token."""
    best = None
    if start + 1 < len(tokens):
        after = tokens[start + 1]
        rules = seconds.get(after)
        if rules is not None:
            best = _match(rules, tokens, start)
        if "0" <= after[0] <= "9" and NUMBER in seconds:
            found = _match(seconds[NUMBER], tokens, start)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
    if best is None and "" in seconds:
        return _match(seconds[""], tokens, start)
    return best


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
