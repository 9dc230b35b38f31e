"""A stand-in for Elasticsearch over real HTTP: the calls that we make, answered in its shapes, with faults.

It checks what it is given as the real one does: NDJSON that ends with a newline, the content type, fields of
the mapped type, external versions. How it scores is its own.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

_NUMBERS = frozenset({"long", "float"})


@dataclass(slots=True)
class Service:
    """One index, and what is to go wrong next."""

    indices: dict[str, Any] = field(default_factory=dict)
    documents: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    faults: list[int] = field(default_factory=list)
    """Statuses of the next whole answers."""
    item_faults: dict[str, list[int]] = field(default_factory=dict)
    """Statuses of the next answers for one document."""
    bulks: list[int] = field(default_factory=list)
    """How many documents each bulk had."""

    def server(self) -> TestServer:
        app = web.Application(middlewares=[self._fault])
        app.router.add_put("/{index}", self._create)
        app.router.add_post("/{index}/_bulk", self._bulk)
        app.router.add_post("/{index}/_search", self._search)
        return TestServer(app)

    @web.middleware
    async def _fault(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if self.faults and (status := self.faults.pop(0)):
            kind = "es_rejected_execution_exception" if status == 429 else "unavailable_shards_exception"
            return web.json_response(_error(kind, status), status=status)
        answer: web.StreamResponse = await handler(request)
        return answer

    async def _create(self, request: web.Request) -> web.Response:
        index = request.match_info["index"]
        if index in self.indices:
            return web.json_response(_error("resource_already_exists_exception", 400), status=400)
        self.indices[index] = (await request.json())["mappings"]
        return web.json_response({"acknowledged": True, "index": index})

    async def _bulk(self, request: web.Request) -> web.Response:
        body = await request.text()
        if request.content_type != "application/x-ndjson" or not body.endswith("\n"):
            return web.json_response(_error("illegal_argument_exception", 400), status=400)
        lines = [json.loads(line) for line in body.splitlines()]
        items = []
        while lines:
            ((action, which),) = lines.pop(0).items()
            document = lines.pop(0) if action == "index" else None
            items.append({action: self._settle(request.match_info["index"], which, document)})
        self.bulks.append(len(items))
        errors = any(next(iter(item.values()))["status"] >= 400 for item in items)
        return web.json_response({"took": 1, "errors": errors, "items": items})

    def _settle(self, index: str, which: Mapping[str, Any], document: Any) -> dict[str, Any]:
        number, version = which["_id"], which["version"]
        if self.item_faults.get(number):
            status = self.item_faults[number].pop(0)
            return {"_id": number, "status": status, **_error("es_rejected_execution_exception", status)}
        if version < self.versions.get(number, 0):
            return {"_id": number, "status": 409, **_error("version_conflict_engine_exception", 409)}
        if document is not None and (wrong := self._misfit(index, document)):
            return {"_id": number, "status": 400, **_error("document_parsing_exception", 400, wrong)}
        self.versions[number] = version
        if document is None:
            found = self.documents.pop(number, None)
            return {"_id": number, "status": 200 if found else 404}
        self.documents[number] = document
        return {"_id": number, "status": 201}

    def _misfit(self, index: str, document: Mapping[str, Any]) -> str:
        for name, mapped in self.indices[index]["properties"].items():
            if mapped["type"] in _NUMBERS and isinstance(document.get(name), str):
                return f"failed to parse field [{name}] of type [{mapped['type']}]"
        return ""

    async def _search(self, request: web.Request) -> web.Response:
        if request.match_info["index"] not in self.indices:
            return web.json_response(_error("index_not_found_exception", 404), status=404)
        asked = await request.json()
        words, stems = asked["query"]["bool"]["should"]
        wanted = set(words["multi_match"]["query"].split()) | set(stems["match"]["stems"]["query"].split())
        hits: list[dict[str, Any]] = [
            {"_id": number, "_score": float(score)}
            for number, document in self.documents.items()
            if (score := _score(document, wanted)) and _fits(document, asked["query"]["bool"]["filter"])
        ]
        hits.sort(key=lambda hit: (-hit["_score"], -int(hit["_id"])))
        return web.json_response({"took": 1, "hits": {"hits": hits[: asked["size"]]}})


def _score(document: Mapping[str, Any], wanted: set[str]) -> int:
    fields = {"title": 3, "names": 2, "description": 1, "stems": 1}
    return sum(weight * len(wanted & set(document.get(name, "").split())) for name, weight in fields.items())


def _fits(document: Mapping[str, Any], filters: list[Mapping[str, Any]]) -> bool:
    for each in filters:
        for name, value in each.get("term", {}).items():
            if document.get(name) != value:
                return False
        for name, bounds in each.get("range", {}).items():
            if name not in document or document[name] < bounds.get("gte", document[name]):
                return False
            if document[name] > bounds.get("lte", document[name]):
                return False
    return True


def _error(kind: str, status: int, reason: str = "") -> dict[str, Any]:
    return {"error": {"type": kind, "reason": reason or kind}, "status": status}
