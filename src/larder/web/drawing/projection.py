"""Projects latitude and longitude onto the pixels of a map, and back."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """Where a map of some width and height shows its centre, and how large."""

    latitude: float
    longitude: float
    width: float
    height: float
    scale: float
    """Pixels per degree of latitude."""

    def at(self, latitude: float, longitude: float) -> tuple[float, float]:
        """The pixel of a place."""
        across = (longitude - self.longitude) * longitude_scale(self.latitude) * self.scale
        return self.width / 2 + across, self.height / 2 - (latitude - self.latitude) * self.scale

    def coordinates(self, x: float, y: float) -> tuple[float, float]:
        """Longitude and latitude of a pixel."""
        across = (x - self.width / 2) / self.scale / longitude_scale(self.latitude)
        return self.longitude + across, self.latitude - (y - self.height / 2) / self.scale


def longitude_scale(latitude: float) -> float:
    """Length of a degree of longitude relative to one of latitude."""
    return max(math.cos(math.radians(latitude)), 0.05)
