"""A stand-in for ClickHouse over real HTTP: the statements that we send, answered in its shapes, with faults.

It checks what it is given as the real one does: user and password, the columns of a table and their types.
Of rows with one key it shows the one with the largest version, of equal versions the last.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

_CREATE = re.compile(
    r"CREATE TABLE IF NOT EXISTS (\w+) \((.*)\) ENGINE = ReplacingMergeTree\(version\) ORDER BY (.+)"
)
_INSERT = re.compile(r"INSERT INTO (\w+) FORMAT JSONEachRow")
_DELETE = re.compile(
    r"INSERT INTO (\w+) \(id, version, deleted\) SELECT .* WHERE version < (\d+) AND deleted = 0"
)
_MAX = re.compile(r"SELECT max\(version\) FROM (\w+)")
_NUMBER = re.compile(r"UInt|Int|Float|Decimal")


@dataclass(slots=True)
class Table:
    """Its columns with their types, its key, and all rows that were inserted."""

    columns: dict[str, str]
    key: tuple[str, ...]
    rows: list[dict[str, Any]] = field(default_factory=list)

    def final(self) -> dict[Any, dict[str, Any]]:
        found: dict[Any, dict[str, Any]] = {}
        for row in self.rows:
            key = tuple(row.get(name) for name in self.key)
            if key not in found or row["version"] >= found[key]["version"]:
                found[key] = row
        return found


@dataclass(slots=True)
class Service:
    """One database, and what is to go wrong next."""

    tables: dict[str, Table] = field(default_factory=dict)
    views: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """What happens to the next inserts: a status, `code N`, `hidden` (200 with an exception), `garbage`,
    `lost` (the rows are taken, the answer is cut off), `silent` (no answer); empty: nothing."""
    password: str = ""
    inserts: int = 0

    def server(self) -> TestServer:
        app = web.Application(client_max_size=50_000_000)
        app.router.add_post("/", self._answer)
        return TestServer(app)

    def shown(self, name: str = "larder") -> dict[int, dict[str, Any]]:
        """What the view of the current records shows."""
        return {key[0]: row for key, row in self.tables[name].final().items() if not row.get("deleted")}

    def prices(self, name: str = "larder") -> list[tuple[int, float]]:
        current = {key: row["version"] for key, row in self.shown(name).items()}
        found = self.tables[f"{name}_prices"].final().values()
        return sorted((row["id"], row["price"]) for row in found if current.get(row["id"]) == row["version"])

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("X-ClickHouse-Key", "") != self.password:
            return _exception(516, "default: Authentication failed", 403)
        query, body = request.query["query"], await request.text()
        if found := _INSERT.fullmatch(query):
            self.inserts += 1
            return await self._insert(request, found[1], body)
        return self._other(query)

    def _other(self, query: str) -> web.Response:
        if found := _CREATE.fullmatch(query):
            columns = dict(part.strip().split(" ", 1) for part in re.split(r",\s(?=\w+ [A-Z])", found[2]))
            key = tuple(re.findall(r"\w+", found[3]))
            self.tables.setdefault(found[1], Table(columns, key))
        elif query.startswith("CREATE VIEW IF NOT EXISTS "):
            self.views.append(query)
        elif found := _MAX.fullmatch(query):
            return web.Response(
                text=f"{max((r['version'] for r in self.tables[found[1]].rows), default=0)}\n"
            )
        elif found := _DELETE.fullmatch(query):
            table, version = self.tables[found[1]], int(found[2])
            old = [
                row["id"] for row in table.final().values() if row["version"] < version and not row["deleted"]
            ]
            table.rows += [{"id": each, "version": version, "deleted": 1} for each in old]
        else:
            return _exception(62, f"Syntax error: {query[:80]}", 400)
        return web.Response()

    async def _insert(self, request: web.Request, name: str, body: str) -> web.StreamResponse:
        fault = self.faults.pop(0) if self.faults else ""
        if fault.isdecimal():
            return web.Response(status=int(fault), text="<html>too busy</html>")
        if fault.startswith("code "):
            return _exception(int(fault[5:]), "Too many parts", 500)
        if fault == "hidden":
            return web.Response(text="Code: 241. DB::Exception: Memory limit (for query) exceeded")
        if fault == "garbage":
            return web.Response(text="<html>Welcome to the hotel's network</html>")
        rows = [json.loads(line) for line in body.splitlines()]
        if wrong := next((each for row in rows if (each := self._wrong(name, row))), None):
            return _exception(27, f"Cannot parse input: {wrong}", 400)
        if fault != "silent":
            self.tables[name].rows += rows
        if fault in ("lost", "silent"):
            assert request.transport is not None
            request.transport.close()
        return web.Response()

    def _wrong(self, name: str, row: dict[str, Any]) -> str | None:
        columns = self.tables[name].columns
        for column, value in row.items():
            kind = columns.get(column)
            if kind is None:
                return f"unknown field {column}"
            if _NUMBER.search(kind) and (isinstance(value, bool) or not isinstance(value, int | float)):
                return f"{column} = {value}"
            if "DateTime" in kind and not re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", str(value)):
                return f"{column} = {value}"
            if "String" in kind and not isinstance(value, str):
                return f"{column} = {value}"
        return None


def _exception(code: int, text: str, status: int) -> web.Response:
    said = f"Code: {code}. DB::Exception: {text}. (version 24.8.4.13)\n"
    return web.Response(status=status, text=said, headers={"X-ClickHouse-Exception-Code": str(code)})
