"""The two places that a dataset is read from: the database of a data folder, and the API of a deployment."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

import orjson

from larder.actions.dataset import answers, changes
from larder.core.errors import BadInput, Unusable
from larder.core.model.source import Kind
from larder.core.quoting import quoted
from larder.rendering.json_values import to_json
from larder.store.database import DatabaseError, InlineDatabase, open_for_reading
from larder.store.migrations import upgrade
from larder.store.reads.operators.dataset_status import dataset_status
from larder.store.reads.query import MAX_ROWS, Query, Sort, parse_place

JsonAnswer = Mapping[str, Any]
MAX_ANSWER_BYTES = 256 * 1024 * 1024
TIMEOUT_S = 60
MAX_WAITS = 20
"""How often a request waits because of the deployment's rate limit."""
MAX_WAIT_S = 120


class DatasetReader(Protocol):
    """Where a dataset is read from."""

    def find(self, filters: Mapping[str, Any], after: str | None) -> JsonAnswer:
        """A page of records."""
        ...

    def record(self, record_id: int) -> JsonAnswer:
        """A record with its history."""
        ...

    def changes(self, since: str | None) -> JsonAnswer:
        """A page of changes."""
        ...

    def status(self) -> JsonAnswer:
        """The state of the dataset."""
        ...

    def close(self) -> None:
        """Close the reader."""
        ...


