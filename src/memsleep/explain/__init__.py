"""Why a memory is where it is: a question about one memory, answered by the whole night."""

from __future__ import annotations

import json

from memsleep.explain.answer import Explanation, explanation_of
from memsleep.explain.target import memory_named
from memsleep.explain.text import lines_of
from memsleep.night import propose_night
from memsleep.request import Outcome, RunRequest
from memsleep.scratch import scratch_folder

__all__ = ["Explanation", "explain"]


def explain(request: RunRequest, target: str) -> Outcome:
    """Run the night without any effect and tell what it makes of one memory.

    Parameters
    ----------
    target : str
        A path below the corpus, a file on disk, a short id (`m:xxxxxxxx`), or the id of one of
        tonight's decisions.

    Raises
    ------
    UsageError
        `memory-unknown` or `memory-ambiguous`.
    """
    with scratch_folder(request.corpus) as scratch:
        _, result = propose_night(request, scratch)
    path = memory_named(target, request.corpus, result)
    explanation = explanation_of(path, result, request.settings)
    if request.json:
        text = json.dumps(explanation.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
    else:
        text = "".join(f"{line}\n" for line in lines_of(explanation))
    return Outcome(output=text.encode("utf-8", "backslashreplace"))
