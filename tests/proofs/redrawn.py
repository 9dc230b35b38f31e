"""Forty-odd ways in which a made-up site may be redrawn: what a page shows stays true, where it stands moves.

A redrawing is a function of a page's HTML. Some add traps: amounts that are not the price, rows that are no
records. Some take a fact away, or hide it so that nobody could prove where it went.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

Redraw = Callable[[str], str]
_CLASS = re.compile(r'class="([^"]*)"')
_CARD = re.compile(r'<article class="card".*?</article>', re.DOTALL)
_ROW = re.compile(r"<tr><td>.*?</tr>", re.DOTALL)
_EURO = re.compile(r"€ ([\d,]+)")
_PRICE = re.compile(r'<span class="price">€ ([\d,]+)</span>')
_NOW = re.compile(r'<span class="now">€ ([\d,]+)\.(\d\d)</span>')


@dataclass(frozen=True, slots=True, kw_only=True)
class Redrawing:
    """One redesign of one kind of site."""

    name: str
    site: str
    """`cards`, `table`, `shop` or `agenda`."""
    redraw: Redraw
    gone: frozenset[str] = frozenset()
    """Fields that the new pages do not show."""
    trap: bool = False
    """Nobody could prove anything here: the only right thing is to leave it to a person."""


def renamed(names: Mapping[str, str]) -> Redraw:
    """Classes under other names."""

    def redraw(html: str) -> str:
        head, body = _halves(html)
        return head + _CLASS.sub(
            lambda found: f'class="{" ".join(names.get(each, each) for each in found[1].split())}"', body
        )

    return redraw


def _halves(html: str) -> tuple[str, str]:
    at = html.index("<main")
    return html[:at], html[at:]


def hashed(html: str) -> str:
    """Every class as a build tool would name it."""
    head, body = _halves(html)

    def made_up(found: re.Match[str]) -> str:
        return (
            f'class="{" ".join(f"css-{sha256(each.encode()).hexdigest()[:6]}" for each in found[1].split())}"'
        )

    return head + _CLASS.sub(made_up, body)


def bare(html: str) -> str:
    """No class at all."""
    head, body = _halves(html)
    return head + re.sub(r' class="[^"]*"', "", body)


def both(*redraws: Redraw) -> Redraw:
    """One after the other."""

    def redraw(html: str) -> str:
        for each in redraws:
            html = each(html)
        return html

    return redraw


def swapped(*pairs: tuple[str, str]) -> Redraw:
    """Text for text."""

    def redraw(html: str) -> str:
        for before, after in pairs:
            html = html.replace(before, after)
        return html

    return redraw


def each_row(pattern: re.Pattern[str], change: Callable[[str, int], str]) -> Redraw:
    """Rows one by one, with their number."""

    def redraw(html: str) -> str:
        number = -1

        def one(found: re.Match[str]) -> str:
            nonlocal number
            number += 1
            return change(found[0], number)

        return pattern.sub(one, html)

    return redraw


TILES = renamed({"card": "tile", "price": "amount", "seller": "agent", "side": "panel", "next": "onward",
                 "count": "hits", "area": "size", "rooms": "chambers", "address": "street", "posted": "since",
                 "description": "prose", "advert": "entry", "text": "words", "foot": "base",
                 "where": "spot"})  # fmt: skip
GOODS = renamed({"good": "ware", "now": "cost", "stock": "supply", "maker": "brand", "sheet": "product",
                 "buy": "till", "number": "ref", "ean": "code", "mpn": "part", "kind": "range",
                 "stars": "score", "about": "prose", "photo": "picture", "count": "hits"})  # fmt: skip
ITEMS = renamed({"item": "night", "date": "when", "venue": "hall", "city": "town", "kind": "sort",
                 "price": "fee", "address": "street", "story": "prose", "next": "onward"})  # fmt: skip


def _priced(template: str) -> Redraw:
    """The rent of cards, written anew; `{whole}` is `1,250`, `{plain}` 1250, `{dots}` 1.250."""

    def redraw(html: str) -> str:
        return _PRICE.sub(lambda found: template.format(**_written(found[1])), html)

    return redraw


def _written(whole: str) -> dict[str, str]:
    plain = whole.replace(",", "")
    higher = f"{int(plain) * 23 // 20:,}"
    each_m2 = str(int(plain) // 71)
    return {"whole": whole, "plain": plain, "dots": whole.replace(",", "."), "higher": higher, "m2": each_m2}


def _sometimes(template: str, every: int = 3) -> Redraw:
    """Only on some pages or rows: told by the amount itself, so that a thing keeps its looks."""

    def one(found: re.Match[str]) -> str:
        written = _written(found[1])
        plain = int(written["plain"])
        return template.format(**written) if plain // 5 % every == 0 else f'<b class="cost">€ {found[1]}</b>'

    return lambda html: _PRICE.sub(one, html)


def _now(template: str) -> Redraw:
    """The same for a shop: `{whole}` and `{cents}`."""

    def redraw(html: str) -> str:
        return _NOW.sub(
            lambda found: template.format(whole=found[1], cents=found[2], dots=found[1].replace(",", ".")),
            html,
        )

    return redraw


def sponsored(row: str, number: int) -> str:
    """Now and then a row that is no record."""
    if number % 4:
        return row
    advert = re.sub(r' data-id="\d+"', "", row)
    advert = re.sub(r'href="http://[^/]+/[^"]*"', 'href="http://ads.test/click?to=9"', advert)
    advert = re.sub(r"€ [\d,]+", "€ 1", advert).replace('class="tile"', 'class="tile promoted"')
    return advert.replace('class="card"', 'class="card promoted"') + row


def grouped(html: str) -> str:
    """Three rows in one box."""
    rows = _CARD.findall(html)
    boxes = ["".join(rows[at : at + 3]) for at in range(0, len(rows), 3)]
    if not rows:
        return html
    whole = "".join(f'<div class="box">{box}</div>' for box in boxes)
    start, end = html.index(rows[0]), html.rindex(rows[-1]) + len(rows[-1])
    return html[:start] + whole + html[end:]


def related(html: str) -> str:
    """Some rows once more, cut short, under another heading; on a thing's page others that are like it."""
    rows = _CARD.findall(html)
    short = "".join(re.sub(r'<span class="seller">.*?</span>', "", row) for row in rows[1:4])
    if rows:
        return html.replace(
            '<div class="grid">', f'<aside class="liked"><h3>Often seen</h3>{short}</aside><div class="grid">'
        )
    other = '<span class="price">€ 777</span><span class="seller">Nobody</span>'
    other = f'<section class="liked"><h3>Alike</h3>{other}</section>'
    return html.replace('<article class="advert"', other + '<article class="advert"')