@dataclass(slots=True, kw_only=True)
class FolderReader:
    """Reads the SQLite database of a data folder; it cannot write to it."""

    database: InlineDatabase
    hidden: bool
    clock: Callable[[], datetime]

    def find(self, filters: Mapping[str, Any], after: str | None) -> JsonAnswer:
        """A page of records."""
        query = replace(_query(filters), after=after)
        return self._read(answers.find, query, hidden=self.hidden, now=self.clock())

    def record(self, record_id: int) -> JsonAnswer:
        """A record with its history."""
        return self._read(answers.history, record_id, hidden=self.hidden, now=self.clock())

    def changes(self, since: str | None) -> JsonAnswer:
        """A page of changes."""
        now = self.clock()
        return self._read(changes.changes_since, since, limit=MAX_ROWS, include_hidden=self.hidden, now=now)

    def status(self) -> JsonAnswer:
        """The state of the dataset."""
        return self._read(dataset_status, hidden=self.hidden, now=self.clock())

    def close(self) -> None:
        """Close the connection."""
        self.database.close_now()

    def _read(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> JsonAnswer:
        found = self.database.now(work, *args, **kwargs)
        answer: JsonAnswer = json.loads(orjson.dumps(to_json(found), option=orjson.OPT_UTC_Z))
        return answer


def folder_reader(folder: Path, *, hidden: bool, clock: Callable[[], datetime]) -> FolderReader:
    """Open the database of a data folder for reading."""
    path = folder / "larder.db" if folder.is_dir() else folder
    if not path.is_file():
        raise BadInput(f"there is no Larder in {folder}", hint="name the data folder: LARDER_DATA")
    try:
        database = open_for_reading(f"sqlite:///{path}")
        database.now(upgrade.check)
    except DatabaseError as error:
        raise Unusable(
            f"{path} cannot be read ({error})", hint="check that it is the database of a Larder"
        ) from error
    return FolderReader(database=database, hidden=hidden, clock=clock)


def _query(filters: Mapping[str, Any]) -> Query:
    """The filters of the API as a query of the store."""
    unknown = sorted(set(filters) - (set(Query.__dataclass_fields__) - {"after", "limit"}))
    if unknown:
        raise BadInput(
            f"unknown filter {quoted(unknown[0])}", hint="the filters are those of GET /api/records"
        )
    values = {name: _READ.get(name, _as_given)(value) for name, value in filters.items() if value is not None}
    return Query(**values, limit=MAX_ROWS)


def _as_given(value: Any) -> Any:
    return value


def _amount(value: Any) -> Decimal:
    try:
        return Decimal(str(value))
    except InvalidOperation as error:
        raise BadInput(f"{quoted(value)} is not an amount", hint="such as 1200 or 12.50") from error


def _moment(value: Any) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(value)


_READ: Mapping[str, Callable[[Any], Any]] = {
    "kind": Kind,
    "sort": Sort,
    "near": lambda value: parse_place(value) if isinstance(value, str) else value,
    "price_min": _amount,
    "price_max": _amount,
    "starts_after": _moment,
    "starts_before": _moment,
}
"""Filters that are sent as text over HTTP."""


@dataclass(slots=True, kw_only=True)
class HttpReader:
    """Reads the API of a deployment. The key goes to that address alone: redirects are not followed."""

    url: str
    key: str
    hidden: bool
    sleep: Callable[[float], None] = time.sleep
    _opener: Any = field(default_factory=lambda: urllib.request.build_opener(_NoRedirects))

    def find(self, filters: Mapping[str, Any], after: str | None) -> JsonAnswer:
        """A page of records."""
        path = "/api/admin/records" if self.hidden else "/api/records"
        collapse = {} if self.hidden else {"collapse": "none"}
        values = {**collapse, **filters, "after": after, "limit": MAX_ROWS}
        return self._get(path, {name: _text(value) for name, value in values.items() if value is not None})

    def record(self, record_id: int) -> JsonAnswer:
        """A record with its history."""
        return self._get(f"/api/{'admin/' if self.hidden else ''}records/{int(record_id)}", {})

    def changes(self, since: str | None) -> JsonAnswer:
        """A page of changes."""
        return self._get("/api/changes", {"limit": str(MAX_ROWS), **({"since": since} if since else {})})

    def status(self) -> JsonAnswer:
        """The state of the dataset."""
        return self._get("/api/status", {})

    def close(self) -> None:
        """Does nothing: no connection is kept."""

    def _get(self, path: str, params: Mapping[str, str]) -> JsonAnswer:
        """A response; waits if the deployment's rate limit is reached."""
        for _ in range(MAX_WAITS):
            answer = self._ask(path, params)
            if not isinstance(answer, float):
                return answer
            self.sleep(min(answer, MAX_WAIT_S))
        raise Unusable(
            f"{self.url} limits requests", hint="raise LARDER_REQUESTS_A_MINUTE there, or use a key"
        )

    def _ask(self, path: str, params: Mapping[str, str]) -> JsonAnswer | float:
        """A response, or how many seconds to wait before the next attempt."""
        headers = {"accept": "application/json", "user-agent": "larder.open"}
        headers |= {"authorization": f"Bearer {self.key}"} if self.key else {}
        request = urllib.request.Request(f"{self.url}{path}?{urlencode(params)}", headers=headers)  # noqa: S310
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as response:
                body = response.read(MAX_ANSWER_BYTES)
        except urllib.error.HTTPError as error:
            after = error.headers.get("retry-after", "")
            if error.code in (429, 503) and after.isdecimal():
                return float(after)
            raise _problem(self.url, error) from error
        except OSError as error:
            raise Unusable(f"{self.url} does not answer ({error})", hint="check the address") from error
        return self._decoded(body)

    def _decoded(self, body: bytes) -> JsonAnswer:
        try:
            answer: JsonAnswer = json.loads(body)
        except ValueError as error:
            raise Unusable(
                f"{self.url} is not a Larder server", hint="give the address of its pages or API"
            ) from error
        return answer


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Do not follow: the response is an error with its status."""


def http_reader(url: str, *, key: str, hidden: bool) -> HttpReader:
    """A reader of the API at this address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{quoted(url)} is not a web address", hint="such as https://larder.example.org")
    if hidden and not key:
        raise BadInput("hidden sources need a key", hint="give key=…, of the scope admin")
    return HttpReader(url=url.rstrip("/").removesuffix("/api"), key=key, hidden=hidden)


def _problem(url: str, error: urllib.error.HTTPError) -> Unusable:
    try:
        problem = json.loads(error.read(65_536))
        detail, hint = str(problem["detail"]), str(problem.get("hint") or "see the message")
    except (ValueError, KeyError, TypeError, OSError):
        detail, hint = f"status {error.code}", "check that it is the address of a Larder server"
    return Unusable(f"{url} answered: {detail}", hint=hint)


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def utc_now() -> datetime:
    """This machine's time."""
    return datetime.now(UTC)
