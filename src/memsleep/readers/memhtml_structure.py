"""Violations of structure: head, article, claim, times, presentation, links."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.readers.memhtml_findings import Finding, shown
from memsleep.readers.memhtml_head import Head, title_text
from memsleep.readers.memhtml_tree import Item, Tree
from memsleep.readers.memhtml_values import is_instant, is_root_relative
from memsleep.readers.memhtml_vocabulary import META_INDEX, REPEATABLE, REQUIRED, relation_of


def head_findings(tree: Tree, head: Head) -> Iterator[Finding]:
    """Yield what is wrong with the title and the set of metas."""
    titles = tree.named("title")
    if len(titles) != 1:
        line = tree.line(titles[1] if titles else head.item)
        yield Finding("title-count", f"expected one title, found {len(titles)}", line)
    elif not title_text(tree, titles[0]):
        yield Finding("title-blank", "expected a title with text", tree.line(titles[0]))
    stated = {entry.name for entry in head.metas}
    for name in REQUIRED:
        if name not in stated:
            yield Finding("meta-missing", f"expected a meta {name}", tree.line(head.item))
    yield from _name_findings(tree, head)


def _name_findings(tree: Tree, head: Head) -> Iterator[Finding]:
    """Yield one finding per distinct meta name that is unknown or wrongly repeated."""
    by_name: dict[str, list[Item]] = {}
    for entry in head.metas:
        by_name.setdefault(entry.name, []).append(entry.item)
    for name, items in by_name.items():
        if name not in META_INDEX:
            message = f"expected a name of the format, found the meta {shown(name)}"
            yield Finding("meta-unknown", message, tree.line(items[0], "name"))
        elif len(items) > 1 and name not in REPEATABLE:
            message = f"expected one meta {name}, found {len(items)}"
            yield Finding("meta-repeated", message, tree.line(items[1]))


def article_findings(tree: Tree) -> Iterator[Finding]:
    """Yield what is wrong with the one article and its one claim."""
    articles = tree.named("article")
    if len(articles) != 1:
        line = tree.line(articles[1]) if articles else 1
        yield Finding("article-count", f"expected one article, found {len(articles)}", line)
        return
    marks = tree.named("mark", articles[0])
    if len(marks) != 1:
        line = tree.line(marks[1] if marks else articles[0])
        yield Finding("mark-count", f"expected one mark in the article, found {len(marks)}", line)
        return
    yield from _mark_findings(tree, articles[0], marks[0])


def _mark_findings(tree: Tree, article: Item, mark: Item) -> Iterator[Finding]:
    """Yield what is wrong with the claim itself and its place."""
    line = tree.line(mark)
    if not tree.claim_of(mark):
        yield Finding("mark-empty", "expected a claim with text outside code", line)
    around = {item.tag for item in mark.ancestors()}
    hidden = [tag for tag in ("aside", "details") if tag in around]
    for tag in hidden:
        yield Finding(f"mark-in-{tag}", f"expected the mark outside {tag}", line)
    if hidden:
        return
    lead = next((item for item in tree.below(article) if item.tag in {"p", "li"}), None)
    if lead is None:
        message = "expected a p or li in the article, found none"
        yield Finding("no-paragraph", message, tree.line(article))
    elif not lead.index < mark.index < lead.stop:
        yield Finding("mark-not-first", "expected the mark inside the first p or li", line)


def time_findings(tree: Tree) -> Iterator[Finding]:
    """Yield every time element without a proper instant, wherever it stands."""
    for item in tree.named("time"):
        value = item.attr("datetime")
        if value is None:
            message = "expected a datetime attribute on time, found none"
            yield Finding("time-without-datetime", message, tree.line(item))
        elif not is_instant(value):
            message = "expected the datetime of a time to be YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ"
            yield Finding("time-malformed", message, tree.line(item, "datetime"))


def presentation_findings(tree: Tree) -> Iterator[Finding]:
    """Yield every script, style and attribute of presentation or behaviour."""
    for item in tree.items:
        if item.tag in {"script", "style"}:
            message = f"expected no {item.tag} element, found one"
            yield Finding("element-forbidden", message, tree.line(item))
        for name in item.node.attrs:
            if name in {"class", "style"} or (name.startswith("on") and len(name) > 2):
                message = f"expected no attribute {shown(name)}, found one on {shown(item.tag)}"
                yield Finding("attribute-forbidden", message, tree.line(item, name))


def link_findings(tree: Tree, head: Head) -> Iterator[Finding]:
    """Yield every typed link with an unknown relation or an unusable target."""
    for entry in head.links:
        if relation_of(entry.name) is None:
            message = f"expected a relation of the format, found {shown(entry.name)}"
            yield Finding("relation-unknown", message, tree.line(entry.item, "rel"))
        if not entry.value:
            message = f"expected an href on the link {shown(entry.name)}, found none"
            yield Finding("href-missing", message, tree.line(entry.item))
        elif not is_root_relative(entry.value):
            message = f"expected the href of {shown(entry.name)} to be a path such as /areas/a.html"
            yield Finding("href-not-root-relative", message, tree.line(entry.item, "href"))
