"""How both databases go about the queries that run all the time, on tables that are not small.

`python -m tests.contract.query_plans` writes docs/reference/query-plans.md from what they say;
`test_query_plans.py` holds them to it that none reads a table that grows from end to end.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
from sqlalchemy import Connection

from larder.store.database import Database, open_database
from larder.store.database.statement import Statement
from larder.store.dataset import changes, coverage, entities, history, records, sightings, verifications
from larder.store.migrations import upgrade
from larder.store.pages import images, pages
from larder.store.queue import lanes, ready_jobs, runs, schedules, selections, stale_work, targets
from tests.contract.world import NOW, begin_empty, site, source
from tests.services import ROOT, url_of

PAGE = ROOT / "docs" / "reference" / "query-plans.md"
SOURCES, RECORDS = 20, 20_000
"""So many sources share so many rows of each table."""
GROWING = frozenset(
    {
        "records",
        "verifications",
        "jobs",
        "runs",
        "pages",
        "targets",
        "sightings",
        "observations",
        "versions",
        "changes",
        "images",
        "entity_keys",
        "entities",
        "links",
    }
)
IN_WORK = frozenset(
    {
        "ix_jobs_age",
        "ix_jobs_lane",
        "ix_jobs_running",
        "ix_runs_heartbeat",
    }
)
"""Indexes that hold only what is in work (pending jobs, running ones, open runs), however large the table."""
NOW_US = int(NOW.timestamp() * 1_000_000)
HOUR_US = 3_600_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A statement as it is asked, and what it is for."""

    title: str
    statement: Statement[Any]
    args: Mapping[str, Any] = field(default_factory=dict)
    rows: Sequence[Sequence[Any]] | None = None


_CHECKABLE = {"now": NOW_US, "started": NOW_US, "struck_before": NOW_US - 3 * HOUR_US, "limit": 47}
_FADE = {"source_id": 1, "now": NOW_US}

_PAGE = [(1, f"PID:{20 * n}") for n in range(90)]
_ROWS_OF_A_PAGE = [(1 + 20 * n,) for n in range(90)]
_SIGHTINGS = [
    (1 + 20 * n, 7, NOW_US, None, 1, "https://homes.test/", 100, 2, NOW_US, NOW_US, NOW_US) for n in range(90)
]
_FACTS = [(1 + 20 * n, "price", NOW_US) for n in range(90)]

