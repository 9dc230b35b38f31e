"""Files of the dataset: each kind has its columns, operators see hidden sources, an empty file says why."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Connection

from larder.actions.dataset import export
from larder.core.errors import NotFound
from larder.core.model.money import from_minor
from larder.core.model.source import Kind
from larder.rendering.hints import sentence
from larder.store.reads import public
from larder.store.reads.export_pages import find_export_page
from larder.store.reads.query import Query, Sort
from larder.store.reads.rows import RecordRow
from tests.contract.world import HOUR, MINUTE, NOW, Pages, source, staged, unit_of_work


def _rows(conn: Connection, query: Query, **asked: Any) -> list[Any]:
    return list(export.read_chunk(conn, query, **asked, now=NOW + HOUR + MINUTE).rows)


@unit_of_work
def test_l10_15_each_kind_has_its_own_columns(conn: Connection) -> None:
    homes = Pages(conn, source(conn, visibility="public"))
    homes.keep(homes.page(staged(1, beds=2, baths=1.5, area_m2=64.0, address="Kade 3", city="Utrecht")))
    tz, kind = "Europe/Amsterdam", Kind.EVENT
    agenda = Pages(conn, source(conn, "agenda", domain="agenda.test", visibility="public", kind=kind, tz=tz))
    starts = "2026-03-01T20:00:00+01:00"
    said: dict[str, Any] = {
        "starts_at": starts,
        "time_known": False,
        "venue": "De Zaal",
        "status": "cancelled",
    }
    agenda.keep(agenda.page(staged(2, kind=kind, **said)))
    (home,) = _rows(conn, Query(kind=Kind.LISTING))
    assert {name: home[name] for name in ("beds", "baths", "area_m2", "address", "city")} == {
        "beds": 2, "baths": 1.5, "area_m2": 64.0, "address": "Kade 3", "city": "Utrecht",
    }  # fmt: skip
    assert "venue" not in home
    (event,) = _rows(conn, Query(kind=Kind.EVENT))
    assert (event["starts_at"], event["time_zone"], event["time_known"]) == (starts, tz, False)
    assert (event["venue"], event["status"]) == ("De Zaal", "cancelled")
    assert set(_rows(conn, Query())[0]) == set(export.COLUMNS) >= {"beds", "venue", "sku"}


@unit_of_work
def test_l10_15_prices_are_a_row_each_and_hidden_sources_are_for_operators(conn: Connection) -> None:
    pages = Pages(conn, source(conn, visibility="hidden"))
    pages.keep(pages.page(staged(1, price_minor=10_00, currency="EUR"), at=NOW))
    pages.keep(pages.page(staged(1, price_minor=9_50, currency="EUR"), at=NOW + HOUR, run_id=2))
    assert _rows(conn, Query()) == []
    rows = export.price_rows(_rows(conn, Query(), hidden=True, prices=True))
    assert [(row["id"], row["price"], row["observed_at"]) for row in rows] == [
        (1, "10.00", NOW.isoformat()),
        (1, "9.50", (NOW + HOUR).isoformat()),
    ]
    assert all(set(export.PRICE_COLUMNS) <= set(row) for row in rows)


def _why_empty(conn: Connection, query: Query, *, hidden: bool = False) -> str:
    return sentence(export.why_empty(conn, query, hidden=hidden, now=NOW))


@unit_of_work
def test_l10_15_an_empty_file_says_why(conn: Connection) -> None:
    assert "nothing was collected" in _why_empty(conn, Query())
    pages = Pages(conn, source(conn, visibility="hidden"))
    pages.keep(pages.page(staged(1)))
    hint = "none is public (1 belong to hidden sources, 0 are not fresh enough): larder export --hidden"
    assert hint in _why_empty(conn, Query())
    assert "none of 1 matches" in _why_empty(conn, Query(text="x"), hidden=True)


@unit_of_work
def test_l10_15_filters_that_only_hidden_records_match_say_so(conn: Connection) -> None:
    shown = Pages(conn, source(conn, visibility="public"))
    shown.keep(shown.page(staged(1)))
    kept = Pages(conn, source(conn, "secret", domain="secret.test", visibility="hidden"))
    kept.keep(kept.page(staged(2)))
    why = _why_empty(conn, Query(source="secret"))
    assert why.endswith("hidden sources or are not fresh enough: larder export --hidden")
    assert "none of 1 matches" in _why_empty(conn, Query(kind=Kind.EVENT))


@unit_of_work
def test_l10_15_a_source_that_does_not_exist_is_refused(conn: Connection) -> None:
    with pytest.raises(NotFound, match="there is no source 'nope'"):
        export.check_source(conn, Query(source="nope"))


HOSTILE = (
    "=1+1",
    "x;=2",
    'x;"@3',
    "\t-4",
    "＝5",
    'a "quoted", text',
    "two\r\nlines",
    "Ünïcode 🏠",
    " ",
    "'=6",
)


@unit_of_work
def test_l13_a_file_holds_what_the_public_read_finds(conn: Connection) -> None:
    """The rows of a file, read with few columns and stored times, beside those of whole records."""
    _keep_hostile_records(conn)
    now, queries = NOW + HOUR + MINUTE, [Query(), Query(kind=Kind.EVENT), Query(sort=Sort.PRICE)]
    for query in [*queries, Query(text="Home"), Query(near=(52.0, 5.0), within_km=200, sort=Sort.DISTANCE)]:
        names = export.columns(query.kind)
        whole = public.find_records(conn, query, now=now).rows
        expected = [_flattened(row, names) for row in whole]
        found = export.read_chunk(conn, query, now=now)
        assert len(found) >= 3
        assert export.chunk_json_lines(found) == export.json_lines(expected)
        assert export.chunk_csv_lines(found) == _written_cell_by_cell(expected, names)


def _keep_hostile_records(conn: Connection) -> None:
    homes = Pages(conn, source(conn, visibility="public"))
    place: dict[str, Any] = {"latitude": 52.1, "longitude": 5.1, "beds": 2, "address": "=Kade;+3"}
    said: list[dict[str, Any]] = [
        {"title": f"Home {number}", "seller": text, "price_minor": 7 * number, "currency": currency}
        for number, (text, currency) in enumerate(zip(HOSTILE, ["EUR", "JPY", "KWD"] * 4, strict=False))
    ]
    homes.keep(homes.page(*(staged(number, **each, **place) for number, each in enumerate(said))))
    secret = Pages(conn, source(conn, "secret", domain="secret.test", visibility="hidden"))
    secret.keep(secret.page(staged(50, title="Home of nobody's business")))
    tz, kind = "Europe/Amsterdam", Kind.EVENT
    agenda = Pages(conn, source(conn, "agenda", domain="agenda.test", visibility="public", kind=kind, tz=tz))
    times = ["2026-03-01T20:00:00+01:00", "2026-03-02T20:00:00.250000+01:00", "2026-03-03T00:00:00+01:00"]
    events = [staged(90 + n, kind=kind, title=HOSTILE[n], starts_at=at) for n, at in enumerate(times)]
    agenda.keep(agenda.page(*events))


def _flattened(row: RecordRow, names: Sequence[str]) -> dict[str, Any]:
    content = row.content or {}
    values = {name: getattr(row, name, content.get(name)) for name in names}
    values["price"] = None if row.price_minor is None else str(from_minor(row.price_minor, row.currency))
    if row.starts_at is not None:
        values |= {name: content.get(name) or values[name] for name in ("starts_at", "ends_at")}
        values |= {"time_zone": "Europe/Amsterdam"}
    plain = (values[name] for name in names)
    texts = [value.isoformat() if isinstance(value, datetime) else value for value in plain]
    return dict(zip(names, texts, strict=True))


def _written_cell_by_cell(rows: list[dict[str, Any]], names: Sequence[str]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet).writerows([_disarmed(row[name]) for name in names] for row in rows)
    return sheet.getvalue()


def _disarmed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    later = re.sub(r"""([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])""", r"\1'", value)
    return f"'{later}" if later.startswith(export.FORMULA_STARTS) else later


@unit_of_work
def test_l13_pages_of_a_file_follow_one_another_without_gap_or_repetition(conn: Connection) -> None:
    pages = Pages(conn, source(conn, visibility="public"))
    pages.keep(pages.page(*(staged(number, price_minor=100 + number // 3) for number in range(10))))
    for sort in (Sort.NEWEST, Sort.PRICE, Sort.PRICE_DOWN):
        query, now = Query(sort=sort), NOW + HOUR
        expected = [row.id for row in public.find_records(conn, query, now=now).rows]
        found: list[int] = []
        after: str | None = None
        for _ in range(4):
            page = find_export_page(conn, public.visible(now), replace(query, after=after), size=3, now=now)
            found, after = [*found, *(row.id for row in page.rows)], page.next
        assert (found, after) == (expected, None)
        assert len(found) == 10
