"""Where a form may send a browser, and what a field may hold."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import Request

from larder.core.errors import BadInput
from larder.core.model.caller import ANYONE
from larder.web.context import PageContext, local_path, parse_int
from larder.web.render import environment, safe_url, shortened


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/admin/runs?kind=sweep", "/admin/runs?kind=sweep"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("javascript:1", "/"),
        ("/a\r\nSet-Cookie: b=c", "/"),
        ("", "/"),
    ],
)
def test_only_an_address_of_ours_is_gone_back_to(path: str, to: str) -> None:
    assert local_path(path) == to


@pytest.mark.parametrize(
    "url", ["javascript:1", "data:text/html,x", " javascript:1", "vbscript:x", "", None, "//x"]
)
def test_only_web_addresses_become_links(url: str | None) -> None:
    assert safe_url(url) == ""


def test_a_web_address_becomes_a_link() -> None:
    assert safe_url("https://a.example/x?y=1") == "https://a.example/x?y=1"


@pytest.mark.parametrize(
    ("asked", "other", "then"),
    [
        ("", {}, "?"),
        ("kind=sweep", {"before": 7}, "?kind=sweep&before=7"),
        ("kind=sweep&before=90", {"before": 7}, "?kind=sweep&before=7"),
        ("kind=sweep&before=90&after=x", {"status": "done"}, "?kind=sweep&status=done"),
        ("kind=sweep&status=&source=a%26b", {"kind": ""}, "?source=a%26b"),
        ("q=%3Cb%3E%22", {"after": "=&"}, "?q=%3Cb%3E%22&after=%3D%26"),
    ],
    ids=["nothing", "further", "still further", "another filter begins anew", "less", "whatever was written"],
)
def test_a_page_asked_otherwise_keeps_what_was_asked(asked: str, other: dict[str, object], then: str) -> None:
    request = Request({"type": "http", "query_string": asked.encode()})
    nobody: Any = None
    ctx = PageContext(request=request, app=nobody, auth=nobody, caller=ANYONE, now=datetime.now(UTC))
    assert ctx.url_with(**other) == then


def test_numbers_in_fields() -> None:
    assert (parse_int("12", "days"), parse_int("", "days"), parse_int(None, "days")) == (12, None, None)
    for odd in ("-1", "1.5", "0", "9" * 40, "१२x"):
        with pytest.raises(BadInput):
            parse_int(odd, "days")


def test_every_template_compiles() -> None:
    names = environment().list_templates()
    assert len(names) > 30
    assert all(environment().get_template(name) for name in names)


def test_long_text_is_shortened_on_one_line() -> None:
    assert shortened("a\n b  c") == "a b c"
    assert shortened("x" * 100, 10) == "x" * 9 + "…"


def test_links_do_not_take_along_whatever_a_stranger_wrote() -> None:
    asked = "&".join(["kind=sweep", f"x={'y' * 60_000}", *(f"n{number}=1" for number in range(500))])
    request = Request({"type": "http", "query_string": asked.encode()})
    nobody: Any = None
    ctx = PageContext(request=request, app=nobody, auth=nobody, caller=ANYONE, now=datetime.now(UTC))
    assert ctx.url_with(before=7).startswith("?kind=sweep&n0=1")
    assert len(ctx.url_with(before=7)) < 200
