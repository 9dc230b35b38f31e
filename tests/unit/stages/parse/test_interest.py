"""Counts of interest that pages show: in words, in rows and in markup."""

import json
from typing import Any

import pytest

from larder.core.model.item import Extracted
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.normalize.fields import common_fields
from larder.stages.parse.cascade import STRATEGIES, run_cascade
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.interest import interest_of, page_interest
from larder.store.content_digest import digest


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("123 interested", "123"),
        ("1,204 people are interested", "1,204"),
        ("45 opgeslagen", "45"),
        ("45 keer bewaard", "45"),
        ("12 geïnteresseerden", "12"),
        ("8 going", "8"),
        ("34 mal gemerkt", "34"),
        ("7 Interessenten", "7"),
        ("12 personnes intéressées", "12"),
        ("9 interesados", "9"),
        ("3 persone interessate", "3"),
        ("15 favourites", "15"),
        ("Interested?", ""),
        ("Are you interested", ""),
        ("12 rooms", ""),
        ("We were 12 interested neighbours who came together to save the old mill of the village", ""),
    ],
)
def test_l10_13_a_count_of_interest(text: str, count: str) -> None:
    assert interest_of(text) == count


def read_one(html: str, kind: Kind, purpose: Purpose) -> list[dict[str, Any]]:
    task = ExtractionTask(page=Page("https://x.test/a", html), kind=kind, purpose=purpose)
    found = run_cascade(task, tuple(STRATEGIES), [])
    assert isinstance(found, Extracted)
    return [common_fields(item.fields, "https://x.test/a") for item in found.items]


def test_l10_13_a_detail_page_shows_it() -> None:
    html = "<h1>Road bike</h1><p class=price>€ 250</p><p>45 opgeslagen</p><ul><li>Frame: 54</li></ul>"
    assert read_one(html, Kind.LISTING, Purpose.DETAIL)[0]["interested"] == 45


@pytest.mark.parametrize("kind", [Kind.LISTING, Kind.EVENT])
def test_l10_13_rows_show_it(kind: Kind) -> None:
    rows = "".join(
        f"<li><a href=/t/{n}0001><h3>Evening of the number {n}</h3></a><p>{n} August 2027 20:00</p>"
        f"<p>€ {n}9,00</p><span>{n * 11} interested</span></li>"
        for n in range(1, 6)
    )
    found = read_one(f"<h1>All</h1><ul>{rows}</ul>", kind, Purpose.INDEX)
    assert [each["interested"] for each in found] == [11, 22, 33, 44, 55]


def test_l10_13_markup_counts_interactions() -> None:
    def counter(action: Any, count: int) -> dict[str, Any]:
        named = {"@type": "InteractionCounter", "interactionType": action}
        return {**named, "userInteractionCount": count}

    event = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Concert of Noord",
        "startDate": "2027-08-01T20:00",
        "interactionStatistic": [
            counter({"@type": "ViewAction"}, 9000),
            counter("https://schema.org/LikeAction", 87),
        ],
    }
    html = f"<h1>Concert of Noord</h1><script type='application/ld+json'>{json.dumps(event)}</script>"
    assert read_one(html, Kind.EVENT, Purpose.DETAIL)[0]["interested"] == 87


def test_l10_13_a_small_change_of_the_count_alone_is_no_new_content() -> None:
    assert digest({"a": 1, "interested": 1204}) == digest({"a": 1, "interested": 1209})
    assert digest({"a": 1, "interested": 1204}) != digest({"a": 1, "interested": 2204})


@pytest.mark.parametrize("shown", ["", "<p>12 ratings</p>", "<script>a = '>12 interested<'</script>"])
def test_no_tree_is_built_for_a_page_without_such_a_text(shown: str) -> None:
    page = Page("https://x.test/lamp", f"<h1>Lamp</h1>{shown}")
    assert page_interest(page) == ""
    assert "tree" not in vars(page)


@pytest.mark.parametrize(
    "shown",
    [
        "12 people are interested",
        "&nbsp;12 ge&iuml;nteresseerden",
        "12 INTÉRESSÉS",
        "12 mal gemerkt",
        "12 saves",
        "12 partecipanti",
        "12 asistentes",
        "12 enregistrements",
        "12 watchers",
        "12 favoris",
        "12 x gespeichert",
    ],
)
def test_a_count_beside_the_headline_is_read(shown: str) -> None:
    assert page_interest(Page("https://x.test/lamp", f"<h1>Lamp</h1><p> {shown}</p>")) == "12"
