"""Pagers that are forms: a button that sends the number of a later page.

A GET form has an address, made of its fields as a browser would make it. A POST form has none: it is never
sent, but shows that the index continues.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from turbohtml import Element

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page
from larder.sdk.urls import join, registrable_domain
from larder.stages.parse.pagination.links import PagerLink, is_disabled, link_target
from larder.stages.parse.pagination.words import LinkMeaning, link_meaning

MAX_FORMS = 40
MAX_FIELDS = 20
MAX_BUTTONS = 30

PAGE_FIELDS = frozenset({
    "page", "p", "pg", "pag", "pagina", "página", "pagenumber", "pageno", "paged", "seite", "side", "sida",
    "sivu", "strona", "strana", "str", "stranica", "oldal", "sayfa", "puslapis", "lapa", "offset", "start",
    "skip", "from", "fra", "desde", "inicio", "cursor", "after",
})  # fmt: skip
"""Field names for the number of a page."""
ROW_FIELDS = frozenset({"offset", "start", "skip", "from", "fra", "desde", "inicio"})
"""Those that count rows."""
_SENDS = "button, input[type=submit]"


@dataclass(frozen=True, slots=True, kw_only=True)
class PagingForm:
    """A form with a button for the next page, and its fields."""

    form: Element
    label: str
    fields: Sequence[tuple[str, str]]

    @property
    def is_sent_by_get(self) -> bool:
        """Whether its next page has an address."""
        return (self.form.attr("method") or "get").strip().lower() == "get"


def paging_forms(page: Page) -> list[PagingForm]:
    """The forms on the page that request its next page."""
    forms = page.css("form")[:MAX_FORMS]
    return [found for form in forms for found in _next_page_forms(form)]


def follows_by_form(page: Page) -> NextPage | None:
    """The address to which a form for the next page would be sent."""
    for found in page.cached(paging_forms):
        url = _address(page, found) if found.is_sent_by_get else ""
        if url:
            because = f"the button '{found.label}' of a form requests it"
            return NextPage(url=url, evidence=NextEvidence.LINK, because=because)
    return None


def _next_page_forms(form: Element) -> Iterator[PagingForm]:
    for button in form.select(_SENDS)[:MAX_BUTTONS]:
        label = " ".join((button.text or button.attr("value") or button.attr("aria-label") or "").split())
        if not _is_sent_by(button) or link_meaning(label) not in (
            LinkMeaning.NEXT,
            LinkMeaning.MORE,
            LinkMeaning.ARROW,
        ):
            continue
        fields = _fields(form, button)
        if any(
            name.lower().rpartition("[")[2].rstrip("]") in PAGE_FIELDS and value for name, value in fields
        ):
            yield PagingForm(form=form, label=label, fields=fields)


def _is_sent_by(button: Element) -> bool:
    """Whether the button submits its form, is enabled, and belongs to no slide show or filter."""
    if button.attr("type") in ("button", "reset") or button.attr("disabled") is not None:
        return False
    return not is_disabled(button) and not PagerLink(element=button, url="", label="").elsewhere


def _fields(form: Element, button: Element) -> list[tuple[str, str]]:
    """The fields sent with this button: hidden ones, and the button's own value."""
    sent = [*form.select("input[type=hidden][name]")[:MAX_FIELDS], button]
    return [(name, each.attr("value") or "") for each in sent if (name := each.attr("name"))]


def _address(page: Page, found: PagingForm) -> str:
    action = join(page.base, found.form.attr("action") or page.url) or ""
    if not action or registrable_domain(action) != registrable_domain(page.url):
        return ""
    query = urlencode(list(found.fields))
    return link_target(page, urlunsplit(urlsplit(action)._replace(query=query, fragment="")))
