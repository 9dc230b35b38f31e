"""Finds sidebar boxes by their heading: `Popular this week`."""

import re
from collections.abc import Callable
from itertools import islice

from turbohtml import Element, Node

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.page import Page, brief_text_of
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import lineage

MAX_HEADINGS = 200
MAX_HEADING = 60
MAX_PARTS = 12
MAX_FOLLOWING = 300
MAX_WRAPPERS = 3

_HEADINGS = "h2, h3, h4, h5"
_ANY_HEADING = f"{_HEADINGS}, h6, [role=heading], " + ", ".join(
    f"{tag}[class*={word} i]" for tag in ("div", "p", "span") for word in ("title", "heading")
)

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
    r"|(?:fler|andra|kommande)\b.{0,20}evenemang|(?:flere|andre|kommende)\b.{0,20}arrangementer|další akce"
    r"|more (?:from|by|at|in)\b|also (?:at|by|from)\b|events? (?:you|we) (?:may|might|could|recommend)"
    r"|(?:mehr|weitere) (?:von|aus|events|veranstaltungen|konzerte)\b|dit vind je|meer (?:van|uit|in)\b"
    r"|plus de\b.{0,20}(?:événements|évènements|spectacles|concerts)|dans la même|mohlo by|mohla by"
    r"|más de\b|altro da\b|więcej od\b|mer från\b|mere fra\b|mer fra\b",
    re.IGNORECASE,
)
"""On an event's own page; on an index, such a heading may precede the list itself."""
_LAST_WORD = lazy_pattern(
    r"[\w ’'é]{3,30} (?:similaires?|similares|relacionad[oa]s|recomendad[oa]s|recommandée?s|correlati|simili"
    r"|consigliati|semelhantes|powiązane|podobne)",
    re.IGNORECASE,
)
"""Matches `Événements similaires`, `Eventi correlati`."""
_OWN_DAYS = lazy_pattern(
    r"(?:upcoming|next|komende|volgende|nächste|kommende|prochains|próximos|prossimi|kolejne"
    r"|nadchodzące|kommande)\b",
    re.IGNORECASE,
)
"""Matches headings that may also precede the days of the page's own event."""


def other_events(page: Page) -> frozenset[Element]:
    """The containers below headings for other events on an event's page."""
    return _boxes(page, _calls_others)


def other_sections(page: Page) -> frozenset[Element]:
    """The same for headings in wrappers of their own, and for those beside the page's own event."""
    _, head = page.cached(headline)
    around: set[Node] = {head, *lineage(head)} if head is not None else set()
    found: set[Element] = set()
    for heading in _announcing(_brief(page.css(_ANY_HEADING)), _calls_others) if around else ():
        outer = _with_wrappers(heading)
        if _OWN_DAYS.match(brief_text_of(heading, MAX_PARTS)):
            continue
        if outer.parent in around:
            found.update(_section_behind(outer, around))
        elif (box := _box(outer)) is not None:
            found.add(box)
    return frozenset(found)


def _calls_others(text: str) -> bool:
    if _SIDEBAR_HEADING.match(text) or _OTHER_EVENTS.match(text):
        return True
    return _LAST_WORD.fullmatch(text) is not None


def _with_wrappers(heading: Element) -> Element:
    """The outermost element with no other text than a heading."""
    text = brief_text_of(heading, MAX_PARTS)
    for _ in range(MAX_WRAPPERS):
        outer = heading.parent
        if not isinstance(outer, Element) or brief_text_of(outer, 2 * MAX_PARTS) != text:
            break
        heading = outer
    return heading


def _section_behind(heading: Element, around: set[Node]) -> list[Element]:
    """The elements after a heading, up to the next heading of its level, or the headline's container."""
    level = _level(heading)
    parts: list[Element] = []
    for node in islice(heading.next_siblings, MAX_FOLLOWING):
        if not isinstance(node, Element):
            continue
        if node in around or (parts and "h" < _level(node) <= level):
            break
        parts.append(node)
    return parts


def _level(element: Element) -> str:
    """The tag of a heading, or of the only heading in an element: `h2`; empty for others."""
    inner = element if element.tag in _LEVELS else element.select_one("h2, h3, h4, h5, h6")
    alone = inner is not None and brief_text_of(element, 2 * MAX_PARTS) == brief_text_of(inner, MAX_PARTS)
    return inner.tag if inner is not None and alone else ""


_LEVELS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def news_boxes(page: Page) -> frozenset[Element]:
    """The parts below headings of news, with or without a container: their days are publication days."""
    _, head = page.cached(headline)
    around: set[Node] = {head, *lineage(head)} if head is not None else set()
    found = set(_boxes(page, _NEWS_HEADING.fullmatch))
    for heading in _announcing(page.cached(_headings), _NEWS_HEADING.fullmatch):
        if heading is not head and _box(heading) is None:
            found.update(_section_behind(heading, around))
    return frozenset(found)


def sidebar_boxes(page: Page) -> frozenset[Element]:
    """The containers of such headings, without those that contain the page's headline."""
    return _boxes(page, _SIDEBAR_HEADING.match)


def _boxes(page: Page, announces: Callable[[str], object]) -> frozenset[Element]:
    boxes = (_box(heading) for heading in _announcing(page.cached(_headings), announces))
    return frozenset(box for box in boxes if box is not None)


def _headings(page: Page) -> list[tuple[Element, str]]:
    """The short headings of a page, each with its text; cached for all kinds of boxes."""
    return _brief(page.css(_HEADINGS))


def _brief(headings: list[Element]) -> list[tuple[Element, str]]:
    read = ((each, brief_text_of(each, MAX_PARTS)) for each in headings[:MAX_HEADINGS])
    return [(each, text) for each, text in read if len(text) <= MAX_HEADING]


def _announcing(headings: list[tuple[Element, str]], announces: Callable[[str], object]) -> list[Element]:
    return [each for each, text in headings if announces(text) and each.select_one("a") is None]


def _box(heading: Element) -> Element | None:
    box = heading.parent
    if not isinstance(box, Element) or box.tag in ("body", "main", "html", "article", "li"):
        return None
    return box if box.select_one("h1") is None else None