def as_table(html: str) -> str:
    """Cards become rows of a table."""

    def one(row: str, _: int) -> str:
        title = re.search(r"<h2>(.*?)</h2>", row)
        where = re.search(r'<span class="where">(.*?)</span>', row)
        seller = re.search(r'<span class="seller">(.*?)</span>', row)
        price = _PRICE.search(row)
        number = re.search(r'data-id="(\d+)"', row)
        if not (title and where and seller and price and number):
            return row
        cells = (number[1], title[1], seller[1], where[1], f"€ {price[1]}")
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    drawn = each_row(_CARD, one)(html)
    return drawn.replace('<div class="grid">', '<table class="grid"><tbody>').replace(
        '</div>\n<nav class="pager"', '</tbody></table>\n<nav class="pager"'
    )


def as_divs(html: str) -> str:
    """A table becomes boxes with names."""
    names = ("ref", "home", "facts", "town", "rent", "from", "day")

    def one(row: str, _: int) -> str:
        cells = re.findall(r"<td>(.*?)</td>", row, re.DOTALL)
        inner = "".join(f'<div class="{name}">{cell}</div>' for name, cell in zip(names, cells, strict=True))
        return f'<section class="line">{inner}</section>'

    drawn = each_row(_ROW, one)(html)
    drawn = re.sub(r'<table class="board">.*?<tbody>', '<div class="board">', drawn, flags=re.DOTALL)
    drawn = drawn.replace("</tbody></table>", "</div>")
    drawn = re.sub(
        r'<tr class="(\w+)"><th>(.*?)</th><td>(.*?)</td></tr>',
        r'<p class="fact-\1"><b>\2</b> <i>\3</i></p>',
        drawn,
    )
    return drawn.replace('<table class="sheet">', '<div class="sheet">').replace(
        "</table>\n\n</main>", "</div>\n\n</main>"
    )


