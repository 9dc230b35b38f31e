"""The API shows a source's site profile and takes the choice between two readings, on both databases."""

import httpx2

from larder.core.model.site_profile import with_profile
from tests.contract.faces import Faces
from tests.platform_sites import MISLEADING
from tests.platform_sites.pages import learned

SHOP = {"url": "https://shape.example/assortiment", "slug": "shop", "kind": "product"}


async def _ask(faces: Faces, method: str, path: str, body: object = None) -> httpx2.Response:
    return await faces.admin.request(method, f"/api/admin{path}", json=body)


async def _add(faces: Faces, *, pages: int) -> None:
    """A source with a learned profile: three pages make a weak proof, five a good one."""
    profile = learned(MISLEADING[0], pages=pages)
    assert profile is not None
    added = await _ask(faces, "POST", "/sources", {**SHOP, "params": with_profile({}, profile)})
    assert added.status_code == 201, added.text


async def test_a_weak_profile_shows_both_readings_until_one_is_chosen(faces: Faces) -> None:
    await _add(faces, pages=3)

    weak = (await _ask(faces, "GET", "/sources/shop/profile")).json()
    chosen = (await _ask(faces, "PUT", "/sources/shop/profile", {"reading": "profile"})).json()
    params = (await _ask(faces, "GET", "/sources/shop")).json()["fields"]["params"]

    assert weak["reading"] == "undecided"
    assert {each["field"] for each in weak["samples"]} == {"title", "price"}
    assert chosen["reading"] == "profile"
    assert chosen["samples"] == []
    assert params["selectors"]["detail"]["fields"]["price"]["css"] == ".incl"


async def test_the_general_reading_puts_a_profile_aside(faces: Faces) -> None:
    await _add(faces, pages=5)

    before = (await _ask(faces, "GET", "/sources/shop/profile")).json()
    after = (await _ask(faces, "PUT", "/sources/shop/profile", {"reading": "general"})).json()
    params = (await _ask(faces, "GET", "/sources/shop")).json()["fields"]["params"]

    assert before["reading"] == "profile"
    assert after["reading"] == "general"
    assert after["fields"] == before["fields"]
    assert "selectors" not in params


async def test_what_cannot_be_is_refused_with_a_next_step(faces: Faces) -> None:
    assert (await _ask(faces, "POST", "/sources", SHOP)).status_code == 201

    none = await _ask(faces, "GET", "/sources/shop/profile")
    wrong = await _ask(faces, "PUT", "/sources/shop/profile", {"reading": "both"})
    unread = await _ask(faces, "PATCH", "/sources/shop", {"params": {"profile": {"fields": 3}}})

    assert none.status_code == 404
    assert "larder source learn shop" in none.json()["hint"]
    assert wrong.status_code == 422
    assert unread.status_code == 422
    assert "profile cannot be read" in unread.json()["detail"]
