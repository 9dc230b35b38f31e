"""Structured data as extruct reads it: another engine and other people's code, on the same pages."""

import json
from pathlib import Path
from typing import Any

import extruct
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import larder.adapters
from larder.sdk import Page

PAGES = sorted(Path(larder.adapters.__file__).parent.glob("*/fixtures/*/page.html"))
URL = "https://corner.example/a"


def theirs(html: str, syntax: str) -> list[Any]:
    found: list[Any] = extruct.extract(html, base_url=URL, syntaxes=[syntax], errors="ignore")[syntax]
    return found


def plain(value: Any) -> Any:
    """Their microdata in the shape of ours: type and properties side by side, texts on one line."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, str):
        return " ".join(value.split())
    told = {name: plain(each) for name, each in value.get("properties", {}).items()}
    return {**({"@type": value["type"]} if "type" in value else {}), **told}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parts[-4]} {path.parts[-2]}")
def test_what_another_reader_finds_is_found(path: Path) -> None:
    html = path.read_text()
    page = Page(URL, html)
    assert [node for node in theirs(html, "json-ld") if "@type" in node and node not in page.json_ld()] == []
    types = [str(item.get("@type")) for item in page.microdata()]
    assert [item["type"] for item in theirs(html, "microdata") if item["type"] not in types] == []


TEXTS = st.text("abc 12&é", min_size=1, max_size=8).filter(str.strip)
WHOLE = st.integers(-(2**63), 2**63 - 1)
"""Beyond 64 bits our reader of JSON gives floats."""
NAMES = st.sampled_from(["name", "price", "brand", "offers"])
TYPES = st.sampled_from(["Product", "Offer", "Event"])


def scope(kind: str, inner: list[tuple[str, Any]], name: str = "") -> str:
    prop = f' itemprop="{name}"' if name else ""
    return f'<div itemscope itemtype="https://schema.org/{kind}"{prop}>{"".join(map(marked, inner))}</div>'


def marked(pair: tuple[str, Any]) -> str:
    name, value = pair
    if isinstance(value, tuple):
        kind, inner = value
        return scope(kind, inner, name)
    return f'<p><span itemprop="{name}">{value.replace("&", "&amp;")}</span></p>'


ITEMS = st.recursive(
    st.tuples(NAMES, TEXTS),
    lambda inner: st.tuples(NAMES, st.tuples(TYPES, st.lists(inner, min_size=1, max_size=3))),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(TYPES, st.lists(ITEMS, min_size=1, max_size=4))
def test_microdata_however_nested(kind: str, inner: list[tuple[str, Any]]) -> None:
    html = f"<body>{scope(kind, inner)}</body>"
    assert Page(URL, html).microdata() == plain(theirs(html, "microdata"))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.dictionaries(NAMES, TEXTS | WHOLE | st.booleans()), max_size=4), TYPES)
def test_json_ld_in_any_number_of_scripts(nodes: list[dict[str, Any]], kind: str) -> None:
    told = [{"@context": "https://schema.org", "@type": kind, **node} for node in nodes]
    html = "".join(f'<script type="application/ld+json">{json.dumps(node)}</script>' for node in told)
    assert Page(URL, f"<body>{html}</body>").json_ld() == theirs(f"<body>{html}</body>", "json-ld") == told
