"""What rows and detail pages of a site agree on, and what is no proof."""

from dataclasses import replace

import pytest

from larder import adapters
from larder.core.model.job import Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.site_profile import ReadingChoice, profile_of, with_profile
from larder.core.model.source import Kind, Source
from larder.engine.processing.learn_profile import learn_profile
from larder.engine.processing.process_page import parse_and_normalize
from larder.sdk.page import Page
from larder.sdk.selectors import read_selectors
from larder.stages.parse.repair import Sample
from tests.platform_sites import MISLEADING, SHAPES, Shape, Thing
from tests.platform_sites.pages import BASE, NOW, learned, page_at, source_of

WITHOUT_ELEMENTS = frozenset({"inertia-fr"})
"""Sites that show nothing without a script: selectors find nothing there, and their state needs none."""
SHOWN = {name: shape for name, shape in SHAPES.items() if name not in WITHOUT_ELEMENTS}
ALL = {**SHOWN, **{shape.name: shape for shape in MISLEADING}}


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_profile_is_learned_and_proven_on_every_shape(name: str) -> None:
    """Title, price and date are found where all pages have them, by selectors that a source may declare."""
    profile = learned(ALL[name])

    assert profile is not None
    assert profile.proven
    assert profile.fields["title"].agreed >= 4
    declared = read_selectors(profile.selectors)
    assert declared.detail is not None
    assert declared.index is not None


@pytest.mark.parametrize("name", sorted(WITHOUT_ELEMENTS))
def test_no_profile_is_learned_where_a_page_shows_nothing(name: str) -> None:
    assert learned(SHAPES[name]) is None


@pytest.mark.parametrize("shape", MISLEADING, ids=lambda shape: shape.name)
def test_a_profile_reads_right_what_the_general_reading_reads_wrong(shape: Shape) -> None:
    """Measured over all detail pages of the site, of which five were learned from."""
    source, profile = source_of(shape), learned(shape)
    assert profile is not None
    with_it = replace(source, params=with_profile(source.params, profile))

    assert _right(shape, source) == 0
    assert _right(shape, with_it) == len(shape.things)


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_a_profile_makes_no_reading_worse(name: str) -> None:
    """Sites that are read right without a profile are read right with it."""
    shape = SHAPES[name]
    source, profile = source_of(shape), learned(shape)
    assert profile is not None
    with_it = replace(source, params=with_profile(source.params, profile))

    assert _right(shape, with_it) >= _right(shape, source)


@pytest.mark.parametrize("name", [*sorted(SHOWN)[::8], *(shape.name for shape in MISLEADING)])
def test_only_what_reads_a_field_better_is_learned_where_nothing_else_is_asked_for(name: str) -> None:
    profile, better = learned(ALL[name]), learned(ALL[name], only_better=True)
    assert profile is not None

    assert better is None or better == profile
    assert better is not None or not any(proof.better for proof in profile.fields.values())


def test_nothing_is_searched_for_where_the_general_reading_says_what_all_rows_say() -> None:
    index = _index([(f"Lamp {n}", f"€ {n + 10},00") for n in range(6)])
    details = [_detail(n, f"<h1>Lamp {n}</h1><p class=price>€ {n + 10},00</p>") for n in range(5)]

    assert learn_profile(_SHOP, adapters.find("product"), index, details, now=NOW) is not None
    assert learn_profile(_SHOP, adapters.find("product"), index, details, now=NOW, only_better=True) is None


def _right(shape: Shape, source: Source) -> int:
    """Detail pages whose title, price and start are as the site's truth says."""
    return sum(_is_right(shape, source, thing) for thing in shape.things)


def _is_right(shape: Shape, source: Source, thing: Thing) -> bool:
    url = BASE + shape.detail_path(thing)
    page = page_at(shape, url)
    fetched = Fetched(
        outcome=FetchOutcome.OK, url=url, final_url=url, fetched_at=NOW, body=page.markup.body, headers={}
    )
    read = parse_and_normalize(fetched, source, adapters.find(shape.kind), Purpose.DETAIL)
    if len(read.staged) != 1:
        return False
    fields = read.staged[0].fields
    if shape.kind is Kind.EVENT:
        return bool(fields["starts_at"][:16] == thing.starts.isoformat()[:16])  # type: ignore[union-attr]
    price = None if thing.price is None else int(thing.price * 100)
    return bool(fields["title"] == thing.title and fields.get("price_minor") == price)


def test_text_that_is_the_same_on_all_pages_is_no_value() -> None:
    """All rows cost the same, and so does the delivery on every page: neither place is proven."""
    index = _index([(f"Lamp {n}", "€ 5,00") for n in range(6)])
    details = [_detail(n, f"<h1>Lamp {n}</h1><p class=fee>€ 5,00</p>") for n in range(5)]

    profile = learn_profile(_SHOP, adapters.find("product"), index, details, now=NOW)

    assert profile is not None
    assert "price" not in profile.fields
    assert profile.fields["title"].proven


def test_a_place_that_contradicts_one_row_is_not_taken() -> None:
    """The first amount is right on four pages; on the fifth it is wrong, and the second one right."""
    index = _index([(f"Lamp {n}", f"€ {n + 10},00") for n in range(6)])
    bodies = [f"<h1>Lamp {n}</h1><p class=a>€ {n + 10},00</p><p class=b>€ 3,00</p>" for n in range(4)]
    details = [_detail(n, body) for n, body in enumerate(bodies)]
    details.append(_detail(4, "<h1>Lamp 4</h1><p class=a>€ 3,00</p><p class=b>€ 14,00</p>"))

    profile = learn_profile(_SHOP, adapters.find("product"), index, details, now=NOW)

    assert profile is not None
    assert "price" not in profile.fields


