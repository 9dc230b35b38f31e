"""A setting: its default, its description, and how its value is read.

Values come as text from the environment, or as objects from the program. Settings that are not given cost
nothing: most commands use few of eighty settings.
"""

from collections.abc import Callable
from typing import Any

ValueReader = Callable[[Any], Any]
"""Converts a given value; a `ValueError` says what is wrong with it, without the value."""


class Setting:
    """A descriptor in a class: instances have its default until they get a value of that name."""

    def __init__(self, default: Any, description: str, read: ValueReader) -> None:
        self._default, self.description, self.read = default, description, read

    @property
    def default(self) -> Any:
        """The default value; one that is expensive to load is created on first access."""
        return self._default() if callable(self._default) else self._default

    def __get__(self, owner: object | None, kind: type) -> Any:
        return self if owner is None else self.default


class SecretSetting:
    """Text that is not printed or logged by accident."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def get_secret_value(self) -> str:
        """The text."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "**********" if self._text else ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretSetting) and self._text == other.get_secret_value()

    def __hash__(self) -> int:
        return hash(self._text)
