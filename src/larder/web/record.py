"""One record: what it is, how sure we are, what it cost, who else has it, and why we say so."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter
from fastapi.responses import Response
from sqlalchemy import Connection

from larder.actions import corrections, entities, records
from larder.actions.entities import EntityView
from larder.actions.records import RecordView
from larder.core.errors import NotThere
from larder.store import pictures, public
from larder.store.statement import AnyRow
from larder.web.cards import Card, card, cards, dot_of
from larder.web.charts import Step
from larder.web.maps import place_map
from larder.web.visit import Operator, Visitor, text
from larder.web.why import reasons

router = APIRouter()

MOST_SIBLINGS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """All that a record's page shows."""

    row: AnyRow
    card: Card
    view: RecordView
    siblings: Sequence[Card]
    images: Sequence[AnyRow]
    steps: Sequence[Step]
    entity: EntityView | None
    """For operators: the thing it is linked to, and why."""


@router.get("/records/{record_id:int}")
async def one(visit: Visitor, record_id: int) -> Response:
    """A record; one that the public may not see is not there, except for an operator."""
    found = await visit.look(_opened, record_id, operator=visit.operator, now=visit.now)
    dot = dot_of(found.card)
    where = place_map([dot]) if dot else ""
    why = await reasons(visit.app, record_id)
    return visit.page("public/record.html", place="browse", found=found, why=why, where=where)


@router.post("/admin/records/{record_id:int}/{action}")
async def correct(visit: Operator, record_id: int, action: str) -> Response:
    """What an operator may put right: pin, unpin, unlink, erase."""
    form = await visit.form()
    field, back = text(form, "field"), f"/records/{record_id}"
    if action == "pin":
        value = text(form, "value")
        await visit.do(corrections.pin, record_id, field, value, who=visit.who, now=visit.now)
        return visit.back(back, f"{field} is pinned; pages do not change it any more.")
    if action == "unpin":
        await visit.do(corrections.unpin, record_id, field, who=visit.who, now=visit.now)
        return visit.back(back, f"{field} is what the page says again.")
    if action == "unlink":
        await visit.do(entities.undo, record_id, who=visit.who, now=visit.now)
        return visit.back(back, "They are told apart from now on.")
    if action == "erase":
        why = text(form, "reason") or "on request"
        await visit.do(corrections.erase, record_id, reason=why, who=visit.who, now=visit.now)
        return visit.back("/admin/records", f"Record {record_id} is erased and will not come back.")
    raise NotThere("there is no such action")


def _opened(conn: Connection, record_id: int, *, operator: bool, now: datetime) -> Opened:
    row = public.one(conn, record_id, now=now)
    if row is None and operator:
        row = records.any_row(conn, record_id, now=now)
    if row is None:
        raise NotThere(f"there is no record {record_id} to be seen", hint="it may be gone, or not yet public")
    view = records.show(conn, record_id, now=now)
    steps = [
        Step(value=point.amount, since=point.observed_at, confirmed=point.confirmed_at)
        for point in view.prices
        if point.amount is not None
    ]
    others = entities.siblings(conn, record_id, now, public_only=not operator)
    return Opened(
        row=row,
        card=card(row, [step.value for step in steps], now=now),
        images=[each for each in pictures.of(conn, record_id) if each.content_hash],
        view=view,
        siblings=cards(conn, others[:MOST_SIBLINGS], now=now),
        entity=entities.of_record(conn, record_id) if operator else None,
        steps=steps,
    )
