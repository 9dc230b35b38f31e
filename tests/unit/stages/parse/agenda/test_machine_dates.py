"""Which stamps for machines are believed beside the day that readers see."""

import pytest

from larder.stages.parse.agenda.machine_dates import trusted_stamp


@pytest.mark.parametrize("stamp", ["2026-99-99", "0001-01-01"])
def test_a_stamp_of_a_day_that_no_calendar_has_is_not_trusted(stamp: str) -> None:
    assert trusted_stamp(stamp, "12 March 2026", "12 March 2026") == ""
