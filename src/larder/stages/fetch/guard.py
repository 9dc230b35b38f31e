"""The address guard: to which addresses requests may be sent.

Pages choose the targets of links and redirects, and owners of names their addresses; neither may lead into
the operator's network. So the syntax of a URL is checked first, and the address again on the socket, just
before it connects. Only a source of a site that the operator marked as local may reach private addresses
under that site's hosts, and metadata services never.
"""

import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import ada_url

MAX_URL = 8_192
WEB_PORTS = frozenset({80, 443})
PORTS_OF_OTHERS = frozenset(
    {1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6679, 6697, 10080, 11211}
    | set(range(6665, 6670))
)
"""Ports from 1024 up with other protocols than the web's (mostly browsers' own list)."""

_METADATA = "a cloud's metadata service"
_NEVER = {
    "100.100.100.200/32": _METADATA,
    "168.63.129.16/32": _METADATA,
    "169.254.0.0/16": "link-local",
    "0.0.0.0/8": "unspecified",
    "192.0.0.0/24": "reserved",
    "192.0.2.0/24": "for documentation",
    "192.88.99.0/24": "reserved",
    "198.51.100.0/24": "for documentation",
    "203.0.113.0/24": "for documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
    "::/128": "unspecified",
    "fd00:ec2::254/128": _METADATA,
    "fd20:ce::254/128": _METADATA,
    "fe80::/10": "link-local",
    "ff00::/8": "multicast",
    "2001::/32": "a Teredo tunnel",
    "2001:db8::/32": "for documentation",
    "3fff::/20": "for documentation",
}
_LOCAL_ONLY = {
    "127.0.0.0/8": "loopback",
    "10.0.0.0/8": "private",
    "172.16.0.0/12": "private",
    "192.168.0.0/16": "private",
    "100.64.0.0/10": "private (carrier NAT)",
    "198.18.0.0/15": "private (benchmarks)",
    "::1/128": "loopback",
    "fc00::/7": "private",
}
_NEVER_NETWORKS = [(ip_network(net), word) for net, word in _NEVER.items()]
_LOCAL_NETWORKS = [(ip_network(net), word) for net, word in _LOCAL_ONLY.items()]
_GLOBAL_UNICAST = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")
_COMPATIBLE = ip_network("::/96")
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})

_PLAIN_URL = re.compile(
    r"(https?://[a-z0-9.-]+(?::[0-9]+)?)/[A-Za-z0-9._~!$&'()*+,;=:@/-]*(?:\?[A-Za-z0-9._~!$&()*+,;=:@/?%-]*)?"
)
"""URLs that a parser would not change, except for segments that start with a dot, if the origin is
normalized.
"""
_PARTS = ("href", "protocol", "username", "password", "host", "hostname", "port")

AddressInfo = tuple[Any, Any, int, str, tuple[Any, ...]]


class RefusedError(OSError):
    """A connection to this address is forbidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """An allowed URL, in the form in which it is sent."""

    url: str
    origin: str
    local: bool
    """Whether it belongs to the request's own local site, so its address may be private."""

    @property
    def path(self) -> bytes:
        """Path and query, as robots.txt rules match them."""
        return self.url[len(self.origin) :].encode()


def destination(url: str, *, local_site: str | None = None) -> Destination:
    """Check the syntax of a URL; raises RefusedError with the reason."""
    if len(url) > MAX_URL:
        raise RefusedError(f"URL is longer than {MAX_URL} characters")
    plain = _PLAIN_URL.fullmatch(url)
    if plain is not None and "/." not in url:
        known = _known_origin(plain[1], local_site)
        if known.origin == plain[1]:
            return Destination(url=url, origin=known.origin, local=known.local)
    return _parsed(url, local_site)


@lru_cache(maxsize=4_096)
def _known_origin(origin: str, local_site: str | None) -> Destination:
    """The checked parts of an origin; cached, because origins are few."""
    return _parsed(f"{origin}/", local_site)


def _parsed(url: str, local_site: str | None) -> Destination:
    try:
        parts = ada_url.parse_url(url, attributes=_PARTS)
    except (ValueError, UnicodeError) as error:
        raise RefusedError("not a URL") from error
    if parts["protocol"] not in ("http:", "https:") or not parts["hostname"].strip("."):
        raise RefusedError("not an http or https URL")
    if parts["username"] or parts["password"]:
        raise RefusedError("URL carries a user name or a password")
    _check_port(parts["port"])
    local = _is_of_site(parts["hostname"], local_site)
    _check_literal(parts["hostname"], local=local)
    origin = f"{parts['protocol']}//{parts['host']}"
    return Destination(url=parts["href"].partition("#")[0], origin=origin, local=local)


def check_address(address: str, *, local: bool) -> None:
    """Refuse an address that is not public; private ones pass for a local site."""
    ip = _embedded_ipv4(ip_address(address.partition("%")[0]))
    word = _refused_because(ip, local=local)
    if word is not None:
        raise RefusedError(f"{ip} is {word}")


def guarded_sockets(*, local: bool) -> Callable[[AddressInfo], socket.socket]:
    """A factory of sockets that refuses by the address that is about to be connected to."""

    def open_socket(info: AddressInfo) -> socket.socket:
        family, kind, protocol, _, address = info
        check_address(address[0], local=local)
        return socket.socket(family, kind, protocol)

    return open_socket


def _is_of_site(host: str, local_site: str | None) -> bool:
    if local_site is None:
        return False
    site, host = local_site.lower().strip(".[]"), host.lower().strip(".[]")
    return host == site or host.endswith("." + site)


def _check_port(port: str) -> None:
    number = int(port or 443)
    if number not in WEB_PORTS and (number < 1024 or number in PORTS_OF_OTHERS):
        raise RefusedError(f"port {number} is not one that web servers use")


def _check_literal(host: str, *, local: bool) -> None:
    """Check a literal address: in a parsed URL IPv6 is in brackets, and only IPv4 ends in a number."""
    if host.startswith("["):
        check_address(host.strip("[]"), local=local)
    elif host.rstrip(".")[-1].isdigit() and host.rstrip(".").rpartition(".")[2].isdigit():
        check_address(host.rstrip("."), local=local)


def _embedded_ipv4(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address embedded in an IPv6 address, if any."""
    if isinstance(ip, IPv4Address):
        return ip
    embedded = ip.ipv4_mapped or ip.sixtofour
    if embedded is not None:
        return embedded
    compatible = ip in _COMPATIBLE and int(ip) > 0xFFFF  # below that, :: and ::1 are no embedded addresses
    isatap = (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP
    return IPv4Address(int(ip) & 0xFFFFFFFF) if compatible or isatap or ip in _NAT64 else ip


def _refused_because(ip: IPv4Address | IPv6Address, *, local: bool) -> str | None:
    """Why this address is refused; None if it is allowed."""
    networks = _NEVER_NETWORKS if local else _NEVER_NETWORKS + _LOCAL_NETWORKS
    word = next((word for network, word in networks if ip in network), None)
    if word is None and isinstance(ip, IPv6Address) and ip not in _GLOBAL_UNICAST:
        private = any(ip in network for network, _ in _LOCAL_NETWORKS)
        return None if local and private else "reserved"
    return word
