"""What the reference says of alerts and delivery is what the code does."""

import re

from larder.core.policy import delivery
from larder.core.policy.alerting import SEVERITIES
from larder.core.policy.trust.drift import Cause
from larder.stages.notify.summary import Summary
from tests.services import ROOT

PAGE = (ROOT / "docs/reference/notifications.md").read_text()
ALERT = re.compile(r"^\| `(\w+)` \| (P[123]) \|", re.MULTILINE)


def test_every_alert_is_listed_with_its_severity() -> None:
    assert dict(ALERT.findall(PAGE)) == {str(name): str(severity) for name, severity in SEVERITIES.items()}


def test_whatever_drift_tells_has_a_name_there() -> None:
    assert {str(cause) for cause in Cause} - {"zero_items"} <= {str(name) for name in SEVERITIES}


def test_every_field_of_a_summary_is_listed() -> None:
    listed = PAGE[PAGE.index("## The daily summary") :]
    assert [name for name in Summary.__dataclass_fields__ if f"`{name}`" not in listed] == []


def test_the_numbers_of_delivery() -> None:
    assert f"{delivery.GIVEN_UP_AFTER.days} days" in PAGE
    assert f"tried {delivery.REFUSALS} times" in PAGE
    assert f"{delivery.FIRST_WAIT.seconds} s, " in PAGE
