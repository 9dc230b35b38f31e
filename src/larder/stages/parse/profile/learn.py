"""Learns where a site shows its fields, from one index page and a few detail pages.

The values of an index row are searched on the row's own page. The place that shows them on every page is
right; text that is the same on all pages is a label and proves nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from larder.core.model.item import Item
from larder.core.model.site_profile import MIN_PAGES, FieldProof, SampleReading, SiteProfile
from larder.core.model.source import Kind
from larder.sdk.selectors import Field, Pick, declared_picks
from larder.stages.parse.profile.index_part import index_part
from larder.stages.parse.repair.evidence import Evidence, ValuePlaces, read_field
from larder.stages.parse.repair.fields import find_selectors
from larder.stages.parse.repair.known_values import (
    Known,
    Meaning,
    Reader,
    ReadMeaning,
    Sample,
    SampleScope,
    ShownText,
    agrees,
)
from larder.stages.parse.repair.proposed import NOTHING, Proposed

FIELDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.LISTING: ("title", "price", "area", "rooms", "beds", "baths", "address"),
    Kind.PRODUCT: ("title", "price", "availability", "brand", "sku"),
    Kind.EVENT: ("title", "starts_at", "venue", "address"),
}
ESSENTIAL = frozenset({"title", "price", "starts_at"})
"""With a weak proof of these a person must choose; other fields with a weak proof are left out."""
MAX_DETAIL_PAGES = 12
"""Maximum detail pages from which a profile is learned and proven."""
MIN_AGREED = 2
MAX_SAMPLE_VALUE = 120
"""Maximum characters of a sample's value."""
_CONTAINERS = frozenset({"html", "head", "body", "main", "title", "meta", "link"})
_NAME = re.compile(r"[.#\[]")
_TEXTS = ("title", "venue", "address", "brand", "sku")
_WHEN = ("date_text", "starts_at")
_WORDS = re.compile(r"\w+")
_LOWEST = re.compile(
    r"\W*(?:ab|from|starting at|as low as|vanaf|dès|à partir de|desde|a partir d[ei]|da|od|från|fra)\b",
    re.IGNORECASE,
)
"""A row's lowest of several prices: its page may show it for a quantity, or for another variant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailSample:
    """A detail page, and its raw fields in the general reading."""

    sample: Sample
    general: Mapping[str, Any]
    """The fields, with the `currency` of the price if that is a field of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSample:
    """An index page and its general reading."""

    sample: Sample
    rows: Sequence[Item]
    next_url: str = ""


class _OwnPage(SampleScope):
    """A detail page without its head, and without containers of the whole page."""

    @cached_property
    def shown(self) -> list[ShownText]:
        """Every text and attribute that may be a field's own place."""
        return [each for each in super().shown if each.element.tag not in _CONTAINERS]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a field was found, with the proof."""

    name: str
    picks: tuple[Pick, ...]
    proof: FieldProof


def learn_site_profile(
    kind: Kind,
    index: IndexSample,
    details: Sequence[DetailSample],
    understand: ReadMeaning,
    *,
    proposed: Proposed = NOTHING,
    only_better: bool = False,
) -> SiteProfile | None:
    """The profile; None if no field of an index row is found on the detail pages.

    `proposed`: candidates besides those of the rules; they need the same proof. `only_better`: None, too, if
    the general reading of every page agrees with its row: no profile can read better.
    """
    reader = Reader(_comparable(understand))
    known = known_rows(kind, index, reader)
    about = [page for page in details if page.sample.address in known][:MAX_DETAIL_PAGES]
    scopes = [_scope(page.sample, known) for page in about]
    if only_better and _says_what_rows_say(kind, scopes, about, understand):
        return None
    found = (_place(name, scopes, about, understand, proposed=proposed) for name in FIELDS[kind])
    places = [place for place in found if place]
    kept_places = [place for place in places if place.proof.proven or place.name in ESSENTIAL]
    if not kept_places:
        return None
    selectors = {"detail": {"fields": {place.name: declared_picks(place.picks) for place in kept_places}}}
    if part := index_part(index.sample, known, FIELDS[kind], reader, next_url=index.next_url):
        selectors["index"] = part
    return SiteProfile(
        fields={place.name: place.proof for place in kept_places},
        selectors=selectors,
        pages=len(about),
        rows=len(known),
        samples=tuple(_samples(kept_places, scopes, about, reader)),
        proposed=tuple(place.name for place in kept_places if proposed.holds(place.name, place.picks)),
    )


def unproven_fields(
    kind: Kind, index: IndexSample, details: Sequence[DetailSample], understand: ReadMeaning
) -> dict[str, tuple[str, ...]]:
    """Fields of the rows for which no place on their pages is proven, with their values in the rows."""
    known = known_rows(kind, index, Reader(_comparable(understand)))
    about = [page for page in details if page.sample.address in known][:MAX_DETAIL_PAGES]
    scopes = [_scope(page.sample, known) for page in about]
    missing: dict[str, tuple[str, ...]] = {}
    for name in FIELDS[kind]:
        texts = [str(scope.known.raw[name]) for scope in scopes if scope.known.values.get(name)]
        place = _place(name, scopes, about, understand) if len(texts) >= MIN_PAGES else None
        if len(texts) >= MIN_PAGES and (place is None or not place.proof.proven):
            missing[name] = tuple(texts)
    return missing


def known_rows(kind: Kind, index: IndexSample, reader: Reader) -> dict[str, Known]:
    """The values of the rows, by the address of their detail page."""
    known: dict[str, Known] = {}
    for item in index.rows:
        raw = profile_fields(kind, item.fields)
        if _LOWEST.match(str(raw.get("price", ""))):
            del raw["price"]
        values = {
            name: meant for name, value in raw.items() if (meant := reader.meaning(name, value, index.sample))
        }
        if url := values.get("url", {}).get("url"):
            known.setdefault(url, Known(key=url, raw=raw, values=values, at=index.sample.at))
    return known


def profile_fields(kind: Kind, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A reading's raw fields under the names that a profile uses."""
    raw = {name: _as_profile_value(fields[name]) for name in ("url", *FIELDS[kind]) if fields.get(name)}
    when = next((str(fields[name]) for name in _WHEN if fields.get(name)), "")
    return {**raw, "starts_at": when} if kind is Kind.EVENT and when else raw


