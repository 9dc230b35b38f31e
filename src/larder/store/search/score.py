"""The rank of a record for a query, the same on both databases.

It depends on the record and the query alone, so that a later page begins where the previous one ended.
"""

from collections.abc import Collection, Iterable

from larder.store.search.parsed_query import EXACT, PART, ParsedQuery, QueryWord

TITLE, NAMES, DESCRIPTION = 1.0, 0.6, 0.3
"""The weight of a word by field."""
BREVITY = 0.1
"""The bonus of a title that has no other words."""


def score(query: ParsedQuery, title: Collection[str], names: Collection[str]) -> float:
    """The rank from title and names; a word in neither is in the description."""
    hits = [_best(word, title, names) for word in query.words]
    matched = sum(1 for each in title if any(word.likeness(each) for word in query.words))
    brevity = BREVITY * matched / len(title) if title else 0.0
    return round(sum(hits) / len(hits) + brevity, 6)


def _best(word: QueryWord, title: Collection[str], names: Collection[str]) -> float:
    in_title = TITLE * _nearest(word, title)
    return (
        in_title
        if in_title == TITLE * EXACT
        else max(in_title, NAMES * _nearest(word, names), DESCRIPTION * PART)
    )


def _nearest(word: QueryWord, found: Iterable[str]) -> float:
    return max((word.likeness(each) for each in found), default=0.0)
