"""How messages read, and that no service has a reason to refuse them."""

import orjson
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.alerting import Severity
from larder.stages.notify import render
from larder.store.operations.notifications.outbox import Notification
from tests.unit.stages.notify.messages import NOW, alert, message


def test_one_alert_is_its_own_headline() -> None:
    one = message(
        alert(name="adapter_disabled", severity="P1", subject="willhaben", message="nothing was read")
    )
    assert render.headline(one) == "Larder P1: adapter_disabled willhaben"
    assert render.text(one) == "🔴 P1 adapter_disabled\n• willhaben: nothing was read"


def test_alerts_of_one_kind_stand_together_the_most_urgent_first() -> None:
    many = message(
        alert(1, subject="homes"),
        alert(2, subject="cars"),
        alert(3, name="adapter_disabled", severity="P1", subject="willhaben", message="nothing was read"),
    )
    assert render.headline(many) == "Larder: 3 alerts (1 P1, 2 P3)"
    assert render.text(many).splitlines() == [
        "🔴 P1 adapter_disabled",
        "• willhaben: nothing was read",
        "🟡 P3 circuit_tripped",
        "• homes: 5 fetches in a row failed",
        "• cars: 5 fetches in a row failed",
    ]


def test_a_repeated_alert_says_how_often_and_since_when() -> None:
    assert render.text(message(alert(times=12))).endswith("failed (seen 12 times since 02 Mar 07:00)")


def test_a_message_that_names_its_subject_does_not_name_it_twice() -> None:
    said = render.text(message(alert(subject="homes", message="homes: no control was alive")))
    assert said.endswith("• homes: no control was alive")


def test_other_topics_are_told_by_their_text() -> None:
    fell = Notification(
        id=1,
        topic="watch",
        severity=Severity.INFO,
        payload={"subject": "Flat 7", "text": "fell by 12 %"},
        written_at=NOW,
    )
    assert render.headline(message(fell)) == "Larder: watch"
    assert render.text(message(fell)) == "🔵 info watch\n• Flat 7: fell by 12 %"


def test_programs_get_everything_that_is_known() -> None:
    told = render.as_json(message(alert(7, trips=3)))
    assert told["id"] == "0123456789abcdef0123456789abcdef"
    (note,) = told["notes"]
    assert (note["topic"], note["severity"], note["alert"], note["details"]) == (
        "alert",
        "P3",
        7,
        {"trips": 3},
    )
    assert orjson.loads(orjson.dumps(told)) == told


def test_slack_gets_no_markup_from_pages() -> None:
    hostile = "<!channel> <https://evil.test|click> & *bold*"
    told = render.slack(message(alert(subject="<@U1>", message=hostile)))
    said = told["text"] + "".join(
        block["text"]["text"] for block in told["blocks"] if block["type"] == "section"
    )
    assert "<" not in said
    assert "&lt;!channel&gt;" in said


@given(st.lists(st.text(max_size=3_000), min_size=1, max_size=100))
def test_slacks_limits_hold_whatever_is_said(messages: list[str]) -> None:
    told = render.slack(message(*(alert(n, subject=m[:300], message=m) for n, m in enumerate(messages))))
    blocks = told["blocks"]
    assert 2 <= len(blocks) <= 50
    assert len(blocks[0]["text"]["text"]) <= 150
    assert all(1 <= len(block["text"]["text"]) <= 3_000 for block in blocks)


def test_a_hundred_subjects_of_one_kind_are_one_thing_to_read() -> None:
    told = render.slack(message(*(alert(n, subject=f"source-{n}") for n in range(100))))
    assert len(told["blocks"]) <= 4
    said = "".join(block["text"]["text"] for block in told["blocks"])
    assert all(f"source-{n}:" in said for n in range(100))


def test_the_reference_tells_a_repeated_message_from_a_new_one() -> None:
    assert render.title_and_body(message(alert()))["body"].endswith("\n\nref 0123456789ab")
