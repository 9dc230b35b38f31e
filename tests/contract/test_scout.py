"""Scouts over real HTTP: a provider like Serper, towns with sites of their own, and all that can go wrong."""

import base64
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from larder.actions.sources import candidates, scout
from larder.app import App, open_app
from larder.app.scouting import scout_task, scouting
from larder.core.errors import BadInput, Conflict, Unusable
from larder.engine.background.scout.candidate_file import read_candidates
from larder.engine.background.scout.scout import Scout
from larder.engine.background.scout.task import open_weekly
from larder.engine.clock import VirtualClock
from larder.engine.scheduling import adoption
from larder.engine.scheduling.stale_runs import end_stale_runs
from larder.settings import Settings
from larder.stages.search.serper import Serper as SerperClient
from larder.store.database import Connection, DriverError
from larder.store.operations.access import secrets
from larder.store.operations.access.secrets import Secret, SecretCipher
from larder.store.operations.candidates import CandidateStatus, CandidateView
from larder.store.operations.scout import places
from larder.store.queue import sources
from larder.store.reads.operators.runs import RunView
from tests.contract import faces, language_model, serper, world
from tests.contract.language_model import LanguageModel
from tests.contract.serper import KEY, SHOP, Serper, ToLoopback, Towns, agenda
from tests.contract.world import NOW

SECRET_KEY = base64.urlsafe_b64encode(bytes(32)).decode()
AMSTERDAM, UTRECHT, DOKKUM = "Amsterdam", "Utrecht", "Dokkum"
HOSTS = (
    "uit-amsterdam.test",
    "paradijs.test",
    "stoelen.test",
    "utrecht-agenda.test",
    "weg.test",
    "dicht.test",
)


@dataclass(kw_only=True)
class Land:
    """Three towns of the Netherlands, and who searches them."""

    app: App
    serper: Serper
    towns: Towns

    @property
    def clock(self) -> VirtualClock:
        assert isinstance(self.app.clock, VirtualClock)
        return self.app.clock

    async def scout(self, region: str = "NL", most: int = 2, *, waits: int = 50) -> RunView:
        """By hand, to its end; the provider's waits are waited for."""
        run = await self.app.run(scout.start, region, most, who="ada", now=self.clock.now())
        await self.drive(run.id, waits=waits)
        return await self.run(run.id)

    async def drive(self, run_id: int, *, waits: int = 50, **changed: Any) -> datetime | None:
        async with scouting(self.app) as opened:
            wait_until = await replace(opened, **changed).drive(run_id)
            while wait_until is not None and waits:
                waits -= 1
                await self.clock.sleep_until(wait_until)
                wait_until = await replace(opened, **changed).drive(run_id)
        return wait_until

    async def run(self, run_id: int) -> RunView:
        return (await self.app.run(scout.report, run_id)).run

    async def candidates(self) -> list[CandidateView]:
        return await self.app.run(candidates.list_candidates)

    async def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return await self.app.run(world.rows, sql)

    async def status_of(self, place: str) -> str:
        ((status,),) = await self.rows(f"SELECT status FROM places WHERE name = '{place}'")
        return str(status)


