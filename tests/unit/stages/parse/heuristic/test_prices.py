"""Which amount sells the thing?"""

import pytest

from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.prices import selling_price


def price(body: str) -> str:
    page = Page("https://x.test/kettle", f"<title>Kettle</title><main><h1>Kettle</h1>{body}</main>")
    return selling_price(page, headline(page)[1])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("<b class=price>€ 12,50</b>", "€ 12,50", id="the only one"),
        pytest.param(
            "<div class=details-footer><b class=price>EGP 222</b></div><p><b class=price>EGP 234</b></p>",
            "EGP 222",
            id="in the last part of the thing's details, which is no footer of the page",
        ),
        pytest.param(
            "<del class=price>€ 20</del><b class=price>€ 12</b>", "€ 12", id="crossed out by its tag"
        ),
        pytest.param(
            "<b class='price old-price'>€ 20</b><b class='price'>€ 12</b>",
            "€ 12",
            id="crossed out by its name",
        ),
        pytest.param(
            "<b class=price style='text-decoration: line-through'>€ 20</b><b class=price>€ 12</b>",
            "€ 12",
            id="crossed out by its style",
        ),
        pytest.param("<b class=price>€ 12</b><b class=price>€ 4,80 / kg</b>", "€ 12", id="not per unit"),
        pytest.param("<p>Odbiór osobisty lub wysyłka za 25 zł</p>", "", id="not what sending costs"),
        pytest.param(
            "<p>Finanzierung ab 199,00 € mtl.</p><strong>13.957,– €</strong>", "13.957,– €", id="not a rate"
        ),
        pytest.param(
            "<table><tr><th>Prijs excl. btw</th><td>€ 154,01</td></tr>"
            "<tr><th>Prijs incl. btw</th><td>€ 186,35</td></tr></table>",
            "€ 186,35",
            id="not without tax, as the cell before says",
        ),
        pytest.param(
            "<div class=cena-netto>1 858,05 zł <small>netto</small></div>"
            "<div class=cena-brutto>2 285,40 zł <small>brutto</small></div>",
            "2 285,40 zł",
            id="not without tax, as the words behind it say",
        ),
        pytest.param("<p>Pris: <b>1 250:-</b></p>", "1 250:-", id="as Swedes write it"),
        pytest.param("<b class=shipping-price>€ 4</b><b class=price>€ 12</b>", "€ 12", id="not the shipping"),
        pytest.param(
            "<b class=price>€ 12</b></main><section class=related><b class=price>€ 3</b></section>",
            "€ 12",
            id="not a related one",
        ),
        pytest.param(
            "<b>€ 12</b><div><h3>Similar kettles</h3><p>€ 3</p></div>", "€ 12", id="not below such a heading"
        ),
        pytest.param("<h2>Ähnliche Anzeigen</h2><p>3 €</p>", "", id="nor where there is no other"),
        pytest.param("<td>48,50EUR</td>", "48,50EUR", id="a currency's code without a space"),
        pytest.param(
            "<div class=price><i>Adviesprijs € 19,95</i> <b class=price>€ 12,<sup>95</sup></b></div>",
            "€ 12.95",
            id="raised cents beside another price",
        ),
        pytest.param("<div class=price><span>12</span><sup>95</sup> €</div>", "12.95 €", id="raised cents"),
        pytest.param(
            "<meta itemprop=price content=12.95><b itemprop=price content='12.95'>12,95</b>",
            "12.95",
            id="content of a span",
        ),
        pytest.param("<p>Only 49 kr today</p>", "Only 49 kr today", id="a currency in plain text"),
        pytest.param("<b>2320</b><i> 元 </i>", "2320 元", id="its sign in the next element"),
        pytest.param("<p>from $<b>99</b></p>", "$ 99", id="its sign before the element"),
        pytest.param("<p><b>1984</b><i>Orwell</i></p>", "", id="a word beside it is no sign"),
        pytest.param("<p>Since 1984</p>", "", id="a year is no price"),
        pytest.param("<b class=price>on request</b>", "", id="no number"),
        pytest.param("<b class=price>Reward € 5</b><b class=price>€ 12</b>", "€ 12", id="not a reward"),
        pytest.param("<b class=price>-30%</b><b class=price>€ 12</b>", "€ 12", id="not a percentage"),
        pytest.param(
            "<p><span>You save:</span><b class=price>€ 8</b></p><b class=price>€ 12</b>",
            "€ 12",
            id="not what is saved, said by the element before",
        ),
        pytest.param(
            "<b class=price>€ 12</b><p><span>Average price</span><b class=price>€ 9</b></p>",
            "€ 12",
            id="not an average",
        ),
        pytest.param(
            "<b class=price>€ 12</b><p class=price>monatlich 1,50 €</p>", "€ 12", id="not an instalment"
        ),
        pytest.param(
            "<b class=price>UVP 20,00 €</b><b class=price>12,00 €</b>",
            "12,00 €",
            id="a former price by its word",
        ),
        pytest.param(
            "<b class=price>€ 12</b><div><div><div><div><b class=price>€ 9</b></div></div></div></div>",
            "€ 12",
            id="a lower one far from it is another thing's",
        ),
        pytest.param(
            "<div class=loyalty><b class=price>€ 9</b></div><b class=price>€ 12</b>",
            "€ 12",
            id="not the club's",
        ),
        pytest.param("<b class=unit-price>€ 12</b>", "€ 12", id="a unit price where no other is shown"),
        pytest.param(
            "<div class=rewards><b class=offer-price>€ 10</b></div><b class=price>€ 12</b>",
            "€ 10",
            id="what is called the offer's price counts wherever it stands",
        ),
        pytest.param(
            "<div class=grid-item><b class=price>€ 12</b></div>",
            "€ 12",
            id="aside by its name alone, and near",
        ),
        pytest.param(
            "<div class=price>£12.00 <span class=price-tax>Ex Tax: £10.00</span></div>",
            "£12.00",
            id="not the amount without tax in a part of it",
        ),
        pytest.param(
            "<h2>£12.00</h2></main><section><b class=price>£3.00</b></section>",
            "£12.00",
            id="an unnamed amount beside the headline, not another thing's named one",
        ),
        pytest.param(
            "<h2 id=prices><b class=productBasePrice>$12.00</b></h2>", "$12.00", id="the only one by any name"
        ),
        pytest.param(
            "<ul><li>£12.00</li><li>10 or more £11.00</li></ul>", "£12.00", id="not the price for many"
        ),
        pytest.param(
            "<p>Selling it here. Asking price: 120 € shipped.</p><p>Would you take 90 €?</p>",
            "Selling it here. Asking price: 120 € shipped.",
            id="the first that is asked for, not what somebody offers",
        ),
        pytest.param(
            "<p data-testid=ad-price>90 zł<style>.x{}</style><span>negotiable</span></p>",
            "90 zł negotiable",
            id="words glued to its currency",
        ),
        pytest.param(
            "<b class=price>Ask the seller</b><p>When it was new it did cost 300 euros in the shop.</p>",
            "",
            id="no amount where words stand for the price",
        ),
        pytest.param(
            "<div class=price><i class=compare-at>$20.00</i> <i class=sale>$12.00</i> "
            "<i class=save>Save $8.00</i></div>",
            "$12.00",
            id="the one that sells of three in one price",
        ),
        pytest.param(
            "<b class=price>16,66 € HT</b><b class=price>19,99 € TTC</b>",
            "19,99 € TTC",
            id="with tax, in French",
        ),
        pytest.param(
            "<b class=price>€ 12</b><b class=member-price>€ 10</b>", "€ 12", id="not the members' price"
        ),
        pytest.param(
            "<span>Cart $0.00</span><p>Now 12.00 $ VAT incl.</p>", "Now 12.00 $ VAT incl.", id="not nothing"
        ),
        pytest.param("<b class=price>85,00 Euro</b>", "85,00 Euro", id="a currency in letters"),
        pytest.param(
            "<b itemprop=price content=800>800&nbsp;€</b>", "800 €", id="a stated number with the sign shown"
        ),
        pytest.param(
            "<b itemprop=price content=1299.00>1.299,00 €</b>", "1299.00 €", id="written in two ways"
        ),
        pytest.param("<b itemprop=price content=4.199>4,20 €</b>", "4,20 €", id="three decimals"),
        pytest.param("<b itemprop=price content=850>$ 799</b>", "850", id="another amount is shown"),
    ],
)
def test_the_selling_price_is_chosen(body: str, expected: str) -> None:
    assert price(body) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Prezzi da € 245.000 a € 340.000", "€ 245.000"),
        ("Prices from £245,000 to £340,000", "£245,000"),
        ("Preise von 245.000 € bis 340.000 €", "245.000 €"),
        ("Prijzen vanaf € 245.000 tot € 340.000", "€ 245.000"),
        ("Prijs tussen € 245.000 en € 340.000", "€ 245.000"),
        ("Ceny od 245 000 zł do 340 000 zł", "245 000 zł"),
        ("Prezzo: € 245.000 - € 340.000", "€ 245.000"),
    ],
)
@pytest.mark.parametrize("rent", [False, True], ids=["sold", "listed"])
def test_a_stretch_of_prices_begins_with_the_lower_one(text: str, expected: str, rent: bool) -> None:
    html = f"<title>Corte Verdi</title><main><h1>Corte Verdi</h1><p>{text}</p><p>Spese € 120</p></main>"
    page = Page("https://x.test/homes/1", html)
    assert selling_price(page, headline(page)[1], rent=rent) == expected


