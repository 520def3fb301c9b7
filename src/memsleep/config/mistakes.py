"""What is wrong with a config, gathered: a person sees all of it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memsleep.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong."""

    reference: str
    message: str
    """What was found and what is expected."""
    where: str
    """The place, with the setting as it stands there."""
    detail: str = ""
    """What there is instead, such as the keys that exist."""
    hint: str = ""


def config_error(mistakes: Sequence[Mistake]) -> ConfigError:
    """Return one error for all mistakes: told in full when it is one, listed when several."""
    if len(mistakes) == 1:
        return _single(mistakes[0])
    references = {mistake.reference for mistake in mistakes}
    context: list[str] = []
    for mistake in mistakes:
        context.append(f"{mistake.where}: {mistake.message}")
        context += [f"  {line}" for line in (mistake.detail, mistake.hint) if line]
    return ConfigError(
        references.pop() if len(references) == 1 else "bad-config",
        f"{len(mistakes)} settings cannot be used",
        context=context,
    )


def _single(mistake: Mistake) -> ConfigError:
    return ConfigError(
        mistake.reference,
        mistake.message,
        context=[line for line in (mistake.where, mistake.detail) if line],
        hint=mistake.hint or None,
    )