def columns(*order: int) -> Redraw:
    """Cells of a board in another order; -1 is a new one."""

    def one(row: str, _: int) -> str:
        cells = re.findall(r"<td>(.*?)</td>", row, re.DOTALL)
        moved = ("<input type=checkbox>" if at < 0 else cells[at] for at in order)
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in moved)}</tr>"

    def redraw(html: str) -> str:
        drawn = each_row(_ROW, one)(html)
        facts = re.findall(r'<tr class="\w+"><th>.*?</tr>\n', drawn)
        return drawn.replace("".join(facts), "".join(reversed(facts))) if facts else drawn

    return redraw


def whole_card_is_link(row: str, _: int) -> str:
    """The card itself leads to the advert."""
    url = re.search(r'href="([^"]+)"', row)
    title = re.search(r"<h2><a [^>]*>(.*?)</a></h2>", row)
    if not (url and title):
        return row
    inner = row.replace(re.search(r"<h2>.*?</h2>", row)[0], f'<strong class="name">{title[1]}</strong>')  # type: ignore[index]
    inner = re.sub(r"^<article class=\"card\"", f'<a class="tile" href="{url[1]}"', inner)
    return inner.replace("</article>", "</a>")


def moved_up(row: str, _: int) -> str:
    """The price stands above the title now, the seller below everything."""
    price, seller = _PRICE.search(row), re.search(r'<span class="seller">.*?</span>', row)
    if not (price and seller):
        return row
    left = row.replace(price[0], "").replace(seller[0], "")
    left = left.replace(
        '<div class="text">', f'<p class="top-line">{price[0].replace("price", "rate")}</p><div class="text">'
    )
    return left.replace("</article>", f"<footer>{seller[0].replace('seller', 'by')}</footer></article>")


def facts_in_words(html: str) -> str:
    """Facts of a thing in one sentence instead of a list."""
    found = re.search(
        r'<dl class="facts">.*?class="area">(.*?)</dd>.*?class="rooms">(.*?)</dd>.*?class="address">'
        r'(.*?)</dd>.*?class="seller">(.*?)</dd>\n<dt>Posted</dt><dd>(.*?)</dd>\n<dt>Ad</dt><dd>(.*?)</dd></dl>',
        html,
        re.DOTALL,
    )
    if not found:
        return html
    area, rooms, address, seller, posted, _ = found.groups()
    words = (
        f'<p class="line">{area}, {rooms} rooms</p><address>{address}</address>'
        f'<p class="from">Offered by {seller}</p><p>{posted}</p>'
    )
    return html.replace(found[0], words)


def labelled(html: str) -> str:
    """Facts told apart by their labels alone."""
    return re.sub(r'<dd class="\w+">', "<dd>", html)


def pager_redrawn(html: str) -> str:
    """The way on is a list of its own."""
    drawn = re.sub(
        r'<a class="next" rel="next" href="([^"]+)">Next</a>', r'<a class="forth" href="\1">Next</a>', html
    )
    return re.sub(r'<link rel="next"[^>]*>', "", drawn)


