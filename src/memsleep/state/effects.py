"""What a landed run changes in the state. Nothing of it happens before the run has landed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass


@dataclass(frozen=True, slots=True)
class DecayEffect:
    """A memory's confidence after the nights that passed."""

    path: str
    stated: float | None
    """What the file states; None when it states nothing."""
    effective: float
    at: str
    """The night it was computed for."""


@dataclass(frozen=True, slots=True)
class SpareEffect:
    """An evict verdict was answered: not asked again until a date."""

    path: str
    until: str


@dataclass(frozen=True, slots=True)
class MoveEffect:
    """The run moved a memory; its id, use and standing follow."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class MergeEffect:
    """One memory took over for another: their use is summed in the keeper.

    The dropped one keeps its own row, so that an undo finds it.
    """

    keeper: str
    dropped: str


Effect = DecayEffect | SpareEffect | MoveEffect | MergeEffect


def effect_key(effect: Effect) -> str:
    """Return a digest of kind and values: the same effect of the same run applies once."""
    text = json.dumps([type(effect).__name__, *astuple(effect)], ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
