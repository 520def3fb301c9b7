"""Programs that are taken for a Python interpreter and are none, or none that is well."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memsleep import interpreter

_SIZED = "#!/bin/sh\nprintf '\\377memsleep:{}'\nexec sleep 600\n"
# What stands in its place; None: nothing does.
BAD_INTERPRETERS = {
    "is missing": None,
    "is no program": "Not a program.\n",
    "ends at once": "#!/bin/sh\nexit 0\n",
    "fails": "#!/bin/sh\necho no >&2\nexit 3\n",
    "reads and ends": "#!/bin/sh\nexec cat >/dev/null\n",
    "says what it was told": "#!/bin/sh\nexec cat\n",
    "talks": "#!/bin/sh\necho hello\nexec cat\n",
    "talks all the time": "#!/bin/sh\nexec yes\n",
    "talks in short and hangs": "#!/bin/sh\nprintf hi\nexec sleep 600\n",
    "names a size and hangs": _SIZED.format(r"\0\0\0\0\0\0\1\0"),
    "names a size of all there is": _SIZED.format(r"\177\377\377\377\377\377\377\377"),
    "hangs": "#!/bin/sh\nexec sleep 600\n",
}
SHORT = 1.0


def be_interpreter(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one of them be this process's interpreter; nobody waits long for what hangs."""
    place, source = folder / "python", BAD_INTERPRETERS[name]
    if source is not None:
        place.write_text(source)
        place.chmod(0o755 if source.startswith("#!") else 0o644)
    monkeypatch.setattr(sys, "executable", str(place))
    monkeypatch.setattr(interpreter, "PATIENCE", SHORT)
