"""The OpenAPI document: FastAPI's description of the routes, plus the errors of every route."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import iter_route_contexts
from pydantic.json_schema import models_json_schema

from larder.actions.dataset.public_record import PublicRecord
from larder.api.field_descriptions import describe_fields
from larder.api.problems import MEDIA_TYPE, Problem
from larder.api.records import RecordPage

DESCRIPTION = """\
Records, their changes, and everything an operator does.

Public routes need no key. Routes below `/admin` need a key with the scope `admin`, sent as
`Authorization: Bearer KEY`. Every error is `application/problem+json`, with a `hint` for the next step.
"""
_REF = "#/components/schemas/{model}"
_SELECTED = "SelectedRecord"
_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": _REF.format(model=Problem.__name__)}}}

Responses = dict[int | str, dict[str, Any]]


def _problems(descriptions: dict[int, str]) -> Responses:
    return {
        status: {"description": description, "content": _CONTENT}
        for status, description in descriptions.items()
    }


PROBLEMS = _problems(
    {
        400: "The body is not valid JSON.",
        401: "The API key is invalid or revoked, or none was sent.",
        404: "Not found, or not public.",
        408: "The body was not received in time.",
        413: "The body is too large.",
        422: "A value is invalid; `wrong` names each field.",
        429: "Too many requests; `Retry-After` gives the seconds to wait.",
        503: "The database is unavailable, or the server is overloaded.",
    }
)
ADMIN_PROBLEMS = _problems(
    {
        403: "The key lacks the scope `admin`, or the CSRF token is missing.",
        409: "The current state does not allow this.",
    }
)


def openapi_document(api: FastAPI) -> dict[str, Any]:
    """The whole document; it takes about a second to build."""
    document = get_openapi(
        title=api.title,
        version=api.version,
        description=DESCRIPTION,
        routes=api.routes,
        servers=[{"url": "/api"}],
    )
    _, problem = models_json_schema([(Problem, "serialization")], ref_template=_REF)
    schemas: dict[str, Any] = document["components"]["schemas"]
    schemas |= problem["$defs"]
    describe_fields(schemas, _answers(api))
    _describe_selected_fields(schemas)
    return document


def _answers(api: FastAPI) -> list[Any]:
    """The types of all answers."""
    return [getattr(route, "response_model", None) for route in iter_route_contexts(api.routes)]


def _describe_selected_fields(schemas: dict[str, Any]) -> None:
    """Make all fields of a search's records optional: `fields` selects them."""
    schema = {name: value for name, value in schemas[PublicRecord.__name__].items() if name != "required"}
    described = "A record, with the fields that were asked for; without `fields`, with all."
    schemas[_SELECTED] = {**schema, "title": _SELECTED, "description": described}
    schemas[RecordPage.__name__]["properties"]["items"]["items"] = {"$ref": _REF.format(model=_SELECTED)}
