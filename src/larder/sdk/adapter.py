"""The interface of an adapter: it gets a page and returns what is on it.

It knows nothing of retries, rates, drift, storage or time. An adapter without reading code of its own leaves
the page to the cascade.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlsplit, urlunsplit

from larder.core.model.item import Dropped, Extracted, Failed, Item, Quarantined
from larder.core.model.source import Kind, Source
from larder.sdk.manifest import Manifest, load_manifest
from larder.sdk.page import Page

Reading = Extracted | Failed


class SiteAdapter:
    """One site's pages. Subclasses set the four names and override what they know better than the cascade."""

    id: ClassVar[str]
    version: ClassVar[str]
    domain: ClassVar[str | None] = None
    """The registrable domain it reads; None for the generic ones."""
    also: ClassVar[tuple[str, ...]] = ()
    """Further registrable domains of the same site (other countries)."""
    kind: ClassVar[Kind]
    strict: ClassVar[bool] = False
    """Whether products with unknown stock are left out; price monitors want that."""
    gone_words: ClassVar[tuple[str, ...]] = ()
    """The site's own words, on pages that answer 200, for removed things.

    In addition to the usual phrases.
    """

    @classmethod
    def package(cls) -> str:
        """The name of the adapter's package."""
        return cls.__module__.rpartition(".")[0]

    @cached_property
    def manifest(self) -> Manifest:
        """The manifest in the adapter's folder."""
        return load_manifest(self.package())

    def market_url(self, city: str, state: str) -> str | None:  # noqa: ARG002
        """The index of a city's market; None if the address cannot be made from its name."""
        return None

    def index_url(self, source: Source, page: int) -> str | None:
        """The index page `page` (from 1); None if only the previous page names it."""
        template = source.params.get("index_url")
        if isinstance(template, str) and template:
            return template.replace("{page}", str(page))
        return source.url if page <= 1 else None

    def read_index(self, page: Page) -> Reading | None:  # noqa: ARG002
        """The rows of an index page; None leaves it to the cascade."""
        return None

    def read_detail(self, page: Page) -> Reading | None:  # noqa: ARG002
        """The thing that a detail page is about; None leaves it to the cascade."""
        return None

    def read_payload(self, rows: Sequence[Mapping[str, Any]]) -> Reading:
        """Items that came without a page (an actor's dataset): their fields are taken unchanged."""
        return Extracted(
            items=tuple(Item(fields=row, strategy="payload") for row in rows), strategy="payload"
        )

    def normalize(self, item: Item) -> Item | Dropped | Quarantined:
        """A hook for a raw item, pure: returns the item, perhaps changed, or why it is left out."""
        return item


def with_query(url: str, pair: str) -> str:
    """`url` with one more query pair."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=f"{parts.query}&{pair}" if parts.query else pair))


Adapters = Mapping[str, SiteAdapter]
"""Adapters by their id."""
