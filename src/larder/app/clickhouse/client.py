"""The few ClickHouse calls that are needed, over its HTTP interface.

Transient errors (429, 502 to 504, too many queries or parts, no response, a truncated response) are retried
with growing pauses. ClickHouse may respond with 200 and write its error into the body, so an unexpected body
is an error, too. The password is sent in a header, never in an address.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import aiohttp
import orjson

from larder.core.errors import BadInput, Transient, Unusable
from larder.core.quoting import quoted
from larder.service_responses import UNAVAILABLE, ResponseTooLongError, read_bounded

TABLE = "larder"
CLICKHOUSE_TIMEOUT = aiohttp.ClientTimeout(total=60)
PAUSES = (1.0, 4.0, 16.0)
"""Seconds before each further attempt."""
_LATER_CODES = frozenset({159, 202, 203, 209, 210, 241, 242, 252, 319, 999})
"""Timeout, too many queries, no connection, socket, network, memory, read-only table, too many parts …"""
_CODE = re.compile(r"Code:\s*(\d+)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")


class ClickHouseError(Unusable):
    """ClickHouse rejected a request."""


class _TransientError(Transient):
    """A transient error: the request is retried."""


@dataclass(frozen=True, slots=True)
class TableAddress:
    """URL, database and table name."""

    base: str
    database: str
    table: str
    headers: Mapping[str, str]


def parse_table_address(url: str) -> TableAddress:
    """`http://user:password@host:8123/database/table`; by default `default` and `larder`."""
    parts = urlsplit(url)
    names = [name for name in parts.path.split("/") if name]
    if parts.scheme not in ("http", "https") or not parts.hostname or len(names) > 2:
        hint = "such as http://user:password@127.0.0.1:8123/default/larder"
        raise BadInput("LARDER_CLICKHOUSE is not the address of a table", hint=hint)
    database, table = (*names, *("default", TABLE)[len(names) :])
    for name in (database, table):
        if not _NAME.fullmatch(name):
            raise BadInput(
                f"LARDER_CLICKHOUSE: {quoted(name)} is not a valid name", hint="use letters, digits and _"
            )
    host = parts.hostname if ":" not in parts.hostname else f"[{parts.hostname}]"
    base = urlunsplit((parts.scheme, f"{host}:{parts.port}" if parts.port else host, "/", "", ""))
    headers = {"X-ClickHouse-User": parts.username, "X-ClickHouse-Key": parts.password}
    return TableAddress(
        base, database, table, {name: unquote(value) for name, value in headers.items() if value}
    )


@dataclass(slots=True)
class ClickHouse:
    """One database of one server."""

    place: TableAddress
    session: aiohttp.ClientSession
    timeout: aiohttp.ClientTimeout = CLICKHOUSE_TIMEOUT
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self, statement: str) -> None:
        """Run a statement that returns no rows."""
        await self._silent(statement, b"")

    async def number(self, statement: str) -> int:
        """Run a statement that returns one number."""
        answer = await self._ask(statement, b"")
        if not answer.strip().isdecimal():
            raise ClickHouseError(f"ClickHouse answered {quoted(answer, 80)} instead of a number")
        return int(answer)

    async def insert(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows to a table."""
        if rows:
            lines = b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)
            await self._silent(f"INSERT INTO {table} FORMAT JSONEachRow", lines)

    async def _silent(self, statement: str, body: bytes) -> None:
        answer = await self._ask(statement, body)
        if answer.strip():
            raise ClickHouseError(f"ClickHouse answered {quoted(answer)} instead of an empty answer")

    async def _ask(self, statement: str, body: bytes) -> str:
        for pause in (*PAUSES, None):
            try:
                return await self._once(statement, body)
            except _TransientError as error:
                if pause is None:
                    hint = "run the same command later: it goes on where it stopped"
                    raise Unusable(str(error), hint=hint) from error
                await self.pause(pause)
        raise AssertionError("unreachable")

    async def _once(self, statement: str, body: bytes) -> str:
        params = {"database": self.place.database, "query": statement}
        try:
            async with self.session.post(
                self.place.base,
                params=params,
                data=body,
                headers=self.place.headers,
                timeout=self.timeout,
                allow_redirects=False,
            ) as response:
                return _checked(response, (await read_bounded(response)).decode(errors="replace"))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise _TransientError(f"ClickHouse did not answer ({type(error).__name__})") from error
        except ResponseTooLongError as error:
            raise ClickHouseError(f"ClickHouse: {error}") from error


def _checked(response: aiohttp.ClientResponse, answer: str) -> str:
    stated = _CODE.search(answer)
    code_text = response.headers.get("X-ClickHouse-Exception-Code") or (stated and stated[1])
    code = int(code_text) if code_text and code_text.isdecimal() else 0
    failed = response.status != 200 or code or "DB::Exception" in answer
    if not failed:
        return answer
    text = f"ClickHouse answered {response.status}: {' '.join(answer.split())[:200] or 'nothing'}"
    if response.status in UNAVAILABLE or code in _LATER_CODES:
        raise _TransientError(text)
    raise ClickHouseError(text, hint="check LARDER_CLICKHOUSE, its user's rights and the table's columns")
