"""Serve the reference server in the foreground, to try a client or a night against.

    python -m memsleep.sync.testing --port 8080 --refuse SLUG --drop 1

It holds everything in memory and answers this machine alone. Each write that it takes is told on
standard output, by slug.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from memsleep.sync.protocol import PushResult, WriteRequest
from memsleep.sync.testing.server import Before, ReferenceServer
from memsleep.sync.testing.service import MemoryService

REFUSAL = "refused, as it was told to on its command line"


class _Telling(MemoryService):
    def take(self, request: WriteRequest) -> PushResult:
        result = super().take(request)
        _say(f"{result.status}: {request.kind} {request.scope} {request.slug}: {request.reason}")
        return result


def dropping(writes: int) -> Before:
    """Return what drops the connection after each of the first writes was carried out."""
    left = [writes]

    def before(method: str, path: str) -> str | None:
        if method != "PUT" or left[0] <= 0:
            return None
        left[0] -= 1
        _say(f"dropped: {path}")
        return "reset-after"

    return before


def main(arguments: Sequence[str]) -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m memsleep.sync.testing", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--token-env", default="", help="variable that holds the token to ask for")
    parser.add_argument("--refuse", action="append", default=[], metavar="SLUG")
    parser.add_argument("--drop", type=int, default=0, metavar="N", help="acknowledgements lost")
    given = parser.parse_args(arguments)
    server = ReferenceServer(
        _Telling(),
        token=os.environ.get(given.token_env) if given.token_env else None,
        refuse=dict.fromkeys(given.refuse, REFUSAL),
        before=dropping(given.drop),
        port=given.port,
    )
    _say(server.url)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 130
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
