"""The document is complete: every route has its words, every parameter, body and answer a right example."""

from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from larder.api import api_routes
from larder.api.openapi import document, operations

DOCUMENT = document(api_routes())
ROUTES = {f"{method.upper()} {path}": operation for method, path, operation in operations(DOCUMENT)}


def shown(operation: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Every (schema, example) of a route."""
    for parameter in operation.get("parameters", []):
        yield parameter["schema"], parameter["example"]
    contents = [each.get("content", {}) for each in operation["responses"].values()]
    for content in (*contents, operation.get("requestBody", {}).get("content", {})):
        for media in content.values():
            yield media["schema"], media["example"]


@pytest.mark.parametrize("route", ROUTES)
def test_a_route_has_its_words_and_its_examples(route: str) -> None:
    operation = ROUTES[route]
    assert operation["summary"]
    assert operation["description"].strip()
    described = [
        each.get("description") or each["schema"]["description"] for each in operation.get("parameters", [])
    ]
    assert all(described)
    for schema, example in shown(operation):
        whole = {**schema, "components": DOCUMENT["components"]}
        jsonschema.Draft202012Validator(whole).validate(example)


def test_every_name_of_an_operation_is_its_own() -> None:
    names = [operation["operationId"] for operation in ROUTES.values()]
    assert len(set(names)) == len(names)


def test_markets_are_sources_by_another_name() -> None:
    under = {
        prefix: {r.replace(prefix, "") for r in ROUTES if prefix in r} for prefix in ("/sources", "/markets")
    }
    assert under["/sources"] == under["/markets"] != set()
    assert "POST /admin/markets/{slug}/scrape" in ROUTES