def tracked(html: str) -> str:
    """Links that tell where they were clicked."""
    head, body = _halves(html)
    return head + re.sub(r'href="(http://[^"/]+/listing/[^"]+)"', r'href="\1?utm_source=list"', body)


def relative(html: str) -> str:
    """Links without their site."""
    head, body = _halves(html)
    return head + re.sub(r'href="http://[^/"]+(/[^"]*)"', r'href="\1"', body)


def _is_one_of(html: str, every: int) -> bool:
    """Whether a thing's page is among those that are built otherwise."""
    found = re.search(r'<article class="advert" data-id="(\d+)"', html)
    return found is not None and int(found[1]) % every == 0


def left_out(html: str) -> str:
    """A fact that some pages do not have: all that follow move up."""
    return re.sub(r"<dt>Size</dt><dd[^>]*>.*?</dd>\n", "", html) if _is_one_of(html, 4) else html


def with_prize(html: str) -> str:
    """An amount that is nobody's price, above some adverts."""
    prize = '<div class="promo"><span>Win € 500 now</span></div>'
    return (
        html.replace('<article class="advert"', f'{prize}<article class="advert"')
        if _is_one_of(html, 5)
        else html
    )


def sometimes_two(html: str) -> str:
    """Now and then a higher amount first, under the same name."""

    def one(found: re.Match[str]) -> str:
        plain = int(found[1].replace(",", ""))
        return f'<span class="price">€ {plain + 200:,}</span> {found[0]}' if plain // 5 % 9 == 0 else found[0]

    return _PRICE.sub(one, html)


def dearer(html: str) -> str:
    """Each price is a new one, the old one stands beside it, and nothing says which is which."""
    pair = '<span class="x1">€ {whole}</span> <span class="x2">€ {higher}</span>'
    return _priced(pair)(html)


def rising(html: str) -> str:
    """Other prices altogether."""
    return _EURO.sub(lambda found: f"€ {int(found[1].replace(',', '')) * 11 // 10 + 7:,}", html)


SALE = '<s class="cost">€ {higher}</s> <b class="cost">€ {whole}</b>'
WAS = '<span class="cost was">€ {higher}</span> <b class="cost">€ {whole}</b>'

