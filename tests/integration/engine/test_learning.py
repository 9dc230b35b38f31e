"""A site profile is learned from the pages of a run, in virtual time, where no person decided otherwise."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from larder import adapters
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.site_profile import ReadingChoice, with_profile
from larder.engine.healing import profile_learner
from larder.engine.healing.profile_learner import ProfileLearner
from larder.engine.parse_workers.in_process import InProcess
from larder.engine.processing.learn_profile import learn_profile
from larder.engine.work_items import Work
from larder.sim.virtual import run_inline
from larder.store.pages.blobs import content_hash
from larder.store.queue import sources
from tests.integration.engine.harness import HOUR, MINUTE, START, Harness, small_site
from tests.platform_sites import MISLEADING, Shape
from tests.platform_sites.pages import learned

SHOP = MISLEADING[0]
PRICES = "SELECT title, price_minor FROM records"
ATTEMPTS = "SELECT value FROM facts WHERE name LIKE 'profile_attempt:%'"


def opened(shape: Shape = SHOP, **source: Any) -> Harness:
    """A source of a shape, added by its address."""
    harness = Harness(site=small_site())
    harness.answers = answers(shape)
    url = f"http://{harness.site.name}{shape.path}"
    policy = {"discovery_every": 3600}
    harness.add_source(
        kind=str(shape.kind),
        adapter=str(shape.kind),
        url=url,
        language=shape.language,
        policy=policy,
        **source,
    )
    return harness


def answers(shape: Shape) -> Any:
    def answer(work: Work, at: datetime) -> Fetched:
        parts = urlsplit(work.job.request.url)
        said = shape.answer(parts.path, dict(parse_qsl(parts.query)))
        body = (said or "").encode()
        return Fetched(
            outcome=FetchOutcome.OK if body else FetchOutcome.NOT_FOUND,
            url=work.job.request.url,
            final_url=work.job.request.url,
            fetched_at=at,
            status=200 if body else 404,
            headers={"content-type": "text/html; charset=utf-8"},
            body=body,
            content_hash=content_hash(body) if body else None,
        )

    return answer


def learner(harness: Harness) -> ProfileLearner:
    return ProfileLearner(
        database=harness.database,
        blobs=harness.blobs,
        clock=harness.clock,
        adapters={adapter.id: adapter for adapter in adapters.known()},
        runner=InProcess(),
    )


def live(harness: Harness, until: datetime) -> None:
    driver = harness.driver()
    driver.on_tick = learner(harness).round
    run_inline(driver.run(until=until))


def truth(shape: Shape) -> dict[str, int]:
    return {thing.title: int((thing.price or 0) * 100) for thing in shape.things}


def params(harness: Harness) -> dict[str, Any]:
    return harness.do(lambda conn: sources.declared_params(conn, 1))


def test_the_records_of_the_first_run_are_right() -> None:
    """As if the profile had read them: no wrong price counts, and no version waits for a canary."""
    harness = opened()
    live(harness, START + HOUR / 2)

    assert dict(harness.ask(PRICES)) == truth(SHOP)
    wrong = (
        "SELECT count(*) FROM observations WHERE field = 'price' AND voided_at IS NULL AND amount NOT IN ({})"
    )
    right = ", ".join(str(price) for price in truth(SHOP).values())
    assert harness.ask(wrong.format(right)) == [(0,)]
    assert max(harness.fetches().values()) == 1
    assert harness.ask("SELECT count(*) FROM runs") == [(1,)]


def test_the_next_run_goes_on_with_the_profile() -> None:
    harness = opened()
    live(harness, START + 2 * HOUR + HOUR / 2)

    statuses = {status for (status,) in harness.ask("SELECT status FROM runs")}
    assert statuses == {"completed"}
    assert dict(harness.ask(PRICES)) == truth(SHOP)
    assert harness.ask("SELECT name FROM alerts WHERE resolved_at IS NULL") == []


def test_a_person_s_choice_of_the_general_reading_stays() -> None:
    profile = learned(SHOP)
    assert profile is not None
    chosen = with_profile({}, profile.chosen(ReadingChoice.GENERAL))
    harness = opened(params=chosen)

    live(harness, START + HOUR / 2)

    assert params(harness) == chosen
    assert harness.ask(ATTEMPTS) == []


def test_declared_selectors_of_a_person_win() -> None:
    declared = {"selectors": {"detail": {"fields": {"title": "h1", "price": ".excl"}}}}
    harness = opened(params=declared)

    live(harness, START + HOUR / 2)

    assert params(harness) == declared
    assert harness.ask(ATTEMPTS) == []


def test_a_change_that_a_person_makes_meanwhile_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = opened()
    mine = {"city": "Utrecht"}

    def learning(*args: Any, **more: Any) -> Any:
        harness.do(lambda conn: sources.update_source(conn, 1, {"params": mine}, now=START))
        return real(*args, **more)

    real = learn_profile
    monkeypatch.setattr(profile_learner, "learn_profile", learning)
    live(harness, START + HOUR / 2)

    assert params(harness) == mine


def test_a_failure_fails_no_run_and_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is remembered, so that the same pages are not tried again after each run."""
    harness, tried = opened(), []

    def learning(*_: Any, **__: Any) -> None:
        tried.append(harness.clock.now())
        raise RecursionError

    monkeypatch.setattr(profile_learner, "learn_profile", learning)
    live(harness, START + 3 * HOUR)

    assert len(tried) == 1
    assert "failed: RecursionError" in harness.ask(ATTEMPTS)[0][0]
    assert {status for (status,) in harness.ask("SELECT status FROM runs")} == {"completed"}


def test_twice_as_many_pages_are_reason_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pages taught nothing: neither do seven more, and eight are tried."""
    harness, tried = opened(replace(SHOP, things=SHOP.things[:4])), []
    monkeypatch.setattr(profile_learner, "learn_profile", lambda *_, **__: tried.append(harness.clock.now()))
    live(harness, START + HOUR / 2)
    harness.answers = answers(replace(SHOP, things=SHOP.things[4:11]))
    live(harness, START + HOUR + HOUR / 2)
    before = len(tried)
    harness.answers = answers(replace(SHOP, things=SHOP.things[11:19]))
    live(harness, START + 2 * HOUR + HOUR / 2)

    assert (before, len(tried)) == (1, 2)


def test_a_replay_that_is_cut_off_is_gone_on_with() -> None:
    """A tick whose time is over leaves the rest to the next."""
    harness = opened()
    driver = harness.driver()
    run_inline(driver.run(until=START + HOUR / 2))
    at_work = learner(harness)
    harness.do(
        lambda conn: conn.exec_driver_sql(
            "INSERT INTO facts VALUES ('profiles_learned_to', '{\"at\": 0, \"run\": 0}', 0)"
        )
    )

    run_inline(at_work.round(until=harness.clock.now()))
    between = dict(harness.ask(PRICES))
    run_inline(at_work.finish(until=harness.clock.now() + MINUTE))

    assert between != truth(SHOP)
    assert dict(harness.ask(PRICES)) == truth(SHOP)
    assert harness.ask("SELECT name FROM facts WHERE name LIKE 'profile_replay%'") == []