QUERIES = (
    Query(
        title="Is there anything for a tick to do?",
        statement=schedules._ANYTHING,
        args={"now": NOW_US, "silent_since": NOW_US - HOUR_US},
    ),
    Query(
        title="The next jobs of a lane",
        statement=ready_jobs._READY,
        args={"site_id": 1, "now": NOW_US, "limit": 2},
    ),
    Query(
        title="When is the next job of a lane ready?",
        statement=ready_jobs._NEXT_READY,
        args={"site_id": 1, "now": NOW_US},
    ),
    Query(title="Jobs of drivers that died", statement=lanes._FREE_ABANDONED, rows=[(1, 7)]),
    Query(title="Runs to be stepped", statement=runs._LOAD_SQLITE, rows=[(n,) for n in range(1, 4)]),
    Query(
        title="Jobs that nobody took for a day",
        statement=stale_work._MARK,
        args={"before": NOW_US - 24 * HOUR_US, "now": NOW_US, "limit": 1_000},
    ),
    Query(
        title="What a URL gave last time",
        statement=pages._LAST,
        rows=[(n, 1, f"https://homes.test/{20 * n}") for n in range(3)],
    ),
    Query(title="A page's rows: which are known", statement=records._BY_KEY, rows=_PAGE),
    Query(
        title="A page's rows: known under their address",
        statement=records._BY_URL,
        rows=[(1, f"https://homes.test/{20 * n}") for n in range(90)],
    ),
    Query(title="A page's rows: what is known of them", statement=records._CONTENT, rows=_ROWS_OF_A_PAGE),
    Query(
        title="A page's rows: seen again",
        statement=sightings._SEEN_AS_BEFORE,
        rows=_SIGHTINGS,
    ),
    Query(
        title="A page's rows: seen again, no longer doubted",
        statement=sightings._SEEN_AGAIN,
        rows=_SIGHTINGS,
    ),
    Query(title="A page's rows: values confirmed", statement=history._CONFIRM, rows=_FACTS),
    Query(title="A page's rows: values that changed", statement=history._SUPERSEDE, rows=_FACTS),
    Query(
        title="A page as it was: what it showed",
        statement=sightings._SHOWN_ON,
        rows=[(1 + n,) for n in range(3)],
    ),
    Query(
        title="The change feed after a cursor",
        statement=changes._SINCE_SQLITE,
        args={"transaction_id": 0, "id": RECORDS - 200, "limit": 100},
    ),
    Query(
        title="Images that are due",
        statement=images._CLAIM,
        args={"now": NOW_US, "until": NOW_US + HOUR_US, "limit": 20},
    ),
    Query(title="Images of what was read", statement=images._KNOWN, rows=_ROWS_OF_A_PAGE[:3]),
    Query(title="Resolver: what records tell", statement=entities._FACTS, rows=_ROWS_OF_A_PAGE),
    Query(
        title="Resolver: keys that tell something",
        statement=entities._TELLING,
        rows=[(n,) for n in range(90)],
        args={"crowd": entities.CROWD},
    ),
    Query(
        title="Resolver: who shares a key",
        statement=entities._SHARING,
        rows=[(n, 1 + 20 * n, 1) for n in range(9)],
    ),
    Query(title="Resolver: links that records had", statement=entities._LINKS, rows=_ROWS_OF_A_PAGE[:9]),
    Query(
        title="Resolver: who belongs to entities",
        statement=entities._MEMBERS,
        rows=[(n,) for n in range(1, 90)],
    ),
    Query(
        title="Resolver: keys that no longer hold", statement=entities._FORGET_KEYS, rows=_ROWS_OF_A_PAGE[:9]
    ),
    Query(
        title="Resolver: links that are taken back",
        statement=entities._UNDO,
        rows=_ROWS_OF_A_PAGE[:9],
        args={"now": NOW_US, "who": "resolver"},
    ),
    Query(
        title="Sweep: the stalest rows it saw",
        statement=selections._STALEST,
        args={
            "source_id": 1,
            "run_id": 1,
            "since": NOW_US - HOUR_US // 6,
            "before": NOW_US - 24 * HOUR_US,
            "limit": 50,
        },
    ),
    Query(
        title="Verification: what fell below the threshold",
        statement=selections._FADED,
        args={**_FADE, **_CHECKABLE},
    ),
    Query(
        title="Verification: what was not seen for a day",
        statement=selections._UNSEEN,
        args={
            **_FADE,
            **_CHECKABLE,
            "unseen_since": NOW_US - 24 * HOUR_US,
            "verified_before": NOW_US - 24 * HOUR_US,
        },
    ),
    Query(
        title="Verification: what lapsed", statement=selections._LAPSED, args={"source_id": 1, **_CHECKABLE}
    ),
    Query(
        title="Verification: what an index showed lately",
        statement=selections._LATELY_SEEN,
        args={"source_id": 1, "since": NOW_US - 3 * HOUR_US, "limit": 97},
    ),
    Query(
        title="Verification: what was found alive lately",
        statement=selections._LATELY_VERIFIED,
        args={"source_id": 1, "since": NOW_US - 168 * HOUR_US, "limit": 97},
    ),
    Query(
        title="Verification: when does the next record fade?", statement=selections._NEXT_TO_FADE, args=_FADE
    ),
    Query(
        title="Verification: what has come to confidence 0",
        statement=verifications._LAPSE,
        args={**_FADE, "limit": 100},
    ),
    Query(
        title="Verification: the checks of a window",
        statement=verifications._OPEN,
        args={"run_id": 7, "number": 3},
    ),
    Query(
        title="Verification: from when to when the site was itself",
        statement=verifications._ALIVE,
        args={"run_id": 7, "number": 3},
    ),
    Query(
        title="Verification: a window is closed",
        statement=verifications._CLOSE,
        args={"run_id": 7, "number": 3},
    ),
    Query(
        title="Verification: how records stand afterwards",
        statement=verifications._STAND,
        rows=[(n, 1, "pending", 1, NOW_US, None, None, 100, 2, NOW_US, NOW_US, NOW_US) for n in range(1, 48)],
    ),
    Query(
        title="Certificate: what a pass did not show",
        statement=coverage._MARK,
        args={"pass_id": 9, "source_id": 1, "began": NOW_US - 60 * HOUR_US},
    ),
    Query(
        title="Certificate: what turned up again",
        statement=coverage._AGAIN,
        args={"source_id": 1, "pass_id": 8},
    ),
    Query(
        title="Monitor: the highest priority in use",
        statement=targets._PRIORITY_BELOW,
        args={"source_id": 1, "below": 2**31},
    ),
    Query(
        title="Monitor: what is due",
        statement=targets._DUE,
        args={"source_id": 1, "priority": 0, "now": NOW_US, "limit": 50},
    ),
    Query(
        title="Monitor: what nobody came for",
        statement=targets._NEGLECT,
        args={"now": NOW_US, "source_id": 1, "priority": 0, "before": NOW_US - 24 * HOUR_US, "limit": 1_000},
    ),
)
"""What a busy deployment asks all the time."""


# -- a world that is not small -----------------------------------------------------------------------------


