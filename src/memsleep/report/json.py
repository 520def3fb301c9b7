"""The report as JSON, for programs, and the schema that describes it."""

from __future__ import annotations

from typing import Any

from memsleep.report.data import Report


def to_json(report: Report) -> bytes:
    """Return the report as UTF-8 JSON: keys in the model's order, LF line ends."""
    return report.model_dump_json(indent=2).encode() + b"\n"


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) that every report of this version conforms to."""
    schema = Report.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
