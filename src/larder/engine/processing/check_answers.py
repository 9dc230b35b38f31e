"""Interprets the response to a check: is the record alive, gone, or undecided?

An empty page or a block page answers 200 for every URL, so it decides nothing. A page that shows neither the
record's identity nor its title nor its price is not the record's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import CheckResult
from larder.core.policy.trust.gone_wording import GoneNotice, gone_notice
from larder.core.policy.trust.head_trust import CheckMethod
from larder.core.policy.trust.record_evidence import shows
from larder.core.policy.trust.verification import result_of_response
from larder.engine.processing.page_signs import page_signs, record_signs, text_hash
from larder.engine.processing.redirects import redirected_home
from larder.engine.work_items import FetchedWork, Work
from larder.sdk.adapter import SiteAdapter
from larder.sdk.page import Page, text_of
from larder.sdk.urls import canonical_url
from larder.stages.parse.blocked import block_reason

NOTICES = "title, h1, h2, [role=alert], [class*=notice], [class*=alert], [class*=message], main > p"
MAX_NOTICES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer:
    """What the response to a check says."""

    result: CheckResult
    head: CheckResult | None
    """The result of HEAD alone, if HEAD and GET were both sent."""
    text_hash: str


def check_answer(item: FetchedWork, adapter: SiteAdapter) -> CheckAnswer:
    """Read the response to a check."""
    return CheckAnswer(
        result=check_result(item, adapter),
        head=head_result(item, adapter),
        text_hash=text_hash(item.fetched),
    )


def check_result(item: FetchedWork, adapter: SiteAdapter) -> CheckResult:
    """The result of a check; after a sufficient HEAD there is no body."""
    bodied = item.work.job.request.context.get("method") != CheckMethod.HEAD
    return _check_outcome(item.fetched, item.work, adapter, bodied=bodied)


def head_result(item: FetchedWork, adapter: SiteAdapter) -> CheckResult | None:
    """The result of HEAD alone, if HEAD and GET were both sent."""
    return None if item.head is None else _check_outcome(item.head, item.work, adapter, bodied=False)


def _check_outcome(fetched: Fetched, work: Work, adapter: SiteAdapter, *, bodied: bool) -> CheckResult:
    if redirected_home(fetched, work, adapter):
        return result_of_response(fetched.outcome, lacks_record=True)
    if fetched.outcome is FetchOutcome.NOT_MODIFIED and work.last is not None and not work.last.yielded:
        return CheckResult.UNDECIDED  # the page is as it was when nothing was found on it
    if fetched.outcome is not FetchOutcome.OK or fetched.payload is not None:
        return result_of_response(fetched.outcome)
    if not fetched.body.strip():
        return CheckResult.UNDECIDED if bodied else result_of_response(fetched.outcome)
    page = Page(fetched.final_url, fetched.body, content_type=fetched.headers.get("content-type"))
    words = gone_notice(_notices(page), also=_gone_words(work, adapter))
    if words is None and block_reason(page):
        return CheckResult.UNDECIDED
    redirected = canonical_url(fetched.final_url) != canonical_url(fetched.url)
    own_words = words is GoneNotice.GONE and not redirected
    lacks_record = not own_words and not _shows_record(page, work, redirected=redirected)
    return result_of_response(fetched.outcome, lacks_record=lacks_record, notice=words)


def _shows_record(page: Page, work: Work, *, redirected: bool) -> bool:
    """Whether the page shows the record of a check; True for checks queued without signs."""
    signs = work.job.request.context.get("signs")
    if not isinstance(signs, Mapping):
        return True
    return shows(record_signs(work.job.request.url, signs), page_signs(page), redirected=redirected)


def _notices(page: Page) -> list[str]:
    """The page's short texts: title, headings, notices."""
    return [text_of(node) for node in page.css(NOTICES)[:MAX_NOTICES]]


def _gone_words(work: Work, adapter: SiteAdapter) -> Sequence[str]:
    """The site's own words for removed things, from the adapter and the source's params."""
    words = work.source.params.get("gone_words") or ()
    return (*adapter.gone_words, *([words] if isinstance(words, str) else map(str, words)))
