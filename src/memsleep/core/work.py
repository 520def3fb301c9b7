"""What a search did, in counts: for timings and benchmarks, never for a report."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(slots=True)
class Work:
    """Counts that a search adds to."""

    pairs: int = 0
    """Unordered pairs that were looked at."""
    multiplied: int = 0
    """Pairs whose full product was computed."""
    sketched: int = 0
    """Pairs whose short product was computed first."""
    width: int = 0
    """Components of the full product; 0 where no short one was used."""
    sketch_width: int = 0
    """Components of the short product; 0 where none was used."""
    rescored: int = 0
    """Pairs whose exact similarity was computed."""

    def to_json(self) -> dict[str, int]:
        """Return the counts by name.

        Examples
        --------
        >>> Work(pairs=3).to_json()["pairs"]
        3
        """
        return asdict(self)