ALL = (
    Redrawing(name="renamed classes", site="cards", redraw=TILES),
    Redrawing(name="classes that a build tool made", site="cards", redraw=hashed),
    Redrawing(name="no classes any more", site="cards", redraw=bare),
    Redrawing(name="other elements", site="cards", redraw=both(TILES, swapped(
        ("<article", "<li"), ("</article", "</li"), ("<h2>", "<h3>"), ("</h2>", "</h3>")))),
    Redrawing(name="wrapped rows", site="cards", redraw=both(TILES, swapped(
        ('<article class="tile"', '<div class="cell"><article class="tile"'),
        ("</article>", "</article></div>")))),
    Redrawing(name="rows in groups", site="cards", redraw=both(grouped, TILES)),
    Redrawing(name="moved blocks", site="cards", redraw=both(each_row(_CARD, moved_up), swapped(
        ('class="side"', 'class="aside"')))),
    Redrawing(name="the whole card is a link", site="cards", redraw=both(
        each_row(_CARD, whole_card_is_link), TILES)),
    Redrawing(name="cards become a table", site="cards", redraw=both(as_table, TILES)),
    Redrawing(name="split price", site="cards", redraw=both(_priced(
        '<span class="sum"><i>€</i><span class="whole">{whole}</span><sup>00</sup></span>'), TILES)),
    Redrawing(name="split price with a dot", site="cards", redraw=both(_priced(
        '<span class="sum">€ <b>{whole}</b><i>.</i><sup>00</sup></span>'), TILES)),
    Redrawing(name="price in an attribute", site="cards", redraw=both(_priced(
        '<span class="rate" data-amount="{plain}.00">ask for the price</span>'), TILES)),
    Redrawing(name="price written otherwise", site="cards", redraw=both(_priced(
        '<strong class="rate">{dots},00 €</strong>'), TILES)),
    Redrawing(name="price in words", site="cards", redraw=both(_priced(
        '<em class="rate">Rent € {whole} per month</em>'), TILES)),
    Redrawing(name="a crossed-out price before some", site="cards", redraw=both(_sometimes(SALE), TILES)),
    Redrawing(name="a price called old before some", site="cards", redraw=both(_sometimes(WAS), TILES)),
    Redrawing(name="a crossed-out price before each", site="cards", redraw=both(_priced(SALE), TILES)),
    Redrawing(name="a price per m² before each", site="cards", redraw=both(_priced(
        '<span class="cost">€ {m2} per m²</span> <span class="cost">€ {whole}</span>'), TILES)),
    Redrawing(name="sponsored rows", site="cards", redraw=both(each_row(_CARD, sponsored), TILES)),
    Redrawing(name="related items", site="cards", redraw=both(related, TILES)),
    Redrawing(name="another name for the id", site="cards", redraw=both(TILES, swapped(
        (' data-id="', ' data-advert="')))),
    Redrawing(name="the id only in the link", site="cards", redraw=both(
        TILES, lambda html: re.sub(r' data-id="\d+"', "", html))),
    Redrawing(name="facts in words", site="cards", redraw=both(facts_in_words, TILES)),
    Redrawing(name="facts told by their labels", site="cards", redraw=both(labelled, TILES)),
    Redrawing(name="another pager", site="cards", redraw=both(pager_redrawn, TILES)),
    Redrawing(name="tracked links", site="cards", redraw=both(tracked, TILES)),
    Redrawing(name="relative links", site="cards", redraw=both(relative, TILES)),
    Redrawing(name="only the price renamed", site="cards", redraw=renamed({"price": "amount"})),
    Redrawing(name="facts left out on some pages", site="cards", redraw=both(left_out, labelled, TILES),
              gone=frozenset({"area_m2"})),
    Redrawing(name="a prize on some pages", site="cards", redraw=both(with_prize, bare)),
    Redrawing(name="a second amount on few", site="cards", redraw=both(sometimes_two, TILES)),
    Redrawing(name="columns in another order", site="table", redraw=columns(4, 1, 0, 5, 2, 3, 6)),
    Redrawing(name="a column more", site="table", redraw=columns(-1, 0, 1, 2, 3, 4, 5, 6)),
    Redrawing(name="a table becomes boxes", site="table", redraw=as_divs),
    Redrawing(name="a table under other names", site="table", redraw=renamed(
        {"board": "list", "sheet": "facts", "rent": "r1", "size": "r2", "rooms": "r3", "at": "r4",
         "by": "r5", "since": "r6", "number": "r7", "next": "on"})),
    Redrawing(name="renamed classes of a shop", site="shop", redraw=GOODS),
    Redrawing(name="split prices of a shop", site="shop", redraw=both(_now(
        '<span class="cost">€ <b class="whole">{whole}</b><sup class="cents">{cents}</sup></span>'), GOODS)),
    Redrawing(name="prices of a shop in an attribute", site="shop", redraw=both(_now(
        '<span class="cost" data-value="{whole}.{cents}"></span>'), GOODS)),
    Redrawing(name="the old price first", site="shop", redraw=both(
        lambda html: re.sub(r'(<span class="now">.*?</span>)(<del class="was">.*?</del>)', r"\2\1", html),
        swapped(('<del class="was">', '<span class="was">'), ("</del>", "</span>")),
        renamed({"now": "cost", "was": "cost was", "good": "ware"}))),
    Redrawing(name="renamed classes of an agenda", site="agenda", redraw=ITEMS),
    Redrawing(name="hashed classes of an agenda", site="agenda", redraw=hashed),
    Redrawing(name="two amounts and no word which", site="cards", redraw=both(dearer, TILES), trap=True),
    Redrawing(name="no price is what it was", site="cards", redraw=both(rising, TILES), trap=True),
)  # fmt: skip
