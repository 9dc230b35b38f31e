"""`larder replay` and `larder adapter canary` where there is nothing to do, or nothing of that name."""

from datetime import UTC, datetime, timedelta

import pytest

from larder.cli.replay.command import moment
from tests.unit.cli.conftest import Shell

NOW = datetime(2026, 3, 8, 12, tzinfo=UTC)


def test_an_empty_larder_has_nothing_to_replay(larder: Shell) -> None:
    told = larder("replay", "--json").json
    assert (told["applied"], told["pages"], told["differing"], told["fields"]) == (False, 0, 0, [])
    assert "read the same values" in larder("replay").out
    assert larder("replay", "--apply", "--json").json["applied"] is True


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("replay", "--source", "nope"), "there is no source 'nope'"),
        (("replay", "--run", "7"), "there is no run 7"),
        (("replay", "--adapter", "nope"), "unknown adapter 'nope'"),
        (("replay", "--since", "lately"), "'lately' is not a duration"),
        (("adapter", "canary", "nope"), "unknown adapter 'nope'"),
        (("adapter", "canary", "listing", "--site", "nowhere.example"), "there is no site"),
        (("adapter", "canary", "listing", "--accept"), "no new version of listing is waiting"),
        (("adapter", "disable", "listing", "--site", "nowhere.example"), "there is no site"),
    ],
    ids=lambda said: said if isinstance(said, str) else " ".join(said),
)
def test_what_is_not_there_is_told(larder: Shell, asked: tuple[str, ...], says: str) -> None:
    answered = larder(*asked)
    assert answered.code == 2
    assert says in answered.complaint[0]


def test_an_adapter_that_ran_nowhere_has_no_canary(larder: Shell) -> None:
    assert larder("adapter", "canary", "listing", "--json").json == []
    assert "has not run yet" in larder("adapter", "canary", "listing").out


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("7d", NOW - timedelta(days=7)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T10:00:00+02:00", datetime(2026, 3, 1, 8, tzinfo=UTC)),
    ],
)
def test_since_when(text: str, then: datetime) -> None:
    assert moment(text, NOW) == then
