"""When a monitor reads the feed that names its source's targets, and when a reading counts.

Targets leave a feed only if every document of it was read in full and some address was named: an outage, an
empty feed and a feed that breaks off remove none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.run import PageSeen
from larder.core.model.source import Source
from larder.runs.fold import FeedPage, State
from larder.runs.index_walk import known_fields

EVERY = timedelta(days=1)
RETRY_AFTER = timedelta(hours=1)
"""How long after a failed reading the next is due."""
MAX_DOCUMENTS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedReading:
    """The last reading of a feed, or the one under way."""

    url: str = ""
    at: str = ""
    """When it began, in ISO 8601."""
    documents: Sequence[str] = ()
    """Addresses of its documents; those before `read` are read."""
    read: int = 0
    addresses: int = 0
    error: str = ""

    @property
    def under_way(self) -> bool:
        """Whether some document is still to be read."""
        return self.read < len(self.documents)

    @property
    def next_document(self) -> FeedPage:
        """The document to read next."""
        return FeedPage(url=self.documents[self.read], read_at=datetime.fromisoformat(self.at))

    @property
    def memory(self) -> Mapping[str, Any]:
        """The memory for the next run of the source."""
        return {"feed": {"url": self.url, "at": self.at, "error": self.error}} if self.url else {}


def load(state: State | None) -> FeedReading:
    """A reading as it was saved."""
    return FeedReading(**known_fields(FeedReading, state or {}))


def is_due(source: Source, memory: State, now: datetime) -> bool:
    """Whether a feed is due: daily, or every `cadence_hours`; at once if it is another feed than before."""
    last = load(memory.get("feed"))
    if not source.feed_url or last.url != source.feed_url:
        return bool(source.feed_url)
    every = timedelta(hours=source.cadence_hours) if source.cadence_hours else EVERY
    at = datetime.fromisoformat(last.at)
    return not at <= now < at + (min(every, RETRY_AFTER) if last.error else every)


def begin(url: str, now: datetime) -> FeedReading:
    """A reading that starts with the feed's own address."""
    return FeedReading(url=url, at=now.isoformat(), documents=(url,))


def after_document(reading: FeedReading, seen: PageSeen) -> FeedReading:
    """The reading after one more document."""
    following = (*seen.indexes, *((seen.next_page.url,) if seen.next_page else ()))
    documents = list(dict.fromkeys((*reading.documents, *following)))
    reading = replace(
        reading,
        read=reading.read + 1,
        documents=documents[:MAX_DOCUMENTS],
        addresses=reading.addresses + (seen.advertised or 0),
        error=reading.error or _error(reading.documents[reading.read], seen, len(documents)),
    )
    if reading.under_way or reading.error or reading.addresses:
        return reading
    return replace(reading, error=f"{reading.url} contains no addresses")


def _error(url: str, seen: PageSeen, documents: int) -> str:
    """Why a document does not show what left the feed; empty if it does."""
    if not seen.read:
        return f"{url} could not be read"
    if seen.last is False:
        return f"{url} could be read in part only"
    return f"it has more than {MAX_DOCUMENTS} documents" if documents > MAX_DOCUMENTS else ""
