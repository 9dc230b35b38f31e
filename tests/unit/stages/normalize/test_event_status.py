"""States of an event, in one word each."""

import pytest

from larder.stages.normalize.event_status import event_status


@pytest.mark.parametrize(
    ("said", "availability", "state"),
    [
        ("https://schema.org/EventCancelled", None, "cancelled"),
        ("EventPostponed", None, "postponed"),
        ("EventRescheduled", None, "moved"),
        ("EventMovedOnline", None, "moved"),
        ("EventScheduled", None, "scheduled"),
        ("EventScheduled", "SoldOut", "sold_out"),
        ("EventCancelled", "SoldOut", "cancelled"),
        (None, "https://schema.org/SoldOut", "sold_out"),
        ("sold_out", None, "sold_out"),
        ("tentative, perhaps", None, None),
        (None, "InStock", None),
        (None, None, None),
    ],
)
def test_a_state_has_one_word(said: str | None, availability: str | None, state: str | None) -> None:
    assert event_status(said, availability) == state
