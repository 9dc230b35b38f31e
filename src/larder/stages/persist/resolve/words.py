"""Splits titles into words, measures, colours and codes, each in one spelling.

`2,5 kg`, `2.5kg` and `2500 g` are one measure; `zwart` is `black`; `QX-412` is the code 412 after qx. What is
left are the words that a title is recognised by.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from larder.core.accents import without_accents

_SIGNS = str.maketrans({"×": "x", "½": "1/2", "’": "'", "ß": "ss", "ø": "o", "æ": "ae", "&": " "})
_COMMA = re.compile(r"(?<=\d),(?=\d)")

_UNITS: Mapping[str, tuple[str, float]] = {
    "mg": ("mass", 0.001), "g": ("mass", 1), "gr": ("mass", 1), "gram": ("mass", 1), "grams": ("mass", 1),
    "kg": ("mass", 1000), "kilo": ("mass", 1000),
    "ml": ("volume", 1), "cl": ("volume", 10), "dl": ("volume", 100), "l": ("volume", 1000),
    "ltr": ("volume", 1000), "liter": ("volume", 1000), "litre": ("volume", 1000), "liters": ("volume", 1000),
    "litres": ("volume", 1000), "mm": ("length", 1), "cm": ("length", 10), "m": ("length", 1000),
    "inch": ("length", 25.4), "ah": ("charge", 1), "mah": ("charge", 0.001),
    "gb": ("memory", 1), "tb": ("memory", 1000), "v": ("voltage", 1), "volt": ("voltage", 1),
    "w": ("power", 1), "watt": ("power", 1),
}  # fmt: skip
_COUNTED = r"packs?|pk|pcs?|pieces?|stuks?|st|stuck|pairs?|bulbs?|capsules?|rounds?|rds"
_MEASURE = re.compile(
    rf"(?:(?P<times>\d+)\s?x\s?)?(?P<amount>\d+(?:\.\d+)?|1/2)\s?(?P<unit>{'|'.join(_UNITS)})\b(?!['-])"
)
_COUNT = re.compile(
    rf"\b(?:set|pack|box|doos|pak)\s(?:of|van|von)\s(?P<of>\d+)\b"
    rf"|\b(?P<count>\d+)[\s-]?(?:{_COUNTED})\b(?!\s(?:of|van|von)\s\d)"
)
_SINGLE = re.compile(r"\bsingle\b")

COLOURS: Mapping[str, str] = {
    "black": "black", "zwart": "black", "schwarz": "black", "blk": "black",
    "white": "white", "wit": "white", "weiss": "white", "wht": "white",
    "green": "green", "groen": "green", "grun": "green", "grn": "green",
    "navy": "blue", "blue": "blue", "blauw": "blue", "blau": "blue", "blu": "blue",
    "red": "red", "rood": "red", "rot": "red",
    "grey": "grey", "gray": "grey", "grijs": "grey", "grau": "grey",
    "yellow": "yellow", "geel": "yellow", "gelb": "yellow", "brown": "brown", "bruin": "brown",
    "braun": "brown", "pink": "pink", "roze": "pink", "rosa": "pink", "orange": "orange", "oranje": "orange",
    "silver": "silver", "zilver": "silver", "silber": "silver", "gold": "gold", "goud": "gold",
    "purple": "purple", "paars": "purple", "lila": "purple", "beige": "beige",
}  # fmt: skip
SIZES = frozenset({"xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"})
VARIANTS = frozenset({
    "pro", "max", "plus", "mini", "lite", "ultra", "junior", "kids", "refurbished", "used", "gebraucht",
    "tweedehands", "refill", "spare", "replacement", "case", "cover", "kit", "bundle", "left", "right",
    "links", "rechts", "men", "women", "heren", "dames", "herren", "damen",
})  # fmt: skip
"""Small words that make another product of the same model."""
FILLERS = frozenset({
    "the", "a", "an", "of", "by", "with", "incl", "including", "and", "for", "in", "on", "at", "to", "new",
    "de", "het", "een", "van", "met", "en", "voor", "door", "op", "te", "aan", "nieuw", "der", "die", "das",
    "mit", "und", "von", "fur", "im", "am", "zu", "neu", "sale", "actie", "aanbieding", "offer", "deal",
    "top", "x",
})  # fmt: skip
_TOKEN = re.compile(r"\d+(?:[./x-]\d+)+[a-z]?\b|\d+|[a-z']+")


@dataclass(frozen=True, slots=True)
class Wording:
    """A title's parts."""

    words: tuple[str, ...]
    codes: frozenset[str]
    """Numbers that are no measure: models, sizes, editions."""
    named: frozenset[tuple[str, str]]
    """Each code with the word before it."""
    measures: Mapping[str, frozenset[float]]
    count: float
    """How many are in the pack; one where nothing is said."""
    colours: frozenset[str]
    variants: frozenset[str]
    """Words that make another product of the same model, clothing sizes among them."""
    glued: str
    """The whole title without a gap, for words that somebody wrote together."""

    @property
    def text(self) -> str:
        """The words in a row."""
        return " ".join(self.words)


@lru_cache(maxsize=1 << 14)
def plain_text(text: str) -> str:
    """Lower case, no accents, one kind of sign, decimal points."""
    folded = without_accents(text.casefold().translate(_SIGNS))
    return " ".join(_COMMA.sub(".", folded).split())


def name_tokens(text: str) -> list[str]:
    """Words and numbers of a plain text; letters and digits that are glued together come apart."""
    return _TOKEN.findall(text)


@lru_cache(maxsize=1 << 14)
def read_title(title: str, *, without: str = "") -> Wording:
    """A title's parts; the words of `without` (its maker) are left out."""
    text, measures, many = _measured(plain_text(title))
    left_out = FILLERS.union(name_tokens(without))
    found = [token for token in name_tokens(text) if token not in left_out]
    codes = {token for token in found if token[0].isdigit()}
    named = {(before, code) for before, code in zip(["", *found], found, strict=False) if code in codes}
    words = [token for token in found if token not in codes]
    return Wording(
        words=tuple(word for word in words if _colour(word) is None),
        codes=frozenset(codes),
        named=frozenset(named),
        measures={name: frozenset(values) for name, values in measures.items()},
        count=many,
        colours=frozenset(colour for word in words if (colour := _colour(word))),
        variants=frozenset(word for word in words if word in VARIANTS or word in SIZES),
        glued="".join(name_tokens(plain_text(title))),
    )


@lru_cache(maxsize=1 << 12)
def _colour(word: str) -> str | None:
    """The colour that a word means; one typing error is allowed."""
    if word in COLOURS or len(word) < 4:
        return COLOURS.get(word)
    slips = (known for known in COLOURS if len(known) > 4 and OSA.distance(word, known, score_cutoff=1) <= 1)
    return next((COLOURS[known] for known in slips), None)


def _measured(text: str) -> tuple[str, dict[str, set[float]], float]:
    """The text without its measures, the measures by dimension, and how many are in the pack."""
    measures: dict[str, set[float]] = {}
    counts: list[float] = []

    def measure(match: re.Match[str]) -> str:
        dimension, factor = _UNITS[match["unit"]]
        amount = 0.5 if match["amount"] == "1/2" else float(match["amount"])
        measures.setdefault(dimension, set()).add(round(amount * factor, 3))
        if match["times"]:
            counts.append(float(match["times"]))
        return " "

    def counted(match: re.Match[str]) -> str:
        counts.append(float(match["count"] or match["of"]))
        return " "

    bare = _SINGLE.sub(" ", _COUNT.sub(counted, _MEASURE.sub(measure, text)))
    return bare, measures, max(counts, default=1.0)
