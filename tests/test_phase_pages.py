"""Each phase's page, code, settings and command line say the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from memsleep import proposals
from memsleep.phases import PHASES
from memsleep.settings import CAREFUL_ORDER, REFERENCE_ORDER, REQUIRES, Settings

ROOT = Path(__file__).parents[1]
PAGES = {path.stem: path for path in (ROOT / "phases").glob("[a-z]*.md")}


def _front_matter(name: str) -> dict[str, Any]:
    text = PAGES[name].read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text.split("---")[1])
    return found


def _constructed(source: str) -> set[str]:
    """Return the proposal classes that a module builds or names as built elsewhere."""
    tree = ast.parse(source)
    calls = {
        n.func.id
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    kinds = {
        name
        for name, value in vars(proposals).items()
        if isinstance(value, type) and issubclass(value, proposals.Proposal)
    }
    return calls & kinds


def test_every_phase_has_a_page_and_every_page_a_phase() -> None:
    """Pages, registry and both orders name the same phases."""
    assert set(PAGES) == set(PHASES) == set(CAREFUL_ORDER) == set(REFERENCE_ORDER) == set(REQUIRES)


@pytest.mark.parametrize("name", CAREFUL_ORDER)
def test_page_names_files_that_exist(name: str) -> None:
    """A page's code and tests are files, the code holds `propose`, and it names its page."""
    page = _front_matter(name)
    code = ROOT / page["code"]
    assert page["code"] == f"src/memsleep/phases/{name}.py"
    assert f"Contract: phases/{name}.md" in code.read_text(encoding="utf-8")
    assert (ROOT / page["tests"]).is_file()
    assert PHASES[name].propose.__module__ == f"memsleep.phases.{name}"


@pytest.mark.parametrize("name", CAREFUL_ORDER)
def test_page_requires_what_the_settings_require(name: str) -> None:
    """A page's `requires` is what a config's order is held to."""
    assert tuple(_front_matter(name)["requires"]) == REQUIRES[name] == PHASES[name].requires  # type: ignore[index]


@pytest.mark.parametrize("name", CAREFUL_ORDER)
def test_page_lists_what_the_code_proposes(name: str) -> None:
    """A page's `proposes` is the set of proposals that the phase's modules build."""
    modules = [ROOT / "src/memsleep/phases" / f"{name}.py"]
    modules += sorted((ROOT / "src/memsleep/phases").glob(f"{name}_*.py"))
    built = set().union(*(_constructed(module.read_text(encoding="utf-8")) for module in modules))
    assert set(_front_matter(name)["proposes"]) == built


@pytest.mark.parametrize("name", CAREFUL_ORDER)
def test_registry_says_which_edits_may_come(name: str) -> None:
    """The edits that `memsleep phases` lists are those among a page's proposals."""
    classes = [getattr(proposals, kind) for kind in _front_matter(name)["proposes"]]
    edits = {kind.kind for kind in classes if kind.edits_files}
    assert set(PHASES[name].may_edit) == edits


@pytest.mark.parametrize("name", CAREFUL_ORDER)
def test_page_lists_settings_that_exist(name: str) -> None:
    """A page names every setting of its own section, and none that does not exist."""
    values = Settings().model_dump()
    known = {f"{section}.{key}" for section, keys in values.items() for key in keys}
    listed = _front_matter(name)["settings"]
    assert set(listed) <= known
    assert {f"{name}.{key}" for key in values[name]} <= set(listed)


@pytest.mark.parametrize("name", CAREFUL_ORDER)
def test_settings_of_a_page_are_read_by_the_code(name: str) -> None:
    """No setting is promised that nothing reads: each key occurs in the sources."""
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "src/memsleep").rglob("*.py")
        if path.name != "settings.py"
    )
    for setting in _front_matter(name)["settings"]:
        key = setting.split(".")[1]
        assert re.search(rf"\.{key}\b", sources), setting


@pytest.mark.parametrize("name", CAREFUL_ORDER)
def test_page_fits_a_screen_or_two(name: str) -> None:
    """A contract that nobody reads is none."""
    assert len(PAGES[name].read_text(encoding="utf-8").split("\n")) <= 70
