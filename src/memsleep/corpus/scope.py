"""The scope that a folder gives to the memories below it: memories of two scopes never merge.

With `corpus.scope_folders`, a folder that matches one of the globs gives its name. Without, the
folders that usually part scopes do: one below `agents`, `projects`, `workspaces` or `profiles`,
and the folders of a language that has a sibling of another language (`en/` beside `de/`).
Several such folders on one path give their names joined by `/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from memsleep.corpus.globs import first_match
from memsleep.corpus.source import folders_above

PARENTS = frozenset({"agents", "profiles", "projects", "workspaces"})
_CODES = """
ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id is it ja ko lt lv ms nb nl no pl pt ro ru
sk sl sr sv sw ta th tr uk ur vi zh
"""
LANGUAGES = frozenset(_CODES.split())
"""Codes of ISO 639-1 that name folders; a region or script may follow (`pt-br`, `zh_Hans`)."""
_AFTER_CODE = re.compile(r"[a-z]{2}|\d{3}|arab|cyrl|hans|hant|latn")


def scope_rule(paths: Iterable[str], patterns: Sequence[str]) -> Callable[[str], str]:
    """Return the function that gives each path the scope of its folders.

    `paths` are all paths of the corpus: a language folder is one by its siblings.
    """
    folders = folders_above(set(paths))
    if patterns:
        parting = {folder for folder in folders if first_match(folder, patterns)}
    else:
        parting = {folder for folder in folders if _parent_parts(folder)}
        parting |= _language_folders(folders)

    def scope(path: str) -> str:
        parts = path.split("/")[:-1]
        above = ("/".join(parts[: depth + 1]) for depth in range(len(parts)))
        return "/".join(folder.rpartition("/")[2] for folder in above if folder in parting)

    return scope


def _parent_parts(folder: str) -> bool:
    """Return True for a folder right below one that holds a folder per scope."""
    return folder.rpartition("/")[0].rpartition("/")[2].lower() in PARENTS


def _language_folders(folders: set[str]) -> set[str]:
    siblings: dict[str, set[str]] = {}
    for folder in folders:
        parent, _, name = folder.rpartition("/")
        if _is_language(name):
            siblings.setdefault(parent, set()).add(folder)
    return {folder for group in siblings.values() if len(group) > 1 for folder in group}


def _is_language(name: str) -> bool:
    code, *rest = name.lower().replace("_", "-").split("-")
    return code in LANGUAGES and len(rest) <= 2 and all(map(_AFTER_CODE.fullmatch, rest))
