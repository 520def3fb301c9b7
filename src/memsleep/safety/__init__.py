"""What must not leave a corpus, and what must not be obeyed: one scanner for every exit."""

from memsleep.safety.instructions import find_instructions
from memsleep.safety.secrets import find_secrets, holds_secret, masked
from memsleep.safety.spans import Hit

__all__ = ["Hit", "find_instructions", "find_secrets", "holds_secret", "masked"]
