"""A source that is not saved yet: the fields of its form, and the items of its page.

Every value stays as it was typed, invalid ones too: the error is shown beside its field, and the others are
used.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.job import Purpose
from larder.core.model.source import EARLIER_MONITOR, Kind, Plan
from larder.extraction import Judged, Trial, try_page
from larder.extraction.page_outline import OutlineBlock, outline
from larder.extraction.trial import STORED
from larder.sdk import Page
from larder.sdk.page import text_of
from larder.sdk.selectors import BadSelector, Part, Selectors, read_selectors
from larder.sdk.urls import registrable_domain

FIELDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.LISTING: ("title", "url", "price", "area", "rooms", "address", "platform_id"),
    Kind.PRODUCT: ("title", "url", "price", "availability", "brand", "sku"),
    Kind.EVENT: ("title", "url", "when", "venue", "price"),
}
NAMES = (
    "url", "page", "local", "kind", "row", "only", "slug", "name", "plan", "tier", "currency",
    "language", "place", "tz", "index_url", "terms", "public", "anyway", "profile", "reading",
)  # fmt: skip
"""The fields of the form besides selectors (`f.title` and so on)."""
SELECTOR = "f."
MAX_VALUE = 1_000
NAME_LENGTH = 60
_RAW = {"when": ("when", "starts_at", "start", "date"), "area": ("area", "area_m2")}

DraftFields = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldReading:
    """The value of a field, found by its selector or without one."""

    text: str
    by: str
    """The strategy, or the number of rows with a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The items of a stored page, read with the draft."""

    trial: Trial
    title: str
    """The title of the page, the default name of the source."""
    blocks: Sequence[OutlineBlock]
    held: Mapping[str, FieldReading]
    suggested: Mapping[str, str]
    """Suggested selectors by field; `row` for the rows."""
    wrong: Mapping[str, str]
    """Errors by form field."""
    otherwise: Mapping[Kind, int]
    """If nothing would be stored: the number of items by other kind."""

    @property
    def kind(self) -> Kind:
        """What the page is about."""
        return Kind(self.trial.kind)

    @property
    def stored(self) -> int:
        """How many items would be stored."""
        return _stored_count(self.trial)

    @property
    def left_out(self) -> list[tuple[int, Judged]]:
        """The other items by reason: the count and one example."""
        rejected = [item for item in self.trial.items if item.verdict != STORED]
        first = {each.reason: each for each in reversed(rejected)}
        return [
            (count, first[reason])
            for reason, count in Counter(each.reason for each in rejected).most_common()
        ]

    @property
    def plan(self) -> Plan:
        """The suggested plan, by kind and number of items."""
        return Plan(self.proposed["plan"])

    @property
    def proposed(self) -> dict[str, str]:
        """The proposed plan, language and currency."""
        return {
            proposal.field: proposal.value for proposal in self.trial.proposals if proposal.field != "feed"
        }


def draft_fields(values: Mapping[str, Any]) -> dict[str, str]:
    """The non-empty fields of a draft in a form or a query string."""
    ours = {
        name: str(value).replace("\x00", "").strip()[:MAX_VALUE]
        for name, value in values.items()
        if name in NAMES or name.startswith(SELECTOR)
    }
    if ours.get("plan") == EARLIER_MONITOR:
        ours["plan"] = Plan.MONITOR
    return {name: value for name, value in ours.items() if value}


def has_selectors(values: DraftFields) -> bool:
    """Whether the draft has selectors."""
    return any(name in ("row", "only") or name.startswith(SELECTOR) for name in values)


def params_of(values: DraftFields, kind: Kind) -> dict[str, Any]:
    """The parameters of the adapter: the valid selectors."""
    return _usable_params(values, kind)[0]


def preview(body: bytes, values: DraftFields, *, now: datetime) -> Preview:
    """Reads the page with all valid selectors."""
    url, currency = values["url"], _currency(values)
    trial = try_page(body, url=url, kind=values.get("kind"), currency=currency, now=now)
    page = Page(url, body)
    blocks = outline(page)
    suggested = _suggested(_first_item_fields(trial), blocks)
    params, wrong = _usable_params(values, Kind(trial.kind))
    if params:
        trial = try_page(body, url=url, kind=trial.kind, params=params, currency=currency, now=now)
    other_kinds = [] if _stored_count(trial) else [kind for kind in Kind if kind != trial.kind]
    tried = {kind: try_page(body, url=url, kind=kind, currency=currency, now=now) for kind in other_kinds}
    return Preview(
        trial=trial,
        title=_title(page),
        blocks=blocks,
        held={**_first_item_fields(trial), **_selector_matches(page, params)},
        suggested=suggested,
        wrong=wrong,
        otherwise={kind: count for kind, other in tried.items() if (count := _stored_count(other))},
    )


def _stored_count(trial: Trial) -> int:
    return sum(item.verdict == STORED for item in trial.items)


def _currency(values: DraftFields) -> str | None:
    value = values.get("currency", "").upper()
    return value if len(value) == 3 and value.isalpha() else None


def _usable_params(values: DraftFields, kind: Kind) -> tuple[dict[str, Any], dict[str, str]]:
    """Adapter parameters from the valid selectors, and the errors of the others."""
    row = values.get("row", "")
    part = {"row": row} if row else {}
    purpose = Purpose.INDEX if row else Purpose.DETAIL
    chosen = {name: values[SELECTOR + name] for name in FIELDS[kind] if SELECTOR + name in values}
    wrong = {
        SELECTOR + name: error
        for name, css in chosen.items()
        if (error := _selector_error(Purpose.DETAIL, {"fields": {name: css}}))
    }
    if row and (error := _selector_error(purpose, {**part, "fields": {"title": "h1"}})):
        wrong["row"] = error
    elif row and not chosen:
        wrong["row"] = "a row needs at least a selector for the title"
    usable = {name: css for name, css in chosen.items() if SELECTOR + name not in wrong}
    if not usable or "row" in wrong:
        return {}, wrong
    only = {"strategies": ["selectors"]} if values.get("only") else {}
    return {"selectors": {str(purpose): {**part, "fields": usable}}, **only}, wrong


def _selector_error(purpose: Purpose, part: Mapping[str, Any]) -> str:
    try:
        read_selectors({purpose: part})
    except BadSelector as wrong:
        values = str(wrong).removeprefix(f"{'.'.join(map(str, wrong.trail))}: ")
        return f"{values}; {wrong.hint.text}" if wrong.hint.text else values
    except BadInput as wrong:
        return str(wrong)
    return ""


def _first_item_fields(trial: Trial) -> dict[str, FieldReading]:
    """The fields of the first item, with their strategies."""
    if not trial.items:
        return {}
    first = trial.items[0]
    error = {name: _RAW.get(name, (name,)) for name in FIELDS[Kind(trial.kind)]}
    raw = {name: next((each for each in names if first.raw.get(each)), "") for name, names in error.items()}
    return {
        name: FieldReading(
            text=_one_line(first.raw[key]), by=f"by {first.strategies.get(key, trial.strategy)}"
        )
        for name, key in raw.items()
        if key
    }


def _selector_matches(page: Page, params: Mapping[str, Any]) -> dict[str, FieldReading]:
    """What each selector finds on the page."""
    declared = read_selectors(params["selectors"]) if params else Selectors()
    part: Part | None = declared.index or declared.detail
    if part is None:
        return {}
    rows = [part.read(row) for row in part.rows(page.tree)]
    return {field.name: _field_reading(field.name, rows, many=bool(part.row)) for field in part.fields}


def _field_reading(name: str, rows: Sequence[Mapping[str, Any]], *, many: bool) -> FieldReading:
    values = [row[name] for row in rows if name in row]
    by = f"in {len(values)} of {len(rows)} rows" if many else "by this selector"
    return FieldReading(
        text=_one_line(values[0]) if values else "", by=by if values else _no_match(rows, many=many)
    )


def _no_match(rows: Sequence[object], *, many: bool) -> str:
    if not many:
        return "no match on the page"
    return f"no match in {len(rows)} rows" if rows else "no row matches"


def _suggested(found: Mapping[str, FieldReading], blocks: Sequence[OutlineBlock]) -> dict[str, str]:
    """Selectors for the values of the first item, within its row."""
    title = found["title"].text if "title" in found else ""
    for block in blocks:
        error = {_one_line(piece.text): piece for piece in block.pieces}
        if block.row and title in error:
            places = {
                name: error[reading.text].path for name, reading in found.items() if reading.text in error
            }
            return {"row": block.row, "url": error[title].link, **places}
    return {}


def _one_line(value: Any) -> str:
    return " ".join(str(value).split())[:80]


def _title(page: Page) -> str:
    """The title of the page, shortened at a word boundary."""
    values = text_of(page.first("title")) or text_of(page.first("h1")) or registrable_domain(page.url) or ""
    if len(values) <= NAME_LENGTH:
        return values
    return values[:NAME_LENGTH].rsplit(" ", 1)[0].rstrip(" -–|,:·") + " …"