def test_a_part_of_the_headline_may_be_the_price() -> None:
    page = Page("https://x.test/kettle", "<title>Kettle</title><h1>Kettle <b class=price>€ 12</b></h1>")
    assert selling_price(page, headline(page)[1]) == "€ 12"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All original and working. Asking €250 plus shipping.", "€250"),
        ("Verkaufe wie beschrieben. Preis: 250 € inkl. Versand", "250 €"),
        ("Hämtas i Solna, säljes på grund av flytt. Nypris 4 500 kr.", ""),
        ("Collection from Leeds, cash on collection. RRP £899.", ""),
        ("Skickas gärna med ombud från 59 kr", ""),
        ("Продаю велосипед, торг. Брал за 40 000 ₽.", ""),
        ("Vends canapé d'angle pour cause de déménagement, acheté 450 €", ""),
        ("Wegen Umzug. Neupreis war 658 Euro.<br>Preisvorstellung: 329,- € VHB zzgl. 7 € Versand", "329,- €"),
        ("Wegen Umzug abzugeben, Neupreis lag bei 658 Euro", ""),
        ("Te koop wegens verhuizing. Nieuwprijs was € 658", ""),
        ("My guitar, paid $5,900 new.<br>Asking $1,980 shipped, PayPal fees extra.", "$1,980"),
        ("Vendo per rinnovo. Pagato 440 euro.<br>Richiesta: 140 euro + spedizione (15 euro).", "140 euro"),
        ("L-am cumpărat cu 9 000 lei acum doi ani, ca nou.", ""),
    ],
)
def test_an_advert_s_prose_names_a_price_only_where_it_asks_for_it(text: str, expected: str) -> None:
    page = Page("https://x.test/ad/1", f"<title>Sofa</title><main><h1>Sofa</h1><p>{text}</p></main>")
    found = selling_price(page, headline(page)[1], rent=True)
    assert expected in found if expected else found == ""


