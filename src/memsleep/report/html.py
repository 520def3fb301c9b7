"""The report as one HTML file that needs nothing else: no network, no script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from memsleep.report import svg, words
from memsleep.report.data import Histogram, Report, Text
from memsleep.report.shown import cut, markup, markup_path, markup_prose
from memsleep.report.worddiff import Piece, word_diff

BODY_LIMIT = 6000  # characters of a body that are shown; the rest is in the file
CARDS_UNFOLDED = 8  # decisions under one heading that are shown before the rest is folded
OPEN_LIMIT = 900  # characters up to which both bodies are shown unfolded
_TAGS = {"ins": Markup("<ins>{}</ins>"), "del": Markup("<del>{}</del>")}


def _marked(pieces: list[Piece], tag: str) -> Markup:
    return Markup("").join(
        _TAGS[tag].format(markup(piece.text)) if piece.differs else markup(piece.text)
        for piece in pieces
    )


def _rest(text: Text) -> str:
    """Return the body without the gist that it opens with."""
    body = text.body.strip("\r\n ")
    return body.removeprefix(text.gist).strip("\r\n ") if text.gist else body


class Side:
    """One of two texts, ready to be shown beside the other."""

    def __init__(self, text: Text, role: str, gist: Markup, body: Markup, left_out: int) -> None:
        self.text = text
        self.role = role
        self.gist = gist
        self.body = body
        self.left_out = left_out


def sides(first: Text, second: Text, roles: tuple[str, str] = ("", "")) -> tuple[Side, Side]:
    """Return two texts with what only one of them says marked: `ins` first, `del` second."""
    first_gist, second_gist = word_diff(first.gist, second.gist)
    first_text, first_left = cut(_rest(first), BODY_LIMIT)
    second_text, second_left = cut(_rest(second), BODY_LIMIT)
    first_body, second_body = word_diff(first_text, second_text)
    return (
        Side(first, roles[0], _marked(first_gist, "ins"), _marked(first_body, "ins"), first_left),
        Side(
            second, roles[1], _marked(second_gist, "del"), _marked(second_body, "del"), second_left
        ),
    )


def one_side(text: Text, role: str = "") -> Side:
    """Return one text alone."""
    body, left = cut(_rest(text), BODY_LIMIT)
    return Side(text, role, markup(text.gist), markup(body), left)


def _unfolded(*shown: Side) -> bool:
    return sum(len(side.body.striptags()) for side in shown) <= OPEN_LIMIT


def _same_rest(shown: list[Side]) -> bool:
    """Return True where both texts go on alike, white space aside."""
    rests = {" ".join(re.split(r"[ \t\r\n]+", _rest(side.text))) for side in shown}
    return len(shown) > 1 and len(rests) == 1


def _anchor(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "-", value)


def _figure(match: re.Match[str]) -> str:
    return f"<b>{match[1]}</b>" + ("&nbsp;" if match[2] else "")


def _figures(sentence: str) -> Markup:
    """Return a sentence with its figures set apart."""
    # A figure stays on one line with the word that it counts.
    marked = re.sub(r"([0-9][0-9,]*)( ?)", _figure, str(escape(sentence)))
    return Markup(marked)  # noqa: S704


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("memsleep.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        safe_text=markup,
        prose=markup_prose,
        path=markup_path,
        number=words.number,
        anchor=_anchor,
        figures=_figures,
    )
    environment.globals.update(
        sides=sides,
        one_side=one_side,
        unfolded=_unfolded,
        same_rest=_same_rest,
        words=words,
        svg=svg,
    )
    return environment


def _sections(report: Report) -> list[tuple[str, str, int | None]]:
    """Return anchor, name and count of the sections that are shown."""
    waiting = len(report.deferred) + len(report.advisory)
    changed = len(report.decisions) + (1 if report.decayed else 0)
    files = len(report.unreadable) + len(report.warnings) + len(report.dangling)
    return [
        ("needs-you", "Needs you", len(report.reviews)),
        ("changed", "What changed", changed),
        ("waiting", "Waiting", waiting),
        ("next", "Coming up", len(report.upcoming)),
        ("apart", "Kept apart", report.candidates.refused_count),
        ("corpus", "The corpus", None),
        ("files", "Files to look at", files + len(report.not_applied)),
        ("night", "The night itself", None),
    ]


def _plots(report: Report) -> list[tuple[Histogram, str, str, str, str]]:
    """Return histogram, anchor, name, the question it answers and its class."""
    return [
        (
            report.retention,
            "plot-retention",
            "Retention",
            "How many memories are close to going? Left of the first line they may go.",
            "bands",
        ),
        (
            report.similarity,
            "plot-similarity",
            "Similarity of neighbours",
            "How many pairs are close to a floor? Right of the last line they are candidates.",
            "pairs",
        ),
    ]


def _context(report: Report) -> Mapping[str, object]:
    return {
        "report": report,
        "changes": words.changes_line(report),
        "need": words.need_line(report),
        "unfolded_cards": CARDS_UNFOLDED,
        "largest": max((community.size for community in report.communities), default=0),
        "plots": [plot for plot in _plots(report) if plot[0].counts],
        "sections": _sections(report),
        "alerts": words.alerts(report),
        "groups": words.grouped(report.decisions),
    }


def to_html(report: Report) -> bytes:
    """Return the report as UTF-8 HTML: the same report, the same bytes."""
    page = _environment().get_template("report.html.j2").render(_context(report))
    return page.encode()
