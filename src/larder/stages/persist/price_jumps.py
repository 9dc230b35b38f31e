"""Holds back prices that look like a decimal slip of the record's last price.

The record is sighted and all other values of the page are stored; only the price waits in quarantine. A
later reading of the same price releases it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from larder.core.model.item import Staged
from larder.core.model.money import format_minor
from larder.core.model.record import Observed
from larder.core.policy.trust.price_jumps import is_decimal_slip
from larder.stages.persist.known_records import KnownRecords
from larder.stages.persist.merge import with_surer_currency
from larder.stages.persist.record_fold import RecordMention, WorkingRecord
from larder.store.content_digest import digest
from larder.store.database import Connection
from larder.store.operations import quarantine
from larder.store.operations.quarantine import HeldPrice

CONFIRMED = "a second reading shows the same price"
BY_LARDER = "larder"


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceJump:
    """A price that was held back."""

    staged: Staged
    """As the page showed it."""
    identity_key: str
    details: str


Jumps = Mapping[int, Sequence[PriceJump]]
"""By job."""


def hold_back(
    conn: Connection, mentions: Sequence[RecordMention], known: KnownRecords, *, now: datetime
) -> tuple[list[RecordMention], Jumps]:
    """The mentions without prices that must be confirmed first, and those prices."""
    slips = [mention for mention in mentions if _is_doubtful(mention, known)]
    if not slips:
        return list(mentions), {}
    prices = quarantine.list_held_prices(conn, [(m.page.source.id, m.key) for m in slips])
    confirmed = {id(m) for m in slips if any(_is_same(m, price) for price in prices)}
    repeated = [price.id for price in prices if any(_is_same(m, price) for m in slips)]
    for item_id in repeated:
        released = quarantine.QuarantineStatus.RELEASED
        quarantine.decide(conn, item_id, released, CONFIRMED, who=BY_LARDER, now=now)
    doubted = {id(m): m for m in slips if id(m) not in confirmed}
    jumps: dict[int, list[PriceJump]] = {}
    for mention in doubted.values():
        jumps.setdefault(mention.page.job_id, []).append(_price_jump(mention, known))
    return [_without_price(m) if id(m) in doubted else m for m in mentions], jumps


def _is_doubtful(mention: RecordMention, known: KnownRecords) -> bool:
    """Whether the price may be a slip: only prices that a run read are doubted."""
    record, price = known.get((mention.page.source.id, mention.key)), _price(mention)
    if not mention.page.doubts_prices or record is None or price is None:
        return False
    before, currency = record.facts.get(Observed.PRICE, (None, None))
    known_fields = with_surer_currency(mention.staged.fields, currency)
    same_currency = known_fields.get("currency") in (None, currency)
    return before is not None and same_currency and is_decimal_slip(before, price)


def _price(mention: RecordMention) -> int | None:
    price: int | None = mention.staged.fields.get("price_minor")
    return price


def _is_same(mention: RecordMention, price: HeldPrice) -> bool:
    return (mention.page.source.id, mention.key, _price(mention)) == (
        price.source_id, price.identity_key, price.price_minor
    )  # fmt: skip


def _price_jump(mention: RecordMention, known: KnownRecords) -> PriceJump:
    record: WorkingRecord = known[mention.page.source.id, mention.key]
    before, currency = record.facts[Observed.PRICE]
    was, now = (format_minor(amount or 0, currency) for amount in (before, _price(mention)))
    details = f"{now}, last {was}: is the decimal point in the wrong place?"
    return PriceJump(staged=mention.staged, identity_key=mention.key, details=details)


def _without_price(mention: RecordMention) -> RecordMention:
    fields = {name: value for name, value in mention.staged.fields.items() if not name.startswith("price")}
    staged = replace(mention.staged, fields=fields, digest=None)
    return replace(mention, staged=staged, digest=digest(fields))
