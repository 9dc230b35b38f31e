"""Finds sections of related items by their heading (similar, recently viewed), and replies to an advert.

Their amounts are not what the page's own thing costs, whatever the elements around them are called.
"""

import re
from collections.abc import Sequence
from itertools import islice

from turbohtml import Element, Node

from larder.core.policy.word_search import WordSearch
from larder.sdk.page import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import lineage, name_of

MAX_HEADINGS = 60
MAX_FOLLOWING = 40
MAX_WORDS = 80

POST_LEVELS = 12
"""Maximum containers up from an amount to its post in a thread."""

_POST = re.compile(r"(?:^|[\s_-])(?:post|message|comment|reply|beitrag)")
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_RELATED_HEADING = WordSearch(
    r"similar|related|recommended|also (?:like|bought|viewed|interested)|(?:recently|last) viewed|"
    r"customers who|more from|(?:by|from) the same|(?:vom|von der) (?:selben|gleichen)|"
    r"van (?:dezelfde|hetzelfde)|d(?:u|e la) même|del mismo|de la misma|dell[ao] stess[ao]|"
    r"\bbids\b|ähnliche|passend(?:e|es) (?:dazu|zubehör)|kauften auch|ebenfalls angesehen|interessieren|"
    r"zuletzt angesehen|gebote\b|vergelijkbare|gerelateerd|ook (?:interessant|gekocht|bekeken|leuk)|"
    r"(?:onlangs|net|laatst|eerder) bekeken|"
    r"andere (?:advertenties|klanten)|^más anuncios|^mehr (?:anzeigen|von)|^plus d['’]annonces|"
    r"^bieden|biedingen|similaires|intéresser|"
    r"aussi (?:aimer|acheté|vu)|même catégorie|récemment (?:vus|consultés)|relacionad|también|interesar|"
    r"simili|correlati|potrebbero|visti di recente|semelhantes|também|podobn|zobacz też|inni kupili|"
    r"^(?:weitere|andere|more|other|meer|d'autres|autres|otr[oa]s|altr[ei]|outr[oa]s|inne|fler|andra)\b"
    r"(?! ?(?:info|detail|daten|angaben|merkmale|features|photos|fotos|bilder|images|gegevens|kenmerken|"
    r"caract|datos|dati|données))|"
    r"související|mohlo by|ostatní|liknande|lignende|andre (?:har )?kj?øpte?|relaterede|relaterade|relaterte|"
    r"(?:auch|dir|ihnen) gefallen|vous aimerez|associés|te puede|quizás|potrebbe|veja também|"
    r"(?:senast|sist|sidst) (?:visade|sett|sete|set)|anbefal|rekommend|måske|kanskje|"
    r"samankaltais|saatat|muut ostivat|suosittel|viimeksi kats|liittyv(?:ä|iä)|"
    r"doporuč|naposledy|nejprodávaněj|odporúč|súvisiac|"
    r"hasonló|kapcsolódó|ajánl(?:ott|juk)|mások|érdekelhet|legutóbb megtekintett|"
    r"similare|asemănăto|recomand|s-ar putea|alți clienți|văzute recent|"
    r"похож|рекоменд|с этим товаром|вы смотрели|схож|подібн|переглянут|подобни|свързани|препоръч|разгледани|"
    r"benzer|ilgili ürün|önerilen|bunlar da|παρόμοι|σχετικ|προτειν|"
    r"sličn|slični|povezan|preporuč|nedavno|priporoč|sarnased|seotud|panaš|susij|līdzīg|saistīt"
)

_ALIKE_HEADING = WordSearch(
    r"^(?:.{0,30} )?(?:similar|related|ähnliche|verwandte|vergelijkbare|gerelateerde|similaires?"
    r"|relacionad[oa]s|simili|correlati|semelhantes|podobne|podobné|související|liknande|lignende|relaterede|relaterade"
    r"|relaterte|samankaltaiset|súvisiace|hasonló|kapcsolódó|produse similare|anunțuri similare|похожие|"
    r"схожі|подібні|подобни"
    r"|benzer|παρόμοι\w+|σχετικ\w+|slični|slične|sarnased|panašūs|līdzīgi)\b"
)


