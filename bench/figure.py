"""One measured figure beside its peer's."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured figure beside its peer's."""

    name: str
    ours: float
    peer: float
    ratio: float
    """Above 1 is better for us, unless the goal is a most."""
    unit: str
    beside: str = ""
    rounds: int = 1
    spread: Sequence[float] = ()
    """The lowest and the highest ratio of a round."""
    least: float | None = None
    most: float | None = None

    @property
    def goal(self) -> str:
        """The ratio that is asked for; empty where none is."""
        if self.least is not None:
            return f"≥ {self.least:g}"
        return f"≤ {self.most:g}" if self.most is not None else ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        if self.least is not None:
            return self.ratio >= self.least
        return self.ratio <= self.most if self.most is not None else None

    def row(self) -> dict[str, Any]:
        """As it is written to results.json."""
        told = {key: value for key, value in asdict(self).items() if key not in ("least", "most")}
        return {**told, "goal": self.goal, "met": self.met}
