"""The page of one record: values and their origin, confidence, price history, linked records."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import corrections, entities, records
from larder.actions.dataset.entities import EntityView
from larder.actions.dataset.records import RecordView
from larder.core.errors import NotFound
from larder.core.model.record import Observed
from larder.store.database import Connection
from larder.store.reads import public
from larder.store.reads.evidence import RecordImage
from larder.store.reads.record_history import PricePoint, ValuePoint
from larder.store.reads.records import same_entity
from larder.store.reads.rows import RecordRow
from larder.web.cards import Card, card, cards
from larder.web.context import AdminContext, PublicContext, form_text, unknown_action
from larder.web.drawing.charts import ChartPeriod, PriceStep
from larder.web.why import field_origins

router = APIRouter()

MAX_SIBLINGS = 12
MAX_POINTS = 400
"""Prices in the chart: the newest."""
_FILLS = {"in_stock": "green", "backorder": "yellow", "out_of_stock": "orange"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPageData:
    """The data of a record's page."""

    row: RecordRow
    card: Card
    view: RecordView
    siblings: Sequence[Card]
    images: Sequence[RecordImage]
    steps: Sequence[PriceStep]
    """The newest prices, in one currency."""
    currency: str | None
    stock: Sequence[ChartPeriod]
    entity: EntityView | None
    """For administrators: the entity, with the evidence for each link."""


@router.get("/records/{record_id:row}")
async def one(ctx: PublicContext, record_id: int) -> Response:
    """A record; hidden ones only for administrators."""
    record = await ctx.read(_load, record_id, operator=ctx.is_admin, now=ctx.now)
    why = await field_origins(ctx.app, ctx.request.app.state.passages, record.row)
    sure = {origin.field: origin.sureness for origin in record.view.origins}
    return ctx.page(
        "public/record.html", place="browse", found=record, why=why, sure=sure, where=_map_link(record.card)
    )


@router.post("/admin/records/{record_id:row}/{action}")
async def correct(ctx: AdminContext, record_id: int, action: str) -> Response:
    """Corrections: pin, unpin, unlink, erase."""
    form = await ctx.form()
    field, back = form_text(form, "field"), f"/records/{record_id}"
    if action == "pin":
        value = form_text(form, "value")
        await ctx.run(corrections.pin, record_id, field, value, **ctx.actor)
        return ctx.redirect(back, f"{field} is pinned: later pages do not change it.")
    if action == "unpin":
        await ctx.run(corrections.unpin, record_id, field, **ctx.actor)
        return ctx.redirect(back, f"{field} is unpinned: its value is read from the page again.")
    if action == "unlink":
        await ctx.run(entities.undo, record_id, **ctx.actor)
        return ctx.redirect(back, "The record was unlinked.")
    if action == "erase":
        why = form_text(form, "reason") or "on request"
        await ctx.run(corrections.erase, record_id, reason=why, **ctx.actor)
        return ctx.redirect("/admin/records", f"Record {record_id} was erased and will not be stored again.")
    raise unknown_action(action, ("pin", "unpin", "unlink", "erase"))


def _load(conn: Connection, record_id: int, *, operator: bool, now: datetime) -> RecordPageData:
    row = public.by_id(conn, record_id, now=now)
    if row is None and operator:
        row = records.find_row(conn, record_id, now=now)
    if row is None:
        raise NotFound(f"record {record_id} not found", hint="it may have been erased, or is not public")
    view = records.build_view(conn, row, now=now)
    currency = next((point.currency for point in reversed(view.prices) if point.amount is not None), None)
    others = same_entity(conn, row, public_only=not operator, now=now)
    return RecordPageData(
        row=row,
        card=card(row, now=now),
        images=[image for image in view.proof.images if image.stored],
        view=view,
        siblings=cards(conn, others[:MAX_SIBLINGS], now=now),
        entity=entities.show(conn, row.entity_id) if operator and row.entity_id is not None else None,
        steps=_steps(view.prices, currency, now),
        currency=currency,
        stock=_stock(view.words),
    )


def _steps(prices: Sequence[PricePoint], currency: str | None, now: datetime) -> list[PriceStep]:
    """The prices in this currency; they end at now, whatever a clock said when they were stored."""
    steps = [
        PriceStep(
            value=point.amount,
            since=min(point.observed_at, now),
            confirmed=min(point.confirmed_at, now),
            until=min(point.superseded_at or now, now),
        )
        for point in prices
        if point.amount is not None and point.currency == currency
    ]
    return steps[-MAX_POINTS:]


def _map_link(card: Card) -> str:
    """Its link to OpenStreetMap; empty without coordinates."""
    if card.latitude is None or card.longitude is None:
        return ""
    at = f"{card.latitude:.5f}", f"{card.longitude:.5f}"
    return f"https://www.openstreetmap.org/?mlat={at[0]}&mlon={at[1]}#map=15/{at[0]}/{at[1]}"


def _stock(words: Sequence[ValuePoint]) -> list[ChartPeriod]:
    """The availability over time."""
    seen = [point for point in words if point.field == Observed.AVAILABILITY and point.word]
    return [
        ChartPeriod(
            label=str(point.word).replace("_", " "),
            since=point.observed_at,
            until=point.confirmed_at,
            fill=_FILLS.get(str(point.word), "faded"),
        )
        for point in seen
    ]
