"""Where a request may go, by its URL and by the address behind it."""

import socket
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.stages.fetch.guard import (
    Destination,
    RefusedError,
    _parsed,
    check_address,
    destination,
    guarded_sockets,
)

PUBLIC = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822", "::ffff:93.184.216.34"]
PRIVATE = [
    "127.0.0.1",
    "127.255.0.1",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "::1",
    "fd12:3456::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fe01::1:0:5efe:10.0.0.1",
]
NEVER = [
    "0.0.0.0",
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2001::1",
    "2001:db8::1",
    "64:ff9b:1::1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "4000::1",
]


@pytest.mark.parametrize("address", PUBLIC)
@pytest.mark.parametrize("local", [True, False])
def test_public_addresses_pass(address: str, local: bool) -> None:
    check_address(address, local=local)
    info = (socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, 80))
    with guarded_sockets(local=local)(info) as opened:
        assert opened.type is socket.SOCK_STREAM


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_for_local_sites_only(address: str) -> None:
    check_address(address, local=True)
    with pytest.raises(RefusedError, match=r"loopback|private"):
        check_address(address, local=False)


@pytest.mark.parametrize("address", NEVER)
@pytest.mark.parametrize("local", [True, False])
def test_some_addresses_are_for_nobody(address: str, local: bool) -> None:
    with pytest.raises(RefusedError):
        check_address(address, local=local)


def test_the_socket_refuses_the_address_it_would_connect_to() -> None:
    info = (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("10.0.0.1", 80))
    with pytest.raises(RefusedError, match=r"10\.0\.0\.1 is private"):
        guarded_sockets(local=False)(info)


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        pytest.param("http://Shop.test", "http://shop.test/", id="the host in its one form"),
        pytest.param(
            "https://shop.test:443/a?b#c", "https://shop.test/a?b", id="no fragment, no default port"
        ),
        pytest.param(
            "https://shop.test/caf\u00e9 1?q=\u00e9", "https://shop.test/caf%C3%A9%201?q=%C3%A9", id="escaped"
        ),
        pytest.param(
            "https://b\u00fccher.test/%7ea", "https://xn--bcher-kva.test/%7ea", id="escapes stay as given"
        ),
        pytest.param("http://shop.test:8080/", "http://shop.test:8080/", id="a high port"),
    ],
)
def test_a_url_is_taken_in_the_form_it_is_sent(url: str, sent: str) -> None:
    assert destination(url).url == sent


@pytest.mark.parametrize(
    "url",
    [
        "",
        "shop.test/a",
        "ftp://shop.test/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://shop.test/",
        "http://.",
        "http://user@shop.test/",
        "http://user:secret@shop.test/",
        "http://shop.test:22/",
        "http://shop.test:25/",
        "http://shop.test:6379/",
        "http://shop.test:0/",
        "http://shop.test:99999/",
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:7f00:1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://\uff11\uff12\uff17.0.0.1/",
        "http://shop.test/" + "a" * 10_000,
        "http://\udcff/",
    ],
)
def test_what_is_no_address_of_the_web(url: str) -> None:
    with pytest.raises(RefusedError):
        destination(url)


@pytest.mark.parametrize(
    ("url", "local_site", "local"),
    [
        pytest.param("http://www.shop.test/", "shop.test", True, id="a host of the local site"),
        pytest.param("http://SHOP.test./", "shop.test", True, id="the site itself"),
        pytest.param("http://127.0.0.1:8080/", "127.0.0.1", True, id="a site that is an address"),
        pytest.param("http://[::1]:8080/", "::1", True, id="a site that is an IPv6 address"),
        pytest.param("http://other.test/", "shop.test", False, id="another site"),
        pytest.param("http://evilshop.test/", "shop.test", False, id="a name that only ends alike"),
        pytest.param("http://shop.test/", None, False, id="nobody listed it"),
    ],
)
def test_only_the_askers_own_site_is_local(url: str, local_site: str | None, local: bool) -> None:
    assert destination(url, local_site=local_site).local is local


def test_a_local_site_does_not_open_the_metadata_service() -> None:
    with pytest.raises(RefusedError, match="link-local"):
        destination("http://169.254.169.254/", local_site="169.254.169.254")


URLS = st.builds(
    "{}://{}{}{}{}".format,
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["shop.test", "a.shop.test", "SHOP.test", "8.8.8.8", "0x7f.1", "xn--e1afmkfd.test", "-"]),
    st.sampled_from(["", ":80", ":443", ":8080", ":0443", ":6379", ":"]),
    st.text(alphabet="/.%2eEab~'!;=@\\^|é \t", max_size=12).map(lambda path: f"/{path}"),
    st.sampled_from(["", "?", "?a=1&b=%20'", "?a='", "?q=é", "?a|b", "#part", "?a#b"]),
)


@given(URLS, st.sampled_from([None, "shop.test", "127.0.0.1"]))
def test_known_origins_give_what_parsing_gives(url: str, local_site: str | None) -> None:
    """The short way and the long way: the same answer, or the same refusal."""

    def said(check: Callable[[], Destination]) -> object:
        try:
            return check()
        except RefusedError as refused:
            return str(refused)

    assert said(lambda: destination(url, local_site=local_site)) == said(lambda: _parsed(url, local_site))
