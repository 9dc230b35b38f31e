"""The rank of a record for a query, the same on both databases.

It depends on the record and the query alone, so that a later page begins where the previous one ended.
"""

from collections.abc import Sequence
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
    _known: dict[str, Likenesses | None] = field(default_factory=dict)
    """None for a word that is near none of the query."""

    def score(self, title: Sequence[str], names: Sequence[str]) -> float:
        """The rank from title and names; a word in neither is in the description."""
        nearest, matched = self._nearest(title)
        if nearest.count(EXACT) < len(nearest):
            hits = sum(map(_best, nearest, self._nearest(names)[0]))
        else:
            hits = TITLE * EXACT * len(nearest)
        brevity = BREVITY * matched / len(title) if title else 0.0
        return round(hits / len(nearest) + brevity, 6)

    def _nearest(self, text: Sequence[str]) -> tuple[list[float], int]:
        """For each word of the query the nearest of a text, and how many words of the text are near any."""
        nearest, matched = [0.0] * len(self.query.words), 0
        known = self._known
        for word in text:
            if word not in known:
                known[word] = self._likenesses(word)
            if (found := known[word]) is not None:
                matched += 1
                nearest = list(map(max, nearest, found))
        return nearest, matched

    def _likenesses(self, word: str) -> Likenesses | None:
        found = tuple(asked.likeness(word) for asked in self.query.words)
        return found if any(found) else None


def _best(in_title: float, in_names: float) -> float:
    if in_title == EXACT:
        return TITLE * EXACT
    return max(TITLE * in_title, NAMES * in_names, DESCRIPTION * PART)
