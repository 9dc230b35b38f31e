"""Everything a deployment can set, from the environment (`LARDER_…`) or a `.env` file."""

from datetime import time, timedelta
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, IPvAnyNetwork, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from larder.channel_settings import ChannelSettings, read_channels
from larder.core.errors import BadInput
from larder.core.policy.run_limits import LIMITS
from larder.core.policy.scheduling.backpressure import PENDING_IN_ALL, PENDING_PER_SITE
from larder.core.policy.scheduling.cadence import SUMMARY_AT


def _limit(name: str) -> Any:
    """A limit of runs, for all sources that do not set their own."""
    rule = LIMITS[name]
    says = f"{rule.says} A source's params may set its own."
    return Field(default=rule.default, ge=rule.least, le=rule.most, description=says)


class Settings(BaseSettings):
    """The settings, each with its default."""

    model_config = SettingsConfigDict(
        env_prefix="LARDER_", env_file=".env", extra="ignore", frozen=True, hide_input_in_errors=True
    )

    data: Path = Field(
        default=Path("larder-data"), description="Folder for the embedded database and stored pages."
    )
    database: str = Field(
        default="",
        description="Database URL: sqlite:///path or postgresql://…; empty: SQLite in the data folder.",
    )
    strict: bool = Field(
        default=True,
        description="Run only sources whose site's terms were reviewed; obey robots.txt that forbids all.",
    )
    contact: str = Field(
        default="https://larder.example/contact",
        description="A URL where site operators can reach you; sent with every request.",
    )
    agent: str = Field(default="Larder", description="The user agent name that robots.txt rules apply to.")
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
    browser: Path | None = Field(
        default=None,
        description="Path of the Chromium executable; without it, pages that need JavaScript stay empty.",
    )
    browser_pages: int = Field(default=4, ge=1, le=64, description="Maximum number of open browser pages.")
    browser_memory_mb: int = Field(
        default=2048,
        ge=256,
        description="Memory limit in MB: the browser is killed above it, and restarted above half of it.",
    )
    relay_url: str = Field(
        default="https://app.scrapingbee.com/api/v1/",
        description="URL of the relay, which must speak ScrapingBee's protocol.",
    )
    relay_key: SecretStr = Field(default=SecretStr(""), description="API key of the relay; empty: no relay.")
    relay_credits: float = Field(
        default=0,
        ge=0,
        description="Monthly credits of the relay; 0: until the relay reports that they are spent.",
    )
    secret_key: SecretStr = Field(
        default=SecretStr(""),
        description="Encrypts secrets and proxy passwords: 32 bytes in base64; empty: none is stored.",
    )
    apify_token: SecretStr = Field(
        default=SecretStr(""), description="Apify API token; without it, sources with an actor do not run."
    )
    apify_url: str = Field(default="https://api.apify.com", description="URL of the Apify API.")
    apify_budget_usd: float = Field(
        default=0, ge=0, description="Monthly budget for actors in USD; 0: no limit."
    )
    actors: dict[str, str] = Field(
        default={}, description='The actor of an adapter, as JSON: {"apartments": "user/name"}.'
    )
    actor_poll_seconds: float = Field(
        default=10, gt=0, description="Seconds between two checks of an actor's run."
    )
    pages: str = Field(
        default="", description="Where page bodies are stored: s3://bucket/prefix; empty: in the data folder."
    )
    pages_endpoint: str = Field(default="", description="URL of the S3 server; empty: Amazon's.")
    pages_region: str = Field(default="us-east-1", description="The bucket's region.")
    pages_access_key: str = Field(
        default="", description="The bucket's access key; empty: the role of the machine."
    )
    pages_secret: SecretStr = Field(default=SecretStr(""), description="The secret of the access key.")
    pages_sync: bool = Field(
        default=False,
        description="Sync page bodies to disk before they count as stored, so that a power cut loses none.",
    )
    pages_keep_days: float = Field(
        default=90, gt=0, description="Days that page bodies without a reference are kept."
    )
    pages_keep_bytes: int = Field(
        default=0,
        ge=0,
        description="Maximum bytes of page bodies; the oldest are deleted first; 0: no limit.",
    )
    jobs_keep_days: float = Field(
        default=30,
        gt=0,
        description="Days that ended jobs and their items are kept.",
    )
    errors_keep_days: float = Field(
        default=90, gt=0, description="Days that errors and resolved dead letters are kept."
    )
    changes_keep_days: float = Field(default=365, gt=0, description="Days that the change feed reaches back.")
    archive_after_days: float = Field(
        default=365,
        ge=0,
        le=36_500,
        description="Days after which an inactive record is archived: identity and prices stay; 0: never.",
    )
    geocoder: str = Field(
        default="",
        description="URL of a Nominatim geocoder, used at night for events without coordinates; empty: none.",
    )
    elasticsearch: SecretStr = Field(
        default=SecretStr(""),
        description="Elasticsearch index that searches instead of the database: http://host:9200/index.",
    )
    adapters_dir: Path | None = Field(
        default=None,
        description="Folder with adapters of your own, one subfolder each; read when a process starts.",
    )
    user_agents: list[str] = Field(
        default=[], description="User agents to rotate, as a JSON list; empty: Larder's own."
    )
    channels: Annotated[tuple[ChannelSettings, ...], NoDecode] = Field(
        default=(ChannelSettings(name="log"),),
        description="Where alerts and summaries go: a JSON list of {name, url, minimum}; by default the log.",
    )
    timezone: str = Field(
        default="UTC",
        description="IANA time zone of the daily summary and of maintenance (3:00).",
    )
    summary_at: time = Field(default=SUMMARY_AT, description="Time of the daily summary in that time zone.")
    listen: str = Field(
        default="127.0.0.1:8321",
        pattern=r"^(\[[0-9a-fA-F:.]+\]|[^:\s\[\]/]+):\d{1,5}$",
        description="HOST:PORT of the API and the web pages; port 0: any free port.",
    )
    public_url: str = Field(
        default="",
        pattern=r"^(https?://[^\s?#]+)?$",
        description="Public URL, if a reverse proxy is in front: https://…",
    )
    allowed_hosts: list[str] = Field(
        default=[],
        description="Further values of the Host header, as a JSON list, besides loopback names and the hosts "
        'of LARDER_LISTEN and LARDER_PUBLIC_URL; ["*"]: any.',
    )
    trusted_proxies: list[IPvAnyNetwork] = Field(
        default=[],
        description="Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto "
        "are trusted, as a JSON list; empty: none.",
    )
    web: bool = Field(default=True, description="Serve the web pages beside the API.")
    requests_a_minute: int = Field(
        default=600,
        ge=0,
        description="Requests a minute for one key, or for one address without a key; 0: no limit.",
    )
    request_bytes: int = Field(
        default=10_000_000,
        ge=1_000,
        description="Maximum request body of an operator in bytes; for others it is 64 KiB.",
    )
    cors_origins: list[str] = Field(
        default=[], description="Origins whose scripts may call the API, as a JSON list; empty: none."
    )
    log_level: str = Field(
        default="info",
        pattern="^(debug|info|warning|error)$",
        description="Log level: debug, info, warning or error.",
    )

    @field_validator("channels", mode="before")
    @classmethod
    def _listed(cls, given: Any) -> Any:
        return read_channels(given) if isinstance(given, str) else given

    @field_validator("channels")
    @classmethod
    def _each_once(cls, given: tuple[ChannelSettings, ...]) -> tuple[ChannelSettings, ...]:
        names = [channel.name for channel in given]
        if len(set(names)) < len(names):
            raise ValueError("two channels have the same name")
        return given

    @field_validator("listen")
    @classmethod
    def _real_port(cls, given: str) -> str:
        if int(given.rpartition(":")[2]) > 65_535:
            raise ValueError("port must be 0 to 65535")
        return given

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, given: str) -> str:
        try:
            ZoneInfo(given)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("is not a time zone; use an IANA name such as Europe/Amsterdam") from None
        return given

    @property
    def database_url(self) -> str:
        """The database URL."""
        return self.database or f"sqlite:///{self.data / 'larder.db'}"

    @property
    def host(self) -> str:
        """The host to listen on."""
        return self.listen.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port to listen on."""
        return int(self.listen.rpartition(":")[2])

    @property
    def address(self) -> str:
        """The URL for a browser."""
        return self.public_url.rstrip("/") or f"http://{self.listen}"

    @property
    def embedded(self) -> bool:
        """Whether the database is SQLite."""
        return self.database_url.startswith("sqlite:")

    @property
    def tick_every(self) -> timedelta:
        """Time between two dispatches."""
        return timedelta(seconds=self.tick_seconds or (10 if self.embedded else 60))


def load() -> Settings:
    """The current settings; the error names the setting that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "LARDER_" + str(first["loc"][0]).upper()
        raise BadInput(f"{name}: {first['msg']}", hint="see docs/reference/settings.md") from error
