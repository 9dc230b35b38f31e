"""Are two announcements of one event? By the day and hour, the place, and the title.

The same title on another day, at another hour of that day, or in another town is another event.
"""

from collections.abc import Iterator
from datetime import timedelta

from rapidfuzz import fuzz

from larder.stages.persist.resolve.facts import ANOTHER, Facts, FeatureScore, Judgement
from larder.stages.persist.resolve.flats import metres_between
from larder.stages.persist.resolve.words import FILLERS, name_tokens, plain_text, read_title

RULE = "event"
SAME_HOUR = timedelta(minutes=45)
"""Doors or beginning: two agendas may mean one each."""
NEAR, FAR = 400.0, 5_000.0
"""Metres between two positions that are one venue, and that are not one town."""

_GENERIC = frozenset({
    "concert", "live", "theater", "theatre", "film", "muziek", "music", "markt", "festival", "voorstelling",
    "kunst", "familie", "uitverkocht", "tickets", "extra", "show", "avond", "podium", "poppodium", "zaal",
    "buurthuis", "filmhuis", "cafe", "bar", "club", "centrum", "met", "tentoonstelling", "expo", "event",
})  # fmt: skip


def keys(facts: Facts) -> Iterator[str]:
    """By what an announcement of the same event would be found: its day with a word of its title or place."""
    if facts.starts_at is None:
        return
    day = _day(facts)
    words = sorted(
        _distinguishing_words(facts.title) or name_tokens(plain_text(facts.title)),
        key=lambda word: (-len(word), word),
    )
    for word in words[:4]:
        yield f"day:{day}:{word}"
    for word in sorted(_distinguishing_words(facts.word("venue")), key=len)[-1:]:
        yield f"venue:{day}:{word}"


def judge(a: Facts, b: Facts) -> Judgement:
    """The evidence for and against a link."""
    features = (_compare_days, _compare_venues, _title, _compare_numbers)
    return Judgement(rule=RULE, because=[because for feature in features if (because := feature(a, b))])


def _day(facts: Facts) -> str:
    """The day where it takes place, as the record's own text has it."""
    stated = facts.content.get("starts_at")
    return stated[:10] if isinstance(stated, str) else str(facts.starts_at)[:10]


def _hour_known(facts: Facts) -> bool:
    return facts.content.get("time_known") is not False


def _compare_days(a: Facts, b: Facts) -> FeatureScore | None:
    if a.starts_at is None or b.starts_at is None:
        return None
    if _day(a) != _day(b):
        return FeatureScore(feature="day", points=ANOTHER, says=f"{_day(a)} and {_day(b)}")
    if not _hour_known(a) or not _hour_known(b):
        return FeatureScore(feature="day", points=0.25, says=f"both {_day(a)}, one without an hour")
    if abs(a.starts_at - b.starts_at) > SAME_HOUR:
        return FeatureScore(
            feature="hour", points=ANOTHER, says=f"{a.starts_at:%H:%M} and {b.starts_at:%H:%M}"
        )
    return FeatureScore(feature="hour", points=0.35, says=f"both {_day(a)} at about {a.starts_at:%H:%M}")


def _compare_venues(a: Facts, b: Facts) -> FeatureScore | None:
    metres = metres_between(a, b) if _has_own_position(a) and _has_own_position(b) else None
    if metres is not None and metres > FAR:
        return FeatureScore(feature="place", points=ANOTHER, says=f"{metres / 1000:.0f} km apart")
    one, two = _distinguishing_words(a.word("venue")), _distinguishing_words(b.word("venue"))
    similarity = fuzz.token_set_ratio(" ".join(one), " ".join(two)) if one and two else 0
    if similarity >= 80:
        return FeatureScore(feature="venue", points=0.25, says=f"{a.word('venue')} and {b.word('venue')}")
    if metres is not None and metres <= NEAR:
        return FeatureScore(feature="place", points=0.2, says=f"{metres:.0f} m apart")
    return FeatureScore(feature="venue", points=-0.2, says=f"{a.word('venue')} and {b.word('venue')}")


def _has_own_position(facts: Facts) -> bool:
    """A position of its own, not the source's."""
    return facts.content.get("coordinates_from") != "default"


def _title(a: Facts, b: Facts) -> FeatureScore:
    venues = {*_distinguishing_words(a.word("venue")), *_distinguishing_words(b.word("venue"))}
    one, two = (
        " ".join(word for word in _distinguishing_words(x.title) if word not in venues) for x in (a, b)
    )
    if not one or not two:
        one, two = plain_text(a.title), plain_text(b.title)
    similarity = (fuzz.token_set_ratio(one, two) + fuzz.token_sort_ratio(one, two)) / 200
    points = 0.45 * (similarity - 0.5) / 0.5 if similarity >= 0.55 else -0.5
    if all(_of_its_own(mine, other) > 0.35 for mine, other in ((one, two), (two, one))):
        points -= 0.3
    return FeatureScore(feature="title", points=points, says=f"{similarity:.0%} alike")


def _of_its_own(mine: str, other: str) -> float:
    """The share of a title that the other one has nothing like."""
    words, others = mine.split(), other.split()
    own = [word for word in words if not any(fuzz.ratio(word, each) >= 75 for each in others)]
    return sum(map(len, own)) / max(1, sum(map(len, words)))


def _compare_numbers(a: Facts, b: Facts) -> FeatureScore | None:
    """Part 1 is not part 2."""
    one, two = read_title(a.title).codes, read_title(b.title).codes
    if one and two and not one & two:
        return FeatureScore(feature="number", points=-0.5, says=f"{min(one)} and {min(two)}")
    return None


def _distinguishing_words(text: str) -> list[str]:
    """The words that tell one title, or one venue, from others."""
    return [word for word in name_tokens(plain_text(text)) if word not in _GENERIC and word not in FILLERS]