SIGNS = "$ € £ ¥ ₹ ￥ 원 円 元 EUR USD Euro euros TRY UAH Rs kn zł Kč kr Ft Lei лв руб. б.р грн тг р"


@pytest.mark.parametrize("sign", SIGNS.split())
def test_an_amount_has_its_sign_before_or_behind_it(sign: str) -> None:
    found = [AMOUNT.search(text) for text in (f"now {sign} 12.50", f"now 12.50 {sign}")]
    assert [each.groupdict("") for each in found if each is not None] == [
        {"after": "12.50", "before": ""},
        {"after": "", "before": "12.50"},
    ]


def _price(html: str, *, rent: bool = False) -> str:
    page = Page("https://x.test/item.asp?id=3", html)
    return selling_price(page, headline(page)[1], rent=rent)


@pytest.mark.parametrize("said", ["SOLD", "Price on request"])
def test_what_a_text_tells_of_another_piece_is_no_price(said: str) -> None:
    text = "<p>A fine example. A comparable piece was sold at auction for $12,500.</p>"
    assert _price(f"<title>Tea caddy</title><h1>Tea caddy</h1><div>{text}<p>{said}</p></div>") == ""


def test_of_prices_by_quantity_that_of_one_piece_is_taken() -> None:
    rows = "<tr><th>Up to 4</th><td>€ 55,00</td></tr><tr><th>From 5</th><td>€ 46,75</td></tr>"
    html = (
        f"<title>Leash</title><h1>Leash</h1><div class=price-box><table><tbody>{rows}</tbody></table></div>"
    )
    assert _price(html) == "€ 55,00"


