"""Charts: honest whatever the numbers are, and nothing in them is markup but their own."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.web.drawing.charts import (
    ChartPeriod,
    PriceStep,
    Share,
    bar_chart,
    period_strip,
    price_chart,
    spark,
    stacked_bar,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
EVIL = "<script>alert(1)</script>\"'&"
amounts = st.integers(min_value=0, max_value=99_999_999)


def _parts(svg: str) -> ElementTree.Element:
    """What is drawn for a wide window, where there are two."""
    return ElementTree.fromstring(f"<body>{svg}</body>")[0]


def _steps(values: list[int]) -> list[PriceStep]:
    count = len(values)
    return [_step(value, count - n, count - n - 1, count - n - 1) for n, value in enumerate(values)]


def _step(value: int, since: int, confirmed: int, until: int = 0) -> PriceStep:
    """By hours ago."""
    return PriceStep(
        value=value, since=NOW - HOUR * since, confirmed=NOW - HOUR * confirmed, until=NOW - HOUR * until
    )


def _lines(svg: str, name: str) -> list[tuple[str, ...]]:
    """The pieces of a path: where each begins, and how it goes on."""
    (path,) = (part.get("d", "") for part in _parts(svg).iter() if part.get("class") == name)
    return [tuple(re.split("(?=[HV])", piece)) for piece in path.split("M")[1:]]


@settings(deadline=None)
@given(st.lists(amounts, min_size=1, max_size=60))
def test_a_price_chart_holds_every_price_between_its_lines(values: list[int]) -> None:
    drawn = _parts(price_chart(_steps(values), currency="EUR", now=NOW))
    heights = [
        float(line.get("d", "").split(",")[1].split("H")[0])
        for line in drawn.iter()
        if line.get("class") == "axis"
    ]
    dots = [float(dot.get("cy", "")) for dot in drawn.iter() if dot.get("class") == "dot"]
    assert len(dots) == len(values)
    assert all(min(heights) <= dot <= max(heights) for dot in dots)
    assert 2 <= len(heights) <= 10


def test_a_price_is_drawn_for_wide_windows_and_for_phones() -> None:
    both = ElementTree.fromstring(f"<body>{price_chart(_steps([900, 700]), currency='EUR', now=NOW)}</body>")
    assert [each.get("class") for each in both] == ["chart roomy", "chart slim"]
    assert [each.get("viewBox") for each in both] == ["0 0 720 220", "0 0 320 200"]
    assert len({each.get("aria-label") for each in both}) == 1


def test_a_dearer_price_stands_higher() -> None:
    drawn = _parts(price_chart(_steps([1_000, 2_000]), currency="EUR", now=NOW))
    low, high = (float(dot.get("cy", "")) for dot in drawn.iter() if dot.get("class") == "dot")
    assert high < low


def test_whenever_nobody_looked_is_dashed() -> None:
    drawn = price_chart([_step(500, 6, 4, 2), _step(500, 2, 1)], currency=None, now=NOW)
    assert _lines(drawn, "trace") == [
        ("100.0,103.0", "H302.0"),
        ("504.0,103.0", "H605.0"),
        ("504.0,103.0", "V103.0"),
    ]
    assert _lines(drawn, "unsure") == [("302.0,103.0", "H504.0"), ("605.0,103.0", "H706.0")]


def test_no_line_is_drawn_where_the_price_was_another() -> None:
    """In another currency, say; two prices are joined only where one followed the other."""
    drawn = price_chart([_step(500, 6, 5, 4), _step(700, 2, 0)], currency="EUR", now=NOW)
    assert [piece[1] for piece in _lines(drawn, "trace")] == ["H201.0", "H706.0"]
    assert [piece[1] for piece in _lines(drawn, "unsure")] == ["H302.0", "H706.0"]


def test_a_strip_leaves_out_what_was_before_its_days() -> None:
    spans = [
        ChartPeriod(label="in stock", since=NOW - 9 * HOUR, until=NOW - 6 * HOUR, fill="green"),
        ChartPeriod(label="backorder", since=NOW - 6 * HOUR, until=NOW, fill="yellow"),
    ]
    drawn = _parts(period_strip(spans, began=NOW - 6 * HOUR, now=NOW, aria_label="stock"))
    (only,) = (part for part in drawn.iter() if part.tag == "rect")
    assert (only.get("class"), only.get("x"), only.get("width")) == ("fill-yellow", "100.0", "606.0")


def test_what_was_seen_once_is_a_moment_on_a_strip() -> None:
    seen = ChartPeriod(label="in stock", since=NOW - HOUR, until=NOW - HOUR, fill="green")
    drawn = _parts(period_strip([seen], began=NOW - HOUR, now=NOW, aria_label="stock"))
    assert [part.get("width") for part in drawn.iter() if part.tag == "rect"] == ["1.0"]


def test_no_history_draws_nothing() -> None:
    assert price_chart([], currency="EUR", now=NOW) == ""
    assert spark([], now=NOW) == ""
    assert spark([(NOW - 3 * HOUR, 5), (NOW - HOUR, 5)], now=NOW) == ""
    assert bar_chart([], aria_label="none") == ""


def test_a_spark_turns_when_the_price_did_and_ends_now() -> None:
    drawn = _parts(spark([(NOW - 4 * HOUR, 900), (NOW - HOUR, 700)], now=NOW))
    (trace,) = (part.get("d") for part in drawn.iter() if part.get("class") == "trace")
    assert trace == "M3,4.0H70.5V22.0H93"
    assert [part.get("cy") for part in drawn.iter() if part.get("class") == "tip"] == ["22.0"]


def test_shares_fill_the_bar() -> None:
    parts = [Share(label=EVIL, many=many, fill="green") for many in (1, 2, 5)]
    drawn = _parts(stacked_bar(parts, aria_label=EVIL))
    widths = [float(part.get("width", "")) for part in drawn.iter() if part.get("class") == "fill-green"]
    assert sum(widths) == pytest.approx(1000, abs=0.1)
    assert widths[2] == pytest.approx(625)


def test_a_bar_above_the_limit_is_red() -> None:
    drawn = _parts(bar_chart([("a", 0.2), (EVIL, 0.7)], aria_label="rates", limit=0.5))
    assert [part.get("class") for part in drawn.iter() if part.tag == "rect"] == ["fill-accent", "fill-red"]


def test_bars_tell_their_scale() -> None:
    drawn = _parts(bar_chart([("a", 12), ("b", 1_234)], aria_label="requests", ends=("a day ago", EVIL)))
    assert [part.text for part in drawn.iter() if part.tag == "text"] == ["1,234", "0", "a day ago", EVIL]


def test_no_moment_is_told_twice_below_a_price() -> None:
    for length in (timedelta(seconds=20), HOUR, timedelta(days=9), timedelta(days=900)):
        step = PriceStep(value=500, since=NOW - length, confirmed=NOW, until=NOW)
        drawn = _parts(price_chart([step], currency="EUR", now=NOW))
        told = [part.text for part in drawn.iter() if part.get("y") == "212"]
        assert len(told) == len(set(told)) == 4
        assert [str(each).endswith(" UTC") for each in told] == [length <= HOUR] * 4
