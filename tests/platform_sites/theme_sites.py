"""Sites after public themes: a Romanian OpenCart 4, and an Australian agency on a WordPress theme for homes.

The shop shows prices without tax and by quantity and a box of recommended things; the agency's homes without a price
have words in its place, and a calculator with amounts below.
"""

from decimal import Decimal

from larder.core.model.source import Kind
from tests.platform_sites.shape import IndexView, Shape, Thing, amounts, comma, numbered, pick, whole
from tests.platform_sites.shop_parts import shop

_TAX = Decimal("1.19")
_CENT = Decimal("0.01")
_TYPES = (
    ("Modern", "Renovated", "Sunny", "Family", "Luxury"),
    ("townhouse", "apartment", "villa", "cottage"),
    ("near beach", "with garden", "city views", "with pool"),
)
_TOWNS = ("Fitzroy", "Carlton", "Brunswick", "Coburg")


def _lei(amount: Decimal) -> str:
    return f"{comma(amount)} lei"


def _product(thing: Thing) -> str:
    return f"/index.php?route=product/product&amp;language=ro&amp;product_id={thing.number}&amp;path=20"


def _ro_price(thing: Thing) -> str:
    old = f' <span class="price-old">{_lei(thing.amount + 50)}</span>' if thing.number % 5 == 0 else ""
    return f'<span class="price-new">{_lei(thing.amount)}</span>{old}'


def _ro_card(thing: Thing) -> str:
    return (
        f'<div class="col"><form><div class="product-thumb"><div class="image"><a href="{_product(thing)}"><img src="/c/{thing.number}.jpg" alt="{thing.name}"></a></div>'
        f'<div class="content"><h4><a href="{_product(thing)}">{thing.name}</a></h4><p>Un produs solid, lucrat în România.</p><div class="price">{_ro_price(thing)} '
        f'<span class="price-tax">Fără taxe: {_lei((thing.amount / _TAX).quantize(_CENT))}</span></div><button title="Adaugă în Coş"></button></div></div></form></div>'
    )


def _ro_index(view: IndexView) -> str:
    pages = view.numbers(
        '<li class="active"><span>{n}</span></li>',
        '<li><a href="/index.php?route=product/category&amp;language=ro&amp;path=20&amp;page={n}">{n}</a></li>',
    )
    shown = (view.number - 1) * 12
    return (
        '<header><a href="/">Mobila</a><div id="cart">0 produs(e) - 0,00 lei</div></header><main><aside><a href="/index.php?route=product/category&amp;path=26">Scaune (7)</a>'
        f'<h3>Recomandate</h3>{_ro_card(view.things[0])}</aside><h2>Mobilă</h2><div class="row">{"".join(map(_ro_card, view.things))}</div><ul class="pagination">{pages}'
        f"</ul><p>Se afișează de la {shown + 1} la {shown + len(view.things)} din {view.total} ({view.pages} Pagini)</p></main>"
    )


def _ro_detail(thing: Thing) -> str:
    less = (thing.amount * Decimal("0.9")).quantize(_CENT)
    return (
        f'<header><a href="/">Mobila</a><div id="cart">0 produs(e) - 0,00 lei</div></header><main><h1>{thing.name}</h1><ul><li>Producător: <a href="/index.php?route=m">Artizan</a></li>'
        f"<li>Cod produs: M-{thing.number}</li><li>Disponibilitate: {'În stoc' if thing.in_stock else 'Stoc epuizat'}</li></ul><ul><li><h2>{_ro_price(thing)}</h2></li>"
        f"<li>Fără taxe: {_lei((thing.amount / _TAX).quantize(_CENT))}</li><li>10 sau mai multe {_lei(less)}</li></ul><button>Adaugă în Coş</button><h3>Produse similare</h3>"
        f'<div class="row"><div class="product-thumb"><h4><a href="/index.php?product_id=1">Altul</a></h4><span class="price-new">9,00 lei</span></div></div></main>'
    )


def _asked(thing: Thing) -> str:
    if thing.price is None:
        return ("Contact Agent", "Price on Application", "Auction")[thing.number % 3]
    return ("", "Offers over ")[thing.number % 2] + f"A${whole(thing.price, ',')}"


