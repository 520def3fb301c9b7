"""The plots."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Tree

import pytest

from memsleep.report.data import Budget, Histogram, Mark
from memsleep.report.svg import budget_svg, describe, histogram_svg, nice_top, size_svg, ticks

BANDS = (Mark(value=0.3, label="may go below"), Mark(value=0.7, label="stays above"))
TEN = Histogram(
    edges=tuple(step / 10 for step in range(11)),
    counts=(0, 1, 2, 3, 4, 5, 6, 7, 8, 0),
    marks=BANDS,
)


def drawn(histogram: Histogram) -> Tree.Element:
    return Tree.fromstring(histogram_svg(histogram, name="plot", title="A <plot>"))


def test_one_bar_per_bin_that_holds_something() -> None:
    """Empty bins have no bar; heights grow with the counts; bands colour the bars."""
    bars = list(drawn(TEN).iter("rect"))
    assert [bar.get("class") for bar in bars] == ["bar band0"] * 2 + ["bar band1"] * 4 + [
        "bar band2"
    ] * 2
    heights = [float(bar.get("height", "")) for bar in bars]
    assert heights == sorted(heights)
    assert heights[7] == pytest.approx(8 * heights[0], abs=0.5)


def test_bars_do_not_overlap_and_lie_inside() -> None:
    """Bars stand side by side inside the picture."""
    picture = drawn(TEN)
    width = float(picture.get("viewBox", "").split()[2])
    end = 0.0
    for bar in picture.iter("rect"):
        left = float(bar.get("x", ""))
        assert left >= end
        end = left + float(bar.get("width", ""))
    assert end <= width


def test_marks_are_drawn_where_they_are() -> None:
    """A mark at 0.3 stands between the bar before and the bar after it, with its words."""
    picture = drawn(TEN)
    lines = [line for line in picture.iter("line") if line.get("class") == "mark"]
    bars = list(picture.iter("rect"))
    assert (
        float(bars[1].get("x", "")) < float(lines[0].get("x1", "")) <= float(bars[2].get("x", ""))
    )
    words = [text.text for text in picture.iter("text") if text.get("class") == "mark-label"]
    assert words == ["may go below 0.3", "stays above 0.7"]


@pytest.mark.parametrize(
    "values", [(0.3, 0.32), (0.9, 0.98), (0.0, 0.02), (0.5, 0.52, 0.54), (1.0,)]
)
def test_words_of_marks_do_not_overlap(values: tuple[float, ...]) -> None:
    """However close the marks, their words stand apart, inside the picture."""
    marks = tuple(Mark(value=value, label="some words") for value in values)
    picture = drawn(TEN.model_copy(update={"marks": marks}))
    taken: dict[str, float] = {}
    for text in picture.iter("text"):
        if text.get("class") != "mark-label":
            continue
        width = 6.6 * len(text.text or "")
        shift = {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor", "")]
        left = float(text.get("x", "")) - shift
        assert left >= taken.get(text.get("y", ""), 0)
        taken[text.get("y", "")] = left + width
        assert left + width <= 361


def test_it_can_be_read_aloud() -> None:
    """Name and description are there, referred to by id, and say the figures."""
    picture = drawn(TEN)
    assert picture.get("role") == "img"
    title, description = picture.find("title"), picture.find("desc")
    assert title is not None
    assert description is not None
    assert (title.get("id"), title.text) == (picture.get("aria-labelledby"), "A <plot>")
    assert description.get("id") == picture.get("aria-describedby")
    assert description.text == "3 below 0.3, 18 from 0.3 to 0.7, 15 from 0.7 up."


@pytest.mark.parametrize(
    ("histogram", "words"),
    [
        (Histogram(edges=(0, 1), counts=(7,)), "7 in all."),
        (
            Histogram(edges=(0, 1, 2), counts=(7, 2), marks=(Mark(value=1, label="x"),)),
            "7 below 1, 2 from 1 up.",
        ),
    ],
)
def test_describe(histogram: Histogram, words: str) -> None:
    """The counts below, between and above the marks add up to all."""
    assert describe(histogram) == words


@pytest.mark.parametrize(
    "histogram",
    [
        Histogram(),
        Histogram(edges=(0, 1)),
        Histogram(edges=(0, 1), counts=(1, 2)),
        Histogram(edges=(0,)),
    ],
)
def test_no_plot_without_bins(histogram: Histogram) -> None:
    """Nothing is drawn where there is nothing to draw."""
    assert histogram_svg(histogram, name="plot", title="t") == ""


def test_all_zero_counts_still_draw_axes() -> None:
    """A histogram without any value has axes and no bars."""
    assert not list(drawn(Histogram(edges=(0, 1), counts=(0,))).iter("rect"))


@pytest.mark.parametrize(
    ("most", "top"),
    [
        (0, 1),
        (1, 1),
        (3, 3),
        (7, 8),
        (9, 10),
        (11, 12),
        (41, 50),
        (81, 100),
        (108, 120),
        (999, 1000),
    ],
)
def test_nice_top(most: int, top: int) -> None:
    """The axis ends at a round number that no bar exceeds."""
    assert nice_top(most) == top


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0.4, 1, [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        (-0.2, 1, [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0.83, 0.97, [0.85, 0.9, 0.95]),
    ],
)
def test_ticks(low: float, high: float, expected: list[float]) -> None:
    """Ticks stand at round values inside the axis."""
    assert ticks(low, high) == expected


@pytest.mark.parametrize(
    ("used", "limit", "width", "state"),
    [
        (0, 4, "0.0", "room"),
        (3, 4, "75.0", "room"),
        (4, 4, "100.0", "full"),
        (9, 4, "100.0", "full"),
        (0, 0, "0.0", "full"),
    ],
)
def test_budget_bar(used: int, limit: int, width: str, state: str) -> None:
    """The bar is filled as far as the budget is spent, never beyond its end."""
    bar = Tree.fromstring(budget_svg(Budget(name="<b>", used=used, limit=limit), name="b"))
    filled = bar.findall("rect")[1]
    assert filled.get("width") == width
    assert filled.get("class") == f"used {state}"
    assert bar.findtext("title") == f"<b>: {used} of {limit} used"


def test_no_coordinate_has_more_than_one_decimal() -> None:
    """Coordinates are rounded, so that every machine draws the same bytes."""
    whole = histogram_svg(TEN, name="p", title="t") + size_svg(1, 3)
    assert not re.search(r'(?:x|y|x1|x2|y1|y2|width|height)="-?[0-9]+\.[0-9]{2}', whole)