@pytest.mark.parametrize(
    "said",
    ["<p class=b>€ {0},00 excl. btw</p>", "<p>Lease voor <b>€ {0},00</b></p>"],
    ids=["without tax", "an instalment"],
)
def test_what_the_page_calls_another_amount_is_not_taken_though_the_rows_say_it(said: str) -> None:
    """The row shows it without a word; the general reading of the page stays."""
    index = _index([(f"Lamp {n}", f"€ {n + 100},00") for n in range(6)])
    bodies = [f"<h1>Lamp {n}</h1><p class=a>€ {2 * n + 121},00</p>{said.format(n + 100)}" for n in range(6)]
    details = [_detail(n, body) for n, body in enumerate(bodies)]

    profile = learn_profile(_SHOP, adapters.find("product"), index, details, now=NOW)

    assert profile is not None
    assert "price" not in profile.fields


def test_a_place_is_proven_on_more_pages_than_the_first_few() -> None:
    """On the first six pages the first amount is right; on the others it is a deposit."""
    index = _index([(f"Lamp {n}", f"€ {n + 10},00") for n in range(10)])
    bodies = [f"<h1>Lamp {n}</h1><p class=a>€ {n + 10},00</p>" for n in range(6)]
    bodies += [f"<h1>Lamp {n}</h1><p class=b>€ {n + 10},00</p><p class=a>€ 3,00</p>" for n in range(6, 10)]
    details = [_detail(n, body) for n, body in enumerate(bodies)]

    profile = learn_profile(_SHOP, adapters.find("product"), index, details, now=NOW)

    assert profile is not None
    assert "price" not in profile.fields or not profile.fields["price"].proven


def test_too_few_pages_leave_the_choice_to_a_person() -> None:
    """Three pages prove nothing by themselves; both readings are kept for a person to compare."""
    profile = learned(MISLEADING[0], pages=3)

    assert profile is not None
    assert not profile.proven
    assert profile.reading is ReadingChoice.UNDECIDED
    prices = [each for each in profile.samples if each.field == "price"]
    assert len(prices) == 3
    assert all(each.row == each.profile != each.general for each in prices)
    assert all(each.profile_agrees and not each.general_agrees for each in prices)
    assert all(each.general_agrees for each in profile.samples if each.field == "title")


@pytest.mark.parametrize("name", ["shopify", "prestashop"])
def test_a_price_with_its_currency_in_markup_agrees_with_its_row(name: str) -> None:
    """Such a site is read right without a profile: none of its fields is read better with one."""
    profile = learned(SHAPES[name])

    assert profile is not None
    assert profile.fields["price"].general == profile.fields["price"].pages
    assert not any(proof.better for proof in profile.fields.values())


def test_pages_that_are_none_of_the_rows_teach_nothing() -> None:
    index = _index([(f"Lamp {n}", f"€ {n},00") for n in range(6)])
    others = [_detail(n + 50, f"<h1>Lamp {n}</h1><p>€ {n},00</p>") for n in range(5)]

    assert learn_profile(_SHOP, adapters.find("product"), index, others, now=NOW) is None


def test_parts_that_a_person_declared_stay_theirs() -> None:
    """A profile adds what is not declared, and takes only that away again."""
    mine = {"index": {"row": "article", "fields": {"title": "h2"}}}
    source = replace(source_of(MISLEADING[0]), params={"selectors": mine, "city": "Utrecht"})
    profile = learned(MISLEADING[0])
    assert profile is not None

    applied = with_profile(source.params, profile)
    back = with_profile(applied, profile.chosen(ReadingChoice.GENERAL))

    assert applied["selectors"]["index"] == mine["index"]
    assert applied["selectors"]["detail"] == profile.selectors["detail"]
    assert back["selectors"] == mine
    assert back["city"] == "Utrecht"
    kept = profile_of(back)
    assert kept is not None
    assert kept.selectors["detail"] == profile.selectors["detail"]


@pytest.mark.parametrize(
    "said",
    ["yes", {"fields": {"title": 3}}, {"reading": "both"}, {"samples": [1]}, {"pages": "many"}, []],
    ids=str,
)
def test_a_profile_that_cannot_be_read_is_none(said: object) -> None:
    """Whoever edits it by hand cannot stop a source from being read."""
    assert profile_of({"profile": said}) is None


_SHOP = Source(
    id=1, slug="it", name="it", kind=Kind.PRODUCT, site_id=1, adapter="product", url=f"{BASE}/all",
    language="nl",
)  # fmt: skip


def _index(rows: list[tuple[str, str]]) -> Sample:
    cards = "".join(
        f'<article class=card><a href="/p/{n}"><h3>{title}</h3></a><span>{price}</span></article>'
        for n, (title, price) in enumerate(rows)
    )
    return Sample(page=Page(f"{BASE}/all", f"<html lang=nl><body>{cards}</body></html>"), at=NOW)


def _detail(n: int, body: str) -> Sample:
    return Sample(page=Page(f"{BASE}/p/{n}", f"<html lang=nl><body>{body}</body></html>"), at=NOW)
