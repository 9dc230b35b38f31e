"""Are two products one? By their codes where both sources are trusted with them, else by maker and model.

Products of one family differ in a size, a pack or a colour: where two records state different ones they are
two things, whatever else agrees; where only one states it, more evidence is needed.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from string import ascii_lowercase

from rapidfuzz import fuzz

from larder.stages.persist.resolve.facts import ANOTHER, Facts, FeatureScore, Judgement, price_gap
from larder.stages.persist.resolve.words import SIZES, name_tokens

RULE = "product"
SURE = 0.75
"""What one code says that two trusted sources give."""
DOUBT = -0.4
"""A title that is at odds with such a code casts doubt, no more: people write titles."""
_PRICES = ((0.3, 0.1), (0.6, -0.05), (1.0, -0.2), (inf, -0.5))
"""How far two prices may be apart, and what that says."""
_LOOSE = frozenset({"voltage", "power"})
"""Dimensions that shops mention or not, as they like."""


def keys(facts: Facts) -> Iterator[str]:
    """By what the same product is found elsewhere: its codes, or its maker or a name with a number."""
    if code := gtin14(facts):
        yield f"gtin:{code}"
    if mpn := _mpn(facts):
        yield f"mpn:{mpn.lstrip(ascii_lowercase) or mpn}"
    maker = name_tokens(facts.maker)[:1]
    for name, code in sorted(facts.wording.named)[:4]:
        if name:
            yield f"model:{name}:{code}"
        for brand in maker:
            yield f"maker:{brand}:{code}"


def judge(a: Facts, b: Facts) -> Judgement:
    """The evidence for and against a link."""
    code = _gtin(a, b)
    features = (
        _compare_makers,
        _maker_number,
        _compare_models,
        _compare_variants,
        _words,
        _compare_measures,
        _compare_pack_sizes,
        _compare_colours,
        _price,
    )
    reasons = [because for feature in features if (because := feature(a, b))]
    if code is None:
        return Judgement(rule=RULE, because=reasons)
    if code.points >= SURE:
        reasons = [replace(each, points=max(each.points, DOUBT)) for each in reasons]
    return Judgement(rule=RULE, because=[code, *reasons])


def gtin14(facts: Facts) -> str:
    """A product's code with all its zeros; empty where there is none."""
    code = facts.content.get("gtin")
    return code.zfill(14) if isinstance(code, str) and code.isdigit() else ""


