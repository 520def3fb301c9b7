"""The labelled pairs are what their page says: split by their text, sealed, unique."""

from __future__ import annotations

import doctest
import importlib.util
import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

PAIRS = Path(__file__).resolve().parents[2] / "fixtures" / "pairs"


def load_split():
    spec = importlib.util.spec_from_file_location("pairs_split", PAIRS / "split.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


split = load_split()
BY_STEM = {split.stem_of(*column): split.read_language(*column) for column in split.columns()}
FILES = [PAIRS / part / f"{stem}.jsonl" for part in split.PARTS for stem in BY_STEM]
ENGLISH = [stem for stem in BY_STEM if stem.startswith("en")]
EVERY = [pair for pairs in BY_STEM.values() for pair in pairs]
CASES = [
    line.split(" | ")
    for line in (PAIRS / "cases.txt").read_bytes().decode("utf-8").split("\n")
    if line
]


SEALED = dict(
    re.findall(
        r"^\| (\w\w(?:-\d)?) \| fixtures/pairs: [^|]+ \| (\d+) \|$",
        (PAIRS / "README.md").read_bytes().decode("utf-8"),
        re.MULTILINE,
    )
)


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_file_is_what_the_script_would_write(path):
    """Fields, order and bytes are those of split.py, and each pair lies in the part of its text."""
    pairs = split.read_pairs(path)
    for pair in pairs:
        made = split.make_pair(*(pair[key] for key in ("lang", "kind", "label")), *texts(pair))
        assert list(pair.items()) == list(made.items())
        assert split.part_of(*texts(pair)) == path.parent.name
        assert path.stem in {split.stem_of(pair["lang"], number) for number in split.ROUNDS}
    assert not path.exists() or path.read_bytes() == split.encode(pairs)


def texts(pair):
    return pair["text_a"], pair["text_b"]


def test_the_part_is_the_rule_that_the_page_states():
    """Eight hex digits of SHA-256 over both texts, divisible by three: held back."""
    assert split.digest_of("a", "b")[:8] == "7e18f737"  # 2 is left of it after threes
    assert split.digest_of("a", "c")[:8] == "9e58d713"  # nothing is
    assert [split.part_of("a", other) for other in "bc"] == ["tuning", "held-back"]


def test_the_seal_holds():
    """The committed digests are those of the held-back files."""
    assert (PAIRS / "held-back.sha256").read_bytes() == split.digests()


def test_a_third_is_held_back():
    """The rule splits about two to one, over all and among the different ones."""
    for label in (None, "different"):
        chosen = [pair for pair in EVERY if label in (None, pair["label"])]
        held_back = sum(split.part_of(*texts(pair)) == "held-back" for pair in chosen)
        assert 0.28 < held_back / len(chosen) < 0.39


def test_no_file_is_there_beside_those_of_the_rounds():
    """Every file of pairs is one that the table counts."""
    assert sorted(PAIRS.glob("*/*.jsonl")) == sorted(filter(Path.exists, FILES))


ENOUGH = {"en": 1200, "en-2": 1200}


@pytest.mark.parametrize("stem", SEALED)
def test_a_sealed_language_is_whole(stem):
    """It holds back what the page says, has enough pairs, and all four labels in both parts."""
    held_back = split.read_pairs(PAIRS / "held-back" / f"{stem}.jsonl")
    assert len(held_back) == int(SEALED[stem])
    assert len(BY_STEM[stem]) >= ENOUGH.get(stem, 60)
    labels = {(pair["label"], split.part_of(*texts(pair))) for pair in BY_STEM[stem]}
    assert labels == set(itertools.product(split.KINDS, split.PARTS))


def test_english_has_every_family():
    """25 pairs of a family, a dozen of the three that are about form alone, some held back."""
    kinds = Counter((pair["label"], pair["kind"]) for pair in BY_STEM["en"])
    held_back = {pair["kind"] for pair in split.read_pairs(PAIRS / "held-back" / "en.jsonl")}
    labels = Counter(pair["label"] for pair in BY_STEM["en"])
    share = {label: round(100 * count / kinds.total()) for label, count in labels.items()}
    every = {kind for of in split.KINDS.values() for kind in of}
    assert held_back == {kind for _, kind in kinds} == every - {"width", "script", "politeness"}
    few = {kind: count for (_, kind), count in kinds.items() if count < 25}
    assert set(few) == {"spelling", "spacing", "article"}
    assert min(few.values()) >= 12
    assert share == {"different": 49, "same": 33, "complements": 10, "supersedes": 8}


def test_ids_and_pairs_are_unique():
    """No pair is there twice, be it in the other order, and no id is shared."""
    ids = Counter(pair["id"] for pair in EVERY)
    sides = Counter(tuple(sorted(texts(pair))) for pair in EVERY)
    assert [name for name, count in (ids + sides).items() if count > 1] == []


def test_both_texts_say_something():
    """No side is blank, and a pair is no text and itself."""
    for pair in EVERY:
        a, b = texts(pair)
        assert a.strip() == a, pair["id"]
        assert b.strip() == b, pair["id"]
        assert a != b, pair["id"]
        assert "\r" not in a + b, pair["id"]


@pytest.mark.parametrize(("label", "a", "b"), CASES)
def test_every_case_is_in_the_fixture(label, a, b):
    """A pair of the list that started it is there, with the label it has there."""
    assert [pair["label"] for pair in EVERY if texts(pair) == (a, b)] == [label]


def test_english_claims_are_as_long_as_memories_are():
    """Six to sixty words, four in the second round, but for the pairs of the list."""
    listed = {tuple(case[1:]) for case in CASES}
    for stem, fewest in (("en", 6), ("en-2", 4)):
        for pair in BY_STEM.get(stem, ()):
            if texts(pair) not in listed:
                assert all(fewest <= words(text) <= 60 for text in texts(pair)), pair["id"]


@pytest.mark.parametrize("stem", ENGLISH)
def test_no_opening_is_used_over_and_over(stem):
    """English is no template filled in: few pairs share their first four words."""
    openings = Counter(" ".join(pair["text_a"].lower().split()[:4]) for pair in BY_STEM[stem])
    assert [(text, count) for text, count in openings.items() if count > 4] == []


WRITTEN = r"""
# a remark
= different number
one \n two
one \\n two

= same markup
## a
a
"""


def test_written_pairs_are_read():
    """The form that people write gives pairs, with breaks and backslashes unescaped."""
    pairs = list(split.parse_written(WRITTEN, "en"))
    assert [(pair["kind"], *texts(pair)) for pair in pairs] == [
        ("number", "one \n two", "one \\n two"),
        ("markup", "## a", "a"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "= different number\na lone line\n\n= same case\na\nb",
        "= different no-such-kind\na\nb",
        "= same negation\na\nb",
        "a\nb",
    ],
)
def test_what_is_not_a_pair_is_refused(text):
    """A lone line, and a family that is not listed under its label, are errors."""
    with pytest.raises(ValueError):
        list(split.parse_written(text, "en"))


def test_the_order_of_adding_does_not_matter(tmp_path, monkeypatch):
    """However pairs come in, and however often, the files and the seal are the same."""
    monkeypatch.setattr(split, "HERE", tmp_path)
    pairs = [split.make_pair("en", "number", "different", f"a {n}", f"b {n}") for n in range(12)]
    pairs.append(split.make_pair("en", "case", "same", "a b", "A b"))
    seen = set()
    for order in itertools.islice(itertools.permutations(pairs), 0, 4000, 799):
        for pair in order:
            split.write_language("en", [*split.read_language("en"), pair, order[0]])
        seen.add(tuple(path.read_bytes() for path in sorted(tmp_path.rglob("*.*"))))
        for path in tmp_path.rglob("*.jsonl"):
            path.unlink()
    assert len(seen) == 1
    assert len(split.digests()) == 0


def test_a_doubtful_pair_is_dropped(tmp_path, monkeypatch):
    """Dropping takes out that pair alone, seals anew, and names an id that is not there."""
    monkeypatch.setattr(split, "HERE", tmp_path)
    pairs = [split.make_pair("en", "number", "different", f"a {n}", f"b {n}") for n in range(6)]
    split.write_language("en", pairs)
    split.drop([pairs[2]["id"]])
    assert {pair["id"] for pair in split.read_language("en")} == {
        pair["id"] for pair in pairs if pair is not pairs[2]
    }
    assert (tmp_path / "held-back.sha256").read_bytes() == split.digests()
    with pytest.raises(ValueError, match="en-0000000000"):
        split.drop(["en-0000000000"])


def fill_two_rounds(folder: Path) -> dict[str, bytes]:
    """Write a dozen pairs to each round; return the files by name and folder."""
    for number in split.ROUNDS:
        lines = [f"round {number} says {n}\nround {number} tells {n}\n" for n in range(12)]
        (folder / "new.txt").write_bytes("\n".join(["= same synonym", *lines]).encode("ascii"))
        assert split.main(["add", "--round", str(number), "en", str(folder / "new.txt")]) == 0
    return file_bytes(folder)


def file_bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/*.jsonl")}


def test_a_later_round_has_files_of_its_own(tmp_path, monkeypatch):
    """It is split by the same rule, and neither the first files nor their digests change."""
    monkeypatch.setattr(split, "HERE", tmp_path)
    files = fill_two_rounds(tmp_path)
    assert set(files) == {f"{part}/{stem}.jsonl" for part in split.PARTS for stem in ("en", "en-2")}
    sealed = split.digests().decode("ascii").split("\n")[:-1]
    assert [line.split("  ")[1] for line in sealed] == ["en-2.jsonl", "en.jsonl"]
    split.drop([split.read_language("en", 2)[0]["id"]])
    after = file_bytes(tmp_path)
    assert {name for name in files if after[name] == files[name]} >= {
        f"{part}/en.jsonl" for part in split.PARTS
    }
    assert len(split.read_language("en", 2)) == 11
    assert split.digests().decode("ascii").split("\n")[1] == sealed[1]
    assert [column for column in split.columns() if column[1] == 2] == [("en", 2)]


KNOWN = "round 1 says 3\nround 1 tells 3\n"
TURNED = "round 1 tells 3\nround 1 says 3\n"
OTHER_LABEL = "round 2 says 3\nround 2 tells 3\n"


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (2, f"= same synonym\n{KNOWN}"),
        (2, f"= same synonym\n{TURNED}"),
        (1, f"= same synonym\n{TURNED}"),
        (1, f"= same synonym\n{OTHER_LABEL}"),
        (2, f"= same case\n{OTHER_LABEL}"),
        (2, f"= different date\n{OTHER_LABEL}"),
        (2, "= same case\nnew a\nnew A\n\nnew A\nnew a"),
    ],
)
def test_a_pair_that_a_round_has_is_refused(tmp_path, monkeypatch, number, written):
    """In another round, turned round, or under another family: nothing is written."""
    monkeypatch.setattr(split, "HERE", tmp_path)
    files = fill_two_rounds(tmp_path)
    (tmp_path / "more.txt").write_bytes(f"= same case\nq\nQ\n\n{written}".encode("ascii"))
    with pytest.raises(ValueError, match=r"^en-\w{10} is en-\w{10} of round [12]$"):
        split.add("en", [str(tmp_path / "more.txt")], number)
    assert file_bytes(tmp_path) == files


def test_adding_a_round_again_changes_nothing(tmp_path, monkeypatch):
    """What the same round has already, word for word, is no matter: so conflicts are solved."""
    monkeypatch.setattr(split, "HERE", tmp_path)
    files = fill_two_rounds(tmp_path)
    assert fill_two_rounds(tmp_path) == files


def test_there_are_two_rounds(tmp_path, monkeypatch):
    """A round that is not listed is refused."""
    monkeypatch.setattr(split, "HERE", tmp_path)
    (tmp_path / "new.txt").write_bytes(b"= same case\nq\nQ\n")
    with pytest.raises(ValueError, match="no round 3"):
        split.main(["add", "--round", "3", "en", str(tmp_path / "new.txt")])
    assert file_bytes(tmp_path) == {}


def test_the_examples_of_the_script_hold():
    """Its doctests pass; no test path reaches them otherwise."""
    assert doctest.testmod(split).failed == 0


def test_counts_tell_kinds_and_parts():
    """A row for each kind, a column for each round, and figures that add up to the pairs."""
    head, _, *rows = split.counts()
    assert head.split(" | ")[2:] == [*list(BY_STEM)[:-1], f"{list(BY_STEM)[-1]} |"]
    figures = [int(n) for row in rows for cell in row.split("|")[3:-1] for n in cell.split("+")]
    assert len(rows) == sum(map(len, split.KINDS.values()))
    assert sum(figures) == len(EVERY)
