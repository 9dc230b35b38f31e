"""Which of a row's amounts does its thing cost?"""

import pytest

from larder.sdk import Page
from larder.stages.parse.amounts import rough_amount
from larder.stages.parse.index_rows.visible import visible_rows


def price_of(shown: str) -> float:
    rows = "".join(
        f"<li class=card><a href='/thing/{n}0001'><h3>A thing called {n}</h3></a>{shown}</li>"
        for n in range(5)
    )
    found = visible_rows(Page("https://corner.test/offers", f"<ul>{rows}</ul>"))
    prices = {rough_amount(item.fields.get("price", "0")) for item in found}
    assert (len(found), len(prices)) == (5, 1), found
    return prices.pop()


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(
            "<div class=price><span>Prezzo base: </span><span>93,98 €</span></div>"
            "<div class=price><span>Prezzo di vendita: </span><span>114,65 €</span></div>"
            "<div class=price><span>Ammontare IVA: </span><span>20,67 €</span></div>",
            id="without tax, with tax, and the tax",
        ),
        pytest.param(
            "<p>0,5 kg <i class=reference>(229,30 €* / 1 Kilogramm)</i></p><p class=price>114,65 €*</p>",
            id="by the kilogram, with a footnote's mark",
        ),
        pytest.param(
            "<p>(229,30 € / 1 kg)</p><span class='price with-list-price'>114,65 € "
            "<span class=list-price>149,00 €</span></span>",
            id="beside a former price, and called so",
        ),
        pytest.param(
            "<div class=price-box><span class=price-excluding-tax><span class=price>€ 94,75</span></span>"
            "<span class=price-including-tax><span class=price>€ 114,65</span></span></div>",
            id="without tax by the name of what holds it",
        ),
        pytest.param(
            "<div class=cena-netto>1 093,21 zł <small>netto</small></div>"
            "<div class=cena-brutto>1 114,65 zł <small>brutto</small></div>",
            id="amounts of thousands without and with tax",
        ),
        pytest.param(
            "<dl><dt>Estimate</dt><dd>£230 - £345</dd><dt>Current bid</dt><dd>£114.65</dd></dl>",
            id="what an auction's lot may fetch",
        ),
        pytest.param(
            "<table><tr><td>Betriebskosten:</td><td>€ 89,40</td></tr>"
            "<tr><td>Kaufpreis:</td><td>€ 114,-</td></tr></table>",
            id="what a home costs beside its price",
        ),
        pytest.param("<p>Bought new for £199, hardly used. Price £114.65</p>", id="what it was bought for"),
        pytest.param("<p>Cost £230 new, want £114.65</p>", id="what it cost new, and what is wanted"),
        pytest.param("<p>Cost £230 new</p><b>£114.65</b>", id="a bare amount beside what it cost new"),
        pytest.param("<p>Schätzpreis: 230 €</p><p>Aktuelles Gebot: 114,65 €</p>", id="an estimate in German"),
        pytest.param(
            "<p class='card--price-shipping'><b class='card--price-shipping--price'>114,65 €</b></p>"
            "<p>reserviert</p>",
            id="in what holds price and shipping",
        ),
        pytest.param(
            "<p class=name>Touring bike, last year's (£30 off)</p><p class=amount>£114.65</p>",
            id="behind a text that mentions another",
        ),
        pytest.param(
            "<span><b>114</b> <i>kr</i></span><p>2024 / 21 000 km</p>", id="apart from its currency"
        ),
        pytest.param(
            f"<div class=price>{' ' * 150}114,65 €{' ' * 60}<div class=per>6,38 €/m²</div></div>",
            id="among spaces, with the price of a square metre",
        ),
        pytest.param(
            "<span class=rate>Finanzierung ab 19,90 € mtl.</span><strong>114,– €</strong><sup>65</sup>",
            id="an instalment before an amount with a dash",
        ),
    ],
)
def test_the_price_is_told_by_its_label_its_unit_and_its_name(shown: str) -> None:
    assert int(price_of(shown)) % 1_000 == 114


def test_cents_that_are_raised_behind_a_number_of_its_own_are_part_of_the_price() -> None:
    rows = "".join(
        f"<li><a href='/p/lamp-{n}'><p>Lamp nummer {n}</p>"
        f"<p><span>€</span><span>1.20{n}</span><sup>90</sup></p></a></li>"
        for n in range(6)
    )
    page = Page(
        "https://shop.test/lampen", f"<html lang=nl><body><h1>Lampen</h1><ul>{rows}</ul></body></html>"
    )
    assert [row.fields["price"] for row in visible_rows(page)] == [f"€ 1.20{n},90" for n in range(6)]


def test_a_price_without_a_name_beside_a_named_unit_price() -> None:
    box = "<div class=price><b>114,65 € *</b><i class=pricePerUnit>0.5 kg | 229,30 €/kg</i></div>"
    assert price_of(box) == 114.65


