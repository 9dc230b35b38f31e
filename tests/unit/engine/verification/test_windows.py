"""What windows of checks may and may not conclude: no trouble of a site, whenever it begins or ends, takes a
record that is there."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from larder.core.model.item import Extracted, Item
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched, Hop
from larder.core.model.run import RunKind
from larder.store.reads.operators import page_traces
from tests.unit.engine.verification.harness import (
    HOUR,
    MINUTE,
    START,
    TROUBLES,
    VerificationHarness,
    answer,
    lost,
    page,
    there,
    url,
)

LIVE = range(1, 6)
"""In doubt, and there."""
REMOVED = range(11, 13)
"""In doubt, and not there any more."""
SHOWN = range(21, 27)
"""Shown by the index all the time."""
IN_DOUBT = [*LIVE, *REMOVED]
ASKED = len(IN_DOUBT) + 3

Trouble = Callable[[int, datetime], Fetched]


def honest(number: int, at: datetime, _asked: int = 0) -> Fetched:
    return lost(number, at) if number in REMOVED else there(number, at)


def make_harness(says: Callable[[int, datetime, int], Fetched] = honest) -> VerificationHarness:
    """Some records unseen for 25 hours, others just shown."""
    harness = VerificationHarness(says=says)
    harness.see([*IN_DOUBT, *SHOWN])
    harness.pass_time(25 * HOUR)
    harness.see(SHOWN)
    return harness


def later(harness: VerificationHarness, span: timedelta) -> None:
    """Time passes, in which the index shows what it shows."""
    harness.pass_time(span)
    harness.see(SHOWN)


def test_two_strikes_three_hours_apart_make_a_record_gone() -> None:
    harness = make_harness()
    harness.verify()
    assert [harness.standing(n) for n in REMOVED] == [(1, "pending", 1)] * 2
    assert harness.gone() == set()
    later(harness, 3 * HOUR)
    harness.verify()
    assert harness.gone() == set(REMOVED)
    assert harness.standing(11) == (0, "gone", 2)
    assert harness.ask("SELECT count(*) FROM changes WHERE change = 'gone'") == [(2,)]


def test_less_than_three_hours_apart_they_are_not_even_asked_again() -> None:
    harness = make_harness()
    harness.verify()
    asked = len(harness.asked)
    later(harness, 2 * HOUR)
    harness.verify()
    assert not set(REMOVED) & {number for number, _ in harness.asked[asked:]}
    assert [harness.standing(n) for n in REMOVED] == [(1, "pending", 1)] * 2


def test_alive_is_eighty_verified_and_without_strikes() -> None:
    harness = make_harness()
    run = harness.verify()
    assert harness.standing(1) == (1, "verified", 0)
    assert harness.ask("SELECT DISTINCT base FROM records WHERE verification = 'verified'") == [(80,)]
    counted = {name: run[name] for name in ("checked", "alive", "struck", "gone", "undecided")}
    assert counted == {"checked": 7, "alive": 5, "struck": 2, "gone": 0, "undecided": 0}


@pytest.mark.parametrize(
    ("tier", "trusted_for"),
    [
        pytest.param("cool", 24, id="for a day"),
        pytest.param("standard", 20.5, id="or until it falls below forty"),
    ],
)
def test_what_was_found_alive_is_not_asked_again(tier: str, trusted_for: float) -> None:
    harness = VerificationHarness(says=honest)
    harness.ask(f"UPDATE sources SET tier = '{tier}'")
    harness.see([*LIVE, *SHOWN])
    harness.pass_time(25 * HOUR)
    harness.see(SHOWN)
    harness.verify(lasting=3 * MINUTE)
    alive_at = max(at for number, at in harness.asked if number in LIVE)
    for hours, again in ((12, False), (trusted_for - 0.1, False), (trusted_for + 0.1, True)):
        harness.pass_time(alive_at + hours * HOUR - harness.now)
        harness.see(SHOWN)
        asked = len(harness.asked)
        harness.verify(lasting=3 * MINUTE)
        assert (set(LIVE) <= {number for number, _ in harness.asked[asked:]}) is again, hours


@pytest.mark.parametrize(
    "says_so",
    [
        pytest.param(lambda n, at: answer(FetchOutcome.GONE, n, at), id="410"),
        pytest.param(lambda n, at: page(n, at, "<h1>No longer available</h1>"), id="english"),
        pytest.param(lambda n, at: page(n, at, "<title>Verkauft – 3 Zimmer</title>"), id="german"),
        pytest.param(lambda n, at: page(n, at, "<h2>Niet meer beschikbaar</h2>"), id="dutch"),
    ],
)
def test_the_sites_own_word_is_enough(says_so: Trouble) -> None:
    harness = make_harness(lambda n, at, _: says_so(n, at) if n in REMOVED else there(n, at))
    harness.verify()
    assert harness.gone() == set(REMOVED)


def test_a_source_knows_its_own_words() -> None:
    def bespoke(number: int, at: datetime, _: int) -> Fetched:
        return page(number, at, "<h1>Ha trovato casa!</h1>") if number in REMOVED else there(number, at)

    harness = make_harness(bespoke)
    harness.verify()
    assert harness.gone() == set()
    harness.ask("""UPDATE sources SET params = '{"gone_words": ["ha trovato casa"]}'""")
    later(harness, 24 * HOUR)
    harness.verify()
    assert harness.gone() == set(REMOVED)


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_a_trouble_of_the_whole_site_proves_nothing_however_long_it_lasts(trouble: Trouble) -> None:
    """Also where the index is well all the time, as if nothing were the matter."""
    harness = make_harness(lambda n, at, _: trouble(n, at))
    for _ in range(6):
        harness.verify(lasting=30 * MINUTE)
        later(harness, 6 * HOUR)
    assert harness.gone() == set()
    assert harness.ask("SELECT DISTINCT strikes FROM records") == [(0,)]
    assert harness.ask("SELECT name FROM alerts WHERE name IN ('run_suspect', 'circuit_tripped')") != []
    assert harness.ask("SELECT count(*) FROM verifications WHERE outcome <> 'undecided' AND control = 0") == [
        (0,)
    ]


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_afterwards_all_is_as_it_should_be(trouble: Trouble) -> None:
    ill = [True]
    harness = make_harness(lambda n, at, asked: trouble(n, at) if ill[0] else honest(n, at, asked))
    harness.verify(lasting=2 * HOUR)
    ill[0] = False
    for _ in range(3):
        later(harness, 7 * HOUR)
        harness.verify()
    assert harness.gone() == set(REMOVED)
    assert {harness.standing(n)[0] for n in LIVE} == {1}
    assert harness.ask("SELECT status FROM runs ORDER BY id DESC LIMIT 1") == [("completed",)]


AGAINST = {name: TROUBLES[name] for name in ("lost", "all gone")}
"""Troubles whose answers, taken alone, speak against a record."""


@pytest.mark.parametrize("trouble", AGAINST.values(), ids=AGAINST)
def test_a_trouble_that_begins_at_any_request_of_a_window(trouble: Trouble) -> None:
    for begins in range(ASKED + 1):
        harness = make_harness(
            lambda n, at, asked, begins=begins: trouble(n, at) if asked >= begins else honest(n, at)  # type: ignore[misc]
        )
        harness.verify()
        assert [harness.standing(n)[2] for n in LIVE] == [0] * len(LIVE), f"begins at request {begins}"
        assert not harness.gone() & set(LIVE)


@pytest.mark.parametrize("trouble", AGAINST.values(), ids=AGAINST)
def test_a_trouble_that_ends_at_any_request_of_a_window(trouble: Trouble) -> None:
    for ends in range(ASKED + 1):
        harness = make_harness(
            lambda n, at, asked, ends=ends: trouble(n, at) if asked < ends else honest(n, at)  # type: ignore[misc]
        )
        harness.verify()
        assert [harness.standing(n)[2] for n in LIVE] == [0] * len(LIVE), f"ends at request {ends}"
        assert not harness.gone() & set(LIVE)


def test_strikes_that_fall_into_two_troubles_of_one_kind() -> None:
    """Each begins within a window; what was struck in the first is asked again in the second."""
    troubled: set[int] = set()

    def says(number: int, at: datetime, asked: int) -> Fetched:
        return lost(number, at) if asked in troubled else honest(number, at)

    for first in range(0, ASKED, 2):
        harness = make_harness(says)
        troubled.clear()
        troubled |= set(range(first, ASKED))
        harness.verify()
        for _ in range(3):
            later(harness, 4 * HOUR)
            before = len(harness.asked)
            troubled |= set(range(before + 2, before + 50))
            harness.verify()
        assert harness.gone() == set(), f"the first began at request {first}"


def test_a_sighting_after_the_check_is_the_last_word() -> None:
    """The index shows it again before the window is closed."""
    seen: list[datetime] = []

    def says(number: int, at: datetime, asked: int) -> Fetched:
        if asked == ASKED - 1:
            harness.see([11], at=at)
            seen.append(at)
        return honest(number, at)

    harness = make_harness(says)
    harness.verify()
    assert seen
    assert harness.standing(11) == (1, None, 0)
    assert harness.standing(12) == (1, "pending", 1)
    ((outcome, status, reason),) = harness.ask(
        """SELECT outcome, v.status, reason FROM verifications v JOIN records r ON r.id = v.record_id
           WHERE platform_id = '11'"""
    )
    assert (outcome, status, reason) == ("undecided", 404, "the record was seen meanwhile")


def test_a_record_that_was_seen_while_its_check_stood_in_line_is_no_longer_in_doubt() -> None:
    def says(number: int, at: datetime, asked: int) -> Fetched:
        if asked == 0:
            harness.see(IN_DOUBT, at=at)
        return honest(number, at)

    harness = make_harness(says)
    harness.verify()
    assert [harness.standing(n) for n in REMOVED] == [(1, None, 0)] * 2


def test_seen_again_clears_everything() -> None:
    harness = make_harness()
    harness.verify()
    later(harness, 4 * HOUR)
    harness.verify()
    assert harness.gone() == set(REMOVED)
    harness.see([11])
    assert harness.standing(11) == (1, None, 0)
    assert harness.ask("SELECT struck_at, deactivated_at FROM records WHERE platform_id = '11'") == [
        (None, None)
    ]
    assert harness.ask(
        "SELECT count(*) FROM verifications v JOIN records r ON r.id = v.record_id WHERE platform_id = '11'"
    ) == [(2,)]


def test_every_attempt_is_kept_with_what_it_is_worth() -> None:
    harness = make_harness(lambda n, at, _: lost(n, at))
    harness.verify()
    kept = harness.ask("SELECT status, outcome, reason, settled FROM verifications WHERE control = 0")
    assert kept == [(404, "undecided", "the control checks failed: outage, block or relaunch", 1)] * len(
        IN_DOUBT
    )
    assert harness.ask("SELECT DISTINCT method FROM verifications") == [("both",)]


@pytest.mark.parametrize("late", [timedelta(seconds=40), timedelta(seconds=-40)])
def test_l10_4_controls_prove_the_site_alive_in_whatever_order_answers_arrive(late: timedelta) -> None:
    """Several requests are under way at once: the first control answers after checks, or the last before."""

    def says(number: int, at: datetime, _asked: int) -> Fetched:
        return honest(number, at + late if number in SHOWN else at)

    harness = make_harness(says)
    harness.verify()
    assert [harness.standing(n) for n in REMOVED] == [(1, "pending", 1)] * 2
    later(harness, 4 * HOUR)
    harness.verify()
    assert harness.gone() == set(REMOVED)


def test_l10_4_without_controls_evidence_counts_only_between_answers_that_were_alive() -> None:
    """Nothing else vouches for the site: what came before or after proves nothing."""
    harness = VerificationHarness(says=lambda n, at, asked: there(n, at) if asked == 2 else lost(n, at))
    harness.see(range(1, 6))
    harness.pass_time(8 * 24 * HOUR)
    harness.verify()
    assert harness.gone() == set()
    assert harness.ask("SELECT count(*) FROM verifications WHERE control = 1") == [(0,)]
    assert harness.ask("SELECT DISTINCT outcome FROM verifications ORDER BY 1") == [
        ("alive",),
        ("undecided",),
    ]


def test_l10_19_the_page_list_says_what_checks_found() -> None:
    harness = make_harness()
    harness.verify()
    ((run_id,),) = harness.ask("SELECT max(id) FROM runs")
    lines = harness.larder.database.now(page_traces.list_pages, run_id)
    found = {int(line.url.rpartition("/")[2]): line.outcome for line in lines}
    assert {number: found[number] for number in IN_DOUBT} == {
        **dict.fromkeys(LIVE, "alive"),
        **dict.fromkeys(REMOVED, "strike"),
    }
    harness.says = lambda n, at, _: TROUBLES["a wall"](n, at)
    later(harness, 25 * HOUR)
    harness.verify()
    ((run_id,),) = harness.ask("SELECT max(id) FROM runs")
    walled = harness.larder.database.now(page_traces.list_pages, run_id)
    assert {line.outcome for line in walled} == {"undecided"}
    traced = harness.larder.database.now(page_traces.show, walled[0].job)
    assert (traced.page.outcome, traced.attempts[-1].outcome) == ("undecided", "ok")


def test_unconfirmed_for_too_long_is_lapsed_and_never_gone() -> None:
    """At confidence 0 and nobody could be reached: out of sight, still a candidate."""
    harness = VerificationHarness(says=lambda n, at, _: TROUBLES["cut"](n, at))
    harness.see([1, 2, 3])
    harness.pass_time(51 * HOUR)
    harness.verify()
    assert [harness.standing(n) for n in (1, 2, 3)] == [(0, "lapsed", 0)] * 3
    assert harness.ask("SELECT count(*) FROM changes WHERE change = 'lapsed'") == [(3,)]
    harness.says = lambda n, at, _: there(n, at)
    harness.pass_time(24 * HOUR)
    harness.verify()
    assert [harness.standing(n) for n in (1, 2, 3)] == [(1, "verified", 0)] * 3
    assert harness.ask("SELECT count(*) FROM changes WHERE change = 'back'") == [(3,)]


def test_lapsed_can_be_found_gone() -> None:
    harness = VerificationHarness(says=lambda n, at, _: TROUBLES["cut"](n, at))
    harness.see([11, 21])
    harness.pass_time(51 * HOUR)
    harness.verify()
    harness.says = honest
    harness.see([21])
    for _ in range(2):
        harness.pass_time(25 * HOUR)
        harness.see([21])
        harness.verify()
    assert harness.standing(11) == (0, "gone", 2)


def test_what_is_gone_is_not_asked_for_again() -> None:
    harness = make_harness()
    harness.verify()
    later(harness, 4 * HOUR)
    harness.verify()
    later(harness, 60 * HOUR)
    asked = len(harness.asked)
    harness.verify()
    assert not set(REMOVED) & {number for number, _ in harness.asked[asked:]}


def test_an_outage_between_two_controls_costs_a_strike_and_no_more() -> None:
    """Both around it are alive and vouch for what they cannot know. The next check takes the strike back."""
    harness = make_harness(lambda n, at, asked: lost(n, at) if asked in (1, 2) else honest(n, at))
    harness.verify()
    struck = [n for n in LIVE if harness.standing(n)[2]]
    assert struck
    later(harness, 4 * HOUR)
    harness.verify()
    assert harness.gone() == set(REMOVED)
    assert [harness.standing(n) for n in struck] == [(1, "verified", 0)] * len(struck)


@pytest.mark.parametrize("wall", ["a login form", "a login form that remembers"])
def test_l10_25_a_login_wall_is_no_proof_of_life(wall: str) -> None:
    """Neither alive nor gone: nothing is concluded, and the runs are suspect."""
    harness = make_harness(lambda n, at, _: TROUBLES[wall](n, at))
    before = harness.ask("SELECT max(anchored_at), count(*) FROM records")
    for _ in range(3):
        harness.verify()
        harness.pass_time(7 * HOUR)
    assert harness.ask("SELECT count(*) FROM records WHERE verification = 'verified'") == [(0,)]
    assert harness.ask("SELECT max(anchored_at), count(*) FROM records") == before
    assert harness.ask("SELECT max(strikes) FROM records") == [(0,)]
    assert ("suspect",) in harness.ask("SELECT DISTINCT status FROM runs WHERE kind = 'verification'")


def test_l10_1_blocked_checks_do_not_starve_the_collects_of_a_healthy_actor() -> None:
    """A market whose actor answers while its pages block us: collects go on as if nothing was."""
    web = VerificationHarness(
        says=lambda n, at, _: TROUBLES["blocked"](n, at),
        index=lambda _, at: replace(there(1, at), payload=market(at)),
        kinds=frozenset({RunKind.COLLECT, RunKind.VERIFICATION}),
        source={"plan": "market", "fetcher": "actor", "tier": "hot"},
    )
    web.larder.run(START + 48 * HOUR)
    collects = web.ask("SELECT status, count(*) FROM runs WHERE kind = 'collect' GROUP BY status")
    assert collects == [("completed", 8)], "every six hours"
    assert web.ask("SELECT way FROM circuits WHERE trips > 0") == [("checks",)]
    assert web.ask("SELECT subject FROM alerts WHERE name = 'circuit_tripped'") == [("homes (checks)",)]


def market(at: datetime) -> Extracted:
    """What the actor finds: after the first hours half of it, so that there is something to check."""
    numbers = range(0, 40, 1 if at < START + 5 * HOUR else 2)
    items = [Item(fields={"title": f"Home {n}", "platform_id": str(n), "url": url(n)}) for n in numbers]
    return Extracted(items=tuple(items), last=True)


def test_l10_7_a_page_that_led_home_is_listed_with_the_status_of_its_redirect() -> None:
    home = "https://homes.test/"

    def says(number: int, at: datetime, _before: int) -> Fetched:
        if number in LIVE:
            return there(number, at)
        hops = (Hop(url=url(number), status=301, sent_at=at), Hop(url=home, status=200, sent_at=at))
        return replace(page(number, at, "<h1>Welcome</h1>"), final_url=home, hops=hops)

    site = VerificationHarness(says=says)
    site.see([*LIVE, *REMOVED])
    site.pass_time(40 * HOUR)
    site.verify()
    assert set(site.ask("SELECT outcome, status FROM pages WHERE final_url = 'https://homes.test/'")) == {
        ("not_found", 301)
    }
