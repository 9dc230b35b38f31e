"""The API's document: what FastAPI knows of the routes, with our errors, and an example for everything.

Making it takes longer than all answers of an hour together, so it is made when somebody asks for it, once.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from larder.api.examples import example, value_of
from larder.api.problems import MEDIA_TYPE, Problem

ABOUT = """\
Records, what happened to them, and everything an operator does.

Public routes need no key. Those below `/admin` need one with the scope `admin`, sent as
`Authorization: Bearer KEY`. Every error is `application/problem+json`, with a `hint` where there is one.
"""
ERRORS = {
    400: "The body cannot be read.",
    401: "Nobody knows who asks: no key, or one that opens nothing.",
    403: "This key does not open this, or the form is not ours.",
    404: "It is not there, or not to be seen.",
    408: "The body did not come in time.",
    409: "As things stand, this cannot be done.",
    413: "The body is too large for whoever sends it.",
    422: "A value cannot be used.",
    429: "Too many requests; `Retry-After` says when to come back.",
    503: "The database cannot be used, or too many are asking at once.",
}
ADMIN_ONLY = frozenset({403, 409})
METHODS = frozenset({"get", "post", "put", "patch", "delete"})

Operation = dict[str, Any]


def document(face: FastAPI) -> dict[str, Any]:
    """The whole of it."""
    doc = get_openapi(
        title="Larder", version=face.version, description=ABOUT, routes=face.routes, servers=[{"url": "/api"}]
    )
    schemas: dict[str, Any] = doc["components"]["schemas"]
    schemas |= _problem_schemas()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for _, path, operation in operations(doc):
        _document_errors(operation, admin=path.startswith("/admin"))
        _show(operation, schemas)
    return doc


def operations(doc: Mapping[str, Any]) -> Iterator[tuple[str, str, Operation]]:
    """Every (method, path) with what is said of it."""
    for path, below in doc["paths"].items():
        for method, operation in below.items():
            if method in METHODS:
                yield method, path, operation


def _problem_schemas() -> dict[str, Any]:
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**schema.pop("$defs", {}), Problem.__name__: schema}


def _document_errors(operation: Operation, *, admin: bool) -> None:
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    for status, says in ERRORS.items():
        if (admin or status not in ADMIN_ONLY) and (status != 400 or "requestBody" in operation):
            operation["responses"][str(status)] = {
                "description": says,
                "content": {MEDIA_TYPE: {"schema": schema}},
            }


def _show(operation: Operation, schemas: Mapping[str, Any]) -> None:
    """An example for every parameter, body and answer."""
    for parameter in operation.get("parameters", []):
        parameter["example"] = value_of(parameter["name"], parameter["schema"], schemas)
    contents = [answer.get("content", {}) for answer in operation["responses"].values()]
    contents.append(operation.get("requestBody", {}).get("content", {}))
    for content in contents:
        for media in content.values():
            media["example"] = example(media["schema"], schemas)
