"""Write the generated pages of the documentation: `python -m memsleep.check docs`."""

from __future__ import annotations

import sys
from pathlib import Path

from memsleep.check.formats.json import schema
from memsleep.check.pages import page

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "check-rules.md").write_bytes(page().encode())
    (folder / "check.schema.json").write_bytes(schema())
