"""Are two adverts for one flat? By the house, the size, the rooms and the rent.

A house has many flats: the same address says little without the same size. Without a house number it takes
the same postcode and the very same size and rent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import asin, cos, inf, radians, sin, sqrt

from rapidfuzz import fuzz

from larder.stages.persist.resolve.facts import ANOTHER, Facts, FeatureScore, Judgement, price_gap
from larder.stages.persist.resolve.words import plain_text

RULE = "flat"
NEAR, FAR = 150.0, 1500.0
"""Metres between two positions that are one house, and that are not."""

_RENTS = ((0.001, 0.2), (0.05, 0.12), (0.12, 0.05), (0.3, -0.1), (inf, -0.5))
"""How far two rents may be apart, and what that says."""
_NUMBER = re.compile(r"(?<![\w.])(\d{1,4})\s?([a-z]|bis|hs)?(?=$|[,/\s-])")
_STREET_WORDS = (
    (re.compile(r"(?<=\w)(?:strasse|str\.?)(?!\w)"), "straat"),
    (re.compile(r"\bst\.?(?=$|\s)"), "street"),
    (re.compile(r"\brd\.?(?!\w)"), "road"),
    (re.compile(r"\bln\.?(?!\w)"), "lane"),
)


@dataclass(frozen=True, slots=True)
class Address:
    """A street and a house number, in one spelling."""

    street: str
    number: str


def keys(facts: Facts) -> Iterator[str]:
    """By what an advert for the same flat would be found: its house, or its postcode and size."""
    home, area = address(facts), facts.number("area_m2")
    if home and home.number:
        yield f"house:{home.street}:{home.number}"
    if (postcode := _postcode(facts)) and area:
        for near in (-1, 0, 1):
            yield f"area:{postcode}:{round(area) + near}"


def judge(a: Facts, b: Facts) -> Judgement:
    """The evidence for and against a link."""
    features = (
        _compare_addresses,
        _compare_postcodes,
        _compare_positions,
        _area,
        _compare_rooms,
        _compare_rents,
        _title,
    )
    return Judgement(rule=RULE, because=[because for feature in features if (because := feature(a, b))])


def address(facts: Facts) -> Address | None:
    """The address, as far as the record has one."""
    stated = facts.word("address")
    return _read_address(stated, _postcode(facts), facts.word("city")) if stated else None


@lru_cache(maxsize=1 << 14)
def _read_address(stated: str, postcode: str, city: str) -> Address | None:
    first = stated.split(",", maxsplit=1)[0].strip()
    match = _NUMBER.search(first)
    number = "".join(part for part in match.groups() if part) if match else ""
    street = (first[: match.start()] + first[match.end() :]) if match else first
    for pattern, long in _STREET_WORDS:
        street = pattern.sub(long, street)
    street = re.sub(r"[^a-z]+", "", street)
    if not street or street == re.sub(r"[^a-z]+", "", city) or (number and number == postcode):
        return None
    return Address(street=street, number=number)


_POSTCODE = re.compile(r"\b(\d{4}\s?[a-z]{2}|[a-z]\d{2}\s?[a-z0-9]{4}|[a-z]{3}\s?\d{4}|\d{4,5})\b")


def _postcode(facts: Facts) -> str:
    stated = facts.word("postcode")
    if not stated and "," in facts.word("address"):
        match = _POSTCODE.search(facts.word("address").split(",", maxsplit=1)[1])
        stated = match[1] if match else ""
    return stated.replace(" ", "")


def _compare_addresses(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = address(a), address(b)
    if one is None or two is None:
        return None
    if fuzz.ratio(one.street, two.street) < 85:
        return FeatureScore(feature="street", points=ANOTHER, says=f"{one.street} and {two.street}")
    if not one.number or not two.number:
        return FeatureScore(feature="street", points=0.1, says=f"both {one.street}, one without a number")
    if one.number != two.number:
        return FeatureScore(feature="house", points=ANOTHER, says=f"{one.number} and {two.number}")
    return FeatureScore(feature="house", points=0.45, says=f"both {one.street} {one.number}")


def _compare_postcodes(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = _postcode(a), _postcode(b)
    if not one or not two:
        return None
    if one == two:
        return FeatureScore(feature="postcode", points=0.15, says=one)
    return FeatureScore(feature="postcode", points=-0.5, says=f"{one} and {two}")


def _compare_positions(a: Facts, b: Facts) -> FeatureScore | None:
    metres = metres_between(a, b)
    if metres is None:
        return None
    points = 0.1 if metres <= NEAR else 0.0 if metres <= FAR else -0.6
    return FeatureScore(feature="position", points=points, says=f"{metres:.0f} m apart")


def metres_between(a: Facts, b: Facts) -> float | None:
    """Metres between two records; None where one does not say where it is."""
    if a.latitude is None or a.longitude is None or b.latitude is None or b.longitude is None:
        return None
    one, two = radians(a.latitude), radians(b.latitude)
    across = sin(radians(b.longitude - a.longitude) / 2) ** 2 * cos(one) * cos(two)
    return 2 * 6_371_000 * asin(sqrt(sin((two - one) / 2) ** 2 + across))


def _area(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = a.number("area_m2"), b.number("area_m2")
    if not one or not two:
        return None
    gap = abs(one - two)
    difference = f"{one:g} and {two:g} m²"
    if gap > max(3.0, 0.06 * min(one, two)):
        return FeatureScore(feature="size", points=ANOTHER, says=difference)
    return FeatureScore(feature="size", points=0.25 if gap <= 2.0 else 0.1, says=difference)


def _compare_rooms(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = a.number("rooms"), b.number("rooms")
    if one is None or two is None:
        return None
    points = 0.1 if one == two else -0.4
    return FeatureScore(feature="rooms", points=points, says=f"{one:g} and {two:g}")


def _compare_rents(a: Facts, b: Facts) -> FeatureScore | None:
    gap = price_gap(a, b)
    if gap is None:
        return None
    points = next(points for most, points in _RENTS if gap <= most)
    return FeatureScore(feature="rent", points=points, says=f"{gap:.0%} apart")


def _title(a: Facts, b: Facts) -> FeatureScore:
    similarity = fuzz.token_set_ratio(plain_text(a.title), plain_text(b.title)) / 100
    return FeatureScore(feature="title", points=0.05 * similarity, says=f"{similarity:.0%} alike")
