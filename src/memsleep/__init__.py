"""memsleep: the nightly batch job that tends an agent's memory."""

from __future__ import annotations

__version__ = "0.1.0"

__all__ = ["__version__"]
