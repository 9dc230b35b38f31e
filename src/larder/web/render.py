"""The template environment and its filters. Everything is escaped, except SVG drawn by `drawing`."""

from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from larder import __version__
from larder.actions.formatting import ago, money, percent, span, value_text
from larder.core.model.money import format_amount
from larder.core.plurals import noun, plural
from larder.core.policy.freshness import SHOWN
from larder.sdk.urls import is_http
from larder.web.drawing import charts
from larder.web.drawing.frontier import frontier_chart
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
        "warn": "partial paused suspect pending off lapsed stale hidden undecided held_back P2 backorder"
        " left_feed",
        "bad": "failed unread gone broken dead disabled blocked open error timeout P1 critical strike"
        " out_of_stock",
    }.items()
    for word in label.split()
}


_LABELS = {
    "not_modified": "not modified",
    "unread": "fetched, not readable",
    "robots_blocked": "disallowed by robots.txt",
    "terms": "site blocked, or its terms not reviewed",
    "dns_error": "host name not found",
    "tls_error": "TLS error",
    "timeout": "timed out",
    "oos_no_price": "out of stock, no price",
    "row_not_read": "row shown, not readable",
    "duplicate_within_run": "duplicate within this run",
    "blocked_by_robots_txt": "disallowed by robots.txt",
    "index_unreadable": "index page unreadable",
    "next_page_unknown": "next page has no address",
    "area_m2": "area (m²)",
    "tz": "time zone",
    "url": "URL",
    "upc_trusted": "product codes trusted",
    "reenables_itself": "enables its adapter again by itself",
    "cadence_hours": "hours between collections",
    "feed_url": "feed of targets",
    "left_feed": "left the feed",
    "max_pages": "index pages per run",
    "max_items_per_run": "pages of new records read per run",
    "platform_id": "platform ID",
}
"""Labels of values whose name is not clear enough."""


@cache
def environment() -> Environment:
    """The template environment."""
    found = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(
        money=lambda minor, currency=None: money(minor, currency) or "–",
        amount=format_amount,
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
        heading=lambda name: label(name)[:1].upper() + label(name)[1:],
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
        strip=charts.period_strip,
        shares=charts.stacked_bar,
        bars=charts.bar_chart,
        frontier=frontier_chart,
        hint_link=hint_link,
        place="",
    )
    return found


def safe_url(url: Any) -> str:
    """An http(s) URL; empty for anything else."""
    text = str(url or "")
    return text if is_http(text) else ""


def shortened(value: Any, most: int = 80) -> str:
    """One line of at most `most` characters."""
    text = value_text(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def label(name: Any) -> str:
    """The label of a stored value."""
    return _LABELS.get(str(name)) or str(name).replace("_", " ")


def compact(value: Any) -> str:
    """A nested value as JSON on one line."""
    return shortened(orjson.dumps(value, default=str).decode(), 400)


@pass_context
def _ago(context: Context, moment: datetime) -> str:
    return ago(moment, context["now"]) or "–"


def _assets_hash() -> str:
    """A hash of the static files, for their URLs."""
    found = sha256()
    for path in sorted(STATIC.iterdir()):
        found.update(path.read_bytes())
    return found.hexdigest()[:10]