def _home_price(thing: Thing) -> str:
    by_metre = f'<li class="item-price">A${int(thing.amount) // thing.size}/m²</li>' if thing.price else ""
    return f'<ul class="item-price-wrap"><li class="item-price">{_asked(thing)}</li>{by_metre}</ul>'


def _address(thing: Thing) -> str:
    return f'<address class="item-address">{thing.number % 90} Hill Street, {thing.place} VIC 3065</address>'


def _home_card(thing: Thing) -> str:
    return (
        f'<div class="item-listing-wrap card"><div class="item-header"><span class="label-featured">Featured</span>{_home_price(thing)}<a class="listing-featured-thumb" href="/property/{thing.slug}/">'
        f'<img src="/w/{thing.number}.jpg" alt=""></a></div><div class="item-body"><a href="/status/for-sale/">For Sale</a><h2 class="item-title"><a href="/property/{thing.slug}/">{thing.name}</a></h2>'
        f'{_home_price(thing)}{_address(thing)}<ul class="item-amenities"><li class="h-beds"><span>Beds:</span> <span class="hz-figure">{thing.rooms}</span></li><li><span class="hz-figure">{thing.size}</span> '
        f'<span>m²</span></li></ul><a class="btn-item" href="/property/{thing.slug}/">Details</a><div class="item-author"><a href="/agent/{thing.number % 4}/">Sam Lee</a></div></div></div>'
    )


def _home_index(view: IndexView) -> str:
    pages = view.numbers(
        '<li class="active"><a href="#">{n}</a></li>', '<li><a href="/listings/page/{n}/">{n}</a></li>'
    )
    return (
        f'<header><a href="/">Harbour Homes</a></header><form><select><option>Max. Price</option><option>A$500,000</option></select></form><main><h1>Properties</h1><p>{view.total} Properties</p>'
        f'<div class="listing-view">{"".join(map(_home_card, view.things))}</div><ul class="pagination">{pages}</ul></main><aside><h3>Mortgage Calculator</h3><p>Total amount A$800,000</p></aside>'
    )


def _home_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Harbour Homes</a></header><section><div class="page-title-wrap"><div><h1>{thing.name}</h1></div><a href="/status/for-sale/">For Sale</a>{_address(thing)}{_home_price(thing)}</div>'
        f"<div><h2>Overview</h2><ul><li>{thing.rooms}</li><li>Bedrooms</li></ul><ul><li>{thing.size}</li><li>m²</li></ul></div><div><h2>Description</h2><p>Set in a quiet street. Council rates A$1,850 p.a.</p></div>"
        f'<div><h2>Details</h2><ul><li class="list-price"><strong>Price:</strong> <span>{_asked(thing)}</span></li><li><strong>Property Size:</strong> <span>{thing.size} m²</span></li></ul></div>'
        '<div class="mortgage"><h2>Mortgage Calculator</h2><ul><li>Down Payment <span>A$120,000</span></li><li>Monthly Mortgage Payment <span>A$2,594.87</span></li></ul></div></section>'
    )


def _homes() -> list[Thing]:
    named = zip(pick("homes-au", 27, *_TYPES), amounts("homes-au", 27, 320, 2400), strict=True)
    return [
        Thing(
            number=2000 + n, title=title, price=price * 1000 if n % 5 else None, size=45 + n * 9 % 200, rooms=1 + n % 5,
            place=_TOWNS[n % 4],
        )
        for n, (title, price) in enumerate(named)
    ]  # fmt: skip


def _category(path: str, query: object) -> int | None:
    asked = dict(query) if isinstance(query, dict) else {}
    named = path == "/index.php" and asked.get("route") == "product/category" and asked.get("path") == "20"
    return int(asked.get("page", "1")) if named else None


THEME_SITES: tuple[Shape, ...] = (
    shop(
        "mobila-ro", "RON", "ro", 34, path="/index.php?route=product/category&path=20", per_page=12, page_of=_category,
        index=_ro_index, detail=_ro_detail, beyond="empty",
        detail_path=lambda t: f"/index.php?product_id={t.number}&route=product/product",
    ),
    Shape(
        name="homes-au", kind=Kind.LISTING, currency="AUD", language="en-AU", things=_homes(), path="/listings/", per_page=9,
        page_of=numbered("/listings/page/", "/", first="/listings/"), index=_home_index, detail=_home_detail,
        detail_path=lambda t: f"/property/{t.slug}/",
    ),
)  # fmt: skip
