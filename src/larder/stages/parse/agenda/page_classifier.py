"""Classifies a page as an event agenda by its days, event markup, words and links to other dates.

The answer is a confidence with the signs that it rests on, so that a person can see why. Days on rows count
most; what sells things or homes counts against it.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from larder.core.model.source import Kind
from larder.sdk.jsonld import types_of
from larder.sdk.page import Page, text_of
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.heuristic.price_elements import elements_with_amounts
from larder.stages.parse.schema import is_node_of_kind
from larder.stages.parse.structured import walk_nodes

AGENDA_FROM = 0.5
"""Minimum confidence of an agenda."""
MAX_LINKS = 2_000
MAX_TEXT = 100_000
MAX_TITLE = 200
BIAS = -2.2
WEIGHTS = {
    "days": (0.5, 8),
    "event_markup": (1.7, 4),
    "event_words": (0.7, 2),
    "body_words": (0.08, 10),
    "other_dates": (0.2, 5),
    "goods": (-3.0, 1),
    "articles": (-0.5, 4),
}
"""The weight of each sign, and how often it counts at most."""
UNNAMED = 1.0
"""Weight against a page whose only signs are days, as reviews and adverts have days too."""
PRICED = 1.0
"""Weight against a page with twice as many prices as days."""

_WORDS = re.compile(
    r"\b(?:agenda|uit-?agenda|evenement(?:en)?|event(?:s|o|os|i)?|calend(?:ar|rier|ario)|ka?lend[ae]r|"
    r"concert(?:en|s)?|konzert[e]?|voorstelling(?:en)?|programm(?:a|e)|program|spielplan|"
    r"veranstaltung(?:en|skalender)?|termine|what'?s on|wat is er te doen|shows?|gigs|festivals?|tickets?|"
    r"theat(?:er|re)|spectacles?|[ée]v[ée]nements?|sorties|performances?|workshops?|exhibitions?|"
    r"meetings?|vergadering(?:en)?|sitzung(?:en)?)\b",
    re.IGNORECASE,
)
_PRODUCT_TYPES = frozenset({
    "Product", "ProductGroup", "IndividualProduct", "RealEstateListing", "Apartment", "House",
    "SingleFamilyResidence", "ApartmentComplex", "Residence",
})  # fmt: skip
_CART = (
    "form[action*='add-to-cart' i], form[action*='cart/add' i], form[id*='addtocart' i], "
    "[id*='add-to-cart' i], [class*='add-to-cart' i], [name*='add-to-cart' i]"
)
_ARTICLE_TYPES = frozenset({"NewsArticle", "BlogPosting", "Article", "Recipe", "JobPosting"})
_OTHER_DATES = re.compile(
    r"(?:[?&/](?:date|datum|month|maand|monat|week|day|dag|from|van|start)[=/-]?\d{0,4}"
    r"|/20\d\d[-/](?:0?[1-9]|1[0-2])(?:[-/]|$))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaJudgement:
    """The confidence that a page is an agenda of events, with its reasons."""

    confidence: float
    """From 0 to 1."""
    signs: Mapping[str, int]
    """The number of times that each sign was found."""
    title: str = ""


def judge_agenda(page: Page) -> AgendaJudgement:
    """Classify a page by its visible content."""
    signs = agenda_signs(page)
    return AgendaJudgement(confidence=_confidence(signs), signs=signs, title=_title(page))


def agenda_signs(page: Page) -> dict[str, int]:
    """Counts each sign for or against an agenda on a page."""
    types = [set(types_of(node)) for node in walk_nodes([*page.json_ld(), *page.microdata()])]
    named = f"{page.url} {_title(page)} {' '.join(text_of(head) for head in page.css('h1, h2')[:20])}"
    return {
        "days": len({mention.day for mention in page.cached(mentions) if not mention.in_prose}),
        "event_markup": sum(
            is_node_of_kind(node, Kind.EVENT) for node in walk_nodes([*page.json_ld(), *page.microdata()])
        ),
        "event_words": len({word.lower() for word in _WORDS.findall(named.replace("-", " "))}),
        "body_words": min(len(_WORDS.findall(page.visible[:MAX_TEXT])), 50),
        "other_dates": sum(bool(_OTHER_DATES.search(href)) for href in _links(page)),
        "goods": sum(bool(each & _PRODUCT_TYPES) for each in types) or int(_sells(page)),
        "articles": sum(bool(each & _ARTICLE_TYPES) for each in types),
        "prices": len(page.cached(elements_with_amounts)),
    }


def _confidence(signs: Mapping[str, int]) -> float:
    """The sum of the weighted signs, as a share by the logistic function."""
    points = BIAS + sum(weight * min(signs[sign], most) for sign, (weight, most) in WEIGHTS.items())
    if signs["prices"] > max(2 * signs["days"], 3):
        points -= PRICED
    if not (signs["event_words"] or signs["event_markup"] or signs["other_dates"]):
        points -= UNNAMED
    return round(1 / (1 + math.exp(-points)), 3)


def _sells(page: Page) -> bool:
    return "product" in page.meta().get("og:type", "").lower() or page.first(_CART) is not None


def _links(page: Page) -> Iterator[str]:
    return (str(link.attrs.get("href") or "") for link in page.css("a[href]")[:MAX_LINKS])


def _title(page: Page) -> str:
    return " ".join(text_of(page.first("title")).split())[:MAX_TITLE]
