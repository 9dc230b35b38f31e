"""The few Elasticsearch calls that are needed, over plain HTTP.

An answer of 429 or 503 is `Busy`: try again later. In a bulk request each document has its own status: some
are sent again, some never fit (a mapping conflict) and are returned by id. Documents carry a version, so
that two writers in the wrong order still end with the newer one.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import aiohttp
import orjson

from larder.core.errors import BadInput, Category, Transient
from larder.service_responses import UNAVAILABLE, ResponseTooLongError, read_bounded

INDEX = "larder"
ELASTIC_TIMEOUT = aiohttp.ClientTimeout(total=20)
MAX_RESPONSE_BYTES = 20_000_000
_NEWER = 409
"""The status of a document of which the index has a newer version."""


class ElasticError(Transient):
    """The service rejected a request."""

    category = Category.NETWORK


class Busy(ElasticError):
    """The service is overloaded or starting: try again later."""


@dataclass(frozen=True, slots=True)
class IndexAddress:
    """URL and name of the index."""

    base: str
    index: str
    authorization: str | None = None
    """The Authorization header, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkResult:
    """The result of a bulk request."""

    retriable: Sequence[int] = ()
    """Not accepted now; send again."""
    refused: Mapping[int, str] = field(default_factory=dict)
    """Never accepted, each with the reason."""


@dataclass(frozen=True, slots=True)
class ElasticHit:
    """A record that the service found."""

    id: int
    score: float


def parse_index_address(url: str) -> IndexAddress:
    """`http://user:password@host:9200/index`; without a path the index is `larder`."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput("LARDER_ELASTICSEARCH is not a URL", hint="such as http://127.0.0.1:9200/larder")
    host = parts.hostname if ":" not in parts.hostname else f"[{parts.hostname}]"
    base = urlunsplit((parts.scheme, f"{host}:{parts.port}" if parts.port else host, "", "", ""))
    return IndexAddress(base, parts.path.strip("/") or INDEX, _basic(parts.username, parts.password))


def _basic(user: str | None, password: str | None) -> str | None:
    if user is None:
        return None
    pair = f"{unquote(user)}:{unquote(password or '')}"
    return f"Basic {b64encode(pair.encode()).decode()}"


class Elastic:
    """One index of one service."""

    def __init__(self, place: IndexAddress, session: aiohttp.ClientSession) -> None:
        self._place, self._session = place, session

    async def ensure(self, mappings: Mapping[str, Any]) -> bool:
        """Create the index if it does not exist; False where it did."""
        status, answer = await self._ask("PUT", f"/{quote(self._place.index)}", {"mappings": mappings})
        if status == 400 and _type(answer) == "resource_already_exists_exception":
            return False
        _raise_for_status(status, answer)
        return True

    async def bulk(self, documents: Mapping[int, Mapping[str, Any] | None], *, version: int) -> BulkResult:
        """Index these documents, or delete those that are None, unless there is a newer version."""
        if not documents:
            return BulkResult()
        lines = [line for number, document in documents.items() for line in _lines(number, document, version)]
        path = f"/{quote(self._place.index)}/_bulk"
        status, answer = await self._ask("POST", path, b"\n".join([*lines, b""]), kind="application/x-ndjson")
        _raise_for_status(status, answer)
        return _bulk_result(list(documents), answer.get("items", []))

    async def search(self, body: Mapping[str, Any]) -> list[ElasticHit]:
        """Matching record ids, best first."""
        status, answer = await self._ask("POST", f"/{quote(self._place.index)}/_search", body)
        _raise_for_status(status, answer)
        hits = answer.get("hits", {}).get("hits", [])
        return [ElasticHit(int(hit["_id"]), float(hit.get("_score") or 0.0)) for hit in hits]

    async def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | bytes, kind: str = "application/json"
    ) -> tuple[int, Any]:
        try:
            async with self._session.request(
                method,
                self._place.base + path,
                data=body if isinstance(body, bytes) else orjson.dumps(body),
                headers=self._headers(kind),
                timeout=ELASTIC_TIMEOUT,
                allow_redirects=False,
            ) as response:
                return response.status, _read(await read_bounded(response, MAX_RESPONSE_BYTES))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise ElasticError(f"Elasticsearch did not answer ({type(error).__name__})") from error
        except ResponseTooLongError as error:
            raise ElasticError(f"Elasticsearch: {error}") from error

    def _headers(self, kind: str) -> dict[str, str]:
        headers = {"Content-Type": kind, "Accept": "application/json"}
        opens = self._place.authorization
        return headers if opens is None else {**headers, "Authorization": opens}


def _lines(number: int, document: Mapping[str, Any] | None, version: int) -> list[bytes]:
    action = {"_id": str(number), "version": version, "version_type": "external_gte"}
    if document is None:
        return [orjson.dumps({"delete": action})]
    return [orjson.dumps({"index": action}), orjson.dumps(document)]


def _bulk_result(ids: Sequence[int], items: Sequence[Mapping[str, Any]]) -> BulkResult:
    """One status for each document, in order; a document without one is sent again."""
    retriable: list[int] = list(ids[len(items) :])
    refused: dict[int, str] = {}
    for number, item in zip(ids, items, strict=False):
        answer = next(iter(item.values()))
        status = int(answer.get("status", 500))
        if status in UNAVAILABLE or status >= 500:
            retriable.append(number)
        elif status >= 400 and status != _NEWER and not (status == 404 and "delete" in item):
            refused[number] = str((answer.get("error") or {}).get("reason") or f"status {status}")
    return BulkResult(retriable=tuple(retriable), refused=refused)


def _raise_for_status(status: int, answer: Any) -> None:
    if status in UNAVAILABLE:
        raise Busy(f"Elasticsearch is busy ({status})", category=Category.QUOTA)
    if status >= 400:
        raise ElasticError(f"Elasticsearch answered {status} {_type(answer)}".rstrip())


def _type(answer: Any) -> str:
    error = answer.get("error") if isinstance(answer, dict) else None
    return str(error.get("type", "")) if isinstance(error, dict) else ""


def _read(body: bytes) -> Any:
    try:
        return orjson.loads(body) if body else {}
    except orjson.JSONDecodeError as error:
        raise ElasticError("Elasticsearch's answer is not JSON") from error
