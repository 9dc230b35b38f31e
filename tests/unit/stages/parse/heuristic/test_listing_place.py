"""Where a listing is: an address line, a label, a title's "in", the line below the headline, the trail."""

import pytest

from larder.sdk import Page
from larder.stages.parse.heuristic.listing.locality import locality


def read(body: str, *, title: str = "Flat", head: str = "") -> str:
    return locality(
        Page("https://homes.test/1", f"<head><title>{title}</title>{head}</head><body>{body}</body>")
    )


@pytest.mark.parametrize(
    ("body", "title", "place"),
    [
        pytest.param(
            "<h1>Flat</h1><p class=address>Kerkstraat 12, 3511 AB Utrecht</p>",
            "Flat",
            "Kerkstraat 12, 3511 AB Utrecht",
            id="an address line",
        ),
        pytest.param(
            "<h1>Ruhige Maisonette im Zentrum</h1><h2>34117 Kassel, Wohnung zur Miete</h2>",
            "Ruhige Maisonette im Zentrum",
            "34117 Kassel",
            id="a line below the headline, not what a title says of every town",
        ),
        pytest.param(
            "<h1>Helle Wohnung im Zentrum</h1>", "Helle Wohnung im Zentrum", "", id="a centre is no place"
        ),
        pytest.param(
            "<h1>Flat</h1><div class=propertyAddress><span>5 High St</span><span>, Leeds</span></div>",
            "Flat",
            "5 High St, Leeds",
            id="an address in pieces",
        ),
        pytest.param(
            "<h1>Polo</h1><dl><dt>Standort</dt><dd>Graz</dd></dl>", "Polo", "Graz", id="a labelled place"
        ),
        pytest.param(
            "<h1>Polo</h1><p>Plaats: Zwolle</p>", "Polo", "Zwolle", id="label and value in one text"
        ),
        pytest.param(
            "<h1>Rower</h1><span class=row_label>Lokalizacja</span><span>Lublin</span>",
            "Rower",
            "Lublin",
            id="what is called a label needs no colon",
        ),
        pytest.param("<h1>Sofa</h1><p><b>Local:</b> Porto</p>", "Sofa", "Porto", id="in Portuguese"),
        pytest.param(
            "<ul class=breadcrumb><li>Home<li>Used<li>Sofas</ul><h1>Blue one</h1><p>€ 20</p>",
            "Blue one",
            "",
            id="the trail of goods leads through categories",
        ),
        pytest.param(
            "<nav class=breadcrumb><a href=/>Home</a><a href=/c/9>Marketplace</a>"
            "<a href=/c/9/2>Bikes</a></nav><h1>Flat wheels</h1>",
            "Flat wheels",
            "",
            id="the trail of a board leads through its marketplace",
        ),
        pytest.param(
            "<h1>Nikon 50mm</h1><div class=topic-category><a href=/c/9>Lenses</a></div>",
            "Nikon 50mm - Lenses - Camera Talk",
            "",
            id="a category beside the headline, repeated by the title",
        ),
        pytest.param(
            "<a href=/>Lens Exchange</a><h1>Nikon 50mm</h1>",
            "Nikon 50mm | Lens Exchange",
            "",
            id="the site's name beside the headline",
        ),
        pytest.param("<h1>Korg</h1><p>VB 1310 Euro. Top!</p>", "Korg", "", id="an amount is no postcode"),
        pytest.param(
            "<h1>Polo</h1><div>Localisation</div><span>Nice</span><span>06000</span>",
            "Polo",
            "Nice 06000",
            id="a town with its postcode",
        ),
        pytest.param(
            "<h1>Home</h1><b>Address:</b><p>350 Forest Dr</p><p>Casper, WY 82609</p>",
            "Home",
            "350 Forest Dr, Casper, WY 82609",
            id="an address of two lines",
        ),
        pytest.param(
            "<h1>Piso en venta en Calle Goya, 54, Madrid</h1>",
            "Piso en venta en Calle Goya, 54, Madrid",
            "Calle Goya, 54, Madrid",
            id="Spanish title",
        ),
        pytest.param(
            "<h1>3-Zimmer-Wohnung mieten in 50667 Köln</h1>",
            "3-Zimmer-Wohnung mieten in 50667 Köln | homes",
            "50667 Köln",
            id="German title with a postcode",
        ),
        pytest.param(
            "<h1>Huis te koop in Den Haag</h1>", "Huis te koop in Den Haag", "Den Haag", id="Dutch title"
        ),
        pytest.param(
            "<h1>Appartement à vendre à Lyon</h1>", "Appartement à vendre à Lyon", "Lyon", id="French title"
        ),
        pytest.param(
            "<h1>2200 Pacific Ave, San Francisco, CA 94115</h1>",
            "2200 Pacific Ave, San Francisco, CA 94115",
            "2200 Pacific Ave, San Francisco, CA 94115",
            id="the title is the address",
        ),
        pytest.param(
            "<h1>Duplex for sale</h1><span>Goya, Madrid</span>",
            "Duplex for sale, Goya, Madrid - Homes",
            "Goya, Madrid",
            id="the line below the headline, repeated by the title",
        ),
        pytest.param(
            "<ul class=breadcrumb><li>Home</li><li>Houses for sale</li><li>Yorkshire</li><li>Leeds</li></ul>"
            "<h1>Lovely place</h1>",
            "Lovely place",
            "Leeds, Yorkshire",
            id="the trail, without its categories",
        ),
        pytest.param(
            "<h1>Flat</h1><p>10115 Berlin</p>", "Flat", "10115 Berlin", id="a postcode with its town"
        ),
        pytest.param(
            "<h1>Flat</h1><button>Location</button><button>Statistics</button>",
            "Flat",
            "",
            id="tabs are no label and value",
        ),
        pytest.param(
            "<h1>Flat</h1><footer><address>Office Road 1, London</address></footer>",
            "Flat",
            "",
            id="the address of the office",
        ),
        pytest.param(
            "<h1>Flat</h1><p class=location>Show map</p>", "Flat", "", id="a link to a map is no place"
        ),
        pytest.param(
            "<h1>Dom na wynajem</h1><a href='#m'>Warszawa, Wola</a>"
            "<p><b>Położenie:</b> miasto</p><h2>Opis</h2>",
            "4 pokoje - Warszawa, Wola - 57024248",
            "Warszawa, Wola",
            id="the value of a label is no label of what follows",
        ),
        pytest.param(
            "<h1>13 Hastings Court, Balbriggan</h1><p><address>9 Abbey Street, Clonee</address></p>",
            "13 Hastings Court, Balbriggan",
            "13 Hastings Court, Balbriggan",
            id="the title that is an address, not the office",
        ),
        pytest.param(
            "<ol data-testid=crumbs><li>Start</li><li>To let</li><li>To let - Leeds</li></ol>"
            "<h1>Flat with 3 rooms</h1><p>55 m²</p>",
            "Buy and sell on Homes.com",
            "Leeds",
            id="a trail that repeats its category, not the name of the site",
        ),
        pytest.param(
            "<h1>Ilidža / Stan / NOVOGRADNJA</h1><p>Novo</p>",
            "Ilidža / Stan / NOVOGRADNJA",
            "",
            id="a text that is only a part of the title's words",
        ),
    ],
)
def test_a_place_is_read_from_what_the_page_shows(body: str, title: str, place: str) -> None:
    assert read(body, title=title) == place


def test_meta_tags_name_the_place() -> None:
    head = "<meta property=og:street-address content='5 High St'><meta property=og:locality content=Leeds>"
    assert read("<h1>Flat</h1>", head=head) == "5 High St, Leeds"
