"""Watches as an operator sets them by a form: what is written is what is waited for; on both databases."""

import re

import pytest

from tests.contract.faces import Faces


async def _add(shown: Faces, **form: str) -> None:
    answered = await shown.admin.post("/admin/watches/add", data=form)
    assert answered.status_code == 303, answered.text[:300]


async def _listed(shown: Faces) -> str:
    answered = await shown.admin.get("/admin/watches")
    assert answered.status_code == 200, answered.text[:300]
    return answered.text


async def test_a_watch_keeps_its_price_as_written_and_says_when_it_is_of_something_hidden(
    shown: Faces,
) -> None:
    await _add(shown, name="rooms", price_max="1,200")
    told = await _listed(shown)
    assert re.search(r"price max</span>\s*1,200\.00\s", told)
    assert "including hidden sources" not in told
    await _add(shown, name="tea", price_max="JPY 5,000", hidden="1")
    told = await _listed(shown)
    assert re.search(r"price max</span>\s*JPY 5,000\s", told)
    assert told.count("including hidden sources") == 1


async def test_a_watch_on_the_price_of_a_hidden_record_hears_of_it(shown: Faces) -> None:
    await _add(shown, name="home", record="6", when="falls_percent", number="10")
    assert "including hidden sources" in await _listed(shown)


async def test_l10_14_a_watch_is_changed_by_its_form_and_sends_a_test(shown: Faces) -> None:
    asked = {
        "name": "rooms",
        "query": {"text": "home", "rooms_min": 3, "price_max": "20.00", "currency": "EUR"},
    }
    made = (await shown.admin.post("/api/admin/watches", json=asked)).json()
    assert made["asks"]["price_max"] == "20.00"
    page = (await shown.admin.get(f"/admin/watches/{made['id']}")).text
    assert 'value="EUR 20.00"' in page
    form = {"name": "rooms", "q": "home", "price_max": "USD 25", "when": "target_price", "number": "12.50"}
    answered = await shown.admin.post(f"/admin/watches/{made['id']}/change", data=form)
    assert answered.status_code == 303, answered.text[:300]
    (changed,) = (await shown.admin.get("/api/admin/watches")).json()["items"]
    assert changed["asks"] == {"text": "home", "rooms_min": 3.0, "price_max": "25", "currency": "USD"}
    assert (changed["on"], changed["target_price"]) == ("target_price", "12.50")
    assert "price is at most $12.50" in await _listed(shown)
    sent = await shown.admin.post(f"/admin/watches/{made['id']}/test", data={"back": "/admin/watches"})
    assert sent.status_code == 303
    patched = await shown.admin.patch(f"/api/admin/watches/{made['id']}", json={"on": "gone"})
    assert (patched.status_code, patched.json()["on"], patched.json()["target_price"]) == (200, "gone", None)


@pytest.mark.parametrize(
    "form", [{"when": "falls_by"}, {"when": "never"}, {"when": "falls_percent", "number": "0"}]
)
async def test_l10_14_a_condition_that_is_none_is_refused(shown: Faces, form: dict[str, str]) -> None:
    answered = await shown.admin.post("/admin/watches/add", data={"name": "x", "record": "1", **form})
    assert "added" not in answered.headers.get("set-cookie", "")
    assert (await shown.admin.get("/api/admin/watches")).json()["items"] == []
