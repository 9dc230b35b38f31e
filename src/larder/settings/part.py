"""The base of all groups of settings."""

from pydantic_settings import BaseSettings, SettingsConfigDict


class SettingsPart(BaseSettings):
    """A group of settings. Its validator is never built: only that of all settings together is needed."""

    model_config = SettingsConfigDict(defer_build=True)