def _gtin(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = gtin14(a), gtin14(b)
    if not one or not two:
        return None
    both = a.trusted and b.trusted
    if one == two:
        return FeatureScore(feature="gtin", points=SURE if both else 0.3, says=f"both are {one}")
    return FeatureScore(feature="gtin", points=ANOTHER if both else -0.2, says=f"{one} and {two}")


def _compare_makers(a: Facts, b: Facts) -> FeatureScore | None:
    if not a.maker and not b.maker:
        return None
    if not a.maker or not b.maker:
        facts, other = (a, b) if a.maker else (b, a)
        named = set(name_tokens(facts.maker)) <= set(name_tokens(other.wording.text))
        return (
            FeatureScore(feature="brand", points=0.2, says=f"{facts.brand} in both titles") if named else None
        )
    if fuzz.ratio(a.maker, b.maker) >= 85 or _within(a.maker, b.maker):
        return FeatureScore(feature="brand", points=0.2, says=f"both by {a.brand}")
    return FeatureScore(feature="brand", points=ANOTHER, says=f"{a.brand} and {b.brand}")


def _within(one: str, two: str) -> bool:
    first, second = set(name_tokens(one)), set(name_tokens(two))
    return bool(first and second) and (first <= second or second <= first)


def _mpn(facts: Facts) -> str:
    return "".join(sign for sign in facts.word("mpn") if sign.isalnum())


def _maker_number(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = _mpn(a), _mpn(b)
    if len(one) < 4 or len(two) < 4:
        return None
    if one.endswith(two) or two.endswith(one):
        return FeatureScore(feature="maker's number", points=0.4, says=f"{one} and {two}")
    return FeatureScore(feature="maker's number", points=-0.3, says=f"{one} and {two}")


def _compare_models(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = a.wording, b.wording
    if not one.codes or not two.codes:
        return None
    shared = one.codes & two.codes
    difference = " ".join(sorted(shared))
    if one.codes - shared and two.codes - shared:
        differ = f"{' '.join(sorted(one.codes))} and {' '.join(sorted(two.codes))}"
        return FeatureScore(feature="model", points=ANOTHER, says=differ)
    if not _named_alike(a, b, shared):
        return FeatureScore(feature="model", points=-0.2, says=f"{difference}, but of other names")
    if one.codes == two.codes:
        return FeatureScore(feature="model", points=0.45, says=f"both {difference}")
    return FeatureScore(feature="model", points=0.15, says=f"{difference}, one says more")


def _named_alike(a: Facts, b: Facts, codes: frozenset[str]) -> bool:
    """Whether the word before each shared code is in the other title, too."""
    return all(
        _stands_in(name, other)
        for facts, other in ((a, b), (b, a))
        for name, code in facts.wording.named
        if code in codes and name and not name[0].isdigit()
    )


def _stands_in(name: str, other: Facts) -> bool:
    near = (fuzz.ratio(name, word) >= 75 for word in (*other.wording.words, *name_tokens(other.maker)))
    return name in other.wording.glued or any(near) or fuzz.partial_ratio(name, other.wording.glued) >= 85


def _compare_variants(a: Facts, b: Facts) -> FeatureScore | None:
    """Compare variants: "Pro" with the plain model, a cover with what it covers, L with M."""
    one, two = a.wording.variants, b.wording.variants
    if one == two:
        return None
    sizes = SIZES & one and SIZES & two and SIZES & one != SIZES & two
    difference = f"{' '.join(sorted(one)) or 'none'} and {' '.join(sorted(two)) or 'none'}"
    return FeatureScore(feature="variant", points=ANOTHER if sizes else -0.5, says=difference)


def _words(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = a.wording.text, b.wording.text
    if not one or not two:
        return None
    similarity = (fuzz.token_set_ratio(one, two) + fuzz.token_sort_ratio(one, two)) / 200
    return FeatureScore(feature="title", points=0.3 * similarity, says=f"{similarity:.0%} alike")


def _compare_measures(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = a.wording.measures, b.wording.measures
    conflict = next((name for name in one.keys() & two.keys() if not one[name] & two[name]), None)
    if conflict:
        difference = f"{_shown(one[conflict])} and {_shown(two[conflict])}"
        return FeatureScore(feature=conflict, points=ANOTHER, says=difference)
    if alone := (one.keys() ^ two.keys()) - _LOOSE:
        return FeatureScore(feature=min(alone), points=-0.4, says="only one says it")
    shared = (one.keys() & two.keys()) - _LOOSE
    return FeatureScore(feature=min(shared), points=0.15, says="both alike") if shared else None


def _shown(values: frozenset[float]) -> str:
    return ", ".join(f"{value:g}" for value in sorted(values))


def _compare_pack_sizes(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = a.wording.count, b.wording.count
    if one != two:
        return FeatureScore(feature="pack", points=ANOTHER, says=f"{one:g} and {two:g}")
    return FeatureScore(feature="pack", points=0.1, says=f"both of {one:g}") if one > 1 else None


def _compare_colours(a: Facts, b: Facts) -> FeatureScore | None:
    one, two = _colours(a, b), _colours(b, a)
    if one and two:
        difference = f"{' '.join(sorted(one))} and {' '.join(sorted(two))}"
        return FeatureScore(feature="colour", points=0.1 if one & two else ANOTHER, says=difference)
    if one or two:
        return FeatureScore(feature="colour", points=-0.3, says="only one says it")
    return None


def _colours(facts: Facts, other: Facts) -> frozenset[str]:
    """A title's colours, those of the other included that it has in a word written together."""
    words = facts.wording.words
    return facts.wording.colours | {c for c in other.wording.colours if any(w.endswith(c) for w in words)}


def _price(a: Facts, b: Facts) -> FeatureScore | None:
    gap = price_gap(a, b)
    if gap is None:
        return None
    points = next(points for most, points in _PRICES if gap <= most)
    return FeatureScore(feature="price", points=points, says=f"{gap:.0%} apart")
