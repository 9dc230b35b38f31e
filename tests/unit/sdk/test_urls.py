"""Two addresses of one page are equal; two pages never are."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.errors import BadInput
from larder.sdk.urls import canonical_url, host_of, is_http, join, origin, registrable_domain

FIXTURES = Path(__file__).resolve().parents[3].parent / "shared" / "fixtures"


def cases(folder: str) -> Iterator[dict[str, Any]]:
    path = FIXTURES / folder / "cases.jsonl"
    if not path.exists():
        pytest.skip("shared fixtures are absent")
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@pytest.mark.parametrize(
    ("given_url", "expected"),
    [
        pytest.param("http://example.com/a", "https://example.com/a", id="https"),
        pytest.param(
            "HTTPS://WWW.Example.COM/A", "https://www.example.com/A", id="host lower, path as it is"
        ),
        pytest.param("https://example.com", "https://example.com/", id="root keeps its slash"),
        pytest.param("https://example.com/a/", "https://example.com/a", id="trailing slash"),
        pytest.param("https://example.com/a//", "https://example.com/a", id="several trailing slashes"),
        pytest.param("https://example.com/a#top", "https://example.com/a", id="fragment"),
        pytest.param(
            "https://example.com/?utm_source=x&UTM_Medium=y&fbclid=1&gclid=2&ref=3&source=4&campaign=5&id=6",
            "https://example.com/?id=6",
            id="tracking",
        ),
        pytest.param(
            "https://example.com/?reference=1", "https://example.com/?reference=1", id="not tracking"
        ),
        pytest.param("https://example.com/a?b=&c&a=2", "https://example.com/a?a=2", id="empty parameters"),
        pytest.param(
            "https://example.com/t?4711", "https://example.com/t?4711", id="a bare query is the page"
        ),
        pytest.param(
            f"https://example.com/p.php?id=6&osCsid=1a2b&PHPSESSID=3c&sid={'4d' * 16}",
            "https://example.com/p.php?id=6",
            id="a visit's parameters are no part of it",
        ),
        pytest.param("https://example.com/p?sid=77", "https://example.com/p?sid=77", id="`sid` may be an id"),
        pytest.param("https://example.com/t?utm_x", "https://example.com/t", id="unless it is tracking"),
        pytest.param("https://example.com/?b=2&a=1&b=1", "https://example.com/?a=1&b=1&b=2", id="sorted"),
        pytest.param("http://example.com:80/a", "https://example.com/a", id="default port of http"),
        pytest.param("https://example.com:443/a", "https://example.com/a", id="default port of https"),
        pytest.param("http://example.com:8080/a", "https://example.com:8080/a", id="other port"),
        pytest.param("https://me:secret@example.com/a", "https://example.com/a", id="no credentials"),
        pytest.param("https://example.com./a", "https://example.com/a", id="rooted host"),
        pytest.param("https://münchen.de/ä", "https://xn--mnchen-3ya.de/%C3%A4", id="ASCII"),
        pytest.param("https://example.com/%7ejo/%c3%a4", "https://example.com/~jo/%C3%A4", id="escapes"),
        pytest.param(
            "https://example.com/a%2cb?c%28d%29=e%26f", "https://example.com/a,b?c(d)=e%26f", id="marks"
        ),
        pytest.param("https://example.com/?q=a+b", "https://example.com/?q=a%20b", id="plus is a space"),
        pytest.param(
            "https://example.com/?q=a%2Bb", "https://example.com/?q=a%2Bb", id="an escaped plus is not"
        ),
        pytest.param("https://example.com/a/../b/./c", "https://example.com/b/c", id="dot segments"),
        pytest.param(" https://example.com/a\n", "https://example.com/a", id="white space around"),
    ],
)
def test_canonical_form(given_url: str, expected: str) -> None:
    assert canonical_url(given_url) == expected
    assert canonical_url(expected) == expected


@pytest.mark.parametrize(
    "text",
    ["", "example.com", "/a", "mailto:a@b.c", "javascript:alert(1)", "http://", "https://a b/", "x" * 9_000],
)
def test_what_is_no_url_says_so(text: str) -> None:
    assert not is_http(text)
    with pytest.raises(BadInput):
        canonical_url(text)
    with pytest.raises(BadInput):
        origin(text)


@given(st.text())
def test_any_text_is_a_url_or_bad_input(text: str) -> None:
    assert is_http(text) in {True, False}
    assert registrable_domain(text) is None or text
    assert join("https://example.com/", text) != ""


PIECES = st.text(alphabet="aZ09-._~%/+&=;:@!$'()*,[]|^ é\u4e2d2Ff", max_size=12)


@given(PIECES, PIECES, PIECES)
def test_canonical_twice_is_canonical_once(path: str, query: str, fragment: str) -> None:
    once = canonical_url(f"http://Example.com/{path}?{query}#{fragment}")
    assert canonical_url(once) == once
    assert once.isascii()
    assert "#" not in once


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.example.co.uk", "example.co.uk"),
        ("https://CDN.Example.com:8443/x", "example.com"),
        ("example.com:8080", "example.com"),
        ("shop.flats.test", "flats.test"),
        ("flats.test", "flats.test"),
        ("localhost", "localhost"),
        ("http://localhost:9000/", "localhost"),
        ("intranet", "intranet"),
        ("127.0.0.1", "127.0.0.1"),
        ("http://127.0.0.1:8000/a", "127.0.0.1"),
        ("http://[::1]:8000/a", "[::1]"),
        ("example.com.", "example.com"),
        ("com", None),
        ("co.uk", None),
        ("mailto://nobody", None),
        ("", None),
        (None, None),
    ],
)
def test_registrable_domain(host: str | None, site: str | None) -> None:
    assert registrable_domain(host) == site


def test_registrable_domains_of_the_public_suffix_list() -> None:
    wrong = [
        c["input"]["host"] for c in cases("psl") if registrable_domain(c["input"]["host"]) != c["expected"]
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("base", "href", "expected"),
    [
        ("https://example.com/a/b", "c", "https://example.com/a/c"),
        ("https://example.com/a/b", "/c", "https://example.com/c"),
        ("https://example.com/a/b", "//other.com/c", "https://other.com/c"),
        ("https://example.com/a/b", "?page=2", "https://example.com/a/b?page=2"),
        ("https://example.com/a/b", "https://other.com", "https://other.com/"),
        ("https://example.com/a/b", "http://[", None),
        ("nonsense", "c", None),
    ],
)
def test_join(base: str, href: str, expected: str | None) -> None:
    assert join(base, href) == expected


def test_origin_and_host() -> None:
    assert origin("HTTP://Example.com:8080/a?b") == "http://example.com:8080"
    assert origin("https://example.com:443/") == "https://example.com"
    assert host_of("https://WWW.Example.com/") == "www.example.com"


def test_join_reads_urls_as_browsers_do() -> None:
    based = [c for c in cases("urls") if c["kind"] == "url_parse" and c["input"]["base"]]
    wrong = [
        c["id"]
        for c in based
        if join(c["input"]["base"], c["input"]["url"])
        != (None if "failure" in c["expected"] else c["expected"]["href"])
    ]
    assert based
    assert wrong == []


@given(
    scheme=st.sampled_from(["http", "https", "HTTP", "ftp"]),
    host=st.text(alphabet="ab1-.xn%_@:\\ \tÄ/?#", max_size=12),
    rest=st.text(alphabet="ab./?#%\\@: \t\nÄ", max_size=8),
)
def test_l14_a_site_named_plainly_is_what_the_parser_makes_of_it(scheme: str, host: str, rest: str) -> None:
    url = f"{scheme}://{host}.com{rest}"
    try:
        parts = ada_url.parse_url(url)
    except ValueError:
        assert not is_http(url)
        return
    assert is_http(url) == (parts["protocol"] in ("http:", "https:") and bool(parts["hostname"].strip(".")))
    if is_http(url):
        assert (host_of(url), origin(url)) == (parts["hostname"], parts["origin"])
