"""The report in a real browser: wide and narrow, light and dark, by keyboard, read aloud."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

import pytest

from browser.chromium import Chromium, pixels
from memsleep.report.html import to_html
from report.sample import empty_report, hostile_report, sample_report

WIDTHS = (1280, 768, 360, 320)
REPORTS = {"sample": sample_report, "hostile": hostile_report, "empty": empty_report}

OVERFLOWING = """
[...document.querySelectorAll('body *')]
  .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .filter(e => !e.closest('.hidden') && e.checkVisibility())
  .map(e => e.tagName + '.' + e.className).slice(0, 5)
"""

# Text whose contrast with the nearest opaque background is below 4.5 (WCAG AA).
FAINT = """
(() => {
  const rgb = text => text.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const paint = e.closest('svg') ? style.fill : style.color;
    const [a, b] = [light(rgb(paint)), light(ground(e))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) found.push(e.tagName + '.' + (e.getAttribute('class') || ''));
  }
  return found;
})()
"""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for name, make in REPORTS.items():
        (folder / f"{name}.html").write_bytes(to_html(make()))
    return {name: folder / f"{name}.html" for name in REPORTS}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", REPORTS)
def test_fits_and_stays_quiet(
    chromium: Chromium, pages: dict[str, Path], name: str, width: int, dark: bool
) -> None:
    """No sideways scrolling, nothing in the console, nothing asked for but the file itself."""
    chromium.open(pages[name], width=width, dark=dark)
    chromium.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert chromium.value(OVERFLOWING) == []
    assert chromium.value("document.documentElement.scrollWidth") <= width
    assert chromium.complaints() == []
    assert chromium.requests() == [pages[name].as_uri()]


def test_the_overflow_probe_fires(chromium: Chromium, tmp_path: Path) -> None:
    """A page that is too wide, or complains, or asks for something, is seen to do so."""
    page = tmp_path / "bad.html"
    page.write_text(
        "<body><p style='width:999px'>x<img src=gone.png><script>console.log(1)</script>"
    )
    chromium.open(page, width=360, dark=False)
    assert chromium.value(OVERFLOWING) == ["P."]
    assert len(chromium.requests()) == 2
    assert any("consoleAPICalled" in event["method"] for event in chromium.events)


def test_dark_is_dark(chromium: Chromium, pages: dict[str, Path]) -> None:
    """The pixels of the page are light on a light system and dark on a dark one."""
    grounds = []
    for dark in (False, True):
        chromium.open(pages["sample"], width=1280, dark=dark)
        rows = pixels(chromium.screenshot((2, 2, 6, 6)))
        assert len({pixel for row in rows for pixel in row}) == 1
        grounds.append(sum(rows[0][0]) / 3)
    assert grounds[0] > 235
    assert grounds[1] < 40


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_has_contrast(chromium: Chromium, pages: dict[str, Path], dark: bool) -> None:
    """Every text stands out from its ground by at least 4.5 to 1, in plots too."""
    chromium.open(pages["sample"], width=1280, dark=dark)
    chromium.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert chromium.value(FAINT) == []


def test_the_contrast_probe_fires(chromium: Chromium, pages: dict[str, Path]) -> None:
    """Grey on grey is seen."""
    chromium.open(pages["empty"], width=1280, dark=False)
    chromium.value("document.querySelector('h1').style.color = '#ccc'")
    assert "H1." in chromium.value(FAINT)


def test_texts_stack_on_a_phone(chromium: Chromium, pages: dict[str, Path]) -> None:
    """The two texts of a pair stand side by side on a desk and one above the other on a phone."""
    tops = (
        "[...document.querySelector('.pair.two').children].map(e => e.getBoundingClientRect().top)"
    )
    chromium.open(pages["sample"], width=1280, dark=False)
    first, second = chromium.value(tops)
    assert first == second
    chromium.open(pages["sample"], width=360, dark=False)
    first, second = chromium.value(tops)
    assert second > first


def test_keyboard(chromium: Chromium, pages: dict[str, Path]) -> None:
    """The first Tab shows a way past the top, Enter takes it, every fold can be reached."""
    chromium.open(pages["sample"], width=1280, dark=False)
    chromium.press("Tab", 9)
    assert chromium.value("document.activeElement.className") == "skip"
    assert chromium.value("document.activeElement.getBoundingClientRect().top >= 0")
    chromium.press("Enter", 13)
    assert chromium.value("location.hash") == "#needs-you"
    assert chromium.value("[...document.querySelectorAll('summary')].every(e => e.tabIndex === 0)")


def test_read_aloud(chromium: Chromium, pages: dict[str, Path]) -> None:
    """Landmarks are there, pictures and tables have names, headings skip no level."""
    chromium.open(pages["sample"], width=1280, dark=False)
    nodes = [
        node
        for node in chromium.call("Accessibility.getFullAXTree")["nodes"]
        if not node.get("ignored")
    ]
    named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes]
    roles = [role for role, _ in named]
    for landmark in ("banner", "navigation", "main", "contentinfo"):
        assert roles.count(landmark) == 1, landmark
    for role, name in named:
        if role in ("image", "table", "region", "article", "link", "heading", "DisclosureTriangle"):
            assert name.strip(), role
    levels = chromium.value(
        "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(e => +e.tagName[1])"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_paper(chromium: Chromium, pages: dict[str, Path]) -> None:
    """It prints as a PDF of a few pages."""
    chromium.open(pages["sample"], width=1280, dark=True)
    pdf = chromium.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"]
    assert pdf.startswith("JVBERi0")  # %PDF-


def test_pictures_for_a_person(chromium: Chromium, pages: dict[str, Path]) -> None:
    """Screenshots go to the folder that MEMSLEEP_SCREENSHOTS names, to be looked at."""
    folder = os.environ.get("MEMSLEEP_SCREENSHOTS")
    for name in REPORTS if folder else ["sample"]:
        for width, dark in product((1280, 360), (False, True)):
            chromium.open(pages[name], width=width, dark=dark)
            picture = chromium.screenshot(None if folder else (0, 0, width, 60))
            assert folder or len({pixel for row in pixels(picture) for pixel in row}) > 10
            if folder:
                look = "dark" if dark else "light"
                (Path(folder) / f"{name}-{width}-{look}.png").write_bytes(picture)
