"""Folders part scopes, so that copies per agent, project and language never merge."""

from __future__ import annotations

import pytest

from memsleep.corpus.scope import scope_rule

DEFAULT = [
    ("agents/ada/a.md", "ada"),
    ("agents/bob/deep/a.md", "bob"),
    ("x/Projects/shop/a.md", "shop"),
    ("workspaces/w/a.md", "w"),
    ("profiles/p/a.md", "p"),
    ("agents/ada/projects/shop/a.md", "ada/shop"),
    ("docs/en/a.md", "en"),
    ("docs/de/x/a.md", "de"),
    ("docs/pt-br/a.md", "pt-br"),
    ("docs/zh_Hans/a.md", "zh_Hans"),
    ("agents/ada/en/a.md", "ada/en"),
    ("agents/ada/fr/a.md", "ada/fr"),
]
NONE = ["a.md", "agents/a.md", "notes/a.md", "it/a.md", "docs/other/a.md", "docs/it-ops/a.md",
        "myagents/x/a.md"]  # fmt: skip
PATHS = [path for path, _ in DEFAULT] + NONE


@pytest.mark.parametrize(("path", "scope"), DEFAULT)
def test_usual_folders(path: str, scope: str) -> None:
    """Without a setting, the folders that usually part scopes do."""
    assert scope_rule(PATHS, ())(path) == scope


@pytest.mark.parametrize("path", NONE)
def test_no_scope(path: str) -> None:
    """Other folders do not, nor does a language folder without a sibling of another language."""
    assert scope_rule(PATHS, ())(path) == ""


def test_patterns_replace_the_usual_folders() -> None:
    """With globs, they alone say which folders part scopes."""
    scope = scope_rule(["team/a/x.md", "team/b/x.md", "agents/c/x.md"], ("team/*",))
    assert [scope(p) for p in ("team/a/x.md", "team/b/x.md", "agents/c/x.md")] == ["a", "b", ""]


def test_scope_of_a_path_that_is_new() -> None:
    """A path that was not among the corpus's own is judged by the folders that are."""
    scope = scope_rule(["agents/ada/a.md"], ())
    assert scope("agents/ada/new/b.md") == "ada"
