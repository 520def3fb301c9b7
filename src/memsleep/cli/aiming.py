"""Commands in what is said lead to the corpus that was meant, so that they can be pasted.

Nothing below the command line knows how the corpus was named there, and a command without it would
act on the current folder, which may be a corpus as well. So the words are added at the way out.
"""

from __future__ import annotations

import re
import shlex
from contextvars import ContextVar
from pathlib import Path
from typing import Any

_COMMAND = re.compile(r"(?<![(\w./-])memsleep((?: [a-z]+)+)(?! --(?:help|list|explain|corpus)\b)")
"""A command and what follows it; one in brackets is what somebody else runs."""

_HERE = Path()
_given: ContextVar[dict[str, str] | None] = ContextVar("given", default=None)
_root: ContextVar[Any] = ContextVar("root", default=None)


def begin(root: Any) -> None:
    """Forget the last command line; `root` is the group of all commands, as the parser made it."""
    _root.set(root)
    _given.set({})


def aim(name: str, path: Path | None) -> None:
    """Note that a parameter was given: `corpus`, `state_dir` or `config`."""
    given = _given.get()
    if given is not None and path is not None and path != _HERE:
        given[name] = str(path)


def aimed(line: str) -> str:
    """Return a line whose commands name the corpus, the state and the config that were given.

    They stand right behind the command, and only where that command takes them.
    """
    root, given = _root.get(), _given.get()
    if root is None or not given:
        return line
    return _COMMAND.sub(lambda found: _with_words(found, root, given), line)


def _with_words(found: re.Match[str], root: Any, given: dict[str, str]) -> str:
    command, path, rest = root, ["memsleep"], found[1].split()
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest[0]]
        path.append(rest.pop(0))
    if command is root:
        return found[0]
    return " ".join([*path, *_words(command, given), *rest])


def _words(command: Any, given: dict[str, str]) -> list[str]:
    words: list[str] = []
    for parameter in command.params:
        value = given.get(parameter.name)
        if value is None:
            continue
        if parameter.param_type_name == "argument":
            words.append(shlex.quote(value))
        else:
            words += [parameter.opts[0], shlex.quote(value)]
    return words
