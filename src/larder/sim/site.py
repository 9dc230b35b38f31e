"""The base of all simulated sites: a pure function of the request and the time; the server is elsewhere.

The response is decided once (`answer`), faults included; `respond` renders it as bytes. A kind of site
defines its pages and their look.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from enum import StrEnum
from hashlib import sha256
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

from larder.core.model.item import Extracted
from larder.sim.faults import Fault, FaultKind, active_faults
from larder.sim.layouts import Layout
from larder.sim.layouts.document_frame import message_page
from larder.sim.wording import SiteBrand

ROBOTS = "User-agent: *\nDisallow: /account/\n"

_PAGE_NUMBER = re.compile(r"[1-9]\d{0,8}")
_ZERO = timedelta(0)


class RemovedItems(StrEnum):
    """The response of a site at the address of a removed listing."""

    NOT_FOUND = "not_found"
    GONE = "gone"
    WORDS = "words"
    """200, and a sentence that says so."""
    REDIRECT = "redirect"
    """Off to the index."""


class HeadSupport(StrEnum):
    """The response of a site to HEAD requests."""

    HONEST = "honest"
    REFUSED = "refused"
    """405."""
    LYING = "lying"
    """200, whatever GET would say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimRequest:
    """A request to a simulated site."""

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
class SiteAnswer:
    """A site's answer before it is rendered."""

    status: int
    content: object = None
    """An index page, a thing, a picture, or a sentence."""
    layout: Layout = Layout.JSONLD
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: timedelta = _ZERO
    cut: bool = False


_NOT_FOUND = SiteAnswer(status=404, content="There is no such page.")
_ACCOUNT = SiteAnswer(status=200, content="Nobody lives here, so nobody signs in.")


