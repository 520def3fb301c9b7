"""Path algebra of a memhtml store."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.readers.memhtml_paths import (
    archive_path,
    bucket,
    free_archive_path,
    is_memory_path,
    is_usable,
    normalise,
    slug,
    unarchived_path,
    with_ordinal,
    workspace,
)


@pytest.mark.parametrize(
    "path",
    [
        "areas/a.html",
        "archive/2026/areas/a.html",
        "archive/x.html",
        "projects/a/b/c/d.html",
        "areas/index.html/a.html",
        "resources/people/.html",
        "areas/Index.html",
    ],
)
def test_memory_paths(path: str) -> None:
    """Every depth below a bucket is scanned."""
    assert is_memory_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "Areas/a.html",
        "areas/a.HTML",
        "areas/a.md",
        "areas",
        "a.html",
        "README.html",
        "index.html",
        "sitemap.xml",
        "areas/index.html",
        "areas/x/index.html",
        "archive/2026/index.html",
        ".memhtml/sleep/sleep-2026-01-01.html",
        "",
    ],
)
def test_other_paths(path: str) -> None:
    """Other extensions, other folders and generated listings are no memories."""
    assert not is_memory_path(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("areas//arcs///x.html", "areas/arcs/x.html"),
        ("//areas/x/", "areas/x"),
        ("areas/./x", "areas/./x"),
        ("/", ""),
    ],
)
def test_normalise(path: str, expected: str) -> None:
    """Slashes are tidied, segments stay."""
    assert normalise(path) == expected


def test_normalise_is_linear() -> None:
    """64,000 slashes are no burden."""
    assert normalise("areas" + "/" * 64_000 + "x") == "areas/x"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("areas/a.html", True),
        ("/areas//a.html", True),
        ("archive/x.html", True),
        ("areas/a b.html", True),
        ("areas/../../etc/passwd.html", False),
        ("areas/./a.html", False),
        ("areas/a.md", False),
        ("areas", False),
        ("", False),
        ("other/a.html", False),
    ],
)
def test_usable(path: str, expected: bool) -> None:
    """A memory may be written to a whole `.html` path in a bucket."""
    assert is_usable(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [("areas/a", "areas"), ("areas/", None), ("areas", None), ("x/a", None), ("Areas/a", None)],
)
def test_bucket(path: str, expected: str | None) -> None:
    """A bucket has something below it."""
    assert bucket(path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("projects/a.html", None),
        ("projects/memhtml/n/a.html", "memhtml"),
        ("archive/2026/projects/x/a.html", None),
        ("areas/x/a.html", None),
    ],
)
def test_workspace(path: str, expected: str | None) -> None:
    """The workspace is the first folder below projects, of live files."""
    assert workspace(path) == expected


@pytest.mark.parametrize(
    "path", ["areas/a.html", "archive/202/a.html", "archive/2026", "archive/2026/"]
)
def test_not_archived(path: str) -> None:
    """What has no year of four digits and a rest is no archive path."""
    assert unarchived_path(path) is None


def test_archive_nests() -> None:
    """Archiving twice nests, and the inverse unwraps one layer."""
    once = archive_path("/areas//a.html", 2026)
    twice = archive_path(once, 2027)
    assert (once, twice) == (
        "archive/2026/areas/a.html",
        "archive/2027/archive/2026/areas/a.html",
    )
    assert unarchived_path(twice) == once
    assert archive_path("areas/a.html", 33) == "archive/0033/areas/a.html"


@given(
    st.sampled_from(["projects", "areas", "resources", "archive"]),
    st.lists(st.text(st.characters(exclude_characters="/", codec="utf-8"), min_size=1), min_size=1),
    st.integers(1970, 9999),
)
def test_archive_inverse(first: str, rest: list[str], year: int) -> None:
    """The inverse of archiving is the path, for every bucket and year."""
    path = "/".join([first, *rest])
    assert unarchived_path(archive_path(path, year)) == path


def test_free_archive_path() -> None:
    """A taken archive path gets the first free ordinal, in its stem."""
    taken = {"archive/2026/areas/a.html"}
    assert free_archive_path("areas/b.html", 2026, taken) == "archive/2026/areas/b.html"
    assert free_archive_path("areas/a.html", 2026, taken) == "archive/2026/areas/a-2.html"
    taken.add("archive/2026/areas/a-2.html")
    assert free_archive_path("areas/a.html", 2026, taken) == "archive/2026/areas/a-3.html"


def test_no_free_archive_path() -> None:
    """After a thousand tries there is none."""

    class All:
        def __contains__(self, path: object) -> bool:
            return True

    assert free_archive_path("areas/a.html", 2026, All()) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cache keys: carry the tenant!", "cache-keys-carry-the-tenant"),
        ("Caf\u00e9 \u00c5ngstr\u00f6m", "cafe-angstrom"),
        ("Stra\u00dfe", "stra-e"),
        ("\u00c6on", "on"),
        ("\ufb01le \u00bd x\u00b2", "file-1-2-x2"),
        ("\u65e5\u672c\u8a9e", "untitled"),
        ("!!!", "untitled"),
        ("", "untitled"),
        ("abcd " * 30, ("abcd-" * 16).rstrip("-")),
        ("a" * 90, "a" * 80),
    ],
)
def test_slug(text: str, expected: str) -> None:
    """Letters fold to ASCII, everything else is a hyphen, at most 80 characters."""
    assert slug(text) == expected


def test_slug_cut_strips_the_hyphen() -> None:
    """A cut that ends in a hyphen loses it."""
    assert len(slug("abcd " * 30)) == 79


@pytest.mark.parametrize(
    ("stem", "ordinal", "expected"),
    [
        ("a", 1, "a"),
        ("a", 0, "a"),
        ("a", 2, "a-2"),
        ("a-2", 2, "a-2-2"),
        ("a" * 80, 2, "a" * 78 + "-2"),
        ("a" * 78 + "-2", 2, "a" * 77 + "-2"),
        ("a" * 77 + "-b" + "c", 2, "a" * 77 + "-2"),
        ("", 2, "untitled-2"),
    ],
)
def test_ordinal(stem: str, ordinal: int, expected: str) -> None:
    """An ordinal fits into 80 characters and never gives the stem back."""
    assert with_ordinal(stem, ordinal) == expected


@pytest.mark.parametrize("suffix", ["-2", "-3", "-42", "-999"])
def test_ordinals_are_distinct(suffix: str) -> None:
    """The first thousand ordinals of an 80-character stem are distinct, valid slugs."""
    stem = "a" * (80 - len(suffix)) + suffix
    names = {with_ordinal(stem, ordinal) for ordinal in range(1, 1001)}
    assert len(names) == 1000
    assert all(len(name) <= 80 and slug(name) == name for name in names)
