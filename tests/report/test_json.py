"""The JSON form and its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from memsleep.report.data import Report
from memsleep.report.json import json_schema, to_json
from report.sample import empty_report, hostile_report, sample_report

REPORTS = [sample_report, empty_report, hostile_report]
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


KNOWN = {"$ref", "anyOf", "const", "enum", "type", "properties", "required", "items", "minimum"}
KNOWN |= {"additionalProperties", "title", "description", "default", "$defs", "$schema"}


def violations(
    value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "$"
) -> list[str]:
    """Return where a value breaks a schema; knows the keywords that our schema uses."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return violations(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, at)
    if "anyOf" in schema:
        tries = [violations(value, option, root, at) for option in schema["anyOf"]]
        return [] if [] in tries else [f"{at}: no alternative fits"]
    found = [*scalar_violations(value, schema, at)]
    if isinstance(value, dict):
        found += object_violations(value, schema, root, at)
    if isinstance(value, list):
        for row, item in enumerate(value):
            found += violations(item, schema.get("items", {}), root, f"{at}[{row}]")
    return found


def scalar_violations(value: Any, schema: dict[str, Any], at: str) -> Iterator[str]:
    kind = schema.get("type")
    if (kind and (type(value) is bool) != (kind == "boolean")) or (
        kind and not isinstance(value, TYPES[kind])
    ):
        yield f"{at}: not {kind}"
    elif "minimum" in schema and value < schema["minimum"]:
        yield f"{at}: below {schema['minimum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: not {schema['const']}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: not one of {schema['enum']}"


def object_violations(
    value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], at: str
) -> Iterator[str]:
    named, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    yield from (f"{at}: {name} missing" for name in schema.get("required", []) if name not in value)
    for name, item in value.items():
        if name in named:
            yield from violations(item, named[name], root, f"{at}.{name}")
        elif rest is False:
            yield f"{at}: {name} unknown"
        elif isinstance(rest, dict):
            yield from violations(item, rest, root, f"{at}.{name}")


@pytest.mark.parametrize("make", REPORTS)
def test_conforms_to_its_schema(make: Any) -> None:
    """Every report is what the published schema says."""
    schema = json_schema()
    assert violations(json.loads(to_json(make())), schema, schema) == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"schema_version": 2}, "$.schema_version: not 1"),
        ({"seconds": 1.0}, "$: seconds unknown"),
        ({"reviews": [{}]}, "$.reviews[0]: id missing"),
        ({"totals": {"active": -1}}, "$.totals.active: below 0"),
    ],
)
def test_the_schema_says_no(change: dict[str, Any], where: str) -> None:
    """Another version, an unknown field, a missing one and a negative count break it."""
    schema = json_schema()
    value = {**json.loads(to_json(sample_report())), **change}
    assert where in violations(value, schema, schema)


@pytest.mark.parametrize("make", REPORTS)
def test_nothing_is_lost_on_the_way(make: Any) -> None:
    """Reading the JSON gives the report back; writing it again gives the same bytes."""
    written = to_json(make())
    again = Report.model_validate_json(written)
    assert again == make()
    assert to_json(again) == written


def test_bytes() -> None:
    """LF line ends, one at the end; text as it is, not escaped."""
    written = to_json(sample_report())
    assert b"\r" not in written
    assert written.endswith(b"}\n")
    assert "签名密钥轮换".encode() in written
    assert written.startswith(
        b'{\n  "schema_version": 1,\n  "header": {\n    "corpus": "mara-notes"'
    )


def property_names(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {name for item in schema for name in property_names(item)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {}))
    return own.union(*(property_names(item) for item in schema.values()))


def test_no_timing_in_the_contract() -> None:
    """Nothing in the schema is named after a duration: timings live elsewhere."""
    names = property_names(json_schema())
    assert {"header", "undo", "evidence"} <= names
    for word in ("seconds", "duration", "elapsed", "took", "_ms", "started", "ended"):
        assert not [name for name in names if word in name]
