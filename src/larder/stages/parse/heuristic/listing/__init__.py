"""Reads a listing from a page without usable markup: a product's fields, and the facts of a home."""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from larder.core.model.item import Item
from larder.core.policy.trust.offer_status import offer_status
from larder.sdk.page import Page, brief_text_of
from larder.sdk.raw_fields import without_empty
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.extraction_task import ExtractionTask, Fields
from larder.stages.parse.heuristic.address import parts_of, path_of
from larder.stages.parse.heuristic.headline import announced_title, headline, similarity
from larder.stages.parse.heuristic.listing.asked_price import asked_price, price_in_title
from larder.stages.parse.heuristic.listing.facts import facts
from larder.stages.parse.heuristic.listing.locality import locality
from larder.stages.parse.heuristic.listing.status import status
from larder.stages.parse.heuristic.listing.title import listing_title
from larder.stages.parse.heuristic.price_elements import says_no_amount
from larder.stages.parse.heuristic.price_words import PRICE_LABEL
from larder.stages.parse.heuristic.prices import price_candidates
from larder.stages.parse.heuristic.product import product
from larder.stages.parse.heuristic.segments import segments
from larder.stages.parse.heuristic.vocabulary.prices import ON_REQUEST
from larder.stages.parse.meta_tags import meta_fields
from larder.stages.parse.rent_periods import period_behind

MIN_FACTS = 2
MAX_CLOSE_TEXTS = 20
MAX_BEHIND_HEADLINE = 12
"""Maximum texts near the headline in which "on request" is the item's, whatever amounts precede it."""
MAX_PHRASE = 60
MIN_TITLE_SIMILARITY = 0.6
MIN_SLUG_WORDS = 3

_NUMBER = re.compile(r"\d{4}")
_NUMBERED = re.compile(r"(?:^|&)(?:t|tid|id|topic|thread|ad|adid|item|itemid|nr)=\d+(?:&|$)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]{2,}")
_FACTS = ("area", "rooms", "beds", "baths")


def listing(task: ExtractionTask) -> list[Item]:
    """The one item of a detail page; none if it shows neither price, stock nor the facts of a home."""
    found = (
        replace(
            item,
            fields={
                **_home_fields(task),
                **_asked(item.fields, task),
                **_without_fees(item.fields, task),
                **_price_of_title(item.fields, task),
                **_title_field(task),
            },
        )
        for item in product(task)
    )
    return [item for item in found if task.lacking is not None or _is_listing(item.fields, task)]


def _is_listing(fields: Mapping[str, Any], task: ExtractionTask) -> bool:
    """Whether it has a price, stock, "on request" or two facts of a home."""
    if not fields.keys().isdisjoint(("price", "availability", "buyable")):
        return True
    if sum(name in fields for name in _FACTS) >= MIN_FACTS:
        return True
    page = task.page
    return page.cached(says_no_amount) or page.cached(_is_on_request) or page.cached(_is_advert)


def _is_advert(page: Page) -> bool:
    """Whether the headline is the announced title, and the address has a number or the title's words."""
    title = page.cached(headline)[0]
    query = parts_of(page.url).query
    numbered = _NUMBER.search(path_of(page.url) + query) is not None or _NUMBERED.search(query) is not None
    if not numbered and not _is_spelt_by_address(title, page):
        return False
    return similarity(title, page.cached(announced_title)) >= MIN_TITLE_SIMILARITY


def _is_spelt_by_address(title: str, page: Page) -> bool:
    """Whether the end of the address (`/t/large-oak-table/12`) has all words of a title of at least three."""
    last = "/".join(path_of(page.url).rstrip("/").split("/")[-2:]).casefold()
    words = [word for word in _WORD.findall(title.casefold()) if word.isascii()]
    return len(title.split()) >= MIN_SLUG_WORDS and len(words) > 1 and all(word in last for word in words)


def _is_on_request(page: Page) -> bool:
    return any(map(_says_on_request, _texts_near_headline(page)))


def _texts_near_headline(page: Page) -> list[str]:
    """The texts around the headline."""
    shown = page.cached(segments)
    return [
        each.text for each in shown.texts[max(0, shown.head - MAX_CLOSE_TEXTS) : shown.head + MAX_CLOSE_TEXTS]
    ]


def _says_on_request(text: str) -> bool:
    return len(text) <= MAX_PHRASE and ON_REQUEST.search(text) is not None


def _without_fees(fields: Mapping[str, Any], task: ExtractionTask) -> Fields:
    """Removes an amount if "on request" precedes it: amounts after it are fees and deposits."""
    if "price" not in fields:
        return dict(fields)
    if task.page.cached(_begins_on_request):
        return {name: value for name, value in fields.items() if name not in ("price", "currency")}
    return without_empty({"period": _period(str(fields["price"]), task.page), **fields})


def _asked(fields: Mapping[str, Any], task: ExtractionTask) -> Fields:
    """The asking price in the title or the text, if no price or "on request" is shown."""
    page = task.page
    if (
        "price" in fields
        or not task.wants("price")
        or page.cached(says_no_amount)
        or page.cached(_is_on_request)
    ):
        return {}
    return without_empty({"price": page.cached(asked_price)})


def _price_of_title(fields: Mapping[str, Any], task: ExtractionTask) -> Fields:
    """The only amount of the title, if the page's price is in prose and so may be a cost or a bid."""
    titled = task.page.cached(price_in_title) if "price" in fields else ""
    if not titled or not task.wants("price") or "price" in task.page.cached(meta_fields):
        return {}
    shown = price_candidates(task.page, task.page.cached(headline)[1], rent=True, own=True)
    return {"price": titled} if shown and len(brief_text_of(shown[0].holder)) > MAX_PHRASE else {}


def _period(price: str, page: Page) -> str:
    """The period in the words after the amount."""
    shown = page.cached(segments).texts
    at = next((at for at, each in enumerate(shown) if price[:MAX_PHRASE] in each.text), None)
    return period_behind(price, " ".join(each.text for each in shown[at : at + 2])) if at is not None else ""


def _begins_on_request(page: Page) -> bool:
    """Whether "on request" precedes any amount, or a price label is followed by "sold"."""
    shown = page.cached(segments)
    behind = [each.text for each in shown.texts[shown.head : shown.head + MAX_BEHIND_HEADLINE]]
    return _comes_before_amounts(behind) or _comes_before_amounts(_texts_near_headline(page))


def _comes_before_amounts(texts: list[str]) -> bool:
    for text, following in pairwise([*texts, ""]):
        if AMOUNT.search(text):
            return False
        if _says_on_request(text) or (PRICE_LABEL.fullmatch(text) and offer_status(following)):
            return True
    return False


def _title_field(task: ExtractionTask) -> Fields:
    return without_empty({"title": task.page.cached(listing_title)}) if task.wants("title") else {}


def _home_fields(task: ExtractionTask) -> Fields:
    page_facts = task.page.cached(facts) if any(task.wants(name) for name in _FACTS) else {}
    found: Fields = {name: page_facts[name] for name in page_facts if task.wants(name)}
    if task.wants("address"):
        found["address"] = task.page.cached(locality)
    return without_empty({**found, "status": task.page.cached(status)})
