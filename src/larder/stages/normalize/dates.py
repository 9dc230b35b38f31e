"""When is it?"""

from dataclasses import dataclass
from datetime import datetime, tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A moment or a stretch of time, aware; without `time_known` only the days count."""

    start: datetime
    end: datetime | None = None
    time_known: bool = False


def parse_when(
    text: str,
    *,
    now: datetime,
    languages: tuple[str, ...] = (),
    tz: tzinfo | None = None,
    prefer: str = "future",
) -> When | None:
    """The time that `text` names."""
    zone = tz or now.tzinfo
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return When(start=aware.astimezone(zone), time_known="T" in text or ":" in text)
