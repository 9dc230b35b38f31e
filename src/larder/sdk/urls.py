"""Addresses: which two are the same page, which site one belongs to, where a link leads.

The canonical form is for identity only; requests use the URL as it was given. It is idempotent, pure ASCII
and free of credentials, so that it can be stored, compared and shown.
"""

import re
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import quote

import ada_url
from ada_url.ada_adapter import ParseAttributes
from publicsuffixlist import PublicSuffixList

from larder.core.errors import BadInput
from larder.core.quoting import quoted

MAX_LENGTH = 8_192
MAX_REMEMBERED = 500
TRACKING = frozenset({"fbclid", "gclid", "ref", "source", "campaign"})
"""Parameters that say how a visitor came, not where; every `utm_…` is one too."""

SESSIONS = frozenset(
    {"phpsessid", "oscsid", "zenid", "xtcsid", "jsessionid", "sessionid", "session_id", "cftoken"}
)
"""Parameters with a session id: a different value for each visit, whatever the page."""

_SESSION_ID = re.compile(r"[0-9a-f]{26,40}", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*,:@")
"""Characters that mean the same escaped or not, in paths and in parameters."""
_PATH_SAFE = "%/:@!$&'()*+,;=~"
_QUERY_SAFE = "%/:@!$'()*,;~?"
_NEEDED = ("protocol", "hostname", "port", "pathname", "search")
_HTTP = frozenset({"http:", "https:"})
_PLAIN_SITE = re.compile(r"(https?://((?:[a-z0-9-]+\.)+[a-z]{2,63}))(?=[/?#]|\Z)")
"""The usual form of a site: parsing would not change it, and costs ten times as much."""
_DEFAULT_PORTS = frozenset({"", "443"})


@lru_cache(maxsize=512)
def canonical_url(url: str) -> str:
    """The form in which two URLs of one page are equal; raises BadInput for anything but an http(s) URL."""
    parts = _parse(url)
    host = parts["hostname"].rstrip(".")
    port = "" if parts["port"] in _DEFAULT_PORTS else f":{parts['port']}"
    path = quote(_unescape(parts["pathname"]), safe=_PATH_SAFE).rstrip("/") or "/"
    query = _canonical_query(parts["search"].removeprefix("?"))
    return f"https://{host}{port}{path}" + (f"?{query}" if query else "")


def is_http(url: str) -> bool:
    """Whether this is an absolute http or https URL with a host."""
    if _plain_site(url) is not None:
        return True
    try:
        _parse(url)
    except BadInput:
        return False
    return True


def origin(url: str) -> str:
    """Scheme, host and port: the unit of robots.txt. Raises BadInput for anything but an http(s) URL."""
    if (site := _plain_site(url)) is not None:
        return site[1]
    parts = _parse(url)
    port = f":{parts['port']}" if parts["port"] else ""
    return f"{parts['protocol']}//{parts['hostname']}{port}"


def join(base: str, href: str) -> str | None:
    """The target of a link on the page `base`, or None if it has none."""
    return _join_again(base, href) if len(href) <= MAX_REMEMBERED else _join(base, href)


@lru_cache(maxsize=512)
def _join_again(base: str, href: str) -> str | None:
    """As `join`, cached: a row's link is resolved several times while the row is read."""
    return _join(base, href)


def _join(base: str, href: str) -> str | None:
    try:
        return str(ada_url.join_url(base, href))
    except (ValueError, UnicodeError):
        return None


def host_of(url: str) -> str:
    """The host of a URL, lower-case and ASCII. Raises BadInput for anything but an http(s) URL."""
    site = _plain_site(url)
    return site[2] if site is not None else str(_parse(url)["hostname"])


def registrable_domain(host_or_url: str | None) -> str | None:
    """The site a host belongs to: its eTLD+1.

    Addresses and names outside the public DNS (`localhost`, `intranet`) are their own site; a public
    suffix such as `co.uk` is nobody's, hence None. A URL answers in ASCII, a host in its own script.
    """
    if not host_or_url:
        return None
    if "://" not in host_or_url:
        return _registrable(host_or_url)
    try:
        host = host_of(host_or_url)
    except BadInput:
        return None
    return _registrable(host)


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@lru_cache(maxsize=8_192)
def _registrable(host: str) -> str | None:
    name = host.strip().lower().rstrip(".")
    if _is_address(name):
        return name
    bare, _, port = name.rpartition(":")
    if bare and port.isdecimal():
        name = bare
    if not name or name.startswith("."):
        return None
    if "." not in name:
        return None if _suffixes().publicsuffix(name, accept_unknown=False) else name
    found: str | None = _suffixes().privatesuffix(name)
    return found


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _plain_site(url: str) -> re.Match[str] | None:
    site = _PLAIN_SITE.match(url) if len(url) <= MAX_LENGTH else None
    return site if site is not None and "xn--" not in site[2] else None


def _parse(url: str) -> ParseAttributes:
    if len(url) > MAX_LENGTH:
        raise BadInput(f"URL is longer than {MAX_LENGTH} characters", hint="use the page's plain address")
    try:
        parts = ada_url.parse_url(url, _NEEDED)
    except (ValueError, UnicodeError) as error:
        raise _no_url(url) from error
    if parts["protocol"] not in _HTTP or not parts["hostname"].strip("."):
        raise _no_url(url)
    return parts


def _no_url(url: str) -> BadInput:
    return BadInput(
        f"not an http(s) URL: {quoted(url)}", hint="write it in full, such as https://example.com/page"
    )


def _canonical_query(query: str) -> str:
    if (
        "=" not in query and "&" not in query
    ):  # a bare `?12345` identifies the page: there is no parameter to empty
        return "" if _is_tracking(query) else quote(_unescape(query), safe=_QUERY_SAFE)
    pairs = (piece.replace("+", "%20").partition("=") for piece in query.split("&"))
    clean = ((_component(name), _component(value)) for name, _, value in pairs)
    return "&".join(
        sorted(f"{name}={value}" for name, value in clean if value and not _is_visit(name, value))
    )


def _component(text: str) -> str:
    return quote(_unescape(text), safe=_QUERY_SAFE)


def _is_tracking(name: str) -> bool:
    name = name.lower()
    return name in TRACKING or name.startswith("utm_")


def _is_visit(name: str, value: str) -> bool:
    """Whether a parameter describes the visitor, not the page; `sid` does if its value is a session's."""
    name = name.lower()
    session = name in SESSIONS or (name in ("sid", "s") and _SESSION_ID.fullmatch(value) is not None)
    return session or _is_tracking(name)


def _unescape(text: str) -> str:
    """Decode escapes that are not needed, and write the others in capitals (RFC 3986 §6.2.2)."""
    return _ESCAPE.sub(_plain_or_upper, text) if "%" in text else text


def _plain_or_upper(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return character if character in _PLAIN else escape[0].upper()