def test_rows_whose_price_has_no_name_beside_sales_that_have_one() -> None:
    def row(n: int) -> str:
        sale = f"<s>{n + 30},00 EUR</s> <span class=specialPrice>{n + 20},00 EUR</span>"
        shown = sale if n == 3 else f"{n + 20},00 EUR"
        return (
            f"<tr><td><a href='/thing/{n}0001'>A thing called {n}</a></td><td>Brand</td><td>{shown}</td></tr>"
        )

    page = Page("https://corner.test/offers", f"<table>{''.join(map(row, range(6)))}</table>")
    prices = [rough_amount(item.fields.get("price", "0")) for item in visible_rows(page)]
    assert prices == [20, 21, 22, 23, 24, 25]


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(
            "<i class=price-new>€94,75</i> <i>Excl. btw</i><i class=price>€114,65 Incl. btw</i>",
            id="with tax behind the one without",
        ),
        pytest.param(
            "<p class=price><b class=sum>94,75 €</b> <i>HT</i> <b class=sum>114,65 €</b> <i>TTC</i></p>",
            id="without and with tax, each said behind",
        ),
        pytest.param(
            "<ul class=price><li class=market-price><i>Preço de mercado:</i> <i class=value>149,00 €</i></li>"
            "<li><i class=price>114,65 €</i></li></ul>",
            id="what others ask for it",
        ),
        pytest.param(
            "<p class=price><span data-hook=price-before-discount>149,00 €</span><span>114,65 €</span></p>",
            id="a former price that only a name for tests tells",
        ),
        pytest.param(
            "<p class=price><i class=productOldPrice>Unser bisheriger Preis hier 149,00 EUR</i><br>"
            "Jetzt nur 114,65 EUR<br><i>Sie sparen 23% / 34,35 EUR</i><br><i>229,30 EUR pro kg</i></p>",
            id="in a long text of prices",
        ),
        pytest.param("<p class=de>De R$ 149,00</p><p class=por>Por R$ 114,65</p>", id="de and por, in reais"),
        pytest.param(
            "<i>Spar 500,-</i><p>Fra 24,- pr. md.</p><p>Før 614,65,-</p><p>114,65,-</p>",
            id="an amount without a currency, its saving, its monthly payment and what it was",
        ),
        pytest.param(
            "<div>E-Book <b>9,99 €</b></div><div class=pr><b>114,65 €</b></div>", id="beside another edition"
        ),
        pytest.param(
            "<p><i>149,00 €</i> <i>114,65 €</i> <i>229,30 €/L</i> <i>Cassa da 6: 653,00 €</i></p>",
            id="the lower of two without a word about either",
        ),
        pytest.param(
            "<b><i>$</i><i>114</i><i>.65</i></b> <b class=line-through><i>$</i><i>149</i><i>.00</i></b>",
            id="in pieces, the former one struck by its class",
        ),
        pytest.param("<p>Was US$ 149.00</p><p>Now US$ 114.65</p>", id="was and now, in US$"),
        pytest.param(
            "<del aria-hidden=true>149,00 €</del> <i class=sr>El precio original era: 149,00 €.</i>"
            "<ins>114,65 €</ins> <i class=sr>El precio actual es: 114,65 €.</i>",
            id="what a screen reader says of both",
        ),
    ],
)
def test_the_selling_price_among_others(shown: str) -> None:
    assert price_of(shown) == 114.65


def test_a_badge_of_a_few_rows_is_no_title() -> None:
    def row(n: int) -> str:
        badge = "<li>Fuera de stock</li>" if n == 2 else ""
        link = f"<a href='/j/{n}-red-pot-{n}.html'>"
        title = f"{link}<p class=title>Red pot {n}</p></a>"
        return f"<article>{link}<ul>{badge}</ul><img alt=''></a>{title}<b>{n + 3},00 €</b></article>"

    page = Page("https://corner.test/j", f"<main>{''.join(map(row, range(6)))}</main>")
    assert [item.fields["title"] for item in visible_rows(page)] == [f"Red pot {n}" for n in range(6)]


def test_a_list_that_filters_apply_to_is_no_filter() -> None:
    rows = "".join(
        f"<div><a href='/tea/sort-{n}.html'>Tea sort {n}</a> <b>{n + 3},00 €</b></div>" for n in range(6)
    )
    page = Page("https://corner.test/tea", f"<div class='row product-filter-target'>{rows}</div>")
    assert len(visible_rows(page)) == 6


def test_rows_with_a_price_of_several_have_that_of_one_too() -> None:
    """Where few have what is called a price, and that is of another amount of them."""
    scale = "<p class=lowestScalePrice>from 3 packs € 6,99</p>"
    rows = "".join(
        f"<li class=card><a href='/plant/{n}0001'><h3>Plant called {n}</h3></a>"
        f"<a href='/cart?add={n}' class=button><span><i>€</i> 8,99</span></a>{scale if n < 2 else ''}</li>"
        for n in range(6)
    )
    found = visible_rows(Page("https://garden.test/offers", f"<ul>{rows}</ul>"))
    assert [rough_amount(item.fields.get("price", "0")) for item in found] == [8.99] * 6
