"""Words for the state of an offer: a whole badge, a badge before a title, the value of a status field."""

import pytest

from larder.core.policy.trust.gone_wording import is_ended
from larder.core.policy.trust.offer_status import offer_status, status_before, without_status


@pytest.mark.parametrize(
    ("badge", "status"),
    [
        ("SOLD", "sold"),
        ("[Verkauft]", "sold"),
        ("SOLD_STC", "reserved"),
        ("https://site.test/status/Expired", "removed"),
        ("Solgt", "sold"),
        ("Prodáno", "sold"),
        ("Already sold", "sold"),
        ("Zarezerwowane", "reserved"),
        ("Reserverad", "reserved"),
        ("Rezervováno", "reserved"),
        ("Uthyrd", "rented"),
        ("sold separately", None),
        ("published", None),
        ("sold " * 100, None),
    ],
)
def test_l10_6_a_badge(badge: str, status: str | None) -> None:
    assert offer_status(badge) == status


@pytest.mark.parametrize("status", ["Vendido", "VENDUTO", "Loué", "scaduto", "verlopen", "abgelaufen"])
def test_l10_6_a_status_that_adapters_give_ends_a_record_in_every_language(status: str) -> None:
    assert is_ended(status)
    assert not is_ended("gereserveerd")


def test_l10_6_a_badge_before_a_title() -> None:
    assert (status_before("Reserviert: Rennrad"), without_status("Reserviert: Rennrad")) == (
        "reserved",
        "Rennrad",
    )
    assert (status_before("Reserved seats"), without_status("Reserved seats")) == (None, "Reserved seats")
