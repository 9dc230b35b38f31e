"""When are messages of a channel held back? Only P1 is sent in quiet hours; all others wait for their end."""

from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHours:
    """From one time of day to another, over midnight where the second is earlier."""

    begin: time
    end: time
    tz: str = "UTC"

    def cover(self, now: datetime) -> bool:
        """Whether `now` is within the quiet hours."""
        wall = now.astimezone(ZoneInfo(self.tz)).time()
        if self.begin <= self.end:
            return self.begin <= wall < self.end
        return wall >= self.begin or wall < self.end


def read_quiet_hours(text: str, tz: str) -> QuietHours:
    """`22:00-07:00`; raises ValueError where it is none."""
    begin, dash, end = text.partition("-")
    if not dash:
        raise ValueError("quiet hours are two times of day, such as 22:00-07:00")
    try:
        return QuietHours(begin=time.fromisoformat(begin.strip()), end=time.fromisoformat(end.strip()), tz=tz)
    except ValueError:
        raise ValueError("quiet hours are two times of day, such as 22:00-07:00") from None
