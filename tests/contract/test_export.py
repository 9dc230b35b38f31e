"""Files of the dataset: each kind has its columns, operators see hidden sources, an empty file says why."""

from typing import Any

from sqlalchemy import Connection

from larder.actions.dataset import export
from larder.core.model.source import Kind
from larder.store.reads.query import Query
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
    assert export.csv_lines(rows, export.PRICE_COLUMNS).count("\r\n") == 2


@unit_of_work
def test_l10_15_an_empty_file_says_why(conn: Connection) -> None:
    assert "nothing was collected" in export.why_empty(conn, Query(), now=NOW)
    pages = Pages(conn, source(conn, visibility="hidden"))
    pages.keep(pages.page(staged(1)))
    hint = "none is public (1 belong to hidden sources, 0 are not fresh enough). Operators: larder export"
    assert hint in export.why_empty(conn, Query(), now=NOW)
    assert "none of 1 matches" in export.why_empty(conn, Query(text="x"), hidden=True, now=NOW)
