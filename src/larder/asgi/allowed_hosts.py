"""Refuses requests for host names that this server does not have.

A page of another site can make a browser resolve that site's name to this machine (DNS rebinding) and read
the answers; the Host header then carries the other site's name. An address cannot be rebound, so where Larder
listens on all interfaces, any address is accepted.
"""

import ipaddress
import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from larder.api.problems import problem
from larder.core.quoting import quoted
from larder.settings import Settings

ANY = "*"
_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[\w.-]+))(?::\d{1,5})?")


class AllowedHostsMiddleware:
    """Answers 400 where the Host header names another host."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self._app = app
        public = urlsplit(settings.public_url).hostname or ""
        self._names = {name.lower() for name in (settings.host, public, *settings.allowed_hosts)} - {""}
        self._any_address = _is_wildcard(settings.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Checks the header, then calls the application."""
        if scope["type"] == "http" and not self._allows(header := Headers(scope=scope).get("host", "")):
            hint = "use the address that Larder prints at its start, or add the name to LARDER_ALLOWED_HOSTS"
            refused = problem(400, f"unknown host name {quoted(header)}", hint=hint)
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _allows(self, header: str) -> bool:
        name = _host_name(header)
        if ANY in self._names or name in self._names:
            return True
        address = _address(name)
        if address is not None:
            return address.is_loopback or self._any_address
        return name == "localhost" or name.endswith(".localhost")


def _host_name(header: str) -> str:
    """The name or address without the port; empty where the header is no host and port."""
    found = _HOST.fullmatch(header.strip().lower())
    return (found["address"] or found["name"]).removesuffix(".") if found else ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_wildcard(host: str) -> bool:
    address = _address(host)
    return address is not None and address.is_unspecified
