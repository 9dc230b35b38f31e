"""Brings a copy of the dataset in ClickHouse up to date, step by step.

The first export loads all active records, later ones send changes. The state is stored in Larder's database
after each step: an interrupted export continues, and a repeated step changes nothing.
"""

from dataclasses import dataclass
from hashlib import sha256

import aiohttp

from larder.actions.dataset import analytics_copy
from larder.actions.dataset.analytics_copy import CopyState, CopyStep
from larder.app.clickhouse.client import ClickHouse, TableAddress, parse_table_address
from larder.app.clickhouse.tables import delete_older, latest_version, statements
from larder.app.deployment import App
from larder.core.errors import BadInput


@dataclass(slots=True, kw_only=True)
class CopyReport:
    """How many rows were sent."""

    table: str
    records: int = 0
    """Records sent; a record that changed in two steps counts twice."""
    deleted: int = 0
    """Records that were erased or hidden."""
    prices: int = 0
    loaded: bool = False
    """Whether all records were sent, not only changes."""


async def send_missing(app: App, *, hidden: bool = False) -> CopyReport:
    """Send missing rows to the table that the settings name."""
    url = app.settings.clickhouse.get_secret_value()
    if not url:
        hint = "set LARDER_CLICKHOUSE, such as http://user:password@127.0.0.1:8123/default/larder"
        raise BadInput("no ClickHouse table is configured", hint=hint)
    async with aiohttp.ClientSession() as session:
        return await update_copy(app, ClickHouse(parse_table_address(url), session), hidden=hidden)


async def update_copy(app: App, server: ClickHouse, *, hidden: bool) -> CopyReport:
    """Create the tables, load all records once, then send changes."""
    table, name = server.place.table, _name(server.place)
    for statement in statements(table):
        await server.run(statement)
    report = CopyReport(table=table)
    state = await app.read(analytics_copy.read_state, name, hidden=hidden)
    state = state or await _begin(app, server, name, hidden=hidden)
    while state.loading:
        report.loaded = True
        step = await app.read(analytics_copy.load_step, state, now=app.clock.now())
        state = await _send(app, server, name, step, report)
    while changed := await app.read(analytics_copy.change_step, state, now=app.clock.now()):
        state = await _send(app, server, name, changed, report)
    return report


async def _begin(app: App, server: ClickHouse, name: str, *, hidden: bool) -> CopyState:
    """Begin with a version above those in the table, which may hold an earlier copy."""
    latest = await server.number(latest_version(server.place.table))
    state = await app.read(analytics_copy.begin, version=latest + 1, hidden=hidden)
    await app.run(analytics_copy.write_state, name, state, now=app.clock.now())
    return state


async def _send(app: App, server: ClickHouse, name: str, step: CopyStep, report: CopyReport) -> CopyState:
    table = server.place.table
    await server.insert(f"{table}_prices", step.prices)
    await server.insert(table, step.records)
    if step.ends_load:
        await server.run(delete_older(table, step.state.version))
    deleted = sum(row["deleted"] for row in step.records)
    report.records += len(step.records) - deleted
    report.deleted += deleted
    report.prices += len(step.prices)
    await app.run(analytics_copy.write_state, name, step.state, now=app.clock.now())
    return step.state


def _name(place: TableAddress) -> str:
    full_name = f"{place.base}{place.database}/{place.table}"
    return f"clickhouse:{sha256(full_name.encode()).hexdigest()[:16]}"
