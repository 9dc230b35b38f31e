"""Templates and how values look in them. Everything is escaped unless this room itself drew it as SVG."""

from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from larder import __version__
from larder.actions.formatting import ago, money, percent, span
from larder.core.policy.freshness import SHOWN
from larder.sdk.urls import is_http
from larder.web.drawing import charts
from larder.web.formatting import display_value, image_urls
from larder.web.hint_links import hint_link

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"

_TONES = {
    word: tone
    for tone, label in {
        "busy": "running retrying half_open candidate suggested waiting",
        "good": "completed ready proven active verified alive closed ok enabled public resolved applied"
        " released new in_stock done",
        "warn": "partial paused suspect pending off lapsed stale hidden undecided held_back P2 backorder",
        "bad": "failed gone broken dead disabled blocked open error timeout P1 critical strike out_of_stock",
    }.items()
    for word in label.split()
}


_LABELS = {
    "not_modified": "not modified",
    "robots_blocked": "disallowed by robots.txt",
    "dns_error": "host name not found",
    "tls_error": "TLS error",
    "timeout": "timed out",
    "oos_no_price": "out of stock, no price",
    "duplicate_within_run": "duplicate within this run",
    "blocked_by_robots_txt": "disallowed by robots.txt",
    "index_unreadable": "index page unreadable",
}
"""Words of machines that say too little as they are."""


@cache
def environment() -> Environment:
    """The one set of templates."""
    found = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(
        money=lambda minor, currency=None: money(minor, currency) or "–",
        number=lambda value: "–" if value is None else f"{value:,}",
        percent=percent,
        ago=_ago,
        stamp=lambda moment: f"{moment:%d %b %Y, %H:%M} UTC",
        iso=lambda moment: moment.isoformat(),
        tone=lambda word: _TONES.get(str(word).replace(" ", "_"), ""),
        safe_url=safe_url,
        shortened=shortened,
        compact=compact,
        display_value=display_value,
        image_urls=image_urls,
        plural=plural,
        noun=noun,
        label=label,
        span=lambda seconds: span(timedelta(seconds=float(seconds))),
        day=lambda moment: f"{moment:%a %d %b}",
        clock=lambda moment: f"{moment:%H:%M}",
    )
    found.globals.update(
        icon=found.get_template("parts/icons.html").module,
        version=__version__,
        stamp=_assets_hash(),
        line=SHOWN,
        price_chart=charts.price_chart,
        strip=charts.strip,
        shares=charts.shares,
        bars=charts.bars,
        hint_link=hint_link,
        place="",
    )
    return found


def safe_url(url: Any) -> str:
    """An address that a link may lead to; empty for whatever else a page called one."""
    text = str(url or "")
    return text if is_http(text) else ""


def shortened(value: Any, most: int = 80) -> str:
    """One line, not too long."""
    text = " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def plural(many: int, one: str, several: str = "") -> str:
    """A count with its noun: 1 room, 2 rooms, 1,000 rooms."""
    return f"{many:,} {noun(many, one, several)}"


def noun(many: int, one: str, several: str = "") -> str:
    """What so many are called, beside a count that stands by itself."""
    return one if many == 1 else several or f"{one}s"


def label(name: Any) -> str:
    """A word of a machine as people say it."""
    return _LABELS.get(str(name)) or str(name).replace("_", " ")


def compact(value: Any) -> str:
    """A nested value on one line."""
    return shortened(orjson.dumps(value, default=str).decode(), 400)


@pass_context
def _ago(context: Context, moment: datetime) -> str:
    return ago(moment, context["now"]) or "–"


def _assets_hash() -> str:
    """Changes whenever an asset does, so that browsers may keep them for ever."""
    found = sha256()
    for path in sorted(STATIC.iterdir()):
        found.update(path.read_bytes())
    return found.hexdigest()[:10]
