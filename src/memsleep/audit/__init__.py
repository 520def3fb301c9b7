"""The proof that a night lost nothing: bytes before against bytes after, nothing else believed."""

from __future__ import annotations

from memsleep.audit.proof import Loss, Proof, Recorded, prove, recorded_by

__all__ = ["Loss", "Proof", "Recorded", "prove", "recorded_by"]
