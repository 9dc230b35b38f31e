"""The OpenAPI document is valid, and every route, parameter, field of a body and answer is described."""

from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import openapi_spec_validator
import pytest

from larder.actions.operations.runs import RunView
from larder.actions.sources.targets import TargetView
from larder.api import api_routes
from larder.api.openapi import openapi_document
from larder.rendering.json_values import field_names

DOCUMENT = openapi_document(api_routes())
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
ROUTES = {
    f"{method.upper()} {path}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def bodies(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schemas of a route's request body."""
    for media in operation.get("requestBody", {}).get("content", {}).values():
        for each in media["schema"].get("anyOf", [media["schema"]]):
            if "$ref" in each:
                yield SCHEMAS[each["$ref"].rsplit("/", 1)[-1]]


def test_the_document_is_valid() -> None:
    openapi_spec_validator.validate(DOCUMENT)


@pytest.mark.parametrize("route", ROUTES)
def test_a_route_is_described_with_its_parameters_bodies_and_answers(route: str) -> None:
    operation = ROUTES[route]
    assert operation["summary"]
    assert operation["description"].strip()
    for parameter in operation.get("parameters", []):
        assert parameter.get("description") or parameter["schema"]["description"]
    for body in bodies(operation):
        assert [name for name, each in body["properties"].items() if not each.get("description")] == []
        for example in body.get("examples", []):
            jsonschema.Draft202012Validator({**body, "components": DOCUMENT["components"]}).validate(example)
    for status, answer in operation["responses"].items():
        (media,) = answer["content"].values()
        assert "$ref" in media["schema"]
        assert answer["description"]
        assert ("application/problem+json" in answer["content"]) == (int(status) >= 400)


@pytest.mark.parametrize("kind", [RunView, TargetView])
def test_fields_and_properties_of_an_answer_are_described(kind: type) -> None:
    schema = SCHEMAS[kind.__name__]
    assert set(schema["properties"]) == set(schema["required"]) == set(field_names(kind))


def test_a_duration_is_a_number_of_seconds() -> None:
    assert SCHEMAS["TargetView"]["properties"]["interval"]["type"] == "number"


def test_the_text_below_a_field_is_its_description() -> None:
    assert SCHEMAS["RunView"]["properties"]["voided_at"]["description"]
    assert SCHEMAS["PublicRecord"]["properties"]["shown_until"]["description"]


def test_bodies_whose_fields_belong_together_have_an_example() -> None:
    for name in ("NewSource", "NewTarget", "NewWatch", "DiscardRequest", "Release"):
        assert SCHEMAS[name]["examples"], name


def test_every_name_of_an_operation_is_its_own() -> None:
    names = [operation["operationId"] for operation in ROUTES.values()]
    assert len(set(names)) == len(names)


def test_markets_are_sources_by_another_name() -> None:
    under = {
        prefix: {r.replace(prefix, "") for r in ROUTES if prefix in r} for prefix in ("/sources", "/markets")
    }
    assert under["/sources"] == under["/markets"] != set()
    assert "POST /admin/markets/{slug}/scrape" in ROUTES
