"""Web pages answer any query string, cookie and form: with the page, or with what is wrong."""

import itertools
from pathlib import Path

import pytest

from larder.actions.operations import runs
from larder.actions.sources.field_checks import check_target
from larder.core.errors import BadInput
from larder.web.admin.sources import targets as target_pages
from tests.contract.faces import Faces, opened

GETS = (
    "/", "/events", "/map", "/records.csv", "/records/1", "/records/99999999999", "/images/1", "/sign-in",
    "/admin", "/admin/sources", "/admin/sources/nowhere", "/admin/sources/new/preview",
    "/admin/sites/nowhere", "/admin/runs", "/admin/runs/99", "/admin/records", "/admin/targets",
    "/admin/verification", "/admin/adapters/none", "/admin/quarantine", "/admin/quarantine/99", "/admin/dead",
    "/admin/dead/99", "/admin/errors", "/admin/requests", "/admin/alerts", "/admin/audit",
    "/admin/candidates", "/admin/sources/homes/healing", "/admin/records/records.csv",
    "/admin/records/prices.csv",
)  # fmt: skip
NAMES = (
    "q", "kind", "source", "from", "to", "sort", "after", "status", "text", "before", "category", "page",
    "url", "outcome", "state", "stage", "type", "record", "who", "row", "f.title",
)  # fmt: skip
ODD = (
    "'", '"><x>', "-1", "9" * 30, "inf", "nan", "\x00", "%", "_", "ü" * 300, "((", "*", "é\n", "newest",
    "AND OR",
)  # fmt: skip
POSTS = (
    "/admin/sources/homes/run", "/admin/sources/homes/change", "/admin/sources/nowhere/enable",
    "/admin/sites/homes.test/change", "/admin/sites/x/review", "/admin/runs/99/stop", "/admin/runs/1/dance",
    "/admin/targets/add", "/admin/targets/import", "/admin/targets/9/pause", "/admin/watches/add",
    "/admin/watches/9/pause", "/admin/quarantine/9/release", "/admin/quarantine/reject", "/admin/dead/retry",
    "/admin/dead/discard", "/admin/dead/9/note", "/admin/alerts/9/resolve", "/admin/candidates/9/accept",
    "/admin/proxies/add", "/admin/proxies/9/remove", "/admin/keys/add", "/admin/keys/revoke",
    "/admin/adapters/none/disable", "/admin/records/99/pin", "/admin/records/1/pin",
    "/admin/records/1/dance", "/admin/sources/new/look", "/admin/sources/new/save",
    "/admin/sources/new/import", "/admin/sources/homes/healing/apply", "/theme", "/sign-in", "/leave",
)  # fmt: skip
FIELDS = (
    "name", "kind", "source", "url", "interval", "cron", "priority", "days", "scope", "tier", "tz", "spacing",
    "record", "falls", "price_max", "item", "letter", "field", "value", "slug", "plan", "key", "to", "row",
    "f.title",
)  # fmt: skip


async def test_no_question_is_too_odd_for_a_page(shown: Faces) -> None:
    broken = []
    for (turn, path), shift in itertools.product(enumerate(GETS), range(5)):
        name, value = NAMES[(turn + shift * 4) % len(NAMES)], ODD[(turn * 3 + shift) % len(ODD)]
        answered = await shown.admin.get(path, params={name: value})
        if answered.status_code >= 500:
            broken.append((path, name, value))
    assert broken == []


async def test_no_form_is_too_odd_for_a_page(shown: Faces) -> None:
    broken = []
    for (turn, path), shift in itertools.product(enumerate(POSTS), range(2)):
        form = {name: ODD[(turn + number * 3 + shift) % len(ODD)] for number, name in enumerate(FIELDS)}
        answered = await shown.admin.post(path, data=form)
        if answered.status_code >= 500:
            broken.append((path, shift))
    assert broken == []


@pytest.mark.parametrize("priority", ["1001", "2000000"])
def test_the_form_of_a_target_has_no_limit_but_that_of_its_action(priority: str) -> None:
    with pytest.raises(BadInput, match=f"priority {priority} is too large"):
        check_target(interval=None, cron=None, priority=target_pages._priority(priority))


async def test_whoever_asks_too_much_is_told_to_wait(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, requests_a_minute=3) as found:
        codes = [(await found.anyone.get("/sign-in")).status_code for _ in range(5)]
        last = await found.anyone.get("/sign-in")
    assert codes == [200, 200, 200, 429, 429]
    assert int(last.headers["retry-after"]) > 0


async def test_what_nobody_foresaw_gets_a_calm_page_and_its_traceback_goes_to_the_log(
    shown: Faces, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(runs, "list_runs", fails)
    answered = await shown.admin.get("/admin/runs")
    assert answered.status_code == 500
    assert "Internal error" in answered.text
    assert "secret detail" not in answered.text
    assert "default-src 'none'" in answered.headers["content-security-policy"]
    assert "ZeroDivisionError: secret detail" in caplog.text


@pytest.mark.parametrize("path", ["/admin/runs/99", "/admin/nowhere", "/records/99", "/admin/runs?kind=odd"])
async def test_an_operator_who_goes_astray_is_still_an_operator(shown: Faces, path: str) -> None:
    lost, nobody = await shown.admin.get(path), await shown.anyone.get("/records/99")
    assert lost.status_code in (400, 404)
    assert 'aria-label="Admin"' in lost.text
    assert "Back to the overview" in lost.text
    assert "Sign out" in lost.text
    assert "Home page" in nobody.text
    assert "Back to the overview" not in nobody.text


async def test_a_page_names_no_commands(shown: Faces) -> None:
    missing = (await shown.admin.get("/admin/runs/99")).text
    assert "larder run list" not in missing
    assert '<a class="button" href="/admin/runs">See the runs</a>' in missing
    await shown.admin.post("/admin/runs/1/unvoid")
    refused = (await shown.admin.get("/admin/runs")).text
    assert "run 1 is not void" in refused
    assert "larder run" not in refused
