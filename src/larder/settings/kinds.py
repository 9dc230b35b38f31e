"""The kinds of settings: text, flags, numbers, paths, secrets and what is written as JSON."""

import math
import re
from collections.abc import Callable
from datetime import time
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from larder.settings.setting import SecretSetting, Setting, ValueReader

_FLAGS = {
    **dict.fromkeys(("1", "true", "t", "yes", "y", "on"), True),
    **dict.fromkeys(("0", "false", "f", "no", "n", "off"), False),
}


def text(
    default: str, description: str, *, pattern: str = "", check: Callable[[str], None] | None = None
) -> Any:
    """Text; it may have to match a pattern and pass a check."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("must be text")
        if pattern and not re.search(pattern, value):
            raise ValueError(f"must match the pattern {pattern}")
        if check:
            check(value)
        return value

    return Setting(default, description, read)


def flag(default: bool, description: str) -> Any:
    """Yes or no."""
    return Setting(default, description, _read_flag)


def _read_flag(value: Any) -> bool:
    found = value if isinstance(value, bool) else _FLAGS.get(str(value).strip().lower())
    if found is None:
        raise ValueError("must be true or false")
    return found


def whole(
    default: int | Callable[[], int] | None,
    description: str,
    *,
    ge: float | None = None,
    le: float | None = None,
) -> Any:
    """A whole number; with the default None it may be empty."""

    def read(value: Any) -> int | None:
        if default is None and value in (None, ""):
            return None
        found = _finite(value, "must be a whole number")
        if not found.is_integer():
            raise ValueError("must be a whole number")
        _check_range(found, ge=ge, le=le)
        return int(found)

    return Setting(default, description, read)


def number(
    default: float,
    description: str,
    *,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
) -> Any:
    """A number."""

    def read(value: Any) -> float:
        found = _finite(value, "must be a number")
        _check_range(found, ge=ge, gt=gt, le=le)
        return found

    return Setting(default, description, read)


def _finite(value: Any, message: str) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise ValueError(message) from None
    if not math.isfinite(found):
        raise ValueError(message)
    return found


def _check_range(
    found: float, *, ge: float | None = None, gt: float | None = None, le: float | None = None
) -> None:
    if ge is not None and found < ge:
        raise ValueError(f"must be at least {ge:,}")
    if gt is not None and found <= gt:
        raise ValueError(f"must be greater than {gt:,}")
    if le is not None and found > le:
        raise ValueError(f"must be at most {le:,}")


def path(default: str | None, description: str) -> Any:
    """A path; with the default None it may be empty."""
    return Setting(
        None if default is None else Path(default),
        description,
        lambda value: None if default is None and value in (None, "") else Path(value),
    )


def secret(description: str, *, check: Callable[[str], None] | None = None) -> Any:
    """Text that is not printed or logged and may have to pass a check; empty by default."""

    def read(value: Any) -> SecretSetting:
        found = value if isinstance(value, str) else value.get_secret_value()
        if check:
            check(found)
        return SecretSetting(found)

    return Setting(SecretSetting(""), description, read)


def clock_time(default: Callable[[], time], description: str) -> Any:
    """A time of day."""
    return Setting(default, description, _read_time)


def _read_time(value: Any) -> time:
    if isinstance(value, time):
        return value
    try:
        return time.fromisoformat(value)
    except ValueError:
        raise ValueError("must be a time of day such as 07:00") from None


def words(default: list[str], description: str) -> Any:
    """A list of texts."""
    return Setting(default, description, _read_words)


def _read_words(value: Any) -> list[str]:
    listed = _from_json(value)
    if not isinstance(listed, (list, tuple)) or not all(isinstance(each, str) for each in listed):
        raise ValueError("must be a JSON list of texts")
    return list(listed)


def networks(description: str) -> Any:
    """Addresses and networks; none by default."""
    return Setting([], description, _read_networks)


def _read_networks(value: Any) -> list[Any]:
    try:
        return [ip_network(each) for each in _from_json(value)]
    except (TypeError, ValueError):
        raise ValueError("must be a JSON list of addresses or networks") from None


def mapping(description: str) -> Any:
    """Texts by name; none by default."""
    return Setting({}, description, _read_mapping)


def _read_mapping(value: Any) -> dict[str, str]:
    found = _from_json(value)
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise ValueError("must be a JSON object of texts")
    return found


def _from_json(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    import orjson  # noqa: PLC0415 - few settings are JSON

    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        raise ValueError("must be JSON") from None


def special(default: Callable[[], Any], description: str, read: ValueReader) -> Any:
    """A value with a reader of its own."""
    return Setting(default, description, read)
