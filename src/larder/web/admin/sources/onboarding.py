"""Onboarding: a new source from an address. Fetch, preview, adjust, save.

The page is fetched once, within the site's rate limit, and stored; further previews read the stored page.
One form holds all fields of the preview and of the saved source. Only a button (POST) causes a fetch.
"""

import asyncio
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from larder.actions.operations import fetch
from larder.actions.sources import sources, targets
from larder.actions.sources.sources import SavedSource
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.actions.sources.targets import TargetSpec
from larder.app import App
from larder.core.errors import BadInput, Unusable, UsageError
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import Kind, Plan, Visibility
from larder.engine.scheduling.dispatch import DispatchSettings
from larder.sdk.urls import is_http, registrable_domain
from larder.stages.fetch import FetchRequest
from larder.store.database import Connection
from larder.store.queue.sources import by_slug
from larder.store.reads.sites import terms_are_reviewed
from larder.store.reads.stored_bodies import body_location
from larder.web.admin.frame import admin_page
from larder.web.admin.sources import draft
from larder.web.admin.sources.draft import (
    FIELDS,
    DraftFields,
    Preview,
    draft_fields,
    has_selectors,
    params_of,
)
from larder.web.context import AdminContext, PageContext, form_text, parse_choice

router = APIRouter(prefix="/sources/new")

REFUSED = "refused"
"""Query parameter of a preview after a failed save."""
_ADVICE = {
    FetchOutcome.ROBOTS_BLOCKED: "robots.txt does not allow this page, and Larder obeys it",
    FetchOutcome.BLOCKED: "the site blocks automated requests; a browser may work: see LARDER_BROWSER",
    FetchOutcome.DNS_ERROR: "check the address",
    FetchOutcome.NOT_FOUND: "check the address",
    FetchOutcome.TLS_ERROR: "the TLS connection failed; use http:// if the site has no https",
    FetchOutcome.TIMEOUT: "the site did not answer in time; try again later",
}
_RULES = {
    "slug": "lower-case letters, digits and dashes, such as corner-shop",
    "currency": "three letters, such as EUR",
}


@router.get("")
async def paste(ctx: AdminContext) -> Response:
    """The form for the address; earlier fields are kept."""
    return await _paste_page(ctx, draft_fields(ctx.request.query_params))


@router.post("/look")
async def look(ctx: AdminContext) -> Response:
    """Fetches the page once, subject to guard, robots.txt and rate limit."""
    said = _with_scheme(draft_fields(await ctx.form()))
    try:
        said = await _fetch_page(ctx.app, said)
    except (BadInput, Unusable) as error:
        return _redirect_to_paste(ctx, said, error)
    return _redirect_to_preview(ctx, said)


@router.get("/preview")
async def preview(ctx: AdminContext) -> Response:
    """The preview: items found, by strategy, and what would be stored."""
    said = draft_fields(ctx.request.query_params)
    body = await _stored_body(ctx.app, said)
    if body is None:
        return await _paste_page(ctx, said, gone=True)
    return await _preview_page(ctx, said, await _read_preview(ctx, body, said))


@router.post("/preview")
async def update_preview(ctx: AdminContext) -> Response:
    """The preview again with the current fields, or as another kind."""
    form = await ctx.form()
    said = draft_fields(form) | ({"kind": form_text(form, "as")} if form_text(form, "as") else {})
    if said.get("plan") == form_text(
        form, "suggested"
    ):  # nobody chose it: another reading may suggest another
        said.pop("plan", None)
    try:
        return _redirect_to_preview(ctx, await _ensure_stored(ctx, said))
    except (BadInput, Unusable) as error:
        return _redirect_to_paste(ctx, said, error)


