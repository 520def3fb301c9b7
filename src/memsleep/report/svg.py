"""Plots as inline SVG, drawn by hand: no script, no font, colours from the page's own classes.

Every plot says in `<title>` and `<desc>` what it shows, so that it can be read aloud. Coordinates
have one decimal, so that the bytes are the same on any machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup

from memsleep.report.data import Budget, Histogram, Mark
from memsleep.report.words import number

WIDTH, HEIGHT = 360, 190
LEFT, RIGHT, TOP, BOTTOM = 30, 12, 38, 24
GAP = 1.5  # between two bars
_LABEL_WIDTH = 6.6  # of one character at the size of the mark labels


def _at(value: float) -> str:
    return f"{value:.1f}"


class _Scale:
    """From values to coordinates."""

    def __init__(self, histogram: Histogram) -> None:
        self.low, self.high = histogram.edges[0], histogram.edges[-1]
        self.top = nice_top(max(histogram.counts, default=0))

    def x(self, value: float) -> float:
        """Return the place of a value on the axis, kept inside the plot."""
        share = (value - self.low) / ((self.high - self.low) or 1)
        return LEFT + min(max(share, 0), 1) * (WIDTH - LEFT - RIGHT)

    def y(self, count: float) -> float:
        """Return the height of a count."""
        return HEIGHT - BOTTOM - count / self.top * (HEIGHT - TOP - BOTTOM)


def nice_top(most: int) -> int:
    """Return a round number that is not below `most`; from 10 on its half is whole."""
    if most <= 8:
        return next(top for top in (1, 2, 3, 4, 5, 6, 8) if top >= most)
    unit = 1
    while 80 * unit < most:
        unit *= 10
    return next(
        top * unit for top in (10, 12, 16, 20, 24, 30, 40, 50, 60, 80) if top * unit >= most
    )


def _bars(histogram: Histogram, scale: _Scale) -> Iterator[Markup]:
    bar = Markup('<rect class="bar band{}" x="{}" y="{}" width="{}" height="{}" rx="1"/>')
    bins = zip(pairwise(histogram.edges), histogram.counts, strict=True)
    for (low, high), count in bins:
        if not count:
            continue
        band = sum(mark.value <= (low + high) / 2 for mark in histogram.marks)
        left, right = scale.x(low) + GAP / 2, scale.x(high) - GAP / 2
        top = min(scale.y(count), scale.y(0) - 1.5)  # one memory in thousands is still seen
        yield bar.format(
            band, _at(left), _at(top), _at(max(right - left, 0.5)), _at(scale.y(0) - top)
        )


class _Label:
    """Where the words of a mark stand."""

    def __init__(self, mark: Mark, scale: _Scale) -> None:
        self.x = scale.x(mark.value)
        self.words = f"{mark.label} {number(mark.value)}"
        self.width = len(self.words) * _LABEL_WIDTH
        self.anchor = "middle"
        self.level = 0

    @property
    def left(self) -> float:
        """Return where the words begin."""
        shift = {"start": 0.0, "middle": self.width / 2, "end": self.width}[self.anchor]
        return self.x - shift


def _labels(marks: Sequence[Mark], scale: _Scale) -> list[_Label]:
    """Place the words: beside their line rather than across another one, else a level lower."""
    labels = [_Label(mark, scale) for mark in marks]
    for one, other in pairwise(labels):
        if one.x + one.width / 2 + 6 > other.x - other.width / 2:
            one.anchor = "end" if one.anchor == "middle" else one.anchor
            other.anchor = "start"
    ends = [0.0, 0.0, 0.0]  # where the last words of each level end
    for label in labels:
        if label.left < 0:
            label.anchor = "start"
        if label.left + label.width > WIDTH:
            label.anchor = "end"
        label.level = next((level for level in (0, 1) if label.left >= ends[level]), 2)
        ends[label.level] = label.left + label.width + 4
    return labels


def _baseline(label: _Label) -> float:
    return 11 + 12 * label.level


def _marks(marks: Sequence[Mark], scale: _Scale) -> Iterator[Markup]:
    line = Markup('<line class="mark" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>')
    text = Markup('<text class="mark-label" x="{}" y="{}" text-anchor="{}">{}</text>')
    labels = _labels(marks, scale)
    for label in labels:
        yield line.format(_at(label.x), _at(_baseline(label) + 3), _at(scale.y(0)))
    for label in labels:  # after all lines, so that words stand on top of them
        yield text.format(_at(label.x), _at(_baseline(label)), label.anchor, label.words)


def ticks(low: float, high: float) -> list[float]:
    """Return round values between two ends, seven at most."""
    step = next(
        unit * 10.0**power
        for power in range(-6, 12)
        for unit in (1, 2, 5)
        if (high - low) / (unit * 10.0**power) <= 6.5
    )
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(count * step, 9) for count in range(first, last + 1)]


def _axes(scale: _Scale) -> Iterator[Markup]:
    tick = Markup('<text class="tick" x="{}" y="{}" text-anchor="{}">{}</text>')
    grid = Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>')
    counts = (0, scale.top // 2, scale.top) if scale.top % 2 == 0 else (0, scale.top)
    for count in counts:
        y = scale.y(count)
        yield grid.format(LEFT, WIDTH - RIGHT, _at(y), _at(y))
        yield tick.format(LEFT - 5, _at(y + 3.5), "end", number(count))
    for value in ticks(scale.low, scale.high):
        yield tick.format(_at(scale.x(value)), HEIGHT - 8, "middle", number(value))


def describe(histogram: Histogram) -> str:
    """Return in words how many values lie below, between and above the marks."""
    edges = [mark.value for mark in histogram.marks]
    middles = [(low + high) / 2 for low, high in pairwise(histogram.edges)]
    parts = []
    for low, high in zip([None, *edges], [*edges, None], strict=True):
        count = sum(
            count
            for middle, count in zip(middles, histogram.counts, strict=True)
            if (low is None or low <= middle) and (high is None or middle < high)
        )
        if low is None:
            span = "in all" if high is None else f"below {number(high)}"
        elif high is None:
            span = f"from {number(low)} up"
        else:
            span = f"from {number(low)} to {number(high)}"
        parts.append(f"{number(count)} {span}")
    return ", ".join(parts) + "."


def histogram_svg(histogram: Histogram, *, name: str, title: str) -> Markup:
    """Return a histogram with its marks; nothing where there are no bins."""
    if len(histogram.edges) < 2 or len(histogram.counts) != len(histogram.edges) - 1:
        return Markup("")
    scale = _Scale(histogram)
    inside = Markup("").join(
        [
            *_axes(scale),
            *_bars(histogram, scale),
            *_marks(histogram.marks, scale),
        ]
    )
    return Markup(
        '<svg class="plot" role="img" viewBox="0 0 {w} {h}" aria-labelledby="{n}-title" '
        'aria-describedby="{n}-desc">'
        '<title id="{n}-title">{t}</title><desc id="{n}-desc">{d}</desc>{i}</svg>'
    ).format(w=WIDTH, h=HEIGHT, n=name, t=title, d=describe(histogram), i=inside)


def budget_svg(budget: Budget, *, name: str) -> Markup:
    """Return a bar that is filled as far as the budget is spent."""
    share = min(budget.used / budget.limit, 1) if budget.limit else float(budget.used > 0)
    state = "full" if budget.used >= budget.limit else "room"
    return Markup(
        '<svg class="gauge" role="img" viewBox="0 0 100 6" preserveAspectRatio="none" '
        'aria-labelledby="{n}-title"><title id="{n}-title">{b}: {u} of {limit} used</title>'
        '<rect class="track" width="100" height="6"/>'
        '<rect class="used {state}" width="{w}" height="6"/></svg>'
    ).format(
        n=name,
        b=budget.name,
        u=number(budget.used),
        limit=number(budget.limit),
        state=state,
        w=_at(100 * share),
    )


def size_svg(size: int, most: int) -> Markup:
    """Return a bar as long as a community is big, next to figures that say the same."""
    width = 100 * size / most if most else 0
    return Markup(
        '<svg class="size" aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none">'
        '<rect class="track" width="100" height="4"/>'
        '<rect class="share" width="{}" height="4"/></svg>'
    ).format(_at(width))
