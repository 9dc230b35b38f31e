"""When work is done, and how much of it at once."""

from typing import Any

from pydantic import Field, SecretStr

from larder.core.policy.run_limits import LIMITS
from larder.core.policy.scheduling.backpressure import PENDING_IN_ALL, PENDING_PER_SITE
from larder.settings.part import SettingsPart


def _limit(name: str) -> Any:
    """A limit of runs, for all sources that do not set their own."""
    rule = LIMITS[name]
    message = f"{rule.says} A source's params may set its own."
    return Field(default=rule.default, ge=rule.least, le=rule.most, description=message)


class WorkSettings(SettingsPart):
    """When work is done, and how much of it at once."""

    strict: bool = Field(
        default=True,
        description="Run only sources whose site's terms were reviewed; obey robots.txt that forbids all.",
    )
    tick_seconds: float = Field(
        default=0,
        ge=0,
        description="Seconds between two checks for due work; 0: 10 on SQLite, 60 on PostgreSQL.",
    )
    stagger_seconds: float = Field(
        default=60, ge=0, description="Scheduled runs start at a random moment within this many seconds."
    )
    broker: SecretStr = Field(
        default=SecretStr(""),
        description="Message broker of larder worker and larder beat: amqp://user:password@host:5672// or "
        "redis://host:6379/0; empty: none.",
    )
    queue_prefix: str = Field(
        default="",
        pattern=r"^[\w.-]{0,64}$",
        description="Prefix of the names of queues, if several deployments share a broker.",
    )
    slice_seconds: float = Field(
        default=60,
        ge=1,
        le=600,
        description="Seconds that a Celery worker drives its lanes before it sends the rest on.",
    )
    lanes_per_slice: int = Field(
        default=25, ge=1, le=10_000, description="Sites that one Celery task drives at a time."
    )
    lease_seconds: float = Field(
        default=30, ge=2, description="Seconds after which a silent worker loses a site's lane."
    )
    at_once: int = Field(
        default=512, ge=1, le=10_000, description="Maximum number of concurrent jobs over all sites."
    )
    pending_per_site: int = Field(
        default=PENDING_PER_SITE,
        ge=1,
        le=1_000_000,
        description="Maximum number of pending jobs of one site; past it, no run of it starts.",
    )
    pending_in_all: int = Field(
        default=PENDING_IN_ALL,
        ge=1,
        le=10_000_000,
        description="Maximum number of pending jobs in all; past it, only sites below their equal share of "
        "it start runs.",
    )
    parse_workers: int | None = Field(
        default=None,
        ge=0,
        le=256,
        description="Processes that parse pages; empty: one per core, at most 4; 0: pages are parsed in the "
        "process itself, without limits (for debugging).",
    )
    parse_seconds: float = Field(
        default=5,
        gt=0,
        le=3_600,
        description="CPU seconds that parsing one page may take; above it, the worker is killed and the page "
        "becomes a dead letter.",
    )
    parse_wall_seconds: float = Field(default=60, gt=0, le=36_000, description="The same in elapsed seconds.")
    parse_memory_mb: int = Field(
        default=1024, ge=256, description="Memory limit in MB of a process that parses pages."
    )
    sweep_pages: int = _limit("sweep_pages")
    sweep_overlap: int = _limit("sweep_overlap")
    sweep_details: int = _limit("sweep_details")
    detail_refresh_hours: float = _limit("detail_refresh_hours")
    stop_after: int = _limit("stop_after")