@router.post("/save")
async def save(ctx: AdminContext) -> Response:
    """Saves the source; a single page becomes its target. Errors are shown beside their fields."""
    said: DraftFields = draft_fields(await ctx.form())
    try:
        said = await _ensure_stored(ctx, said)
    except (BadInput, Unusable) as error:
        return _redirect_to_paste(ctx, said, error)
    body = await _stored_body(ctx.app, said)
    if body is None:
        return _redirect_to_preview(ctx, said)
    seen = await _read_preview(ctx, body, said)
    spec, wrong = await _checked(ctx, said, seen)
    if spec is None or wrong:
        return _redirect_to_preview(ctx, {**said, REFUSED: "1"})
    site, how = _site(said, ctx.who), ctx.app.dispatcher
    try:
        added = await ctx.do(_add_source, spec, site, said["url"], how, **ctx.actor)
    except BadInput as error:
        return _redirect_to_preview(ctx, {**said, REFUSED: "1"}, error)
    held = "; ".join(reason.says for reason in added.why.blocked_by)
    told = f"{added.slug} is added" + (f", but does not run yet: {held}" if held else ".")
    return ctx.redirect(f"/admin/sources/{added.slug}", told, tone="warn" if held else "good")


def _redirect_to_preview(ctx: PageContext, said: DraftFields, error: UsageError | None = None) -> Response:
    to = f"/admin/sources/new/preview?{urlencode(said)}"
    return ctx.redirect(to, str(error), tone="bad", hint=error.hint) if error else ctx.redirect(to)


def _redirect_to_paste(ctx: PageContext, said: DraftFields, error: UsageError) -> Response:
    """Back to the form with the error; all fields are kept."""
    return ctx.redirect(f"/admin/sources/new?{urlencode(said)}", str(error), tone="bad", hint=error.hint)


async def _paste_page(ctx: PageContext, said: DraftFields, *, gone: bool = False) -> Response:
    carried = {name: value for name, value in said.items() if name not in ("url", "local", "page")}
    return await admin_page(ctx, "paste.html", "sources", said=said, carried=carried, gone=gone)


async def _preview_page(ctx: PageContext, said: DraftFields, seen: Preview) -> Response:
    refused = REFUSED in ctx.request.query_params
    wrong = (await _checked(ctx, said, seen))[1] if refused else seen.wrong
    domain = registrable_domain(said["url"]) or ""
    slug, reviewed = await ctx.look(_site_facts, said["url"], domain)
    return await admin_page(
        ctx, "preview.html", "sources", said={"slug": slug, "name": seen.title, "plan": seen.plan, **said},
        seen=seen, trial=seen.trial, wrong=wrong, fields=FIELDS[seen.kind],
        kinds=sorted(Kind, key=lambda each: each is not seen.kind), plans=list(Plan), domain=domain,
        reviewed=reviewed, refused=refused, adjusted=has_selectors(said),
    )  # fmt: skip


# -- the page ----------------------------------------------------------------------------------------------


def _with_scheme(said: DraftFields) -> dict[str, str]:
    url = said.get("url", "")
    return {**said, "url": url if "://" in url else f"https://{url}"}


async def _fetch_page(app: App, said: DraftFields) -> dict[str, str]:
    """The fields with the content hash and the final URL of the page."""
    url = said.get("url", "")
    if not is_http(url):
        raise BadInput("not a web address", hint="use the form https://example.com/page")
    _, known = await app.do(fetch.fetch_context, url, None)
    async with app.fetching() as ways:
        site = known or (registrable_domain(url) if said.get("local") else None)
        page = await ways.fetcher.fetch(FetchRequest(url=url, local_site=site))
        if page.outcome is not FetchOutcome.OK or not page.body:
            raise _fetch_error(page)
        (stored,) = await ways.blobs.put([page.body])
        await app.do(fetch.keep_body, stored, now=app.clock.now())
    return {**said, "page": stored.content_hash, "url": page.final_url}


def _fetch_error(page: Fetched) -> Unusable:
    said = f"{page.outcome.replace('_', ' ')}{f', status {page.status}' if page.status else ''}"
    guarded = "guard" in page.error
    private = "it is a private address; tick the box to allow it"
    hint = private if guarded else _ADVICE.get(page.outcome, page.error)
    return Unusable(f"the page could not be fetched: {said}", hint=hint)


