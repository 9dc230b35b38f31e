"""Turns a raw item into the fields of a record: typed values, an identity key, and validation.

Pure and deterministic: the same item in the same context gives the same result, and no item, however odd,
makes it raise.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.identity import event_fingerprint, identity_key
from larder.core.model.item import CURRENCY_SIGN, Dropped, Item, Quarantined, Staged
from larder.core.model.outcome import DropReason, QuarantineReason
from larder.core.model.record import Availability
from larder.core.model.source import Kind
from larder.sdk.urls import canonical_url
from larder.stages.normalize.attributes import COST, unit_costs
from larder.stages.normalize.context import Context, Coordinates, Locator
from larder.stages.normalize.fields import Raw, common_fields, resolve_url
from larder.stages.normalize.kinds import own_fields
from larder.stages.normalize.money import Money, PriceReading, price_fields
from larder.stages.normalize.site_profile import choose_values
from larder.stages.normalize.validate import NormalizedItem, Objection, is_completable, objections, validate

__all__ = [
    "Context",
    "Coordinates",
    "Locator",
    "fields_without_validation",
    "normalize",
    "normalize_released",
    "with_profile_values",
]

ROOT = "/"


def normalize(item: Item, context: Context) -> Staged | Dropped | Quarantined:
    """The result of normalizing an item: staged for persist, dropped or quarantined with its reason."""
    try:
        return _normalize(item, context)
    except Exception as error:  # noqa: BLE001 - whatever one odd item does must not cost the others
        details = f"{type(error).__name__}: {error}"[:500]
        return Quarantined(reason=QuarantineReason.NORMALIZATION_FAILED, item=item, details=details)


def normalize_released(item: Item, context: Context) -> Staged | Dropped | Quarantined:
    """As `normalize`, for an item that a person released.

    Doubts are ignored, missing and ambiguous values are not.
    """
    try:
        draft = _draft(item.fields, context)
        remaining = next((objection for objection in objections(draft) if not _may_pass(objection)), None)
        return _dropped_or_quarantined(remaining, item) if remaining else _staged(draft, item, context)
    except Exception as error:  # noqa: BLE001 - it may be why it was set aside
        details = f"{type(error).__name__}: {error}"[:500]
        return Quarantined(reason=QuarantineReason.NORMALIZATION_FAILED, item=item, details=details)


def _may_pass(objection: Objection) -> bool:
    """Whether a person may release it: not while one of several prices must be chosen."""
    doubted = isinstance(objection.reason, QuarantineReason)
    return doubted and objection.reason is not QuarantineReason.AMBIGUOUS_PRICE


def fields_without_validation(item: Item, context: Context) -> dict[str, Any]:
    """An item's fields as a record would have them, without validation."""
    draft = _draft(item.fields, context)
    return {**draft.fields, **({"url": draft.url} if draft.url else {})}


def with_profile_values(item: Item, context: Context) -> Item:
    """The item with one value for each field of which a site profile reads a second one."""
    if not item.profile:
        return item
    return choose_values(item, lambda raw: fields_without_validation(Item(fields=raw), context))


def _normalize(item: Item, context: Context) -> Staged | Dropped | Quarantined:
    item = with_profile_values(item, context)
    draft = _draft(item.fields, context)
    if objection := validate(draft):
        if context.completes and is_completable(draft, objection):
            lacks = objection.details or objection.reason.replace("_", " ")
            return replace(_staged(draft, item, context), complete=False, lacks=lacks)
        refused = _dropped_or_quarantined(objection, item)
        if isinstance(refused, Dropped) and _lacks_currency_alone(draft, context):
            return replace(refused, beside_row=_staged(draft, item, context))
        return refused
    return _staged(draft, item, context)


def _lacks_currency_alone(draft: NormalizedItem, context: Context) -> bool:
    """Whether only the currency is missing.

    A detail page with a shared sign, whose row may name the currency.
    """
    if context.index or not draft.money.sign:
        return False
    return [(each.reason, each.details) for each in objections(draft)] == [
        (DropReason.MISSING_REQUIRED_FIELD, "currency")
    ]


def _draft(raw: Raw, context: Context) -> NormalizedItem:
    fields = common_fields(raw, context.base_url)
    fields |= own_fields(raw, fields, context)
    money = price_fields(raw, context)
    url = _url_of(raw, context)
    canonical = _canonical(url)
    draft = NormalizedItem(
        kind=context.kind,
        fields=_priced(fields, money, raw.get("cost_per")),
        url=url if canonical else None,
        canonical_url=canonical,
        bad_url=str(raw["url"]) if raw.get("url") and not canonical else None,
        identity_key=None,
        money=money,
        strict=context.strict,
    )
    return replace(draft, identity_key=_key(draft, context))


