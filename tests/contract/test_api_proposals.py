"""The API proposes how a source of a page should be set up, with one request to its site."""

import asyncio
from collections.abc import Iterator

import pytest

from larder.store.operations import audit
from larder.store.tables import sources
from tests.acceptance.served import Answer, Site, serving
from tests.contract.faces import Faces

ROWS = "".join(
    f'<li class=product><a href="/p/{n}"><h3>Copper lamp {n} round</h3></a><b>€ {20 + n},50</b></li>'
    for n in range(8)
)
PAGE = (
    '<html lang=nl><head><link rel=alternate type="application/rss+xml" href="/new.rss"></head>'
    f"<body><h1>Lampen</h1><ul>{ROWS}</ul><a rel=next href='/lamps?p=2'>Volgende</a></body></html>"
)
PROPOSE = "/api/admin/sources/propose"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as served:
        served.answers["/lamps"] = Answer(PAGE)
        served.answers["/robots.txt"] = Answer(
            "User-agent: *\nSitemap: https://lamps.test/map.xml", "text/plain"
        )
        yield served


async def test_each_proposal_says_what_it_rests_on(faces: Faces, site: Site) -> None:
    body = {"url": site.url("/lamps"), "kind": "product", "local": True}
    answered = await faces.admin.post(PROPOSE, json=body)
    stored = await faces.app.read(lambda conn: conn.execute(sources.select()).all())
    entries = await faces.app.read(audit.list_entries)

    assert answered.status_code == 200, answered.text
    told = answered.json()
    proposed = {(each["field"], each["value"]): each["because"] for each in told["proposals"]}
    assert proposed["plan", "index"] == "the page lists 8 products"
    assert proposed["language", "nl"] == 'the page declares lang="nl"'
    assert "8 of 8 prices" in proposed["currency", "EUR"]
    assert proposed["feed", site.url("/new.rss")]
    assert proposed["feed", "https://lamps.test/map.xml"] == "robots.txt names it as a sitemap"
    assert (told["items"], told["next_page"]["url"]) == (8, site.url("/lamps?p=2"))
    assert site.asked["/lamps"] == 1
    assert stored == []
    assert ("private address fetched", "ada") in [(each.action, each.who) for each in entries]


async def test_a_private_address_is_refused_with_the_next_step(faces: Faces, site: Site) -> None:
    answered = await faces.admin.post(PROPOSE, json={"url": site.url("/lamps")})

    assert answered.status_code >= 400
    assert "local: true" in answered.json()["hint"]
    assert site.asked["/lamps"] == 0


async def test_it_needs_an_admin_key(faces: Faces) -> None:
    answered = await asyncio.gather(
        *(who.post(PROPOSE, json={"url": "https://lamps.test/"}) for who in (faces.anyone, faces.reader))
    )
    assert [each.status_code for each in answered] == [401, 403]
