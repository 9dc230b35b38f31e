"""The few calls of Elasticsearch that we make, over plain HTTP.

A whole answer of 429 or 503 is `Busy`: the same again later. In a bulk each document has an answer of its
own: some may be asked for again, some will never fit (a mapping conflict) and are told by number. Documents
carry a version: what two feeders send in the wrong order still ends as the newer one.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import aiohttp
import orjson

from larder.core.errors import BadInput, Category, Transient

INDEX = "larder"
TIMEOUT = aiohttp.ClientTimeout(total=20)
MAX_RESPONSE_BYTES = 20_000_000
_NEWER = 409
"""It has a newer version: what we wanted to say was said."""
_LATER = frozenset({429, 502, 503, 504})


class ElasticError(Transient):
    """The service did not do what it was asked."""

    category = Category.NETWORK


class Busy(ElasticError):
    """It has too much to do, or is starting: the same again later."""


@dataclass(frozen=True, slots=True)
class IndexAddress:
    """Where the index is."""

    base: str
    index: str
    authorization: str | None = None
    """The header that opens it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkResult:
    """What came of many documents."""

    again: Sequence[int] = ()
    """Not taken now; ask again."""
    refused: Mapping[int, str] = field(default_factory=dict)
    """Never taken, each with the reason."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A record that the service found."""

    id: int
    score: float


def parse_address(url: str) -> IndexAddress:
    """`http://user:password@host:9200/index`; without a path the index is `larder`."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput("LARDER_ELASTICSEARCH is no address", hint="such as http://127.0.0.1:9200/larder")
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
        """Make the index if it is not there; False where it was."""
        status, said = await self._ask("PUT", f"/{quote(self._place.index)}", {"mappings": mappings})
        if status == 400 and _type(said) == "resource_already_exists_exception":
            return False
        _raise_for_status(status, said)
        return True

    async def bulk(self, documents: Mapping[int, Mapping[str, Any] | None], *, version: int) -> BulkResult:
        """Put these documents, or (None) take them out, unless there is a newer version."""
        if not documents:
            return BulkResult()
        lines = [line for number, document in documents.items() for line in _lines(number, document, version)]
        path = f"/{quote(self._place.index)}/_bulk"
        status, said = await self._ask("POST", path, b"\n".join([*lines, b""]), kind="application/x-ndjson")
        _raise_for_status(status, said)
        return _bulk_result(list(documents), said.get("items", []))

    async def search(self, body: Mapping[str, Any]) -> list[Hit]:
        """The numbers of what answers, best first."""
        status, said = await self._ask("POST", f"/{quote(self._place.index)}/_search", body)
        _raise_for_status(status, said)
        hits = said.get("hits", {}).get("hits", [])
        return [Hit(int(hit["_id"]), float(hit.get("_score") or 0.0)) for hit in hits]

    async def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | bytes, kind: str = "application/json"
    ) -> tuple[int, Any]:
        given = body if isinstance(body, bytes) else orjson.dumps(body)
        try:
            async with self._session.request(
                method,
                self._place.base + path,
                data=given,
                headers=self._headers(kind),
                timeout=TIMEOUT,
                allow_redirects=False,
            ) as response:
                return response.status, _read(await response.content.read(MAX_RESPONSE_BYTES))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise ElasticError(f"Elasticsearch did not answer ({type(error).__name__})") from error

    def _headers(self, kind: str) -> dict[str, str]:
        headers = {"Content-Type": kind, "Accept": "application/json"}
        opens = self._place.authorization
        return headers if opens is None else {**headers, "Authorization": opens}


def _lines(number: int, document: Mapping[str, Any] | None, version: int) -> list[bytes]:
    which = {"_id": str(number), "version": version, "version_type": "external_gte"}
    if document is None:
        return [orjson.dumps({"delete": which})]
    return [orjson.dumps({"index": which}), orjson.dumps(document)]


def _bulk_result(asked: Sequence[int], items: Sequence[Mapping[str, Any]]) -> BulkResult:
    """One answer each, in the order of asking; what has none is asked again."""
    again: list[int] = list(asked[len(items) :])
    refused: dict[int, str] = {}
    for number, item in zip(asked, items, strict=False):
        answer = next(iter(item.values()))
        status = int(answer.get("status", 500))
        if status in _LATER or status >= 500:
            again.append(number)
        elif status >= 400 and status != _NEWER and not (status == 404 and "delete" in item):
            refused[number] = str((answer.get("error") or {}).get("reason") or f"status {status}")
    return BulkResult(again=tuple(again), refused=refused)


def _raise_for_status(status: int, said: Any) -> None:
    if status in _LATER:
        raise Busy(f"Elasticsearch is busy ({status})", category=Category.QUOTA)
    if status >= 400:
        raise ElasticError(f"Elasticsearch answered {status} {_type(said)}".rstrip())


def _type(said: Any) -> str:
    error = said.get("error") if isinstance(said, dict) else None
    return str(error.get("type", "")) if isinstance(error, dict) else ""


def _read(body: bytes) -> Any:
    try:
        return orjson.loads(body) if body else {}
    except orjson.JSONDecodeError as error:
        raise ElasticError("Elasticsearch answered no JSON") from error
