"""Each layer against the models: what is unknown, of the wrong type or out of range."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from memsleep.config.layers import ENVIRONMENT_PREFIX, Layer, toml_value
from memsleep.config.mistakes import Mistake
from memsleep.config.wording import (
    choices,
    default_of,
    expected,
    nearest,
    section_models,
    shown,
    shown_key,
)

Checked = dict[str, dict[str, object]]


def check_layer(layer: Layer) -> tuple[Checked, list[Mistake]]:
    """Return the known settings of a layer in the types of the models, and what is wrong."""
    values: Checked = {}
    mistakes: list[Mistake] = []
    for section, table in layer.values.items():
        if section not in section_models():
            mistakes.append(_unknown_section(layer, section, table))
        elif not isinstance(table, Mapping):
            mistakes.append(_no_table(layer, section, table))
        else:
            values[section] = _typed(layer, section, table)
            mistakes += _check_section(layer, section, values[section])
    return values, mistakes


def misspelt_variables(environ: Mapping[str, str]) -> Iterator[Mistake]:
    """Yield the variables that miss the second underscore: they would set nothing, silently."""
    wanted = {
        f"{ENVIRONMENT_PREFIX}{section}_{key}".upper(): f"{section}__{key}".upper()
        for section, model in section_models().items()
        for key in model.model_fields
    }
    for name in sorted(environ.keys() & wanted.keys()):
        yield Mistake(
            "unknown-setting",
            f"there is no variable {name}",
            f"{name}={shown(environ[name])}",
            hint=f"did you mean {ENVIRONMENT_PREFIX}{wanted[name]}?",
        )


def _typed(layer: Layer, section: str, table: Mapping[str, object]) -> dict[str, object]:
    if layer.kind == "environment":
        return {key: _from_text(section, key, str(text)) for key, text in table.items()}
    return {key: _frozen(value) for key, value in table.items()}


def _check_section(layer: Layer, section: str, table: Mapping[str, object]) -> Iterator[Mistake]:
    """Yield what is wrong with one section, one mistake a key, in the order of the table."""
    model = section_models()[section]
    for key in table:
        if key not in model.model_fields:
            yield _unknown_key(layer, section, key, table[key])
    known = {key: value for key, value in table.items() if key in model.model_fields}
    bad = _bad_keys(section, known)
    for key in bad:
        yield _bad_value(layer, section, key, known[key])
    if not bad:
        yield from _contradictions(layer, section, known)


def _bad_keys(section: str, table: Mapping[str, object]) -> list[str]:
    infinite = {key for key, value in table.items() if not _finite(value)}
    try:
        section_models()[section].model_validate(dict(table), strict=True)
    except ValidationError as error:
        wrong = {str(item["loc"][0]) for item in error.errors(include_url=False) if item["loc"]}
    else:
        wrong = set()
    return [key for key in table if key in wrong | infinite]


def _contradictions(layer: Layer, section: str, table: Mapping[str, object]) -> Iterator[Mistake]:
    """Yield what a section's own check says of its values together."""
    try:
        section_models()[section].model_validate(dict(table), strict=True)
    except ValidationError as error:
        key = "phases" if "phases" in table else list(table)[-1]
        for item in error.errors(include_url=False):
            yield Mistake(
                "bad-phase-order" if key == "phases" else "bad-setting",
                str(item.get("ctx", {}).get("error", item["msg"])),
                _where(layer, section, key, table[key]),
                hint="`memsleep phases` lists the phases with what each needs before it",
            )


def _unknown_section(layer: Layer, section: str, found: object) -> Mistake:
    known = list(section_models())
    like = nearest(section, known)
    hint = f"did you mean [{like}]?" if like else ""
    name, place = shown_key(section), layer.place(section)
    if not isinstance(found, Mapping):
        where = f"{place}: {name} = {shown(found)}"
        hint = _elsewhere(section) or hint
    else:
        where = f"{place}: [{name}]"
    return Mistake(
        "unknown-section",
        f"there is no section {section!r}",
        where,
        f"sections: {', '.join(known)}",
        hint,
    )


def _no_table(layer: Layer, section: str, value: object) -> Mistake:
    return Mistake(
        "bad-setting",
        f"expected [{section}] to be a table of settings, found {shown(value)}",
        f"{layer.place(section)}: {section} = {shown(value)}",
        f"settings of [{section}]: {', '.join(section_models()[section].model_fields)}",
    )


def _unknown_key(layer: Layer, section: str, key: str, value: object) -> Mistake:
    known = list(section_models()[section].model_fields)
    like = nearest(key, known)
    hint = _elsewhere(key) or (f"did you mean {like}?" if like else "")
    return Mistake(
        "unknown-setting",
        f"there is no setting {key!r} in [{section}]",
        _where(layer, section, key, value),
        f"settings of [{section}]: {', '.join(known)}",
        hint,
    )


def _elsewhere(key: str) -> str:
    """Return a hint for a key that stands in the wrong section."""
    homes = [name for name, model in section_models().items() if key in model.model_fields]
    return f"{key} belongs to [{homes[0]}]" if homes else ""


def _bad_value(layer: Layer, section: str, key: str, value: object) -> Mistake:
    words = choices(section, key)
    like = nearest(value, words) if isinstance(value, str) else None
    default = shown(default_of(section, key))
    return Mistake(
        "bad-setting",
        f"{section}.{key}: expected {expected(section, key)}, found {shown(value)}",
        _where(layer, section, key, value),
        hint=f'did you mean "{like}"?' if like else f"leave it out for the default {default}",
    )


def _where(layer: Layer, section: str, key: str, value: object) -> str:
    place = layer.place(section, key)
    if layer.kind == "option":
        return f"{place} {shown(value)}"
    if place.startswith(ENVIRONMENT_PREFIX):
        return f"{place}={shown(value)}"
    return f"{place}: [{section}] {shown_key(key)} = {shown(value)}"


def _from_text(section: str, key: str, text: str) -> object:
    """Return a variable's text as a TOML value, or as it is where only that is valid.

    A name may look like something else: `2026` is a valid file name.
    """
    value = _frozen(toml_value(text))
    if key not in section_models()[section].model_fields or isinstance(value, str):
        return value
    as_value_fails, as_text_fails = (
        _bad_keys(section, {key: value}),
        _bad_keys(section, {key: text}),
    )
    return text if as_value_fails and not as_text_fails else value


def _frozen(value: object) -> object:
    """Return a value with tuples for lists, as the models hold them."""
    return tuple(_frozen(item) for item in value) if isinstance(value, (list, tuple)) else value


def _finite(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_finite(item) for item in value)
    return not isinstance(value, float) or math.isfinite(value)
