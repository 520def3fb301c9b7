"""What is wrong with a config, gathered: a person sees all of it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memsleep.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong."""

    reference: str
    message: str
    """What was found and what is expected."""
    where: str
    """The place, with the setting as it stands there."""
    detail: str = ""
    """What there is instead, such as the keys that exist."""
    hint: str = ""


def config_error(problems: Sequence[Problem]) -> ConfigError:
    """Return one error for all problems: told in full when it is one, listed when several."""
    if len(problems) == 1:
        return _single(problems[0])
    references = {problem.reference for problem in problems}
    context: list[str] = []
    for problem in problems:
        context.append(f"{problem.where}: {problem.message}")
        context += [f"  {line}" for line in (problem.detail, problem.hint) if line]
    return ConfigError(
        references.pop() if len(references) == 1 else "bad-config",
        f"{len(problems)} settings cannot be used",
        context=context,
    )


def _single(problem: Problem) -> ConfigError:
    return ConfigError(
        problem.reference,
        problem.message,
        context=[line for line in (problem.where, problem.detail) if line],
        hint=problem.hint or None,
    )
