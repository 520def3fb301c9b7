"""The way in for `python -m memsleep` and for the installed command."""

from __future__ import annotations

import gc
import sys

COLLECT_AFTER = (100_000, 20, 100)
"""A night makes millions of values that live until it ends and hardly a cycle: at the usual
thresholds a tenth of its time goes into looking through them."""


def main() -> None:
    """Run the command line and end with its exit code."""
    gc.set_threshold(*COLLECT_AFTER)
    from memsleep.cli.app import main as run_app

    sys.exit(run_app())


if __name__ == "__main__":
    main()
