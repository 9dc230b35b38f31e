"""The searchable text of a record: its title, its names, its description.

Sellers are left out, so that people cannot be found by their ads.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from larder.core.cached_property import cached_property
from larder.store.search.words import fold, tokens

NAMES = (
    "brand", "venue", "address", "location_text", "city", "postcode", "region", "category", "property_type",
    "organiser", "sku", "gtin", "upc", "model", "calibre", "case", "bullet",
)  # fmt: skip
MAX_WORDS = 600
"""The most words of a field."""


class Digest(NamedTuple):
    """The digest of a record's indexed document."""

    id: int
    digest: str


class Hit(NamedTuple):
    """A record that matches, with the words it is ranked by."""

    id: int
    title: str
    names: str


@dataclass(frozen=True)
class SearchDocument:
    """A record's words in order, each once per field."""

    title: tuple[str, ...]
    names: tuple[str, ...]
    description: tuple[str, ...]

    @property
    def words(self) -> frozenset[str]:
        """The words of all fields."""
        return frozenset((*self.title, *self.names, *self.description))

    @cached_property
    def fields(self) -> tuple[str, str, str]:
        """The fields as the index takes them: folded, separated by spaces."""
        return _line(self.title), _line(self.names), _line(self.description)

    @property
    def digest(self) -> str:
        """Equal for documents with equal index entries."""
        return hashlib.blake2b("\n".join(self.fields).encode(), digest_size=12).hexdigest()


def search_document(content: Mapping[str, Any]) -> SearchDocument:
    """The searchable document of a record's content."""
    names = " ".join(str(content[name]) for name in NAMES if isinstance(content.get(name), str | int))
    return SearchDocument(
        title=_words(content.get("title")),
        names=_words(names),
        description=_words(content.get("description")),
    )


def _words(text: object) -> tuple[str, ...]:
    if not isinstance(text, str):
        return ()
    return tuple(dict.fromkeys(tokens(text)))[:MAX_WORDS]


def _line(found: Iterable[str]) -> str:
    line = " ".join(found)
    if line.isascii():  # words in lower case, each once: folding changes none
        return line
    folded = [each if each.isascii() else fold(each) for each in found]
    return " ".join(dict.fromkeys(filter(None, folded)))