@dataclass(kw_only=True)
class SimSite(ABC):
    """One simulated site. Faults may be added while it runs."""

    name: str
    layout: Layout = Layout.JSONLD
    per_page: int = 90
    robots: str | None = ROBOTS
    """None: the site has no robots.txt."""
    removed: RemovedItems = RemovedItems.NOT_FOUND
    head: HeadSupport = HeadSupport.HONEST
    faults: list[Fault] = field(default_factory=list)

    INDEX_PATH: ClassVar[str]
    """The path of the index; the front page shows the same."""
    ITEM_PATH: ClassVar[re.Pattern[str]]
    """The path of a thing's own page; its first group is the thing's id."""

    @abstractmethod
    def brand_at(self, base: str) -> SiteBrand:
        """The site's name and origin at `base`."""

    @abstractmethod
    def index(self, at: datetime, page: int) -> object:
        """An index page."""

    @abstractmethod
    def item(self, platform_id: str, at: datetime) -> object | None:
        """An item at `at`; None: it is not there."""

    @abstractmethod
    def was_listed(self, platform_id: str, at: datetime) -> bool:
        """Whether the record was ever listed."""

    @abstractmethod
    def entity_of(self, platform_id: str, at: datetime) -> str:
        """The identity of its entity, the same on every site; empty: no other site shows it."""

    @abstractmethod
    def prices(self, at: datetime) -> Mapping[str, int | None]:
        """The shown prices of all items in cents, by id."""

    @abstractmethod
    def image(self, path: str) -> SiteAnswer | None:
        """The picture at a path."""

    @abstractmethod
    def render(self, brand: SiteBrand, layout: Layout, content: object) -> str:
        """The HTML of an index page or of a detail page."""

    @abstractmethod
    def changed_at(self, content: object) -> datetime | None:
        """When a detail page last changed; None if it has no validators."""

    def payload(self, request: SimRequest, answer: SiteAnswer) -> Extracted | None:  # noqa: ARG002
        """The values read from the answer, if they are known without rendering it."""
        return None

    def answer(self, request: SimRequest, at: datetime) -> SiteAnswer:
        """The site's answer at `at`, faults included."""
        troubles = active_faults(self.faults, at)
        decided = self._refusal(request, troubles) or self._route(request, at, troubles)
        layout = troubles[FaultKind.REDRAWN].layout if FaultKind.REDRAWN in troubles else self.layout
        delay = troubles[FaultKind.SLOW].delay if FaultKind.SLOW in troubles else _ZERO
        return replace(decided, layout=layout, delay=delay)

    def respond(self, request: SimRequest, at: datetime) -> SimResponse:
        """The answer as an HTTP response."""
        answer = self.answer(request, at)
        body = self._body(self.brand_for(request), answer)
        headers = {"Content-Type": answer.kind, **answer.headers}
        response = SimResponse(
            status=answer.status, headers=headers, body=body, delay=answer.delay, cut=answer.cut
        )
        if (changed_at := self.changed_at(answer.content)) is not None:
            response = _validated(response, request, changed_at)
        return replace(response, body=b"") if request.method == "HEAD" else response

    def brand_for(self, request: SimRequest) -> SiteBrand:
        """The site under the host name of the request."""
        return self.brand_at(f"http://{request.host or self.name}")

    def _body(self, brand: SiteBrand, answer: SiteAnswer) -> bytes:
        match answer.content:
            case None:
                return b""
            case bytes() as picture:
                return picture
            case str() as text if answer.kind.startswith("text/html"):
                return message_page(brand, title=text.rstrip("."), text=text).encode()
            case str() as text:
                return text.encode()
            case content:
                return self.render(brand, answer.layout, content).encode()

    def _refusal(self, request: SimRequest, troubles: Mapping[FaultKind, Fault]) -> SiteAnswer | None:
        if FaultKind.CUT in troubles:
            return SiteAnswer(status=0, cut=True)
        if FaultKind.ERROR in troubles:
            return SiteAnswer(status=500, content="Something went wrong on our side.")
        if request.path == "/robots.txt":
            return None
        if FaultKind.BLOCKED in troubles:
            return SiteAnswer(status=403, content="Access denied.")
        if FaultKind.LIMITED in troubles:
            seconds = str(int(troubles[FaultKind.LIMITED].delay.total_seconds()))
            return SiteAnswer(status=429, content="Too many requests.", headers={"Retry-After": seconds})
        return None

    def _route(self, request: SimRequest, at: datetime, troubles: Mapping[FaultKind, Fault]) -> SiteAnswer:
        if request.method == "HEAD" and self.head is not HeadSupport.HONEST:
            return SiteAnswer(status=200 if self.head is HeadSupport.LYING else 405)
        if request.method not in ("GET", "HEAD"):
            return SiteAnswer(status=405, headers={"Allow": "GET, HEAD"})
        if request.path == "/robots.txt":
            return self._robots()
        if FaultKind.EMPTY in troubles:
            return SiteAnswer(status=200)
        if request.path in ("/", self.INDEX_PATH):
            return self._index(request.query.get("page", "1"), at)
        if match := self.ITEM_PATH.fullmatch(request.path):
            return _NOT_FOUND if FaultKind.LOST in troubles else self._thing(match[1], at)
        if request.path == "/account/":
            return _ACCOUNT
        return self.image(request.path) or _NOT_FOUND

    def _robots(self) -> SiteAnswer:
        if self.robots is None:
            return _NOT_FOUND
        return SiteAnswer(status=200, content=self.robots, kind="text/plain; charset=utf-8")

    def _index(self, number: str, at: datetime) -> SiteAnswer:
        if not _PAGE_NUMBER.fullmatch(number):
            return _NOT_FOUND
        return SiteAnswer(status=200, content=self.index(at, int(number)))

    def _thing(self, platform_id: str, at: datetime) -> SiteAnswer:
        found = self.item(platform_id, at)
        if found is not None:
            return SiteAnswer(status=200, content=found)
        return self._gone() if self.was_listed(platform_id, at) else _NOT_FOUND

    def _gone(self) -> SiteAnswer:
        match self.removed:
            case RemovedItems.NOT_FOUND:
                return _NOT_FOUND
            case RemovedItems.GONE:
                return SiteAnswer(status=410, content="This advert has been taken down.")
            case RemovedItems.WORDS:
                return SiteAnswer(status=200, content="This advert is no longer available.")
            case RemovedItems.REDIRECT:
                return SiteAnswer(status=302, headers={"Location": self.INDEX_PATH})


def _validated(response: SimResponse, request: SimRequest, changed_at: datetime) -> SimResponse:
    """The response with validators, or 304 where the request has them."""
    tag = f'"{sha256(response.body).hexdigest()[:16]}"'
    headers = {**response.headers, "ETag": tag, "Last-Modified": format_datetime(changed_at, usegmt=True)}
    if _is_known(request.headers, tag, changed_at):
        return replace(response, status=304, headers=headers, body=b"")
    return replace(response, headers=headers)


def _is_known(headers: Mapping[str, str], tag: str, changed_at: datetime) -> bool:
    """By ETag where the request has one, else by date (RFC 9110)."""
    values = {name.lower(): value for name, value in headers.items()}
    if "if-none-match" in values:
        return tag in (part.strip() for part in values["if-none-match"].split(","))
    since = _date(values.get("if-modified-since", ""))
    return since is not None and changed_at.replace(microsecond=0) <= since


def _date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
