"""The OpenAPI document is valid, and every route, parameter, field of a body and answer is described."""

from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import openapi_spec_validator
import pytest
from fastapi.routing import iter_route_contexts

from larder.actions.operations.runs import RunView
from larder.actions.sources.targets import TargetView
from larder.api import api_routes
from larder.api.openapi import openapi_document
from larder.rendering.json_values import field_names

OPERATIONS = sorted(
    f"{method} {route.path_format}"
    for route in iter_route_contexts(api_routes().routes)
    if route.include_in_schema
    for method in route.methods or ()
)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi_document(api_routes())


@pytest.fixture(scope="module")
def schemas(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"]
    return found


@pytest.fixture(scope="module")
def operations(document: dict[str, Any]) -> dict[str, Any]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def bodies(operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schemas of a route's request body."""
    for media in operation.get("requestBody", {}).get("content", {}).values():
        for each in media["schema"].get("anyOf", [media["schema"]]):
            if "$ref" in each:
                yield schemas[each["$ref"].rsplit("/", 1)[-1]]


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    openapi_spec_validator.validate(document)


def test_the_document_has_every_route(operations: dict[str, Any]) -> None:
    assert sorted(operations) == OPERATIONS


@pytest.mark.parametrize("route", OPERATIONS)
def test_a_route_is_described_with_its_parameters_bodies_and_answers(
    route: str, document: dict[str, Any], schemas: dict[str, Any], operations: dict[str, Any]
) -> None:
    operation = operations[route]
    assert operation["summary"]
    assert operation["description"].strip()
    for parameter in operation.get("parameters", []):
        assert parameter.get("description") or parameter["schema"]["description"]
    for body in bodies(operation, schemas):
        assert [name for name, each in body["properties"].items() if not each.get("description")] == []
        for example in body.get("examples", []):
            jsonschema.Draft202012Validator({**body, "components": document["components"]}).validate(example)
    for status, answer in operation["responses"].items():
        (media,) = answer["content"].values()
        assert "$ref" in media["schema"]
        assert answer["description"]
        assert ("application/problem+json" in answer["content"]) == (int(status) >= 400)


@pytest.mark.parametrize("kind", [RunView, TargetView])
def test_fields_and_properties_of_an_answer_are_described(kind: type, schemas: dict[str, Any]) -> None:
    schema = schemas[kind.__name__]
    assert set(schema["properties"]) == set(schema["required"]) == set(field_names(kind))


def test_a_duration_is_a_number_of_seconds(schemas: dict[str, Any]) -> None:
    assert schemas["TargetView"]["properties"]["interval"]["type"] == "number"


def test_the_text_below_a_field_is_its_description(schemas: dict[str, Any]) -> None:
    assert schemas["RunView"]["properties"]["voided_at"]["description"]
    assert schemas["PublicRecord"]["properties"]["shown_until"]["description"]
    assert schemas["RecordLine"]["properties"]["badge"]["description"]


def test_bodies_whose_fields_belong_together_have_an_example(schemas: dict[str, Any]) -> None:
    for name in ("NewSource", "NewTarget", "NewWatch", "DiscardRequest", "Release"):
        assert schemas[name]["examples"], name


def test_every_name_of_an_operation_is_its_own(operations: dict[str, Any]) -> None:
    names = [operation["operationId"] for operation in operations.values()]
    assert len(set(names)) == len(names)


def test_markets_are_sources_by_another_name(operations: dict[str, Any]) -> None:
    under = {
        prefix: {r.replace(prefix, "") for r in operations if prefix in r}
        for prefix in ("/sources", "/markets")
    }
    assert under["/sources"] == under["/markets"] != set()
    assert "POST /admin/markets/{slug}/scrape" in operations
