"""The rank of a record for a query, the same on both databases.

It depends on the record and the query alone, so that a later page begins where the previous one ended.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from larder.store.search.parsed_query import EXACT, PART, ParsedQuery

TITLE, NAMES, DESCRIPTION = 1.0, 0.6, 0.3
"""The weight of a word by field."""
BREVITY = 0.1
"""The bonus of a title that has no other words."""

Likenesses = tuple[float, ...]
"""How near a word of a text is to each word of the query."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """Ranks records for one query; hits share most of their words, so each is compared once."""

    query: ParsedQuery
    _known: dict[str, Likenesses] = field(default_factory=dict)

    def score(self, title: Sequence[str], names: Sequence[str]) -> float:
        """The rank from title and names; a word in neither is in the description."""
        in_title = [self._likenesses(word) for word in title]
        nearest = self._nearest(in_title)
        if any(each != EXACT for each in nearest):
            in_names = self._nearest(map(self._likenesses, names))
            hits = [_best(*pair) for pair in zip(nearest, in_names, strict=True)]
        else:
            hits = [TITLE * each for each in nearest]
        matched = sum(1 for each in in_title if any(each))
        brevity = BREVITY * matched / len(title) if title else 0.0
        return round(sum(hits) / len(hits) + brevity, 6)

    def _likenesses(self, word: str) -> Likenesses:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = tuple(asked.likeness(word) for asked in self.query.words)
        return known

    def _nearest(self, found: Iterable[Likenesses]) -> Likenesses:
        return tuple(map(max, zip((0.0,) * len(self.query.words), *found, strict=True)))


def _best(in_title: float, in_names: float) -> float:
    if in_title == EXACT:
        return TITLE * EXACT
    return max(TITLE * in_title, NAMES * in_names, DESCRIPTION * PART)
