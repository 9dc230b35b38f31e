"""Real pages of sites that nobody tuned Larder for: the shares of fields read right do not fall."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[4]
WILD = Path(__file__).parents[5] / "shared" / "fixtures" / "wild"

pytestmark = pytest.mark.skipif(not WILD.is_dir(), reason="the shared pages are not at hand")


Judge = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def judged() -> Judge:
    """The shares of fields read right; each judgement takes a second and is made once."""
    return cache(_judged)


def _judged(kind: str, *options: str) -> dict[str, Any]:
    command = [sys.executable, str(WILD / "judge.py"), kind, *options]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    result: dict[str, Any] = json.loads(told.stdout.splitlines()[0])
    return result


@pytest.mark.parametrize(
    ("field", "least"),
    [("title", 0.95), ("price", 0.95), ("availability", 0.95), ("brand", 0.9), ("sku", 0.9)],
)
def test_products_are_read_right(judged: Judge, field: str, least: float) -> None:
    assert judged("products")[field] >= least


@pytest.mark.parametrize(
    ("field", "least"),
    [("title", 0.92), ("price", 0.92), ("currency", 0.92)]
    + [(field, 0.9) for field in ("area_m2", "rooms", "beds", "baths", "place")],
)
def test_listings_are_read_right(judged: Judge, field: str, least: float) -> None:
    assert judged("listings")[field] >= least


@pytest.mark.parametrize("field", ["title", "price", "area_m2", "beds", "baths", "place"])
def test_listings_are_read_right_from_the_visible_page_alone(judged: Judge, field: str) -> None:
    assert judged("listings", "--bare")[field] >= 0.9


@pytest.mark.parametrize(("field", "least"), [("title", 0.95), ("price", 0.91)])
def test_products_are_read_right_from_the_visible_page_alone(judged: Judge, field: str, least: float) -> None:
    assert judged("products", "--bare")[field] >= least


@pytest.mark.parametrize(
    ("figure", "least"), [("products price", 0.9), ("products sku", 0.9), ("products availability", 0.98)]
)
def test_the_product_benchmark_does_not_fall(
    benchmarked: dict[str, float], figure: str, least: float
) -> None:
    assert benchmarked[figure] >= least


@pytest.fixture(scope="module")
def benchmarked() -> dict[str, float]:
    """F1 of each figure of the benchmark."""
    command = [sys.executable, "-m", "bench.accuracy", "products"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, cwd=ROOT)
    return {found[1]: float(found[2]) for found in _FIGURE.finditer(told.stdout)}


_FIGURE = re.compile(r"^(products \w+)\s.*\]\s+[\d.]+\s+([\d.]+)", re.MULTILINE)
