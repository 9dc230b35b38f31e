"""The short form of the proof `year`: a few weeks of the same, and that its judgement can fail."""

from dataclasses import replace

import pytest

from tests.proofs.reckoning import START
from tests.proofs.year import judged
from tests.proofs.year_life import Year
from tests.proofs.year_web import Break


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Year:
    year = Year(days=26, seed=365, folder=tmp_path_factory.mktemp("year"), stock=22)
    year.live()
    return year


def test_a_few_weeks_hold_what_the_year_claims(weeks: Year) -> None:
    part = judged(weeks)
    assert part.broken == []
    assert part.figures["true_breaks"] >= 1
    assert part.figures["noticed_within_two_runs"] == part.figures["true_breaks"]
    assert part.figures["messages"] > 20


def test_an_adapter_that_was_switched_off_without_a_break_would_be_found(weeks: Year) -> None:
    real = weeks.incidents
    weeks.incidents = [each for each in real if each.kind is not Break.REDESIGNED]
    found = judged(weeks).broken
    weeks.incidents = real
    assert [line for line in found if "without a break" in line]


def test_a_break_that_nobody_noticed_would_be_found(weeks: Year) -> None:
    real = weeks.incidents
    unseen = replace(real[0], kind=Break.FREE, site="cedar.test", since=weeks.larder.clock.now())
    weeks.incidents = [*real, unseen]
    found = judged(weeks).broken
    weeks.incidents = real
    assert f"free of cedar.test on day {(unseen.since - START).days} was noticed late" in found


def test_a_message_that_got_lost_would_be_found(weeks: Year, monkeypatch: pytest.MonkeyPatch) -> None:
    arrived = {name: notes[1:] for name, notes in weeks.channels.arrived.items()}
    monkeypatch.setattr(weeks.channels, "arrived", arrived)
    assert "1 messages never reached chat" in judged(weeks).broken


def test_a_talkative_incident_would_be_found(weeks: Year, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = weeks.channels.arrived["chat"]
    (told,) = {
        n.payload["subject"]: (at, n) for at, n in heard if n.payload.get("name") == "adapter_disabled"
    }.values()
    monkeypatch.setattr(weeks.channels, "arrived", {**weeks.channels.arrived, "chat": [*heard, *[told] * 3]})
    assert [line for line in judged(weeks).broken if line.startswith("4 alerts about redesigned")]
