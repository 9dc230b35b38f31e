"""Area, rooms, bedrooms and bathrooms, as people write them in many languages."""

import pytest

from larder.sdk import Page
from larder.stages.parse.heuristic.listing.facts import facts


def read(body: str, *, title: str = "House", language: str = "en", head: str = "") -> dict[str, str]:
    html = f"<html lang={language}><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return facts(Page("https://homes.test/1", html))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        pytest.param(
            "<h1>Terrace</h1><p>3 bed | 2 bath | 1,200 sq ft</p>",
            {"beds": "3", "baths": "2", "area": "1,200 sq ft"},
            id="English, one line",
        ),
        pytest.param(
            "<h1>Condo</h1><ul><li>3 bds</li><li>2.5 ba</li><li>1,450 sqft</li></ul>",
            {"beds": "3", "baths": "2.5", "area": "1,450 sq ft"},
            id="American abbreviations",
        ),
        pytest.param(
            "<h1>Wohnung</h1><dl><dt>Wohnfläche</dt><dd>84,5 m²</dd><dt>Zimmer</dt><dd>3,5</dd>"
            "<dt>Schlafzimmer</dt><dd>2</dd><dt>Badezimmer</dt><dd>1</dd></dl>",
            {"area": "84,5 m²", "rooms": "3,5", "beds": "2", "baths": "1"},
            id="German, a definition list",
        ),
        pytest.param(
            "<h1>Wohnung</h1><div><span>3 Zi.</span><span>78 qm</span></div>",
            {"rooms": "3", "area": "78 m²"},
            id="German abbreviations",
        ),
        pytest.param(
            "<h1>Kerkstraat 1</h1><table><tr><th>Woonoppervlakte</th><td>112 m²</td></tr>"
            "<tr><th>Perceel</th><td>240 m²</td></tr>"
            "<tr><th>Aantal kamers</th><td>5 kamers (4 slaapkamers)</td></tr>"
            "<tr><th>Aantal badkamers</th><td>1 badkamer en 1 apart toilet</td></tr></table>",
            {"area": "112 m²", "rooms": "5", "beds": "4", "baths": "1"},
            id="Dutch, a table, with a plot",
        ),
        pytest.param(
            "<h1>Appartement</h1><p>4 pièces · 3 chambres · 1 salle de bain · 92 m²</p>",
            {"rooms": "4", "beds": "3", "baths": "1", "area": "92 m²"},
            id="French, one line",
        ),
        pytest.param(
            "<h1>Maison</h1><ul><li>Surface habitable : 120 m²</li><li>Terrain : 600 m²</li></ul>",
            {"area": "120 m²"},
            id="French, label and value in one text",
        ),
        pytest.param(
            "<h1>Piso</h1><div><b>3</b><span>habs.</span><b>2</b><span>baños</span><b>95</b><span>m²</span></div>",
            {"beds": "3", "rooms": "3", "baths": "2", "area": "95 m²"},
            id="Spanish, number and unit apart",
        ),
        pytest.param(
            "<h1>Appartamento</h1><li>3 locali</li><li>2 camere da letto</li><li>1 bagno</li><li>80 mq</li>",
            {"rooms": "3", "beds": "2", "baths": "1", "area": "80 m²"},
            id="Italian",
        ),
        pytest.param(
            "<h1>Apartamento</h1><p>2 quartos</p><p>1 banheiro</p><p>47 m²</p>",
            {"beds": "2", "baths": "1", "area": "47 m²"},
            id="Portuguese",
        ),
        pytest.param("<h1>Lägenhet</h1><p>3 rum, 75 kvm</p>", {"rooms": "3", "area": "75 m²"}, id="Swedish"),
        pytest.param(
            "<h1>Mieszkanie</h1><p>3 pokoje</p><p>Powierzchnia: 62 m²</p>",
            {"rooms": "3", "area": "62 m²"},
            id="Polish",
        ),
        pytest.param(
            "<h1>Flat</h1><div><div><span>3</span><span>Bedrooms</span></div>"
            "<div><span>2</span><span>Bathrooms</span></div></div>",
            {"beds": "3", "baths": "2"},
            id="the number stands above its label",
        ),
        pytest.param(
            "<h1>Flat</h1><div><div><span>Bedrooms</span><span>3</span></div>"
            "<div><span>Bathrooms</span><span>2</span></div></div>",
            {"beds": "3", "baths": "2"},
            id="the number stands below its label",
        ),
        pytest.param(
            "<h1>Flat</h1><p><span>Bedrooms</span><span>3</span><span>Bathrooms</span><span>2</span></p>",
            {"beds": "3", "baths": "2"},
            id="labels and numbers in turn, labels first",
        ),
        pytest.param(
            "<h1>Flat</h1><ul><li><i class='icon-bed'></i>3</li><li><i class='icon-bath'></i>2</li></ul>",
            {"beds": "3", "baths": "2"},
            id="icons that are named",
        ),
        pytest.param(
            "<h1>Flat</h1><ul><li title=Bedrooms>3</li><li aria-label=Bathrooms>2</li></ul>",
            {"beds": "3", "baths": "2"},
            id="labels in attributes",
        ),
        pytest.param(
            "<h1>Flat</h1><p>Size: 80 m<sup>2</sup></p>", {"area": "80 m²"}, id="a raised 2 of its own"
        ),
        pytest.param(
            "<h1>Flat</h1><table><tr><td>Area (m²)</td><td>80</td></tr></table>",
            {"area": "80 m²"},
            id="the unit stands in the label",
        ),
        pytest.param(
            "<h1>Home</h1><span>Square Feet:</span><span>1056</span>",
            {"area": "1056 sq ft"},
            id="square feet",
        ),
        pytest.param(
            "<h1>Flat</h1><p>Living area 90 m²</p><p>Garden 300 m²</p><p>Price per m²: 4.000 €/m²</p>",
            {"area": "90 m²"},
            id="other areas and prices per area",
        ),
        pytest.param(
            "<h1>House</h1><p>315 m²</p><p>Land size</p><p>315 m²</p>",
            {},
            id="what is the plot's area elsewhere is not the home's",
        ),
        pytest.param(
            "<h1>Flat</h1><p>2 bedrooms</p><div class=similar-homes><p>5 bedrooms</p><p>200 m²</p></div>",
            {"beds": "2"},
            id="similar homes do not count",
        ),
        pytest.param(
            "<h1>Flat</h1><p>2 bedrooms</p><form><b>Bedrooms</b><i>4</i></form>",
            {"beds": "2"},
            id="a search form does not count",
        ),
        pytest.param(
            "<h1>Flat</h1><p>Bright home of three floors with 4 bedrooms, near 61348 Bad Homburg.</p>",
            {"beds": "4"},
            id="a sentence, where nothing else says it",
        ),
        pytest.param(
            "<h1>Flat</h1><p>2 bedrooms</p><p>650 sq ft</p><p>1 bathroom</p>",
            {"beds": "2", "area": "650 sq ft", "baths": "1"},
            id="an area behind a count is not a bedroom's",
        ),
        pytest.param(
            "<h1>Flat</h1><dl><dt class='grid-item bath'>Badezimmer</dt><dd class=grid-item>1</dd></dl>",
            {"baths": "1"},
            id="a pair that its layout calls an item of a grid",
        ),
        pytest.param("<h1>Oak table</h1><p>Seats 6, 200 x 90 cm, 35 kg</p>", {}, id="a table is no home"),
    ],
)
def test_facts_are_read_as_people_write_them(body: str, told: dict[str, str]) -> None:
    assert read(body) == told