def populate(conn: Connection) -> None:
    """Rows as they would lie there, spread over sources and over the last days."""
    begin_empty(conn)
    for n in range(SOURCES):
        source(conn, f"homes-{n}", domain=f"homes-{n}.test")
        site(conn, f"homes-{n}.test")
    given = {"@numbers": _numbers(conn), "@sources": SOURCES, "@now": NOW_US, "@hour": HOUR_US}
    for sql in _ROWS:
        for name, value in given.items():
            sql = sql.replace(name, str(value))  # noqa: PLW2901
        conn.exec_driver_sql(sql)
    conn.exec_driver_sql("ANALYZE")


def _numbers(conn: Connection) -> str:
    """A table of the numbers 0 … RECORDS - 1, as each database makes one."""
    if conn.dialect.name == "postgresql":
        return f"(SELECT generate_series(0, {RECORDS - 1}) AS n) AS numbers"
    return f"""(WITH RECURSIVE made(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM made WHERE n < {RECORDS - 1})
               SELECT n FROM made) AS numbers"""


_ROWS = (
    """INSERT INTO records (source_id, kind, identity_key, url, canonical_url, title, content,
         content_hash, base, rate, anchored_at, shown_until, dead_at, first_seen_at, last_seen_at,
         last_scraped_at, verified_at, active, verification, missed_by_pass, created_at, updated_at)
       SELECT 1 + n % @sources, 'listing', 'PID:' || n, 'https://homes.test/' || n,
         'https://homes.test/' || n, 'Home', '{}', 'x', 100, 2,
         @now - n % 60 * @hour, @now + (31 - n % 60) * @hour, @now + (50 - n % 60) * @hour, 0,
         @now - n % 60 * @hour, @now - n % 40 * @hour, CASE WHEN n % 9 = 0 THEN @now - n % 90 * @hour END,
         CASE WHEN n % 50 = 7 THEN 0 ELSE 1 END, CASE WHEN n % 50 = 7 THEN 'lapsed' END,
         CASE WHEN n % 100 = 3 THEN 8 END, 0, 0
       FROM @numbers""",
    """INSERT INTO runs (source_id, kind, status, "trigger", started_at, heartbeat_at)
       SELECT 1 + n % @sources, 'sweep', CASE WHEN n < @sources THEN 'running' ELSE 'completed' END,
         'scheduled', @now, @now - CASE WHEN n < 2 THEN 2 * @hour ELSE 0 END FROM @numbers""",
    """INSERT INTO jobs (run_id, source_id, site_id, adapter, purpose, url, status, priority, claim_order,
         not_before, token, created_at, updated_at)
       SELECT 1 + n, 1 + n % @sources, 1 + n % @sources, 'listing', 'detail', 'https://homes.test/' || n,
         CASE n % 41 WHEN 0 THEN 'pending' WHEN 1 THEN 'running' ELSE 'done' END, 1, @now - n,
         @now - (n % 3 - 1) * @hour, 5, @now - n % 30 * @hour, @now FROM @numbers""",
    """INSERT INTO verifications (record_id, run_id, at, method, status, outcome, window_number, control,
         settled)
       SELECT 1 + n, n % 40, @now - n, 'get', 404, CASE n % 3 WHEN 0 THEN 'alive' ELSE 'strike' END,
         n % 11, CASE WHEN n % 17 = 0 THEN 1 ELSE 0 END, 0 FROM @numbers""",
    """INSERT INTO targets (source_id, url, canonical_url, priority, next_due_at, status)
       SELECT 1 + n % @sources, 'https://shop.test/' || n, 'https://shop.test/' || n, n % 3,
         @now + (n % 50 - 30) * @hour, CASE n % 30 WHEN 0 THEN 'paused' ELSE 'active' END FROM @numbers""",
    """INSERT INTO pages (job_id, source_id, url, outcome, fetched_at, adapter_version)
       SELECT n, 1 + n % @sources, 'https://homes.test/' || n, 'ok', @now - n, '1' FROM @numbers""",
    """INSERT INTO observations (record_id, field, amount, run_id, adapter_version, observed_at, confirmed_at)
       SELECT 1 + n, 'price', n, 1, '1', @now - n, @now - n FROM @numbers""",
    """INSERT INTO sightings (source_id, run_id, page_id, seen_at, records)
       SELECT 1 + n % @sources, n, n, @now - n, '[]' FROM @numbers""",
    """INSERT INTO changes (at, record_id, source_id, change)
       SELECT @now - n, 1 + n, 1 + n % @sources, 'new' FROM @numbers""",
    """INSERT INTO images (record_id, url, position, next_at)
       SELECT 1 + n, 'https://cdn.test/' || n, 0, CASE WHEN n % 100 = 0 THEN @now - n END FROM @numbers""",
    "INSERT INTO entity_keys (key, record_id) SELECT n / 2, 1 + n FROM @numbers",
    """INSERT INTO entities (kind, created_at) SELECT 'listing', @now FROM @numbers WHERE n % 3 = 0""",
    """INSERT INTO links (record_id, entity_id, score, rule, linked_at)
       SELECT 1 + n, 1 + n / 3, 0.9, 'flat', @now FROM @numbers""",
    "UPDATE records SET entity_id = 1 + (id - 1) / 3",
    """INSERT INTO schedules (source_id, kind, next_at)
       SELECT 1 + n, 'discovery', @now + @hour FROM @numbers WHERE n < @sources""",
)


