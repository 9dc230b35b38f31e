"""Everything a deployment can set, from the environment (`LARDER_…`) or a `.env` file."""

from datetime import time, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import orjson
from pydantic import BaseModel, ConfigDict, Field, IPvAnyNetwork, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from larder.core.errors import BadInput
from larder.core.policy.alerting import Severity
from larder.core.policy.scheduling.cadence import SUMMARY_AT


class ChannelSettings(BaseModel):
    """One channel for alerts and summaries. Its address is a secret: who knows it can write to it."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")
    url: SecretStr = SecretStr("log:")
    kind: Literal["log", "webhook", "slack", "apprise"] | None = None
    minimum: Severity = Severity.INFO


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
        description="Sources of sites whose terms nobody reviewed do not run; closed robots.txt is obeyed.",
    )
    contact: str = Field(
        default="https://larder.example/contact",
        description="Where a site's operator can reach you; sent with every request.",
    )
    agent: str = Field(default="Larder", description="The name by which robots.txt knows us.")
    tick_seconds: float = Field(
        default=0, ge=0, description="Seconds between looks at what is due; 0: 10 embedded, 60 on PostgreSQL."
    )
    stagger_seconds: float = Field(
        default=60, ge=0, description="Scheduled runs start at a random moment within this."
    )
    lease_seconds: float = Field(
        default=30, ge=2, description="How long a silent worker keeps a site's lane."
    )
    at_once: int = Field(
        default=128, ge=1, le=10_000, description="Jobs under way at a time, over all sites."
    )
    browser: Path | None = Field(
        default=None, description="Chromium's executable; without it pages that need scripts stay empty."
    )
    browser_pages: int = Field(default=4, ge=1, le=64, description="Browser pages open at a time.")
    browser_memory_mb: int = Field(
        default=2048, ge=256, description="Memory past which the browser is ended; from half of it, replaced."
    )
    relay_url: str = Field(
        default="https://app.scrapingbee.com/api/v1/",
        description="The relay's address; anything that speaks ScrapingBee's protocol.",
    )
    relay_key: SecretStr = Field(
        default=SecretStr(""), description="The relay's API key; without it no relay is used."
    )
    relay_credits: float = Field(
        default=0, ge=0, description="The relay's credits a month; 0: until it says that they are spent."
    )
    secret_key: SecretStr = Field(
        default=SecretStr(""),
        description="Opens secrets and proxies' passwords: 32 bytes in base64; without it none is kept.",
    )
    apify_token: SecretStr = Field(
        default=SecretStr(""), description="Apify's API token; without it sources with an actor do not run."
    )
    apify_url: str = Field(default="https://api.apify.com", description="The address of Apify's API.")
    apify_budget_usd: float = Field(
        default=0, ge=0, description="What actors may cost a month; 0: as much as the account allows."
    )
    actors: dict[str, str] = Field(
        default={}, description='Which actor serves an adapter, as JSON: {"apartments": "user/name"}.'
    )
    actor_poll_seconds: float = Field(
        default=10, gt=0, description="Seconds between two looks at an actor's run."
    )
    pages: str = Field(
        default="", description="Where bodies of pages lie: s3://bucket/prefix; empty: in the data folder."
    )
    pages_endpoint: str = Field(default="", description="The S3 server's address, where it is not Amazon's.")
    pages_region: str = Field(default="us-east-1", description="The bucket's region.")
    pages_access_key: str = Field(
        default="", description="The bucket's access key; empty: the machine's own role."
    )
    pages_secret: SecretStr = Field(default=SecretStr(""), description="The secret of the access key.")
    pages_sync: bool = Field(
        default=False,
        description="Bodies reach the disk before they count: none is lost to a power cut.",
    )
    pages_keep_days: float = Field(default=90, gt=0, description="How long pages are kept that nobody needs.")
    pages_keep_bytes: int = Field(
        default=0, ge=0, description="How much room bodies may take; the oldest go first; 0: no limit."
    )
    jobs_keep_days: float = Field(
        default=30,
        gt=0,
        description="How long jobs that are over are kept, with what is known of their items.",
    )
    errors_keep_days: float = Field(
        default=90, gt=0, description="How long errors are kept, and dead letters that were decided."
    )
    changes_keep_days: float = Field(default=365, gt=0, description="How far back the change feed reaches.")
    geocoder: str = Field(
        default="",
        description="Speaks Nominatim's protocol and is asked at night where events are; empty: none.",
    )
    elasticsearch: SecretStr = Field(
        default=SecretStr(""),
        description="An Elasticsearch that searches instead of the database: http://host:9200/index.",
    )
    adapters_dir: Path | None = Field(
        default=None,
        description="Folder with adapters of your own, one subfolder each; read when a process starts.",
    )
    user_agents: list[str] = Field(
        default=[], description="User agents to take in turn, as a JSON list; empty: our own honest one."
    )
    channels: Annotated[tuple[ChannelSettings, ...], NoDecode] = Field(
        default=(ChannelSettings(name="log"),),
        description="Where alerts and summaries go: a JSON list of {name, url, minimum}; by default the log.",
    )
    timezone: str = Field(
        default="UTC",
        description="The time zone of the daily summary and of maintenance (3:00), by its IANA name.",
    )
    summary_at: time = Field(
        default=SUMMARY_AT, description="When the daily summary goes out, by the clock of that time zone."
    )
    listen: str = Field(
        default="127.0.0.1:8321",
        pattern=r"^(\[[0-9a-fA-F:.]+\]|[^:\s\[\]/]+):\d{1,5}$",
        description="Where the API and the pages are served, as HOST:PORT; port 0: any free one.",
    )
    public_url: str = Field(
        default="",
        pattern=r"^(https?://[^\s?#]+)?$",
        description="The address by which people reach it, if a proxy stands in front: https://…",
    )
    trusted_proxies: list[IPvAnyNetwork] = Field(
        default=[],
        description="Addresses or networks of proxies in front, as a JSON list: they are believed on who is "
        "calling, and how (X-Forwarded-For, X-Forwarded-Proto); empty: nobody is.",
    )
    web: bool = Field(default=True, description="Serve the pages for people beside the API.")
    requests_a_minute: int = Field(
        default=600, ge=0, description="What one key, or one address without a key, may ask; 0: no limit."
    )
    request_bytes: int = Field(
        default=10_000_000,
        ge=1_000,
        description="The largest body that is read of an operator; of anybody else 64 KiB are.",
    )
    cors_origins: list[str] = Field(
        default=[], description="Other sites whose scripts may call the API, as a JSON list; empty: none."
    )
    log_level: str = Field(
        default="info", pattern="^(debug|info|warning|error)$", description="How much is logged."
    )

    @field_validator("channels", mode="before")
    @classmethod
    def _listed(cls, given: Any) -> Any:
        """JSON from the environment; what cannot be read is not shown, because it may hold a secret."""
        if not isinstance(given, str):
            return given
        try:
            return orjson.loads(given) if given.strip() else ()
        except orjson.JSONDecodeError:
            raise ValueError("is not a JSON list of channels") from None

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
            raise ValueError("there is no such port; the highest is 65535")
        return given

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, given: str) -> str:
        try:
            ZoneInfo(given)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("is not a time zone; give one like Europe/Amsterdam") from None
        return given

    @property
    def database_url(self) -> str:
        """The database, spelled out."""
        return self.database or f"sqlite:///{self.data / 'larder.db'}"

    @property
    def host(self) -> str:
        """Where to listen."""
        return self.listen.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """At which port."""
        return int(self.listen.rpartition(":")[2])

    @property
    def address(self) -> str:
        """How a browser gets here."""
        return self.public_url.rstrip("/") or f"http://{self.listen}"

    @property
    def embedded(self) -> bool:
        """SQLite on one machine."""
        return self.database_url.startswith("sqlite:")

    @property
    def tick_every(self) -> timedelta:
        """The beat of dispatch."""
        return timedelta(seconds=self.tick_seconds or (10 if self.embedded else 60))


def load() -> Settings:
    """The settings as they are now; a wrong one is named."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "LARDER_" + str(first["loc"][0]).upper()
        raise BadInput(f"{name}: {first['msg']}", hint="see docs/reference/settings.md") from error
