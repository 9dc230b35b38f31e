"""The fields of a source and of its site, validated once.

The same two models are behind `larder source add`, the API and a catalogue file. What is left out keeps its
default, or, for a source that exists already, the value it has.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from larder.actions.sources.field_checks import known_intervals, known_zone, usable_params, web_address
from larder.adapters import by_domain, known
from larder.core.errors import BadInput
from larder.core.model.site import Preset
from larder.core.model.source import FetcherName, Kind, Plan, Tier, Visibility
from larder.core.policy.scheduling.cadence import (
    MAX_CADENCE_HOURS,
    MAX_INTERVAL,
    MIN_CADENCE_HOURS,
    MIN_INTERVAL,
)
from larder.core.quoting import quoted
from larder.runs import FOLDS, run_kinds
from larder.sdk.adapter import Adapters, SiteAdapter
from larder.sdk.urls import registrable_domain
from larder.store.queue.source_rows import SourceRow

MAX_COUNT = 2**31 - 1
SLUG = r"^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$"


PLANS: Mapping[Plan, str] = {
    Plan.INDEX: "for long lists: new records every 30 minutes, the whole list in slices every 3 hours",
    Plan.ADAPTIVE: "for long lists: as often as the list changes and a price or budget of requests allows",
    Plan.MARKET: "for short lists: the whole list every 6, 12 or 24 hours, by tier",
    Plan.AGENDA: "for events: the whole list once a day",
    Plan.MONITOR: "for prices: only the pages that you name as targets, each at its own interval",
}
"""All plans, each with its meaning."""
_PLAN_HELP = "Which run kinds it has, and when. " + "; ".join(
    f"{p}: {meaning}" for p, meaning in PLANS.items()
)

Zone = Annotated[str, AfterValidator(known_zone)]
Url = Annotated[str, AfterValidator(web_address)]
Params = Annotated[dict[str, Any], AfterValidator(usable_params)]
Seconds = Annotated[float, Field(ge=MIN_INTERVAL.total_seconds(), le=MAX_INTERVAL.total_seconds())]
HostName = Annotated[str, Field(min_length=1, max_length=253)]
Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]
Policy = Annotated[dict[str, Seconds], AfterValidator(known_intervals)]


_RESETTABLE = frozenset({"spacing", "spacing_max", "at_once", "notes"})


class SiteSpec(BaseModel):
    """Fields of a site; limits and notes can be reset with None."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    preset: Preset | None = Field(
        default=None, description="Rate limit preset: gentle, classifieds or crawler."
    )
    spacing: float | None = Field(default=None, ge=0, le=3600, description="Seconds between two requests.")
    spacing_max: float | None = Field(
        default=None, ge=0, le=3600, description="Upper bound of a random gap; `spacing` is the lower one."
    )
    at_once: int | None = Field(
        default=None, ge=1, le=100, description="Maximum number of concurrent requests."
    )
    local: bool | None = Field(default=None, description="Whether a private address is allowed.")
    terms_reviewed_by: str | None = Field(
        default=None, min_length=1, description="Who reviewed the site's terms."
    )
    notes: str | None = Field(default=None, description="Free text.")
    exempt_hosts: list[HostName] | None = Field(
        default=None,
        max_length=50,
        description="Hosts that each have the site's limits to themselves.",
    )

    def row(self, *, now: datetime, resets: bool = False) -> dict[str, Any]:
        """The columns this sets; with `resets` also those it empties."""
        given = self.model_dump(exclude_unset=True, exclude={"exempt_hosts"})
        emptied = _RESETTABLE if resets else frozenset()
        values = {name: value for name, value in given.items() if value is not None or name in emptied}
        for name in ("spacing", "spacing_max"):
            if name in values:
                seconds = values.pop(name)
                values[f"{name}_ms"] = None if seconds is None else round(seconds * 1000)
        if self.local is not None:
            values["local"] = int(self.local)
        if self.terms_reviewed_by is not None:
            values["terms_reviewed_at"] = now
        return values


