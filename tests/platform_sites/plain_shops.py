"""Shops without a platform: a Next.js shop with embedded state, and a table of parts."""

import json

from tests.platform_sites.shape import IndexView, Thing, by_query, comma, numbered
from tests.platform_sites.shop_parts import FOOTER, header, shop


def _next_index(view: IndexView) -> str:
    offset = view.number * 10
    rows = [
        {
            "id": t.number,
            "slug": t.slug,
            "name": t.title,
            "price": {"amount": float(t.price or 0), "currency": "EUR"},
        }
        for t in view.things
    ]
    following = f"/c/home?offset={offset}" if view.number < view.pages else None
    state = {"props": {"pageProps": {"products": rows, "total": view.total, "next": following}}}
    cards = "".join(
        f'<div class="css-1x"><a href="/p/{t.slug}"><span class="css-t">{t.name}</span></a><span class="css-p">€ {comma(t.price)}</span></div>'
        for t in view.things
        if t.price is not None
    )
    link = f'<a class="css-more" href="{following}">Load more</a>' if following else ""
    return (
        f'{header("Bag", "€ 0,00")}<main><div class="css-grid">{cards}</div>{link}</main>{FOOTER}'
        f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>'
    )


def _next_detail(thing: Thing) -> str:
    state = {
        "props": {
            "pageProps": {
                "product": {
                    "id": thing.number,
                    "name": thing.title,
                    "price": {"amount": float(thing.price or 0), "currency": "EUR"},
                    "availability": "IN_STOCK" if thing.in_stock else "OUT_OF_STOCK",
                }
            }
        }
    }
    button = "<button>Add to bag</button>" if thing.in_stock else "<button disabled>Notify me</button>"
    return (
        f'{header("Bag", "€ 0,00")}<main><h1>{thing.name}</h1><p class="css-p">€ {comma(thing.amount)}</p>{button}'
        f'</main>{FOOTER}<script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>'
    )


def _table_index(view: IndexView) -> str:
    rows = "".join(
        f'<tr><td>{t.number:04}</td><td><a href="/scheda.php?id={t.number}">{t.name}</a></td><td align=right>€ {comma(t.price)}</td>'
        f"<td>{'disponibile' if t.in_stock else 'esaurito'}</td></tr>"
        for t in view.things
        if t.price is not None
    )
    pager = " ".join(
        f"<b>{n}</b>" if n == view.number else f'<a href="/catalogo-{n}.htm">{n}</a>'
        for n in range(1, view.pages + 1)
    )
    return (
        f"<table width=100%><tr><td><a href=/>Home</a> <a href=/contatti.htm>Contatti</a></td></tr></table>"
        f"<h2>Catalogo</h2><table border=1><tr><th>Codice<th>Articolo<th>Prezzo<th>Disponibilità</tr>{rows}</table>"
        f"<p>Pagine: {pager}</p>"
    )


def _table_detail(thing: Thing) -> str:
    stock = "Disponibile" if thing.in_stock else "Esaurito"
    buy = "<input type=submit value='Aggiungi al carrello'>" if thing.in_stock else ""
    return (
        f"<table width=100%><tr><td><a href=/>Home</a></td></tr></table><h2>{thing.name}</h2><table><tr><td>Codice</td>"
        f"<td>{thing.number:04}</td></tr><tr><td>Prezzo</td><td><b>€ {comma(thing.amount)}</b> IVA inclusa</td></tr>"
        f"<tr><td>Disponibilità</td><td>{stock}</td></tr></table><form>{buy}</form>"
    )


PLAIN_SHOPS = (
    shop(
        "nextjs", "EUR", "nl", 33, path="/c/home", per_page=10,
        page_of=by_query("offset", path="/c/home", step=10, base=0), index=_next_index, detail=_next_detail,
        detail_path=lambda t: f"/p/{t.slug}",
    ),
    shop(
        "parts-table", "EUR", "it", 45, path="/catalogo-1.htm", per_page=15, beyond="first",
        page_of=numbered("/catalogo-", ".htm", first="/catalogo-1.htm"), index=_table_index, detail=_table_detail,
        detail_path=lambda t: f"/scheda.php?id={t.number}",
    ),
)  # fmt: skip
