"""The base of all groups of settings: where values come from, and how they are kept."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from larder.settings.setting import Setting

PREFIX = "larder_"
FILE = Path(".env")


class WrongSetting(ValueError):
    """The value of a setting cannot be used; the message names the variable, and not the value."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"LARDER_{name.upper()}: {message}")


class SettingsPart:
    """A group of settings. Given values take precedence over the environment, and that over `.env`."""

    def __init__(self, **given: Any) -> None:
        _keep(self, {**_from_environment(), **given})

    @classmethod
    def without_environment(cls, **given: Any) -> Self:
        """The given values, and the defaults."""
        made = cls.__new__(cls)
        _keep(made, given)
        return made

    def replaced(self, **given: Any) -> Self:
        """A copy with other values."""
        return self.without_environment(**{**vars(self), **given})

    @classmethod
    def fields(cls) -> dict[str, Setting]:
        """All settings by name."""
        return dict(cls._each())

    @classmethod
    def _each(cls) -> Iterator[tuple[str, Setting]]:
        for part in reversed(cls.__mro__):
            yield from ((name, each) for name, each in vars(part).items() if isinstance(each, Setting))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"settings do not change: {name}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self.fields()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({given})"


def _keep(part: SettingsPart, given: Mapping[str, Any]) -> None:
    """Read each value; variables that are no setting are ignored."""
    for name, value in given.items():
        setting = getattr(type(part), name, None)
        if isinstance(setting, Setting):
            try:
                vars(part)[name] = setting.read(value)
            except ValueError as error:
                raise WrongSetting(name, str(error)) from None


def _from_environment() -> dict[str, str]:
    """Values from the environment, then `.env`; the case of names does not matter."""
    said = {**_from_file(), **os.environ}
    names = {name.lower(): value for name, value in said.items()}
    return {
        name.removeprefix(PREFIX): value
        for name, value in names.items()
        if name.startswith(PREFIX) and value is not None
    }


def _from_file() -> Mapping[str, str | None]:
    if not FILE.is_file():
        return {}
    from dotenv import dotenv_values  # noqa: PLC0415 - loaded where there is a file

    return dotenv_values(FILE)
