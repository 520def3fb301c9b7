"""The gate: what a night touched must still come back when it is asked for."""

from memsleep.gate.measure import Gauge, measure
from memsleep.gate.sides import Side, side_of
from memsleep.gate.values import GateResult, Inversion, Lost, Quality

__all__ = ["GateResult", "Gauge", "Inversion", "Lost", "Quality", "Side", "measure", "side_of"]