def related_items(page: Page) -> frozenset[Node]:
    """The root elements of sections with other items than the page's own."""
    _, head = page.cached(headline)
    around = {head, *lineage(head)} if head is not None else set[Node | None]()
    found: set[Node] = set()
    for heading in page.css(", ".join(_HEADINGS))[:MAX_HEADINGS]:
        words = heading.text[: MAX_WORDS * 2].strip()
        if heading is head or len(words) > MAX_WORDS or _RELATED_HEADING.search(words) is None:
            continue
        parent = heading.parent
        found.update(_section_below(heading) if parent in around or parent is None else (parent,))
    return frozenset(found)


def stands_below_related_heading(element: Element) -> bool:
    """Whether the text right above an element is a heading of similar items, in any container."""
    for node in (element, *lineage(element)):
        for before in islice(node.previous_siblings, MAX_FOLLOWING):
            texts = before.stripped_strings if isinstance(before, Element) else [getattr(before, "data", "")]
            if words := [text for text in texts if any(map(str.isalpha, text))]:
                last = " ".join(words[-1].split())
                return len(last) <= MAX_WORDS and _ALIKE_HEADING.search(last) is not None
    return False


def is_related(page: Page, element: Element) -> bool:
    """Whether an element is in a section of other items than the page's own."""
    others = page.cached(related_items)
    return bool(others) and not others.isdisjoint((element, *lineage(element)))


def other_amount_parts(page: Page) -> frozenset[Node]:
    """Parts of the page whose amounts are not its item's: related items, and headers above the headline."""
    _, head = page.cached(headline)
    around = {head, *lineage(head)} if head is not None else set[Node | None]()
    headers = (each for each in page.css("header") if head is not None and each not in around)
    return page.cached(related_items).union(each for each in headers if _is_page_header(each))


def _is_page_header(header: Element) -> bool:
    """Whether it is a header of the page, not of a part of its content."""
    above = (node.tag for node in lineage(header) if isinstance(node, Element))
    return not any(tag in ("main", "article", "section") for tag in above)


def _section_below(heading: Element) -> list[Node]:
    """The elements after a heading, up to the next one of its level or a higher one."""
    parts: list[Node] = []
    for node in islice(heading.next_siblings, MAX_FOLLOWING):
        if isinstance(node, Element):
            if node.tag[:1] == "h" and node.tag <= heading.tag and node.tag in ("h1", *_HEADINGS):
                break
            parts.append(node)
    return parts


def in_first_post(elements: Sequence[Element]) -> list[bool]:
    """The elements in the first post of a thread, or in none; all if no post contains any of them.

    The first post offers a thing; amounts of answers are bids and questions.
    """
    posts = [_post_of(each) for each in elements]
    found = next((post for post in posts if post is not None), None)
    if found is None or found.parent is None:
        return [True] * len(posts)
    first = next(each for each in found.parent.children if _is_alike(each, found))
    return [post is None or post is first for post in posts]


def _post_of(element: Element) -> Element | None:
    """The post around an element: the nearest element named so, or its container beside similar siblings."""
    named = False
    for node in lineage(element, POST_LEVELS):
        if not isinstance(node, Element):
            return None
        named = named or _POST.search(name_of(node).lower()) is not None
        if named and _has_alike(node):
            return node
    return None


def _has_alike(node: Element) -> bool:
    around = node.parent.children if node.parent is not None else ()
    return sum(_is_alike(each, node) for each in around) > 1


def _is_alike(node: Node, other: Element) -> bool:
    if not isinstance(node, Element) or node.tag != other.tag:
        return False
    return (node.attr("class") or "").split()[:1] == (other.attr("class") or "").split()[:1]
