"""The gate: what a night touched must still come back when it is asked for."""

from memsleep.gate.index import Before, Indexed
from memsleep.gate.measure import Gauge, measure
from memsleep.gate.sides import Side, side_of
from memsleep.gate.values import GateResult, Inversion, Lost, Quality

__all__ = [
    "Before",
    "GateResult",
    "Gauge",
    "Indexed",
    "Inversion",
    "Lost",
    "Quality",
    "Side",
    "measure",
    "side_of",
]
