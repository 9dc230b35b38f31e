"""One thing or two? A table for each kind: what shops, agendas and boards write, and what it means."""

from datetime import datetime
from itertools import count
from typing import Any

import pytest

from larder.core.model.source import Kind
from larder.stages.persist.resolve import BAR, Facts, Judgement, judge, keys
from larder.stages.persist.resolve.words import read_title

NUMBERS = count(1)


def facts(kind: Kind, title: str, **said: Any) -> Facts:
    columns = {
        name: said.pop(name)
        for name in ("trusted", "brand", "price", "latitude", "longitude")
        if name in said
    }
    starts_at = said.get("starts_at")
    return Facts(
        source_id=next(NUMBERS),
        kind=kind,
        title=title,
        currency="EUR",
        starts_at=datetime.fromisoformat(starts_at) if starts_at else None,
        content={"title": title, **said},
        **columns,
    )


def product(title: str, **said: Any) -> Facts:
    return facts(Kind.PRODUCT, title, **{"price": 2000, **said})


def both_ways(a: Facts, b: Facts) -> Judgement:
    """Whoever is asked first, the answer is the same."""
    said, back = judge(a, b), judge(b, a)
    assert said.score == back.score
    return said


DRILL = product("Tygo DX 18-412 cordless drill, body only", brand="Tygo")
COFFEE = product("Casa Lupo Nero 137 coffee beans, 2.5 kg", brand="Casa Lupo")
BULBS = product("Lumio Clear 359 lm LED bulb E27, 3-pack", brand="Lumio")
SOUND = product("Kestrel Audio Hush 569 wireless headphones, black", brand="Kestrel Audio")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param(DRILL, product("DX 18-412 by TYGO - solo - cordless drill", brand="TYGO"), id="order"),
        pytest.param(DRILL, product("Tygo DX18-412 Cordless Drill", price=2400), id="no brand field, glued"),
        pytest.param(
            COFFEE,
            product("Coffee beans Casa Lupo Nero 137 2500g", brand="Casa Lupo"),
            id="units, both metric",
        ),
        pytest.param(
            COFFEE,
            product("CASA LUPO NERO 137 COFFE BEANS 2,5KG", brand="Casa Lupo"),
            id="capitals and a slip",
        ),
        pytest.param(BULBS, product("LED bulb E27 Lumio Clear 359 lm pack of 3", brand="Lumio"), id="packs"),
        pytest.param(SOUND, product("Hush 569 zwart Kestrel Audio headset", brand="Kestrel"), id="languages"),
        pytest.param(
            product("Wonderbox", brand="Acme", gtin="8712345678906", trusted=True),
            product("Acme box of wonders", brand="Acme", gtin="08712345678906", trusted=True),
            id="one code, both trusted",
        ),
        pytest.param(
            product(
                "Conti-Rad Spurt 532 tyre, 32-622", brand="Conti-Rad", gtin="8712345678906", trusted=True
            ),
            product("Conti-Rad Spurt 532 700x32C", brand="Conti-Rad", gtin="8712345678906", trusted=True),
            id="one trusted code, sizes in two notations",
        ),
        pytest.param(
            product("Helder lamp", brand="Helder", mpn="HE40417"),
            product("Helder lamp for the table", brand="Helder", mpn="40417"),
            id="the maker's number",
        ),
    ],
)
def test_one_product(a: Facts, b: Facts) -> None:
    assert both_ways(a, b).same, both_ways(a, b)
    assert set(keys(a)) & set(keys(b))


