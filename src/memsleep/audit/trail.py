"""Where each file of a run went, and where it came from, looked up in one step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Trail:
    """The moves of a run in their order: a file that moves twice is still the one it was."""

    moves: dict[str, str] = field(default_factory=dict)
    """Path before the run -> path now."""
    _origin: dict[str, str] = field(default_factory=dict)

    def first(self, path: str) -> str:
        """Return the path that a file had before the run."""
        return self._origin.get(path, path)

    def go(self, moved: Iterable[tuple[str, str]]) -> None:
        """Take up what one decision moves: all of it starts from where the files are now."""
        going = {new: self._origin.pop(old, old) for old, new in moved}
        self._origin.update(going)
        self.moves.update((first, new) for new, first in going.items())