def test_what_sending_costs_is_no_price() -> None:
    html = "<title>Old Shop - Blue plate</title><b>Old Shop</b><td><font><b>Blue plate</b></font> SOLD</td>"
    assert _price(f"{html}<p>Shipping within the country € 7,50</p>") == ""


def test_the_price_on_a_card_of_another_thing_is_not_the_pages() -> None:
    link = "<a href=item.asp?id=9>{}</a>"
    card = f"<tr><td>{link.format('<img src=9.jpg>')}</td><td>{link.format('Vase')} € 12,-</td></tr>"
    html = "<title>Old Shop - Blue plate</title><table><tr><td><b>Blue plate</b> SOLD</td></tr></table>"
    assert _price(f"<b>Old Shop</b>{html}<table>{card}</table>") == ""


def test_a_page_without_headings_is_named_by_the_text_that_its_title_repeats() -> None:
    page = Page(
        "https://x.test/3", "<title>Old Shop - Blue plate</title><b>Old Shop</b><p><b>Blue plate</b></p>"
    )
    text, element = headline(page)
    assert (text, element is not None) == ("Blue plate", True)


def test_the_prefix_of_a_thread_is_no_part_of_its_title() -> None:
    page = Page(
        "https://forum.test/t/5001",
        "<title>[Te koop] Sony 50mm</title><h1><i class=prefix>[Te koop]</i> <i><a>Sony 50mm</a></i></h1>",
    )
    assert headline(page)[0] == "Sony 50mm"


def test_a_label_before_a_headings_link_is_not_the_title() -> None:
    page = Page(
        "https://x.test/3", "<title>Turntable</title><h1>Thread: <span><a href=/3>Turntable</a></span></h1>"
    )
    assert headline(page)[0] == "Turntable"


@pytest.mark.parametrize(
    "post",
    [
        "<li class=postcontainer><div class=postbody><blockquote>{}</blockquote></div></li>",
        "<li class=windowbg><div class=poster>anna</div><div class=postarea><div>{}</div></div></li>",
    ],
)
def test_what_answers_bid_is_no_price_where_the_first_post_names_none(post: str) -> None:
    posts = post.format("As new.") + post.format("Bid € 50")
    html = f"<title>Turntable</title><h1>Turntable</h1><ol>{posts}</ol>"
    assert _price(html, rent=True) == ""


@pytest.mark.parametrize(
    "post",
    [
        "<li class=postcontainer><div class=postbody><blockquote>{}</blockquote></div></li>",
        "<li class=windowbg><div class=poster>anna</div><div class=postarea><div>{}</div></div></li>",
    ],
)
def test_what_answers_of_a_thread_bid_is_not_what_is_asked(post: str) -> None:
    asked, bid = "I am selling it for € 280 to make room for a new one. It is in Leeds.", "I offer € 250."
    html = f"<title>Turntable</title><h1>Turntable</h1><ol>{post.format(asked)}{post.format(bid)}</ol>"
    assert "280" in _price(html, rent=True)


def test_what_a_page_asks_in_a_list_without_names_counts_beside_cards_with_a_named_price() -> None:
    card = (
        "<div class=card><a href=/flat/{n}><img src=/{n}.jpg>Flat {n}</a><div class=price>70{n} €</div></div>"
    )
    cards = "".join(card.format(n=n) for n in (1, 2))
    html = f"<h1>Flat</h1><ul><li><i>Kaltmiete</i> <i>880 €</i></li></ul><div>{cards}</div>"
    assert "880" in _price(html, rent=True)


