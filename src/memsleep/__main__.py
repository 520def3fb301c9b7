"""The way in for `python -m memsleep` and for the installed command."""

from __future__ import annotations

import gc
import os
import sys

COLLECT_AFTER = (100_000, 20, 100)
"""A night makes millions of values that live until it ends and hardly a cycle: at the usual
thresholds a tenth of its time goes into looking through them."""


def main() -> None:
    """Run the command line and end with its exit code."""
    gc.set_threshold(*COLLECT_AFTER)
    from memsleep.cli.app import main as run_app

    sys.exit(run_app())


def leave_current_folder() -> None:
    """Import nothing from the folder we are called in: it may be a corpus, with a `numpy.py`.

    `python -m` puts that folder first, before Python's own modules.
    """
    if not sys.flags.safe_path and sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109 (early)
        del sys.path[0]


if __name__ == "__main__":
    leave_current_folder()
    main()
