"""A setting: its default, what it is for, and how a value is read.

Values come as text from the environment, or as they are from the program. What is not given costs nothing:
most commands use a handful of eighty settings.
"""

from collections.abc import Callable
from typing import Any

ValueReader = Callable[[Any], Any]
"""Makes a value of what was given; a `ValueError` says what is wrong with it, without the value."""


class Setting:
    """Stands in a class: instances have its default until they keep a value of that name."""

    def __init__(self, default: Any, description: str, read: ValueReader) -> None:
        self._default, self.description, self.read = default, description, read

    @property
    def default(self) -> Any:
        """The value where none is given; one that is dear to load is made when it is asked for."""
        return self._default() if callable(self._default) else self._default

    def __get__(self, owner: object | None, kind: type) -> Any:
        return self if owner is None else self.default


class SecretSetting:
    """Text that is shown to nobody by accident."""

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