@pytest.mark.parametrize(
    ("title", "language", "told"),
    [
        pytest.param("3 bed flat for sale in Leeds", "en", {"beds": "3"}, id="beds in an English title"),
        pytest.param("3-Zimmer-Wohnung in Köln", "de", {"rooms": "3"}, id="rooms in a German title"),
        pytest.param("Trilocale via Roma 3, Torino", "it", {"rooms": "3"}, id="an Italian name that counts"),
        pytest.param("Appartement T3 à Lyon", "fr", {"rooms": "3"}, id="French T3: rooms"),
        pytest.param("Apartamento T3 em Lisboa", "pt", {"beds": "3"}, id="Portuguese T3: bedrooms"),
        pytest.param("Prodej bytu 2+kk, 54 m²", "cs", {"rooms": "2", "area": "54 m²"}, id="Czech 2+kk"),
    ],
)
def test_titles_tell_facts(title: str, language: str, told: dict[str, str]) -> None:
    assert read(f"<h1>{title}</h1>", title=title, language=language) == told


@pytest.mark.parametrize(
    ("body", "area"),
    [
        ("<dl><dt>Wohnfläche ca.</dt><dd>77 m²</dd></dl><p>76,93 ㎡</p>", "76,93 m²"),
        ("<dl><dt>Wohnfläche ca.</dt><dd>77 m²</dd></dl><p>71,93 ㎡</p>", "77 m²"),
        ("<dl><dt>Wohnfläche</dt><dd>77 m²</dd><dt>Keller</dt><dd>76,9 m²</dd></dl>", "77 m²"),
    ],
    ids=["rounded", "another area", "the area of a cellar"],
)
def test_an_exact_area_beats_the_same_one_rounded(body: str, area: str) -> None:
    assert read(f"<h1>Wohnung</h1>{body}", language="de")["area"] == area


def test_a_labelled_value_beats_a_mention_in_the_text() -> None:
    body = "<h1>Flat</h1><p>Like the 5 bedrooms next door, but with more light than all of them together.</p>"
    assert read(f"{body}<dl><dt>Bedrooms</dt><dd>2</dd></dl>") == {"beds": "2"}