@pytest.mark.parametrize(
    ("a", "b", "feature"),
    [
        pytest.param(
            COFFEE,
            product("Casa Lupo Nero 137 coffee beans, 500 g", brand="Casa Lupo"),
            "mass",
            id="another size",
        ),
        pytest.param(
            BULBS, product("Lumio Clear 359 lm LED bulb E27", brand="Lumio"), "pack", id="one, not three"
        ),
        pytest.param(
            BULBS,
            product("Lumio Clear 359 lm LED bulb E27 set of 6", brand="Lumio"),
            "pack",
            id="another pack",
        ),
        pytest.param(
            SOUND,
            product("Kestrel Audio Hush 569 headphones, white", brand="Kestrel Audio"),
            "colour",
            id="colour",
        ),
        pytest.param(
            DRILL, product("Tygo DX 18-449 cordless drill", brand="Tygo"), "model", id="another model"
        ),
        pytest.param(
            product("Fjellvik Ridge 28 jacket, M", brand="Fjellvik"),
            product("Fjellvik jacket Ridge 28 XL", brand="Fjellvik"),
            "variant",
            id="another size of clothes",
        ),
        pytest.param(
            DRILL, product("Hartmann DX 18-412 drill", brand="Hartmann"), "brand", id="another maker"
        ),
        pytest.param(
            product("Box", brand="Acme", gtin="8712345678906", trusted=True),
            product("Box", brand="Acme", gtin="4006381333931", trusted=True),
            "gtin",
            id="two codes, both trusted",
        ),
    ],
)
def test_two_products_that_one_fact_tells_apart(a: Facts, b: Facts, feature: str) -> None:
    said = both_ways(a, b)
    assert said.ruled_out
    assert said.score == 0
    assert feature in {each.feature for each in said.because if each.points <= -1}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param(
            COFFEE, product("Casa Lupo Nero 137 coffee beans", brand="Casa Lupo"), id="size not said"
        ),
        pytest.param(
            SOUND, product("Kestrel Audio Hush 569 headphones", brand="Kestrel Audio"), id="no colour"
        ),
        pytest.param(
            product("Blue mug", brand="Acme"), product("Mug, blue", brand="Acme"), id="nothing tells it"
        ),
        pytest.param(
            product("Acme Aria 412 radio", brand="Acme"),
            product("Acme Hush 412 radio", brand="Acme"),
            id="names",
        ),
        pytest.param(DRILL, product("Tygo DX 18-412 Pro cordless drill", brand="Tygo"), id="the Pro"),
        pytest.param(
            SOUND, product("Case for Kestrel Hush 569, black", brand="Kestrel Audio"), id="its case"
        ),
        pytest.param(
            product("Wonderbox", gtin="8712345678906"),
            product("Dreamcase", gtin="8712345678906"),
            id="untrusted",
        ),
    ],
)
def test_too_little_is_left_alone(a: Facts, b: Facts) -> None:
    said = both_ways(a, b)
    assert not said.same
    assert said.score < BAR


def flat(**said: Any) -> Facts:
    shown = {"address": "Lindelaan 12, 3511 AB Utrecht", "area_m2": 78.0, "rooms": 3, "price": 120_000}
    given = {name: value for name, value in {**shown, **said}.items() if value is not None}
    return facts(Kind.LISTING, given.pop("title", "Licht appartement"), **given)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(flat(title="Ruim bovenhuis met balkon"), True, id="another title"),
        pytest.param(
            flat(address="LINDELAAN 12, UTRECHT", postcode="3511AB", area_m2=79.0), True, id="written so"
        ),
        pytest.param(flat(price=124_000, rooms=None), True, id="a little dearer"),
        pytest.param(flat(area_m2=92.0, price=139_000), False, id="a bigger flat in the same house"),
        pytest.param(flat(rooms=4, price=131_000), False, id="more rooms"),
        pytest.param(flat(address="Lindelaan 14, 3511 AB Utrecht"), False, id="the house next door"),
        pytest.param(
            flat(address="Lindelaan 12, 9711 CD Groningen"), False, id="the same street in another town"
        ),
        pytest.param(flat(address="Lindelaan, Utrecht", price=126_000), False, id="no number, another rent"),
        pytest.param(flat(address=None), False, id="no address"),
    ],
)
def test_flats(other: Facts, same: bool) -> None:
    assert both_ways(flat(), other).same is same, both_ways(flat(), other)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Rosenstr. 5, 50325 Köln", "Rosenstraße 5, 50325 Köln"),
        ("Mill St 31, Dublin", "Mill Street 31, D45 JS98, Dublin"),
        ("Cedar Rd. 6, Cork", "Cedar Road 6, Cork"),
    ],
)
def test_streets_are_written_short_and_long(one: str, two: str) -> None:
    a, b = flat(address=one), flat(address=two)
    assert both_ways(a, b).same
    assert set(keys(a)) & set(keys(b))


