"""Which pages and buttons there are, and which of them a test opens and presses.

What a page offers stands in its template, what a browser sends is an address. Both are named by the route
that answers them, with the deed filled in, so that they can be compared: `/admin/runs/*/stop`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from starlette.routing import compile_path

from larder import web
from larder.web import admin, browse, images, record, sign_in

TEMPLATES = Path(web.__file__).parent / "templates"
_ASKS = re.compile(r'<form[^>]*method="get"[^>]*>')
_SENDS = re.compile(r'(?:action=|m\.do\(\s*ctx,\s*)"(/[^"]*)"')
_FILLED = re.compile(r"\{\{.*?\}\}|%[sd]")

presses = pytest.mark.presses
"""The buttons a test says it presses; whether it did is looked at when it ends."""


def offered() -> set[str]:
    """Every button of every page."""
    texts = (_ASKS.sub("", path.read_text()) for path in TEMPLATES.rglob("*.html"))
    return {button(_FILLED.sub("1", sent)) for text in texts for sent in _SENDS.findall(text)}


def button(path: str) -> str:
    """Its name, by where its form is sent."""
    return named(path, "POST")


def named(path: str, method: str) -> str:
    """The route that answers, with the deed in it."""
    for route in _routes(method):
        found = compile_path(route)[0].match(path)
        if found:
            return _short(route.replace("{action}", found.groupdict().get("action", "")))
    raise LookupError(f"no route answers {method} {path}")


def pages() -> set[str]:
    """All that can be opened in a browser, live parts and files included."""
    return {_short(route) for route in _routes("GET")}


def _short(route: str) -> str:
    return re.sub(r"\{.*?\}", "*", route)


def _routes(method: str) -> Iterator[str]:
    """In the order in which they are asked."""
    public = (sign_in, browse, record, images)
    routers = [*(("", each.router) for each in public), *(("/admin", each) for each in admin.routers())]
    for prefix, router in routers:
        for route in router.routes:
            if isinstance(route, APIRoute) and method in (route.methods or ()):
                yield prefix + route.path
