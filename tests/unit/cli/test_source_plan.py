"""The plan of targets is `monitor`; its earlier name is accepted wherever a plan is given."""

import pytest

from larder.core.model.source import Plan
from tests.unit.cli.conftest import Shell

ADDRESS = "https://shop.example/kettle"


@pytest.mark.parametrize("word", ["monitor", "watch"])
def test_both_words_are_accepted_and_one_is_shown(larder: Shell, word: str) -> None:
    assert larder("source", "add", ADDRESS, "--kind", "product", "--slug", "shop", "--plan", word).code == 0
    assert larder("source", "show", "shop", "--json").json["fields"]["plan"] == "monitor"


def test_a_catalogue_may_use_the_earlier_name(larder: Shell) -> None:
    (larder.folder / "shops.yaml").write_text(
        f"sources:\n  - slug: shop\n    url: {ADDRESS}\n    kind: product\n    plan: watch\n"
    )
    assert larder("source", "import", "shops.yaml").code == 0
    assert larder("source", "show", "shop", "--json").json["fields"]["plan"] == "monitor"


def test_another_word_is_refused_with_the_words_that_there_are(larder: Shell) -> None:
    answered = larder("source", "add", ADDRESS, "--kind", "product", "--plan", "stare")
    assert answered.code == 2
    assert "'stare' is not one of index, adaptive, market, agenda, monitor" in answered.complaint[0]


def test_the_earlier_name_is_the_same_plan() -> None:
    assert Plan("watch") is Plan.MONITOR
    with pytest.raises(ValueError, match="stare"):
        Plan("stare")


def test_l10_17_an_address_of_a_known_shop_is_said_to_be_a_target_of_it(larder: Shell) -> None:
    shop = ("--kind", "product", "--slug", "shop", "--plan", "monitor")
    assert larder("source", "add", "https://shop.example/", *shop).code == 0
    added = larder("source", "add", ADDRESS)
    assert added.code == 0, added.err
    assert "Added as target 1 of shop, which checks single pages of shop.example." in added.out
    assert [each["url"] for each in larder("target", "list", "--json").json] == [ADDRESS]
