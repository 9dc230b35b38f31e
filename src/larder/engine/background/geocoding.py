"""Geocodes events without coordinates: one request a second, each place once.

The service is the operator's choice and has Nominatim's protocol. Its answers are cached without expiry. When
it is down or limits requests, geocoding pauses: records keep their source's default place meanwhile.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import orjson

from larder.core.errors import Category, Transient
from larder.core.model.record import SOURCE_NAME
from larder.core.ports import Clock
from larder.service_responses import read_bounded
from larder.stages.normalize.context import Coordinates
from larder.stages.normalize.places import Geocoder, nominatim_answer, nominatim_question, place_key
from larder.stages.persist.refold import refold
from larder.store.database import Connection, Database
from larder.store.dataset import places
from larder.store.dataset.places import Unplaced
from larder.store.operations import service_cache

SERVICE = "geocoder"
MIN_INTERVAL = timedelta(seconds=1)
GEOCODER_TIMEOUT = aiohttp.ClientTimeout(total=20)
WINDOW = 500
UNKNOWN_RETRY_AFTER = timedelta(days=30)
"""The time before a place that the service did not know is asked for again."""


class Nominatim:
    """A service with Nominatim's protocol; one request a second."""

    def __init__(self, url: str, session: aiohttp.ClientSession, clock: Clock, *, agent: str) -> None:
        self._url, self._session, self._clock, self._agent = url, session, clock, agent
        self._next: datetime | None = None

    async def geocode(self, text: str) -> Coordinates | None:
        """The coordinates; None if the service knows none. Raises Transient if it did not answer."""
        await self._turn()
        try:
            return nominatim_answer(await self._ask(nominatim_question(self._url, text)))
        except (aiohttp.ClientError, TimeoutError, ValueError, OSError) as error:
            message = f"{type(error).__name__}: {error}"
            raise Transient(f"the geocoder did not answer ({message})", category=Category.NETWORK) from error

    async def _turn(self) -> None:
        if self._next is not None:
            await self._clock.sleep_until(self._next)
        self._next = self._clock.now() + MIN_INTERVAL

    async def _ask(self, url: str) -> Any:
        headers = {"User-Agent": self._agent, "Accept": "application/json"}
        async with self._session.get(url, headers=headers, timeout=GEOCODER_TIMEOUT) as response:
            if response.status != 200:
                raise Transient(f"the geocoder answered {response.status}", category=Category.QUOTA)
            return orjson.loads(await read_bounded(response))


@dataclass(frozen=True, slots=True, kw_only=True)
class GeocodingResult:
    """The result of one round."""

    looked_at: int = 0
    placed: int = 0
    unknown: int = 0
    requests: int = 0
    trouble: str = ""
    """Why the round stopped early, if it did."""


@dataclass(slots=True)
class _Round:
    """The queries of one window and their answers."""

    answers: dict[str, Coordinates | None] = field(default_factory=dict)
    fresh: dict[str, Any] = field(default_factory=dict)
    trouble: str = ""


async def geocode_events(
    database: Database, geocoder: Geocoder, clock: Clock, *, limit: int = 500
) -> GeocodingResult:
    """Find the coordinates of events without any; at most `limit` requests."""
    after, total = 0, GeocodingResult()
    while True:
        waiting, after = await database.run(places.list_unplaced, after=after, now=clock.now(), limit=WINDOW)
        one = await _window(database, geocoder, clock, waiting, limit=limit - total.requests)
        total = _sum(total, one)
        if not after or total.trouble or total.requests >= limit:
            return total


async def _window(
    database: Database, geocoder: Geocoder, clock: Clock, waiting: list[Unplaced], *, limit: int
) -> GeocodingResult:
    questions = {each.id: question for each in waiting if (question := address_query(each))}
    round_ = await _answered(database, set(questions.values()), clock.now())
    await _ask(geocoder, round_, questions.values(), limit)
    found = {
        record_id: (place.latitude, place.longitude)
        for record_id, question in questions.items()
        if (place := round_.answers.get(place_key(question)))
    }
    await database.run(_store_answers, round_.fresh, found, now=clock.now())
    return GeocodingResult(
        looked_at=len(waiting),
        placed=len(found),
        unknown=sum(answer is None for answer in round_.fresh.values()),
        requests=len(round_.fresh),
        trouble=round_.trouble,
    )


async def _answered(database: Database, questions: set[str], now: datetime) -> _Round:
    keys = {place_key(question) for question in questions}
    known = await database.run(
        service_cache.find_answer, SERVICE, keys, unknown_since=now - UNKNOWN_RETRY_AFTER
    )
    return _Round(answers={key: _coordinates(answer) for key, answer in known.items()})


async def _ask(geocoder: Geocoder, round_: _Round, questions: Iterable[str], limit: int) -> None:
    for question in dict.fromkeys(questions):
        key = place_key(question)
        if key in round_.answers or len(round_.fresh) >= limit:
            continue
        try:
            place = await geocoder.geocode(question)
        except Transient as trouble:
            round_.trouble = str(trouble)
            return
        round_.answers[key] = place
        round_.fresh[key] = [place.latitude, place.longitude] if place else None


def _store_answers(
    conn: Connection, answers: Mapping[str, Any], found: Mapping[int, tuple[float, float]], *, now: datetime
) -> None:
    """Store answers and apply them to records, in one unit of work."""
    if answers:
        service_cache.store_answers(conn, SERVICE, answers, now=now)
    if found:
        places.add_place_versions(conn, found, now=now)
        refold(conn, list(found), now=now)


def address_query(record: Unplaced) -> str:
    """The query: the address, else the venue and its town; a source's name is no place."""
    content = record.content
    street, city = content.get("address"), content.get("city")
    is_source_name = content.get("venue_from") == SOURCE_NAME or content.get("venue") == record.source
    venue = None if is_source_name else content.get("venue")
    first = street or venue
    parts = [first, city if city and city not in str(first) else None, content.get("country")]
    return ", ".join(str(part) for part in parts if part) if first or city else ""


def _coordinates(answer: Any) -> Coordinates | None:
    return Coordinates(latitude=answer[0], longitude=answer[1], origin=SERVICE) if answer else None


def _sum(some: GeocodingResult, other: GeocodingResult) -> GeocodingResult:
    return GeocodingResult(
        looked_at=some.looked_at + other.looked_at,
        placed=some.placed + other.placed,
        unknown=some.unknown + other.unknown,
        requests=some.requests + other.requests,
        trouble=other.trouble,
    )
