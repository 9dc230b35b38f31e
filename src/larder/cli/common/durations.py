"""Durations as people write them: 25s, 2m, 1h, 90."""

import re
from datetime import timedelta

import typer

from larder.core.quoting import quoted

_DURATION = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>ms|s|m|min|h|d)?")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400}


def duration(text: str, option: str) -> timedelta:
    """The duration that an option gives; a number without a unit is in seconds."""
    match, hint = _DURATION.fullmatch(text.strip().lower()), f"'{option}'"
    if match is None or float(match["number"]) == 0:
        message = f"{quoted(text)} is not a duration; write 25s, 2m or 1h"
        raise typer.BadParameter(message, param_hint=hint)
    try:
        return timedelta(seconds=float(match["number"]) * _SECONDS[match["unit"] or "s"])
    except OverflowError as error:
        raise typer.BadParameter(f"{quoted(text)} is too long a duration", param_hint=hint) from error
