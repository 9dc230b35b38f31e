"""Checks each field of a declaration, and searches a new selector for one that is read wrongly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from larder.sdk.selectors import Field, Part, Pick
from larder.stages.parse.repair.evidence import PRICE, Evidence, Tally
from larder.stages.parse.repair.fields import find_selectors
from larder.stages.parse.repair.known_values import SampleScope
from larder.stages.parse.repair.proposed import Proposed
from larder.stages.parse.repair.rival_prices import rival_prices

ESSENTIAL = frozenset({"title", "url", "platform_id", "sku", PRICE, "starts_at", "availability"})
"""A repair must read these if they were read before."""


class FieldState(StrEnum):
    """The outcome of a field."""

    KEPT = "kept"
    """Its selector still reads it."""
    FOUND = "found"
    """A new selector reads it."""
    GONE = "gone"
    """The pages no longer show it, and nothing is read in its place."""
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRepair:
    """One field and its selectors from now on."""

    field: Field
    picks: tuple[Pick, ...]
    state: FieldState
    tally: Tally
    doubt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A candidate for a part of a declaration."""

    row: str
    fields: Mapping[str, FieldRepair]
    scopes: Sequence[SampleScope]

    @property
    def healthy(self) -> bool:
        """Whether it is unchanged."""
        return all(
            each.state in (FieldState.KEPT, FieldState.GONE) and not each.doubt
            for each in self.fields.values()
        )

    @property
    def read(self) -> int:
        """The number of fields that are read right."""
        return sum(each.state in (FieldState.KEPT, FieldState.FOUND) for each in self.fields.values())

    @property
    def doubts(self) -> list[str]:
        """Evidence against it."""
        return [each.doubt for each in self.fields.values() if each.doubt]


def repair_fields(part: Part, row: str, evidence: Evidence, *, least: int, proposed: Proposed) -> Draft:
    """All fields of a part, in rows that `row` finds (or on whole pages)."""
    fields = {
        field.name: _repaired(field, evidence.about(field.name), proposed, least=least, rows=bool(row))
        for field in part.fields
    }
    return Draft(row=row, fields=fields, scopes=evidence.scopes)


def _repaired(field: Field, evidence: Evidence, proposed: Proposed, *, least: int, rows: bool) -> FieldRepair:
    scopes = evidence.scopes
    now = evidence.tally(field.name, field.picks)
    if not scopes or now.works:
        return FieldRepair(field=field, picks=field.picks, state=FieldState.KEPT, tally=now)
    enough = least if field.name in ESSENTIAL else min(least, max(2, len(scopes)))
    picks = find_selectors(field, evidence, least=enough, proposed=proposed.fields.get(field.name, ()))
    if not picks:
        shown = any(evidence.places.shows(scope, field.name) for scope in scopes)
        return _unproven(field, now) if shown else _nowhere(field, scopes, now)
    judged = evidence.tally(field.name, picks)
    found = FieldRepair(field=field, picks=picks, state=FieldState.FOUND, tally=judged)
    return _doubted(found, scopes, rows=rows)


def _nowhere(field: Field, scopes: Sequence[SampleScope], now: Tally) -> FieldRepair:
    """The outcome if no page shows the known values.

    The field is gone if nothing else is read in its place.
    """
    doubt = ""
    if now.changed:
        doubt = f"{field.name}: the values read now match no known value"
    elif field.name in ESSENTIAL:
        doubt = f"{field.name}: none of {len(scopes)} known values is shown any more"
    return FieldRepair(field=field, picks=field.picks, state=FieldState.GONE, tally=now, doubt=doubt)


def _unproven(field: Field, now: Tally) -> FieldRepair:
    doubt = ""
    if now.contradicted or now.changed:
        doubt = f"{field.name}: its selector reads other values, and no replacement is proven"
    elif field.name in ESSENTIAL:
        doubt = f"{field.name}: no selector reads it correctly everywhere"
    return FieldRepair(field=field, picks=field.picks, state=FieldState.UNPROVEN, tally=now, doubt=doubt)


def _doubted(found: FieldRepair, scopes: Sequence[SampleScope], *, rows: bool) -> FieldRepair:
    """Doubts: equal values prove little; a price with a rival proves nothing."""
    doubt = ""
    if found.field.name in ESSENTIAL - {"availability"} and found.tally.distinct < 2:
        doubt = f"{found.field.name}: all known values are the same"
    elif found.field.name == PRICE:
        beside = [text for scope in scopes for text in rival_prices(found.picks, scope, whole=rows)]
        if beside:
            doubt = f"price: another amount is shown beside it ({beside[0]})"
    if not doubt:
        return found
    return FieldRepair(
        field=found.field, picks=found.picks, state=FieldState.UNPROVEN, tally=found.tally, doubt=doubt
    )
