"""What `docs/sync-openapi.yaml` says of an exchange, judged by a JSON Schema library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from memsleep.sync.testing.server import Seen

CONTRACT: Mapping[str, Any] = yaml.safe_load(
    (Path(__file__).parents[1] / "docs" / "sync-openapi.yaml").read_bytes()
)
_NAME = "urn:contract"
_REGISTRY = Registry().with_resource(
    _NAME, Resource.from_contents(CONTRACT, default_specification=DRAFT202012)
)


def faults(exchange: Seen) -> list[str]:
    """Return what of an exchange is not as the contract says."""
    found = _operation(exchange)
    if found is None:
        return [f"{exchange.method} {exchange.path} is no operation of the contract"]
    pointer, operation, variables = found
    return [
        *_of_parameters(operation, exchange, variables),
        *_of_request(pointer, operation, exchange),
        *_of_answer(pointer, operation, exchange),
    ]


def operation_of(exchange: Seen) -> str:
    found = _operation(exchange)
    return "" if found is None else found[1]["operationId"]


def errors(pointer: str, value: object) -> list[str]:
    """Return what of a value is not as the schema at a pointer says."""
    validator = Draft202012Validator(
        {"$ref": f"{_NAME}#{pointer}"},
        registry=_REGISTRY,
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def _operation(exchange: Seen) -> tuple[str, Mapping[str, Any], Mapping[str, str]] | None:
    for template, methods in CONTRACT["paths"].items():
        match = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template), exchange.path)
        operation = methods.get(exchange.method.lower())
        if match is not None and operation is not None:
            steps = ("paths", template, exchange.method.lower())
            escaped = [step.replace("~", "~0").replace("/", "~1") for step in steps]
            return "/" + "/".join(escaped), operation, match.groupdict()
    return None


def _of_parameters(
    operation: Mapping[str, Any], exchange: Seen, variables: Mapping[str, str]
) -> Iterator[str]:
    said = {parameter["name"]: parameter for parameter in operation.get("parameters", ())}
    for name in exchange.query.keys() - said.keys():
        yield f"the parameter {name} is not in the contract"
    for name, parameter in said.items():
        given = {"query": exchange.query, "path": variables}[parameter["in"]].get(name)
        if given is None:
            if parameter.get("required"):
                yield f"the parameter {name} is missing"
            continue
        schema = parameter["schema"]
        value = int(given) if schema.get("type") == "integer" else given
        yield from _inline(schema, value)


def _inline(schema: Mapping[str, Any], value: object) -> list[str]:
    if "$ref" in schema:
        return errors(schema["$ref"].removeprefix("#"), value)
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]


def _of_request(pointer: str, operation: Mapping[str, Any], exchange: Seen) -> Iterator[str]:
    if "requestBody" not in operation:
        if exchange.body:
            yield "a body was sent where there is none"
        return
    media_type = exchange.headers.get("Content-Type")
    if media_type not in operation["requestBody"]["content"]:
        yield f"a body of type {media_type}"
        return
    place = f"{pointer}/requestBody/content/{media_type.replace('/', '~1')}/schema"
    yield from errors(place, json.loads(exchange.body))


def _of_answer(pointer: str, operation: Mapping[str, Any], exchange: Seen) -> Iterator[str]:
    reply = exchange.reply
    if reply is None:
        return
    status = str(reply.status) if str(reply.status) in operation["responses"] else "default"
    if status == "default" and reply.status < 400:
        yield f"an answer with status {reply.status}"
        return
    response = operation["responses"][status]
    place = f"{pointer}/responses/{status}"
    if "$ref" in response:
        place = response["$ref"].removeprefix("#")
        response = CONTRACT["components"]["responses"][place.rpartition("/")[2]]
    if reply.media_type not in response["content"]:
        yield f"an answer of type {reply.media_type}"
        return
    media = reply.media_type.replace("/", "~1")
    yield from errors(f"{place}/content/{media}/schema", json.loads(reply.body))