# -- what the databases say --------------------------------------------------------------------------------


def plan(conn: Connection, query: Query) -> list[str]:
    """The plan of a query, a line for each step, without figures."""
    return _sqlite(conn, query) if conn.dialect.name == "sqlite" else list(_lines(_postgresql(conn, query)))


def scans(conn: Connection, query: Query) -> list[str]:
    """The steps that read a growing table from end to end."""
    if conn.dialect.name == "sqlite":
        return [line for line in _sqlite(conn, query) if _scanned_by_sqlite(line)]
    return [_step(node) for node in _nodes(_postgresql(conn, query)) if _scanned_by_postgresql(node)]


def _sqlite(conn: Connection, query: Query) -> list[str]:
    given = dict(query.args)
    if query.rows is not None:
        given["rows__"] = query.statement._json_rows(query.rows)
    explained = conn.exec_driver_sql("EXPLAIN QUERY PLAN " + query.statement._sqlite, given)
    steps = {0: -1}
    lines = []
    for number, parent, _, said in explained:
        steps[number] = steps.get(parent, -1) + 1
        lines.append("  " * steps[number] + said)
    return lines


def _scanned_by_sqlite(line: str) -> bool:
    words = line.split()
    return words[0] == "SCAN" and words[1] in GROWING and words[-1] not in IN_WORK


def _postgresql(conn: Connection, query: Query) -> Mapping[str, Any]:
    statement = query.statement
    arrays = statement._arrays(query.rows) if query.rows else []
    given = (*arrays, *(query.args[name] for name in statement._args))
    (explained,) = conn.exec_driver_sql(
        "EXPLAIN (FORMAT JSON, COSTS OFF) " + statement._postgresql, given
    ).one()
    told: Mapping[str, Any] = (json.loads(explained) if isinstance(explained, str) else explained)[0]["Plan"]
    return told


def _nodes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)


def _lines(node: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
    yield "  " * depth + _step(node)
    for below in node.get("Plans", ()):
        yield from _lines(below, depth + 1)


def _step(node: Mapping[str, Any]) -> str:
    via = f" using {node['Index Name']}" if "Index Name" in node else ""
    on = f" on {node['Relation Name']}" if "Relation Name" in node else ""
    condition = node.get("Index Cond") or node.get("Recheck Cond")
    return f"{node['Node Type']}{via}{on}" + (f" where {condition}" if condition else "")


def _scanned_by_postgresql(node: Mapping[str, Any]) -> bool:
    """A table read in its own order, or a whole index that is neither narrowed nor partial."""
    if node.get("Relation Name") not in GROWING:
        return False
    if node["Node Type"] == "Seq Scan":
        return True
    whole = node["Node Type"].startswith("Index") and "Index Cond" not in node
    return whole and node["Index Name"] not in IN_WORK


# -- the page ----------------------------------------------------------------------------------------------

HEAD = """# Query plans

How SQLite and PostgreSQL answer the queries that a busy deployment asks all the time, on tables of {rows:,}
rows that {sources} sources share. None reads a table that grows from end to end;
`tests/contract/test_query_plans.py` holds both databases to that. The page is made by
`python -m tests.contract.query_plans`.
"""


async def page() -> str:
    """What both databases say, as it is written down."""
    told = {name: await _told(url) async for name, url in _databases()}
    parts = [HEAD.format(rows=RECORDS, sources=SOURCES)]
    for query in QUERIES:
        parts.append(f"## {query.title}\n")
        for name, plans in told.items():
            body = "\n".join(plans[query.title])
            parts.append(f"{name}:\n\n```text\n{body}\n```\n")
    return "\n".join(parts)


async def _databases() -> Any:
    yield "SQLite", "sqlite://"
    server = url_of("postgres")
    name = f"larder_{uuid4().hex}"
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(f"CREATE DATABASE {name}")
        yield "PostgreSQL", urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await connection.close()


async def _told(url: str) -> dict[str, list[str]]:
    database: Database = open_database(url)
    try:
        await database.run(upgrade.create)
        await database.run(populate)
        return await database.run(lambda conn: {query.title: plan(conn, query) for query in QUERIES})
    finally:
        await database.close()


if __name__ == "__main__":
    PAGE.write_text(asyncio.run(page()))
