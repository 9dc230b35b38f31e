"""Recognizes pages with which a site refuses a request.

Evidence is a challenge's own scripts, or its words on a page with little else. Words alone never suffice on a
page with content: shops write "captcha" in their forms.
"""

import re

from larder.core.policy.word_search import WordSearch
from larder.sdk.page import Page

SHORT_PAGE_LENGTH = 2_500

_CHALLENGES = (
    "/cdn-cgi/challenge-platform/h/",
    "cf-browser-verification",
    "cf_chl_opt",
    "_Incapsula_Resource",
    "/_sec/cp_challenge",
    "captcha-delivery.com",
    "px-captcha",
    "/errors/validateCaptcha",
    "awsWafCookieDomainList",
    "ddos-guard/js-challenge",
    "sec-if-cpt-container",
    "distil_r_captcha",
)
_BLOCK_TITLES = re.compile(
    r"^\s*(?:just a moment|attention required|access denied|robot check|are you (?:a )?(?:human|robot)|"
    r"pardon our interruption|security check|please verify|403 forbidden|forbidden|request rejected|"
    r"access to this page has been denied|bot verification|human verification|ddos-guard|too many requests|"
    r"429|zugriff verweigert|toegang geweigerd|bevor sie (?:zu|fortfahren)|before you continue)",
    re.IGNORECASE,
)
_WORDS = (
    r"unusual traffic|enable javascript and cookies to continue|verify (?:that )?you are (?:a )?human|"
    r"not a robot|checking your browser|access denied|you have been blocked|automated access|"
    r"request (?:was )?blocked|enter the characters you see|solve (?:this|the) captcha|press (?:&|and) hold|"
    r"reference #\d+\.[0-9a-f]+|your (?:ip|request) (?:has been|was) (?:blocked|denied)|"
    r"accept (?:all )?cookies to continue|bevor sie fortfahren|voordat je verdergaat|"
    r"bestätigen sie, dass sie kein roboter|ik ben geen robot"
)
_BLOCK_TEXT = re.compile(_WORDS, re.IGNORECASE)
_BLOCK_WORDS = WordSearch(_WORDS)


def block_reason(page: Page) -> str | None:
    """The evidence that the page is a refusal, or None."""
    short = len(page.visible) < SHORT_PAGE_LENGTH
    if not short:
        return None
    if challenge := next((each for each in _CHALLENGES if each in page.text), None):
        return challenge
    title = page.first("title")
    if title is not None and (found := _BLOCK_TITLES.search(" ".join(title.text.split()))):
        return found[0].strip()
    found = _BLOCK_TEXT.search(page.visible) if _BLOCK_WORDS.search(page.visible) else None
    return found[0] if found else None
