"""Sources: list, add, change, review, run now. The same routes are under `/markets`, for city markets."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Literal, Self

from fastapi import APIRouter, Query
from pydantic import Field, create_model, model_validator

from larder.actions.operations import runs
from larder.actions.operations.runs import RunView
from larder.actions.sources import catalogue, gate_reasons, removal, site_profiles, sources
from larder.actions.sources.catalogue import ImportedCatalogue
from larder.actions.sources.fields import EDITABLE, annotation
from larder.actions.sources.gate_reasons import SourceGates
from larder.actions.sources.removal import RecordsFate, RemovedSource
from larder.actions.sources.site_profiles import LearnedSource, ProfileView
from larder.actions.sources.sources import SavedSource, SourceLine, SourceView
from larder.actions.sources.spec import SiteSpec, SourceSpec, Url
from larder.api.context import AdminContext
from larder.api.request_bodies import RequestBody, Slug, example
from larder.api.schemas import Items
from larder.app.selector_questions import ask_for_profile
from larder.app.source_proposals import ProposedSource, propose_source
from larder.core.model.run import RunKind
from larder.core.model.site_profile import ReadingChoice
from larder.core.model.source import Kind
from larder.sdk.declarations.bounded_yaml import MAX_CHARACTERS

router = APIRouter()

Fate = Annotated[RecordsFate, Query(description="kept, hidden or erased.")]


class NewSource(RequestBody, SourceSpec):
    """A source to add, with optional settings of its site."""

    model_config = example(
        url="https://homes.example/rent",
        slug="homes",
        kind="listing",
        visibility="public",
        site={"terms_reviewed_by": "ada", "preset": "gentle"},
    )

    url: Url | None = Field(  # type: ignore[assignment] # made from the city where the adapter can
        default=None, description=SourceSpec.model_fields["url"].description
    )
    site: SiteSpec | None = Field(default=None, description="Settings of its site.")

    @model_validator(mode="after")
    def _addressed(self) -> Self:
        if self.url is None:
            raise ValueError("url is missing; this adapter cannot make it of params.city and params.state")
        return self

    def spec(self) -> SourceSpec:
        """The source without its site."""
        return SourceSpec.model_validate(self.model_dump(exclude={"site"}, exclude_unset=True))


if TYPE_CHECKING:

    class SourceChange(SourceSpec):
        """Changes to a source."""

else:
    SourceChange = create_model(
        "SourceChange",
        __base__=RequestBody,
        __doc__="Changes to a source; omitted fields stay as they are, null removes a value.",
        **{
            name: (annotation(field) | None, Field(default=None, description=field.description))
            for name, field in SourceSpec.model_fields.items()
            if name in EDITABLE
        },
    )


class PageToTry(RequestBody):
    """A page that a source could be created from."""

    model_config = example(url="https://homes.example/rent", kind="listing")

    url: Url = Field(description="The address of the page.")
    kind: Kind | None = Field(default=None, description="listing, event or product; default: detected.")
    local: bool = Field(default=False, description="Allow a private address.")


class CatalogueText(RequestBody):
    """A catalogue, as the text of a YAML file."""

    yaml: str = Field(max_length=MAX_CHARACTERS, description="The file's text.")


class RunRequest(RequestBody):
    """The run kind; default: discovery, or the only one."""

    kind: RunKind | None = Field(default=None, description="discovery, sweep, verification …")


class ReadingRequest(RequestBody):
    """Which reading is used: the site profile's or the general one."""

    reading: Literal["profile", "general"] = Field(description="profile or general.")


@router.get("", summary="All sources")
async def list_sources(ctx: AdminContext) -> Items[SourceLine]:
    """Each with its state and the gates that block it."""
    return Items(items=await ctx.read(sources.list_sources, ctx.dispatcher, now=ctx.now))


@router.post("", summary="Add a source", status_code=201)
async def add(ctx: AdminContext, body: NewSource) -> SavedSource:
    """The next dispatch schedules it; the answer names what still blocks or hides it."""
    return await ctx.run(sources.add, body.spec(), ctx.dispatcher, site=body.site, **ctx.actor)


@router.post("/propose", summary="Propose a source for a page")
async def propose(ctx: AdminContext, body: PageToTry) -> ProposedSource:
    """Fetches the page once.

    Plan, language, currency and feeds, each with its evidence. Nothing is stored.
    """
    return await propose_source(ctx.app, body.url, body.kind, local=body.local, who=ctx.caller.name)