@pytest.mark.parametrize(
    ("title", "text", "price"),
    [
        pytest.param("Aeron chair - $450 shipped", "Great chair.", "$450", id="in the title"),
        pytest.param(
            "Aeron chair",
            "I paid $1,600 for it two years ago. Asking $450 shipped to the lower states, or pick it up.",
            "$450",
            id="in a sentence that asks",
        ),
        pytest.param(
            "Two chairs",
            "The first one is in good order and I am asking $450. For the other one I am asking $300, as is.",
            None,
            id="not where several are asked for",
        ),
        pytest.param(
            "Aeron chair",
            "It was $1,600 when I bought it, and it looks as if it had never been used by anyone.",
            None,
            id="not what it was",
        ),
    ],
)
def test_what_an_advert_asks_in_its_words(title: str, text: str, price: str | None) -> None:
    html = f"<title>{title}</title><h1>{title}</h1><div><p>{text}</p></div>"
    found = extract(html, url="https://forum.test/t/aeron-chair/30077", kind="listing")
    assert [item.get("price") for item in found.items] == [price and f"{price[1:]}.00"]


def test_a_thing_that_is_labelled_sold_is_not_to_be_had() -> None:
    html = "<title>Vase</title><h1>Vase</h1><p><strong>Sold</strong> (was A$89)</p><p>Thrown in March.</p>"
    found = extract(html, url="https://pots.test/shop/vase/", kind="product")
    assert found.items[0]["availability"] == "out_of_stock"


def test_a_thing_that_is_labelled_sold_and_has_no_price_is_expected_to_have_none() -> None:
    html = "<title>Vase</title><h1>Vase</h1><p><strong>Sold</strong></p><p>Thrown in March.</p>"
    found = extract(html, url="https://pots.test/shop/vase/", kind="product")
    assert found.reason == "oos_no_price"


def test_a_heading_that_is_about_the_shop_is_not_the_title_that_the_page_repeats() -> None:
    title = "<title>Diners Collage Puzzle: 724819 | Games</title>"
    body = "<div><span>Diners Collage Puzzle</span> <b>$14.99</b></div><h1>Free shipping above $35</h1>"
    assert headline(Page("https://x.test/p/20150?c=1", title + body))[0] == "Diners Collage Puzzle"


def test_savings_are_no_price() -> None:
    rows = "<p><b>Your Savings:</b> $11.05</p><p><b>Your Price:</b> $113.95</p>"
    assert price(rows) == "$113.95"


@pytest.mark.parametrize(
    ("post", "expected"),
    [
        ("Boxed, one owner.<br>Cost £209 new.<br>Price: £95 delivered to UK.", "95.00"),
        ("Cost £209 brand new.<br>Boxed, one owner.", None),
        ("Vendo em ótimo estado.<br>Paguei R$ 600 na loja.", None),
        ("Kostete € 600 im Laden.<br>Preis: € 250 VB", "250.00"),
    ],
)
def test_of_the_lines_of_a_post_the_labelled_one_is_the_price_and_what_it_cost_new_is_none(
    post: str, expected: str | None
) -> None:
    page = f"<title>Turntable</title><h1>Turntable with cartridge</h1><article><div>{post}</div></article>"
    found = extract(page, url="https://board.test/threads/turntable-with-cartridge.31/", kind="listing")
    assert [item["price"] for item in found.items if item.get("price")] == ([expected] if expected else [])


def test_what_a_unit_costs_is_the_price_and_what_its_measure_costs_is_not() -> None:
    body = (
        "<p class=pricePerUnit>£3.50<span>/unit</span></p><p class=pricePerMeasure>£0.70<span>/ea</span></p>"
    )
    assert price(body).startswith("£3.50")
    assert price("<b>£3.50</b><p class=pricePerUnit>£0.70 / kg</p>") == "£3.50"


def test_a_rent_in_myriads_is_not_less_than_its_charges() -> None:
    found = extract(
        "<h1>Unas</h1><dl><dt>賃料</dt><dd>18.5万円</dd><dt>管理費・共益費等：</dt><dd>11,000円</dd></dl>",
        url="https://homes.test/rent/1",
        kind="listing",
    )
    assert [item["price_minor"] for item in found.items] == [185_000]