_FLAGS = ("enabled", "needs_review", "upc_trusted", "reenables_itself")


class SourceSpec(BaseModel):
    """Fields of a source."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    url: Url = Field(
        description="Where its records are listed; some adapters derive it from `params` (city, state)."
    )
    feed_url: Url | None = Field(
        default=None,
        description="Of the plan monitor: a feed on the same site (product feed, sitemap, RSS …) whose "
        "addresses are its targets; read again every day, or every `cadence_hours`.",
    )
    slug: str = Field(
        default="", pattern=SLUG + "|^$", description="Its id in commands; default: derived from the URL."
    )
    name: str | None = Field(default=None, description="Display name; default: the slug.")
    kind: Kind | None = Field(default=None, description="listing, event or product; default: the adapter's.")
    adapter: str = Field(
        default="",
        description="Id of the adapter; default: the one of the site, else the general one of the kind.",
    )
    params: Params = Field(
        default_factory=dict, description="Parameters of the adapter: selectors, city, index_url …"
    )
    plan: Plan = Field(default=Plan.INDEX, description=f"{_PLAN_HELP}.")
    tier: Tier = Field(default=Tier.STANDARD, description="hot, standard or cool: how fast confidence falls.")
    cadence_hours: float | None = Field(
        default=None,
        ge=MIN_CADENCE_HOURS,
        le=MAX_CADENCE_HOURS,
        description="Hours between two collects, or between two readings of `feed_url`.",
    )
    policy: Policy = Field(
        default_factory=dict, description="Intervals of its run kinds in seconds: discovery_every …"
    )
    enabled: bool = Field(default=True, description="Whether it runs.")
    needs_review: bool = Field(default=False, description="Whether a person must review it before it runs.")
    max_items_per_run: Count | None = Field(
        default=None, description="Maximum number of new records whose own pages are read in a run."
    )
    max_pages: Count | None = Field(default=None, description="Maximum number of index pages per run.")
    fetcher: FetcherName = Field(default=FetcherName.HTTP, description="How its pages are fetched.")
    place: str | None = Field(
        default=None,
        exclude=True,
        description="Place of records that name none: `Utrecht, NL`, or `52.09, 5.12`.",
    )
    latitude: float | None = Field(default=None, ge=-90, le=90, description="Default coordinates.")
    longitude: float | None = Field(default=None, ge=-180, le=180, description="Default coordinates.")
    tz: Zone = Field(
        default="UTC",
        description="Its time zone; of a new agenda by default its place's, else its country's.",
    )
    language: str = Field(default="en", pattern=r"^[a-z]{2}$", description="Its language.")
    currency: str | None = Field(
        default=None, pattern=r"^[A-Z]{3}$", description="Currency of prices that name none."
    )
    visibility: Visibility = Field(
        default=Visibility.HIDDEN, description="Whether public reads include its records."
    )
    upc_trusted: bool = Field(default=False, description="Whether its product codes may link records.")
    reenables_itself: bool = Field(
        default=False,
        description="Whether a disabled adapter is probed every 6 hours and enabled when it succeeds.",
    )

    @model_validator(mode="before")
    @classmethod
    def _locate(cls, given: Any) -> Any:
        """Convert a place into its coordinates; give a market without a URL that of its city."""
        if isinstance(given, dict) and not given.get("url") and (made := market_url(given)):
            given = {**given, "url": made}
        if isinstance(given, dict) and isinstance(given.get("place"), str):
            latitude, longitude = coordinates_of(given["place"])
            return {"latitude": latitude, "longitude": longitude, **given}
        return given

    @field_validator("feed_url")
    @classmethod
    def _on_its_site(cls, feed_url: str | None, others: ValidationInfo) -> str | None:
        site = registrable_domain(others.data.get("url", ""))
        if feed_url and registrable_domain(feed_url) != site:
            raise ValueError(f"{feed_url[:200]} is not on {site}; add a source for its own site")
        return feed_url

    def completed(self, adapters: Adapters) -> "SourceSpec":
        """The source with slug, kind and adapter filled in; `BadInput` if they cannot be determined."""
        adapter = self._adapter(adapters)
        slug = self.slug or slug_of(self.url)
        return self.model_copy(
            update={"slug": slug, "adapter": adapter.id, "kind": self.kind or adapter.kind}
        )

    def with_zone(self) -> "SourceSpec":
        """An agenda without a time zone gets that of its place, else of its address's country."""
        zone = None if self.kind is not Kind.EVENT or "tz" in self.model_fields_set else self._zone()
        return self.model_copy(update={"tz": zone}) if zone else self

    def _zone(self) -> str | None:
        from larder.stages.normalize.time_zones import (  # noqa: PLC0415 - only where a source is added
            zone_of_address,
            zone_of_point,
        )

        if self.latitude is not None and self.longitude is not None:
            return zone_of_point(self.latitude, self.longitude) or zone_of_address(self.url)
        return zone_of_address(self.url)

    def row(self, *, only_given: bool = False) -> dict[str, Any]:
        """The columns this sets; `only_given`: those that were given, for an existing source."""
        values = self.model_dump(exclude_unset=only_given)
        flags: dict[str, Any] = {name: int(values[name]) for name in _FLAGS if name in values}
        empty: dict[str, Any] = {
            name: None for name in ("params", "policy") if name in values and not values[name]
        }
        return {**values, **flags, **empty}

    def _adapter(self, adapters: Adapters) -> SiteAdapter:
        adapter = by_domain(registrable_domain(self.url) or "")
        chosen = self.adapter or (adapter.id if adapter else self.kind and str(self.kind)) or ""
        if not chosen:
            raise BadInput("kind is missing", hint="set kind to listing, event or product")
        if chosen not in adapters:
            raise BadInput(
                f"there is no adapter {quoted(chosen)}", hint=f"known adapters: {', '.join(sorted(adapters))}"
            )
        return adapters[chosen]


