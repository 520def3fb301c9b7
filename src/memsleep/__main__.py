"""The way in for `python -m memsleep` and for the installed command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and end with its exit code."""
    from memsleep.cli.app import main as run_app

    sys.exit(run_app())


if __name__ == "__main__":
    main()
