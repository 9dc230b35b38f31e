"""Results of fetching and parsing, as explicit values."""

from enum import StrEnum


class FetchOutcome(StrEnum):
    """How a fetch ended, retries included."""

    OK = "ok"
    NOT_MODIFIED = "not_modified"
    ERROR = "error"
    BLOCKED = "blocked"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    ROBOTS_BLOCKED = "robots_blocked"
    TERMS = "terms"
    """Nothing was sent: an operator blocked the site, or nobody has reviewed its terms."""
    DNS_ERROR = "dns_error"
    TLS_ERROR = "tls_error"
    NOT_FOUND = "not_found"
    GONE = "gone"

    @property
    def has_page(self) -> bool:
        """Whether the fetch brought content, new or unchanged."""
        return self in _PAGES

    @property
    def counts_for_circuit(self) -> bool:
        """Whether the source could not be reached; 404 and robots.txt do not show that."""
        return self in _UNREACHED


_PAGES = frozenset({FetchOutcome.OK, FetchOutcome.NOT_MODIFIED})
_UNREACHED = frozenset(
    {
        FetchOutcome.ERROR,
        FetchOutcome.BLOCKED,
        FetchOutcome.TIMEOUT,
        FetchOutcome.DNS_ERROR,
        FetchOutcome.TLS_ERROR,
    }
)


class FailReason(StrEnum):
    """Why a page yielded no items."""

    SELECTOR_NOT_FOUND = "selector_not_found"
    PRICE_NOT_FOUND = "price_not_found"
    TITLE_NOT_FOUND = "title_not_found"
    DATE_NOT_FOUND = "date_not_found"
    """The page of an event names no day; nothing is lost if its row did."""
    PAGE_STRUCTURE_CHANGED = "page_structure_changed"
    BLOCKED_PAGE = "blocked_page"
    EMPTY_PAGE = "empty_page"
    OOS_NO_PRICE = "oos_no_price"
    PARSE_TIMEOUT = "parse_timeout"
    """Parsing took more time than the settings allow."""
    PARSE_CRASHED = "parse_crashed"
    """Parsing needed more memory than the settings allow, or ended the process that did it."""


class DropReason(StrEnum):
    """Why an item was dropped: a required field is missing, or it is not an item of this source."""

    MISSING_REQUIRED_FIELD = "missing_required_field"
    INVALID_PRICE = "invalid_price"
    INVALID_URL = "invalid_url"
    DUPLICATE_WITHIN_RUN = "duplicate_within_run"
    BLOCKED_BY_ROBOTS_TXT = "blocked_by_robots_txt"
    TERMS = "terms"
    OOS_NO_PRICE = "oos_no_price"
    UNKNOWN_AVAILABILITY = "unknown_availability"
    NO_DATE = "no_date"
    ROW_NOT_READ = "row_not_read"


class QuarantineReason(StrEnum):
    """Why an item was quarantined: it looks wrong."""

    VALIDATION_FAILED = "validation_failed"
    DRIFT_DETECTED = "drift_detected"
    SELECTOR_FAILURE = "selector_failure"
    NORMALIZATION_FAILED = "normalization_failed"
    ZERO_PRICE = "zero_price"
    AMBIGUOUS_PRICE = "ambiguous_price"
    PRICE_JUMP = "price_jump"
