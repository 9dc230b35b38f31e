"""The five queries of a place: sent to the provider, or answered from the cache if it is down.

Every answer is cached at once, so that a scout that waits for a rate limit, or was interrupted, does not
repeat queries.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from larder.core.model.place import Place
from larder.core.policy.scout import (
    CACHE_FRESH,
    PAGES_PER_PLACE,
    PAGES_PER_SITE,
    is_noise,
    language_of,
    queries,
    wait_after,
)
from larder.core.ports import Clock
from larder.runs.scout import ScoutState
from larder.sdk.urls import canonical_url, is_http, registrable_domain
from larder.stages.search import SearchDown, SearchHit, SearchLimited, SearchProvider, SearchRefused
from larder.store.database import Connection, Database
from larder.store.operations import candidates, service_cache

LATEST = datetime(9998, 1, 1, tzinfo=UTC)
"""Queries are stored with their answers only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceResults:
    """The search results of one place."""

    state: ScoutState
    hits: Sequence[SearchHit] = ()
    answered: int = 0
    """Queries with an answer, fresh or cached."""
    problems: Sequence[str] = ()
    wait_until: datetime | None = None
    """Continue after the provider's rate limit."""
    quota_spent: bool = False


async def search_place(
    database: Database, provider: SearchProvider, clock: Clock, place: Place, state: ScoutState
) -> PlaceResults:
    """Send all queries of a place; stops if the provider asks to wait."""
    search_queries = queries(place.name, place.country)
    search = _Search(
        database=database,
        provider=provider,
        clock=clock,
        place=place,
        cached=await database.run(_cached, provider.name, search_queries),
        state=state,
    )
    for query in search_queries:
        await search.ask(query)
        if search.wait_until is not None:
            break
    return PlaceResults(
        state=search.state,
        hits=search.hits,
        answered=search.answered,
        problems=search.problems,
        wait_until=search.wait_until,
        quota_spent=search.quota_spent,
    )


@dataclass(slots=True, kw_only=True)
class _Search:
    """The search of one place so far."""

    database: Database
    provider: SearchProvider
    clock: Clock
    place: Place
    cached: Mapping[str, Any]
    state: ScoutState
    hits: list[SearchHit] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    answered: int = 0
    wait_until: datetime | None = None
    quota_spent: bool = False

    async def ask(self, query: str) -> None:
        """Answer one query from the fresh cache, else from the provider, else from any cached answer."""
        known = self.cached.get(query)
        fresh = known is not None and _is_fresh(known, self.clock.now())
        if not fresh and not self.state.provider_off and await self._answered_by_provider(query):
            return
        if known is not None and self.wait_until is None:
            self._take(_hits(known), cached=True)

    async def _answered_by_provider(self, query: str) -> bool:
        country = self.place.country
        try:
            hits = await self.provider.search(query, country=country, language=language_of(country))
        except (SearchLimited, SearchRefused, SearchDown) as problem:
            self._note(problem)
            return False
        await self.database.run(_store, self.provider.name, query, hits, now=self.clock.now())
        self._take(hits, cached=False)
        return True

    def _note(self, problem: SearchLimited | SearchRefused | SearchDown) -> None:
        self.problems.append(str(problem))
        if isinstance(problem, SearchLimited):
            wait = wait_after(self.state.limits, problem.retry_after)
            self.state = self.state.limited()
            self.wait_until = None if self.state.provider_off else self.clock.now() + wait
        elif isinstance(problem, SearchRefused):
            self.state = self.state.switched_off(str(problem))
            self.quota_spent = self.quota_spent or problem.quota
        else:
            self.state = self.state.query_failed(str(problem))

    def _take(self, hits: Sequence[SearchHit], *, cached: bool) -> None:
        self.hits.extend(hits)
        self.answered += 1
        self.state = self.state.answered(cached=cached)


def worth_fetching(hits: Iterable[SearchHit]) -> list[SearchHit]:
    """Results that may be agendas: no noise, each page once, few of one site."""
    chosen: dict[str, SearchHit] = {}
    by_site: dict[str, int] = {}
    for hit in hits:
        domain = registrable_domain(hit.url) if is_http(hit.url) else None
        if domain is None or is_noise(domain, urlsplit(hit.url).path):
            continue
        key = canonical_url(hit.url)
        if key not in chosen and by_site.get(domain, 0) < PAGES_PER_SITE:
            chosen[key] = hit
            by_site[domain] = by_site.get(domain, 0) + 1
    return list(chosen.values())[:PAGES_PER_PLACE]


def without_known(conn: Connection, hits: Sequence[SearchHit]) -> list[SearchHit]:
    """Results that were never suggested and whose site has no source."""
    spelled = {hit.url: _spellings(hit.url) for hit in hits}
    suggested = candidates.known_urls(conn, sorted({url for some in spelled.values() for url in some}))
    domains = {hit.url: registrable_domain(hit.url) or "" for hit in hits}
    known_sites = candidates.sites_with_sources(conn, sorted(set(domains.values())))
    return [hit for hit in hits if not spelled[hit.url] & suggested and domains[hit.url] not in known_sites]


def _spellings(url: str) -> set[str]:
    """Other spellings of the same page's address."""
    address = canonical_url(url).partition("://")[2]
    return {url, *(f"{scheme}://{address}{end}" for scheme in ("http", "https") for end in ("", "/"))}


def _cached(conn: Connection, service: str, search_queries: Sequence[str]) -> dict[str, Any]:
    return service_cache.find_answer(conn, service, search_queries, unknown_since=LATEST)


def _store(conn: Connection, service: str, query: str, hits: Sequence[SearchHit], *, now: datetime) -> None:
    answer = {"at": now.isoformat(), "hits": [asdict(hit) for hit in hits]}
    service_cache.store_answers(conn, service, {query: answer}, now=now)


def _is_fresh(answer: Any, now: datetime) -> bool:
    age = now - datetime.fromisoformat(answer["at"])
    return timedelta(0) <= age < CACHE_FRESH


def _hits(answer: Any) -> list[SearchHit]:
    return [SearchHit(**hit) for hit in answer["hits"]]
