"""A channel's address shows nowhere."""

import pytest

from larder.stages.notify import mask
from larder.stages.notify.channels import ChannelKind, ChannelSpec

SLACK = "https://hooks.slack.com/services/T0AAAAAA1/B0BBBBBB2/c3cretTOKENvalue"
MAIL = "mailto://ada:pa55word@mail.example?to=ops@mail.example"
TELEGRAM = "tgram://123456789:abcdefg_hijklmnop/12315544/"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (SLACK, "https://hooks.slack.com/***"),
        ("http://ada:pa55word@127.0.0.1:8080/hook?token=abc", "http://127.0.0.1:8080/***"),
        (MAIL, "mailto:"),
        (TELEGRAM, "tgram:"),
        ("log:", "log:"),
    ],
)
def test_what_is_shown_of_an_address(url: str, shown: str) -> None:
    assert mask.masked_address(url) == shown


@pytest.mark.parametrize(
    ("url", "said", "left"),
    [
        (SLACK, f"no such hook: {SLACK}", "no such hook: ***"),
        (SLACK, "unknown token c3cretTOKENvalue of T0AAAAAA1", "unknown token *** of ***"),
        (SLACK, "POST /services/T0AAAAAA1/B0BBBBBB2/c3cretTOKENvalue", "POST ***"),
        ("http://ada:pa55word@host.test/x?key=abc%2Fdef123", "pa55word and abc/def123", "*** and ***"),
        (SLACK, "invalid_payload", "invalid_payload"),
    ],
)
def test_what_a_service_says_is_freed_of_its_address(url: str, said: str, left: str) -> None:
    assert mask.without_secrets(url, said) == left


@pytest.mark.parametrize("url", [SLACK, MAIL, TELEGRAM])
def test_a_description_of_a_channel_holds_no_secret(url: str) -> None:
    spec = ChannelSpec(name="ops", url=url)
    for said in (repr(spec), str(spec), f"{spec}"):
        assert "ops" in said
        assert all(secret not in said for secret in ("c3cret", "B0BB", "pa55", "ada", "1234567", "abcdefg"))


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("log:", ChannelKind.LOG),
        (SLACK, ChannelKind.SLACK),
        ("https://example.org/hook", ChannelKind.WEBHOOK),
        ("http://127.0.0.1:8065/hooks/x", ChannelKind.WEBHOOK),
        (MAIL, ChannelKind.APPRISE),
        ("slack://TokenA/TokenB/TokenC", ChannelKind.APPRISE),
    ],
)
def test_an_address_says_how_to_speak_to_it(url: str, kind: ChannelKind) -> None:
    assert ChannelSpec(name="x", url=url).resolved_kind is kind


def test_who_says_how_is_believed() -> None:
    mattermost = ChannelSpec(name="x", url="http://127.0.0.1:8065/hooks/x", kind=ChannelKind.SLACK)
    assert mattermost.resolved_kind is ChannelKind.SLACK
