"""JSON of our own, with a published schema: docs/check.schema.json."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from memsleep import __version__
from memsleep.check.model import Finding, Severity
from memsleep.check.request import CheckResult

SCHEMA_VERSION = 1
Count = Annotated[int, Field(ge=0)]
FromOne = Annotated[int, Field(ge=1)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlaceModel(_Model):
    """Where a finding is: lines and columns of characters from 1, the end exclusive."""

    line: FromOne
    column: FromOne
    end_line: FromOne
    end_column: FromOne


class FindingModel(_Model):
    """One finding."""

    code: Annotated[str, Field(pattern=r"^MS[1-9][0-9]{2}$")]
    name: str
    severity: Severity
    path: str = Field(description="path below the corpus root")
    place: PlaceModel | None = Field(description="null: the file as a whole")
    message: str
    related: str | None = Field(description="path of the other memory, for findings about two")
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    fixable: bool = Field(description="whether `--fix` can do it")


class SuppressedModel(FindingModel):
    """One finding that somebody suppressed."""

    reason: str


class CountsModel(_Model):
    """How many findings are told, by severity."""

    error: Count
    warning: Count
    note: Count


class CheckModel(_Model):
    """One check."""

    schema_version: Literal[1]
    tool_version: str
    checked: Count = Field(description="files that were looked at")
    counts: CountsModel
    findings: tuple[FindingModel, ...]
    suppressed: tuple[SuppressedModel, ...]
    accepted: Count = Field(description="findings that the baseline accepts")
    remarks: tuple[str, ...]


def render(result: CheckResult) -> bytes:
    """Return the document, ASCII throughout."""
    counts = result.counts
    document = CheckModel(
        schema_version=1,
        tool_version=__version__,
        checked=result.checked,
        counts=CountsModel(error=counts["error"], warning=counts["warning"], note=counts["note"]),
        findings=tuple(FindingModel(**_fields(finding)) for finding in result.findings),
        suppressed=tuple(
            SuppressedModel(**_fields(finding), reason=finding.reason)
            for finding in result.suppressed
        ),
        accepted=len(result.accepted),
        remarks=result.remarks,
    )
    return json.dumps(document.model_dump(mode="json"), indent=2).encode() + b"\n"


def schema() -> bytes:
    """Return the JSON schema of the document."""
    return json.dumps(CheckModel.model_json_schema(), indent=2).encode() + b"\n"


def _fields(finding: Finding) -> dict[str, Any]:
    place = finding.place
    where = (
        None
        if place is None
        else PlaceModel(
            line=place.line,
            column=place.column,
            end_line=place.end_line,
            end_column=place.end_column,
        )
    )
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "path": finding.path,
        "place": where,
        "message": finding.message,
        "related": finding.related or None,
        "fingerprint": finding.fingerprint,
        "fixable": finding.fixable,
    }
