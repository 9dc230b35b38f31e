"""Sites whose rows or pages are no plain links: state in an attribute, a pager that is a form, a board's notices."""

import json
from dataclasses import replace
from html import escape

from tests.platform_sites.classifieds import adverts, classified_site
from tests.platform_sites.shape import IndexView, Shape, Thing, by_query, comma
from tests.platform_sites.shop_parts import shop

_BIKES = (
    ("Duży", "Mały", "Stary", "Nowy"),
    ("rower miejski", "rower górski", "rower dziecięcy"),
    ("z koszem", "z lampką", "po renowacji"),
)


def _state(thing: Thing) -> dict[str, object]:
    return {
        "id": thing.number, "name": thing.title, "url": f"/produit/{thing.slug}", "price": str(thing.price),
        "currency": "EUR", "in_stock": thing.in_stock,
    }  # fmt: skip


def _app(component: str, props: dict[str, object]) -> str:
    page = json.dumps({"component": component, "props": props, "version": "a1"}, ensure_ascii=False)
    return f'<div id="app" data-page="{escape(page)}"></div>'


def _inertia_index(view: IndexView) -> str:
    following = f"/produits?page={view.number + 1}" if view.number < view.pages else None
    products = {
        "data": [_state(t) for t in view.things], "current_page": view.number, "last_page": view.pages,
        "next_page_url": following, "total": view.total,
    }  # fmt: skip
    return _app("Products/Index", {"products": products})


def _inertia_detail(thing: Thing) -> str:
    return _app("Products/Show", {"product": _state(thing)})


def _form_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="hit"><h3><a href="/obra/{t.number}/{t.slug}">{t.name}</a></h3><p>{comma(t.price)} €</p></li>'
        for t in view.things
        if t.price is not None
    )
    button = view.unless_last(f'<button name="pagina" value="{view.number + 1}">Seguinte</button>')
    return (
        f'<main><h1>Loja</h1><ul class="hits">{rows}</ul><form action="/loja"><input type="hidden" name="cat" value="7">'
        f"{button}</form></main>"
    )


def _form_detail(thing: Thing) -> str:
    stock = "Em stock" if thing.in_stock else "Esgotado"
    return f'<main><h1>{thing.name}</h1><p class="preco">{comma(thing.amount)} €</p><p>{stock}</p></main>'


def _threads() -> list[Thing]:
    """Adverts that name their price in the title, as boards ask for."""
    things = adverts("gielda-pl", 36, "pl", *_BIKES, low=60, high=1500)
    return [replace(t, title=f"[S] {t.title} {int(t.price or 0)} zł") for t in things]


def _board_index(view: IndexView) -> str:
    notice = (
        '<li class="row global-announce"><dl><dt><div class="list-inner"><a href="./viewtopic.php?t=1" class="topictitle">'
        "Regulamin giełdy</a></div></dt></dl></li>"
    )
    rows = "".join(
        f'<li class="row"><dl><dt><div class="list-inner"><a href="./viewtopic.php?t={t.number}" class="topictitle">{t.name}</a>'
        f'<br>autor: <a href="./memberlist.php?u={t.number % 9}" class="username">jan{t.number % 9}</a></div></dt>'
        f'<dd class="posts">{t.number % 13}</dd></dl></li>'
        for t in view.things
    )
    pages = view.numbers(
        '<li class="active"><span>{n}</span></li>',
        '<li><a href="./viewforum.php?start={at}">{n}</a></li>',
        step=15,
        first=0,
    )
    return f'<h2>Giełda</h2><ul class="topiclist">{notice}{rows}</ul><div class="pagination"><ul>{pages}</ul></div>'


def _board_detail(thing: Thing) -> str:
    return (
        f'<h2 class="topic-title">{thing.name}</h2><div class="postbody"><div class="content">Sprzedam, cena '
        f"{int(thing.price or 0)} zł. Wysyłka 20 zł.</div></div>"
    )


UNLINKED_SITES: tuple[Shape, ...] = (
    shop(
        "inertia-fr", "EUR", "fr", 24, path="/produits", per_page=10, page_of=by_query("page", path="/produits"),
        index=_inertia_index, detail=_inertia_detail, detail_path=lambda t: f"/produit/{t.slug}", beyond="empty",
    ),
    shop(
        "formulario-pt", "EUR", "pt", 26, path="/loja?cat=7", per_page=10, page_of=by_query("pagina", path="/loja"),
        index=_form_index, detail=_form_detail, detail_path=lambda t: f"/obra/{t.number}/{t.slug}", beyond="empty",
    ),
    classified_site(
        "gielda-pl", "PLN", "pl", _threads(), path="/viewforum.php", per_page=15,
        page_of=by_query("start", path="/viewforum.php", step=15, base=0), index=_board_index, detail=_board_detail,
        detail_path=lambda t: f"/viewtopic.php?t={t.number}", beyond="last",
    ),
)  # fmt: skip
