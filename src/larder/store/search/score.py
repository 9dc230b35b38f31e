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

Similarities = tuple[float, ...]
"""How near a word of a text is to each word of the query."""


@dataclass(slots=True)
class Ranker:
    """Ranks records for one query; hits share most of their words, so each is compared once."""

    query: ParsedQuery
    _known: dict[str, Similarities] = field(default_factory=dict)
    """Words near one of the query."""
    _variants: frozenset[str] = field(init=False)
    _beginnings: tuple[str, ...] = field(init=False)
    """All other words are near none, unless they begin so."""

    def __post_init__(self) -> None:
        """Distinguish at once the words that are near none: most of a text are."""
        self._variants = frozenset().union(*(asked.variants for asked in self.query.words))
        self._beginnings = tuple(asked.text for asked in self.query.words if asked.open)

    def score(self, title: str, names: str) -> float:
        """The rank from the words of title and names; a word in neither is in the description."""
        words = title.split()
        nearest, matched = self._nearest(words)
        if nearest.count(EXACT) < len(nearest):
            hits = sum(map(_best, nearest, self._nearest(names.split())[0]))
        else:
            hits = TITLE * EXACT * len(nearest)
        brevity = BREVITY * matched / len(words) if words else 0.0
        return round(hits / len(nearest) + brevity, 6)

    def _nearest(self, text: Sequence[str]) -> tuple[list[float], int]:
        """For each word of the query the nearest of a text, and how many words of the text are near any."""
        nearest, matched = [0.0] * len(self.query.words), 0
        for word in text:
            if word in self._variants or word.startswith(self._beginnings):
                matched += 1
                nearest = list(map(max, nearest, self._similarities(word)))
        return nearest, matched

    def _similarities(self, word: str) -> Similarities:
        if word not in self._known:
            self._known[word] = tuple(query_word.similarity(word) for query_word in self.query.words)
        return self._known[word]


def _best(in_title: float, in_names: float) -> float:
    if in_title == EXACT:
        return TITLE * EXACT
    return max(TITLE * in_title, NAMES * in_names, DESCRIPTION * PART)