def _as_profile_value(value: Any) -> Any:
    """A value as text; a number stays a number: as text, its decimals could be read as thousands."""
    return value if isinstance(value, int | float | Decimal) else str(value)


def _scope(sample: Sample, known: Mapping[str, Known]) -> SampleScope:
    return _OwnPage(sample=sample, node=sample.page.tree, known=known[sample.address])


def _place(
    name: str,
    scopes: Sequence[SampleScope],
    about: Sequence[DetailSample],
    understand: ReadMeaning,
    *,
    proposed: Proposed = NOTHING,
) -> _Place | None:
    """The selector of a field; for dates, one that also shows the time, if there is one."""
    telling = _telling(name, scopes, about)
    for reader in _readers(name, understand):
        evidence = Evidence(scopes=[scope for scope, _ in telling], archived=(), places=ValuePlaces(reader))
        named = proposed.fields.get(name, ())
        found = find_selectors(Field(name=name, picks=()), evidence, least=MIN_AGREED, proposed=named)
        picks = tuple(pick if _is_named(pick) else replace(pick, only=True) for pick in found)
        tally = evidence.tally(name, picks)
        if picks and tally.distinct >= MIN_AGREED:
            general = sum(_agrees(name, page.general, scope, reader) for scope, page in telling)
            proof = FieldProof(agreed=tally.agreed, pages=len(telling), general=general)
            return _Place(name=name, picks=picks, proof=proof)
    return None


def _readers(name: str, understand: ReadMeaning) -> list[Reader]:
    return [
        Reader(_comparable(understand, timed=timed))
        for timed in ((True, False) if name == "starts_at" else (False,))
    ]


def _telling(
    name: str, scopes: Sequence[SampleScope], about: Sequence[DetailSample]
) -> list[tuple[SampleScope, DetailSample]]:
    """The pages whose row has the field."""
    return [(scope, page) for scope, page in zip(scopes, about, strict=True) if scope.known.values.get(name)]


def _says_what_rows_say(
    kind: Kind, scopes: Sequence[SampleScope], about: Sequence[DetailSample], understand: ReadMeaning
) -> bool:
    return all(
        _agrees(name, page.general, scope, reader)
        for name in FIELDS[kind]
        for reader in _readers(name, understand)
        for scope, page in _telling(name, scopes, about)
    )


def _is_named(pick: Pick) -> bool:
    """Whether a class, an id, an attribute or a label identifies it.

    A bare tag may match more on another page.
    """
    return bool(pick.label or pick.join or _NAME.search(pick.css))


def _agrees(name: str, general: Mapping[str, Any], scope: SampleScope, reader: Reader) -> bool:
    value, known = general.get(name), scope.known.values.get(name)
    if not value or not known:
        return False
    if name == "price" and general.get("currency"):  # markup separates them, in a text they are joined
        both = {name: value, "currency": general["currency"]}
        return agrees(reader.understand(both, scope.sample), known)
    return agrees(reader.meaning(name, value, scope.sample), known)


def _comparable(understand: ReadMeaning, *, timed: bool = False) -> ReadMeaning:
    """Values in a comparable form: words without case and signs, a start as day and time."""

    def meant(raw: Mapping[str, Any], sample: Sample) -> Meaning:
        fields = dict(understand(raw, sample))
        fields |= {name: _words_only(fields[name]) for name in _TEXTS if name in fields}
        start, known = str(fields.pop("starts_at", "")), fields.pop("time_known", False)
        if not start or (timed and not known):
            return fields
        return {**fields, "day": start[:10], **({"time": start[11:16]} if known else {})}

    return meant


def _words_only(text: Any) -> str:
    return " ".join(_WORDS.findall(str(text).casefold()))


def _samples(
    places: Sequence[_Place], scopes: Sequence[SampleScope], about: Sequence[DetailSample], reader: Reader
) -> Iterable[SampleReading]:
    """Both readings side by side, page by page."""
    for scope, page in zip(scopes, about, strict=True):
        for place in places:
            read = read_field(place.name, place.picks, scope)
            yield SampleReading(
                url=scope.sample.page.url,
                field=place.name,
                row=str(scope.known.raw.get(place.name, ""))[:MAX_SAMPLE_VALUE],
                general=str(page.general.get(place.name) or "")[:MAX_SAMPLE_VALUE],
                profile=str(read or "")[:MAX_SAMPLE_VALUE],
                general_agrees=_agrees(place.name, page.general, scope, reader),
                profile_agrees=_agrees(place.name, {place.name: read}, scope, reader),
            )
