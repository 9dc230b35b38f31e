"""What a box of ammunition holds, from its title; and what becomes of it in a record."""

import json
from pathlib import Path

import pytest

from larder.adapters.sgammo.ammunition import ammunition, calibre, grain, load, rounds, shell_length
from larder.extraction import extract, try_page

FIXTURES = Path(__file__).resolve().parents[3].parent / "shared" / "fixtures"
BOX = """<div class="sgammo-content-single-product instock"><h1>{title}</h1>
<p class="stock in-stock">In stock</p>
<div class="sgammo-content-single-product__details__right__price">
<span class="woocommerce-Price-amount">$26.95</span></div></div>"""
TITLE = "20 Round Box - 9mm Luger 124 Grain FMJ Ammo"
ADDRESS = "https://sgammo.com/product/9mm/20-round-box/"


def test_the_attributes_of_a_box_and_its_cost_per_round_are_in_the_record() -> None:
    (item,) = extract(BOX.format(title=TITLE), url=ADDRESS).items
    assert (item["calibre"], item["grain"], item["rounds"], item["bullet"]) == ("9mm", 124, 20, "FMJ")
    (judged,) = try_page(BOX.format(title=TITLE), url=ADDRESS).items
    assert (judged.verdict, judged.fields["cost_per_round"]) == ("stored", "1.348")


def test_the_same_title_in_another_shop_is_a_title() -> None:
    page = f"<h1>{TITLE}</h1><p class=price>$ 26.95</p><button>Add to cart</button>"
    (item,) = extract(page, url="https://shop.example/box", kind="product").items
    assert item["title"] == TITLE
    assert not {"calibre", "grain", "rounds", "bullet", "cost_per_round"} & item.keys()


def test_ammunition_is_never_guessed() -> None:
    assert ammunition("Makita 10mm drill") == {}
    assert ammunition("iPhone 15 Pro 256GB") == {}
    assert grain("Sampler 115gr and 124gr") is None
    assert rounds("100 rounds or 200 rounds") is None
    assert rounds("223 Rem - 25 boxes of 20 rounds") == 500
    assert ammunition('12ga 3" #4 Buck Ammo') == {
        "calibre": "12 Gauge",
        "load": "4 Buck",
        "shell_length": "3in",
    }
    assert ammunition("9mm 115gr FMJ Steel Cased, 1,000 rds") == {
        "calibre": "9mm", "grain": 115, "rounds": 1000, "case": "steel", "bullet": "FMJ",
    }  # fmt: skip


def test_ammunition_titles_of_a_shop() -> None:
    path = FIXTURES / "sgammo" / "cases.jsonl"
    if not path.exists():
        pytest.skip("shared fixtures are absent")
    readers = {
        "caliber": calibre, "grain": grain, "grainWeight": grain, "packCount": rounds, "roundCount": rounds,
        "shellLength": shell_length, "loadType": load,
    }  # fmt: skip
    with path.open(encoding="utf-8") as lines:
        cases = [
            case
            for case in map(json.loads, lines)
            if case["kind"] in {"title_attributes", "record_attributes"}
        ]
    wrong = [
        (case["id"], name)
        for case in cases
        for name, reader in readers.items()
        if name in case["expected"]
        and reader(case["input"].get("title") or case["input"]["name"]) != case["expected"][name]
    ]
    assert cases
    assert wrong == []
