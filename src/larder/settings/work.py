"""When work is done, and how much of it at once."""

from typing import Any
from urllib.parse import urlsplit

from larder.core.policy.run_limits import LIMITS
from larder.settings.kinds import flag, number, secret, text, whole
from larder.settings.part import SettingsPart
from larder.settings.setting import SecretSetting


def _limit(name: str) -> Any:
    """A limit of runs, for all sources that do not set their own."""
    rule = LIMITS[name]
    message = f"{rule.says} A source's params may set its own."
    if rule.whole:
        return whole(int(rule.default), message, ge=rule.least, le=rule.most)
    return number(rule.default, message, ge=rule.least, le=rule.most)


def _pending_per_site() -> int:
    from larder.core.policy.scheduling.backpressure import PENDING_PER_SITE  # noqa: PLC0415 - few commands ask

    return PENDING_PER_SITE


def _pending_in_all() -> int:
    from larder.core.policy.scheduling.backpressure import PENDING_IN_ALL  # noqa: PLC0415

    return PENDING_IN_ALL


BROKERS = ("amqp", "amqps", "redis", "rediss", "memory")
"""What a broker's address may begin with; in memory, messages reach nobody but tests."""


def _check_broker(value: str) -> None:
    if not value:
        return
    if value.partition("://")[0] not in BROKERS:
        raise ValueError("is not a broker: write amqp:// or amqps:// for RabbitMQ, redis:// or rediss://")
    try:
        _ = urlsplit(value).port
    except ValueError:
        raise ValueError("has no port after its host: in a password, write / as %2F and @ as %40") from None


class WorkSettings(SettingsPart):
    """When work is done, and how much of it at once."""

    strict: bool = flag(
        True, "Run only sources whose site's terms were reviewed; obey robots.txt that forbids all."
    )
    tick_seconds: float = number(
        0, "Seconds between two checks for due work; 0: 10 on SQLite, 60 on PostgreSQL.", ge=0
    )
    stagger_seconds: float = number(
        60, "Scheduled runs start at a random moment within this many seconds.", ge=0
    )
    broker: SecretSetting = secret(
        "Message broker of larder worker and larder beat: amqp://user:password@host:5672// or "
        "redis://host:6379/0; empty: none.",
        check=_check_broker,
    )
    queue_prefix: str = text(
        "", "Prefix of the names of queues, if several deployments share a broker.", pattern=r"^[\w.-]{0,64}$"
    )
    slice_seconds: float = number(
        60, "Seconds that a Celery worker drives its lanes before it sends the rest on.", ge=1, le=600
    )
    lanes_per_slice: int = whole(25, "Sites that one Celery task drives at a time.", ge=1, le=10_000)
    lease_seconds: float = number(30, "Seconds after which a silent worker loses a site's lane.", ge=2)
    at_once: int = whole(512, "Maximum number of concurrent jobs over all sites.", ge=1, le=10_000)
    pending_per_site: int = whole(
        _pending_per_site,
        "Maximum number of pending jobs of one site; past it, no run of it starts.",
        ge=1,
        le=1_000_000,
    )
    pending_in_all: int = whole(
        _pending_in_all,
        "Maximum number of pending jobs in all; past it, only sites below their equal share of "
        "it start runs.",
        ge=1,
        le=10_000_000,
    )
    parse_workers: int | None = whole(
        None,
        "Processes that parse pages; empty: one per core, at most 4; 0: pages are parsed in the "
        "process itself, without limits (for debugging).",
        ge=0,
        le=256,
    )
    parse_seconds: float = number(
        5,
        "CPU seconds that parsing one page may take; above it, the worker is killed and the page "
        "becomes a dead letter.",
        gt=0,
        le=3_600,
    )
    parse_wall_seconds: float = number(60, "The same in elapsed seconds.", gt=0, le=36_000)
    parse_memory_mb: int = whole(1024, "Memory limit in MB of a process that parses pages.", ge=256)
    sweep_pages: int = _limit("sweep_pages")
    sweep_overlap: int = _limit("sweep_overlap")
    sweep_details: int = _limit("sweep_details")
    detail_refresh_hours: float = _limit("detail_refresh_hours")
    stop_after: int = _limit("stop_after")
