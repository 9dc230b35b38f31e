"""A site answers requests: a function of the request and of the time, with no socket near it.

What to answer is decided once (`answer`); `respond` draws it as bytes, `read` tells what reading it gives.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from enum import StrEnum
from hashlib import sha256
from urllib.parse import parse_qs, urlsplit

from larder.core.model.item import Extracted
from larder.sim.classifieds import Classifieds, IndexPage
from larder.sim.faults import Fault, Trouble, holding
from larder.sim.layouts import Layout, drawing
from larder.sim.layouts.frame import notice, photo
from larder.sim.shown import Shop
from larder.sim.truth import Listing
from larder.sim.twin import Twin

ROBOTS = "User-agent: *\nDisallow: /account/\n"

_LISTING = re.compile(r"/listing/(\d{1,12})(?:-[a-z0-9-]*)?")
_PHOTO = re.compile(r"/photo/(\d{1,12})\.svg")
_PAGE_NUMBER = re.compile(r"[1-9]\d{0,8}")
_ZERO = timedelta(0)


class Removed(StrEnum):
    """What a site does with the address of a listing that is gone."""

    NOT_FOUND = "not_found"
    GONE = "gone"
    WORDS = "words"
    """200, and a sentence that says so."""
    REDIRECT = "redirect"
    """Off to the index."""


class Head(StrEnum):
    """What a site does with HEAD requests."""

    HONEST = "honest"
    REFUSED = "refused"
    """405."""
    LYING = "lying"
    """200, whatever GET would say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimRequest:
    """What a visitor asks for."""

    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"
    host: str = ""
    """As in the Host header; empty: the site's own name."""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, url: str, method: str = "GET") -> "SimRequest":
        """The request for a URL or for a path with its query."""
        parts = urlsplit(url)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        return cls(path=parts.path or "/", query=query, method=method, host=parts.netloc)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimResponse:
    """What the site sends."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay: timedelta = _ZERO
    """How long it takes, in the wall's time."""
    cut: bool = False
    """Nothing is sent: the connection just ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a site has decided to say, not yet drawn."""

    status: int
    shows: IndexPage | Listing | str | None = None
    """An index page, a listing, or a sentence."""
    layout: Layout = Layout.JSONLD
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: timedelta = _ZERO
    cut: bool = False


_NOT_FOUND = Answer(status=404, shows="There is no such page.")
_ACCOUNT = Answer(status=200, shows="Nobody lives here, so nobody signs in.")
_REMOVED = {
    Removed.NOT_FOUND: _NOT_FOUND,
    Removed.GONE: Answer(status=410, shows="This advert has been taken down."),
    Removed.WORDS: Answer(status=200, shows="This advert is no longer available."),
    Removed.REDIRECT: Answer(status=302, headers={"Location": "/listings"}),
}