@asynccontextmanager
async def opened_land(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[Land]:
    towns = Towns({
        "uit-amsterdam.test": agenda("Amsterdam"),
        "paradijs.test": agenda("Paradijs"),
        "stoelen.test": SHOP,
        "utrecht-agenda.test": agenda("Utrecht"),
        "dicht.test": agenda("Dicht"),
    }, robots={"dicht.test": "User-agent: *\nDisallow: /"})  # fmt: skip
    provider = Serper()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(serper.served(provider, towns))
        noise = "https://www.tripadvisor.com/amsterdam", "https://m.facebook.com/events", "ftp://x.test/a"
        provider.found = {
            AMSTERDAM: [
                *noise,
                towns.link("uit-amsterdam.test"),
                towns.link("uit-amsterdam.test") + "?utm_source=search",
                towns.link("stoelen.test"),
                towns.link("weg.test"),
                towns.link("dicht.test"),
                towns.link("paradijs.test", "/programma.pdf"),
            ],
            UTRECHT: [towns.link("utrecht-agenda.test"), towns.link("paradijs.test", "/programma")],
        }
        chosen = Settings(
            **{
                "database": database_url,
                "data": folder,
                "search_url": provider.url,
                "secret_key": SECRET_KEY,
                **settings,
            }
        )
        app = await stack.enter_async_context(open_app(chosen, resolver=ToLoopback()))
        app.clock = app.wall = VirtualClock(NOW)
        await app.run(_prepare)
        yield Land(app=app, serper=provider, towns=towns)


def _prepare(conn: Connection) -> None:
    secrets.put(conn, "serper", Secret(KEY), SecretCipher(SECRET_KEY), now=NOW)
    for host in HOSTS:
        sources.ensure_site(conn, host, {"local": 1}, now=NOW)
    rows = [(AMSTERDAM, "07", "NL", 741_636, 52.37, 4.89), (UTRECHT, "09", "NL", 290_529, 52.09, 5.12)]
    places.add_places(conn, [*rows, (DOKKUM, "02", "NL", 12_575, 53.33, 5.99)])


@pytest.fixture
async def land(database_url: str, tmp_path: Path) -> AsyncIterator[Land]:
    async with opened_land(database_url, tmp_path) as opened:
        yield opened


async def test_a_scout_finds_agendas_and_nothing_else(land: Land) -> None:
    run = await land.scout()
    found = await land.candidates()
    assert {(each.url, each.place) for each in found} == {
        (land.towns.link("uit-amsterdam.test"), AMSTERDAM),
        (land.towns.link("utrecht-agenda.test"), UTRECHT),
        (land.towns.link("paradijs.test", "/programma"), UTRECHT),
    }
    assert (run.status, run.inserted, run.dropped, run.failed) == ("completed", 3, 1, 2)
    assert all(each.status == "new" and (each.confidence or 0) > 0.5 for each in found)
    assert {each.judged_by for each in found} == {"heuristic"}
    assert all((each.evidence or {})["needs_review"] for each in found)


async def test_five_queries_a_place_in_serpers_protocol(land: Land) -> None:
    await land.scout(most=1)
    assert len(land.serper.asked) == 5
    assert len({asked["q"] for asked in land.serper.asked}) == 5
    assert all(AMSTERDAM in asked["q"] for asked in land.serper.asked), "the largest place first"
    assert {(asked["gl"], asked["hl"]) for asked in land.serper.asked} == {("nl", "nl")}


async def test_noise_files_and_blocked_pages_are_never_fetched(land: Land) -> None:
    await land.scout(most=1)
    assert land.towns.asked.count("uit-amsterdam.test/agenda") == 1, "one page, however it is written"
    assert not [asked for asked in land.towns.asked if "dicht.test" in asked or ".pdf" in asked]


async def test_what_cannot_be_reached_is_skipped_and_logged(land: Land) -> None:
    run = await land.scout(most=1)
    said = await land.rows(f"SELECT message FROM errors WHERE run_id = {run.id}")
    assert any("weg.test" in message for (message,) in said)
    assert any("robots" in message for (message,) in said)


async def test_a_place_is_not_searched_again_before_its_time(land: Land) -> None:
    await land.scout(most=3)
    asked = len(land.serper.asked)
    land.clock.advance(NOW + timedelta(days=30))
    await land.scout(most=3)
    assert len(land.serper.asked) == asked
    land.clock.advance(NOW + timedelta(days=100))
    await land.scout(most=1)
    assert len(land.serper.asked) == asked + 5


async def test_a_region_is_a_part_of_a_country(land: Land) -> None:
    run = await land.scout("Utrecht", most=5)
    assert run.region == "NL-09"
    assert {each.place for each in await land.candidates()} == {UTRECHT}


async def test_a_decided_page_and_a_site_with_a_source_are_not_suggested_again(land: Land) -> None:
    await land.scout(most=1)
    (found,) = await land.candidates()
    await land.app.run(candidates.reject, found.id, who="ada", now=NOW)
    taken = {"slug": "paradijs", "kind": "event", "adapter": "event", "url": "http://paradijs.test/"}
    await land.app.run(sources.add, taken, now=NOW)
    await land.app.run(adoption.adopt_sources, land.app.dispatcher, now=NOW)
    land.clock.advance(NOW + timedelta(days=100))
    await land.scout(most=2)
    fresh = await land.app.run(candidates.list_candidates, status=CandidateStatus.NEW)
    assert [each.url for each in fresh] == [land.towns.link("utrecht-agenda.test")]
    assert land.towns.asked.count("uit-amsterdam.test/agenda") == 1


async def test_a_rate_limit_is_waited_for_and_no_query_is_asked_twice(land: Land) -> None:
    land.serper.bad = ["", "", "limited", "limited"]
    run = await land.app.run(scout.start, "NL", 1, who="ada", now=NOW)
    wait_until = await land.drive(run.id, waits=0)
    assert wait_until == NOW + timedelta(seconds=120), "as long as Retry-After says"
    ((parked,),) = await land.rows("SELECT parked_until FROM runs")
    assert parked is not None
    assert await land.drive(run.id, waits=0) is None, "nothing happens before that time"
    assert len(land.serper.asked) == 3
    land.clock.advance(wait_until)
    await land.drive(run.id)
    queries = [asked["q"] for asked in land.serper.asked]
    assert len(queries) == 7, "five answers and two refusals"
    assert len(set(queries)) == 5
    assert (await land.run(run.id)).status == "completed"


async def test_a_provider_that_limits_for_ever_ends_the_run_not_the_process(land: Land) -> None:
    land.serper.always = "limited"
    run = await land.scout(most=3)
    assert (run.status, run.error_code) == ("failed", "search_provider")
    assert len(land.serper.asked) <= 8
    assert await land.status_of(AMSTERDAM) == "pending"


@pytest.mark.parametrize("trouble", ["500", "garbage", "odd", "half", "endless", "302"])
async def test_a_provider_that_is_down_is_answered_from_the_cache(land: Land, trouble: str) -> None:
    await land.scout(most=1)
    land.clock.advance(NOW + timedelta(days=100))
    await land.app.run(lambda conn: conn.exec_driver_sql("DELETE FROM candidates"))
    land.serper.always = trouble
    run = await land.scout(most=1)
    assert [each.place for each in await land.candidates()] == [AMSTERDAM]
    assert await land.status_of(AMSTERDAM) == "completed"
    assert run.status == "partial", "it says that the provider was down"
    assert run.error


async def test_a_provider_that_is_down_without_a_cache_leaves_the_place_for_next_week(land: Land) -> None:
    land.serper.always = "503"
    run = await land.scout(most=2)
    assert (run.status, run.inserted) == ("failed", 0)
    assert "left for the next scout" in (run.error or "")
    assert await land.status_of(AMSTERDAM) == "pending"
    land.serper.always = ""
    land.clock.advance(NOW + timedelta(days=7))
    assert (await land.scout(most=2)).inserted == 3


async def test_a_slow_provider_is_down(land: Land) -> None:
    land.serper.always = "slow"
    async with aiohttp.ClientSession() as client:
        hasty = SerperClient(
            url=land.serper.url, key=KEY, client=client, timeout=aiohttp.ClientTimeout(total=0.05)
        )
        run = await land.app.run(scout.start, "NL", 1, who="ada", now=NOW)
        await land.drive(run.id, provider=hasty)
    assert "did not answer in time" in ((await land.run(run.id)).error or "")


async def test_rows_without_an_address_are_no_results(land: Land) -> None:
    land.serper.bad = ["rows of nothing"]
    run = await land.scout(most=1)
    assert (run.status, run.inserted) == ("completed", 1)


async def test_spent_credits_alert_and_nothing_more_is_asked(land: Land) -> None:
    land.serper.bad = ["", "no credits"]
    run = await land.scout(most=3)
    assert len(land.serper.asked) == 2
    assert run.status == "partial"
    assert (await land.rows("SELECT name, subject FROM alerts")) == [("quota_spent", "search")]
    assert [each.place for each in await land.candidates()] == [AMSTERDAM], "what was answered counts"
    assert await land.status_of(UTRECHT) == "pending"


async def test_a_wrong_key_says_so_and_does_not_show_it(land: Land) -> None:
    box = SecretCipher(SECRET_KEY)
    await land.app.run(secrets.put, "serper", Secret("wrong-key-9876"), box, now=NOW)
    run = await land.scout(most=1)
    assert "does not accept the API key" in (run.error or "")
    everything = str(await land.rows("SELECT * FROM errors")) + str(await land.rows("SELECT * FROM runs"))
    assert "wrong-key-9876" not in everything


async def test_without_a_key_nothing_starts(land: Land) -> None:
    await land.app.run(secrets.remove, "serper")
    with pytest.raises(Unusable, match="no API key"):
        await land.scout()


async def test_an_interrupted_scout_goes_on_from_its_checkpoint(land: Land) -> None:
    run = await land.app.run(scout.start, "NL", 2, who="ada", now=NOW)

    class Killed(BaseException):
        """As a process that ends in the middle."""

    class Dying:
        async def judge(self, page: Any) -> Any:
            raise Killed(page.url)

    with pytest.raises(Killed):
        await land.drive(run.id, judge=Dying())
    assert await land.status_of(AMSTERDAM) == "processing"
    await land.drive(run.id)
    assert (await land.run(run.id)).status == "completed"
    assert len(land.serper.asked) == 10, "what was answered is not asked again"
    assert len(await land.candidates()) == 3


async def test_a_place_that_fails_does_not_stop_the_others(land: Land) -> None:
    async with scouting(land.app) as opened:
        usual = opened.judge

    class Picky:
        async def judge(self, page: Any) -> Any:
            if "amsterdam" in page.url:
                raise ZeroDivisionError("a fault of ours")
            return await usual.judge(page)

    run = await land.app.run(scout.start, "NL", 2, who="ada", now=NOW)
    await land.drive(run.id, judge=Picky())
    assert await land.status_of(AMSTERDAM) == "failed"
    assert await land.status_of(UTRECHT) == "completed"
    assert (await land.run(run.id)).status == "partial"


class Unavailable:
    """A database that fails where candidates are stored."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def run(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(work, "__name__", "") == "_store_place":
            raise DriverError("INSERT", {}, Exception("connection lost"))
        return await self._real.run(work, *args, **kwargs)


async def test_without_the_database_candidates_are_kept_in_a_file_that_can_be_imported(
    land: Land, caplog: pytest.LogCaptureFixture
) -> None:
    run = await land.app.run(scout.start, "NL", 1, who="ada", now=NOW)
    with pytest.raises(DriverError):
        await land.drive(run.id, database=Unavailable(land.app.database))
    (path,) = (land.app.settings.data / "scout").glob("*.jsonl")
    assert f"candidates are in {path}: import them" in caplog.text, "an alert past the database"
    added = await land.app.run(scout.import_candidates, read_candidates(path), who="ada", now=NOW)
    assert added == [land.towns.link("uit-amsterdam.test")]
    again = await land.app.run(scout.import_candidates, read_candidates(path), who="ada", now=NOW)
    assert again == []
    await land.drive(run.id)
    assert (await land.run(run.id)).status == "completed"
    assert len(await land.candidates()) == 1


async def test_a_file_that_no_scout_wrote_is_refused_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"url": "javascript:alert(1)"}\n')
    with pytest.raises(BadInput, match="line 1"):
        read_candidates(path)


async def test_a_stopped_scout_stops_and_a_region_is_scouted_once_at_a_time(land: Land) -> None:
    from larder.actions.operations import runs

    run = await land.app.run(scout.start, "NL", 3, who="ada", now=NOW)
    with pytest.raises(Conflict, match="already"):
        await land.app.run(scout.start, "NL", 3, who="ada", now=NOW)
    await land.app.run(runs.stop, run.id, who="ada", now=NOW)
    await land.drive(run.id)
    assert land.serper.asked == []
    assert (await land.run(run.id)).status == "stopped"


async def test_weekly_on_sunday_at_three_and_once(land: Land) -> None:
    sunday = datetime.fromisoformat("2026-01-11T03:00:00+00:00")

    async def open_at(now: datetime) -> list[int]:
        return await land.app.run(open_weekly, ["NL"], 2, tz="UTC", now=now)

    assert await open_at(NOW) == [], "a new deployment begins on Sunday"
    assert await open_at(sunday - timedelta(seconds=1)) == []
    assert len(await open_at(sunday)) == 1
    assert await open_at(sunday + timedelta(days=3)) == []


async def test_the_background_task_opens_and_drives_what_is_due(land: Land) -> None:
    task = scout_task(land.app)
    await task.on_tick()
    assert not task.running
    land.clock.advance(datetime.fromisoformat("2026-01-11T03:00:10+00:00"))
    await task.on_tick()
    assert task._task is not None
    await task._task
    ((status, trigger),) = await land.rows("SELECT status, trigger FROM runs")
    assert (status, trigger) == ("completed", "scheduled")
    assert len(await land.candidates()) == 3


async def test_places_of_a_country_come_from_the_offline_package(land: Land) -> None:
    from larder.engine.background.scout.load_places import ensure_places

    await land.app.run(lambda conn: conn.exec_driver_sql("DELETE FROM places"))
    await ensure_places(land.app.database, "NL")
    rows = await land.rows("SELECT name, population FROM places ORDER BY population DESC")
    assert len(rows) > 1_500
    assert {name for name, _ in rows[:4]} == {"Rotterdam", AMSTERDAM, "Den Haag", UTRECHT}
    with pytest.raises(BadInput, match="no places"):
        await ensure_places(land.app.database, "XX")


def test_a_scout_is_a_value_whose_key_does_not_show(land: Land) -> None:
    client: Any = None
    assert KEY not in repr(SerperClient(url="http://x.test", key=KEY, client=client))
    assert Scout.__dataclass_params__.frozen  # type: ignore[attr-defined]


async def test_a_scout_is_opened_by_http_and_listed_with_its_region(
    database_url: str, tmp_path: Path
) -> None:
    async with faces.opened(database_url, tmp_path) as open_faces:
        answered = await open_faces.admin.post("/api/admin/candidates/scout", json={"region": "Zeeland"})
        assert answered.status_code == 202, answered.text
        run = answered.json()
        assert (run["kind"], run["region"], run["status"]) == ("scout", "NL-10", "running")
        again = await open_faces.admin.post("/api/admin/candidates/scout", json={"region": "NL-10"})
        assert again.status_code == 409
        wrong = await open_faces.admin.post("/api/admin/candidates/scout", json={"region": "Atlantis"})
        assert wrong.status_code == 422
        assert "not a region" in wrong.text
        stopped = await open_faces.admin.post(f"/api/admin/runs/{run['id']}/stop")
        assert stopped.json()["status"] == "stopped"
        shown = await open_faces.get(f"/api/admin/runs/{run['id']}", open_faces.admin)
        assert shown["run"]["region"] == "NL-10"


async def test_silence_does_not_end_a_scout(land: Land) -> None:
    run = await land.app.run(scout.start, "NL", 1, who="ada", now=NOW)
    land.clock.advance(NOW + timedelta(days=1))
    assert await land.app.run(end_stale_runs, now=land.clock.now()) == []
    assert (await land.run(run.id)).status == "running"


async def test_a_language_model_judges_and_heuristics_where_it_does_not_answer(
    database_url: str, tmp_path: Path
) -> None:
    model = LanguageModel(answer=lambda row: 0.97 if "Agenda" in row["title"] else 0.02)
    async with (
        language_model.served(model),
        opened_land(database_url, tmp_path, llm_url=model.url, llm_model="m-1") as land,
    ):
        box = SecretCipher(SECRET_KEY)
        await land.app.run(secrets.put, "llm", Secret(language_model.KEY), box, now=NOW)
        await land.scout(most=1)
        (found,) = await land.candidates()
        assert (found.judged_by, found.confidence) == ("llm", 0.97)
        model.always = "500"
        await land.scout(most=1)
        others = [each for each in await land.candidates() if each.place == UTRECHT]
        assert [each.judged_by for each in others] == ["heuristic", "heuristic"]
        assert all((each.evidence or {})["judge_down"] for each in others), "flagged"
        assert len(model.asked) <= 4, "a model that failed is left alone"
