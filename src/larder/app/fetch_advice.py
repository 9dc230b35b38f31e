"""The next step after a failed fetch for a preview, by the reason of the failure."""

from larder.core.errors import Unusable
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched

_ADVICE = {
    FetchOutcome.ROBOTS_BLOCKED: "robots.txt does not allow this page, and Larder obeys it",
    FetchOutcome.TERMS: "the site is blocked: unblock it on its page, if that was a mistake",
    FetchOutcome.BLOCKED: "the site blocks automated requests; a browser may work: see LARDER_BROWSER",
    FetchOutcome.DNS_ERROR: "check the address",
    FetchOutcome.NOT_FOUND: "check the address",
    FetchOutcome.TLS_ERROR: "the TLS connection failed; use http:// if the site has no https",
    FetchOutcome.TIMEOUT: "the site did not answer in time; try again later",
}


def fetch_error(page: Fetched, *, allow: str) -> Unusable:
    """The error, with advice; `allow` says how a private address is allowed."""
    values = f"{page.outcome.replace('_', ' ')}{f', status {page.status}' if page.status else ''}"
    guarded = "guard" in page.error
    private = f"it is a private address; {allow}"
    hint = private if guarded else _ADVICE.get(page.outcome, page.error)
    return Unusable(f"the page could not be fetched: {values}", hint=hint)
