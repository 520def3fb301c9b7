"""The standing block for an agent's prompt: what it should know before it is asked anything.

A function of corpus, state and instant.
"""

from memsleep.brief.compose import Brief, BriefLine, brief_of
from memsleep.brief.since import changes_since

__all__ = ["Brief", "BriefLine", "brief_of", "changes_since"]
