"""Values: where JavaScript and Python differ, JavaScript's rule holds."""

from __future__ import annotations

import pytest

from memsleep.readers.memhtml_values import (
    collapse,
    confidence_of,
    integer_between,
    is_hash,
    is_instant,
    is_root_relative,
    js_number,
    js_trim,
    reference_path,
    split_entity,
    to_fixed,
    word_count,
)

CONFIDENCES = [
    ("0", 0.0),
    (".5", 0.5),
    ("1.", 1.0),
    ("5e-1", 0.5),
    ("0x1", 1.0),
    ("0b1", 1.0),
    ("0o1", 1.0),
    ("+0.5", 0.5),
    (" 0.7 ", 0.7),
    ("\u00a00.5", 0.5),
    ("\ufeff0.5", 0.5),
    ("-0", 0.0),
    ("", None),
    (" ", None),
    ("1.5", None),
    ("-0.1", None),
    ("Infinity", None),
    ("NaN", None),
    ("nan", None),
    ("inf", None),
    ("0,5", None),
    ("1_0", None),
    ("0.1_0", None),
    ("+0x1", None),
    ("-0x0", None),
    ("0x", None),
    ("0b2", None),
    (".", None),
    ("e5", None),
    ("1e", None),
    ("\u06f0", None),
    ("\x1c0.5", None),
    ("\u00850.5", None),
    ("0.5 x", None),
]


@pytest.mark.parametrize(("text", "expected"), CONFIDENCES)
def test_confidence(text: str, expected: float | None) -> None:
    """A confidence is what JavaScript reads as a number in [0, 1], or absent."""
    assert confidence_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7.0", 7),
        ("1e1", 10),
        ("0x5", 5),
        ("1", 1),
        ("7.5", None),
        ("0", None),
        ("11", None),
        ("99", None),
        ("", None),
    ],
)
def test_importance(text: str, expected: int | None) -> None:
    """An importance is an integral number from 1 to 10, or absent."""
    assert integer_between(text, 1, 10) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0x10", 16.0),
        ("1e400", None),
        ("0x" + "f" * 300, None),
        ("1234567890123456789", 1.2345678901234568e18),
    ],
)
def test_number(text: str, expected: float | None) -> None:
    """Numbers beyond the range of a double are none."""
    assert js_number(text) == expected


VALID = [
    "2026-08-02",
    "2026-08-02T14:03:11Z",
    "2024-02-29",
    "2026-06-30T23:59:60Z",
    "2026-08-02T12:00:60Z",
    "9999-12-31",
    "0100-01-01",
]
INVALID = [
    "2026-08-02T14:03Z",
    "2026-08-02 14:03:11Z",
    "2026-08-02T14:03:11+00:00",
    "2026-08-02T14:03:11.5Z",
    "2026-08-02t14:03:11Z",
    "2026-08-02T14:03:11z",
    "2026-08-02T14:03:61Z",
    "2026-08-02T14:60:00Z",
    "2026-08-02T24:00:00Z",
    "2026-02-30",
    "2023-02-29",
    "2026-13-45",
    "2026-00-01",
    "2026-8-9",
    "08/09/2026",
    "next friday",
    "0099-12-31",
    "0000-01-01",
    "12026-01-01",
    "2026-08-02\n",
    " 2026-08-02",
    "\u06f2\u06f0\u06f2\u06f6-\u06f0\u06f8-\u06f0\u06f2",
    "",
]


@pytest.mark.parametrize("text", VALID)
def test_instants(text: str) -> None:
    """These are instants."""
    assert is_instant(text)


@pytest.mark.parametrize("text", INVALID)
def test_no_instants(text: str) -> None:
    """These are none: other forms, days that do not exist, the years 0-99."""
    assert not is_instant(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        (" \u00a0\n", 0),
        ("a b", 2),
        ("a\u00a0b", 2),
        ("a\u3000b", 2),
        ("a\ufeffb", 2),
        ("a\u200bb", 1),
        ("a\u0085b", 1),
        ("a\x1cb", 1),
        (" a  b ", 2),
    ],
)
def test_word_count(text: str, expected: int) -> None:
    """Words are parted by JavaScript white space."""
    assert word_count(text) == expected


def test_trim_and_collapse_have_their_own_space() -> None:
    """Collapsing knows five characters, trimming JavaScript's set; neither is Python's."""
    assert collapse(" \t\n\f\r\u00a0\v") == " \u00a0\v"
    assert js_trim("\ufeff\u00a0\u2028 a\x1c\u0085 ") == "a\x1c\u0085"


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        (0.125, 2, "0.13"),
        (0.625, 2, "0.63"),
        (0.3125, 3, "0.313"),
        (0.0625, 3, "0.063"),
        (0.9, 2, "0.90"),
        (1.0, 3, "1.000"),
        (0.0, 2, "0.00"),
        (0.995, 2, "0.99"),  # the double lies just below the tie
    ],
)
def test_to_fixed(value: float, digits: int, expected: str) -> None:
    """Exact binary ties go up; what only looks like a tie does not."""
    assert to_fixed(value, digits) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("url:https://x", ("url", "https://x")),
        ("a::b", ("a", ":b")),
        ("x: ", ("x", " ")),
        ("sanju", ("unknown", "sanju")),
        (":x", ("unknown", ":x")),
        ("x:", ("unknown", "x:")),
    ],
)
def test_split_entity(value: str, expected: tuple[str, str]) -> None:
    """The first colon parts type and name; without both it is an unknown."""
    assert split_entity(value) == expected


@pytest.mark.parametrize(
    "href",
    ["/a.html#x", "/a?b/../c", "/..a/b", "/A b.html", "/%2e%2e/a", "/a#//", "/a:b", "/\u00e9"],
)
def test_root_relative(href: str) -> None:
    """These name a file of the store."""
    assert is_root_relative(href)


@pytest.mark.parametrize(
    "href",
    ["", "/", "//a", "/a/", "/a//b", "/a/../b", "/./a", "a/b", "../a", "https://x/a", "/?a", "/#a"],
)
def test_not_root_relative(href: str) -> None:
    """These do not."""
    assert not is_root_relative(href)


def test_reference_path() -> None:
    """Slash, query and fragment are left out, and nothing is decoded."""
    assert reference_path("/a/%20b.html?x#y") == "a/%20b.html"
    assert reference_path("/a#x?y") == "a"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sha256:" + "0" * 64, True),
        ("sha256:" + "a1" * 32, True),
        ("sha256:" + "A" * 64, False),
        ("sha256:" + "0" * 63, False),
        ("sha256:" + "0" * 65, False),
        ("sha256:" + "0" * 64 + "\n", False),
        ("md5:" + "0" * 64, False),
        ("", False),
    ],
)
def test_hash_form(text: str, expected: bool) -> None:
    """A hash is well formed with exactly 64 lower-case digits."""
    assert is_hash(text) is expected