def market_url(values: Mapping[str, Any]) -> str | None:
    """The URL that the adapter makes from `params.city` and `params.state`; None where it cannot."""
    params = values.get("params")
    named = params if isinstance(params, Mapping) else {}
    city, state, adapter = named.get("city"), named.get("state"), values.get("adapter")
    if not (isinstance(city, str) and isinstance(state, str) and isinstance(adapter, str)):
        return None
    made = (each.market_url(city, state) for each in known() if each.id == adapter and city and state)
    return next(made, None)


def coordinates_of(place: str) -> tuple[float, float]:
    """The coordinates of `LATITUDE, LONGITUDE` or of `TOWN, COUNTRY`, by the offline gazetteer."""
    first, _, last = (part.strip() for part in place.rpartition(","))
    try:
        return float(first), float(last)
    except ValueError:
        country = last.upper()
    from larder.stages.normalize.places import offline_gazetteer  # noqa: PLC0415 - only where a place is named

    coordinates = offline_gazetteer(frozenset({country})).locate(first, country=country) if first else None
    if coordinates is None:
        raise ValueError(
            f"unknown place {quoted(place)}: write TOWN, COUNTRY (Utrecht, NL) or LATITUDE, LONGITUDE"
        )
    return coordinates.latitude, coordinates.longitude


def slug_of(url: str) -> str:
    """A short name from an address: its site, without parts that all sites have."""
    domain = registrable_domain(url) or "source"
    words = re.sub(r"[^a-z0-9]+", "-", domain.rsplit(".", 1)[0].lower()).strip("-")
    return words[:60].strip("-") or "source"


def check_feed(spec: SourceSpec, before: SourceRow | None) -> None:
    """Refuse a feed for a plan without targets: a feed names targets."""
    values = spec.row(only_given=before is not None)
    plan = Plan(values["plan"] if before is None or "plan" in values else before.plan)
    if values.get("feed_url") and not any(FOLDS[kind].reads_targets for kind in run_kinds(plan)):
        raise BadInput(f"feed_url: the plan {plan} has no targets", hint="set plan to monitor")
