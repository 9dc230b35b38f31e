"""Settings of the API, pages, search, notifications and logs."""

from datetime import time
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, IPvAnyNetwork, SecretStr, field_validator
from pydantic_settings import NoDecode

from larder.core.policy.scheduling.cadence import SUMMARY_AT
from larder.settings.channels import ChannelSettings, read_channels
from larder.settings.part import SettingsPart


class ServeSettings(SettingsPart):
    """Settings of the API, pages, search, notifications and logs."""

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
    status_public: bool = Field(
        default=False,
        description="Serve /api/status and the page /status without a key: how fresh the public dataset is.",
    )
    metrics_public: bool = Field(
        default=False,
        description="Serve /metrics without a key. It names all sources, hidden ones too.",
    )
    metrics_sources: int = Field(
        default=500,
        ge=1,
        le=10_000,
        description="Sources with labels of their own in /metrics; the others are added up as `other`.",
    )
    elasticsearch: SecretStr = Field(
        default=SecretStr(""),
        description="Elasticsearch index that searches instead of the database: http://host:9200/index.",
    )
    clickhouse: SecretStr = Field(
        default=SecretStr(""),
        description="ClickHouse table for larder export --format clickhouse: http://user:password@host:8123/"
        "database/table.",
    )
    channels: Annotated[tuple[ChannelSettings, ...], NoDecode] = Field(
        default=(ChannelSettings(name="log"),),
        description="Where alerts and summaries go: a JSON list of {name, url, minimum, quiet, secret}; by "
        "default the log.",
    )
    timezone: str = Field(
        default="UTC",
        description="IANA time zone of the daily summary and of maintenance (3:00).",
    )
    summary_at: time = Field(default=SUMMARY_AT, description="Time of the daily summary in that time zone.")
    log_level: str = Field(
        default="info",
        pattern="^(debug|info|warning|error)$",
        description="Log level: debug, info, warning or error.",
    )

    @property
    def channel_names(self) -> list[str]:
        """The names of all channels."""
        return [channel.name for channel in self.channels]

    @field_validator("channels", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return read_channels(value) if isinstance(value, str) else value

    @field_validator("channels")
    @classmethod
    def _each_once(cls, value: tuple[ChannelSettings, ...]) -> tuple[ChannelSettings, ...]:
        names = [channel.name for channel in value]
        if len(set(names)) < len(names):
            raise ValueError("two channels have the same name")
        return value

    @field_validator("listen")
    @classmethod
    def _real_port(cls, value: str) -> str:
        if int(value.rpartition(":")[2]) > 65_535:
            raise ValueError("port must be 0 to 65535")
        return value

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("is not a time zone; use an IANA name such as Europe/Amsterdam") from None
        return value

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
