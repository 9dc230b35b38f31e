"""Texts of simulated adverts: homes to let in three languages, composed from word lists.

A home is drawn once, when its advert first appears; everything about it but its price then stays as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class City:
    """A place homes are let in, with the pattern of its postcodes (`#` a digit, `@` a letter)."""

    name: str
    postcode: str
    latitude: float
    longitude: float
    rent_factor: float
    """Rent level; 1 is the cheapest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language's words. `title` and `story` are patterns filled with a home's own facts."""

    code: str
    cities: Sequence[City]
    streets: Sequence[str]
    titles: Sequence[str]
    adjectives: Sequence[str]
    extras: Sequence[str]
    stories: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The facts of an advert that never change."""

    language: str
    title: str
    description: str
    rent: int
    """Asking rent at first, in whole euros a month."""
    area: int
    rooms: int
    street: str
    postcode: str
    city: str
    latitude: float
    longitude: float
    seller: str
    entity: str = ""
    """The identity of the home, the same on every site that advertises it; empty if no other site does."""


ENGLISH = Language(
    code="en",
    cities=(
        City(name="Dublin", postcode="D## @@##", latitude=53.3498, longitude=-6.2603, rent_factor=1.9),
        City(name="Cork", postcode="T## @@##", latitude=51.8985, longitude=-8.4756, rent_factor=1.4),
        City(name="Galway", postcode="H## @@##", latitude=53.2707, longitude=-9.0568, rent_factor=1.3),
        City(name="Valletta", postcode="VLT ####", latitude=35.8989, longitude=14.5146, rent_factor=1.2),
    ),
    streets=(
        "Harbour Row",
        "Orchard Lane",
        "Mill Street",
        "Cedar Road",
        "Chapel Hill",
        "Weavers Yard",
        "Quay View",
    ),
    titles=(
        "{look} {rooms}-room flat with {extra} in {city}",
        "{look} flat on {street}, {area} m²",
        "{city}: {look_low} {rooms}-room home with {extra}",
    ),
    adjectives=("Bright", "Quiet", "Sunny", "Spacious", "Charming", "Renovated", "Airy", "Snug"),
    extras=("balcony", "garden", "lift", "cellar", "fireplace", "bicycle room", "sea view", "fitted kitchen"),
    stories=(
        "A {look_low} place of {area} m² with {rooms} rooms and {extra}.",
        "Shops, school and tram are round the corner.",
        "Pets are welcome after a chat.",
        "The kitchen was fitted two years ago and stays.",
        "Viewings in the evening; please write a few lines about yourself.",
        "The house is small and the neighbours are friendly.",
    ),
)

GERMAN = Language(
    code="de",
    cities=(
        City(name="Wien", postcode="1##0", latitude=48.2082, longitude=16.3738, rent_factor=1.5),
        City(name="Graz", postcode="80##", latitude=47.0707, longitude=15.4395, rent_factor=1.1),
        City(name="Leipzig", postcode="04###", latitude=51.3397, longitude=12.3731, rent_factor=1.0),
        City(name="München", postcode="80###", latitude=48.1351, longitude=11.5820, rent_factor=2.0),
        City(name="Köln", postcode="50###", latitude=50.9375, longitude=6.9603, rent_factor=1.4),
    ),
    streets=("Lindengasse", "Mühlweg", "Am Anger", "Rosenstraße", "Kirchplatz", "Färbergasse", "Uferstraße"),
    titles=(
        "{look} {rooms}-Zimmer-Wohnung mit {extra} in {city}",
        "{look} Wohnung, {area} m², {street}",
        "{city}: {look_low} Altbauwohnung mit {extra}",
    ),
    adjectives=("Helle", "Ruhige", "Sonnige", "Großzügige", "Charmante", "Sanierte", "Gemütliche"),
    extras=("Balkon", "Garten", "Aufzug", "Keller", "Kamin", "Loggia", "Einbauküche", "Fahrradraum"),
    stories=(
        "{look} Wohnung mit {rooms} Zimmern auf {area} m² und {extra}.",
        "Straßenbahn und Markt sind gleich ums Eck.",
        "Haustiere nach Absprache.",
        "Die Küche ist zwei Jahre alt und bleibt.",
        "Besichtigung am Abend; bitte ein paar Zeilen über sich.",
        "Ein kleines Haus mit netten Nachbarn.",
    ),
)

DUTCH = Language(
    code="nl",
    cities=(
        City(name="Utrecht", postcode="35## @@", latitude=52.0907, longitude=5.1214, rent_factor=1.7),
        City(name="Leiden", postcode="23## @@", latitude=52.1601, longitude=4.4970, rent_factor=1.5),
        City(name="Groningen", postcode="97## @@", latitude=53.2194, longitude=6.5665, rent_factor=1.2),
        City(name="Gent", postcode="90##", latitude=51.0543, longitude=3.7174, rent_factor=1.3),
        City(name="Delft", postcode="26## @@", latitude=52.0116, longitude=4.3571, rent_factor=1.5),
    ),
    streets=("Lindelaan", "Molenpad", "Kerkstraat", "Havenkade", "Rozengracht", "Weverssteeg", "Oude Singel"),
    titles=(
        "{look} {rooms}-kamerappartement met {extra} in {city}",
        "{look} appartement, {area} m², {street}",
        "{city}: {look_low} bovenhuis met {extra}",
    ),
    adjectives=("Licht", "Rustig", "Zonnig", "Ruim", "Sfeervol", "Gerenoveerd", "Knus"),
    extras=("balkon", "tuin", "lift", "kelder", "open haard", "dakterras", "inbouwkeuken", "fietsenstalling"),
    stories=(
        "{look} appartement van {area} m² met {rooms} kamers en {extra}.",
        "Winkels, school en tram zijn om de hoek.",
        "Huisdieren in overleg.",
        "De keuken is twee jaar oud en blijft.",
        "Bezichtiging in de avond; schrijf een paar regels over jezelf.",
        "Een klein huis met aardige buren.",
    ),
)