def _priced(fields: dict[str, Any], money: PriceReading, cost_per: Any) -> dict[str, Any]:
    """The fields with their price: words in it (its period, say) count before other fields.

    Unit costs are derived.
    """
    priced = fields | money.fields
    return priced | unit_costs(priced["price"], cost_per) if money.state is Money.FOUND else priced


def _url_of(raw: Raw, context: Context) -> str | None:
    """The thing's own address. That of a detail page counts even if the page declares the site's
    front page.
    """
    stated = resolve_url(raw.get("url"), context.base_url)
    if context.index:
        return stated
    if raw.get("url") and not stated:
        return None
    page = resolve_url(context.base_url, context.base_url)
    return stated if stated and not _is_home_page(stated) else page or stated


def _canonical(url: str | None) -> str | None:
    """The canonical URL; None if it is longer than the limit."""
    try:
        return canonical_url(url) if url else None
    except BadInput:
        return None


def _is_home_page(url: str) -> bool:
    return url.count("/") == 3 and url.endswith(ROOT)


def _key(draft: NormalizedItem, context: Context) -> str | None:
    """The identity key; for an agenda's row without an address, its fingerprint on the agenda's page."""
    fields = draft.fields
    address = draft.canonical_url
    if address is None and (print_ := _fingerprint(draft, context)):
        address = f"{context.base_url}#{print_}"
    return identity_key(platform_id=fields.get("platform_id"), sku=fields.get("sku"), canonical_url=address)


def _fingerprint(draft: NormalizedItem, context: Context) -> str | None:
    fields = draft.fields
    if draft.kind is not Kind.EVENT or not fields.get("title") or not fields.get("starts_at"):
        return None
    return event_fingerprint(title=fields["title"], date=fields["starts_at"], source=context.source)


def _dropped_or_quarantined(objection: Objection, item: Item) -> Dropped | Quarantined:
    if isinstance(objection.reason, DropReason):
        return Dropped(
            reason=objection.reason, item=item, details=objection.details or _undated(item, objection)
        )
    return Quarantined(reason=objection.reason, item=item, details=objection.details)


def _undated(item: Item, objection: Objection) -> str:
    """The result for an item that is dropped because it names no day."""
    if objection.reason is not DropReason.NO_DATE:
        return ""
    texts = (str(item.fields.get(name) or "") for name in ("title", "date_text"))
    return " | ".join(filter(None, texts))[:MAX_TOLD]


MAX_TOLD = 160

_READ_FROM = {
    "title": ("title", "name"),
    "price_minor": ("price",),
    "currency": ("currency", "price"),
    "period": ("period", "price"),
    "area_m2": ("area_m2", "area"),
    "starts_at": ("starts_at", "date_text"),
    "ends_at": ("ends_at", "date_text"),
    "time_known": ("starts_at", "date_text"),
    "venue": ("venue", "location_text", "address"),
}


def _strategies(draft: NormalizedItem, item: Item) -> dict[str, str]:
    """The strategy of each field: that of the raw field from which it was read."""
    found: dict[str, str] = {}
    for name in draft.fields:
        sources = ("price",) if name.startswith(COST) else _READ_FROM.get(name, (name,))
        raw = next((raw for raw in sources if raw in item.fields), None)
        if raw and (strategy := item.strategies.get(raw, item.strategy)):
            found[name] = strategy
    return found


def _with_stock(draft: NormalizedItem) -> Mapping[str, Any]:
    """Set the stock of a product to unknown if the page does not state it."""
    if draft.kind is not Kind.PRODUCT or draft.fields.get("availability"):
        return draft.fields
    return {**draft.fields, "availability": Availability.UNKNOWN.value}


def _with_sign(fields: Mapping[str, Any], money: PriceReading) -> Mapping[str, Any]:
    """Store the sign from which the currency was guessed: a page that names the currency is surer."""
    return {**fields, CURRENCY_SIGN: money.sign} if money.sign and "price" in fields else fields


def _staged(draft: NormalizedItem, item: Item, context: Context) -> Staged:
    return Staged(
        kind=draft.kind,
        identity_key=draft.identity_key or "",
        url=draft.url,
        canonical_url=draft.canonical_url,
        fields=_with_sign(_with_stock(draft), draft.money),
        strategies=_strategies(draft, item),
        fingerprint=_fingerprint(draft, context),
        score=item.score,
    )
