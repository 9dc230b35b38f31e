"""Sites whose detail pages mislead a general reader: only their index rows tell which of two values is right.

A shop states prices without tax in its markup and shows them with tax. A venue shows when tickets go on sale
above the date of the night itself. They are no part of `SHAPES`: without a site profile they are read wrong.
"""

import json
from datetime import datetime, timedelta
from decimal import Decimal

from larder.core.model.source import Kind
from tests.platform_sites.agendas import MONTHS, nights, when
from tests.platform_sites.shape import IndexView, Shape, Thing, by_query, comma
from tests.platform_sites.shop_parts import FOOTER, header, shop

TAX = Decimal("1.21")


def _shop_index(view: IndexView) -> str:
    cards = "".join(
        f'<article class="tile"><a class="tile-link" href="/artikel/{t.slug}"><h3 class="tile-name">{t.name}</h3></a>'
        f'<span class="tile-price">€ {comma(t.price)}</span></article>'
        for t in view.things
        if t.price is not None
    )
    more = view.unless_last(
        f'<a class="next" rel="next" href="/assortiment?p={view.number + 1}">Volgende</a>'
    )
    return f'{header("Mand", "€ 0,00")}<main><div class="tiles">{cards}</div>{more}</main>{FOOTER}'


def _shop_detail(thing: Thing) -> str:
    price = thing.amount
    bare = f"{price / TAX:.2f}"
    stock = "InStock" if thing.in_stock else "OutOfStock"
    markup = {
        "@context": "https://schema.org", "@type": "Product", "name": thing.title, "sku": f"A{thing.number:05}",
        "offers": {"@type": "Offer", "price": bare, "priceCurrency": "EUR", "availability": f"https://schema.org/{stock}"},
    }  # fmt: skip
    button = '<button class="buy">In winkelmand</button>' if thing.in_stock else "<p>Niet op voorraad</p>"
    return (
        f'<script type="application/ld+json">{json.dumps(markup)}</script>{header("Mand", "€ 0,00")}<main>'
        f'<h1 class="name">{thing.name}</h1><p class="incl">€ {comma(price)}</p>'
        f'<p class="excl">€ {comma(Decimal(bare))} excl. btw</p>{button}</main>{FOOTER}'
    )


def _date(at: datetime) -> str:
    return f"{at.day} {MONTHS['nl'][at.month - 1]} {at.year}"


def _agenda_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="avond"><time class="dag">{_date(when(t))}</time> <a href="/avond/{t.slug}">{t.name}</a></li>'
        for t in view.things
    )
    more = view.unless_last(f'<a rel="next" class="next" href="/avonden?p={view.number + 1}">Volgende</a>')
    return f'<nav><a href="/">Home</a></nav><h1>Agenda</h1><ul class="avonden">{rows}</ul>{more}'


def _agenda_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<nav><a href="/">Home</a></nav><h1>{thing.name}</h1><p class="verkoop">Voor leden te bestellen: '
        f"{_date(at - timedelta(days=2))} 10:00</p><p>Met na afloop een gesprek met de makers.</p>"
        f'<p class="aanvang">{_date(at)} {at:%H:%M}</p><p>{thing.place}</p>'
    )


MISLEADING = (
    shop(
        "prices-without-tax", "EUR", "nl", 24, path="/assortiment", per_page=12,
        page_of=by_query("p", path="/assortiment"), index=_shop_index, detail=_shop_detail,
        detail_path=lambda t: f"/artikel/{t.slug}",
    ),
    Shape(
        name="ticket-sale-first", kind=Kind.EVENT, currency="EUR", language="nl",
        things=nights("ticket-sale-first", 20), path="/avonden", per_page=10,
        page_of=by_query("p", path="/avonden"), index=_agenda_index, detail=_agenda_detail,
        detail_path=lambda t: f"/avond/{t.slug}",
    ),
)  # fmt: skip
