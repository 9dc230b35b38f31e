"""Checks of single fields of sources and targets; each raises an error with what to write."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError
from pydantic import ValidationError

from larder.actions.formatting import span
from larder.core.errors import BadInput
from larder.core.model.site_profile import PROFILE, profile_of
from larder.core.policy.run_limits import check_limits
from larder.core.quoting import quoted
from larder.core.validation_messages import validation_message
from larder.runs import INTERVALS
from larder.sdk.selectors import read_selectors
from larder.sdk.urls import is_http

MIN_INTERVAL = timedelta(minutes=1)
MAX_INTERVAL = timedelta(days=366)
MAX_PRIORITY = 1_000
MAX_NUMBER = 10**15
"""The largest number in `params`; all databases store it exactly."""


def known_zone(name: str) -> str:
    """Check that a time zone is in the database of time zones."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"there is no time zone {quoted(name)}; write one such as Europe/Vienna") from error
    return name


def web_address(url: str) -> str:
    """Check an address with http or https."""
    if not is_http(url):
        raise ValueError(
            f"{quoted(url)} is not a web address; write it in full, such as https://example.com/"
        )
    return url


def usable_params(params: dict[str, Any]) -> dict[str, Any]:
    """Check parameters: selectors, profile, limits and numbers."""
    if "selectors" in params:
        try:
            read_selectors(params["selectors"])
        except BadInput as error:
            raise ValueError(str(error)) from error
    if PROFILE in params and profile_of(params) is None:
        raise ValueError("profile cannot be read: leave it out, and learn it when the source is saved")
    if not isinstance(params.get("images", 0), int):
        raise ValueError("images is true, false, or how many of each record")
    try:
        check_limits(params)
    except BadInput as error:
        raise ValueError(f"{error}; {error.hint.text}") from error
    _check_numbers(params)
    return params


def _check_numbers(params: dict[str, Any]) -> None:
    """Check that every number, however deep, is finite and no larger than `MAX_NUMBER`."""
    left: list[tuple[str, Any]] = list(params.items())
    while left:
        name, value = left.pop()
        if isinstance(value, dict):
            left += [(name, inner) for inner in value.values()]
        elif isinstance(value, list | tuple):
            left += [(name, inner) for inner in value]
        elif isinstance(value, int | float) and not -MAX_NUMBER <= value <= MAX_NUMBER:
            raise ValueError(f"{name} has a number outside ±{MAX_NUMBER:,}; write a smaller one")


def known_intervals(policy: dict[str, float]) -> dict[str, float]:
    """Check the names of run kinds' intervals."""
    unknown = sorted(set(policy).difference(INTERVALS))
    if unknown:
        raise ValueError(f"unknown: {', '.join(unknown)}; known: {', '.join(sorted(INTERVALS))}")
    return policy


def check_target(*, interval: timedelta | None, cron: str | None, priority: int | None) -> None:
    """Check when and how urgently a target is read; BadInput names what to write."""
    if interval is not None and interval < MIN_INTERVAL:
        raise BadInput(
            f"interval {span(interval)} is too short: write 1d or 12h",
            hint="the minimum is one minute; a number without a unit is seconds",
        )
    if interval is not None and interval > MAX_INTERVAL:
        raise BadInput(f"interval {span(interval)} is too long", hint="the maximum is 366d")
    if priority is not None and abs(priority) > MAX_PRIORITY:
        raise BadInput(f"priority {priority} is too large", hint=f"write -{MAX_PRIORITY} … {MAX_PRIORITY}")
    if interval is not None and cron is not None:
        raise BadInput("give an interval or a cron expression, not both")
    if cron is not None:
        try:
            CronSim(cron, datetime(2026, 1, 1))  # noqa: DTZ001 - only its syntax is looked at
        except CronSimError as error:
            raise BadInput(f"{quoted(cron)} is not a cron expression: {error}") from error


def first_mistake(error: ValidationError) -> str:
    """The first error of a source, with its field if the text does not name it."""
    first = error.errors(include_url=False)[0]
    text = validation_message(first["msg"])
    field = ".".join(map(str, first["loc"]))
    return f"{field}: {text}" if field else text
