from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from errors_kit import raised_references
from memsleep.config import default_config_text
from memsleep.config.wording import default_of, expected, section_models
from memsleep.settings import PROFILES, Settings

ROOT = Path(__file__).parents[1]
_ASSIGNMENT = re.compile(r"(\[(?P<section>\w+)\]|(?P<key>\w+) = )")
_ERROR_ROW = re.compile(r"\| `([a-z0-9-]+)` \| (\d) \| (.+) \| (.+) \|")


def _comments() -> dict[str, str]:
    """Return `section` or `section.key` -> the comment above it, as one line."""
    found: dict[str, str] = {}
    above: list[str] = []
    section = ""
    for line in default_config_text().split("\n"):
        match = _ASSIGNMENT.match(line)
        if match is None:
            above = [*above, line.removeprefix("#").strip()] if line.startswith("#") else []
            continue
        section = match["section"] or section
        name = section if match["section"] else f"{section}.{match['key']}"
        found[name] = " ".join(above)
        above = []
    return found


SETTINGS = [
    (section, key) for section, model in section_models().items() for key in model.model_fields
]


def test_the_defaults_are_those_of_the_models() -> None:
    """`config.toml` holds every setting, in the order of the models, with its default."""
    written = tomllib.loads(default_config_text())
    modelled = Settings().model_dump(mode="json")
    assert modelled == written
    assert [(name, list(table)) for name, table in modelled.items()] == [
        (name, list(table)) for name, table in written.items()
    ]


@pytest.mark.parametrize("section", section_models())
def test_each_section_is_told_in_a_sentence(section: str) -> None:
    """The sentence above a section is that of its model."""
    told = section_models()[section].__doc__ or ""
    assert " ".join(told.split()) in _comments()[section]


@pytest.mark.parametrize(("section", "key"), SETTINGS)
def test_each_setting_is_told_with_its_range(section: str, key: str) -> None:
    """The comment above a setting holds the model's description and what it may be."""
    comment = _comments()[f"{section}.{key}"].lower()
    description = section_models()[section].model_fields[key].description
    assert description
    assert description.lower() in comment
    assert f"{expected(section, key).lower()}." in comment


@pytest.mark.parametrize(("section", "key"), SETTINGS)
def test_the_reference_profile_is_told_where_it_differs(section: str, key: str) -> None:
    """The comment gives the value of the reference profile, exactly where it is another."""
    found = re.search(r"Reference: (.+)\.\Z", _comments()[f"{section}.{key}"])
    told = tomllib.loads(f"value = {found[1]}")["value"] if found else None
    other = PROFILES["reference"].get(section, {}).get(key, default_of(section, key))
    differs = other != default_of(section, key) and (section, key) != ("run", "profile")
    assert told == ((list(other) if isinstance(other, tuple) else other) if differs else None)


def test_the_defaults_ship_in_the_package() -> None:
    """The wheel gets the file under the name that the package looks for."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_bytes().decode())["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["force-include"] == {"config.toml": "memsleep/config.toml"}


def _documented() -> dict[str, int]:
    text = (ROOT / "docs" / "errors.md").read_bytes().decode()
    return {row[1]: int(row[2]) for row in _ERROR_ROW.finditer(text)}


def test_every_error_is_documented_with_its_exit_code() -> None:
    """docs/errors.md has a row for each reference in the source, and for no other."""
    raised, documented = raised_references(), _documented()
    missing = {name: code for name, code in raised.items() if name not in documented}
    assert missing == {}, "add a row to docs/errors.md for each"
    assert set() == documented.keys() - raised.keys(), "nothing raises these"
    assert raised == documented


def test_errors_are_in_the_order_of_their_names() -> None:
    """A row can be found, and two people add theirs without a conflict."""
    assert sorted(_documented()) == list(_documented())


def test_references_are_seen_however_they_are_given(tmp_path: Path) -> None:
    """The collector sees families of families, conditions and keywords, and only errors."""
    (tmp_path / "a.py").write_bytes(
        b"class LateError(SubError):\n    exit_code = 5\n"
        b"class SubError(MemsleepError):\n    '''A family.'''\n"
        b"raise SubError('one' if x else 'two', 'text')\n"
        b"raise errors.LateError(reference='three', message='text')\n"
        b"Other('four')\nSubError(name)\n"
    )
    assert raised_references(tmp_path) == {"one": 3, "two": 3, "three": 5}
