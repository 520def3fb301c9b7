"""Articles that go with an old ending or with a date: `dem Tage`, `Dienstag, den 4. August`."""

from __future__ import annotations

from collections.abc import Sequence

_SHORTEST = 4
"""Letters of the shortest noun with such an ending."""


def without_old_endings(
    tokens: Sequence[str], datives: frozenset[str], genitives: frozenset[str]
) -> list[str]:
    """Return tokens whose nouns behind `dem` and `des` have the shorter ending.

    Only the case lets it go, so that no other word is touched: `die Tage` are many days.

    Examples
    --------
    >>> without_old_endings("an dem tage des jahres die tage".split(), frozenset({"dem"}),
    ...     frozenset({"des"}))
    ['an', 'dem', 'tag', 'des', 'jahrs', 'die', 'tage']
    """
    result = list(tokens)
    for place, token in enumerate(tokens):
        if token not in datives and token not in genitives:
            continue
        noun = place + 1
        if noun + 1 < len(tokens) and tokens[noun].endswith("en") and tokens[noun + 1].isalpha():
            noun += 1  # an adjective stands between
        if noun < len(tokens) and len(tokens[noun]) >= _SHORTEST:
            word = tokens[noun]
            if token in datives and word.endswith("e"):
                result[noun] = word[:-1]
            elif token in genitives and word.endswith("es"):
                result[noun] = f"{word[:-2]}s"
    return result


def without_articles_of_dates(tokens: list[str], articles: frozenset[str]) -> list[str]:
    """Return the tokens without the article of a date: Dienstag, den 4. August.

    Examples
    --------
    >>> without_articles_of_dates(["dayq2", ",", "den", "dateqq8q4", "den"], frozenset({"den"}))
    ['dayq2', ',', 'dateqq8q4', 'den']
    """
    if articles.isdisjoint(tokens):
        return tokens
    return [
        token
        for token, after in zip(tokens, [*tokens[1:], ""], strict=True)
        if token not in articles or not after.startswith("dateq")
    ]
