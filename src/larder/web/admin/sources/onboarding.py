"""A new source from a pasted address: one polite fetch, what is found, what to change, and it is kept.

The page is fetched once, through the same gate as every other request, and stays stored; every further look
at it while selectors are adjusted reads the stored one. There is one form: what stands in its fields is what
is looked at, and what is saved. An address alone never makes us fetch: that takes a button.
"""

import asyncio
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError
from sqlalchemy import Connection, select

from larder.actions.operations import fetch
from larder.actions.sources import sources, targets
from larder.actions.sources.sources import SavedSource
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.actions.sources.targets import TargetSpec
from larder.app import App
from larder.core.errors import BadInput, Unusable, Usage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import Kind, Plan, Visibility
from larder.engine.scheduling.dispatch import Dispatcher
from larder.sdk.urls import is_http, registrable_domain
from larder.stages.fetch import FetchRequest
from larder.store.tables import blobs, sites
from larder.store.tables import sources as sources_table
from larder.web.admin.frame import answer
from larder.web.admin.sources import draft
from larder.web.admin.sources.draft import FIELDS, Said, Seen, is_adjusted, params_of, said_in
from larder.web.context import Operator, Visit, one_of, text

router = APIRouter(prefix="/sources/new")

REFUSED = "refused"
"""In the address of a preview: it was to be saved, and something is wrong."""
_ADVICE = {
    FetchOutcome.ROBOTS_BLOCKED: "the site's robots.txt does not allow it, and Larder obeys",
    FetchOutcome.BLOCKED: "the site refuses us; a browser may do: see LARDER_BROWSER",
    FetchOutcome.DNS_ERROR: "check the address",
    FetchOutcome.NOT_FOUND: "check the address",
    FetchOutcome.TLS_ERROR: "its https does not work; paste it with http:// if the site has no other",
    FetchOutcome.TIMEOUT: "the site did not answer in time; try again later",
}
_RULES = {
    "slug": "small letters, digits and dashes, such as corner-shop",
    "currency": "three letters, such as EUR",
}


@router.get("")
async def paste(visit: Operator) -> Response:
    """Where an address is pasted; what was said before comes along."""
    return await _pasting(visit, said_in(visit.request.query_params))


@router.post("/look")
async def look(visit: Operator) -> Response:
    """One polite fetch: guard, robots.txt, the site's own pace."""
    said = _completed(said_in(await visit.form()))
    try:
        said = await _fetched(visit.app, said)
    except (BadInput, Unusable) as error:
        return _to_paste(visit, said, error)
    return _to_preview(visit, said)


@router.get("/preview")
async def preview(visit: Operator) -> Response:
    """What is found on it, by which strategy, and what would become of it."""
    said = said_in(visit.request.query_params)
    body = await _body(visit.app, said)
    if body is None:
        return await _pasting(visit, said, gone=True)
    return await _shown(visit, said, await _read(visit, body, said))


@router.post("/preview")
async def again(visit: Operator) -> Response:
    """The stored page once more, with what stands in the fields; as another kind, if that was asked."""
    form = await visit.form()
    said = said_in(form) | ({"kind": text(form, "as")} if text(form, "as") else {})
    if said.get("plan") == text(form, "suggested"):  # nobody chose it: another reading may suggest another
        said.pop("plan", None)
    try:
        return _to_preview(visit, await _at_hand(visit, said))
    except (BadInput, Unusable) as error:
        return _to_paste(visit, said, error)


@router.post("/save")
async def save(visit: Operator) -> Response:
    """Keep it as a source; a single page becomes a target of it. What is wrong is told beside its field."""
    said: Said = said_in(await visit.form())
    try:
        said = await _at_hand(visit, said)
    except (BadInput, Unusable) as error:
        return _to_paste(visit, said, error)
    body = await _body(visit.app, said)
    if body is None:
        return _to_preview(visit, said)
    seen = await _read(visit, body, said)
    spec, wrong = await _checked(visit, said, seen)
    if spec is None or wrong:
        return _to_preview(visit, {**said, REFUSED: "1"})
    site, how = _site(said, visit.who), visit.app.dispatcher
    try:
        added = await visit.do(_kept, spec, site, said["url"], how, who=visit.who, now=visit.now)
    except BadInput as error:
        return _to_preview(visit, {**said, REFUSED: "1"}, error)
    held = "; ".join(reason.says for reason in added.why.blocked_by)
    told = f"{added.slug} is added" + (f", but does not run yet: {held}" if held else ".")
    return visit.back(f"/admin/sources/{added.slug}", told, tone="warn" if held else "good")


def _to_preview(visit: Visit, said: Said, error: Usage | None = None) -> Response:
    to = f"/admin/sources/new/preview?{urlencode(said)}"
    return visit.back(to, str(error), tone="bad", hint=error.hint) if error else visit.back(to)


def _to_paste(visit: Visit, said: Said, error: Usage) -> Response:
    """The page did not come: why, and all that was said stays."""
    return visit.back(f"/admin/sources/new?{urlencode(said)}", str(error), tone="bad", hint=error.hint)


async def _pasting(visit: Visit, said: Said, *, gone: bool = False) -> Response:
    carried = {name: value for name, value in said.items() if name not in ("url", "local", "page")}
    return await answer(visit, "paste.html", "sources", said=said, carried=carried, gone=gone)


