"""Which code this is: what other code made, of before or in another process, is not believed."""

from __future__ import annotations

import hashlib
import importlib.resources
import os
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources.abc import Traversable
from typing import Final

import memsleep

LIBRARIES: Final = ("turbohtml", "pyromark", "PyYAML")
"""What files are read with, besides this package."""
_CODE: Final = (".py", ".pyc", ".toml")


@cache
def package_version() -> str:
    """Return a digest of all of this package and of the Python that runs it.

    A version that somebody must remember to raise would one day serve what older code made.
    """
    whole = hashlib.sha256(
        f"{memsleep.__version__}\0{sys.version}\0{unicodedata.unidata_version}".encode()
    )
    files = list(_files(importlib.resources.files(memsleep), ""))
    for name, file in files:
        content = file.read_bytes()
        whole.update(f"\0{name}\0{len(content)}\0".encode("utf-8", "surrogatepass"))
        whole.update(content)
    if not any(name.endswith((".py", ".pyc")) for name, _ in files):
        whole.update(os.urandom(16))  # code that cannot be read is like no other
    return whole.hexdigest()[:32]


@cache
def code_version() -> str:
    """Return a digest of all code that has a say in what a file is read as and taken for."""
    from importlib.metadata import PackageNotFoundError, version

    whole = hashlib.sha256(package_version().encode())
    for library in LIBRARIES:
        try:
            found = version(library)
        except PackageNotFoundError:
            found = "unknown"
        whole.update(f"\0{library}={found}".encode())
    return whole.hexdigest()[:32]


def _files(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    """Yield name and place of all code and tables, in the order of their names."""
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            if item.name != "__pycache__":  # made from what is read already
                yield from _files(item, f"{name}{item.name}/")
        elif item.name.endswith(_CODE):
            yield f"{name}{item.name}", item