async def _ensure_stored(ctx: PageContext, said: DraftFields) -> DraftFields:
    """Keeps the stored page; fetches it again if it has expired."""
    held = await ctx.do(fetch.extend_body, said.get("page", ""), now=ctx.now)
    return said if held else await _fetch_page(ctx.app, said)


async def _stored_body(app: App, said: DraftFields) -> bytes | None:
    content_hash = said.get("page", "")
    location = await app.look(body_location, content_hash) if "url" in said else None
    store = app.blobs()
    try:
        return await store.get(location, content_hash) if location else None
    finally:
        await store.close()


async def _read_preview(ctx: PageContext, body: bytes, said: DraftFields) -> Preview:
    if "kind" in said:
        parse_choice(said["kind"], Kind, "kind")
    return await asyncio.to_thread(draft.preview, body, said, now=ctx.now)


def _site_facts(conn: Connection, url: str, domain: str) -> tuple[str, bool]:
    """A free slug, and whether the site's terms were reviewed."""
    return sources.free_slug(conn, url), terms_are_reviewed(conn, domain)


# -- saving ------------------------------------------------------------------------------------------------


def _add_source(
    conn: Connection,
    spec: SourceSpec,
    site: SiteSpec | None,
    url: str,
    how: DispatchSettings,
    *,
    who: str,
    now: datetime,
) -> SavedSource:
    """Adds the source and, for a single page, its target, in one transaction."""
    added = sources.add(conn, spec, how, site=site, who=who, now=now)
    if spec.plan is Plan.MONITOR:
        targets.add(conn, added.slug, TargetSpec(url=url), who=who, now=now)
    return added


async def _checked(
    ctx: PageContext, said: DraftFields, seen: Preview
) -> tuple[SourceSpec | None, dict[str, str]]:
    """The source, and the errors that prevent saving, by field."""
    spec, mistakes = _spec(said, seen.kind)
    taken = await ctx.look(_slug_taken, said.get("slug", ""))
    return spec, {**seen.wrong, **_nothing_stored(seen, said), **mistakes, **taken}


def _slug_taken(conn: Connection, slug: str) -> dict[str, str]:
    if by_slug(conn, slug) is None:
        return {}
    return {"slug": f"the name {slug} is taken: choose another one"}


def _nothing_stored(seen: Preview, said: DraftFields) -> dict[str, str]:
    """An error unless something would be stored or the user confirmed."""
    if seen.stored or said.get("anyway"):
        return {}
    return {"anyway": "nothing on this page would be stored: choose selectors above, or tick Save anyway"}


def _spec(said: DraftFields, kind: Kind) -> tuple[SourceSpec | None, dict[str, str]]:
    """The source, or its errors by field."""
    params = params_of(said, kind)
    if "index_url" in said:
        params["index_url"] = said["index_url"]
    given: dict[str, Any] = {name: said[name] for name in ("url", "slug", "name", "plan") if name in said}
    given |= {"kind": kind, "visibility": Visibility.PUBLIC if said.get("public") else Visibility.HIDDEN}
    given |= {"currency": said["currency"].upper()} if "currency" in said else {}
    try:
        return SourceSpec.model_validate({**given, **({"params": params} if params else {})}), {}
    except ValidationError as error:
        return None, {str(each["loc"][0]): _error_text(each) for each in error.errors()}


def _error_text(mistake: Any) -> str:
    return _RULES.get(str(mistake["loc"][0])) or str(mistake["msg"]).removeprefix("Value error, ")


def _site(said: DraftFields, who: str) -> SiteSpec | None:
    told: dict[str, Any] = {"terms_reviewed_by": who} if said.get("terms") else {}
    told |= {"local": True} if said.get("local") else {}
    return SiteSpec.model_validate(told) if told else None