async def _shown(visit: Visit, said: Said, seen: Seen) -> Response:
    refused = REFUSED in visit.request.query_params
    wrong = (await _checked(visit, said, seen))[1] if refused else seen.wrong
    domain = registrable_domain(said["url"]) or ""
    slug, reviewed = await visit.look(_site_facts, said["url"], domain)
    return await answer(
        visit, "preview.html", "sources", said={"slug": slug, "name": seen.title, "plan": seen.plan, **said},
        seen=seen, trial=seen.trial, wrong=wrong, fields=FIELDS[seen.kind],
        kinds=sorted(Kind, key=lambda each: each is not seen.kind), plans=list(Plan), domain=domain,
        reviewed=reviewed, refused=refused, adjusted=is_adjusted(said),
    )  # fmt: skip


# -- the page ----------------------------------------------------------------------------------------------


def _completed(said: Said) -> dict[str, str]:
    url = said.get("url", "")
    return {**said, "url": url if "://" in url else f"https://{url}"}


async def _fetched(app: App, said: Said) -> dict[str, str]:
    """With the page's content hash and its final address."""
    url = said.get("url", "")
    if not is_http(url):
        raise BadInput("that is not a web address", hint="paste it as https://example.com/page")
    _, known = await app.do(fetch.fetch_context, url, None)
    async with app.fetching() as ways:
        site = known or (registrable_domain(url) if said.get("local") else None)
        page = await ways.fetcher.fetch(FetchRequest(url=url, local_site=site))
        if page.outcome is not FetchOutcome.OK or not page.body:
            raise _did_not_come(page)
        (stored,) = await ways.blobs.put([page.body])
        await app.do(fetch.keep_body, stored, now=app.clock.now())
    return {**said, "page": stored.content_hash, "url": page.final_url}


def _did_not_come(page: Fetched) -> Unusable:
    said = f"{page.outcome.replace('_', ' ')}{f', status {page.status}' if page.status else ''}"
    guarded = "guard" in page.error
    hint = "a private address; tick that you mean it" if guarded else _ADVICE.get(page.outcome, page.error)
    return Unusable(f"the page did not come: {said}", hint=hint)


async def _at_hand(visit: Visit, said: Said) -> Said:
    """The page stays for as long as somebody works on it; one that went is fetched again, politely."""
    held = await visit.do(fetch.extend_body, said.get("page", ""), now=visit.now)
    return said if held else await _fetched(visit.app, said)


async def _body(app: App, said: Said) -> bytes | None:
    content_hash = said.get("page", "")
    location = await app.look(_location, content_hash) if "url" in said else None
    store = app.blobs()
    try:
        return await store.get(location, content_hash) if location else None
    finally:
        await store.close()


async def _read(visit: Visit, body: bytes, said: Said) -> Seen:
    if "kind" in said:
        one_of(said["kind"], Kind, "kind")
    return await asyncio.to_thread(draft.read, body, said, now=visit.now)


def _location(conn: Connection, content_hash: str) -> str | None:
    return conn.scalar(select(blobs.c.location).where(blobs.c.content_hash == content_hash))


def _site_facts(conn: Connection, url: str, domain: str) -> tuple[str, bool]:
    """A short name that is free, and whether somebody read the site's terms."""
    reviewed = conn.scalar(select(sites.c.terms_reviewed_at).where(sites.c.domain == domain))
    return sources.free_slug(conn, url), reviewed is not None


# -- saving ------------------------------------------------------------------------------------------------


def _kept(
    conn: Connection,
    spec: SourceSpec,
    site: SiteSpec | None,
    url: str,
    how: Dispatcher,
    *,
    who: str,
    now: datetime,
) -> SavedSource:
    """The source and, where it is about one page, that page; or neither."""
    added = sources.add(conn, spec, how, site=site, who=who, now=now)
    if spec.plan is Plan.WATCH:
        targets.add(conn, added.slug, TargetSpec(url=url), who=who, now=now)
    return added


async def _checked(visit: Visit, said: Said, seen: Seen) -> tuple[SourceSpec | None, dict[str, str]]:
    """The source as said, and all that keeps it from being saved, by field."""
    spec, mistakes = _spec(said, seen.kind)
    taken = await visit.look(_taken, said.get("slug", ""))
    return spec, {**seen.wrong, **_undecided(seen, said), **mistakes, **taken}


def _taken(conn: Connection, slug: str) -> dict[str, str]:
    there = conn.scalar(select(sources_table.c.id).where(sources_table.c.slug == slug))
    return {} if there is None else {"slug": f"there is a source {slug!r} already: choose another name"}


def _undecided(seen: Seen, said: Said) -> dict[str, str]:
    """A source of which nothing would be stored is kept only by somebody who says so."""
    if seen.stored or said.get("anyway"):
        return {}
    return {"anyway": "nothing of this page would be stored: choose selectors above, or say that you mean it"}


def _spec(said: Said, kind: Kind) -> tuple[SourceSpec | None, dict[str, str]]:
    """The source as said, or what is wrong with it by field."""
    params = params_of(said, kind)
    if "index_url" in said:
        params["index_url"] = said["index_url"]
    given: dict[str, Any] = {name: said[name] for name in ("url", "slug", "name", "plan") if name in said}
    given |= {"kind": kind, "visibility": Visibility.PUBLIC if said.get("public") else Visibility.HIDDEN}
    given |= {"currency": said["currency"].upper()} if "currency" in said else {}
    try:
        return SourceSpec.model_validate({**given, **({"params": params} if params else {})}), {}
    except ValidationError as error:
        return None, {str(each["loc"][0]): _told(each) for each in error.errors()}


def _told(mistake: Any) -> str:
    return _RULES.get(str(mistake["loc"][0])) or str(mistake["msg"]).removeprefix("Value error, ")


def _site(said: Said, who: str) -> SiteSpec | None:
    told: dict[str, Any] = {"terms_reviewed_by": who} if said.get("terms") else {}
    told |= {"local": True} if said.get("local") else {}
    return SiteSpec.model_validate(told) if told else None
