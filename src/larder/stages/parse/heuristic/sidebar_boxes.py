"""Finds sidebar boxes by their heading: `Popular this week`."""

import re
from collections.abc import Callable

from turbohtml import Element

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.page import Page, brief_text_of

MAX_HEADINGS = 200
MAX_HEADING = 60
MAX_PARTS = 12

_SIDEBAR_HEADING = re.compile(
    r"(?:(?:most )?popular|trending|(?:just|newly|recently) announced|net toegevoegd|neu im programm"
    r"|(?:people|customers|others) also|you (?:may|might|could) |related|similar"
    r"|recommended|more like this|recently (?:viewed|added)|recent (?:posts|news)|latest news|from our blog"
    r"|populair|meest bekeken|ook interessant|misschien vind|gerelateerd|vergelijkbar|aanbevolen"
    r"|laatste nieuws"
    r"|beliebt|meistgesehen|das könnte|auch interessant|ähnliche|empfohlen|empfehlungen|aktuelle nachrichten"
    r"|populaires?|vous aimerez|similaires|à lire aussi|dernières actualités|les plus (?:vus|lus)"
    r"|lo más visto|también te|te puede interesar|relacionad|similares|recomendad|últimas noticias"
    r"|i più (?:visti|letti)|potrebbe interessarti|correlati|simili|consigliati|ultime notizie"
    r"|mais (?:vistos|lidos)|você também|também pode|populära|liknande|du kanske|populære|lignende"
    r"|popularne|podobne|polecane|nejčtenější|podobné|doporučujeme)",
    re.IGNORECASE,
)
_NEWS_HEADING = re.compile(
    r"news|blog|press(?: releases)?|nieuws(?:berichten)?|actueel|aktuelles|neuigkeiten|nachrichten|presse"
    r"|actualités?|actus?|noticias|actualidad|notizie|novità|comunicati(?: stampa)?|notícias|aktualności"
    r"|wiadomości|nyheter|nyheder|aktuality|novinky",
    re.IGNORECASE,
)


_OTHER_EVENTS = lazy_pattern(
    r"(?:more|other|further|upcoming|next|also|see also|don['’]t miss)\b.{0,20}"
    r"(?:events?|shows?|gigs?|concerts?|like this)"
    r"|(?:meer|andere|volgende|komende)\b.{0,20}(?:evenementen|voorstellingen|concerten|activiteiten)"
    r"|anderen bekeken|bekijk ook|ook leuk|zie ook|misschien ook|onze aanraders|(?:\w+ )?tipt$"
    r"|see also$|you may also|siehe auch|das könnte|voir aussi|vous aimerez|ver también|también te"
    r"|vedi anche|zobacz też|se även|se også"
    r"|(?:weitere|andere|nächste|kommende)\b.{0,20}(?:veranstaltungen|konzerte|events)"
    r"|(?:autres|prochains)\b.{0,20}(?:événements|évènements|spectacles|concerts)|à voir aussi"
    r"|(?:otros|más|próximos)\b.{0,20}(?:eventos|conciertos|actos)"
    r"|(?:altri|prossimi)\b.{0,20}(?:eventi|appuntamenti|spettacoli)"
    r"|(?:outros|mais|próximos)\b.{0,20}eventos|(?:inne|kolejne|nadchodzące)\b.{0,20}(?:wydarzenia|imprezy)"
    r"|(?:fler|andra|kommande)\b.{0,20}evenemang|(?:flere|andre|kommende)\b.{0,20}arrangementer|další akce",
    re.IGNORECASE,
)
"""On an event's own page; on an index such a heading may stand above the list itself."""


def other_events(page: Page) -> frozenset[Element]:
    """The containers of what headings on an event's page call other events."""
    return _boxes(page, _OTHER_EVENTS.match)


def news_boxes(page: Page) -> frozenset[Element]:
    """The containers of what headings call news: its days are those of publication."""
    return _boxes(page, _NEWS_HEADING.fullmatch)


def sidebar_boxes(page: Page) -> frozenset[Element]:
    """The containers of such headings; none that holds the page's headline."""
    return _boxes(page, _SIDEBAR_HEADING.match)


def _boxes(page: Page, announces: Callable[[str], object]) -> frozenset[Element]:
    headings = page.css("h2, h3, h4, h5")[:MAX_HEADINGS]
    boxes = (_box(heading) for heading in headings if _announces_box(heading, announces))
    return frozenset(box for box in boxes if box is not None)


def _announces_box(heading: Element, announces: Callable[[str], object]) -> bool:
    text = brief_text_of(heading, MAX_PARTS)
    return len(text) <= MAX_HEADING and bool(announces(text)) and heading.select_one("a") is None


def _box(heading: Element) -> Element | None:
    box = heading.parent
    if not isinstance(box, Element) or box.tag in ("body", "main", "html", "article", "li"):
        return None
    return box if box.select_one("h1") is None else None
