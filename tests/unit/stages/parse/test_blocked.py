"""Refusals are told from content."""

import pytest

from larder.sdk import Page
from larder.stages.parse.blocked import block_reason

LONG = "<p>" + "Our kettles are made of copper and sing when the water boils. " * 60 + "</p>"


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<title>Just a moment...</title><p>x</p>", id="a challenge's title"),
        pytest.param(
            "<title>Access Denied</title>You don't have permission. Reference #18.2f3a", id="a CDN's refusal"
        ),
        pytest.param(
            "<script src='/cdn-cgi/challenge-platform/h/b/x'></script><p>wait</p>", id="a challenge's script"
        ),
        pytest.param("<p>Please verify you are a human to continue.</p>", id="the words of one"),
        pytest.param("<title>Bevor Sie fortfahren</title><p>Cookies</p>", id="a consent wall"),
        pytest.param("<p>We have detected unusual traffic from your network</p>", id="unusual traffic"),
    ],
)
def test_a_refusal_is_recognised(html: str) -> None:
    assert block_reason(Page("https://x.test/", html))


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(f"<title>Kettles</title>{LONG}", id="a page with content"),
        pytest.param(f"<title>Kettles</title>{LONG}<p>I am not a robot</p>", id="a form with a captcha"),
        pytest.param("<title>Robot kettle</title><h1>Robot kettle</h1><p>€ 5</p>", id="a robot for sale"),
        pytest.param("", id="nothing at all"),
        pytest.param("<h1>Agenda</h1><p>No events</p>", id="an empty agenda"),
    ],
)
def test_content_is_not(html: str) -> None:
    assert block_reason(Page("https://x.test/", html)) is None
