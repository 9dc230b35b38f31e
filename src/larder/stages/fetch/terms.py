"""Whether requests to a site are allowed at all; checked before every request of every fetcher.

No page of a site that an operator blocked is fetched. Runs of a strict deployment fetch nothing from a site
whose terms are not reviewed; a preview may. Requests by a page itself (scripts, data) belong to that page's
view: there only blocked sites are refused.
"""

from typing import Protocol

from larder.core.model.outcome import FetchOutcome
from larder.core.model.site import SiteTerms
from larder.stages.fetch.permit import Refusal


class Sites(Protocol):
    """Reads operators' decisions about sites."""

    async def terms_of(self, url: str) -> SiteTerms:
        """The terms decision for the site of this URL."""
        ...


class TermsGate:
    """Refuses blocked sites, and unreviewed ones if a review is required."""

    def __init__(self, sites: Sites, *, need_review: bool) -> None:
        self._sites = sites
        self._need_review = need_review

    async def objection(self, url: str, *, part_of_page: bool = False) -> Refusal | None:
        """Why the site of this URL gets no request; None if it is allowed."""
        terms = await self._sites.terms_of(url)
        if terms.blocked:
            return _refused(f"{terms.domain} is blocked: no page of it is fetched")
        if self._need_review and not part_of_page and not terms.reviewed:
            return _refused(f"the terms of {terms.domain} are not reviewed yet")
        return None


def _refused(reason: str) -> Refusal:
    return Refusal(outcome=FetchOutcome.TERMS, reason=reason)