@dataclass(kw_only=True)
class Site:
    """One made-up site. `faults` may be added to while it runs."""

    name: str
    classifieds: Classifieds
    layout: Layout = Layout.JSONLD
    per_page: int = 90
    robots: str | None = ROBOTS
    """None: the site has no robots.txt."""
    removed: Removed = Removed.NOT_FOUND
    head: Head = Head.HONEST
    faults: list[Fault] = field(default_factory=list)
    _twins: dict[tuple[Shop, Layout], Twin] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def answer(self, request: SimRequest, at: datetime) -> Answer:
        """What the site says at `at`, faults included."""
        troubles = holding(self.faults, at)
        decided = self._refusal(request, troubles) or self._route(request, at, troubles)
        layout = troubles[Trouble.REDRAWN].layout if Trouble.REDRAWN in troubles else self.layout
        delay = troubles[Trouble.SLOW].delay if Trouble.SLOW in troubles else _ZERO
        return replace(decided, layout=layout, delay=delay)

    def respond(self, request: SimRequest, at: datetime) -> SimResponse:
        """The answer as it goes over the wire."""
        answer = self.answer(request, at)
        body = _draw(self._shop(request), answer)
        headers = {"Content-Type": answer.kind, **answer.headers}
        response = SimResponse(
            status=answer.status, headers=headers, body=body, delay=answer.delay, cut=answer.cut
        )
        if isinstance(answer.shows, Listing):
            response = _validated(response, request, answer.shows.changed_at)
        return replace(response, body=b"") if request.method == "HEAD" else response

    def read(self, url: str, at: datetime) -> Extracted:
        """What reading the page at `url` gives; `LookupError` where there is none to read."""
        request = SimRequest.of(url)
        return self.extracted(request, self.answer(request, at))

    def extracted(self, request: SimRequest, answer: Answer) -> Extracted:
        """What reading an answer of this site gives; `LookupError` where it is no page."""
        twin = self._twin(self._shop(request), answer.layout)
        match answer.shows:
            case IndexPage() as page:
                return twin.index(page)
            case Listing() as listing:
                return twin.detail(listing)
        raise LookupError(f"{self.name}{request.path} answers {answer.status}")

    def _twin(self, shop: Shop, layout: Layout) -> Twin:
        if (shop, layout) not in self._twins:
            self._twins[shop, layout] = Twin(shop, layout)
        return self._twins[shop, layout]

    def _shop(self, request: SimRequest) -> Shop:
        return Shop(name=self.name, base=f"http://{request.host or self.name}")

    def _refusal(self, request: SimRequest, troubles: Mapping[Trouble, Fault]) -> Answer | None:
        if Trouble.CUT in troubles:
            return Answer(status=0, cut=True)
        if Trouble.ERROR in troubles:
            return Answer(status=500, shows="Something went wrong on our side.")
        if request.path == "/robots.txt":
            return None
        if Trouble.BLOCKED in troubles:
            return Answer(status=403, shows="Access denied.")
        if Trouble.LIMITED in troubles:
            seconds = str(int(troubles[Trouble.LIMITED].delay.total_seconds()))
            return Answer(status=429, shows="Too many requests.", headers={"Retry-After": seconds})
        return None

    def _route(self, request: SimRequest, at: datetime, troubles: Mapping[Trouble, Fault]) -> Answer:
        if request.method == "HEAD" and self.head is not Head.HONEST:
            return Answer(status=200 if self.head is Head.LYING else 405)
        if request.method not in ("GET", "HEAD"):
            return Answer(status=405, headers={"Allow": "GET, HEAD"})
        if request.path == "/robots.txt":
            return self._robots()
        if Trouble.EMPTY in troubles:
            return Answer(status=200)
        if request.path in ("/", "/listings"):
            return self._index(request.query.get("page", "1"), at)
        if advert := _LISTING.fullmatch(request.path):
            return _NOT_FOUND if Trouble.LOST in troubles else self._listing(advert[1], at)
        if picture := _PHOTO.fullmatch(request.path):
            return Answer(status=200, shows=photo(picture[1]), kind="image/svg+xml")
        return _ACCOUNT if request.path == "/account/" else _NOT_FOUND

    def _robots(self) -> Answer:
        if self.robots is None:
            return _NOT_FOUND
        return Answer(status=200, shows=self.robots, kind="text/plain; charset=utf-8")

    def _index(self, number: str, at: datetime) -> Answer:
        if not _PAGE_NUMBER.fullmatch(number):
            return _NOT_FOUND
        return Answer(status=200, shows=self.classifieds.index(at, int(number), self.per_page))

    def _listing(self, platform_id: str, at: datetime) -> Answer:
        listing = self.classifieds.listing(platform_id, at)
        if listing is not None:
            return Answer(status=200, shows=listing)
        known = self.classifieds.ever(platform_id, at) is not None
        return _REMOVED[self.removed] if known else _NOT_FOUND


def _draw(shop: Shop, answer: Answer) -> bytes:
    match answer.shows:
        case IndexPage() as page:
            return drawing(answer.layout).index(shop, page).encode()
        case Listing() as listing:
            return drawing(answer.layout).detail(shop, listing).encode()
        case str() as text if answer.kind.startswith("text/html"):
            return notice(shop, title=text.rstrip("."), text=text).encode()
        case str() as text:
            return text.encode()
        case None:
            return b""


def _validated(response: SimResponse, request: SimRequest, changed_at: datetime) -> SimResponse:
    """Validators on the way out, and 304 for who has them already."""
    tag = f'"{sha256(response.body).hexdigest()[:16]}"'
    headers = {**response.headers, "ETag": tag, "Last-Modified": format_datetime(changed_at, usegmt=True)}
    if _is_known(request.headers, tag, changed_at):
        return replace(response, status=304, headers=headers, body=b"")
    return replace(response, headers=headers)


def _is_known(headers: Mapping[str, str], tag: str, changed_at: datetime) -> bool:
    """By tag where the visitor has one, else by date (RFC 9110)."""
    sent = {name.lower(): value for name, value in headers.items()}
    if "if-none-match" in sent:
        return tag in (each.strip() for each in sent["if-none-match"].split(","))
    since = _date(sent.get("if-modified-since", ""))
    return since is not None and changed_at.replace(microsecond=0) <= since


def _date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
