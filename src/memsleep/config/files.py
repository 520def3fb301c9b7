"""Config files: which are read, and what can be wrong with them as files."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from pathlib import Path

from memsleep.config.layers import Layer
from memsleep.config.lines import key_lines
from memsleep.config.origins import OriginKind
from memsleep.errors import ConfigError

CORPUS_CONFIGS = ("memsleep.toml", ".memsleep/config.toml")
MAX_CONFIG_BYTES = 1_000_000
_BOM = "\ufeff"
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)\Z")


def corpus_config(root: Path) -> str | None:
    """Return which of its two possible config files a corpus has, None when it has neither.

    Raises
    ------
    ConfigError
        `two-configs`, when it has both; `untrusted-config`, when it leads out of the corpus.
    """
    present = [name for name in CORPUS_CONFIGS if os.path.lexists(root / name)]
    if len(present) > 1:
        raise ConfigError(
            "two-configs",
            "the corpus has two config files, and only one can count",
            context=present,
            hint=f"move the settings of {present[1]} into {present[0]} and delete the former",
        )
    if not present:
        return None
    _stays_inside(root, present[0])
    return present[0]


def read_config(path: Path, shown_path: str, kind: OriginKind) -> Layer:
    """Return a config file as a layer.

    Raises
    ------
    ConfigError
        `config-not-found`, `config-unreadable`, `bad-encoding` or `bad-toml`.
    """
    text = _decoded(_bytes_of(path, shown_path), shown_path)
    try:
        values = tomllib.loads(text)
        lines = key_lines(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), text, shown_path) from error
    except RecursionError as error:
        raise ConfigError(
            "bad-toml", "the config nests too deeply", context=[shown_path]
        ) from error
    places = {key: f"{shown_path}:{line}" for key, line in lines.items()}
    return Layer(kind, values, places, shown_path)


def _stays_inside(root: Path, name: str) -> None:
    """Refuse a config that is a link out of the corpus: its errors would quote another file."""
    try:
        inside = (root / name).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        inside = False
    if not inside:
        raise ConfigError(
            "untrusted-config",
            "the corpus's config is a link that leads out of the corpus, or nowhere",
            context=[name],
            hint="name the file yourself: --config FILE",
        )


def _bytes_of(path: Path, shown_path: str) -> bytes:
    try:
        kind = path.stat().st_mode
        if not stat.S_ISREG(kind):
            raise ConfigError(
                "config-unreadable", "expected a config file, found no file", context=[shown_path]
            )
        with path.open("rb") as stream:
            source = stream.read(MAX_CONFIG_BYTES + 1)
    except FileNotFoundError as error:
        raise ConfigError(
            "config-not-found", "the config file does not exist", context=[shown_path]
        ) from error
    except OSError as error:
        raise ConfigError(
            "config-unreadable",
            f"the config file cannot be read: {error.strerror}",
            context=[shown_path],
        ) from error
    if len(source) > MAX_CONFIG_BYTES:
        raise ConfigError(
            "config-unreadable",
            f"expected a config of at most {MAX_CONFIG_BYTES} bytes, found more",
            context=[shown_path],
        )
    return source


def _decoded(source: bytes, shown_path: str) -> str:
    try:
        return source.decode("utf-8").removeprefix(_BOM).replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            "bad-encoding",
            f"expected UTF-8, found byte 0x{source[error.start]:02x}",
            context=[f"{shown_path}:{line}"],
        ) from error


def _not_toml(message: str, text: str, shown_path: str) -> ConfigError:
    found = _PLACE.search(message)
    line = found.group(1) if found else None
    last = text.rstrip("\n").count("\n") + 1
    reason = _PLACE.sub("", message)
    return ConfigError(
        "bad-toml",
        f"expected TOML, found: {reason[0].lower()}{reason[1:]}",
        context=[f"{shown_path}:{line or last}"],
        hint="strings need quotes, lists brackets, and every table and key may stand only once",
    )
