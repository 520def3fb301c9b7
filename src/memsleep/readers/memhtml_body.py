"""What the article of a memhtml file says: claim, text, properties, sources, terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memsleep.model import Citation, Facet
from memsleep.readers.memhtml_tree import Item, Tree
from memsleep.readers.memhtml_values import js_number, js_trim


@dataclass(frozen=True, slots=True)
class Body:
    """The readings of one article, in document order, duplicates included."""

    gist: str
    text: str
    event_time: str | None
    facets: tuple[Facet, ...]
    citations: tuple[Citation, ...]
    terms: tuple[str, ...]
    languages: tuple[str, ...]
    """Languages of code, lower case."""
    summaries: tuple[str, ...]
    asides: tuple[str, ...]
    captions: tuple[str, ...]
    abbreviations: tuple[str, ...]
    """What the abbreviations stand for."""

    @property
    def quotable(self) -> str:
        """What may be quoted without its surroundings: never an aside, a fold or a paragraph."""
        facets = (f"{facet.name}: {facet.value}" for facet in self.facets)
        citations = (citation.text for citation in self.citations)
        lines = map(js_trim, (self.gist, *self.summaries, *facets, *citations))
        return "\n".join(line for line in lines if line)


def body_of(tree: Tree, article: Item, mark: Item) -> Body:
    """Read an article whose claim is `mark`."""
    groups: dict[str, list[Item]] = {}
    for item in tree.below(article):
        groups.setdefault(item.tag, []).append(item)

    def texts(tag: str) -> tuple[str, ...]:
        return tuple(text for item in groups.get(tag, ()) if (text := tree.text_of(item)))

    times = groups.get("time")
    quotes = sorted([*groups.get("cite", ()), *groups.get("q", ())], key=lambda item: item.index)
    return Body(
        gist=tree.claim_of(mark),
        text=tree.text_of(article),
        event_time=times[0].attr("datetime") if times else None,
        facets=tuple(facet for dl in groups.get("dl", ()) for facet in _facets(tree, dl)),
        citations=tuple(_citations(tree, quotes)),
        terms=texts("dfn"),
        languages=tuple(
            language.lower() for language in _attributes(groups.get("code", ()), "data-lang")
        ),
        summaries=texts("summary"),
        asides=texts("aside"),
        captions=texts("figcaption"),
        abbreviations=tuple(_attributes(groups.get("abbr", ()), "title")),
    )


def _facets(tree: Tree, dl: Item) -> Iterator[Facet]:
    """Yield the properties of one list; only its direct children count."""
    name: str | None = None
    for child in tree.children(dl):
        if child.tag == "dt":
            name = tree.text_of(child)
        elif child.tag == "dd" and name is not None:
            yield Facet(name, tree.text_of(child), _number(tree, child))


def _number(tree: Tree, dd: Item) -> float | None:
    """Return the first finite number that a `data` element below states."""
    for data in tree.named("data", dd):
        number = js_number(data.attr("value") or "")
        if number is not None:
            return number
    return None


def _citations(tree: Tree, quotes: Iterable[Item]) -> Iterator[Citation]:
    """Yield the sources that say something."""
    for item in quotes:
        text = tree.text_of(item)
        if text:
            yield Citation(text, item.attr("cite") if item.tag == "q" else None)


def _attributes(items: Iterable[Item], name: str) -> Iterator[str]:
    """Yield the trimmed values of an attribute that are not blank."""
    for item in items:
        value = js_trim(item.attr(name) or "")
        if value:
            yield value
