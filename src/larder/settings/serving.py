"""Settings of the API, pages, search, notifications and logs."""

from datetime import time
from ipaddress import IPv4Network, IPv6Network
from typing import TYPE_CHECKING, Any

from larder.settings.kinds import clock_time, flag, networks, secret, special, text, whole, words
from larder.settings.part import SettingsPart
from larder.settings.setting import SecretSetting

if TYPE_CHECKING:
    from larder.settings.channels import ChannelSettings


def _check_port(value: str) -> None:
    if int(value.rpartition(":")[2]) > 65_535:
        raise ValueError("port must be 0 to 65535")


def _summary_at() -> time:
    from larder.core.policy.scheduling.cadence import SUMMARY_AT  # noqa: PLC0415 - few commands ask

    return SUMMARY_AT


def _check_zone(value: str) -> None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 - loaded where a zone is named

    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("is not a time zone; use an IANA name such as Europe/Amsterdam") from None


def _read_channels(value: Any) -> "tuple[ChannelSettings, ...]":
    from larder.settings.channels import read_channels  # noqa: PLC0415 - few commands send messages

    return read_channels(value)


def _log_alone() -> "tuple[ChannelSettings, ...]":
    return _read_channels([{"name": "log"}])


class ServeSettings(SettingsPart):
    """Settings of the API, pages, search, notifications and logs."""

    listen: str = text(
        "127.0.0.1:8321",
        "HOST:PORT of the API and the web pages; port 0: any free port.",
        pattern=r"^(\[[0-9a-fA-F:.]+\]|[^:\s\[\]/]+):\d{1,5}$",
        check=_check_port,
    )
    public_url: str = text(
        "", "Public URL, if a reverse proxy is in front: https://…", pattern=r"^(https?://[^\s?#]+)?$"
    )
    allowed_hosts: list[str] = words(
        [],
        "Further values of the Host header, as a JSON list, besides loopback names and the hosts "
        'of LARDER_LISTEN and LARDER_PUBLIC_URL; ["*"]: any.',
    )
    trusted_proxies: list[IPv4Network | IPv6Network] = networks(
        "Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto "
        "are trusted, as a JSON list; empty: none."
    )
    web: bool = flag(True, "Serve the web pages beside the API.")
    requests_a_minute: int = whole(
        600, "Requests a minute for one key, or for one address without a key; 0: no limit.", ge=0
    )
    request_bytes: int = whole(
        10_000_000, "Maximum request body of an operator in bytes; for others it is 64 KiB.", ge=1_000
    )
    cors_origins: list[str] = words(
        [], "Origins whose scripts may call the API, as a JSON list; empty: none."
    )
    status_public: bool = flag(
        False, "Serve /api/status and the page /status without a key: how fresh the public dataset is."
    )
    metrics_public: bool = flag(False, "Serve /metrics without a key. It names all sources, hidden ones too.")
    metrics_sources: int = whole(
        500,
        "Sources with labels of their own in /metrics; the others are added up as `other`.",
        ge=1,
        le=10_000,
    )
    elasticsearch: SecretSetting = secret(
        "Elasticsearch index that searches instead of the database: http://host:9200/index."
    )
    clickhouse: SecretSetting = secret(
        "ClickHouse table for larder export --format clickhouse: http://user:password@host:8123/"
        "database/table."
    )
    channels: "tuple[ChannelSettings, ...]" = special(
        _log_alone,
        "Where alerts and summaries go: a JSON list of {name, url, minimum, quiet, secret}; by "
        "default the log.",
        _read_channels,
    )
    timezone: str = text(
        "UTC", "IANA time zone of the daily summary and of maintenance (3:00).", check=_check_zone
    )
    summary_at: time = clock_time(_summary_at, "Time of the daily summary in that time zone.")
    log_level: str = text(
        "info", "Log level: debug, info, warning or error.", pattern="^(debug|info|warning|error)$"
    )

    @property
    def channel_names(self) -> list[str]:
        """The names of all channels."""
        return [channel.name for channel in self.channels]

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