@router.post("/import", summary="Import a catalogue")
async def import_(ctx: AdminContext, body: CatalogueText) -> ImportedCatalogue:
    """All sources or none are imported; a repeated import updates what differs."""
    parsed = await asyncio.to_thread(catalogue.parse, body.yaml)
    return await ctx.run(catalogue.import_all, parsed, ctx.dispatcher, **ctx.actor)


@router.get("/{slug}", summary="One source")
async def show(ctx: AdminContext, slug: Slug) -> SourceView:
    """All its fields, and whether it runs."""
    return await ctx.read(sources.show, slug, ctx.dispatcher, now=ctx.now)


@router.patch("/{slug}", summary="Change a source")
async def change(ctx: AdminContext, slug: Slug, body: SourceChange) -> SavedSource:
    """Sets the given fields, null removes one; schedules, confidence and visibility are updated."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    return await ctx.run(sources.edit, slug, values, ctx.dispatcher, **ctx.actor)


@router.get("/{slug}/profile", summary="The site profile of a source")
async def profile(ctx: AdminContext, slug: Slug) -> ProfileView:
    """Where its pages show their fields, with the evidence; both readings if the proof is weak."""
    return await ctx.read(site_profiles.show, slug)


@router.post("/{slug}/profile/learn", summary="Learn the site profile of a source")
async def learn(ctx: AdminContext, slug: Slug) -> LearnedSource:
    """From stored pages, else one index page and up to five detail pages; applied if its proof is good."""
    return await ctx.app.learn_profile(slug, who=ctx.caller.name)


@router.post("/{slug}/profile/ask", summary="Ask the language model for a site profile")
async def ask(ctx: AdminContext, slug: Slug) -> LearnedSource:
    """Asks where stored pages show fields that rules cannot find; learns again, applies what is proven."""
    return await ask_for_profile(ctx.app, slug, who=ctx.caller.name)


@router.put("/{slug}/profile", summary="Choose the reading of a source")
async def choose_reading(ctx: AdminContext, slug: Slug, body: ReadingRequest) -> ProfileView:
    """Use the profile, or the general reading; the profile is kept either way."""
    reading = ReadingChoice(body.reading)
    return await ctx.run(site_profiles.choose, slug, reading, ctx.dispatcher.adapters, **ctx.actor)


@router.put("/{slug}", summary="Replace a source")
async def replace(ctx: AdminContext, slug: Slug, body: SourceChange) -> SavedSource:
    """Sets all fields; omitted ones get their defaults."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    return await ctx.run(sources.replace, slug, values, ctx.dispatcher, **ctx.actor)


@router.delete("/{slug}", summary="Remove a source")
async def remove(ctx: AdminContext, slug: Slug, records: Fate = RecordsFate.KEPT) -> RemovedSource:
    """Ends its runs and deletes its targets; `records` says what happens to its records."""
    return await ctx.run(removal.remove, slug, records, **ctx.actor)


@router.get("/{slug}/why", summary="Why a source runs or does not")
async def why(ctx: AdminContext, slug: Slug) -> SourceGates:
    """Every closed gate, with the next step."""
    return await ctx.read(gate_reasons.why, slug, ctx.dispatcher, now=ctx.now)


@router.post("/{slug}/enable", summary="Enable a source")
async def enable(ctx: AdminContext, slug: Slug) -> SourceGates:
    """Runs are scheduled again."""
    return await ctx.run(sources.enable, slug, ctx.dispatcher, **ctx.actor)


@router.post("/{slug}/disable", summary="Disable a source")
async def disable(ctx: AdminContext, slug: Slug) -> SourceGates:
    """No new runs start; a running one continues."""
    return await ctx.run(sources.disable, slug, ctx.dispatcher, **ctx.actor)


@router.post("/{slug}/review", summary="Mark a source as reviewed")
async def review(ctx: AdminContext, slug: Slug) -> SourceGates:
    """A person reviewed it; it is flagged again if the problem persists."""
    return await ctx.run(sources.review, slug, ctx.dispatcher, **ctx.actor)


@router.post("/{slug}/run", summary="Start a run now", status_code=201)
@router.post("/{slug}/scrape", summary="Start a run now (the same as `run`)", status_code=201)
async def run(ctx: AdminContext, slug: Slug, body: RunRequest | None = None) -> RunView:
    """Opens a run; a worker fetches its pages at once. A closed gate is an error that names the gate."""
    kind = body.kind if body else None
    return await ctx.run(runs.start, slug, kind, ctx.dispatcher, **ctx.actor)
