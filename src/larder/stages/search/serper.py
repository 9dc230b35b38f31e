"""Serper's protocol: POST JSON with an X-API-KEY, results under `organic`.

Answers are bounded in time and size, and whatever is not a list of results is a failure of the provider. The
key is part of no message.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import orjson

from larder.core.policy.retry import service_retry_after
from larder.service_responses import ServiceResponse, post_json
from larder.stages.search.provider import SearchDown, SearchHit, SearchLimited, SearchRefused

SEARCH_TIMEOUT = aiohttp.ClientTimeout(total=20)
RESULTS = 10
MAX_URL, MAX_TEXT_LENGTH = 2_000, 500
_CREDITS = ("credit", "quota")


@dataclass(frozen=True, slots=True, kw_only=True)
class Serper:
    """A service with Serper's protocol."""

    url: str
    key: str = field(repr=False)
    client: aiohttp.ClientSession = field(repr=False)
    timeout: aiohttp.ClientTimeout = SEARCH_TIMEOUT
    name: str = "serper"

    async def search(self, query: str, *, country: str, language: str) -> Sequence[SearchHit]:
        """Ten results, best first."""
        body = {"q": query, "gl": country.lower(), "hl": language, "num": RESULTS}
        response = await post_json(
            self.client,
            self.url,
            body,
            headers={"X-API-KEY": self.key},
            timeout=self.timeout,
            service="the search provider",
            down=SearchDown,
        )
        _check_status(response)
        return _hits(response.body)


def _check_status(response: ServiceResponse) -> None:
    status = response.status
    if status == 200:
        return
    body = response.body[:MAX_TEXT_LENGTH].decode("utf-8", "replace").lower()
    if status == 429:
        raise SearchLimited(
            "the search provider's rate limit is reached",
            retry_after=service_retry_after(response.retry_after),
        )
    if status in (400, 402, 403) and any(word in body for word in _CREDITS):
        raise SearchRefused(f"the credits of the search provider are spent ({status})", quota=True)
    if status in (401, 403):
        raise SearchRefused(f"the search provider does not accept the API key ({status})")
    raise SearchDown(f"the search provider answered {status}")


def _hits(text: bytes) -> list[SearchHit]:
    try:
        answer = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise SearchDown("the search provider's answer is not JSON") from error
    organic = answer.get("organic") if isinstance(answer, dict) else None
    if not isinstance(organic, list):
        raise SearchDown("the search provider's answer has no list of results")
    return [hit for row in organic[:RESULTS] if (hit := _hit(row)) is not None]


def _hit(row: Any) -> SearchHit | None:
    """One result; None without a URL."""
    url = row.get("link") if isinstance(row, dict) else None
    if not isinstance(url, str) or not url or len(url) > MAX_URL:
        return None
    title, snippet = (str(row.get(name) or "")[:MAX_TEXT_LENGTH] for name in ("title", "snippet"))
    return SearchHit(url=url, title=title, snippet=snippet)
