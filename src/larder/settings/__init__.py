"""All that a deployment can set: the environment (`LARDER_…`) or `.env` comes in, checked values go out."""

from datetime import timedelta

from larder.core.errors import BadInput
from larder.settings.fetching import FetchSettings
from larder.settings.part import WrongSetting
from larder.settings.serving import ServeSettings
from larder.settings.storage import StorageSettings
from larder.settings.work import WorkSettings

__all__ = ["Settings", "load"]


class Settings(ServeSettings, FetchSettings, WorkSettings, StorageSettings):
    """The settings, each with its default."""

    @property
    def tick_every(self) -> timedelta:
        """Time between two dispatches."""
        return timedelta(seconds=self.tick_seconds or (10 if self.embedded else 60))


def load() -> Settings:
    """The current settings; the error names the setting that is wrong."""
    try:
        return Settings()
    except WrongSetting as error:
        raise BadInput(str(error), hint="see docs/reference/settings.md") from error