LANGUAGES = (ENGLISH, GERMAN, DUTCH)

GIVEN_NAMES = (
    "Ada", "Bram", "Clara", "Dries", "Emil", "Fien", "Gerda", "Hugo", "Iris", "Jonas", "Klara", "Liam",
)  # fmt: skip
FAMILY_NAMES = (
    "Amsel", "Byrne", "Claes", "Dorn", "Ebner", "Foley", "Groot", "Hoekstra", "Jansen", "Kern", "Lenz",
)  # fmt: skip
TRADES = ("Lettings", "Immobilien", "Makelaars", "Wohnen", "Living", "Homes")


def random_home(rng: Random) -> Home:
    """One home, drawn from `rng` alone."""
    language = rng.choice(LANGUAGES)
    city = rng.choice(language.cities)
    rooms = rng.choice((2, 2, 3, 3, 3, 4, 4, 5))
    area = 14 + rooms * rng.randint(14, 26)
    street = rng.choice(language.streets)
    words = _words(rng, language, city=city.name, street=street, rooms=rooms, area=area)
    return Home(
        language=language.code,
        title=rng.choice(language.titles).format_map(words),
        description=_story(rng, language).format_map(words),
        rent=_round_rent(area * 9.5 * city.rent_factor * rng.uniform(0.8, 1.25)),
        area=area,
        rooms=rooms,
        street=f"{street} {rng.randint(1, 120)}",
        postcode=_postcode(rng, city.postcode),
        city=city.name,
        latitude=round(city.latitude + rng.uniform(-0.04, 0.04), 5),
        longitude=round(city.longitude + rng.uniform(-0.06, 0.06), 5),
        seller=_seller(rng),
    )


NEIGHBOURS = 5
"""Every so many shared homes the last one is in the same house as the one before.

Another size, the same door.
"""


def shared_home(pool: int, number: int) -> Home:
    """A home that several sites may advertise."""
    if number % NEIGHBOURS == NEIGHBOURS - 1:
        return _neighbour(shared_home(pool, number - 1), pool, number)
    home = random_home(Random(f"{pool}:home:{number}"))  # noqa: S311 - luck, not secrecy
    return replace(home, entity=f"home-{pool}-{number}")


def _neighbour(of: Home, pool: int, number: int) -> Home:
    rng = Random(f"{pool}:home:{number}")  # noqa: S311
    area = of.area + rng.choice((-19, -13, 11, 17, 24))
    rooms = max(1, of.rooms + (1 if area > of.area else -1))
    rent = _round_rent(of.rent * area / of.area)
    return replace(of, area=area, rooms=rooms, rent=rent, entity=f"home-{pool}-{number}")


def reworded_home(rng: Random, of: Home) -> Home:
    """The same home in another advert: another title, perhaps a rounded area, price or seller."""
    language = next(each for each in LANGUAGES if each.code == of.language)
    street = of.street.rpartition(" ")[0]
    area = of.area + rng.choice((0, 0, 0, 0, 1, -1))
    words = _words(rng, language, city=of.city, street=street, rooms=of.rooms, area=area)
    return replace(
        of,
        title=rng.choice(language.titles).format_map(words),
        description=_story(rng, language).format_map(words),
        rent=of.rent if rng.random() < 0.7 else _round_rent(of.rent * rng.uniform(0.96, 1.06)),
        area=area,
        street=of.street if rng.random() < 0.9 else street,
        latitude=round(of.latitude + rng.uniform(-0.0008, 0.0008), 5),
        longitude=round(of.longitude + rng.uniform(-0.0008, 0.0008), 5),
        seller=of.seller if rng.random() < 0.5 else _seller(rng),
    )


def new_rent(rng: Random, rent: int) -> int:
    """A new rent; most changes lower it."""
    step = max(5, _round_rent(rent * rng.uniform(0.02, 0.12)))
    return rent + step if rent <= 2 * step or rng.random() < 0.3 else rent - step


def _words(rng: Random, language: Language, **facts: str | int) -> dict[str, str | int]:
    look = rng.choice(language.adjectives)
    return {**facts, "look": look, "look_low": look.lower(), "extra": rng.choice(language.extras)}


def _story(rng: Random, language: Language) -> str:
    opening, *others = language.stories
    return " ".join((opening, *rng.sample(others, 2)))


def _seller(rng: Random) -> str:
    family = rng.choice(FAMILY_NAMES)
    if rng.random() < 0.4:
        return f"{family} {rng.choice(TRADES)}"
    return f"{rng.choice(GIVEN_NAMES)} {family}"


def _postcode(rng: Random, pattern: str) -> str:
    drawn = {"#": "0123456789", "@": "ABCDEFGHJKLMNPRSTVWXYZ"}
    return "".join(rng.choice(drawn[sign]) if sign in drawn else sign for sign in pattern)


def _round_rent(euros: float) -> int:
    return 5 * round(euros / 5)
