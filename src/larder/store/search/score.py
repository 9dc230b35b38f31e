"""How well a record answers: the same number on both databases, and for good.

It depends on the record and the question alone, not on how many other records there are, so a page that is
asked for later still begins where the one before ended.
"""

from collections.abc import Collection, Iterable

from larder.store.search.parsed_query import EXACT, PART, ParsedQuery, QueryWord

TITLE, NAMES, DESCRIPTION = 1.0, 0.6, 0.3
"""What a word counts where it is found."""
BREVITY = 0.1
"""What a title gets on top that says nothing else."""


def score(wanted: ParsedQuery, title: Collection[str], names: Collection[str]) -> float:
    """From the words of its title and its names; what matched in neither did so in the description."""
    hits = [_best(word, title, names) for word in wanted.words]
    told = sum(1 for each in title if any(word.likeness(each) for word in wanted.words))
    brevity = BREVITY * told / len(title) if title else 0.0
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
