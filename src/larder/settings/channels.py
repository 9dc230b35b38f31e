"""The settings of one notification channel."""

from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, SecretStr, TypeAdapter, ValidationError, field_validator

from larder.core.policy.alerting import Severity
from larder.core.policy.quiet_hours import read_quiet_hours
from larder.core.validation_messages import validation_message


class ChannelSettings(BaseModel):
    """One channel for alerts and summaries. Its URL is a secret, as anyone who knows it can send."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")
    url: SecretStr = SecretStr("log:")
    kind: Literal["log", "webhook", "slack", "mail", "apprise"] | None = None
    minimum: Severity = Severity.INFO
    secret: SecretStr = SecretStr("")
    """Signs webhooks; empty: they are not signed."""
    quiet: str = ""
    """Quiet hours, such as `22:00-07:00`, in the deployment's time zone: only P1 is sent then."""

    @field_validator("quiet")
    @classmethod
    def _two_times(cls, value: str) -> str:
        if value:
            read_quiet_hours(value, "UTC")
        return value


_CHANNELS = TypeAdapter(tuple[ChannelSettings, ...], config=ConfigDict(hide_input_in_errors=True))


def read_channels(value: Any) -> tuple[ChannelSettings, ...]:
    """Reads JSON or a list; the value is not part of the error, as it may hold a secret."""
    try:
        channels = _CHANNELS.validate_python(_from_json(value) if isinstance(value, str) else value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        text = validation_message(first["msg"])
        raise ValueError(f"{field}: {text}" if field else text) from None
    names = [channel.name for channel in channels]
    if len(set(names)) < len(names):
        raise ValueError("two channels have the same name")
    return channels


def _from_json(text: str) -> Any:
    try:
        return orjson.loads(text) if text.strip() else ()
    except orjson.JSONDecodeError:
        raise ValueError("must be a JSON list of channels") from None