def evening(title: str = "Roos van Dalen speelt Onder de Dijk", **said: Any) -> Facts:
    shown = {
        "starts_at": "2026-03-14T20:00:00+01:00",
        "time_known": True,
        "venue": "Theater de Lantaarn",
        "latitude": 52.0868,
        "longitude": 5.1236,
    }
    return facts(Kind.EVENT, title, **{**shown, **said})


FAR_AWAY: dict[str, Any] = {"latitude": 53.22, "longitude": 6.56}


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(evening(venue="De Lantaarn"), True, id="the venue's short name"),
        pytest.param(evening("LIVE: Roos van Dalen – Onder de Dijk (uitverkocht)"), True, id="agenda talk"),
        pytest.param(evening(starts_at="2026-03-14T19:30:00+01:00"), True, id="doors, not beginning"),
        pytest.param(evening(starts_at="2026-03-14T00:00:00+01:00", time_known=False), True, id="no hour"),
        pytest.param(evening(venue="Kleine zaal"), True, id="another name, the same place"),
        pytest.param(evening(starts_at="2026-03-21T20:00:00+01:00"), False, id="another day"),
        pytest.param(evening(starts_at="2026-03-14T15:00:00+01:00"), False, id="the matinee"),
        pytest.param(evening(venue="Oosterpoort", **FAR_AWAY), False, id="the same tour in another town"),
        pytest.param(evening("Trio Mistral: Zilver en Zout"), False, id="somebody else at that hour"),
        pytest.param(
            evening("Driekoningenavond door Roos van Dalen"), False, id="the same people in something else"
        ),
    ],
)
def test_evenings(other: Facts, same: bool) -> None:
    assert both_ways(evening(), other).same is same, both_ways(evening(), other)


def test_default_coordinates_are_no_evidence() -> None:
    elsewhere = evening(venue="Elders", coordinates_from="default")
    assert "place" not in {each.feature for each in both_ways(evening(), elsewhere).because}


@pytest.mark.parametrize(
    ("title", "measures", "many"),
    [
        ("beans 1 kg", {"mass": {1000.0}}, 1),
        ("beans ½ kg", {"mass": {500.0}}, 1),
        ("beans 0,25kg", {"mass": {250.0}}, 1),
        ("cola 6 x 330 ml", {"volume": {330.0}}, 6),
        ("drill incl. 2x 2,0Ah", {"charge": {2.0}}, 2),
        ("Warm 285 pack of 3", {}, 3),
        ("bulbs, box of 10", {}, 10),
        ("bulb, single", {}, 1),
        ("Hush 692", {}, 1),
    ],
)
def test_measures_are_read_in_one_unit(title: str, measures: dict[str, set[float]], many: float) -> None:
    said = read_title(title)
    assert said.measures == measures
    assert said.count == many


def test_colours_are_known_in_three_languages_and_with_a_slip() -> None:
    assert {
        colour for title in ("zwart", "Schwarz", "blck", "balck") for colour in read_title(title).colours
    } == {"black"}
    assert read_title("bluetooth headset").colours == frozenset()


def test_an_explanation_adds_up_to_the_score() -> None:
    said = both_ways(DRILL, product("Tygo DX 18-412 drill", price=2400))
    told = said.explanation()
    assert sum(each["points"] for each in told) == pytest.approx(said.score, abs=0.01)
    assert all(each["says"] for each in told)


def test_keys_are_few_and_of_one_kind() -> None:
    many = product("A1 B2 C3 D4 E5 F6 G7 H8 I9 J10 K11", brand="Acme", gtin="8712345678906", mpn="X12345")
    assert 0 < len(keys(many)) <= 12
    assert not set(keys(DRILL)) & set(keys(evening("Tygo DX 18-412 cordless drill")))
    assert keys(facts(Kind.EVENT, "No day")) == []
