"""Simulated products, composed from word lists: the same for every shop that sells them.

A product is a function of the catalogue's seed and its number, so that any shop can offer any of them.
Products come in families that differ in one trait only (a colour, a size, a pack): near-twins, as in real
shops.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

FAMILY_SIZE = 4
"""So many numbers in a row belong to one family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """A variant of a product (size, colour …) with its spellings."""

    written: tuple[str, ...]
    """The first is how the maker writes it."""
    factor: float = 1.0
    """The factor of the price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductRange:
    """A kind of product: its brands, names and variants."""

    category: str
    nouns: Sequence[str]
    makers: Sequence[str]
    models: Sequence[str]
    """Each with a code that no other family has."""
    traits: Sequence[Trait]
    euros: tuple[int, int]
    praise: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueProduct:
    """One product, whichever shops sell it."""

    entity: str
    """Its identity, the same wherever it is sold."""
    number: int
    brand: str
    model: str
    nouns: Sequence[str]
    trait: Trait
    category: str
    gtin: str
    mpn: str
    cents: int
    """The recommended price in cents."""
    praise: str


def _sizes(*pairs: tuple[tuple[str, ...], float]) -> tuple[Trait, ...]:
    return tuple(Trait(written=written, factor=factor) for written, factor in pairs)


_COLOURS = _sizes(
    (("black", "Black", "zwart"), 1.0),
    (("white", "White", "wit"), 1.0),
    (("forest green", "green", "Forest Green"), 1.05),
    (("navy blue", "navy", "Navy"), 1.05),
)
_WEIGHTS = _sizes(
    (("250 g", "250g", "0,25 kg"), 1.0),
    (("500 g", "500g", "½ kg"), 1.9),
    (("1 kg", "1000 g", "1kg"), 3.6),
    (("2.5 kg", "2,5kg", "2500 g"), 8.2),
)
_PACKS = _sizes(
    (("1 piece", "single", "1 pc"), 1.0),
    (("3-pack", "pack of 3", "3 pcs"), 2.7),
    (("6-pack", "6 pieces", "set of 6"), 5.1),
    (("10-pack", "10 pcs", "box of 10"), 8.0),
)
_LITRES = _sizes(
    (("18 L", "18 litre", "18L"), 1.0),
    (("24 L", "24 litre", "24L"), 1.15),
    (("32 L", "32 litre", "32L"), 1.3),
    (("45 L", "45 litre", "45L"), 1.55),
)
_TINS = _sizes(
    (("0.75 L", "750 ml", "0,75l"), 1.0),
    (("1 L", "1 litre", "1000 ml"), 1.3),
    (("2.5 L", "2,5 liter", "2.5l"), 2.8),
    (("5 L", "5 litre", "5l"), 5.0),
)
_SETS = _sizes(
    (("body only", "without battery", "solo"), 1.0),
    (("with 1 × 4.0 Ah", "incl. 1x 4,0Ah", "1 x 4.0Ah battery"), 1.5),
    (("with 2 × 2.0 Ah", "incl. 2x 2,0Ah", "2 x 2.0Ah batteries"), 1.6),
    (("with 2 × 5.0 Ah", "incl. 2x 5,0Ah", "2 x 5.0Ah batteries"), 2.1),
)
_TYRES = _sizes(
    (("28-622", "700x28C", "28-622 (700x28C)"), 1.0),
    (("32-622", "700x32C", "32-622 (700x32C)"), 1.0),
    (("40-622", "700x40C", "40-622 (700x40C)"), 1.1),
    (("47-622", "28x1.75", "47-622 (28x1.75)"), 1.15),
)

PRODUCT_RANGES = (
    ProductRange(
        category="Headphones",
        nouns=("wireless headphones", "over-ear headphones", "bluetooth headset"),
        makers=("Sonora", "Kestrel Audio", "Velm"),
        models=("Aria {code}", "Hush {code}", "Studio {code}", "QX-{code}"),
        traits=_COLOURS,
        euros=(49, 289),
        praise=("Thirty hours on a charge.", "Folds flat into its case.", "Two devices at once."),
    ),
    ProductRange(
        category="Coffee",
        nouns=("coffee beans", "espresso beans", "whole bean coffee"),
        makers=("Branderij Noord", "Casa Lupo", "Old Quay Roasters"),
        models=(
            "Monte Alto {code}",
            "Nero {code}",
            "Huila Lot {code}",
            "Blend No. {code}",
            "Dark Harbour {code}",
        ),
        traits=_WEIGHTS,
        euros=(5, 9),
        praise=("Roasted on Tuesdays.", "Chocolate and a little orange.", "Mild, low in acid."),
    ),
    ProductRange(
        category="Power tools",
        nouns=("cordless drill", "18 V drill driver", "cordless screwdriver drill"),
        makers=("Hartmann", "Tygo", "Brunswerk"),
        models=("DX 18-{code}", "BSR {code}", "CD{code}", "DrillPro {code}"),
        traits=_SETS,
        euros=(69, 169),
        praise=("Brushless, two speeds.", "Comes in a hard case.", "Lights up what it drills."),
    ),
    ProductRange(
        category="Paint",
        nouns=("wall paint matt", "interior emulsion", "matt wall paint"),
        makers=("Kleurhuis", "Albion & Dye", "Farbwerk"),
        models=("Calm White {code}", "Pebble {code}", "Old Brick {code}", "Reed Green {code}"),
        traits=_TINS,
        euros=(14, 34),
        praise=("Covers in one coat.", "Washable after a week.", "Hardly any smell."),
    ),
    ProductRange(
        category="Lighting",
        nouns=("LED bulb E27", "LED lamp E27", "light bulb LED"),
        makers=("Lumio", "Helder", "Novalicht"),
        models=("Warm {code}", "Clear {code} lm", "Retro {code}", "Daylight {code}"),
        traits=_PACKS,
        euros=(3, 9),
        praise=("Lasts fifteen thousand hours.", "Dimmable.", "Full light at once."),
    ),
    ProductRange(
        category="Bags",
        nouns=("backpack", "hiking rucksack", "daypack"),
        makers=("Fjellvik", "Osier", "Trekmann"),
        models=("Ridge {code}", "Trail {code}", "Tarn {code}", "Col {code}"),
        traits=_LITRES,
        euros=(59, 149),
        praise=("Rain cover in the lid.", "Fits a laptop.", "Back panel that breathes."),
    ),
    ProductRange(
        category="Bicycle parts",
        nouns=("bicycle tyre", "folding tyre", "touring tyre"),
        makers=("Conti-Rad", "Vredeloop", "Granit"),
        models=("Marathon {code}", "Gravel {code}", "Spurt {code}", "All Season {code}"),
        traits=_TYRES,
        euros=(22, 59),
        praise=("Reflecting side.", "Hard to puncture.", "Rolls well on gravel."),
    ),
)


def catalogue_product(seed: int, number: int) -> CatalogueProduct:
    """The product of that number."""
    shared = _family(seed, number // FAMILY_SIZE)
    trait = shared.of.traits[number % FAMILY_SIZE]
    rng = Random(f"{seed}:good:{number}")  # noqa: S311 - luck, not secrecy
    return CatalogueProduct(
        entity=f"good-{seed}-{number}",
        number=number,
        brand=shared.brand,
        model=shared.model,
        nouns=shared.of.nouns,
        trait=trait,
        category=shared.of.category,
        gtin=_gtin13(rng),
        mpn=f"{shared.brand[:2].upper()}{rng.randint(10_000, 99_999)}",
        cents=retail_price(shared.euros * trait.factor),
        praise=shared.praise,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Family:
    of: ProductRange
    brand: str
    model: str
    euros: float
    praise: str


@lru_cache(maxsize=1 << 14)
def _family(seed: int, number: int) -> _Family:
    rng = Random(f"{seed}:family:{number}")  # noqa: S311
    products = rng.choice(PRODUCT_RANGES)
    return _Family(
        of=products,
        brand=rng.choice(products.makers),
        model=rng.choice(products.models).format(code=_code(number)),
        euros=rng.uniform(*products.euros),
        praise=" ".join(rng.sample(products.praise, 2)),
    )


def _code(number: int) -> str:
    """Three digits for the first nine hundred families, then with a letter."""
    round_, place = divmod(number, 900)
    return f"{100 + place * 37 % 900}" + ("" if round_ == 0 else "ABCDEFGHKLMNPRSTUVWXYZ"[round_ % 22 - 1])


def _gtin13(rng: Random) -> str:
    digits = f"87{rng.randint(0, 10**10 - 1):010}"
    weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return f"{digits}{-weighted % 10}"


def retail_price(euros: float) -> int:
    """A price that ends in 95 or 99 cents."""
    return max(1, round(euros)) * 100 - (5 if euros > 20 else 1)
